"""May this order be given here and now?  An objection, or nothing; and which of a sheet stand.

What a player could never carry out is refused, and his earlier order for the same unit stands; an
order that may turn out useless is taken (SYN-10).  Orders that stand are complete: type of unit
and coast are filled in.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from machjudge.adjudicator import afford, routes
from machjudge.adjudicator.board import Spot
from machjudge.adjudicator.events import OrderRefused, OrderReplaced
from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.names import NO_COAST, Coast, PlaceId, PowerId
from machjudge.adjudicator.orders import (
    Advance,
    Ally,
    Besiege,
    Borrow,
    Build,
    Convert,
    Disband,
    Expense,
    GiveChit,
    Hold,
    LiftSiege,
    Maintain,
    Named,
    Order,
    Orders,
    Pay,
    Remove,
    Support,
    Transport,
    UnitOrder,
    Waive,
)
from machjudge.adjudicator.reasons import Flaw, Objection
from machjudge.adjudicator.rules import Route
from machjudge.adjudicator.state import Dislodged, State
from machjudge.adjudicator.units import Kind, Unit
from machjudge.adjudicator.world import World

Slot = tuple[str, object]
"""What an order is about: of two orders for one slot the later stands (SYN-10)."""


@dataclass(frozen=True, slots=True)
class Sorted:
    """The orders of a phase, sorted out."""

    standing: Orders
    refused: tuple[OrderRefused, ...]
    replaced: tuple[OrderReplaced, ...]


def sort_out(world: World, state: State, orders: Orders) -> Sorted:
    """Which orders of each power stand, which are refused, which a later one replaces."""
    standing: dict[PowerId, tuple[Order, ...]] = {}
    refused: list[OrderRefused] = []
    replaced: list[OrderReplaced] = []
    for power in sorted(orders):
        kept, no, old = _sort_sheet(world, state, power, orders[power])
        standing[power] = kept
        refused.extend(no)
        replaced.extend(old)
    return Sorted(standing, tuple(refused), tuple(replaced))


def _sort_sheet(
    world: World, state: State, power: PowerId, sheet: Sequence[Order]
) -> tuple[tuple[Order, ...], list[OrderRefused], list[OrderReplaced]]:
    kept: dict[Slot, tuple[int, Order]] = {}
    refused: list[OrderRefused] = []
    replaced: list[OrderReplaced] = []
    # With implicit routes an illegal order counts as a hold, and so replaces (MOV-09).
    illegal_replaces = world.rules.movement.convoy_route is Route.IMPLICIT
    for line, order in enumerate(sheet):
        read = read_order(world, state, power, order)
        slot = (
            ("chit", line) if isinstance(order, GiveChit) else slot_of(world, state, power, order)
        )
        if _cancels_build(read, order, kept, slot):
            read = order
        if isinstance(read, Objection):
            refused.append(OrderRefused(power, line, order, read))
            if not illegal_replaces:
                continue
        if slot in kept:
            replaced.append(OrderReplaced(power, kept.pop(slot)[0], line))
        if not isinstance(read, Objection):
            kept[slot] = (line, read)
    in_order = sorted(kept.values(), key=lambda kept_line: kept_line[0])
    return tuple(order for _, order in in_order), refused, replaced


def _cancels_build(
    read: Order | Objection, order: Order, kept: Mapping[Slot, tuple[int, Order]], slot: Slot
) -> bool:
    """Whether *order* takes back the build of a unit, and so is not about a unit there (ADJ-11)."""
    if not isinstance(read, Objection) or not isinstance(order, Remove | Disband):
        return False
    _, build = kept.get(slot, (0, None))
    return isinstance(build, Build) and order.unit.kind in (build.kind, None)


def slot_of(world: World, state: State, power: PowerId, order: Order) -> Slot:
    """What *order* is about."""
    match order:
        case Ally():
            return ("ally", order.power)
        case Borrow():
            return ("borrow", order.years)
        case Pay():
            return ("pay", order.to)
        case Expense():
            return ("expense", order.number)
        case Waive():
            return ("waive", None)
        case GiveChit():
            return ("chit", order)
        case Build():
            return ("build", order.place)
        case _:
            return _slot_of_unit(world, state, power, order)


def _slot_of_unit(
    world: World, state: State, power: PowerId, order: UnitOrder | Maintain | Remove
) -> Slot:
    unit = unit_named(world, state, power, order.unit)
    removal = isinstance(order, Remove | Disband)
    if unit is None and removal and state.moment.stage is Stage.ADJUSTMENT:
        return ("build", order.unit.place)
    kind = order.unit.kind
    if kind is None and unit is not None:
        kind = unit.kind
    return ("unit", (kind is Kind.GARRISON, order.unit.place))


def objection_to(world: World, state: State, power: PowerId, order: Order) -> Objection | None:
    """Why *power* may not give *order* now, or nothing."""
    read = read_order(world, state, power, order)
    return read if isinstance(read, Objection) else None


def read_order(world: World, state: State, power: PowerId, order: Order) -> Order | Objection:
    """The order with everything filled in that can be meant in one way only, or an objection."""
    if isinstance(order, GiveChit):
        return order
    match state.moment.stage:
        case Stage.CAMPAIGN:
            return _read_campaign(world, state, power, order)
        case Stage.RETREATS:
            return _read_retreat(world, state, power, order)
        case Stage.ADJUSTMENT:
            return _read_adjustment(world, state, power, order)


def unit_named(world: World, state: State, power: PowerId, named: Named) -> Unit | None:
    """The unit that an order means; without a type the power's own A/F before its garrison."""
    afield = _field_unit(state, named)
    garrison = state.garrisons.get(named.place)
    match named.kind:
        case Kind.ARMY | Kind.FLEET:
            return afield if afield is not None and afield.kind is named.kind else None
        case Kind.GARRISON:
            return garrison
        case None:
            found = [unit for unit in (afield, garrison) if unit is not None]
            own = [unit for unit in found if unit.owner == power]
            return next(iter(own + found), None)


