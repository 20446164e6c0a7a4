"""The position after events, and what a step of a phase looks at and says."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from machjudge.adjudicator.dice import Dice
from machjudge.adjudicator.events import Change, Event
from machjudge.adjudicator.orders import Orders
from machjudge.adjudicator.state import State
from machjudge.adjudicator.world import World


@dataclass(frozen=True, slots=True)
class Turn:
    """Everything that a step of a phase may look at."""

    world: World
    orders: Orders
    """The orders that stand: lawful, and none replaced by a later one."""
    dice: Dice
    start: State
    """The position before the phase."""
    state: State
    """The position now, after the steps before this one."""
    so_far: tuple[Event, ...]
    """What has happened in this phase so far."""


Step = Callable[[Turn], Sequence[Event]]
"""One step of a phase says what happens; ``evolve_all`` makes the position of it."""


def evolve(state: State, event: Event) -> State:
    """The position after one event."""
    return evolve_all(state, (event,))


def evolve_all(state: State, events: Iterable[Event]) -> State:
    """The position after *events*, in their order.  Nothing else changes a position."""
    after: State | None = None
    for event in events:
        if isinstance(event, Change):
            if after is None:
                after = state.copy()
            event.apply(after)
    return state if after is None else after
