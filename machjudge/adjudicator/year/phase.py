"""Play one phase: sort out the orders, take the steps of the rules, say what comes next."""

from dataclasses import dataclass
from functools import lru_cache

from machjudge.adjudicator.events import Event, PhaseEnded
from machjudge.adjudicator.events.evolve import evolve, evolve_all
from machjudge.adjudicator.events.turn import Turn
from machjudge.adjudicator.legality.lawful import sort_out
from machjudge.adjudicator.model.dice import Dice
from machjudge.adjudicator.model.moments import Stage, phase_after
from machjudge.adjudicator.model.orders import Orders
from machjudge.adjudicator.model.rules import Chooser
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.world import World
from machjudge.adjudicator.year.steps import Year, steps


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
    turn = _take(turn, state.moment.stage)
    if state.moment.stage is Stage.CAMPAIGN and not _waits_for_retreats(turn):
        turn = _take(turn, Stage.RETREATS)
    return _end(turn)


def _waits_for_retreats(turn: Turn) -> bool:
    """Whether owners are to say where their units go: the judge does it at once (MOV-47)."""
    return bool(turn.state.dislodged) and turn.world.rules.retreat.chooser is Chooser.PLAYER


def _take(turn: Turn, stage: Stage) -> Turn:
    """Take the steps of a stage in the season that is played."""
    for step in _year(turn.world)[turn.start.moment.season, stage]:
        told = step(turn)
        if told:
            events = tuple(told)
            state = evolve_all(turn.state, events)
            turn = Turn(turn.world, turn.orders, turn.dice, turn.start, state, turn.so_far + events)
    return turn


@lru_cache(maxsize=64)
def _year(world: World) -> Year:
    """The steps of the world's rules, made once."""
    return steps(world.rules)


def _end(turn: Turn) -> Played:
    after = phase_after(
        turn.state.moment,
        dislodged=bool(turn.state.dislodged),
        summer=turn.world.rules.game.summer,
    )
    ended = PhaseEnded(after)
    return Played((*turn.so_far, ended), evolve(turn.state, ended), turn.orders)
