"""May this order be given here and now?  An objection, or nothing; and which of a sheet stand.

What a player could never carry out is refused, and their earlier order for the same unit stands; an
order that may turn out useless is taken (SYN-10).  Orders that stand are complete: type of unit
and coast are filled in.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from machjudge.adjudicator.events import OrderRefused, OrderReplaced
from machjudge.adjudicator.legality import afford
from machjudge.adjudicator.legality.naming import (
    coast_meant,
    in_full,
    toward,
    unit_named,
    without_order,
)
from machjudge.adjudicator.legality.possible import can_stand
from machjudge.adjudicator.legality.slots import Slot, slot_of
from machjudge.adjudicator.legality.unit_orders import read_unit_order
from machjudge.adjudicator.model.moments import Stage
from machjudge.adjudicator.model.names import AUTONOMOUS, NO_COAST, PowerId
from machjudge.adjudicator.model.orders import (
    Advance,
    Ally,
    Besiege,
    Borrow,
    Build,
    Burn,
    Cede,
    Convert,
    Disband,
    Excommunicate,
    Expense,
    GiveChit,
    Hold,
    LiftSiege,
    Maintain,
    Named,
    Order,
    Orders,
    Pay,
    Permit,
    Remove,
    StrategicMove,
    Support,
    Sweep,
    Tax,
    Transport,
    UnitOrder,
    Verb,
    Waive,
)
from machjudge.adjudicator.model.reasons import Flaw, Objection
from machjudge.adjudicator.model.state import Dislodged, State, View
from machjudge.adjudicator.model.units import ARMY, FLEET, GARRISON, Unit
from machjudge.adjudicator.model.world import World

_Reader = Callable[[World, State, PowerId, Order], Order | Objection]


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
        read = _reader_of(state, power)
        kept, no, old = _sort_sheet(world, state, power, orders[power], read)
        standing[power] = tuple(kept)
        refused.extend(no)
        replaced.extend(old)
    return Sorted(standing, tuple(refused), tuple(replaced))


def _sort_sheet(
    world: World, state: State, power: PowerId, sheet: Sequence[Order], read_here: _Reader
) -> tuple[Sequence[Order], list[OrderRefused], list[OrderReplaced]]:
    kept: dict[Slot, tuple[int, Order]] = {}
    refused: list[OrderRefused] = []
    replaced: list[OrderReplaced] = []
    for line, order in enumerate(sheet):
        read = read_here(world, state, power, order)
        if isinstance(read, Objection):
            slot, lawful = slot_of(world, state, power, order, line), order
            if not _cancels_build(order, kept.get(slot)):
                refused.append(OrderRefused(power, line, order, read))
                continue
        else:
            slot, lawful = slot_of(world, state, power, read, line), read
        if slot in kept:
            replaced.append(OrderReplaced(power, kept.pop(slot)[0], line))
        kept[slot] = (line, lawful)
    if world.rules.rebellion.invalid_puts_down and state.moment.stage is Stage.CAMPAIGN:
        for number, no in enumerate(refused):
            held = _held_instead(world, state, power, no.order)
            if held is not None:
                kept.setdefault(slot_of(world, state, power, held), (len(sheet) + number, held))
    return [order for _, order in kept.values()], refused, replaced


def _held_instead(world: World, state: State, power: PowerId, order: Order) -> Hold | None:
    """The hold order that an invalid order for a unit of one's own counts as (REB-26)."""
    unit = unit_named(world, state, power, order.unit) if isinstance(order, UnitOrder) else None
    if unit is None or unit.owner != power:
        return None
    return Hold(Named(unit.kind, unit.place, unit.coast))


def _cancels_build(order: Order, earlier: tuple[int, Order] | None) -> bool:
    """Whether *order* takes back the build of a unit, and so is not about a unit there (ADJ-11)."""
    if earlier is None or not isinstance(order, Remove | Disband):
        return False
    _, build = earlier
    return isinstance(build, Build) and order.unit.kind in (build.kind, None)


def objection_to(world: World, state: State, power: PowerId, order: Order) -> Objection | None:
    """Why *power* may not give *order* now, or nothing."""
    read = read_order(world, state, power, order)
    return read if isinstance(read, Objection) else None


def read_order(world: World, state: State, power: PowerId, order: Order) -> Order | Objection:
    """The order with everything filled in that can be meant in one way only, or an objection."""
    return _reader_of(state, power)(world, state, power, order)


def orders_for_many(
    world: World, state: State, power: PowerId, sweep: Sweep, given: Iterable[Order]
) -> tuple[Hold | Maintain, ...] | Named:
    """The orders that one for many units stands for: each unit that has none among *given*.

    A unit whose order is refused has none.  Where an excepted unit is not there, it is given back.
    """
    left_out: list[Unit] = []
    for named in sweep.excepted:
        unit = unit_named(world, state, power, named)
        if unit is None or unit.owner != power:
            return named
        left_out.append(unit)
    lawful = [order for order in given if objection_to(world, state, power, order) is None]
    free = without_order(world, state, power, state.units_of(power), lawful)
    verb = Hold if sweep.verb is Verb.HOLD else Maintain
    meant = (unit for unit in free if unit not in left_out)
    return tuple(verb(Named(unit.kind, unit.place, unit.coast)) for unit in meant)


# --- the campaign ----------------------------------------------------------------------------


