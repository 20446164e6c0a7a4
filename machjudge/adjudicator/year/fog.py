"""Fog of war: which units others learn of before a year's first campaign (area FOG)."""

from collections import defaultdict

from machjudge.adjudicator.model.moments import Season, Stage
from machjudge.adjudicator.model.names import AUTONOMOUS, PlaceId, PowerId
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.units import Unit
from machjudge.adjudicator.model.world import World

_Side = tuple[PowerId, ...]


def is_time_of_fog(world: World, state: State) -> bool:
    """Whether a position follows an adjustment, and no campaign has been played since (FOG-01).

    Never before the first campaign.
    """
    moment = state.moment
    follows = moment.stage is Stage.CAMPAIGN and moment.season is Season.SPRING
    return follows and moment.year > world.scenario.year


def units_in_contact(world: World, state: State) -> frozenset[Unit]:
    """The units that everybody may learn of: they may meet another side, or take what it has.

    What belongs to nobody counts for nobody, and everybody knows of it (FOG-02 to FOG-04).
    """
    reach = {unit: _reach(world, unit) for unit in state.units() if unit.owner != AUTONOMOUS}
    sides: dict[PlaceId, set[_Side]] = defaultdict(set)
    for unit, near in reach.items():
        for place in near:
            sides[place].add(state.side_of(unit.owner))
    return frozenset(
        unit
        for unit in state.units()
        if unit.owner == AUTONOMOUS
        or any(_meets(state, unit, sides[place], place) for place in reach[unit])
    )


def _reach(world: World, unit: Unit) -> frozenset[PlaceId]:
    """Where a unit stands, and where it may go by itself in one campaign, carried by nobody."""
    if unit.is_garrison:
        return frozenset((unit.place,))
    near = (place for place in world.borders[unit.place] if world.reaches(unit, place))
    return frozenset((unit.place, *near))


def _meets(state: State, unit: Unit, sides: set[_Side], place: PlaceId) -> bool:
    """Whether another side may come to a place within reach, or owns what a unit may take there."""
    own = state.side_of(unit.owner)
    owners = {state.provinces.get(place), state.cities.get(place)}
    holds = not unit.is_garrison and any(o not in (None, AUTONOMOUS, *own) for o in owners)
    return holds or len(sides) > 1
