"""The position after events, and what a step of a phase looks at and says."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from machjudge.adjudicator.dice import Dice, Throw
from machjudge.adjudicator.events import Change, DiceThrown, Event, PowerAssassinated
from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.orders import Order, Orders
from machjudge.adjudicator.state import State
from machjudge.adjudicator.world import World

OneOrder = TypeVar("OneOrder", bound=Order)


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

    def orders_of(self, kind: type[OneOrder]) -> Iterator[tuple[PowerId, OneOrder]]:
        """The orders of one kind that stand, each with the power that gave it."""
        for power, orders in self.orders.items():
            for order in orders:
                if isinstance(order, kind):
                    yield power, order

    def throw(self, purpose: str, count: int = 1) -> DiceThrown:
        """Throw dice for a purpose for which the phase throws once."""
        return DiceThrown(purpose, self.dice.roll(Throw(purpose, count)))

    def assassinated(self) -> frozenset[PowerId]:
        """The powers whose leaders were killed in this phase so far (ASN-04)."""
        return frozenset(e.victim for e in self.so_far if isinstance(e, PowerAssassinated))


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
