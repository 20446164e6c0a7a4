"""Sea routes: which fleets carry an army, over which borders, and what a route must look like.

A route is a chain of fleets between two shores (MOV-08 to MOV-12); coasts are not jumped
(MOV-10), and every leg that a strait closes ends it (MAP-35).
"""

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

from machjudge.adjudicator.model.board import Spot, Terrain
from machjudge.adjudicator.model.names import PlaceId
from machjudge.adjudicator.model.orders import Advance
from machjudge.adjudicator.model.reasons import Flaw, Objection
from machjudge.adjudicator.model.rules import Legality, Route
from machjudge.adjudicator.model.state import State, View
from machjudge.adjudicator.model.units import ARMY, FLEET, Unit
from machjudge.adjudicator.model.world import World, carries_armies

Leg = frozenset[PlaceId]
"""A border that a convoy crosses, as the two places on both sides of it."""

_NOWHERE: frozenset[int] = frozenset()


def is_shore(world: World, place: PlaceId) -> bool:
    """Whether a convoy can start or end there (MOV-08)."""
    return world.place(place).terrain is Terrain.COASTAL and not world.place(place).afloat


def may_carry(world: World, place: PlaceId) -> bool:
    """Whether a fleet there may carry: at sea, or on a coast where the rules allow it (MOV-07)."""
    return carries_armies(world.rules, world.place(place))


def objection_to_march(world: World, state: State, unit: Unit, order: Advance) -> Objection | None:
    """Why an army may not move as ordered, by land or by sea (MOV-06, MOV-08 to MOV-10)."""
    by_route = bool(order.via) and world.rules.movement.convoy_route is Route.EXPLICIT
    if not by_route and not order.by_sea and order.to in world.army.get(unit.place, ()):
        return None
    if world.place(order.to).is_sea:
        return Objection(Flaw.WRONG_TERRAIN, "MOV-06", order.to)
    if by_route:
        return _objection_to_route(world, unit.place, order)
    if world.rules.movement.convoy_route is Route.IMPLICIT:
        return _objection_to_passage(world, state, unit.place, order)
    return Objection(Flaw.NOT_ADJACENT, "MOV-09", order.to)


def _objection_to_route(world: World, start: PlaceId, order: Advance) -> Objection | None:
    for end in (start, order.to):
        if not is_shore(world, end):
            return Objection(Flaw.WRONG_TERRAIN, "MOV-08", end)
    for at in order.via:
        if not may_carry(world, at):
            return Objection(Flaw.NOT_A_CONVOY, "MOV-07", at)
    if len(set(order.via)) < len(order.via) or not _holds_together(world, start, order):
        return Objection(Flaw.NO_ROUTE, "MOV-10")
    return None


def _holds_together(world: World, start: PlaceId, order: Advance) -> bool:
    """Whether fleets could stand along the route so that each touches the next (MOV-10)."""
    reached: set[Spot] = {
        spot for spot in _spots(world, order.via[0]) if touches(world, spot, start)
    }
    for at in order.via[1:]:
        reached = {
            spot
            for spot in _spots(world, at)
            if any(spot in world.fleet[before] for before in reached)
        }
    return any(touches(world, spot, order.to) for spot in reached)


def _spots(world: World, place: PlaceId) -> tuple[Spot, ...]:
    return tuple(spot for spot in world.board.spots(place) if spot in world.fleet)


def touches(world: World, fleet: Spot, shore: PlaceId) -> bool:
    """Whether a fleet at that spot lies off *shore*, at whichever coast."""
    return shore in world.landings.get((fleet.place, fleet.coast), ())


def _objection_to_passage(
    world: World, state: State, start: PlaceId, order: Advance
) -> Objection | None:
    """Why no fleets where they stand could carry the army, whatever they are ordered (MOV-09)."""
    if not is_shore(world, start) or not is_shore(world, order.to):
        return Objection(Flaw.NOT_ADJACENT, "MOV-09", order.to)
    if world.waters.get(start, _NOWHERE).isdisjoint(world.waters.get(order.to, _NOWHERE)):
        return Objection(Flaw.NO_ROUTE, "MOV-09", order.to)
    if not by_the_board(world, state):
        return None
    fleets = fleets_at_sea(world, state)
    if order.via:
        fleets = frozenset(spot for spot in fleets if spot.place in order.via)
    if stations(world, start, order.to, fleets):
        return None
    return Objection(Flaw.NO_FLEETS, "MOV-09", order.to)


