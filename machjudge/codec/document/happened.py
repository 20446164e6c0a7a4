"""Events and orders ↔ JSON.  Applied to the position before, the events give the one after."""

from collections.abc import Iterable

from machjudge.adjudicator.events import Event
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.orders import Order, Orders
from machjudge.codec.document.shape import Json, each, entries
from machjudge.codec.document.values import form_of, write

_EVENT = form_of(Event)
_ORDER = form_of(Order)


def events_of(events: Iterable[Event]) -> list[Json]:
    """The events, each an object with its ``kind``."""
    return [write(event) for event in events]


def read_events(value: Json) -> tuple[Event, ...]:
    """The inverse of ``events_of``.  Raises Unfit."""
    return tuple(each(value, _EVENT.read))


def orders_of(orders: Orders) -> dict[str, Json]:
    """The orders of each power, each an object with its ``kind``."""
    return {power: [write(order) for order in sheet] for power, sheet in sorted(orders.items())}


def read_orders(value: Json) -> Orders:
    """The inverse of ``orders_of``.  Raises Unfit."""
    sheets = entries(value, lambda power, sheet: (PowerId(power), each(sheet, _ORDER.read)))
    return {power: tuple(sheet) for power, sheet in sheets}
