"""The phase of a position: whether games under these rules ever come to it (MOV-02, SET-02)."""

from collections.abc import Iterator

from machjudge.adjudicator.consistency.fault import Inconsistency
from machjudge.adjudicator.model.moments import Moment, Season, Stage
from machjudge.adjudicator.model.rules import Opening
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.world import World


def faults(world: World, state: State) -> Iterator[Inconsistency]:
    """What is wrong with the phase."""
    says = _flaw(world, state.moment)
    if says:
        yield Inconsistency(("phase",), says)
    elif state.moment.stage is Stage.RETREATS and not state.dislodged:
        says = f"nobody is dislodged, so the phase {state.moment.code} is left out"
        yield Inconsistency(("phase",), says, harmless=True)


def _flaw(world: World, moment: Moment) -> str:
    first = world.scenario.year
    if moment.season is Season.SUMMER and not world.rules.game.summer:
        return f"{moment.code} is no phase: this game has no Summer"
    if moment.stage is Stage.ADJUSTMENT and moment.season is not Season.FALL:
        return f"{moment.code} is no phase: the adjustment follows Fall"
    opens = world.rules.game.opening is not Opening.CAMPAIGN
    if moment.stage is Stage.ADJUSTMENT and moment.year == first - 1 and not opens:
        return f"this game begins with S{first}M, without an adjustment before"
    return ""
