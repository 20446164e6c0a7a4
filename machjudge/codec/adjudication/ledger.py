"""The events of a phase by what they are about: a unit's space, a line of a sheet, a payment."""

from collections import defaultdict
from collections.abc import Iterable
from typing import TypeAlias, TypeGuard, get_args

from machjudge.adjudicator.events import (
    AdjustmentFailed,
    Advanced,
    AdvanceFailed,
    ConversionFailed,
    Converted,
    Event,
    ExpenseSettled,
    GiftGiven,
    GiftRefused,
    Held,
    LoanRefused,
    Marched,
    OrderIgnored,
    OrderRefused,
    OrderReplaced,
    PaymentNotNeeded,
    RebelsSupported,
    Retreated,
    SiegeBegun,
    SiegeCompleted,
    SiegeKept,
    SupportFailed,
    SupportGiven,
    Transported,
    TransportFailed,
    UnitChangedOwner,
    UnitDislodged,
    UnitRemoved,
)
from machjudge.adjudicator.legality.naming import Space, space_of
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.orders import Borrow, Expense, Order, Pay
from machjudge.adjudicator.model.reasons import Objection
from machjudge.codec.document.marks import PARTLY, REFUSED, VOID, Marked, is_lost_later, marks_of

_PLAIN = Marked()
_OfUnit: TypeAlias = (
    Held
    | Advanced
    | AdvanceFailed
    | SupportGiven
    | SupportFailed
    | RebelsSupported
    | Transported
    | TransportFailed
    | Converted
    | ConversionFailed
    | UnitDislodged
    | Retreated
    | Marched
    | SiegeBegun
    | SiegeKept
    | SiegeCompleted
)
_OF_A_UNIT = frozenset(get_args(_OfUnit))
"""What befalls a unit where it stood at the start of the phase."""


def _is_of_unit(event: Event) -> TypeGuard[_OfUnit]:
    # Asked of every event; isinstance would compare it with each of the classes.
    return type(event) in _OF_A_UNIT


class Ledger:
    """What a phase made of units, lines and payments."""

    def __init__(self, events: Iterable[Event]) -> None:
        self.owners: dict[Space, PowerId] = {}
        """Who owns a unit since the bribes of this phase, where that changed."""
        self.refused: dict[tuple[PowerId, int], Objection] = {}
        """Line of a sheet -> why the order may not be given."""
        self.replaced: dict[tuple[PowerId, int], OrderReplaced] = {}
        """Line of a sheet -> that a later one took its place."""
        self._of_units: defaultdict[Space, list[Event]] = defaultdict(list)
        self._set_aside: defaultdict[PowerId, dict[Order, Marked]] = defaultdict(dict)
        self._of_expenses: dict[tuple[PowerId, int], Marked] = {}
        self._of_loans: dict[tuple[PowerId, int], Marked] = {}
        self._of_gifts: dict[tuple[PowerId, PowerId | None], Marked] = {}
        for event in events:
            if _is_of_unit(event):  # as most of them are
                self._of_units[space_of(event.unit)].append(event)
            else:
                self._enter(event)

    def of_unit(self, space: Space) -> Marked:
        """What became of the unit that stood in *space* at the start of the phase."""
        events = self._of_units.get(space)
        return _PLAIN if events is None else marks_of(events)

    def set_aside(self, power: PowerId, order: Order) -> Marked | None:
        """What is to be said of an order that came to nothing as a whole; nothing of others."""
        return self._set_aside[power].get(order) if power in self._set_aside else None

    def of_payment(self, power: PowerId, order: Borrow | Pay | Expense) -> Marked:
        """What became of a loan, a payment or an expense."""
        match order:
            case Borrow():
                return self._of_loans.get((power, order.ducats), _PLAIN)
            case Pay():
                return self._of_gifts.get((power, order.to), _PLAIN)
            case Expense():
                return self._of_expenses.get((power, order.number), _PLAIN)

    def _enter(self, event: Event) -> None:
        match event:
            case OrderRefused():
                self.refused[event.power, event.line] = event.because
            case OrderReplaced():
                self.replaced[event.power, event.line] = event
            case OrderIgnored():
                told = Marked((VOID,), event)
                self._set_aside[event.power][event.order] = told
            case AdjustmentFailed():
                told = Marked((VOID,), event.because)
                self._set_aside[event.power][event.order] = told
            case UnitChangedOwner():
                self.owners[space_of(event.unit)] = event.to
            case UnitRemoved() if not is_lost_later(event):
                # Units struck by a disaster stand where they moved, others where they began.
                self._of_units[space_of(event.unit)].append(event)
            case _:
                self._enter_payment(event)

    def _enter_payment(self, event: Event) -> None:
        match event:
            case ExpenseSettled() if event.fate != "done":
                told = Marked((event.fate,), event)
                self._of_expenses[event.power, event.expense.number] = told
            case LoanRefused():
                self._of_loans[event.power, event.ducats] = Marked((REFUSED,), event)
            case GiftRefused():
                told = Marked((REFUSED,), event)
                self._of_gifts[event.giver, event.receiver] = told
            case GiftGiven() if event.ducats < event.asked:
                self._of_gifts[event.giver, event.receiver] = Marked((PARTLY,), event)
            case PaymentNotNeeded():
                self._of_gifts[event.power, None] = Marked((PARTLY,), event)
            case _:
                return
