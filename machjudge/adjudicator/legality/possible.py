"""What no position of this world could ever make work: such an order is refused as read (SYN-10).

An order about units that are not there, or that do something else, may turn out useless, and is
taken.  One about a unit that can never be there, or about the very unit that it is given to, is a
slip of its writer.
"""

from machjudge.adjudicator.legality import routes
from machjudge.adjudicator.model.board import Spot
from machjudge.adjudicator.model.names import AUTONOMOUS, PlaceId
from machjudge.adjudicator.model.orders import Named, Support, Transport
from machjudge.adjudicator.model.reasons import Flaw, Objection
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.units import ARMY, FLEET, GARRISON, Kind, Unit
from machjudge.adjudicator.model.world import World


def can_stand(world: World, kind: Kind | None, place: PlaceId) -> bool:
    """Whether a unit of that kind, or any, can ever be in a place or its city (MOV-03, MAP-30)."""
    if kind is ARMY:
        return place in world.army
    if kind is FLEET:
        return place in world.ports_of_call
    return world.holds_garrison(place) if kind is GARRISON else place not in world.closed


def objection_to_backing(
    world: World, state: State, unit: Unit, order: Support
) -> Objection | None:
    """Why the unit that is to be supported can never be there, or nothing (MOV-13, MOV-22).

    In standard Diplomacy it has to be there, and able to make the move (DATC 4.E.1, 6.D.31).
    """
    named, to = order.supported, order.to
    if named.kind is not ARMY or named.place not in world.army:
        if named.kind is GARRISON and to != named.place:
            return Objection(Flaw.GARRISON_ONLY, "MOV-22", named.place)
        if not can_stand(world, named.kind, named.place):
            flaw = Flaw.NO_CITY if named.kind is GARRISON else Flaw.WRONG_TERRAIN
            return Objection(flaw, "MOV-13", named.place)
    if not routes.by_the_board(world, state):
        return None
    units = state.garrisons if named.kind is GARRISON else state.field
    other = units.get(named.place)
    if other is None or other.kind is not named.kind:
        return Objection(Flaw.NOBODY_THERE, "MOV-13", named.place)
    if to is None or (other.kind is ARMY and to in world.army[other.place]):
        return None
    if _could_move(world, state, other, order, unit):
        return None
    return Objection(Flaw.CANNOT_GO, "MOV-13", to)


def _could_move(world: World, state: State, other: Unit, order: Support, backer: Unit) -> bool:
    """Whether a unit could move as it is to be supported, the supporter's help at sea left out."""
    start, to = other.place, order.to or other.place
    if other.kind is not ARMY:
        coasts = [spot.coast for spot in world.spots_reached(other, to)]
        return order.coast in coasts or (world.reaches(other, to) and not order.coast)
    if to == start or not (routes.is_shore(world, start) and routes.is_shore(world, to)):
        return False
    by_others = routes.fleets_at_sea(world, state) - {Spot(backer.place, backer.coast)}
    return bool(routes.stations(world, start, to, by_others))


def is_itself(unit: Unit, named: Named) -> bool:
    """Whether an order names the very unit that it is given to.

    Without a type it names the army or fleet, for a garrison cannot be supported to hold.
    """
    kind = unit.kind if named.kind is None and unit.kind is not GARRISON else named.kind
    return named.place == unit.place and kind is unit.kind


def objection_to_carrying(
    world: World, state: State, unit: Unit, order: Transport
) -> Objection | None:
    """Why no army could ever be carried so by this fleet, or nothing (MOV-08, MOV-09)."""
    start, to = order.army.place, order.to
    if start == to:
        return Objection(Flaw.SAME_PLACE, "MOV-08", to)
    if start == unit.place:
        return Objection(Flaw.OCCUPIED, "MOV-04", start)
    for end in (start, to):
        if end is None:
            continue
        if end in world.closed:
            return Objection(Flaw.NEUTRAL, "MAP-30", end)
        if world.basins[Spot(unit.place, unit.coast)] not in world.waters.get(end, ()):
            return Objection(Flaw.NO_ROUTE, "MOV-09", end)
    return routes.objection_to_carrier(world, state, unit, start, to)


def objection_to_target(world: World, named: Named, *, garrison: bool) -> Objection | None:
    """Why an expense could never find the unit that it is for, or nothing (EXP-31).

    :param garrison: whether only garrisons can be meant.
    """
    kind = GARRISON if garrison else named.kind
    if not can_stand(world, kind, named.place):
        flaw = Flaw.NO_CITY if kind is GARRISON else Flaw.WRONG_TERRAIN
        return Objection(flaw, "EXP-31", named.place)
    afield = named.owner == AUTONOMOUS and kind in (ARMY, FLEET)
    if afield and not world.rules.special.autonomous_afield:
        return Objection(Flaw.BAD_TARGET, "EXP-32", named.place)
    return None
