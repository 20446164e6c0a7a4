"""Phases as messages call them."""

import pytest

from machjudge.adjudicator.moments import Campaign, Moment, Season, Stage
from machjudge.adjudicator.options import JUDGE, with_option
from machjudge.adjudicator.world import world_of
from machjudge.messages.wording import Words
from tests.messages.said import say
from tests.replays.judge import ATLAS

FALL = Campaign(1454, Season.FALL)


def called(stage: Stage, season: str) -> str:
    """What messages call a phase of Fall 1454, where the adjustment is said to be in *season*."""
    scenario = ATLAS.scenario("1454")
    assert scenario is not None
    rules = with_option(JUDGE, "adjustment_season", season)
    return say(Words(world_of(scenario, rules)).moment(Moment(FALL, stage)))


@pytest.mark.parametrize(
    ("season", "name"), [("fall", "Fall 1454, adjustment"), ("spring", "Spring 1455, adjustment")]
)
def test_the_adjustment_has_the_season_of_the_edition(season: str, name: str) -> None:
    """The book of 1978 has it at the beginning of Spring (MOV-02)."""
    assert called(Stage.ADJUSTMENT, season) == name


@pytest.mark.parametrize("season", ["fall", "spring"])
def test_campaigns_have_their_own_season_in_every_edition(season: str) -> None:
    """And so have their retreats."""
    assert called(Stage.CAMPAIGN, season) == "Fall 1454, campaign"
    assert called(Stage.RETREATS, season) == "Fall 1454, retreats"
