"""Rules as JSON: preset, what board and scenario decide, what is set otherwise."""

from dataclasses import replace
from typing import Any

import pytest

from machjudge.adjudicator.board import Scenario
from machjudge.adjudicator.land.victory import cities_needed, homes_needed
from machjudge.adjudicator.options import (
    JUDGE,
    NO_OPTIONS,
    OPTIONS,
    PRESETS,
    SERVICE_OPTIONS,
    preset,
)
from machjudge.formats.position import read_rules
from machjudge.formats.values import Unfit
from tests.cases import cases
from tests.replays.judge import ATLAS


def scenario(**changed: Any) -> Scenario:
    """The scenario of 1454, with fields changed."""
    found = ATLAS.scenario("1454")
    assert found is not None
    return replace(found, **changed)


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_known_by_name(name: str) -> None:
    """A preset alone gives its rules, where the scenario decides nothing."""
    assert preset(name) == read_rules({"preset": name}, scenario())


def test_the_preset_is_the_judge_s_if_none_is_named() -> None:
    """Nothing said is the judge's rules with their default flags."""
    assert read_rules({}, scenario()) == JUDGE


def test_null_is_none_where_an_option_has_that_value() -> None:
    """Positions of the time before say null of what is no limit."""
    rules = read_rules({"preset": "judge", "set": {"special_nations": None}}, scenario())

    assert rules == JUDGE


def test_what_is_set_overrides_scenario_board_and_preset() -> None:
    """Each of the four can say more than the one before it."""
    bare = scenario()
    board = replace(bare.board, rules={"plague": True, "storm": "table", "summer": False})
    decided = scenario(board=board, rules={"storm": "off", "summer": False}, forts=True)

    rules = read_rules({"preset": "judge_basic", "set": {"summer": True}}, decided)

    assert not rules.game.money
    assert rules.game.forts
    assert rules.disaster.plague
    assert rules.disaster.storm.value == "off"
    assert rules.game.summer


@pytest.mark.parametrize(
    ("value", "where", "says"),
    [
        ([], "", "a list stands where an object is wanted"),
        ({"sets": {}}, "sets", "there is no such field; known are preset, set"),
        ({"preset": 1}, "preset", "the number 1 stands where a string is wanted"),
        ({"preset": "chess"}, "preset", "there is no preset 'chess'; known are judge, "),
        ({"set": []}, "set", "a list stands where an object is wanted"),
        ({"set": {"taxes": True}}, "set.taxes", "there is no option 'taxes'"),
        ({"set": {"plague": 1}}, "set.plague", "plague cannot be 1; it is true or false"),
        ({"set": {"plague": None}}, "set.plague", "it is neither true or false, nor"),
        ({"set": {"victory_cities": True}}, "set.victory_cities", "it is a whole number"),
        ({"set": {"victory_cities": -1}}, "set.victory_cities", "it is not negative"),
        ({"set": {"storm": "often"}}, "set.storm", "storm cannot be 'often'; it is one of off, "),
        ({"set": {"default_cancels_debt": False}}, "set.default_cancels_debt", "a rule (BNK-10)"),
        ({"set": {"fog": True}}, "set.fog", "fog is one of off, karttunen"),
        ({"set": {"late_orders": "go"}}, "set.late_orders", "one of wait, hold, civil_disorder"),
        ({"set": {"treasury_visibility": None}}, "set.treasury_visibility", "public, private"),
        ({"set": {"default_cancels_debt": 1}}, "set.default_cancels_debt", "can only be true"),
    ],
)
def test_a_rule_that_is_not_known_is_named(value: Any, where: str, says: str) -> None:
    """The error names the option and what would be right."""
    with pytest.raises(Unfit) as unfit:
        read_rules(value, scenario())

    assert unfit.value.where == where
    assert says in unfit.value.says


@cases
def test_numbers_that_are_set_are_what_wins(
    edition: str, changes: Any, cities: int, homes: int
) -> None:
    """The master's own numbers count, homes by the formula only where he says nothing (VIC-06).

    By the rules of 1995 none are needed then (SET-20).
    """
    rules = read_rules({"preset": edition, "set": changes}, scenario())

    assert (cities, homes) == (cities_needed(rules.victory, 8), homes_needed(rules.victory))


@cases
def test_a_number_that_would_not_count_is_refused(changes: Any, where: str, says: str) -> None:
    """Nothing that is set is passed over in silence."""
    with pytest.raises(Unfit) as unfit:
        read_rules({"set": changes}, scenario())

    assert unfit.value.where == where
    assert says in unfit.value.says


ONE_WAY = {name: only for name, (only, _) in NO_OPTIONS.items()}


@pytest.mark.parametrize("name", ONE_WAY)
def test_an_option_played_in_one_way_may_be_named_with_it(name: str) -> None:
    """It changes nothing; JSON has lists where we have tuples."""
    value = ONE_WAY[name]
    plain: Any = list(value) if isinstance(value, tuple) else value

    assert read_rules({"set": {name: plain}}, scenario()) == JUDGE


@pytest.mark.parametrize(
    ("name", "value"),
    [(name, value) for name in SERVICE_OPTIONS for value in SERVICE_OPTIONS[name]],
)
def test_a_service_option_may_be_named(name: str, value: str) -> None:
    """No outcome depends on it."""
    assert read_rules({"set": {name: value}}, scenario()) == JUDGE


def test_no_option_is_both_varied_and_fixed() -> None:
    """An option that an edition plays otherwise leaves the list of the fixed ones."""
    assert set() == set(OPTIONS) & set(ONE_WAY)
