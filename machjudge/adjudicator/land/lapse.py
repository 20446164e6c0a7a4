"""What happens to sieges when units leave the map outside movement (SIE-10, SIE-17)."""

from collections.abc import Iterable

from machjudge.adjudicator.events import Event
from machjudge.adjudicator.events.evolve import evolve_all
from machjudge.adjudicator.land.sieges import lapsed_sieges
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.world import World


def with_lapses(world: World, state: State, events: Iterable[Event]) -> list[Event]:
    """The same events, and the end of every siege that they leave without object."""
    happened = list(events)
    return [*happened, *lapsed_sieges(world, evolve_all(state, happened))]
