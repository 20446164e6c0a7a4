"""Play one phase: sort out the orders, take the steps in their order, say what comes next.

The order of the steps is that of the rule catalogue, area SEQ.  A campaign in which nobody is
dislodged goes on through the steps of the retreats.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from machjudge.adjudicator.battle.movement import resolve_movement
from machjudge.adjudicator.events import Event, PhaseEnded
from machjudge.adjudicator.events.evolve import evolve, evolve_all
from machjudge.adjudicator.events.turn import Step, Turn
from machjudge.adjudicator.land.control import count_control, count_last_control
from machjudge.adjudicator.land.home import conquer_homes, eliminate_powers
from machjudge.adjudicator.land.rebellion import quell_city_rebellions, quell_province_rebellions
from machjudge.adjudicator.land.retreats import resolve_retreats
from machjudge.adjudicator.land.sieges import end_lapsed_sieges
from machjudge.adjudicator.land.victory import declare_victory
from machjudge.adjudicator.legality.lawful import sort_out
from machjudge.adjudicator.model.dice import Dice
from machjudge.adjudicator.model.moments import Stage, phase_after
from machjudge.adjudicator.model.orders import Orders
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.world import World
from machjudge.adjudicator.money.assassination import punish_defaulters, settle_assassinations
from machjudge.adjudicator.money.banking import settle_loans
from machjudge.adjudicator.money.bribes import settle_expenses
from machjudge.adjudicator.money.chits import pass_chits
from machjudge.adjudicator.money.income import collect_income
from machjudge.adjudicator.year.adjustment import adjust
from machjudge.adjudicator.year.disasters import (
    lift_famine,
    starve_units,
    strike_famine,
    strike_plague,
    strike_storms,
)

CAMPAIGN: tuple[Step, ...] = (
    settle_loans,
    settle_expenses,
    count_control,
    settle_assassinations,
    punish_defaulters,
    resolve_movement,
    count_control,
    quell_province_rebellions,
    count_control,
)
RETREATS: tuple[Step, ...] = (
    resolve_retreats,
    count_control,
    quell_city_rebellions,
    starve_units,
    count_control,
    lift_famine,
    strike_plague,
    count_control,
    strike_storms,
    count_last_control,
    strike_famine,
    eliminate_powers,
    conquer_homes,
    declare_victory,
    end_lapsed_sieges,
    collect_income,
)
ADJUSTMENT: tuple[Step, ...] = (adjust, end_lapsed_sieges)


@dataclass(frozen=True, slots=True)
class Played:
    """A phase played: what happened, the position after, and the orders that stood."""

    events: tuple[Event, ...]
    state: State
    standing: Orders


def play(world: World, state: State, orders: Orders, dice: Dice) -> Played:
    """Play the phase that *state* is at.  Raises DiceMissing where given dice do not suffice."""
    sorted_out = sort_out(world, state, orders)
    events: list[Event] = [*sorted_out.refused, *sorted_out.replaced]
    turn = Turn(world, sorted_out.standing, dice, state, state, tuple(events))
    turn = _take(turn, (pass_chits,))
    if state.moment.stage is Stage.CAMPAIGN:
        turn = _take(turn, CAMPAIGN)
        if not turn.state.dislodged:
            turn = _take(turn, RETREATS)
    elif state.moment.stage is Stage.RETREATS:
        turn = _take(turn, RETREATS)
    else:
        turn = _take(turn, ADJUSTMENT)
    return _end(turn)


def _take(turn: Turn, steps: Sequence[Step]) -> Turn:
    for step in steps:
        told = step(turn)
        if told:
            events = tuple(told)
            state = evolve_all(turn.state, events)
            turn = Turn(turn.world, turn.orders, turn.dice, turn.start, state, turn.so_far + events)
    return turn


def _end(turn: Turn) -> Played:
    after = phase_after(
        turn.state.moment,
        dislodged=bool(turn.state.dislodged),
        summer=turn.world.rules.game.summer,
    )
    ended = PhaseEnded(after)
    return Played((*turn.so_far, ended), evolve(turn.state, ended), turn.orders)
