"""The scene of orders that are not carried out yet."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from machjudge.adjudicator.model import orders as given
from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.orders import Order
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.units import Unit
from machjudge.drawing.played import Ordered
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
