"""The units of a position: whose, from when, and how many in Venice (MOV-04, MAP-20)."""

from collections.abc import Iterator

from machjudge.adjudicator.consistency.fault import Inconsistency, named
from machjudge.adjudicator.model.names import AUTONOMOUS
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.units import Unit
from machjudge.adjudicator.model.world import World


def faults(world: World, state: State) -> Iterator[Inconsistency]:
    """What is wrong with the units on the map, and with those that wait for their retreat."""
    for unit in state.units():
        yield from _faults_of(world, state, unit, ("units", unit))
    for waiting in state.dislodged:
        at = ("dislodged", waiting.unit, "unit")
        yield from _faults_of(world, state, waiting.unit, at)
    yield from _crowded(world, state)


def _faults_of(
    world: World, state: State, unit: Unit, at: tuple[str | Unit, ...]
) -> Iterator[Inconsistency]:
    owner = _flaw_of_owner(world, state, unit)
    if owner:
        yield Inconsistency(at, f"{named(unit)}: {owner}")
    if unit.since is not None and state.moment.campaign < unit.since:
        says = f"{unit.since.code} is later than {state.moment.code}"
        yield Inconsistency(("since", unit), says)


def _flaw_of_owner(world: World, state: State, unit: Unit) -> str:
    """Whose units there are: garrisons may be autonomous; the dead have none (ELI-02)."""
    if unit.owner == AUTONOMOUS:
        fits = unit.is_garrison or world.rules.special.autonomous_afield
        return "" if fits else "only garrisons are autonomous"
    if unit.owner not in world.in_play:
        return f"nobody plays {unit.owner}, so it has no units"
    return f"{unit.owner} is eliminated and has no units" if unit.owner in state.eliminated else ""


def _crowded(world: World, state: State) -> Iterator[Inconsistency]:
    """In Venice one unit stands in all (MAP-20)."""
    for place in sorted(world.venice):
        garrison, other = state.garrisons.get(place), state.field.get(place)
        if garrison is not None and other is not None:
            says = f"{named(other)} is there too, and {place} has room for one unit in all"
            yield Inconsistency(("units", garrison), says)
