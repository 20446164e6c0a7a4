"""Positions and rules that are complete by themselves, and those of earlier versions."""

from typing import Any

import pytest

from machjudge.adjudicator.moments import Campaign, Moment, Season, Stage
from machjudge.adjudicator.options import PRESETS
from machjudge.adjudicator.rules import Rules
from machjudge.adjudicator.state import State
from machjudge.formats.position import WHOLE_POSITION, WHOLE_RULES
from machjudge.formats.values import Unfit

STATE = State(Moment(Campaign(1454, Season.SPRING), Stage.CAMPAIGN))


def position(**changed: Any) -> dict[str, Any]:
    """The document of an empty position, with fields changed."""
    written = WHOLE_POSITION.write(STATE)
    assert isinstance(written, dict)
    return {**written, **changed}


@pytest.mark.parametrize("name", PRESETS)
def test_rules_come_back_whole(name: str) -> None:
    """Every option of every named set."""
    assert WHOLE_RULES.read(WHOLE_RULES.write(PRESETS[name])) == PRESETS[name]


def test_an_option_that_is_younger_than_a_game_plays_as_usual() -> None:
    """A game goes on by the rules with which it began."""
    written: Any = WHOLE_RULES.write(Rules())
    del written["control"]["conquest"]

    assert WHOLE_RULES.read(written) == Rules()


def test_a_group_of_options_is_never_absent() -> None:
    """What lacks so much was not written by a judge."""
    written: Any = WHOLE_RULES.write(Rules())
    del written["control"]

    with pytest.raises(Unfit):
        WHOLE_RULES.read(written)


def test_a_position_of_an_earlier_version_has_nobody_waiting_to_conquer() -> None:
    """The field is younger than such positions."""
    written = position()
    del written["home_holders"]

    assert WHOLE_POSITION.read(written) == STATE


def test_any_other_field_of_a_position_must_be_there() -> None:
    """Half a position is none."""
    written = position()
    del written["treasuries"]

    with pytest.raises(Unfit):
        WHOLE_POSITION.read(written)