def _field_unit(state: State, named: Named) -> Unit | None:
    if state.moment.stage is Stage.RETREATS:
        waiting = (d.unit for d in state.dislodged if d.unit.place == named.place)
        return next(waiting, None)
    return state.field.get(named.place)


# --- the campaign ----------------------------------------------------------------------------


def _read_campaign(world: World, state: State, power: PowerId, order: Order) -> Order | Objection:
    match order:
        case Borrow() | Pay() | Expense() | Ally():
            return afford.objection_to_money(world, state, power, order) or order
        case GiveChit():
            return order
        case Build() | Maintain() | Remove() | Waive():
            return Objection(Flaw.WRONG_PHASE, "SYN-08")
        case _:
            unit = unit_named(world, state, power, order.unit)
            if unit is None:
                return Objection(Flaw.NO_UNIT, "SYN-10")
            if unit.owner != power and not world.rules.game.money:
                return Objection(Flaw.NOT_YOURS, "SYN-10")
            return _read_unit_order(world, state, unit, _naming(order, unit))


def _naming(order: UnitOrder, unit: Unit) -> UnitOrder:
    """The order with its unit named in full."""
    named = order.unit
    if named.kind is unit.kind and named.coast == unit.coast and named.owner is None:
        return order
    return replace(order, unit=Named(unit.kind, unit.place, unit.coast))


def _read_unit_order(
    world: World, state: State, unit: Unit, order: UnitOrder
) -> UnitOrder | Objection:
    match order:
        case Advance():
            return _read_advance(world, unit, order)
        case Support():
            return _read_support(world, state, unit, order)
        case Convert():
            return _read_convert(world, unit, order)
        case Hold() | Transport() | Besiege() | LiftSiege() | Disband():
            return _objection_in_place(world, state, unit, order) or order


def _objection_in_place(
    world: World,
    state: State,
    unit: Unit,
    order: Hold | Transport | Besiege | LiftSiege | Disband,
) -> Objection | None:
    match order:
        case Hold():
            return None
        case Transport():
            return _objection_to_transport(world, unit, order)
        case Besiege():
            return _objection_to_besiege(world, unit)
        case LiftSiege():
            return _objection_to_lift(state, unit)
        case Disband():
            allowed = world.rules.movement.disband_order
            return None if allowed else Objection(Flaw.FLAG_OFF, "MOV-31")


