"""The scene of a phase that was played: its events as acts in the position after them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from machjudge.adjudicator import events as happened
from machjudge.adjudicator.events import Event
from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.orders import Support as SupportOrder
from machjudge.adjudicator.model.orders import Transport, UnitOrder
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.units import Unit
from machjudge.drawing.scene import (
    Act,
    Backing,
    Completion,
    Conversion,
    Convoy,
    Deal,
    Loss,
    Move,
    NewUnit,
    Scene,
    Siege,
)

Ordered = Mapping[Unit, UnitOrder]
"""The orders by the unit that each is for."""


def scene_of_phase(after: State, events: Sequence[Event], ordered: Ordered) -> Scene:
    """The position *after* a phase with what happened in it.

    All three as one reader may see them: without its event an order is not drawn.
    """
    acts = [act for event in events for act in _acts(event, ordered)]
    return Scene(after, (*dict.fromkeys(acts), *_deals(events)))


def _acts(event: Event, ordered: Ordered) -> Iterable[Act]:
    table = _TABLE.get(type(event))
    return table(event, ordered) if table is not None else ()


def _advanced(event: happened.Advanced, _: Ordered) -> Iterator[Act]:
    via = tuple(place for place in event.via if place != event.to)
    yield Move(event.unit, event.to, Completion.DONE, event.coast, via)


def _marched(event: happened.Marched, ordered: Ordered) -> Iterator[Act]:
    """As far as it got, through the places of its route until there."""
    if event.to == event.unit.place:
        yield Move(event.unit, event.ordered, Completion.FAILED)
        return
    route = getattr(ordered.get(event.unit), "route", ())
    until = route[: route.index(event.to)] if event.to in route else ()
    yield Move(event.unit, event.to, Completion.DONE, event.coast, tuple(until))


def _advance_failed(event: happened.AdvanceFailed, _: Ordered) -> Iterator[Act]:
    yield Move(event.unit, event.to, Completion.FAILED, event.coast)


def _support_given(event: happened.SupportGiven, _: Ordered) -> Iterator[Act]:
    yield Backing(event.unit, event.supported.place, Completion.DONE, event.to)


def _support_failed(event: happened.SupportFailed, ordered: Ordered) -> Iterator[Act]:
    order = ordered.get(event.unit)
    if isinstance(order, SupportOrder):
        yield Backing(event.unit, order.supported.place, Completion.FAILED, order.to)


def _transported(event: happened.Transported, _: Ordered) -> Iterator[Act]:
    yield Convoy(event.unit, event.army.place, Completion.DONE, event.to)


def _transport_failed(event: happened.TransportFailed, ordered: Ordered) -> Iterator[Act]:
    order = ordered.get(event.unit)
    if isinstance(order, Transport):
        yield Convoy(event.unit, order.army.place, Completion.FAILED, order.to)


def _converted(event: happened.Converted, _: Ordered) -> Iterator[Act]:
    yield Conversion(event.unit, event.into, Completion.DONE, event.coast)


def _conversion_failed(event: happened.ConversionFailed, _: Ordered) -> Iterator[Act]:
    yield Conversion(event.unit, event.into, Completion.FAILED)


def _retreated(event: happened.Retreated, _: Ordered) -> Iterator[Act]:
    if not event.into_city:
        yield Move(event.unit, event.to, Completion.DONE, event.coast, retreats=True)


def _removed(event: happened.UnitRemoved, _: Ordered) -> Iterator[Act]:
    yield Loss(event.unit)


def _built(event: happened.UnitBuilt, _: Ordered) -> Iterator[Act]:
    yield NewUnit(event.unit, Completion.DONE)


def _siege_completed(event: happened.SiegeCompleted, _: Ordered) -> Iterator[Act]:
    yield Siege(event.besieged, Completion.DONE)


# Any: what makes the acts of each kind of event takes that kind.
_TABLE: Mapping[type[Any], Callable[[Any, Ordered], Iterable[Act]]] = {
    happened.Advanced: _advanced,
    happened.Marched: _marched,
    happened.AdvanceFailed: _advance_failed,
    happened.SupportGiven: _support_given,
    happened.SupportFailed: _support_failed,
    happened.Transported: _transported,
    happened.TransportFailed: _transport_failed,
    happened.Converted: _converted,
    happened.ConversionFailed: _conversion_failed,
    happened.Retreated: _retreated,
    happened.UnitRemoved: _removed,
    happened.UnitBuilt: _built,
    happened.SiegeCompleted: _siege_completed,
}


def _deals(events: Sequence[Event]) -> Iterator[Deal]:
    """What ducats did, with how many where the reader is told; a unit bought where it is now."""
    went = _ways(events)
    told = set()
    for event in events:
        if isinstance(event, happened.ExpenseSettled) and event.fate == "done":
            place = event.unit.place if event.unit else event.expense.place
            if place is not None:
                told.add(place)
                yield Deal(went.get((place, event.power), place), event.force, event.power)
    for event in events:
        if isinstance(event, happened.UnitChangedOwner) and event.unit.place not in told:
            place = event.unit.place
            yield Deal(went.get((place, event.to), place), None, event.to)


def _ways(events: Sequence[Event]) -> Mapping[tuple[PlaceId, PowerId], PlaceId]:
    """Where the units of powers went, by the place from which they went."""
    return {
        (event.unit.place, event.unit.owner): event.to
        for event in events
        if isinstance(event, happened.Advanced | happened.Marched)
    }
