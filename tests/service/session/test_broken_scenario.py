"""A scenario file of the keeper's that is broken: who asks for it is answered, the keeper told."""

from dataclasses import replace
from pathlib import Path

import pytest

from machjudge.atlas import Atlas
from tests.service.house import ROOT, House
from tests.service.letters_in import answer, write

GINA, KEEPER = "gina@player.example", "keeper@mach.example"


@pytest.fixture
def house(tmp_path: Path) -> House:
    """A judge whose keeper has a scenario of his own, with a slip in it."""
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "mine.toml").write_text('title = "Mine\n', encoding="utf-8")
    house = House()
    house.services = replace(house.services, atlas=Atlas([ROOT / "maps", tmp_path]))
    return house


@pytest.mark.parametrize(
    "lines",
    [
        ("CREATE ?Sforza tulip9 mine",),
        ("CREATE ?Sforza tulip9 1454", "SET SCENARIO mine"),
        ("GET SCENARIO mine",),
        ("GET map.mine",),
        ("MAP mine",),
    ],
)
def test_who_asks_for_it_gets_a_clear_refusal_and_the_keeper_a_message(house, lines) -> None:
    """At once, with the file and the line in the keeper's."""
    sent = write(house, GINA, *lines)
    body = " ".join(answer(sent, GINA).split())
    told = answer(sent, KEEPER)

    assert "'mine' cannot be used now; the keeper of this judge is told." in body
    assert "mine.toml:1" in told
    assert "mine.toml" not in body


def test_the_keeper_is_told_once_a_day(house) -> None:
    """However often somebody asks; then again, if it is still broken."""
    asked = ("CREATE ?Sforza tulip9 mine",)
    first, again = write(house, GINA, *asked), write(house, GINA, *asked)
    house.later(hours=25)
    next_day = write(house, GINA, *asked)

    assert {letter.to for letter in first} == {GINA, KEEPER}
    assert {letter.to for letter in again} == {GINA}
    assert {letter.to for letter in next_day} == {GINA, KEEPER}
