"""The movement step: solve the battle, and tell what happened to every unit and why (area MOV)."""

import dataclasses

from machjudge.adjudicator.events import (
    Event,
    OrderIgnored,
    UnitRemoved,
)
from machjudge.adjudicator.evolve import evolve_all
from machjudge.adjudicator.intents import Given, Whose, assassinated, orders_given
from machjudge.adjudicator.muster import muster
from machjudge.adjudicator.orders import (
    Disband,
)
from machjudge.adjudicator.outcome import Outcome
from machjudge.adjudicator.reasons import (
    Removal,
)
from machjudge.adjudicator.sieges import lapsed_sieges
from machjudge.adjudicator.solve import solve
from machjudge.adjudicator.telling import told
from machjudge.adjudicator.ties import TieBreaker
from machjudge.adjudicator.turn import Turn


def resolve_movement(turn: Turn) -> list[Event]:
    """All moves, supports, convoys, conversions and sieges of a campaign, at once."""
    given = orders_given(turn.state, turn.orders)
    before = _before_movement(turn, given)
    ready = dataclasses.replace(turn, state=evolve_all(turn.state, before)) if before else turn
    drawn_up = muster(ready, given)
    breaker = TieBreaker(drawn_up.battle, drawn_up.questions)
    ties = solve(drawn_up.battle, drawn_up.questions, breaker.decide)
    return [*before, *breaker.told(ties), *told(Outcome(ready, drawn_up))]


def _before_movement(turn: Turn, given: Given) -> list[Event]:
    """Who disbands is gone before movement (MOV-31), and sieges without an end lapse (SIE-10)."""
    events: dict[Whose, Event] = {
        whose: OrderIgnored(whose.power, order) for whose, order in given.astray.items()
    }
    victims = assassinated(turn.so_far)
    for in_city, orders, units in (
        (False, given.afield, turn.state.field),
        (True, given.garrisons, turn.state.garrisons),
    ):
        for place, order in orders.items():
            power = units[place].owner
            if isinstance(order, Disband) and power not in victims:
                removed = UnitRemoved(units[place], Removal.ORDERED)
                events[Whose(in_city, power, place)] = removed
    happened = [events[whose] for whose in sorted(events)]
    return [*happened, *lapsed_sieges(evolve_all(turn.state, happened))]
