"""A phase on its way: what the steps of a phase are given, and what a step is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from machjudge.adjudicator.events import Event
from machjudge.adjudicator.model.dice import Dice
from machjudge.adjudicator.model.orders import Orders
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.world import World


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
"""One step of a phase says what happens; ``evolve`` makes the position of it."""
