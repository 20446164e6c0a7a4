"""May a unit be given this order in a campaign?  An objection, or the order filled in."""

from dataclasses import replace

from machjudge.adjudicator.legality import routes
from machjudge.adjudicator.legality.marches import read_march
from machjudge.adjudicator.legality.naming import coast_meant, toward
from machjudge.adjudicator.legality.possible import (
    is_itself,
    objection_to_backing,
    objection_to_carrying,
)
from machjudge.adjudicator.model.names import NO_COAST, PowerId
from machjudge.adjudicator.model.orders import (
    Advance,
    Besiege,
    Convert,
    Disband,
    Hold,
    LiftSiege,
    Named,
    StrategicMove,
    Support,
    Transport,
    UnitOrder,
)
from machjudge.adjudicator.model.reasons import Flaw, Objection
from machjudge.adjudicator.model.rules import Legality, OrderNotation, SupportTarget
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.units import ARMY, FLEET, GARRISON, Kind, Unit
from machjudge.adjudicator.model.world import World


def read_unit_order(
    world: World, state: State, unit: Unit, order: UnitOrder
) -> UnitOrder | Objection:
    """The order of *unit* with type and coast of whatever it is about, or an objection."""
    match order:
        case Advance():
            return _read_advance(world, state, unit, order)
        case Support():
            return _read_support(world, state, unit, order)
        case Hold():
            return order
        case StrategicMove():
            return read_march(world, unit, order)
        case Convert():
            return _read_convert(world, unit, order)
        case Transport() | Besiege() | LiftSiege() | Disband():
            return _objection_in_place(world, state, unit, order) or order


def _objection_in_place(
    world: World, state: State, unit: Unit, order: Transport | Besiege | LiftSiege | Disband
) -> Objection | None:
    match order:
        case Transport():
            return _objection_to_transport(world, state, unit, order)
        case Besiege():
            return _objection_to_besiege(world, unit)
        case LiftSiege():
            return _objection_to_lift(world, state, unit)
        case Disband():
            allowed = world.rules.movement.disband_order
            return None if allowed else Objection(Flaw.FLAG_OFF, "MOV-31")


def _read_advance(world: World, state: State, unit: Unit, order: Advance) -> Advance | Objection:
    if unit.kind is GARRISON:
        return Objection(Flaw.GARRISON_ONLY, "MOV-22")
    if order.to == unit.place:
        return Objection(Flaw.SAME_PLACE, "MOV-06")
    if order.to in world.closed:
        return Objection(Flaw.NEUTRAL, "MAP-30", order.to)
    if unit.kind is FLEET:
        return _read_fleet_advance(world, unit, order)
    objection = routes.objection_to_march(world, state, unit, order)
    return toward(order, NO_COAST) if objection is None else objection


def _read_fleet_advance(world: World, unit: Unit, order: Advance) -> Advance | Objection:
    if order.via:
        return Objection(Flaw.NOT_A_CONVOY, "MOV-11")
    spots = world.spots_reached(unit, order.to)
    if not spots:
        return Objection(Flaw.NOT_ADJACENT, "MOV-06", order.to)
    if len(spots) == 1 and spots[0].coast == order.coast:
        return order
    coast = coast_meant(world, order.to, order.coast, spots)
    return coast if isinstance(coast, Objection) else toward(order, coast)


def _read_support(world: World, state: State, unit: Unit, order: Support) -> Support | Objection:
    if world.rules.conflict.support_target is SupportTarget.PLACE:
        return _read_support_of_place(world, state, unit, order)
    if order.supported.kind is GARRISON and order.to is None:
        return Objection(Flaw.GARRISON_HOLDS, "MOV-13")
    if order.supported.place == unit.place and is_itself(unit, order.supported):
        return Objection(Flaw.ITSELF, "MOV-13")
    into = order.to if order.to is not None else order.supported.place
    if unit.kind is GARRISON and into != unit.place:
        return Objection(Flaw.GARRISON_ONLY, "MOV-22")
    if not world.reaches(unit, into):
        return Objection(Flaw.CANNOT_REACH, "MOV-13", into)
    if order.supported.kind is None:
        named = replace(order.supported, kind=_kind_supported(state, order))
        order = replace(order, supported=named)
    if order.to == order.supported.place and order.supported.kind is not GARRISON:
        order = _in_its_place(world, order)
    return objection_to_backing(world, state, unit, order) or order


