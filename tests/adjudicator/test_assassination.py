"""Assassinations and what follows from them (area ASN), each rule in a position of its own."""

import pytest

from machjudge.adjudicator.events import (
    DiceThrown,
    ExpenseSettled,
    PowerAssassinated,
    RebellionRolled,
    SiegeEnded,
)
from machjudge.adjudicator.orders import Order
from machjudge.adjudicator.reasons import Flaw
from tests.adjudicator.scene import Scene, bribe_away, move, murder, places, scene, support

PROVINCES = "pad ver ven dal bre ber vic trv fri ist are flo psa pst rag fer sie luc mil bol gen"
QUIET = {f"rebellion {place}": [6] for place in places(PROVINCES)}
"""Dice by which nothing rebels."""
CHITS = {"A": "FILNPTV", "N": "LLV", "V": "LN", "P": "L", "L": "NPV"}


def plot(units: str = "", **more: object) -> Scene:
    """A position with chits and money for everybody, in which everything is within reach."""
    fields: dict[str, object] = {
        "treasury": dict.fromkeys("AFILNPTV", 100),
        "options": {"adjacency": "none"},
        "chits": CHITS,
        **more,
    }
    return scene(units=units, **fields)


def kill(assassin: str, number: int, die: int) -> dict[str, list[int]]:
    """The die of one attempt, and others by which nothing rebels."""
    return {**QUIET, f"assassination {assassin} E{number}": [die]}


def test_asn_01_a_second_attempt_needs_a_second_chit() -> None:
    """Venice has one chit for Florence, Naples two."""
    orders: dict[str, list[Order]] = {
        power: [murder(1, "L", 12), murder(2, "L", 12)] for power in "NV"
    }
    dice = {"assassination N E1": [5], "assassination N E2": [6], "assassination V E1": [6]}
    outcome = plot().play(orders, dice)

    assert outcome.fates() == {"N1": "failed", "N2": "failed", "V1": "failed", "V2": "no chit"}


@pytest.mark.parametrize(
    ("ducats", "highest"), [(12, 1), (24, 2), (36, 3), (23, 1), (35, 2), (47, 3), (99, 3)]
)
def test_asn_03_twelve_ducats_for_each_number(ducats: int, highest: int) -> None:
    """One, two or three of six; other sums are rounded down (ASN-E1)."""
    order: dict[str, list[Order]] = {"V": [murder(1, "L", ducats)]}
    works = plot().play(order, kill("V", 1, highest))
    fails = plot().play(order, kill("V", 1, highest + 1))

    assert works.fates() == {"V1": "done"}
    assert len(works.told(ExpenseSettled)) == 1
    assert fails.fates() == {"V1": "failed"}


def test_asn_03_less_than_twelve_ducats_are_no_attempt() -> None:
    """The money is lost, the chit stays, no die is thrown (ASN-E4)."""
    outcome = plot().play({"V": [murder(2, "N", 9)]})

    assert outcome.fates() == {"V2": "no attempt"}
    assert outcome.treasury("V") == 91
    assert outcome.state.chits["V"] == ("L", "N")


def test_asn_03_attempts_on_one_victim_roll_separately() -> None:
    """One success is enough; the throws are numbered by the attempts, not by the expenses."""
    orders: dict[str, list[Order]] = {"N": [murder(4, "L", 12), murder(2, "L", 12)]}
    dice = {**QUIET, "assassination N E2": [6], "assassination N E4": [1]}
    outcome = plot().play(orders, dice)
    thrown = [event for event in outcome.told(DiceThrown) if "N" in event.purpose]

    assert [(event.purpose, event.n, event.dice) for event in thrown] == [
        ("assassination N L", 1, (6,)),
        ("assassination N L", 2, (1,)),
    ]
    assert outcome.told(PowerAssassinated) == [PowerAssassinated("L", ("N",))]


def test_asn_04_the_victims_units_hold() -> None:
    """Others may still support them."""
    position = plot("L A flo, P A bol, P A pst, V A sie, V A are")
    orders: dict[str, list[Order]] = {
        "V": [murder(1, "L", 12), move("A are", "flo"), support("A sie", "A are", "flo")],
        "L": [move("A flo", "psa")],
        "P": [support("A bol", "A flo")],
    }
    outcome = position.play(orders, kill("V", 1, 1))

    assert "L A flo" in outcome.units()
    assert "V A are" in outcome.units()


