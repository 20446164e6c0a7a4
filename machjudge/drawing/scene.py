"""What a picture shows: a position, and what units did or shall do.

Whoever makes a scene for a reader makes it of what their `Sight` gives; nothing is hidden here.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from machjudge.adjudicator import events as happened
from machjudge.adjudicator import orders as given
from machjudge.adjudicator.events import Event
from machjudge.adjudicator.names import NO_COAST, Coast, PlaceId, PowerId
from machjudge.adjudicator.orders import Order, Transport, UnitOrder
from machjudge.adjudicator.orders import Support as SupportOrder
from machjudge.adjudicator.state import State
from machjudge.adjudicator.units import Kind, Unit


class Completion(Enum):
    """What became of an act."""

    PLANNED = "planned"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Move:
    """A unit on its way to another place."""

    unit: Unit
    to: PlaceId
    fate: Completion
    coast: Coast = NO_COAST
    via: tuple[PlaceId, ...] = ()
    """The places in between, of a convoy or a march."""
    retreats: bool = False


@dataclass(frozen=True, slots=True)
class Backing:
    """A unit that supports another: to hold, or on its way *to* a place."""

    unit: Unit
    supported: PlaceId
    fate: Completion
    to: PlaceId | None = None


@dataclass(frozen=True, slots=True)
class Convoy:
    """A fleet that carries an army; without *to* to wherever that is ordered."""

    unit: Unit
    army: PlaceId
    fate: Completion
    to: PlaceId | None = None


@dataclass(frozen=True, slots=True)
class Conversion:
    """A unit that changes between a city and its province."""

    unit: Unit
    into: Kind
    fate: Completion
    coast: Coast = NO_COAST


@dataclass(frozen=True, slots=True)
class Siege:
    """A siege of a city: planned, or done when the city fell; what is half done is a position."""

    city: PlaceId
    fate: Completion


@dataclass(frozen=True, slots=True)
class Deal:
    """Ducats at work in a place: a unit bought, a bribe that is planned."""

    place: PlaceId
    ducats: int | None
    """None where the reader is not told how many."""
    power: PowerId


@dataclass(frozen=True, slots=True)
class Loss:
    """A unit that left the map."""

    unit: Unit


@dataclass(frozen=True, slots=True)
class NewUnit:
    """A unit that is new on the map."""

    unit: Unit
    fate: Completion


Act = Move | Backing | Convoy | Conversion | Siege | Deal | Loss | NewUnit


@dataclass(frozen=True, slots=True)
class Scene:
    """A position with the acts that led to it, or that are planned in it."""

    state: State
    acts: tuple[Act, ...] = ()

    def moves(self) -> Iterator[Move]:
        """All moves."""
        return (act for act in self.acts if isinstance(act, Move))


def places_of(scene: Scene, powers: Iterable[PowerId]) -> tuple[PlaceId, ...]:
    """The places where powers have something, or where their units come from or go to; sorted."""
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
            found |= {act.unit.place, *_ends(act)}
    return tuple(sorted(found))


def _ends(act: Act) -> tuple[PlaceId, ...]:
    return (act.to,) if isinstance(act, Move) else ()


Ordered = Mapping[Unit, UnitOrder]
"""The orders by the unit that each is for."""


def scene_of_phase(after: State, events: Sequence[Event], ordered: Ordered) -> Scene:
    """The position *after* a phase with what happened in it.

    All three as one reader may see them: without its event an order is not drawn.
    """
    acts = [act for event in events for act in _acts(event, ordered)]
    return Scene(after, (*dict.fromkeys(acts), *_deals(events)))


def _acts(event: Event, ordered: Ordered) -> Iterable[Act]:
    table = _TABLE_PLAYED.get(type(event))
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
_TABLE_PLAYED: Mapping[type[Any], Callable[[Any, Ordered], Iterable[Act]]] = {
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


PLANNED = Completion.PLANNED


def scene_of_orders(
    state: State, ordered: Ordered, others: Iterable[tuple[PowerId, Order]]
) -> Scene:
    """A position with orders that a reader may see: those of units, and those of powers."""
    acts = [act for unit, order in ordered.items() for act in _of_unit(state, unit, order)]
    acts += [act for power, order in others for act in _of_power(state, power, order)]
    return Scene(state, tuple(dict.fromkeys(acts)))


def _of_unit(state: State, unit: Unit, order: given.UnitOrder) -> Iterator[Act]:
    table = _TABLE.get(type(order))
    if table is not None:
        waits = any(lost.unit == unit for lost in state.dislodged)
        yield table(unit, order, waits)


def _move(unit: Unit, order: given.Advance, waits: bool) -> Act:
    return Move(unit, order.to, PLANNED, order.coast, order.via, retreats=waits)


def _march(unit: Unit, order: given.StrategicMove, _: bool) -> Act:
    return Move(unit, order.route[-1], PLANNED, order.coast, order.route[:-1])


# Any: what makes the act of each kind of order takes that kind.
_TABLE: Mapping[type[Any], Callable[[Unit, Any, bool], Act]] = {
    given.Advance: _move,
    given.StrategicMove: _march,
    given.Support: lambda unit, order, _: Backing(unit, order.supported.place, PLANNED, order.to),
    given.Transport: lambda unit, order, _: Convoy(unit, order.army.place, PLANNED, order.to),
    given.Convert: lambda unit, order, _: Conversion(unit, order.into, PLANNED, order.coast),
    given.Besiege: lambda unit, _, __: Siege(unit.place, PLANNED),
    given.Disband: lambda unit, _, __: Loss(unit),
}


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