def _in_its_place(world: World, order: Support) -> Support:
    """``S A pst - pst`` is a support to hold, save in standard Diplomacy (MOV-13, DATC 6.A.5)."""
    is_illegal = world.rules.orders.legality is Legality.AS_UNITS_STAND
    return order if is_illegal else replace(order, to=None, coast=NO_COAST)


def _read_support_of_place(
    world: World, state: State, unit: Unit, order: Support
) -> Support | Objection:
    """Support into a place in favour of a power, whichever units it has there (MOV-13)."""
    into = order.to if order.to is not None else order.supported.place
    if unit.kind is GARRISON and into != unit.place:
        return Objection(Flaw.GARRISON_ONLY, "MOV-22")
    if not world.reaches(unit, into):
        return Objection(Flaw.CANNOT_REACH, "MOV-13", into)
    favoured = Named(None, into, owner=_favoured(state, unit, order))
    return replace(order, supported=favoured, to=None)


def _favoured(state: State, unit: Unit, order: Support) -> PowerId:
    """The power named, or that of the unit named; the supporter's own where neither is."""
    named = order.supported
    if named.owner is not None:
        return named.owner
    units = state.garrisons if named.kind is GARRISON else state.field
    there = units.get(named.place) if named.kind is not None else None
    return unit.owner if there is None else there.owner


def _kind_supported(state: State, order: Support) -> Kind | None:
    """The type of a supported unit named without one: the garrison only if it can be meant."""
    place = order.supported.place
    afield = state.field.get(place)
    if order.to == place and place in state.garrisons:
        return GARRISON
    return afield.kind if afield is not None else None


def _objection_to_transport(
    world: World, state: State, unit: Unit, order: Transport
) -> Objection | None:
    if unit.kind is not FLEET:
        return Objection(Flaw.NOT_A_CONVOY, "MOV-11")
    if not routes.may_carry(world, unit.place):
        return Objection(Flaw.NOT_A_CONVOY, "MOV-07", unit.place)
    if order.army.kind not in (ARMY, None):
        return Objection(Flaw.NOT_A_CONVOY, "MOV-11", order.army.place)
    numbered = world.rules.game.notation is OrderNotation.NUMBERS
    if order.to is None and not numbered:
        return Objection(Flaw.FLAG_OFF, "MOV-03")
    for end in (order.army.place, order.to):
        if end is not None and not routes.is_shore(world, end):
            return Objection(Flaw.WRONG_TERRAIN, "MOV-08", end)
    return objection_to_carrying(world, state, unit, order)


def _read_convert(world: World, unit: Unit, order: Convert) -> Convert | Objection:
    if order.into is unit.kind:
        return Objection(Flaw.SAME_KIND, "CNV-01")
    if GARRISON not in (order.into, unit.kind):
        return Objection(Flaw.ARMY_FLEET, "CNV-02")
    if not world.holds_garrison(unit.place):
        return Objection(Flaw.NO_CITY, "CNV-01")
    if FLEET in (order.into, unit.kind) and not world.is_port(unit.place):
        return Objection(Flaw.NO_PORT, "CNV-01")
    if order.into is ARMY and world.place(unit.place).afloat:
        return Objection(Flaw.WRONG_TERRAIN, "MAP-37")
    if FLEET not in (order.into, unit.kind):
        return toward(order, NO_COAST)
    named = order.coast if order.into is FLEET else unit.coast
    coast = coast_meant(world, unit.place, named, world.harbours(unit.place))
    if isinstance(coast, Objection):
        return replace(coast, rule="MOV-30")
    return toward(order, coast if order.into is FLEET else NO_COAST)


def _objection_to_besiege(world: World, unit: Unit) -> Objection | None:
    if unit.kind is GARRISON:
        return Objection(Flaw.GARRISON_ONLY, "MOV-22")
    city = world.city_before(unit.place)
    if not world.holds_garrison(city):
        return Objection(Flaw.NO_CITY, "SIE-01")
    if world.place(unit.place).venice:
        return Objection(Flaw.VENICE, "MAP-25")
    if world.place(unit.place).afloat:
        return Objection(Flaw.VENICE, "MAP-37")
    if unit.kind is FLEET and not world.is_port(city):
        return Objection(Flaw.NO_PORT, "SIE-02")
    return None


def _objection_to_lift(world: World, state: State, unit: Unit) -> Objection | None:
    if unit.kind is GARRISON:
        return Objection(Flaw.GARRISON_ONLY, "MOV-22")
    if world.city_before(unit.place) not in state.sieges:
        return Objection(Flaw.NO_SIEGE, "SIE-08")
    return None
