"""What no position of this world could ever make work: such an order is refused as read (SYN-10).

An order about units that are not there, or that do something else, may turn out useless, and is
taken.  One about a unit that can never be there, or about the very unit that it is given to, is a
slip of its writer.
"""

from machjudge.adjudicator.model.board import Spot
from machjudge.adjudicator.model.names import AUTONOMOUS, PlaceId
from machjudge.adjudicator.model.orders import Named, Support, Transport
from machjudge.adjudicator.model.reasons import Flaw, Objection
from machjudge.adjudicator.model.units import ARMY, FLEET, GARRISON, Kind, Unit
from machjudge.adjudicator.model.world import World


def can_stand(world: World, kind: Kind | None, place: PlaceId) -> bool:
    """Whether a unit of that kind, or any, can ever be in a place or its city (MOV-03, MAP-30)."""
    if kind is ARMY:
        return place in world.army
    if kind is FLEET:
        return place in world.ports_of_call
    return world.holds_garrison(place) if kind is GARRISON else place not in world.closed


def objection_to_backing(world: World, order: Support) -> Objection | None:
    """Why the unit that is to be supported can never be there, or nothing (MOV-13, MOV-22)."""
    other = order.supported
    if other.kind is ARMY and other.place in world.army:
        return None
    if other.kind is GARRISON and order.to != other.place:
        return Objection(Flaw.GARRISON_ONLY, "MOV-22", other.place)
    if can_stand(world, other.kind, other.place):
        return None
    flaw = Flaw.NO_CITY if other.kind is GARRISON else Flaw.WRONG_TERRAIN
    return Objection(flaw, "MOV-13", other.place)


def is_itself(unit: Unit, named: Named) -> bool:
    """Whether an order names the very unit that it is given to.

    Without a type it names the army or fleet, for a garrison cannot be supported to hold.
    """
    kind = unit.kind if named.kind is None and unit.kind is not GARRISON else named.kind
    return named.place == unit.place and kind is unit.kind


def objection_to_carrying(world: World, unit: Unit, order: Transport) -> Objection | None:
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
    return None


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
