"""Who supports whom in a battle, and which supports have no match (MOV-13)."""

from collections.abc import Iterable, Mapping, Sequence

from machjudge.adjudicator.battle.contender import Contender
from machjudge.adjudicator.battle.strength import Battle
from machjudge.adjudicator.land.conversion import Intent
from machjudge.adjudicator.model.names import PlaceId
from machjudge.adjudicator.model.orders import Advance, Besiege, Convert, Support
from machjudge.adjudicator.model.rules import CoastSupport, EliteCut, SupportTarget
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
    by_place = world.rules.conflict.support_target is SupportTarget.PLACE
    by_point = world.rules.conflict.elite_cut is EliteCut.POINT
    by_strait = world.rules.strait.supports
    supported: dict[int, int] = {}
    for contender, order in supporting:
        if by_place:
            target = _all_there(world, battle, contender, order, chosen)
        else:
            target = _unit_named(world, battle, contender, order, chosen, garrison_at)
        if target is None:
            continue
        supported[contender.number] = target.number
        contender.supports = order.to if order.to is not None else order.supported.place
        if by_point:
            contender.yields = contender.force > 1 and contender.stands_in is not None
        if by_strait:
            contender.leg = world.strait_leg(contender.unit, contender.supports)
    return supported


def _unit_named(
    world: World,
    battle: Battle,
    contender: Contender,
    order: Support,
    chosen: Sequence[Intent],
    garrison_at: Mapping[PlaceId, int],
) -> Contender | None:
    """The unit that a support names, with the supporter behind it, if the two match."""
    target = _target(battle, order, garrison_at)
    if target is None or not _matches(world, contender, order, target, chosen[target.number]):
        return None
    if order.to is None and target.goal is not None:
        target.held_by += (contender.number,)
    else:
        target.backers += (contender.number,)
    return target


def _all_there(
    world: World, battle: Battle, contender: Contender, order: Support, chosen: Sequence[Intent]
) -> Contender | None:
    """Put the supporter behind the units of a power that are in a place or come there.

    Gives the first of them; None if there is none.

    One that tries to leave the place counts the support there if it has to stay (MOV-13).
    """
    place, power = order.supported.place, order.supported.owner
    found = []
    number = battle.holder.get(place)
    if number is not None and battle.contenders[number].unit.owner == power:
        holder = battle.contenders[number]
        if _may_be_held(world, contender, holder, chosen[number]):
            holder.held_by += (contender.number,)
            holder.held_anyway = True
            if holder.goal is None:
                holder.backers += (contender.number,)
            found.append(holder)
    for comer in battle.into.get(place, ()):
        if battle.contenders[comer].unit.owner == power:
            battle.contenders[comer].backers += (contender.number,)
            found.append(battle.contenders[comer])
    return found[0] if found else None


def _target(battle: Battle, order: Support, garrison_at: Mapping[PlaceId, int]) -> Contender | None:
    """The unit that a support names; the type must be right (MOV-13)."""
    named = order.supported
    places = garrison_at if named.kind is GARRISON else battle.holder
    number = places.get(named.place)
    if number is None:
        return None
    target = battle.contenders[number]
    return target if named.kind in (target.unit.kind, None) else None


def _matches(
    world: World, supporter: Contender, order: Support, target: Contender, intent: Intent
) -> bool:
    """Whether the supported unit does what the support is for (MOV-13, CNV-15)."""
    if order.to is None:
        # A move into a strait may turn out not to be ordered at all (MAP-35).
        stays = not isinstance(intent, Advance | Convert) or target.leg is not None
        backs = stays and supporter is not target
        backs = backs and _may_be_held(world, supporter, target, intent)
        return backs and _reaches_coast(world, supporter.unit, order, target.unit.coast)
    if target.goal != order.to:
        return False
    if not isinstance(intent, Advance):
        return True
    if order.coast and intent.coast and order.coast != intent.coast:
        return False
    return _reaches_coast(world, supporter.unit, order, intent.coast)


def _may_be_held(world: World, supporter: Contender, target: Contender, intent: Intent) -> bool:
    """Whether the rules let such a unit be supported where it stands (MOV-13, SIE-01)."""
    rules = world.rules.conflict
    if isinstance(intent, Support):
        return rules.chained_support
    inland = isinstance(intent, Besiege) and not world.is_port(world.city_before(target.unit.place))
    return rules.inland_siege or not inland or supporter.unit.kind is not FLEET


def _reaches_coast(world: World, supporter: Unit, order: Support, coast: str) -> bool:
    """Where the same coast is asked for, a fleet must reach the fleet's very coast (MOV-29)."""
    if world.rules.movement.coast_support is CoastSupport.ANY or not coast:
        return True
    if supporter.kind is not FLEET:
        return True
    into = order.to if order.to is not None else order.supported.place
    return any(spot.coast == coast for spot in world.spots_reached(supporter, into))
