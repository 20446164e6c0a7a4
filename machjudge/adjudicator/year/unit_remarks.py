"""What to mind about orders on file for units: of others, gone, or for the sake of nobody."""

from collections.abc import Iterator

from machjudge.adjudicator.events.turn import Turn
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.orders import Order, Purpose, Support, Transport, UnitOrder
from machjudge.adjudicator.model.prices import target_unit, unit_of_kind
from machjudge.adjudicator.model.state import State
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