def _read_advance(world: World, unit: Unit, order: Advance) -> Advance | Objection:
    if unit.is_garrison:
        return Objection(Flaw.GARRISON_ONLY, "MOV-22")
    if order.to == unit.place:
        return Objection(Flaw.SAME_PLACE, "MOV-06")
    if world.rules.game.neutral_impassable and order.to in world.scenario.neutral:
        return Objection(Flaw.NEUTRAL, "MAP-30", order.to)
    if unit.kind is Kind.FLEET:
        return _read_fleet_advance(world, unit, order)
    return routes.objection_to_march(world, unit, order) or _toward(order, NO_COAST)


def _toward(order: Advance, coast: Coast) -> Advance:
    return order if order.coast == coast else replace(order, coast=coast)


def _read_fleet_advance(world: World, unit: Unit, order: Advance) -> Advance | Objection:
    if order.via:
        return Objection(Flaw.NOT_A_CONVOY, "MOV-11")
    spots = world.spots_reached(unit, order.to)
    if not spots:
        return Objection(Flaw.NOT_ADJACENT, "MOV-06", order.to)
    coast = _coast_meant(world, order.to, order.coast, spots)
    return coast if isinstance(coast, Objection) else _toward(order, coast)


def _coast_meant(
    world: World, place: PlaceId, coast: Coast, spots: Sequence[Spot]
) -> Coast | Objection:
    """The coast that a fleet goes to: the one named, or the only one within reach (MOV-06)."""
    open_coasts = tuple(spot.coast for spot in spots)
    if not world.place(place).coasts:
        return NO_COAST
    if not coast and len(spots) == 1:
        return open_coasts[0]
    if not coast:
        return Objection(Flaw.COAST_NEEDED, "MOV-06", place, open_coasts)
    if coast not in open_coasts:
        return Objection(Flaw.NO_SUCH_COAST, "MOV-06", place, open_coasts)
    return coast


def _read_support(world: World, state: State, unit: Unit, order: Support) -> Support | Objection:
    if order.supported.kind is Kind.GARRISON and order.to is None:
        return Objection(Flaw.GARRISON_HOLDS, "MOV-13")
    into = order.to if order.to is not None else order.supported.place
    if unit.is_garrison and into != unit.place:
        return Objection(Flaw.GARRISON_ONLY, "MOV-22")
    if not world.reaches(unit, into):
        return Objection(Flaw.CANNOT_REACH, "MOV-13", into)
    if order.supported.kind is not None:
        return order
    named = replace(order.supported, kind=_kind_supported(state, order))
    return replace(order, supported=named)


def _kind_supported(state: State, order: Support) -> Kind | None:
    """The type of a supported unit named without one: the garrison only if it can be meant."""
    place = order.supported.place
    afield = state.field.get(place)
    if order.to == place and place in state.garrisons:
        return Kind.GARRISON
    return afield.kind if afield is not None else None


def _objection_to_transport(world: World, unit: Unit, order: Transport) -> Objection | None:
    if unit.kind is not Kind.FLEET:
        return Objection(Flaw.NOT_A_CONVOY, "MOV-11")
    if not routes.may_carry(world, unit.place):
        return Objection(Flaw.NOT_A_CONVOY, "MOV-07", unit.place)
    if order.army.kind not in (Kind.ARMY, None):
        return Objection(Flaw.NOT_A_CONVOY, "MOV-11", order.army.place)
    for end in (order.army.place, order.to):
        if not routes.is_shore(world, end):
            return Objection(Flaw.WRONG_TERRAIN, "MOV-08", end)
    return None


def _read_convert(world: World, unit: Unit, order: Convert) -> Convert | Objection:
    if order.into is unit.kind:
        return Objection(Flaw.SAME_KIND, "CNV-01")
    if Kind.GARRISON not in (order.into, unit.kind):
        return Objection(Flaw.ARMY_FLEET, "CNV-02")
    if not world.holds_garrison(unit.place):
        return Objection(Flaw.NO_CITY, "CNV-01")
    if Kind.FLEET in (order.into, unit.kind) and not world.is_port(unit.place):
        return Objection(Flaw.NO_PORT, "CNV-01")
    if order.into is not Kind.FLEET:
        return replace(order, coast=NO_COAST)
    spots = world.board.spots(unit.place)
    coast = _coast_meant(world, unit.place, order.coast, spots)
    if isinstance(coast, Objection):
        return replace(coast, rule="MOV-30")
    return replace(order, coast=coast)


