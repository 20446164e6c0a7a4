"""A broken scenario file is refused with file, line or key, and reason."""

from pathlib import Path

import pytest

from machjudge.adjudicator.board import CityIncome, Scenario
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.units import Kind, Quality, Unit
from machjudge.map_files.folders import Atlas
from machjudge.map_files.toml_reader import BrokenMap
from tests.cases import cases

Duel = tuple[Path, str]


@pytest.fixture
def duel(keepers_maps: Path) -> Duel:
    """The file of a sound scenario on the small board, and its text."""
    file = keepers_maps / "scenarios" / "duel.toml"
    return file, file.read_text(encoding="utf-8")


def load(file: Path) -> Scenario:
    """The scenario, with the keeper's folder as the atlas."""
    scenario = Atlas([file.parent.parent]).scenario(file.stem)
    assert scenario is not None
    return scenario


def faults(duel: Duel, *changes: tuple[str, str]) -> list[str]:
    """What is wrong with the duel after some changes: ``key: reason`` for each fault."""
    file, text = duel
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BrokenMap) as broken:
        load(file)
    return [f"{fault.key}: {fault.says}" for fault in broken.value.faults]


def test_the_duel_is_sound(duel: Duel) -> None:
    """Everything in the file arrives in the scenario."""
    scenario = load(duel[0])
    north, south = scenario.powers.values()

    assert (scenario.id, scenario.title, scenario.year) == ("duel", "A duel", 1500)
    assert (scenario.forts, scenario.preset, scenario.rules) == (True, "judge", {"summer": False})
    assert scenario.notes == ("Nobody ever won it.",)
    assert scenario.autonomous == (
        Unit(PowerId("&"), Kind.GARRISON, PlaceId("isl")),
        Unit(PowerId("&"), Kind.FLEET, PlaceId("oce")),
    )
    assert north.units[1].quality is Quality.MERCENARY
    assert (north.income_line, north.income_dice, north.initial_ducats) == ("north", 2, 5)
    assert (north.special, south.special) == ((Quality.MILITIA, Quality.PROFESSIONAL), None)
    assert (south.income_line, south.income_dice) == ("south", 1)
    assert set(south.provinces) == {"bay", "lag", "cap"}
    assert set(south.cities) == {"bay", "lag"}
    assert scenario.city_incomes == (CityIncome(PlaceId("isl"), "north", 1),)
    assert [variant.players for variant in scenario.variants] == [2, 1]
    assert (scenario.variants[1].dropped, scenario.variants[1].note) == (("S",), "Alone.")


@cases
def test_a_fault_is_named_with_key_and_reason(
    duel: Duel, old: str, new: str, key: str, says: str
) -> None:
    """One change to the sound scenario gives a fault at that key, with that reason."""
    found = faults(duel, (old, new))

    assert any(fault.startswith(key) and says in fault for fault in found), found


def test_units_may_go_over_several_lines(duel: Duel) -> None:
    """A long set-up can be written as a list."""
    file, text = duel
    lines = '"""\n  A hil,\n  A val em\n"""'
    before = load(file).powers
    file.write_text(text.replace('"A hil, A val em"', lines), encoding="utf-8")

    assert load(file).powers == before


def test_two_powers_cannot_hold_one_place(duel: Duel) -> None:
    """Both claim the island, in which nobody stands."""
    assert faults(
        duel,
        ('autonomous = "isl"', ""),
        ('home = "hil val"', 'home = "hil val"\nholds = "isl"'),
        ('holds = "cap"', 'holds = "cap isl"'),
    ) == ["powers.S: isl is held by N too"]


def test_one_letter_cannot_be_two_powers(duel: Duel) -> None:
    """TOML itself refuses the second table."""
    (fault,) = faults(duel, ("[powers.S]", "[powers.N]"))

    assert fault.startswith(": not valid TOML: ")


