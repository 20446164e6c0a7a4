"""The units that wait for their retreat, and where they may go (MOV-40 to MOV-48)."""

from collections.abc import Iterator

from machjudge.adjudicator.consistency.fault import Inconsistency, named
from machjudge.adjudicator.land.conversion import locks_out
from machjudge.adjudicator.land.retreats import near_spots
from machjudge.adjudicator.model.board import Spot
from machjudge.adjudicator.model.moments import Stage
from machjudge.adjudicator.model.names import PlaceId
from machjudge.adjudicator.model.rules import CityRetreat
from machjudge.adjudicator.model.state import Dislodged, State
from machjudge.adjudicator.model.units import FLEET, Unit
from machjudge.adjudicator.model.world import World


def faults(world: World, state: State) -> Iterator[Inconsistency]:
    """What is wrong with the dislodged units."""
    met: set[PlaceId] = set()
    for waiting in state.dislodged:
        at = ("dislodged", waiting.unit)
        if state.moment.stage is not Stage.RETREATS:
            says = f"nobody waits for a retreat in {state.moment.code}"
            yield Inconsistency(("dislodged",), says)
        elif waiting.unit.place in met:
            yield Inconsistency(at, f"another unit was dislodged from {waiting.unit.place} too")
        else:
            yield from _faults_of(world, state, waiting, at)
        met.add(waiting.unit.place)


def _faults_of(
    world: World, state: State, waiting: Dislodged, at: tuple[str | Unit, ...]
) -> Iterator[Inconsistency]:
    driven = _flaw_of_defeat(world, state, waiting.unit)
    if driven:
        yield Inconsistency((*at, "unit"), f"{named(waiting.unit)}: {driven}")
        return
    if not waiting.retreats and not waiting.convert:
        yield Inconsistency(at, f"{named(waiting.unit)} has no retreat, so it is destroyed at once")
    for number, spot in enumerate(waiting.retreats):
        flaw = _flaw_of_retreat(world, state, waiting.unit, spot)
        if not flaw and spot in waiting.retreats[:number]:
            flaw = f"{spot} stands here twice"
        if flaw:
            yield Inconsistency((*at, "retreats", spot), flaw)
    flaw = _flaw_of_conversion(world, state, waiting) if waiting.convert else ""
    if flaw:
        yield Inconsistency((*at, "convert"), flaw)


def _flaw_of_defeat(world: World, state: State, unit: Unit) -> str:
    """Who is driven out leaves its place to the unit of another (MOV-15, MAP-22)."""
    by = state.field.get(unit.place)
    if unit.is_garrison:
        return "a garrison is never dislodged"
    if by is not None and by.owner == unit.owner:
        return f"its own {named(by)} cannot have dislodged it"
    return "a unit dislodged there is destroyed" if world.place(unit.place).venice else ""


def _flaw_of_retreat(world: World, state: State, unit: Unit, to: Spot) -> str:
    """Retreats lead across a border, but not into a closed Venice (MOV-40, MAP-28, MAP-34).

    Into a place where a master has put a unit since, nobody retreats; ``lawful`` sees to that.
    """
    if to not in near_spots(world, unit):
        return _no_border(world, unit, to)
    closed = to.place in state.garrisons or to.place in state.city_rebellions
    return f"{to.place} lets nobody in" if world.place(to.place).venice and closed else ""


def _no_border(world: World, unit: Unit, to: Spot) -> str:
    coasts = world.place(to.place).coasts
    if unit.kind is FLEET and coasts and not to.coast:
        return f"a fleet in {to.place} is on a coast: {' or '.join(coasts)}"
    return f"{named(unit)} cannot go to {to} in one step"


def _flaw_of_conversion(world: World, state: State, waiting: Dislodged) -> str:
    """Whether the city of the own province can take the unit in (MOV-42, MOV-44)."""
    unit = waiting.unit
    if not world.holds_garrison(unit.place):
        return f"there is no fortified city in {unit.place}"
    if unit.kind is FLEET and not world.berths(unit):
        return f"the city of {unit.place} is no port"
    if unit.place in state.garrisons:
        return f"{named(state.garrisons[unit.place])} stands in the city"
    if locks_out(world.rules.conversion, state.city_rebellions, unit):
        return f"the city of {unit.place} is in rebellion against {unit.owner}"
    last_resort = world.rules.retreat.to_city is CityRetreat.LAST_RESORT
    if last_resort and waiting.retreats:
        return "the city is open only to a unit that has no other retreat"
    return ""
