"""A power before one phase, as those who think of its orders at random see it."""

from dataclasses import dataclass
from random import Random

from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.state import State
from machjudge.adjudicator.world import World


@dataclass(frozen=True, slots=True)
class Mind:
    """A power, what it sees, and the chance by which it decides."""

    world: World
    state: State
    power: PowerId
    chance: Random

    def now_and_then(self, share: float) -> bool:
        """True if something is done that is done in that share of all cases."""
        return self.chance.random() < share
