"""Taxes taken by force in the adjustment, and the rebels that they make (INC-19)."""

from collections.abc import Iterator, Sequence

from machjudge.adjudicator.events import AdjustmentFailed, Event, TaxesForced
from machjudge.adjudicator.events.turn import Turn
from machjudge.adjudicator.land.home import living_powers
from machjudge.adjudicator.land.rebellion import uprising
from machjudge.adjudicator.land.revolts import throw_for_revolt
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.orders import Build, Tax
from machjudge.adjudicator.model.reasons import Flaw, Objection
from machjudge.adjudicator.model.rules import ForcedTaxes
from machjudge.adjudicator.money.income import city_income, province_income

LIMITS = (2, 3, 4, 5)
"""Up to which die a taxed province rebels: at home with a unit and without, conquered likewise."""


def force_taxes(turn: Turn) -> Sequence[Event]:
    """The fixed income of the taxed provinces once more, before anything is paid for."""
    return [
        event for power in living_powers(turn.world, turn.state) for event in _taken(turn, power)
    ]


def _taken(turn: Turn, power: PowerId) -> Iterator[Event]:
    sheet = turn.orders.get(power, ())
    built = {order.place for order in sheet if isinstance(order, Build)}
    exhausts = turn.world.rules.income.forced is ForcedTaxes.V31
    for order in sheet:
        if isinstance(order, Tax) and order.place in built:
            yield AdjustmentFailed(power, order, Objection(Flaw.NEW_UNIT, "INC-19", order.place))
        elif isinstance(order, Tax):
            ducats = province_income(turn.world, turn.state, order.place) + city_income(
                turn.world, turn.state, order.place
            )
            yield TaxesForced(power, order.place, ducats, exhausts)


def rise_against_taxes(turn: Turn) -> Sequence[Event]:
    """The taxed provinces that rebel at the end of the adjustment: by a die, or all of them."""
    by_die = turn.world.rules.income.forced is ForcedTaxes.KARTTUNEN
    risen: list[Event] = []
    for event in turn.so_far:
        if isinstance(event, TaxesForced) and by_die:
            risen += throw_for_revolt(turn, event.power, event.place, LIMITS)
        elif isinstance(event, TaxesForced):
            started = uprising(turn.world, turn.state, turn.state, event.place)
            risen += [started] if started is not None else []
    return risen