def test_a_scenario_needs_powers(duel: Duel) -> None:
    """Without any power there is nothing to play."""
    file, text = duel
    file.write_text(text[: text.index("[powers.N]")], encoding="utf-8")
    with pytest.raises(BrokenMap) as broken:
        load(file)

    assert "a scenario needs powers" in str(broken.value)


def test_a_power_without_units_must_say_so(duel: Duel) -> None:
    """A power that nobody plays is marked as such, needs a home and has no units (ELI-01)."""
    assert faults(duel, ('units = "A hil, A val em"\n', "")) == [
        "powers.N: no units; if nobody plays this power, say conquerable_only = true"
    ]


def test_a_power_that_nobody_plays_has_a_home_and_no_units(duel: Duel) -> None:
    """Both faults are named, and that nobody is left for the variant."""
    found = faults(duel, ('home = "hil val"', "conquerable_only = true"))

    assert "powers.N.units: a power that nobody plays has no units" in found
    assert "powers.N.home: a power that nobody plays needs a home country to be conquered" in found


def test_a_home_province_can_be_held_by_another_from_the_start(duel: Duel) -> None:
    """Its owner by name controls it; the home country stays what it is."""
    file, text = duel
    text = text.replace('units = "A hil, A val em"', 'units = "A hil"')
    file.write_text(text.replace('holds = "cap"', 'holds = "cap val"'), encoding="utf-8")
    scenario = load(file)
    north, south = scenario.powers.values()

    assert "val" in north.home
    assert "val" not in (*north.provinces, *north.cities)
    assert "val" in south.provinces
    assert "val" in south.cities


def test_an_autonomous_garrison_keeps_a_home_province_from_its_power(duel: Duel) -> None:
    """Without an army there the province is nobody's as well as the city (CTL-03)."""
    file, text = duel
    text = text.replace('autonomous = "isl"', 'autonomous = "isl bay"')
    file.write_text(text.replace("G bay, ", ""), encoding="utf-8")
    south = load(file).powers[PowerId("S")]

    assert "bay" in south.home
    assert "bay" not in (*south.provinces, *south.cities)


def test_an_army_beside_an_autonomous_garrison_holds_the_province_only(duel: Duel) -> None:
    """The province is its power's, the city nobody's (CTL-03)."""
    file, text = duel
    text = text.replace('autonomous = "isl"', 'autonomous = "isl bay"')
    file.write_text(text.replace("G bay, ", "A bay, "), encoding="utf-8")
    south = load(file).powers[PowerId("S")]

    assert "bay" in south.provinces
    assert "bay" not in south.cities


ADDED = """
[[variants]]
players = 3
each_chooses = 1
removed_garrisons = "isl"
[variants.added_power]
id = "I"
name = "Isle"
adjective = "Islander"
home = "isl"
units = "G isl"
"""


def test_a_variant_can_add_a_power(duel: Duel) -> None:
    """The power takes the place of a garrison, and can be chosen like the others."""
    file, text = duel
    file.write_text(text + ADDED, encoding="utf-8")
    added = load(file).variants[2].added_power

    assert added is not None
    assert (added.id, added.provinces, added.cities) == ("I", ("isl",), ("isl",))


@cases
def test_an_added_power_is_checked_like_the_others(
    duel: Duel, old: str, new: str, key: str, says: str
) -> None:
    """QueuedMessage, names, home, units: the same faults as in the scenario itself."""
    file, text = duel
    found = faults((file, text + ADDED), (old, new))

    assert any(fault.startswith(key) and says in fault for fault in found), found


def test_a_scenario_with_a_broken_board_names_the_boards_faults(duel: Duel) -> None:
    """The fault is told where it is: in the file of the board."""
    file, _ = duel
    board = file.parent.parent / "boards" / "small.toml"
    text = board.read_text(encoding="utf-8")
    board.write_text(text.replace("income = 3", "income = 300"), encoding="utf-8")
    with pytest.raises(BrokenMap) as broken:
        load(file)

    assert [fault.file for fault in broken.value.faults] == [str(board)]