@pytest.mark.parametrize(
    ("place", "limit", "home", "with_unit"),
    [
        ("flo", 1, True, True),
        ("are", 2, True, False),
        ("sie", 3, False, True),
        ("luc", 5, False, False),
    ],
)
def test_asn_09_each_province_is_tested(
    place: str, limit: int, home: bool, with_unit: bool
) -> None:
    """Home with a unit on 1, without on 2; conquered with a unit on 3, without on 5 (ASN-E2)."""
    position = plot("L A flo, L G sie, L A sie, V A pad", also={"L": "sie luc"})
    order: dict[str, list[Order]] = {"V": [murder(1, "L", 12)]}
    rises = position.play(order, {**kill("V", 1, 1), f"rebellion {place}": [limit]})
    stays = position.play(order, {**kill("V", 1, 1), f"rebellion {place}": [limit + 1]})
    rolls = {event.place: event for event in rises.told(RebellionRolled)}

    assert place in rises.rebels()[0]
    assert place not in stays.rebels()[0]
    assert (rolls[place].limit, rolls[place].home, rolls[place].with_unit) == (
        limit,
        home,
        with_unit,
    )
    assert sorted(rolls) == ["are", "flo", "luc", "psa", "pst", "sie"]


@pytest.mark.parametrize(
    ("place", "revolts"),
    [
        ("flo", (4, 1, 1, 1)),
        ("are", (1, 4, 1, 1)),
        ("sie", (1, 1, 4, 1)),
        ("luc", (1, 1, 1, 4)),
    ],
)
def test_asn_09_the_table_of_rebellions_is_an_option(place: str, revolts: tuple[int, ...]) -> None:
    """Option ``assassin_rebel_table``: home with and without a unit, conquered likewise."""
    units = "L A flo, L G sie, L A sie, V A pad"
    options = {"adjacency": "none", "assassin_rebel_table": revolts}
    position = plot(units, also={"L": "sie luc"}, options=options)
    order: dict[str, list[Order]] = {"V": [murder(1, "L", 12)]}
    rises = position.play(order, {**kill("V", 1, 1), f"rebellion {place}": [4]})
    stays = position.play(order, {**kill("V", 1, 1), f"rebellion {place}": [5]})

    assert place in rises.rebels()[0]
    assert place not in stays.rebels()[0]


def test_asn_09_a_unit_bribed_away_leaves_its_province_without_one() -> None:
    """On 4 a conquered province without a unit rebels, its city too (ASN-E5)."""
    position = plot("F F fer, V A pad", also={"F": "fer"})
    orders: dict[str, list[Order]] = {
        "N": [bribe_away(4, "F fer", 12)],
        "A": [murder(1, "F", 24)],
    }
    dice = {**QUIET, **{f"rebellion {home}": [6] for home in places("swi avi mar pro")}}
    outcome = position.play(orders, {**dice, "assassination A E1": [2], "rebellion fer": [4]})

    assert outcome.rebels() == (["fer"], ["fer"])


def test_asn_09_venice_with_a_unit_is_left_alone() -> None:
    """No rebellion may be placed there (MAP-26)."""
    orders: dict[str, list[Order]] = {"A": [murder(1, "V", 36)]}
    dice = {**QUIET, "assassination A E1": [3], "rebellion ven": [1]}
    held = plot("V G ven").play(orders, dice)
    empty = plot().play(orders, dice)

    assert held.rebels() == ([], [])
    assert "ven" not in [event.place for event in held.told(RebellionRolled)]
    assert empty.rebels() == ([], ["ven"])


@pytest.mark.parametrize("options", [{"assassinations": False}, {"dice": False}])
def test_asn_12_without_the_flag_nobody_hires_assassins(options: dict[str, bool]) -> None:
    """The expense is refused; the same in a game without dice (SET-04)."""
    objection = plot(options=options).objection("V", murder(1, "L", 12))

    assert objection is not None
    assert objection.flaw is Flaw.FLAG_OFF


def test_ctl_16_with_control_after_fall_only_the_city_waits() -> None:
    """The garrison goes, and the city is counted when everything is (SET-20)."""
    position = plot(
        "L G sie, V A sie",
        sieges="sie",
        also={"L": "sie"},
        options={"adjacency": "none", "control_timing": "fall"},
    )
    orders: dict[str, list[Order]] = {"V": [murder(1, "L", 12), move("A sie", "are")]}
    outcome = position.play(orders, kill("V", 1, 1))

    assert outcome.units() == ["V A are"]
    assert outcome.city("sie") == "L"


def test_asn_07_the_sieges_of_others_go_on() -> None:
    """Neither another power's garrison nor besieged rebels have to do with the victim."""
    position = plot(
        "A A gen, & G gen, P A bol, V A pad",
        sieges="gen bol",
        also={"A": "gen"},
        city_rebellion="bol",
    )
    outcome = position.play({"V": [murder(1, "L", 12)]}, kill("V", 1, 1))

    assert "& G gen" in outcome.units()
    assert outcome.told(SiegeEnded) == []
    assert outcome.state.sieges == {"bol", "gen"}
