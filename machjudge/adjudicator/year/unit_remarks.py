"""What to mind about orders on file for units: of others, gone, for nobody's sake, or kept back."""

from collections.abc import Iterator

from machjudge.adjudicator.battle.intents import intents, orders_given
from machjudge.adjudicator.events.turn import Turn
from machjudge.adjudicator.land.conversion import enters_city, locks_out
from machjudge.adjudicator.model.moments import Season
from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.orders import (
    Advance,
    Besiege,
    Disband,
    Hold,
    LiftSiege,
    Order,
    Purpose,
    StrategicMove,
    Support,
    Transport,
    UnitOrder,
)
from machjudge.adjudicator.model.prices import target_unit, unit_of_kind
from machjudge.adjudicator.model.reasons import CityRebels, Forced, HeldInstead
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.units import Unit
from machjudge.adjudicator.money.bribes import expenses_of
from machjudge.adjudicator.year.outlook import Caution, Remark, RemarkSeverity


def unit_remarks(turn: Turn, power: PowerId, *, in_fog: bool) -> Iterator[Remark]:
    """The remarks on a sheet's orders; units of others must be bought (EXP-24, SYN-12)."""
    bought = {
        target_unit(turn.state, expense)
        for expense in expenses_of(turn, power)
        if expense.purpose is Purpose.BUY
    }
    for order in turn.orders[power]:
        if not isinstance(order, UnitOrder):
            continue
        unit = unit_of_kind(turn.state, order.unit.place, order.unit.kind)
        if unit is None and not in_fog:
            yield Remark(RemarkSeverity.WARNING, Caution.NO_UNIT, order)
        elif not in_fog and _backs_nobody(turn.state, order):
            yield Remark(RemarkSeverity.WARNING, Caution.NOT_THERE, order)
        if unit is None or unit.owner == power:
            continue
        if unit in bought:
            yield Remark(RemarkSeverity.NOTICE, Caution.IF_BOUGHT, order, unit=unit)
        else:
            yield Remark(RemarkSeverity.WARNING, Caution.NO_PURCHASE, order, unit=unit)


def _backs_nobody(state: State, order: Order) -> bool:
    """Whether an order supports or transports a unit that is not there."""
    match order:
        case Support(supported=named) | Transport(army=named) if named.kind is not None:
            return unit_of_kind(state, named.place, named.kind) is None
    return False


def ends_foreseen(after: Turn, power: PowerId) -> Iterator[Remark]:
    """The moves that surely bounce, and the units that starve, after the power's own expenses.

    Only a bribe or relief that somebody else pays for changes that (MAP-20, MAP-24, MOV-15,
    FAM-07).
    """
    state = after.state
    given = orders_given(state, {power: after.orders[power]})
    for unit in state.units_of(power):
        order = (given.garrisons if unit.is_garrison else given.afield).get(unit.place)
        goal = order.to if isinstance(order, Advance) else None
        holder = _holder(after, power, unit, goal) if goal is not None else None
        if holder is not None:
            yield Remark(RemarkSeverity.WARNING, Caution.BOUNCES, order, unit=holder)
        if state.moment.campaign.season is not Season.SPRING:
            continue
        if goal in state.famine and holder is None:
            yield Remark(RemarkSeverity.WARNING, Caution.FAMINE_THERE, order, unit=unit)
        stays = not isinstance(order, Advance | StrategicMove | Disband) or holder is not None
        if stays and unit.place in state.famine:
            yield Remark(RemarkSeverity.WARNING, Caution.FAMINE, order, unit=unit)


_STAYING = (Hold, Support, Transport, Besiege, LiftSiege)


def _holder(after: Turn, power: PowerId, unit: Unit, goal: PlaceId) -> Unit | None:
    """The unit that surely keeps another one of a power out of a place."""
    state = after.state
    if goal in after.world.venice and goal in state.garrisons:
        return state.garrisons[goal]
    other = state.field.get(goal)
    if other is None or other.owner != power or other == unit:
        return None
    given = orders_given(state, {power: after.orders[power]})
    return other if isinstance(given.afield.get(goal), _STAYING) else None


_LEFT_OPEN = (Forced.NO_ORDER, Forced.NO_FLEET)
"""Nothing was ordered, or it hangs on the fleets of others."""


def kept_back(after: Turn, power: PowerId) -> Iterator[Remark]:
    """The orders for own units that come to nothing whatever others order the others' units.

    *after* is the turn after the power's own expenses (SIE-04, SIE-10, SIE-14, CNV-06, CNV-14).
    """
    state = after.state
    given = orders_given(state, after.orders)
    own = {unit.place for unit in state.units() if unit.owner == power}
    units = [unit for unit in state.units() if unit.place in own]
    for unit, intent in zip(units, intents(after, given, units), strict=True):
        order = (given.garrisons if unit.is_garrison else given.afield).get(unit.place)
        if unit.owner != power or order is None:
            continue
        conversion = after.world.rules.conversion
        if isinstance(intent, HeldInstead):
            if intent.why not in _LEFT_OPEN:
                yield Remark(RemarkSeverity.WARNING, Caution.REFUSED, order, objection=intent)
        elif enters_city(intent) and locks_out(conversion, state.city_rebellions, unit):
            because = CityRebels(unit.place)
            yield Remark(RemarkSeverity.WARNING, Caution.REFUSED, order, objection=because)
