"""Who owns what: an eliminated power has nothing (ELI-02)."""

from collections.abc import Iterator

from machjudge.adjudicator.consistency.fault import Inconsistency
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.world import World


def faults(_: World, state: State) -> Iterator[Inconsistency]:
    """The provinces, cities and home countries that are left to powers out of the game."""
    if not state.eliminated:
        return
    fields = {"provinces": state.provinces, "cities": state.cities, "homes": state.homes}
    for field, owners in fields.items():
        for place, owner in sorted(owners.items()):
            if owner in state.eliminated:
                yield Inconsistency((field, place), f"{owner} is eliminated and has no land")
