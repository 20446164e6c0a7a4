"""Positions and rules that are complete by themselves, and those of earlier versions."""

from typing import Any

import pytest

from machjudge.adjudicator.moments import Campaign, Moment, Season, Stage
from machjudge.adjudicator.options import PRESETS
from machjudge.adjudicator.rules import Rules
from machjudge.adjudicator.state import State
from machjudge.formats.position import (
    read_whole_position,
    read_whole_rules,
    whole_position_of,
    whole_rules_of,
)
from machjudge.formats.values import Unfit

STATE = State(Moment(Campaign(1454, Season.SPRING), Stage.CAMPAIGN))


def position(**changed: Any) -> dict[str, Any]:
    """The document of an empty position, with fields changed."""
    written = whole_position_of(STATE)
    assert isinstance(written, dict)
    return {**written, **changed}


@pytest.mark.parametrize("name", PRESETS)
def test_rules_come_back_whole(name: str) -> None:
    """Every option of every named set."""
    assert read_whole_rules(whole_rules_of(PRESETS[name])) == PRESETS[name]


def test_an_option_that_is_younger_than_a_game_plays_as_usual() -> None:
    """A game goes on by the rules with which it began."""
    written: Any = whole_rules_of(Rules())
    del written["control"]["conquest"]

    assert read_whole_rules(written) == Rules()


def test_a_group_of_options_is_never_absent() -> None:
    """What lacks so much was not written by a judge."""
    written: Any = whole_rules_of(Rules())
    del written["control"]

    with pytest.raises(Unfit):
        read_whole_rules(written)


def test_a_position_of_an_earlier_version_has_nobody_waiting_to_conquer() -> None:
    """The field is younger than such positions."""
    written = position()
    del written["home_holders"]

    assert read_whole_position(written) == STATE


def test_any_other_field_of_a_position_must_be_there() -> None:
    """Half a position is none."""
    written = position()
    del written["treasuries"]

    with pytest.raises(Unfit):
        read_whole_position(written)