def _read_campaign(world: World, state: State, power: PowerId, order: Order) -> Order | Objection:
    match order:
        case Advance() | Support() | Hold() | Convert() | Transport() | Besiege() | LiftSiege():
            return _read_of_unit(world, state, power, order)
        case Disband() | StrategicMove():
            return _read_of_unit(world, state, power, order)
        case (
            Borrow() | Pay() | Expense() | Ally() | Permit() | Excommunicate() | Cede() | Burn()
        ):  # fmt: skip
            return afford.objection_to_money(world, state, power, order) or order
        case GiveChit():
            return order
        case Build() | Maintain() | Remove() | Waive() | Tax():
            return Objection(Flaw.WRONG_PHASE, "SYN-08")


def _read_of_unit(
    world: World, state: State, power: PowerId, order: UnitOrder
) -> UnitOrder | Objection:
    unit = unit_named(world, state, power, order.unit)
    if unit is None and isinstance(state, View) and state.in_fog:
        return _read_of_unseen(world, state, order)
    if unit is None:
        return Objection(Flaw.NO_UNIT, "SYN-10", order.unit.place)
    if unit.owner != power and not world.rules.game.money:
        return Objection(Flaw.NOT_YOURS, "SYN-10")
    return read_unit_order(world, state, unit, in_full(order, unit))


def _read_of_unseen(world: World, state: View, order: UnitOrder) -> UnitOrder | Objection:
    """The order for a unit that may stand in the fog, and may be bought (FOG-08)."""
    kind, place, coast = order.unit.kind, order.unit.place, order.unit.coast
    if kind is None or not world.rules.game.money or not can_stand(world, kind, place):
        return Objection(Flaw.UNSEEN, "FOG-08", place)
    if kind is FLEET:
        found = coast_meant(world, place, coast, world.board.spots(place))
        if isinstance(found, Objection):
            return found
        coast = found
    unit = Unit(AUTONOMOUS, kind, place, coast)
    return read_unit_order(world, state, unit, in_full(order, unit))


# --- retreats and adjustments ----------------------------------------------------------------


def _read_retreat(world: World, state: State, power: PowerId, order: Order) -> Order | Objection:
    if isinstance(order, GiveChit):
        return order
    if not isinstance(order, Advance | Convert | Disband):
        return Objection(Flaw.WRONG_PHASE, "MOV-47")
    waiting = [d for d in state.dislodged if d.unit.place == order.unit.place]
    waiting = [d for d in waiting if order.unit.kind in (d.unit.kind, None)]
    if not waiting:
        return Objection(Flaw.NOT_DISLODGED, "MOV-47")
    if waiting[0].unit.owner != power:
        return Objection(Flaw.NOT_YOURS, "SYN-10")
    unit = waiting[0].unit
    named = in_full(order, unit)
    return _read_way_out(world, state, waiting[0], named)


def _read_way_out(
    world: World, state: State, waiting: Dislodged, order: Advance | Convert | Disband
) -> Order | Objection:
    """The way out, if it is one; where a master has put a unit since, there is none any more."""
    match order:
        case Disband():
            return order
        case Convert():
            is_open = waiting.convert and waiting.unit.place not in state.garrisons
            if order.into is not GARRISON or not is_open:
                return Objection(Flaw.NO_RETREAT_THERE, "MOV-44")
            return order
        case Advance():
            spots = [spot for spot in waiting.retreats if spot.place == order.to]
            if not spots or order.via or order.to in state.field:
                return Objection(Flaw.NO_RETREAT_THERE, "MOV-40", order.to)
            if waiting.unit.kind is ARMY:
                return toward(order, NO_COAST)
            coast = coast_meant(world, order.to, order.coast, spots)
            return coast if isinstance(coast, Objection) else toward(order, coast)


def _read_adjustment(world: World, state: State, power: PowerId, order: Order) -> Order | Objection:
    match order:
        case GiveChit():
            return order
        case Disband():
            return _read_adjustment(world, state, power, Remove(order.unit))
        case Maintain() | Remove():
            unit = unit_named(world, state, power, order.unit)
            if unit is None:
                return Objection(Flaw.NO_UNIT, "SYN-10", order.unit.place)
            if unit.owner != power:
                return Objection(Flaw.NOT_YOURS, "SYN-10")
            named = in_full(order, unit)
            return afford.objection_to_adjustment(world, state, power, named) or named
        case Build():
            return _read_build(world, state, power, order)
        case Waive() | Tax():
            return afford.objection_to_adjustment(world, state, power, order) or order
        case Pay() if order.to is not None and world.rules.money.adjustment_gifts:
            return afford.objection_to_money(world, state, power, order) or order
        case _:
            return Objection(Flaw.WRONG_PHASE, "SYN-08")


def _read_build(world: World, state: State, power: PowerId, order: Build) -> Build | Objection:
    objection = afford.objection_to_adjustment(world, state, power, order)
    if objection is not None:
        return objection
    if order.kind is not FLEET:
        return toward(order, NO_COAST)
    coast = coast_meant(world, order.place, order.coast, world.harbours(order.place))
    return coast if isinstance(coast, Objection) else toward(order, coast)


def _read_of_the_dead(
    _world: World, _state: State, _power: PowerId, _order: Order
) -> Order | Objection:
    """An eliminated power orders nothing any more (ELI-02)."""
    return Objection(Flaw.OUT_OF_THE_GAME, "ELI-02")


def _reader_of(state: State, power: PowerId) -> _Reader:
    return _read_of_the_dead if power in state.eliminated else _READERS[state.moment.stage]


_READERS: Mapping[Stage, _Reader] = {
    Stage.CAMPAIGN: _read_campaign,
    Stage.RETREATS: _read_retreat,
    Stage.ADJUSTMENT: _read_adjustment,
}
