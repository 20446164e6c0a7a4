"""Apply events to a position; the state of a phase for its steps."""

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
    """The state of a phase for its steps."""

    world: World
    orders: Orders
    """The valid orders: lawful, and not replaced."""
    dice: Dice
    start: State
    """The position before the phase."""
    state: State
    """The position after the steps so far."""
    so_far: tuple[Event, ...]
    """The events of this phase so far."""

    def orders_of(self, kind: type[OneOrder]) -> Iterator[tuple[PowerId, OneOrder]]:
        """Return the valid orders of one kind, each with its power."""
        for power, orders in self.orders.items():
            for order in orders:
                if isinstance(order, kind):
                    yield power, order

    def throw(self, purpose: str, count: int = 1) -> DiceThrown:
        """Return the dice for a purpose with one throw a phase."""
        return DiceThrown(purpose, self.dice.roll(Throw(purpose, count)))

    def assassinated(self) -> frozenset[PowerId]:
        """Return the powers whose leaders were killed in this phase so far (ASN-04)."""
        return frozenset(e.victim for e in self.so_far if isinstance(e, PowerAssassinated))


Step = Callable[[Turn], Sequence[Event]]
"""A step of a phase returns events; ``evolve_all`` applies them."""


def evolve(state: State, event: Event) -> State:
    """Return the position after one event."""
    return evolve_all(state, (event,))


def evolve_all(state: State, events: Iterable[Event]) -> State:
    """Return the position after *events*, in order; nothing else changes a position."""
    after: State | None = None
    for event in events:
        if isinstance(event, Change):
            if after is None:
                after = state.copy()
            event.apply(after)
    return state if after is None else after
