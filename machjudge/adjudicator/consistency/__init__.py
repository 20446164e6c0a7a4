"""Could a game have come to this position?  What in it no game under these rules ever shows.

A position that somebody wrote, or another program, is asked this before it is played.
"""

from collections.abc import Iterator

from machjudge.adjudicator.consistency import (
    markers,
    money,
    owners,
    reachable_phase,
    retreats,
    units,
)
from machjudge.adjudicator.consistency.fault import Inconsistency
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.world import World

__all__ = ["Inconsistency", "inconsistencies"]

_CHECKS = (
    reachable_phase.faults,
    units.faults,
    retreats.faults,
    markers.faults,
    money.faults,
    owners.faults,
)


def inconsistencies(world: World, state: State) -> Iterator[Inconsistency]:
    """Everything in the position that no game of this world could have led to."""
    for check in _CHECKS:
        yield from check(world, state)
