"""Rebuild every stored position of a game: from its events, and by playing its orders again.

The first must always succeed.  The second is promised for phases of the running version only; for
older ones the answer names what the newer rules would decide otherwise, and nothing is changed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from machjudge.adjudicator.dice import SecretDice
from machjudge.adjudicator.events import Event
from machjudge.adjudicator.evolve import evolve_all
from machjudge.adjudicator.income import yearly_income
from machjudge.adjudicator.phase import play
from machjudge.adjudicator.world import World, world_of
from machjudge.service.desk import Desk
from machjudge.service.opening import opens_in_adjustment, set_up
from machjudge.service.records import Game, GameId, StoredPhase
from machjudge.service.speech import read_order_lines


@dataclass(frozen=True, slots=True)
class PhaseCheck:
    """What came of rebuilding one stored phase."""

    number: int
    moment: str
    adjudicator: str
    """The version that made it."""
    starts_right: bool
    """Whether it starts from the position after its parent."""
    events_rebuild: bool
    """Whether its events lead from the position before to the one after."""
    differences: tuple[str, ...]
    """Events that playing it again does not bring (-), or brings besides (+)."""

    @property
    def is_kept(self) -> bool:
        """Whether the stored documents agree with each other; must always be true."""
        return self.starts_right and self.events_rebuild

    @property
    def plays_again(self) -> bool:
        """Whether its orders and dice bring the same events again."""
        return not self.differences


def replay(desk: Desk, game_id: GameId) -> tuple[PhaseCheck, ...] | None:
    """Check all stored phases of a game; none where there is no such game."""
    with desk.store.reading() as uow:
        game = uow.games.get(game_id)
        if game is None:
            return None
        phases = uow.phases.all_of(game_id)
    by_number = {phase.number: phase for phase in phases}
    return tuple(_checked(desk, game, phase, by_number.get(phase.parent or 0)) for phase in phases)


def _checked(desk: Desk, game: Game, phase: StoredPhase, parent: StoredPhase | None) -> PhaseCheck:
    world = world_of(desk.scenario(game), phase.rules)
    start = parent.after if phase.parent is not None and parent is not None else set_up(world)
    return PhaseCheck(
        number=phase.number,
        moment=phase.moment,
        adjudicator=phase.adjudicator,
        starts_right=phase.before == start,
        events_rebuild=evolve_all(phase.before, phase.events) == phase.after,
        differences=_differences(phase.events, _played_again(world, game, phase)),
    )


def _played_again(world: World, game: Game, phase: StoredPhase) -> tuple[Event, ...]:
    dice = SecretDice(game.secret, phase.moment)
    if phase.parent is None:
        opens = opens_in_adjustment(world.rules)
        return tuple(yearly_income(world, phase.before, dice)) if opens else ()
    stage = phase.before.moment.stage
    orders = {power: read_order_lines(world, stage, lines) for power, lines in phase.orders.items()}
    return play(world, phase.before, orders, dice).events


def _differences(stored: Sequence[Event], again: Sequence[Event]) -> tuple[str, ...]:
    if tuple(stored) == tuple(again):
        return ()
    lost = [f"- {event}" for event in _without(stored, again)]
    new = [f"+ {event}" for event in _without(again, stored)]
    return (*lost, *new) or ("the same events in another order",)


def _without(events: Iterable[Event], others: Iterable[Event]) -> list[Event]:
    left = list(others)
    found = []
    for event in events:
        if event in left:
            left.remove(event)
        else:
            found.append(event)
    return found
