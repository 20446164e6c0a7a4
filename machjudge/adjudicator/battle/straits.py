"""Straits in a battle: which fleets may close each of them."""

from collections.abc import Sequence

from machjudge.adjudicator.battle.strait_guards import Guards
from machjudge.adjudicator.battle.strength import Battle
from machjudge.adjudicator.events.turn import Turn
from machjudge.adjudicator.land.conversion import Intent, enters_city
from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.orders import Ally, Convert
from machjudge.adjudicator.model.rules import StraitEntry
from machjudge.adjudicator.model.units import FLEET
from machjudge.adjudicator.model.world import World


def guard_straits(turn: Turn, battle: Battle, chosen: Sequence[Intent]) -> None:
    """Tell a battle which fleets may close each strait."""
    if not turn.world.straits:
        return
    allowed = frozenset(
        (power, order.power)
        for power, sheet in turn.orders.items()
        for order in sheet
        if isinstance(order, Ally) and order.allowed
    )
    for edge, strait in turn.world.straits.items():
        battle.guards[edge] = _guards(turn.world, battle, chosen, strait.guard, allowed)


def _guards(
    world: World,
    battle: Battle,
    chosen: Sequence[Intent],
    guard: PlaceId,
    allowed: frozenset[tuple[PowerId, PowerId]],
) -> Guards:
    """Who may close the strait at *guard*, and on what it depends (MAP-13 to MAP-16, MAP-36)."""
    rules = world.rules.strait
    staying: tuple[int, ...] = ()
    leaving: tuple[int, ...] = ()
    number = battle.holder.get(guard)
    if number is not None and battle.contenders[number].unit.kind is FLEET:
        fleet, intent = battle.contenders[number], chosen[number]
        if enters_city(intent):
            stays = rules.convert_in_blocks
        else:
            stays = rules.leaver_blocks or not fleet.leaves
        staying, leaving = ((number,), ()) if stays else ((), (number,))
    entering = tuple(
        n for n in battle.into.get(guard, ()) if _closes_by_entering(world, battle, chosen[n], n)
    )
    if rules.entry is StraitEntry.IF_NO_FLEET and (staying or leaving):
        entering = tuple(n for n in entering if battle.contenders[n].stands_in is None)
    return Guards(staying, leaving, entering, allowed)


def _closes_by_entering(world: World, battle: Battle, intent: Intent, number: int) -> bool:
    rules = world.rules.strait
    if isinstance(intent, Convert):
        return intent.into is FLEET and rules.convert_out_blocks
    is_fleet = battle.contenders[number].unit.kind is FLEET
    return is_fleet and rules.entry is not StraitEntry.NEVER