def _objection_to_besiege(world: World, unit: Unit) -> Objection | None:
    if unit.is_garrison:
        return Objection(Flaw.GARRISON_ONLY, "MOV-22")
    if not world.holds_garrison(unit.place):
        return Objection(Flaw.NO_CITY, "SIE-01")
    if world.place(unit.place).venice:
        return Objection(Flaw.VENICE, "MAP-25")
    if unit.kind is Kind.FLEET and not world.is_port(unit.place):
        return Objection(Flaw.NO_PORT, "SIE-02")
    return None


def _objection_to_lift(state: State, unit: Unit) -> Objection | None:
    if unit.is_garrison:
        return Objection(Flaw.GARRISON_ONLY, "MOV-22")
    if unit.place not in state.sieges:
        return Objection(Flaw.NO_SIEGE, "SIE-08")
    return None


# --- retreats and adjustments ----------------------------------------------------------------


def _read_retreat(world: World, state: State, power: PowerId, order: Order) -> Order | Objection:
    if not isinstance(order, Advance | Convert | Disband):
        return Objection(Flaw.WRONG_PHASE, "MOV-47")
    waiting = [d for d in state.dislodged if d.unit.place == order.unit.place]
    waiting = [d for d in waiting if order.unit.kind in (d.unit.kind, None)]
    if not waiting:
        return Objection(Flaw.NOT_DISLODGED, "MOV-47")
    if waiting[0].unit.owner != power:
        return Objection(Flaw.NOT_YOURS, "SYN-10")
    unit = waiting[0].unit
    named = replace(order, unit=Named(unit.kind, unit.place, unit.coast))
    return _read_way_out(world, waiting[0], named)


def _read_way_out(
    world: World, waiting: Dislodged, order: Advance | Convert | Disband
) -> Order | Objection:
    match order:
        case Disband():
            return order
        case Convert():
            if order.into is not Kind.GARRISON or not waiting.convert:
                return Objection(Flaw.NO_RETREAT_THERE, "MOV-44")
            return order
        case Advance():
            spots = [spot for spot in waiting.retreats if spot.place == order.to]
            if not spots or order.via:
                return Objection(Flaw.NO_RETREAT_THERE, "MOV-40", order.to)
            if waiting.unit.kind is Kind.ARMY:
                return replace(order, coast=NO_COAST)
            coast = _coast_meant(world, order.to, order.coast, spots)
            return coast if isinstance(coast, Objection) else replace(order, coast=coast)


def _read_adjustment(world: World, state: State, power: PowerId, order: Order) -> Order | Objection:
    match order:
        case Disband():
            return _read_adjustment(world, state, power, Remove(order.unit))
        case Maintain() | Remove():
            unit = unit_named(world, state, power, order.unit)
            if unit is None:
                return Objection(Flaw.NO_UNIT, "SYN-10")
            if unit.owner != power:
                return Objection(Flaw.NOT_YOURS, "SYN-10")
            named = replace(order, unit=Named(unit.kind, unit.place, unit.coast))
            return afford.objection_to_adjustment(world, state, power, named) or named
        case Build():
            return _read_build(world, state, power, order)
        case Waive():
            return afford.objection_to_adjustment(world, state, power, order) or order
        case _:
            return Objection(Flaw.WRONG_PHASE, "SYN-08")


def _read_build(world: World, state: State, power: PowerId, order: Build) -> Build | Objection:
    objection = afford.objection_to_adjustment(world, state, power, order)
    if objection is not None:
        return objection
    if order.kind is not Kind.FLEET:
        return replace(order, coast=NO_COAST)
    coast = _coast_meant(world, order.place, order.coast, world.board.spots(order.place))
    return coast if isinstance(coast, Objection) else replace(order, coast=coast)
