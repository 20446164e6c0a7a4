"""The rows of the index beside the stored phases: what each power holds in a position."""

from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.world import World
from machjudge.letters.receipt.todo import cities_that_count
from machjudge.letters.wording.words import Words
from machjudge.service.model.records import Holding


def holdings(world: World, state: State) -> tuple[Holding, ...]:
    """The rows of the index for a position."""
    words = Words(world)
    return tuple(
        Holding(
            power,
            cities=cities_that_count(words, state, power),
            treasury=state.treasuries.get(power, 0) if world.rules.game.money else None,
        )
        for power in world.scenario.in_play
    )
