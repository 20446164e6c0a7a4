"""The names of the old judge's scenarios make the same games here."""

import pytest

from tests.judge.house import House
from tests.judge.letters_in import answer, write

GINA = "gina@desk.example"
NAMES = {
    "machiavelli": "1454",
    "mach": "1454",
    "mach_eos": "1385",
    "mach_sfd1": "1499",
    "machdip": "dipmach",
    "symmetric": "winds",
    **{
        name: name
        for name in (
            "mach_sfd2", "mach_span", "mach_este", "mach_aoc", "mach_aoc2", "dipmach", "standard",
            "machiavelli2", "mach2_sfd1", "mach2_sfd2", "mach2_span", "mach2_eai", "mach2_fotl",
            "mach2_pa", "mach2_pamt", "mach2_ttr",
        )
    },
}  # fmt: skip
"""Each name with the id of the scenario here."""


@pytest.mark.parametrize(("name", "scenario"), NAMES.items())
def test_an_old_name_makes_the_game_and_brings_its_map(name: str, scenario: str) -> None:
    """With CREATE as with GET map.NAME."""
    house = House()
    write(house, GINA, f"CREATE ?borgia topsecret {name}")
    sent = answer(write(house, GINA, f"GET map.{name}"), GINA)

    assert house.game().scenario == scenario
    assert "Borders: A where armies go, F where fleets go." in sent
