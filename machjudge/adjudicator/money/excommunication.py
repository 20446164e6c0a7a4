"""Excommunication: what the Papacy may keep from a power in the next campaign (BNK-22)."""

from collections.abc import Sequence

from machjudge.adjudicator.events import Event, Excommunicated
from machjudge.adjudicator.events.turn import Turn
from machjudge.adjudicator.model.moments import Stage, next_campaign
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.orders import Excommunicate
from machjudge.adjudicator.model.rules import AdjustmentSeason, Ban
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.world import World


def excommunicate(turn: Turn) -> Sequence[Event]:
    """The bans of this campaign, which hold in the next one."""
    during = next_campaign(turn.state.moment.campaign, summer=turn.world.rules.game.summer)
    bans = [
        Excommunicated(order.power, power, during)
        for power, sheet in turn.orders.items()
        for order in sheet
        if isinstance(order, Excommunicate) and order.banned
    ]
    return sorted(bans, key=lambda ban: (ban.by, ban.victim))


def is_cut_off(world: World, state: State, power: PowerId, *, by: Ban) -> bool:
    """Whether a power is excommunicated in this campaign, where the rules have that ban.

    An adjustment that belongs to Spring is part of its campaign.
    """
    now = state.moment.campaign
    in_spring = world.rules.game.adjustment_season is AdjustmentSeason.SPRING
    if state.moment.stage is Stage.ADJUSTMENT and in_spring:
        now = next_campaign(now, summer=world.rules.game.summer)
    return world.rules.orders.ban is by and state.excommunicated.get(power) == now
