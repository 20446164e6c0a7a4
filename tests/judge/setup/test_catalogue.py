"""The catalogue's area SET is complete: every number of it is set, or refused, by a test."""

import re

import pytest

from machjudge.adjudicator.options import PRESETS
from machjudge.judge.records import Status
from tests.cases import cases
from tests.judge.house import ROOT, House
from tests.judge.letters_in import answer, write
from tests.judge.setup.test_ruling import forming, master, options_of
from tests.rule_values import option_value

RULES = ROOT / "docs" / "rules.md"
TESTS = ("test_ruling", "test_catalogue", "test_sides")
_NUMBER = re.compile(r"\bSET-\d\d\b")


def test_every_number_of_the_area_has_its_test() -> None:
    """The numbers of the rules and those that tests carry are the same."""
    in_rules = set(_NUMBER.findall(RULES.read_text(encoding="utf-8")))
    here = ROOT / "tests" / "judge" / "setup"
    tested = {
        number
        for file in here.iterdir()
        if file.stem in TESTS
        for number in _NUMBER.findall(file.read_text(encoding="utf-8"))
    }

    assert len(in_rules) == 24
    assert tested == in_rules


@cases
def test_what_is_switched_off_stands_in_the_listing_as_off(
    number: str, lines: str, shown: str
) -> None:
    """And stood there as on before (SET-19)."""
    house = forming()
    before, after = flags(house), (master(house, lines), flags(house))[1]

    assert shown in before[0], number
    assert shown in after[1], number
    assert shown not in after[0], number


@cases
def test_what_is_switched_on_stands_in_the_listing_as_on(
    number: str, lines: str, shown: str
) -> None:
    """And stood there as off before (SET-19)."""
    house = forming()
    before, after = flags(house), (master(house, lines), flags(house))[1]

    assert shown in before[1], number
    assert shown in after[0], number


def flags(house: House) -> tuple[set[str], set[str]]:
    """The words behind On and Off in the listing that anybody gets."""
    text = " ".join(answer(write(house, "dino@x.example", "LIST borgia"), "dino@x.example").split())
    on, _, rest = text.partition("On: ")[2].partition("Off: ")
    off = rest.partition("To win")[0]
    return set(on.strip().split(", ")), set(off.strip().split(", "))


@pytest.mark.parametrize("word", ["MACH2", "MACHIAVELLI2", "MACH-2", "PRESET mach2"])
def test_rules_of_1995_are_taken_whole(word: str) -> None:
    """SET-01, SET-20: the flag is the set of rules."""
    house = forming()
    master(house, f"SET {word}")

    assert house.game().rules == PRESETS["mach2"]


def test_diplomacy_is_a_set_of_rules() -> None:
    """SET-18: without dice, money, special units, garrisons and Summer."""
    house = forming()
    master(house, "SET PRESET diplomacy")
    names = ("dice", "money", "special", "garrisons", "summer", "storm", "coastal_convoys")

    assert options_of(house.game(), *names) == (*(False,) * 5, "off", False)


def test_diplomacy_with_garrisons_and_summer_is_a_line_of_flags() -> None:
    """SET-18: as the rules write it in their third appendix."""
    house = forming()
    master(house, "SET MACH2, NODICE, NOMONEY, NOSPECIAL")
    names = ("dice", "money", "special", "garrisons", "summer")

    assert options_of(house.game(), *names) == (False, False, False, True, True)


def test_full_basic_rules_are_no_money_and_no_dice() -> None:
    """SET-17: the two flags alone leave nothing that needs ducats or dice."""
    house = forming()
    master(house, "SET NOMONEY, NODICE")
    rest = ("loans", "assassinations", "special", "famine", "plague")

    assert options_of(house.game(), *rest) == (False,) * 5


def test_dipmach_plays_by_these_rules_on_the_standard_board() -> None:
    """SET-23: fortified centres hold garrisons, and cities pay ducats."""
    house = House()
    house.start("dipmach", ["nodice"])
    view = house.view()

    assert house.game().status is Status.RUNNING
    assert option_value(house.game().rules, "garrisons") is True
    assert view.state.treasuries["R"] == 10
    assert view.world.holds_garrison("lon")
    assert not view.world.holds_garrison("cly")


def test_dipmach_converts_fleets_where_there_is_an_anchor_only() -> None:
    """SET-23: London has one, Ankara has none."""
    house = House()
    house.start("dipmach", ["nomoney"])
    england = write(
        house, "marco@player.example", "SIGNON Eborgia pwE", "F lon c g", "A lvp h", "F edi h"
    )
    turkey = write(house, "enzo@player.example", "SIGNON Tborgia pwT", "F ank c g", "A con c g")

    assert "F London C G" in answer(england, "marco@player.example")
    text = " ".join(answer(turkey, "enzo@player.example").split())
    assert "NOT TAKEN line 2: F ank c g" in text
    assert "A Constantinople C G" in text
