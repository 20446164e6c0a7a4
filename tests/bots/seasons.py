"""Games in which bots lead all powers: each knows what its seat would."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from machjudge.adjudicator.dice import SecretDice
from machjudge.adjudicator.events import VictoryReached
from machjudge.adjudicator.legality import sort_out
from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.orders import Orders
from machjudge.adjudicator.state import State
from machjudge.adjudicator.world import World
from machjudge.adjudicator.year.steps import play
from machjudge.bots.policies import BotPolicy, chance_of, choose
from machjudge.messages.visibility import Sight
from tests.games.game import Deal, opening, world_for
from tests.games.invariants import Phase, flaws

Seating = Callable[[PowerId], BotPolicy]


@dataclass(frozen=True, slots=True)
class Season:
    """A phase that bots have played."""

    world: World
    before: State
    orders: Orders
    after: State
    is_won: bool


def known(world: World, state: State, power: PowerId) -> State:
    """What the seat of a power knows in a game that hides everything."""
    sight = Sight(frozenset((power,)), plays=True, hidden_money=True, hidden_kinds=True, foggy=True)
    return sight.known(world, sight.view(world, state))


def ordered(world: World, state: State, seating: Seating, secret: bytes) -> Orders:
    """What the bots order."""
    return {
        power: tuple(
            each.order
            for each in choose(
                seating(power),
                world,
                known(world, state, power),
                power,
                chance_of(secret, state.moment.code, power),
            )
        )
        for power in world.in_play
    }


def seasons(deal: Deal, seating: Seating, years: int) -> Iterator[Season]:
    """Play a game by bots, to its end or for some years; raise at the first thing that is wrong."""
    world = world_for(deal)
    state = opening(world, deal.secret)
    while state.moment.year < world.scenario.year + years:
        orders = ordered(world, state, seating, deal.secret)
        found = wrong(world, state, orders)
        dice = SecretDice(deal.secret, state.moment.code)
        played = play(world, state, orders, dice)
        found += flaws(Phase(world, state, dice, played))
        assert not found, (str(deal), state.moment.code, found)
        won = any(isinstance(event, VictoryReached) for event in played.events)
        yield Season(world, state, orders, played.state, won)
        if won or len(set(world.in_play) - played.state.eliminated) <= 1:
            return
        state = played.state


def wrong(world: World, state: State, orders: Orders) -> list[str]:
    """What of the orders is refused, or replaced by a later one."""
    sorted_out = sort_out(world, state, orders)
    return [*map(str, sorted_out.refused), *map(str, sorted_out.replaced)]


def cities(season: Season) -> Mapping[PowerId, int]:
    """How many cities each power has after a season."""
    return Counter(season.after.cities.values())
