"""Who supports whom in a battle, and which supports have no match (MOV-13)."""

from collections.abc import Iterable, Mapping, Sequence

from machjudge.adjudicator.battle.contender import Contender
from machjudge.adjudicator.battle.strength import Battle
from machjudge.adjudicator.land.conversion import Intent
from machjudge.adjudicator.model.names import PlaceId
from machjudge.adjudicator.model.orders import Advance, Convert, Support
from machjudge.adjudicator.model.rules import CoastSupport
from machjudge.adjudicator.model.units import FLEET, GARRISON, Unit
from machjudge.adjudicator.model.world import World


def line_up_supports(
    world: World,
    battle: Battle,
    chosen: Sequence[Intent],
    supporting: Iterable[tuple[Contender, Support]],
    garrison_at: Mapping[PlaceId, int],
) -> dict[int, int]:
    """Put supporters behind those whom they support; gives whom, by the supporter's number.

    Supporters without a match are left out.
    """
    supported: dict[int, int] = {}
    for fighter, order in supporting:
        target = _target(battle, order, garrison_at)
        if target is None or not _matches(world, fighter, order, target, chosen[target.number]):
            continue
        supported[fighter.number] = target.number
        if order.to is None and target.goal is not None:
            target.held_by += (fighter.number,)
        else:
            target.backers += (fighter.number,)
        fighter.supports = order.to if order.to is not None else target.unit.place
        if world.rules.strait.supports:
            fighter.leg = world.strait_leg(fighter.unit, fighter.supports)
    return supported


def _target(battle: Battle, order: Support, garrison_at: Mapping[PlaceId, int]) -> Contender | None:
    """The unit that a support names; the type must be right (MOV-13)."""
    named = order.supported
    places = garrison_at if named.kind is GARRISON else battle.holder
    number = places.get(named.place)
    if number is None:
        return None
    target = battle.fighters[number]
    return target if named.kind in (target.unit.kind, None) else None


def _matches(
    world: World, supporter: Contender, order: Support, target: Contender, intent: Intent
) -> bool:
    """Whether the supported unit does what the support is for (MOV-13, CNV-15)."""
    if order.to is None:
        # A move into a strait may turn out not to be ordered at all (MAP-35).
        stays = not isinstance(intent, Advance | Convert) or target.leg is not None
        backs = stays and supporter is not target
        return backs and _reaches_coast(world, supporter.unit, order, target.unit.coast)
    if target.goal != order.to:
        return False
    if not isinstance(intent, Advance):
        return True
    if order.coast and intent.coast and order.coast != intent.coast:
        return False
    return _reaches_coast(world, supporter.unit, order, intent.coast)


def _reaches_coast(world: World, supporter: Unit, order: Support, coast: str) -> bool:
    """Where the same coast is asked for, a fleet must reach the fleet's very coast (MOV-29)."""
    if world.rules.movement.coast_support is CoastSupport.ANY or not coast:
        return True
    if supporter.kind is not FLEET:
        return True
    into = order.to if order.to is not None else order.supported.place
    return any(spot.coast == coast for spot in world.spots_reached(supporter, into))
