"""What random players order: plausible as a rule, and now and then nonsense."""

from collections.abc import Callable, Mapping
from random import Random

from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.orders import GiveChit, Order, Orders
from machjudge.adjudicator.state import State
from machjudge.adjudicator.world import World
from tests.games import armies, purses, winters
from tests.games.mind import Mind


def orders_for(world: World, state: State, chance: Random) -> Orders:
    """The orders of all powers for the phase that *state* is at; some powers say nothing."""
    orders: dict[PowerId, tuple[Order, ...]] = {}
    for power in world.scenario.in_play:
        mind = Mind(world, state, power, chance)
        if power in state.eliminated or mind.now_and_then(0.02):
            continue
        sheet = [*_BY_STAGE[state.moment.stage](mind), *_chits(mind)]
        if mind.now_and_then(0.1):
            chance.shuffle(sheet)
        orders[power] = tuple(sheet)
    return orders


def _campaign(mind: Mind) -> list[Order]:
    return [*armies.campaign_orders(mind), *purses.money_orders(mind)]


def _chits(mind: Mind) -> list[Order]:
    """Chits change hands in any phase (ASN-02); sometimes ones that the giver does not hold."""
    powers = list(mind.world.scenario.in_play)
    if not mind.now_and_then(0.02):
        return []
    held = list(mind.state.chits.get(mind.power, ()))
    victim = mind.chance.choice(held if held and mind.now_and_then(0.8) else powers)
    return [GiveChit(victim, mind.chance.choice(powers))]


_BY_STAGE: Mapping[Stage, Callable[[Mind], list[Order]]] = {
    Stage.CAMPAIGN: _campaign,
    Stage.RETREATS: winters.retreat_orders,
    Stage.ADJUSTMENT: winters.adjustment_orders,
}
