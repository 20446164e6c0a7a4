"""What each unit will do in a campaign: its order, or hold instead of it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from machjudge.adjudicator.conversion import Intent, objection_to_conversion, without_trades
from machjudge.adjudicator.events import Event, PowerAssassinated
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.orders import (
    Advance,
    Ally,
    Besiege,
    Borrow,
    Build,
    Convert,
    Disband,
    Expense,
    GiveChit,
    Hold,
    LiftSiege,
    Maintain,
    Orders,
    Pay,
    Remove,
    Support,
    Transport,
    UnitOrder,
    Waive,
)
from machjudge.adjudicator.reasons import Forced, HeldInstead
from machjudge.adjudicator.sieges import under_siege_rules
from machjudge.adjudicator.state import State
from machjudge.adjudicator.turn import Turn
from machjudge.adjudicator.units import Kind, Unit

_NO_ORDER = HeldInstead(Forced.NO_ORDER, "MOV-26")
_ASSASSINATED = HeldInstead(Forced.ASSASSINATED, "ASN-04")
_REBELS_IN_VENICE = HeldInstead(Forced.REBELS_IN_VENICE, "MAP-28")


class Whose(NamedTuple):
    """For which unit an order is, and by whom; they sort field units before garrisons."""

    in_city: bool
    power: PowerId
    place: PlaceId


@dataclass(frozen=True, slots=True)
class Given:
    """The unit orders that stand, by the places of the units that they are for."""

    afield: Mapping[PlaceId, UnitOrder]
    garrisons: Mapping[PlaceId, UnitOrder]
    astray: Mapping[Whose, UnitOrder]
    """Orders for units that the power does not own."""


def orders_given(state: State, orders: Orders) -> Given:
    """The unit orders that stand, those for units of the power that gave them and the others."""
    afield: dict[PlaceId, UnitOrder] = {}
    garrisons: dict[PlaceId, UnitOrder] = {}
    astray: dict[Whose, UnitOrder] = {}
    for power, order in _unit_orders(orders):
        named = order.unit
        in_city = named.kind is Kind.GARRISON
        unit = (state.garrisons if in_city else state.field).get(named.place)
        if unit is None or unit.owner != power or unit.kind is not named.kind:
            astray[Whose(in_city, power, named.place)] = order
        else:
            (garrisons if in_city else afield)[named.place] = order
    return Given(afield, garrisons, astray)


def _unit_orders(orders: Orders) -> Iterable[tuple[PowerId, UnitOrder]]:
    for power, sheet in orders.items():
        for order in sheet:
            match order:
                case Advance() | Support() | Hold() | Transport() | Convert():
                    yield power, order
                case Besiege() | LiftSiege() | Disband():
                    yield power, order
                case Ally() | Borrow() | Pay() | Expense() | GiveChit():
                    pass
                case Build() | Maintain() | Remove() | Waive():
                    pass


def assassinated(events: Iterable[Event]) -> frozenset[PowerId]:
    """The powers whose leaders were killed in this campaign (ASN-04)."""
    return frozenset(event.victim for event in events if isinstance(event, PowerAssassinated))


def intents(turn: Turn, given: Given) -> tuple[dict[PlaceId, Intent], dict[PlaceId, Intent]]:
    """What the field units and the garrisons will do, by place."""
    victims = assassinated(turn.so_far)
    afield = {
        place: _intent(turn, unit, given.afield.get(place), victims)
        for place, unit in turn.state.field.items()
    }
    cities = {
        place: _intent(turn, unit, given.garrisons.get(place), victims)
        for place, unit in turn.state.garrisons.items()
    }
    without_trades(turn.state, afield, cities)
    return afield, cities


def _intent(turn: Turn, unit: Unit, order: UnitOrder | None, victims: frozenset[PowerId]) -> Intent:
    """What a unit will do; whatever keeps it from its order is looked at in turn."""
    if unit.owner in victims:
        return _ASSASSINATED
    intent = _NO_ORDER if order is None else _unless_barred(turn, unit, order)
    if unit.kind is Kind.GARRISON:
        return intent
    return under_siege_rules(turn.world.rules.siege, turn.state, unit, intent)


def _unless_barred(turn: Turn, unit: Unit, order: UnitOrder) -> Intent:
    """The order, if its own siege or rebels do not bar it, whoever else does what."""
    if isinstance(order, Advance) and _is_locked_out(turn, unit, order):
        return _REBELS_IN_VENICE
    if isinstance(order, Convert):
        return objection_to_conversion(turn.state, unit) or order
    return order


def _is_locked_out(turn: Turn, unit: Unit, order: Advance) -> bool:
    """Whether it would enter a Venice that rebels against its power (MAP-28)."""
    rebels_against = turn.state.city_rebellions.get(order.to)
    return rebels_against == unit.owner and turn.world.place(order.to).venice
