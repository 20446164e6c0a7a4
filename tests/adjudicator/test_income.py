"""The income of the year (area INC), each rule in a position of its own."""

import pytest

from machjudge.adjudicator.dice import GivenDice
from machjudge.adjudicator.events import DiceThrown, IncomePaid, RollPaid
from machjudge.adjudicator.money.income import (
    city_income,
    collect_income,
    opening_income,
    yearly_income,
)
from machjudge.adjudicator.names import PlaceId
from tests.adjudicator.scene import Scene, places, scene

LINES = places("austria florence france genoa milan naples papacy turkey venice")
NO_DICE = {"dice": False}
NOBODY = {"provinces": {}, "cities": {}}
"""Nobody controls anything, so that only what a test gives pays."""


def year(phase: str = "F1455M", **fields: object) -> Scene:
    """A position in Fall of a game without dice, unless the test says otherwise."""
    return scene(phase, **{"options": NO_DICE, **fields})


def paid(position: Scene, power: str) -> IncomePaid:
    """A power's income."""
    events = position.take(collect_income).told(IncomePaid)
    return next(event for event in events if event.power == power)


def test_inc_16_the_ducats_of_a_scenario_can_stand_for_the_dice_of_the_opening() -> None:
    """All else is paid; the years after it have their dice."""
    position = year("F1453M", options={**NO_DICE, "initial_adjustment": "fixed_money"})
    opening = opening_income(position.world, position.state, GivenDice({}))

    assert {event.variable for event in opening if isinstance(event, IncomePaid)} == {0}
    assert paid(position, "V").variable == 8
    usual = year("F1453M")
    dice = GivenDice({})
    assert opening_income(usual.world, usual.state, dice) == yearly_income(
        usual.world, usual.state, dice
    )


def test_inc_02_a_fleet_at_sea_brings_a_ducat() -> None:
    """Fleets on coasts bring none."""
    assert paid(year(units="V F uas, V F las, V F dal, N F ion"), "V").seas == 2


def test_inc_04_cities_pay_what_is_printed_on_them() -> None:
    """Three, two or one ducat; a fortress nothing (MAP-08)."""
    position = year(**NOBODY, also={"V": "ven nap pad ver"}, options={**NO_DICE, "forts": True})
    later = year(**NOBODY, also={"V": "ver"}, options={**NO_DICE, "forts": True, "fort_income": 1})

    assert paid(position, "V").cities == 3 + 2 + 1
    assert paid(later, "V").cities == 1


@pytest.mark.parametrize(
    ("place", "garrisoned", "normal", "besieged", "famine", "rebels"),
    [
        ("flo", False, 3, 3, 0, 0),
        ("flo", True, 3, 0, 3, 3),
        ("pad", False, 1, 1, 0, 0),
        ("pad", True, 1, 0, 1, 1),
        ("hun", False, 1, 1, 0, 0),
    ],
)
def test_inc_15_the_chart_of_cities(
    place: str, garrisoned: bool, normal: int, besieged: int, famine: int, rebels: int
) -> None:
    """What a city pays in peace, besieged, in famine, in rebellion (INC-05, INC-06)."""
    units = f"V G {place}, I A {place}" if garrisoned else ""
    city_rebels = place if place != "hun" and not garrisoned else ""

    def pays(**fields: object) -> int:
        position = year(units=units, **fields)
        return city_income(position.world, position.state, PlaceId(place))

    assert pays() == normal
    if garrisoned:
        assert pays(sieges=place) == besieged
    assert pays(famine=place) == famine
    assert pays(rebellion=place, city_rebellion=city_rebels) == rebels


def _threes() -> dict[str, list[int]]:
    two = {"florence", "venice"}
    return {f"income {line}": [3, 4] if line in two else [3] for line in LINES}


def test_inc_10_a_die_for_each_roll_on_the_line_of_the_home() -> None:
    """Two for Florence and Venice, added; one for the others."""
    outcome = year(options={"dice": True}).take(collect_income, dice=_threes())
    rolls = {event.power: event.ducats for event in outcome.told(RollPaid)}

    assert rolls == {"A": 3, "F": 3, "I": 3, "L": 3 + 3, "N": 2, "P": 3, "T": 3, "V": 3 + 4}
    assert [event.n for event in outcome.told(DiceThrown)] == [1] * 8


@pytest.mark.parametrize(
    ("power", "line", "ducats"),
    [
        ("A", "austria", [1, 2, 3, 3, 4, 4]),
        ("F", "france", [1, 2, 3, 4, 5, 6]),
        ("I", "milan", [2, 3, 3, 4, 4, 5]),
        ("N", "naples", [1, 2, 2, 3, 3, 4]),
        ("P", "papacy", [2, 3, 3, 4, 5, 6]),
        ("T", "turkey", [1, 2, 3, 4, 5, 6]),
    ],
)
def test_inc_10_the_table(power: str, line: str, ducats: list[int]) -> None:
    """The six results of each line (INC-E1)."""
    for die, result in enumerate(ducats, start=1):
        outcome = year(options={"dice": True}).take(
            collect_income, dice={**_threes(), f"income {line}": [die]}
        )
        assert next(e for e in outcome.told(IncomePaid) if e.power == power).variable == result


def test_inc_11_where_the_rules_ask_for_a_foothold_it_is_needed() -> None:
    """Without any province or city of it, the home brings nothing (the later rules)."""
    lost = {"V": "pav cre com for pia par mil"}
    options = {**NO_DICE, "var_keep": "foothold"}

    assert paid(year(also=lost), "I").variable == 4
    assert paid(year(also=lost, options=options), "I").variable == 0
    one_province = year(also={"V": "pav cre for pia par mil"}, options=options)
    one_city = year(
        provinces={"mil": "V"}, cities={"mil": "I"}, options=options, homes=dict(_milan())
    )

    assert paid(one_province, "I").variable == 4
    assert paid(one_city, "I").variable == 4


def _milan() -> dict[str, str]:
    return dict.fromkeys(places("pav cre com for pia par mil"), "I")


def test_hom_05_the_home_of_the_dead_brings_nothing() -> None:
    """A home that nobody has conquered yet is a non-player country."""
    outcome = year(eliminated="I").take(collect_income)

    assert "milan" not in [event.line for event in outcome.told(RollPaid)]
    assert "I" not in [event.power for event in outcome.told(IncomePaid)]


@pytest.mark.parametrize(
    ("phase", "expected"),
    [
        ("F1455M", {"A": 3, "F": 4, "I": 4, "L": 6, "N": 3, "P": 4, "T": 4, "V": 8}),
        ("F1456M", {"A": 3, "F": 3, "I": 3, "L": 6, "N": 2, "P": 3, "T": 3, "V": 6}),
    ],
)
def test_inc_14_without_dice_the_die_is_fixed(phase: str, expected: dict[str, int]) -> None:
    """Four in odd years, three in even ones; nothing is thrown (INC-E2)."""
    outcome = year(phase).take(collect_income)

    assert {event.power: event.variable for event in outcome.told(IncomePaid)} == expected
    assert outcome.told(DiceThrown) == []
    assert all(event.fixed for event in outcome.told(RollPaid))


def test_inc_14_the_book_counts_the_other_way_round() -> None:
    """Three in odd years, four in even ones (INC-E3)."""
    options = {**NO_DICE, "nodice_rolls": "odd3_even4"}

    assert paid(year("F1455M", options=options), "V").variable == 6
    assert paid(year("F1456M", options=options), "V").variable == 8
