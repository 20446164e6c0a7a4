"""Strategic movement: the way that an order names, spot by spot (MOV-34)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from machjudge.adjudicator.legality.naming import coast_meant
from machjudge.adjudicator.model.board import Spot
from machjudge.adjudicator.model.names import PlaceId
from machjudge.adjudicator.model.orders import StrategicMove
from machjudge.adjudicator.model.reasons import Flaw, Objection
from machjudge.adjudicator.model.rules import LongMoves
from machjudge.adjudicator.model.units import ARMY, GARRISON, Quality, Unit
from machjudge.adjudicator.model.world import World

Way = tuple[Spot, ...]

MOST_RIDDEN = 2
"""How many provinces cavalry gets in a campaign, after the conflicts (SPC-11)."""


def is_cavalry(world: World, unit: Unit) -> bool:
    """Whether a unit is an army that rides, where the rules have cavalry."""
    is_mounted = unit.quality is Quality.CAVALRY and unit.kind is ARMY
    return is_mounted and world.rules.special.cavalry


def read_march(world: World, unit: Unit, order: StrategicMove) -> StrategicMove | Objection:
    """The order with the coast of its end, or why no such way is there."""
    rides = is_cavalry(world, unit)
    if world.rules.orders.long_moves is LongMoves.OFF and not rides:
        return Objection(Flaw.FLAG_OFF, "MOV-34")
    if rides and len(order.route) > MOST_RIDDEN:
        return Objection(Flaw.NO_ROUTE, "SPC-11", order.route[MOST_RIDDEN])
    if unit.kind is GARRISON:
        return Objection(Flaw.GARRISON_ONLY, "MOV-22")
    if order.route[-1] == unit.place:
        return Objection(Flaw.SAME_PLACE, "MOV-06")
    ways = list(_ways(world, unit, order.route))
    if not ways:
        return Objection(Flaw.NO_ROUTE, "MOV-34", order.route[-1])
    ends = sorted({way[-1] for way in ways})
    coast = coast_meant(world, order.route[-1], order.coast, ends)
    return coast if isinstance(coast, Objection) else replace(order, coast=coast)


def way_of(world: World, unit: Unit, order: StrategicMove) -> Way:
    """The spots from that of the unit to the end of its way."""
    ways = _ways(world, unit, order.route)
    return min(way for way in ways if way[-1].coast == order.coast)


def _ways(world: World, unit: Unit, route: Sequence[PlaceId]) -> Iterator[Way]:
    """Every way by these places; a fleet may have several, by the coasts between."""
    ways: list[Way] = [(Spot(unit.place, unit.coast),)]
    for place in route:
        ways = [(*way, spot) for way in ways for spot in _steps(world, unit, way[-1], place)]
    yield from ways


def _steps(world: World, unit: Unit, start: Spot, to: PlaceId) -> Sequence[Spot]:
    if unit.kind is ARMY:
        return (Spot(to),) if to in world.army.get(start.place, ()) else ()
    return world.spots_reached(unit.at(start.place, start.coast), to)
