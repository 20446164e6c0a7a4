"""Events ↔ JSON.  Applied to the position before, the events give the one after."""

from collections.abc import Iterable

from machjudge.adjudicator.events import Event
from machjudge.codec.document.shape import Json, each
from machjudge.codec.document.values import form_of, write

_EVENT = form_of(Event)


def events_of(events: Iterable[Event]) -> list[Json]:
    """The events, each an object with its ``kind``."""
    return [write(event) for event in events]


def read_events(value: Json) -> tuple[Event, ...]:
    """The inverse of ``events_of``.  Raises Unfit."""
    return tuple(each(value, _EVENT.read))
