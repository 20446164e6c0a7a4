"""What a picture shows: a position, and past or planned actions.

Scenes for a reader are made from their `Sight`; nothing is hidden here.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from machjudge.adjudicator import events as event_types
from machjudge.adjudicator import orders as given
from machjudge.adjudicator.events import Event
from machjudge.adjudicator.names import NO_COAST, Coast, PlaceId, PowerId
from machjudge.adjudicator.orders import Order, UnitOrder
from machjudge.adjudicator.state import State
from machjudge.adjudicator.units import Kind, Unit


class Completion(Enum):
    """The result of an action."""

    PLANNED = "planned"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Move:
    """A unit's move."""

    unit: Unit
    to: PlaceId
    fate: Completion
    coast: Coast = NO_COAST
    via: tuple[PlaceId, ...] = ()
    """The places between, of a convoy or march."""
    retreats: bool = False


@dataclass(frozen=True, slots=True)
class Backing:
    """A unit's support, to hold or *to* a place."""

    unit: Unit
    supported: PlaceId
    fate: Completion
    to: PlaceId | None = None


@dataclass(frozen=True, slots=True)
class Convoy:
    """A fleet's convoy; without *to* to any ordered place."""

    unit: Unit
    army: PlaceId
    fate: Completion
    to: PlaceId | None = None


@dataclass(frozen=True, slots=True)
class Conversion:
    """A conversion between city and province."""

    unit: Unit
    into: Kind
    fate: Completion
    coast: Coast = NO_COAST


@dataclass(frozen=True, slots=True)
class Siege:
    """A siege, planned or completed; a half-done one is in the position."""

    city: PlaceId
    fate: Completion


@dataclass(frozen=True, slots=True)
class Deal:
    """Ducats spent in a place: a purchase, a planned bribe."""

    place: PlaceId
    ducats: int | None
    """None if hidden from the reader."""
    power: PowerId


@dataclass(frozen=True, slots=True)
class Loss:
    """A removed unit."""

    unit: Unit


@dataclass(frozen=True, slots=True)
class NewUnit:
    """A new unit."""

    unit: Unit
    fate: Completion


Act = Move | Backing | Convoy | Conversion | Siege | Deal | Loss | NewUnit


@dataclass(frozen=True, slots=True)
class Scene:
    """A position with past or planned actions."""

    state: State
    acts: tuple[Act, ...] = ()

    def moves(self) -> Iterator[Move]:
        """All moves."""
        return (act for act in self.acts if isinstance(act, Move))


def places_of(scene: Scene, powers: Iterable[PowerId]) -> tuple[PlaceId, ...]:
    """Return the places of powers' property and their units' moves, sorted."""
    own = frozenset(powers)
    state = scene.state
    found = {place for place, owner in state.provinces.items() if owner in own}
    found |= {place for place, owner in state.cities.items() if owner in own}
    found |= {unit.place for unit in state.units() if unit.owner in own}
    found |= {lost.unit.place for lost in state.dislodged if lost.unit.owner in own}
    for act in scene.acts:
        if isinstance(act, Deal):
            found |= {act.place} if act.power in own else set()
        elif not isinstance(act, Siege) and act.unit.owner in own:
            found.add(act.unit.place)
            if isinstance(act, Move):
                found.add(act.to)
    return tuple(sorted(found))


Ordered = Mapping[Unit, UnitOrder]
"""Orders by unit."""


def scene_of_phase(after: State, events: Sequence[Event], ordered: Ordered) -> Scene:
    """Return the scene of the position *after* a phase with its events.

    All as one reader may see them: without its event an order is not drawn.
    """
    acts = [
        act
        for event in events
        if type(event) in _OF_EVENTS
        for act in [_OF_EVENTS[type(event)](event, ordered)]
        if act is not None
    ]
    return Scene(after, (*dict.fromkeys(acts), *_deals(events)))


def _advanced(event: event_types.Advanced, _: Ordered) -> Move:
    via = tuple(place for place in event.via if place != event.to)
    return Move(event.unit, event.to, Completion.DONE, event.coast, via)


def _marched(event: event_types.Marched, ordered: Ordered) -> Move:
    """The route of a march as far as it got."""
    if event.to == event.unit.place:
        return Move(event.unit, event.ordered, Completion.FAILED)
    route = getattr(ordered.get(event.unit), "route", ())
    until = route[: route.index(event.to)] if event.to in route else ()
    return Move(event.unit, event.to, Completion.DONE, event.coast, tuple(until))


def _support_failed(event: event_types.SupportFailed, ordered: Ordered) -> Backing | None:
    order = ordered.get(event.unit)
    if not isinstance(order, given.Support):
        return None
    return Backing(event.unit, order.supported.place, Completion.FAILED, order.to)