def by_the_board(world: World, state: State) -> bool:
    """Whether an order is legal only if the units, as they stand, could make it succeed.

    So in standard Diplomacy (SYN-10, DATC 4.E.1); not while units may be hidden in fog.
    """
    by_units = world.rules.orders.legality is Legality.AS_UNITS_STAND
    return by_units and not (isinstance(state, View) and state.in_fog)


def fleets_at_sea(world: World, state: State) -> frozenset[Spot]:
    """Where fleets stand that may carry armies (MOV-07)."""
    standing = {(unit.place, unit.coast) for unit in state.field.values() if unit.kind is FLEET}
    return frozenset([spot for spot in world.carrying if spot in standing])


def objection_to_carrier(
    world: World, state: State, fleet: Unit, start: PlaceId, to: PlaceId | None
) -> Objection | None:
    """Why a fleet can be on no way of an army, as the units stand (MOV-09, DATC 4.E.1)."""
    if not by_the_board(world, state):
        return None
    army = state.field.get(start)
    if army is None or army.kind is not ARMY:
        return Objection(Flaw.NOBODY_THERE, "MOV-09", start)
    spot = Spot(fleet.place, fleet.coast)
    if to is None or spot in stations(world, start, to, fleets_at_sea(world, state)):
        return None
    return Objection(Flaw.NOT_ON_A_WAY, "MOV-09", to)


@lru_cache(maxsize=1024)
def stations(world: World, start: PlaceId, to: PlaceId, fleets: frozenset[Spot]) -> frozenset[Spot]:
    """The spots of these fleets that lie on proper ways from *start* to *to*; none without a way.

    No step of a proper way leads to a place that lies next to an earlier one than the last.
    """
    found: set[Spot] = set()

    def follow(way: tuple[Spot, ...], choices: frozenset[Spot], left: frozenset[Spot]) -> None:
        left -= choices
        for spot in choices:
            if touches(world, spot, to):
                found.update(way, (spot,))
            else:
                follow((*way, spot), left & world.fleet[spot], left)

    follow((), frozenset(spot for spot in fleets if touches(world, spot, start)), fleets)
    return frozenset(found)


def passage_exists(
    world: World,
    start: PlaceId,
    to: PlaceId,
    fleets: Iterable[Spot],
    closed: Collection[Leg] = (),
) -> bool:
    """Whether fleets at these spots form a chain from *start* to *to* over no *closed* border."""

    def lands(spot: Spot, shore: PlaceId) -> bool:
        return touches(world, spot, shore) and frozenset((spot.place, shore)) not in closed

    def hands_on(spot: Spot, after: Spot) -> bool:
        near = after in world.fleet[spot]
        return near and frozenset((spot.place, after.place)) not in closed

    left = set(fleets)
    edge = {spot for spot in left if lands(spot, start)}
    while edge:
        if any(lands(spot, to) for spot in edge):
            return True
        left -= edge
        edge = {spot for spot in left if any(hands_on(near, spot) for near in edge)}
    return False


def legs(start: PlaceId, via: Sequence[PlaceId], to: PlaceId) -> tuple[Leg, ...]:
    """The borders that a listed route crosses, in order."""
    stations = (start, *via, to)
    return tuple(frozenset(pair) for pair in pairwise(stations))


def fleets_hold_together(world: World, start: PlaceId, fleets: Sequence[Spot], to: PlaceId) -> bool:
    """Whether the fleets of a listed route, where they really stand, touch each other (MOV-10)."""
    if not touches(world, fleets[0], start) or not touches(world, fleets[-1], to):
        return False
    pairs = pairwise(fleets)
    return all(after in world.fleet.get(before, ()) for before, after in pairs)
