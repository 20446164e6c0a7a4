"""The movement step: solve the battle, and tell what happened to every unit and why (area MOV)."""

import dataclasses
from collections.abc import Mapping

from machjudge.adjudicator.battle.battle_events import told
from machjudge.adjudicator.battle.battle_setup import set_up
from machjudge.adjudicator.battle.intents import GivenOrders, assassinated, orders_given
from machjudge.adjudicator.battle.outcome import Outcome
from machjudge.adjudicator.battle.solve import solve
from machjudge.adjudicator.battle.ties import TieBreaker
from machjudge.adjudicator.events import Event, OrderIgnored, UnitRemoved
from machjudge.adjudicator.events.evolve import evolve_all
from machjudge.adjudicator.events.turn import Turn
from machjudge.adjudicator.land.sieges import lapsed_sieges
from machjudge.adjudicator.model.names import PlaceId
from machjudge.adjudicator.model.orders import Disband, UnitOrder
from machjudge.adjudicator.model.reasons import Removal
from machjudge.adjudicator.model.rules import OtherOrder
from machjudge.adjudicator.model.units import Unit


def resolve_movement(turn: Turn) -> list[Event]:
    """All moves, supports, convoys, conversions and sieges of a campaign, at once."""
    given = orders_given(turn.state, turn.orders)
    before = _before_movement(turn, given)
    ready = dataclasses.replace(turn, state=evolve_all(turn.state, before)) if before else turn
    setup = set_up(ready, given)
    breaker = TieBreaker(setup.battle, setup.questions)
    ties = solve(setup.battle, setup.questions, breaker.decide)
    return [*before, *breaker.told(ties), *told(Outcome(ready, setup))]


def _before_movement(turn: Turn, given: GivenOrders) -> list[Event]:
    """Who disbands is gone before movement (MOV-31), and sieges without an end lapse (SIE-10).

    Garrisons go first: a besieger may disband only where its siege does not bind it (SIE-04).
    """
    world = turn.world
    may_disband = world.rules.movement.disband_order
    if not (given.astray or turn.state.sieges or may_disband):
        return []
    events: list[Event] = [
        OrderIgnored(whose.power, given.astray[whose]) for whose in sorted(given.astray)
    ]
    events += _disbanded(turn, given.garrisons, turn.state.garrisons)
    events += lapsed_sieges(world, evolve_all(turn.state, events))
    bound = frozenset[PlaceId]()
    if world.rules.siege.other_order is not OtherOrder.FREE_MOVE:
        bound = frozenset(map(world.siege_post, evolve_all(turn.state, events).sieges))
    free = {place: order for place, order in given.afield.items() if place not in bound}
    events += _disbanded(turn, free, turn.state.field)
    return [*events, *lapsed_sieges(world, evolve_all(turn.state, events))]


def _disbanded(
    turn: Turn, orders: Mapping[PlaceId, UnitOrder], units: Mapping[PlaceId, Unit]
) -> list[UnitRemoved]:
    """The units whose owners disband them; those of assassinated leaders hold (ASN-04)."""
    victims = assassinated(turn.so_far)
    return [
        UnitRemoved(units[place], Removal.ORDERED)
        for place in sorted(orders)
        if isinstance(orders[place], Disband) and units[place].owner not in victims
    ]
