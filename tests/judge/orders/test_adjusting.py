"""Adjustments and retreats by mail: what is asked, what counts, what is still missing."""

import pytest

from machjudge.adjudicator.names import PowerId
from machjudge.judge.game_view import has_to_order
from tests.judge.house import House, built_once, started
from tests.judge.letters_in import answer, master
from tests.judge.year import OPENING, SPRING, SUMMER, Orders, order, play
from tests.results_told import tells_results

CARLA = "carla@player.example"
MARCO = "marco@player.example"
QUIET: Orders = {
    "I": ("A mil h", "A pav h", "A cre h"),
    "V": ("A pad h", "A ver h", "F dal h", "G ven h"),
    "L": ("A are h", "A flo h", "F psa h"),
    "P": ("A bol h", "A per h", "A rme h", "F anc h"),
    "N": ("A bar h", "F nap h", "A mes h", "F pal h"),
    "T": ("A alb h", "F dur h", "F tun h"),
    "A": ("A hun h", "A aus h", "A tyr h"),
}


@built_once
def fall_without_money() -> House:
    """1454 without ducats, in its first adjustment: France has taken Turin and may build."""
    house = started("nomoney")
    play(house, {**QUIET, "F": ("A swi - tur", "A avi h", "F mar h")})
    play(house, {**QUIET, "F": ("A tur h", "A avi h", "F mar h")})
    play(house, {**QUIET, "F": ("A tur h", "A avi h", "F mar h")})
    assert house.view().state.moment.code == "F1454B"
    return house


def test_power_with_more_cities_than_units_may_build() -> None:
    """France is asked for one build, and nobody else for anything."""
    house = fall_without_money()
    view = house.view()

    asked = [
        power
        for power in view.world.scenario.in_play
        if has_to_order(view.world, view.state, power)
    ]
    assert asked == ["F"]


def test_results_say_what_may_be_built() -> None:
    """With a place where it can be done, ready to copy."""
    house = started("nomoney")
    for _ in range(2):
        play(house, {**QUIET, "F": ("A swi - tur", "A avi h", "F mar h")})
        order(house, "F", "A tur h")
    sent = play(house, {**QUIET, "F": ("A tur h", "A avi h", "F mar h")})

    (letter,) = [x for x in sent if x.to == CARLA and tells_results(x.body, "F1454M")]
    assert "France: 4 cities, 3 units." in letter.body
    assert "You may build 1 unit. " in letter.body
    assert "\nbuild A Swiss\nbuild G Avignon, G Marseille\nwaive\n" in letter.body


def test_missing_build_is_named() -> None:
    """A mail without the build is answered with what is missing."""
    house = fall_without_money()

    body = answer(order(house, "F", "LIST"), CARLA)

    assert "NOT COMPLETE: 1 order of France missing." in body
    assert "1 build (or waive)" in body


@pytest.mark.parametrize(("line", "units"), [("build A swi", 4), ("waive", 3)])
def test_build_or_waive_ends_the_adjustment(line: str, units: int) -> None:
    """Either is an answer, and the next campaign begins."""
    house = fall_without_money()

    order(house, "F", line)

    assert house.view().state.moment.code == "S1455M"
    assert len(house.view().state.units_of(PowerId("F"))) == units


def test_power_with_nothing_to_adjust_is_told_so() -> None:
    """Milan has as many units as cities."""
    body = answer(order(fall_without_money(), "I", "LIST"), "lucia@player.example")

    assert "Milan has nothing to order in this phase." in body


def test_retreat_is_asked_of_its_owner_only() -> None:
    """The others have nothing to do, and the phase waits for one."""
    house = started()
    play(house, OPENING)
    play(house, SPRING)
    play(house, SUMMER)

    assert house.view().readiness().missing == {"P"}
    assert "nothing to order" in answer(order(house, "V", "LIST"), MARCO)


def test_unit_without_a_retreat_order_is_disbanded_when_the_master_goes_on() -> None:
    """A dislodgement without an answer."""
    house = started()
    play(house, OPENING)
    play(house, SPRING)
    play(house, SUMMER)

    sent = master(house, "PROCESS U1454R")

    assert any("had no retreat order and disbands" in letter.body for letter in sent)
    assert len(house.view().state.units_of(PowerId("P"))) == 3


def test_unit_that_is_not_maintained_goes() -> None:
    """Said by the results, and true on the board."""
    house = started()
    sent = play(house, {**OPENING, "L": ("maintain A flo", "maintain F psa", "disband A are")})

    assert any("disbands A Arezzo" in letter.body for letter in sent)
    assert len(house.view().state.units_of(PowerId("L"))) == 2


def test_change_of_mind_from_build_to_nothing() -> None:
    """A disband takes back a build that was ordered before."""
    house = started()
    order(house, "L", *OPENING["L"], "build G flo")
    order(house, "L", "disband G flo")

    order_set = house.view().order_sets[PowerId("L")]
    assert "build G flo" not in [line.canonical for line in order_set.lines]


def test_more_than_the_treasury_pays_is_pointed_out() -> None:
    """The receipt adds up before the phase is played."""
    house = started()
    lines = ["maintain A hun", "maintain A aus", "maintain A tyr", "build G hun", "build G aus"]

    body = answer(order(house, "A", *lines), "enzo@player.example")

    assert "1 warning: accepted, but look below." in body
    assert "build G Austria will not be carried out: not enough ducats [ADJ-12]." in body


KEPT = ["maintain A bar", "maintain A mes", "maintain F nap", "maintain F pal"]
"""What Naples has in 1454."""


def test_adj_12_maintain_all_is_paid_where_it_was_written() -> None:
    """With 15 ducats four units and a garrison, and not an elite army for the fourth."""
    house = started()
    master(house, "fix treasury Naples 15 because of the test")
    order(house, "N", "maintain all", "build em G bar", "build G nap")

    assert house.on_file("N") == [*KEPT, "build em G bar", "build G nap"]

    play(house, {power: lines for power, lines in OPENING.items() if power != "N"})
    units = house.view().state.units_of(PowerId("N"))
    assert [f"{unit.kind.letter} {unit.place}" for unit in units] == [
        "A bar",
        "A mes",
        "F nap",
        "F pal",
        "G nap",
    ]


@pytest.mark.parametrize(
    ("mails", "on_file"),
    [
        ([["build G nap", "maintain all"]], ["build G nap", *KEPT]),
        ([["build G nap"], ["maintain all"]], ["build G nap", *KEPT]),
        ([["maintain all"], ["build G nap"]], [*KEPT, "build G nap"]),
        ([["maintain all, build G nap"]], [*KEPT, "build G nap"]),
        ([["maintain all. build G nap."]], [*KEPT, "build G nap"]),
        (
            [["remove A bar", "maintain rest", "build G nap"]],
            ["remove A bar", *KEPT[1:], "build G nap"],
        ),
        (
            [["maintain all", "build G nap", "remove A bar"]],
            [*KEPT[1:], "build G nap", "remove A bar"],
        ),
        (
            [["maintain F pal"], ["build G nap", "maintain rest"]],
            ["maintain F pal", "build G nap", *KEPT[:3]],
        ),
    ],
)
def test_adj_12_a_line_for_many_units_stands_where_it_was_written(
    mails: list[list[str]], on_file: list[str]
) -> None:
    """In one mail, and in a set that several mails have made."""
    house = started()
    for lines in mails:
        order(house, "N", *lines)

    assert house.on_file("N") == on_file
