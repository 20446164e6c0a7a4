"""What each unit will do in a campaign: its order, or hold instead of it."""

from collections.abc import Iterable, Mapping, MutableSequence, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from machjudge.adjudicator.battle.convoys import without_fleets
from machjudge.adjudicator.events import Event, PowerAssassinated
from machjudge.adjudicator.events.turn import Turn
from machjudge.adjudicator.land.conversion import (
    Intent,
    objection_to_conversion,
    without_sallies,
    without_trades,
)
from machjudge.adjudicator.land.sieges import under_siege_rules
from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.orders import (
    Advance,
    Ally,
    Besiege,
    Borrow,
    Build,
    Burn,
    Cede,
    Convert,
    Disband,
    Excommunicate,
    Expense,
    GiveChit,
    Hold,
    LiftSiege,
    Maintain,
    Orders,
    Pay,
    Permit,
    Remove,
    StrategicMove,
    Support,
    Tax,
    Transport,
    UnitOrder,
    Waive,
)
from machjudge.adjudicator.model.reasons import Forced, HeldInstead
from machjudge.adjudicator.model.rules import Legality, OrderNotation, Route
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.units import GARRISON, Unit

_NO_ORDER = HeldInstead(Forced.NO_ORDER, "MOV-26")
_ASSASSINATED = HeldInstead(Forced.ASSASSINATED, "ASN-04")
_REBELS_IN_VENICE = HeldInstead(Forced.REBELS_IN_VENICE, "MAP-28")


class Whose(NamedTuple):
    """For which unit an order is, and by whom; they sort field units before garrisons."""

    in_city: bool
    power: PowerId
    place: PlaceId


@dataclass(frozen=True, slots=True)
class GivenOrders:
    """The unit orders that stand, by the places of the units that they are for."""

    afield: Mapping[PlaceId, UnitOrder]
    garrisons: Mapping[PlaceId, UnitOrder]
    about_sieges: frozenset[PlaceId]
    """Where field units are to besiege, or to lift their sieges."""
    astray: Mapping[Whose, UnitOrder]
    """Orders for units that the power does not own."""


def orders_given(state: State, orders: Orders) -> GivenOrders:
    """The unit orders that stand, those for units of the power that gave them and the others."""
    afield: dict[PlaceId, UnitOrder] = {}
    garrisons: dict[PlaceId, UnitOrder] = {}
    about_sieges: set[PlaceId] = set()
    astray: dict[Whose, UnitOrder] = {}
    for power, sheet in orders.items():
        for order in sheet:
            match order:
                case (
                    Advance() | Support() | Hold() | Transport() | Convert() | Disband()
                    | StrategicMove()
                ):  # fmt: skip
                    pass
                case Besiege() | LiftSiege():
                    about_sieges.add(order.unit.place)
                case (
                    Ally() | Permit() | Excommunicate() | Cede() | Burn() | Borrow() | Pay()
                    | Expense() | GiveChit() | Build() | Maintain() | Remove() | Waive() | Tax()
                ):  # fmt: skip
                    continue
            in_city = order.unit.kind is GARRISON
            unit = (state.garrisons if in_city else state.field).get(order.unit.place)
            if unit is None or unit.owner != power or unit.kind is not order.unit.kind:
                astray[Whose(in_city, power, order.unit.place)] = order
            else:
                (garrisons if in_city else afield)[unit.place] = order
    return GivenOrders(afield, garrisons, frozenset(about_sieges), astray)


def assassinated(events: Iterable[Event]) -> frozenset[PowerId]:
    """The powers whose leaders were killed in this campaign (ASN-04)."""
    return frozenset(event.victim for event in events if isinstance(event, PowerAssassinated))


def intents(turn: Turn, given: GivenOrders, units: Sequence[Unit]) -> list[Intent]:
    """What each of the units will do, in their order."""
    victims = assassinated(turn.so_far)
    chosen = [_intent(turn, given, unit, victims) for unit in units]
    if turn.world.rules.game.notation is OrderNotation.NUMBERS:
        _to_where_it_goes(units, chosen)
    if not turn.world.rules.conversion.against_first_siege:
        without_sallies(turn.world, units, chosen)
    without_trades(units, chosen)
    rules = turn.world.rules
    implicit = rules.movement.convoy_route is Route.IMPLICIT
    if implicit and rules.orders.legality is Legality.EVER:
        without_fleets(turn.world, units, chosen)
    return chosen


def _to_where_it_goes(units: Sequence[Unit], chosen: MutableSequence[Intent]) -> None:
    """Have fleets that carry an army anywhere carry it to where it advances (MOV-09)."""
    ends = {
        unit.place: intent.to
        for unit, intent in zip(units, chosen, strict=True)
        if isinstance(intent, Advance)
    }
    for number, intent in enumerate(chosen):
        if isinstance(intent, Transport) and intent.to is None:
            start = intent.army.place
            chosen[number] = replace(intent, to=ends.get(start, start))


def _intent(turn: Turn, given: GivenOrders, unit: Unit, victims: frozenset[PowerId]) -> Intent:
    """What a unit will do; whatever keeps it from its order is looked at in turn."""
    if unit.owner in victims:
        return _ASSASSINATED
    if unit.kind is GARRISON:
        return _unless_barred(turn, unit, given.garrisons.get(unit.place))
    intent = _unless_barred(turn, unit, given.afield.get(unit.place))
    half_way = turn.state.sieges and turn.world.city_before(unit.place) in turn.state.sieges
    if half_way or unit.place in given.about_sieges:
        return under_siege_rules(turn.world, turn.state, unit, intent)
    return intent


def _unless_barred(turn: Turn, unit: Unit, order: UnitOrder | None) -> Intent:
    """The order, if its own siege or rebels do not bar it, whoever else does what."""
    if order is None:
        return _NO_ORDER
    if isinstance(order, Convert):
        return objection_to_conversion(turn.world.rules.conversion, turn.state, unit) or order
    if isinstance(order, Advance) and _is_locked_out(turn, unit, order):
        return _REBELS_IN_VENICE
    return order


def _is_locked_out(turn: Turn, unit: Unit, order: Advance) -> bool:
    """Whether it would enter a Venice that rebels against its power (MAP-28)."""
    rebels_against = turn.state.city_rebellions.get(order.to)
    return rebels_against == unit.owner and order.to in turn.world.venice
