"""What is still to be ordered: builds and waived builds, in games without money."""

from dataclasses import replace

from machjudge.adjudicator.moments import Campaign, Moment, Season, Stage
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.options import preset
from machjudge.adjudicator.orders import Build, Order, Waive
from machjudge.adjudicator.units import Kind
from machjudge.adjudicator.world import world_of
from machjudge.judge.game_view import missing
from machjudge.judge.opening import set_up
from tests.judge.house import atlas

VENICE = PowerId("V")
BUILD = Build(Kind.ARMY, PlaceId("pad"))


def builds_missing(*orders: Order) -> int:
    """How many builds Venice still owes an answer, with two of its four units gone."""
    scenario = atlas().scenario("1454")
    assert scenario is not None
    world = world_of(scenario, preset("judge_basic"))
    start = set_up(world)
    gone = start.units_of(VENICE)[:2]
    field = {place: unit for place, unit in start.field.items() if unit not in gone}
    winter = Moment(Campaign(1454, Season.FALL), Stage.ADJUSTMENT)
    return missing(world, replace(start, field=field, moment=winter), VENICE, orders).builds


def test_one_waive_leaves_all_further_builds_unused() -> None:
    """Nobody can say it twice, for a second one takes the place of the first."""
    assert builds_missing() == 2
    assert builds_missing(BUILD) == 1
    assert builds_missing(Waive()) == 0
    assert builds_missing(BUILD, Waive()) == 0