def _transport_failed(event: event_types.TransportFailed, ordered: Ordered) -> Convoy | None:
    order = ordered.get(event.unit)
    if not isinstance(order, given.Transport):
        return None
    return Convoy(event.unit, order.army.place, Completion.FAILED, order.to)


def _retreated(event: event_types.Retreated, _: Ordered) -> Move | None:
    if event.into_city:
        return None
    return Move(event.unit, event.to, Completion.DONE, event.coast, retreats=True)


# Any: what makes the act of each kind of event takes that kind.
_OF_EVENTS: Mapping[type[Any], Callable[[Any, Ordered], Act | None]] = {
    event_types.Advanced: _advanced,
    event_types.Marched: _marched,
    event_types.AdvanceFailed: lambda e, _: Move(e.unit, e.to, Completion.FAILED, e.coast),
    event_types.SupportGiven: lambda e, _: Backing(
        e.unit, e.supported.place, Completion.DONE, e.to
    ),
    event_types.SupportFailed: _support_failed,
    event_types.Transported: lambda e, _: Convoy(e.unit, e.army.place, Completion.DONE, e.to),
    event_types.TransportFailed: _transport_failed,
    event_types.Converted: lambda e, _: Conversion(e.unit, e.into, Completion.DONE, e.coast),
    event_types.ConversionFailed: lambda e, _: Conversion(e.unit, e.into, Completion.FAILED),
    event_types.Retreated: _retreated,
    event_types.UnitRemoved: lambda e, _: Loss(e.unit),
    event_types.UnitBuilt: lambda e, _: NewUnit(e.unit, Completion.DONE),
    event_types.SiegeCompleted: lambda e, _: Siege(e.besieged, Completion.DONE),
}


def _deals(events: Sequence[Event]) -> Iterator[Deal]:
    """Ducats' effects, with visible amounts; bought units in their present places."""
    went = {
        (event.unit.place, event.unit.owner): event.to
        for event in events
        if isinstance(event, event_types.Advanced | event_types.Marched)
    }
    shown = set()
    for event in events:
        if isinstance(event, event_types.ExpenseSettled) and event.fate == "done":
            place = event.unit.place if event.unit else event.expense.place
            if place is not None:
                shown.add(place)
                yield Deal(went.get((place, event.power), place), event.force, event.power)
    for event in events:
        if isinstance(event, event_types.UnitChangedOwner) and event.unit.place not in shown:
            place = event.unit.place
            yield Deal(went.get((place, event.to), place), None, event.to)


PLANNED = Completion.PLANNED


def scene_of_orders(
    state: State, ordered: Ordered, others: Iterable[tuple[PowerId, Order]]
) -> Scene:
    """Return the scene of a position with the visible orders of units and powers."""
    acts = [act for unit, order in ordered.items() for act in _of_unit(state, unit, order)]
    drawn = [each for each in others if isinstance(each[1], _OF_POWERS)]
    acts += [act for power, order in drawn for act in _of_power(state, power, order)]
    return Scene(state, tuple(dict.fromkeys(acts)))


def _of_unit(state: State, unit: Unit, order: given.UnitOrder) -> Iterator[Act]:
    if type(order) in _OF_ORDERS:
        waits = any(lost.unit == unit for lost in state.dislodged)
        yield _OF_ORDERS[type(order)](unit, order, waits)


# Any: what makes the act of each kind of order takes that kind.
_OF_ORDERS: Mapping[type[Any], Callable[[Unit, Any, bool], Act]] = {
    given.Advance: lambda unit, order, waits: Move(
        unit, order.to, PLANNED, order.coast, order.via, retreats=waits
    ),
    given.StrategicMove: lambda unit, order, _: Move(
        unit, order.route[-1], PLANNED, order.coast, order.route[:-1]
    ),
    given.Support: lambda unit, order, _: Backing(unit, order.supported.place, PLANNED, order.to),
    given.Transport: lambda unit, order, _: Convoy(unit, order.army.place, PLANNED, order.to),
    given.Convert: lambda unit, order, _: Conversion(unit, order.into, PLANNED, order.coast),
    given.Besiege: lambda unit, _, __: Siege(unit.place, PLANNED),
    given.Disband: lambda unit, _, __: Loss(unit),
}


_OF_POWERS = (given.Expense, given.Build, given.Remove)


def _of_power(state: State, power: PowerId, order: Order) -> Iterator[Act]:
    match order:
        case given.Expense(purpose=purpose, ducats=ducats, unit=named, place=place) if purpose:
            at: PlaceId | None = named.place if named else place
            if at is not None:
                yield Deal(at, ducats, power)
        case given.Build(kind, place, coast, quality):
            yield NewUnit(Unit(power, kind, place, coast, quality), PLANNED)
        case given.Remove(named):
            here = (state.field.get(named.place), state.garrisons.get(named.place))
            own = [unit for unit in here if unit and unit.owner == power]
            yield from (Loss(unit) for unit in own if named.kind in (None, unit.kind))
        case _:
            return
