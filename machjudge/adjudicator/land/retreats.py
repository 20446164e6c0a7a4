"""Where dislodged units may go (MOV-40 to MOV-48)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from machjudge.adjudicator.land.conversion import locks_out
from machjudge.adjudicator.model.board import Spot
from machjudge.adjudicator.model.names import AUTONOMOUS, PlaceId, PowerId
from machjudge.adjudicator.model.orders import Ally, Orders
from machjudge.adjudicator.model.rules import CityRetreat, Lagoon, Origin, Piombino
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.units import ARMY, FLEET, Unit
from machjudge.adjudicator.model.world import World


@dataclass(frozen=True, slots=True)
class Attack:
    """Who drove the unit out, and how it came."""

    by: Unit
    """The attacker where it stood before the campaign."""
    by_sea: bool
    from_city: bool
    """Whether it was the garrison converting out of that city."""


@dataclass(frozen=True, slots=True)
class Ground:
    """The map after movement, as far as retreats ask for it."""

    world: World
    start: State
    """The position before the campaign."""
    state: State
    """The position at movement.  Rebels in either of the two lock a city (MOV-42)."""
    afield: Mapping[PlaceId, Unit]
    """Who stands in which province or sea after movement."""
    cities: frozenset[PlaceId]
    """Where a garrison stands after movement."""
    contested: frozenset[PlaceId]
    """Where units bounced."""
    orders: Orders


@dataclass(frozen=True, slots=True)
class WaysOut:
    """Where a unit may retreat, and whether into the city of its own province."""

    spots: tuple[Spot, ...]
    convert: bool


NO_WAY_OUT = WaysOut((), convert=False)


def ways_out(ground: Ground, unit: Unit, attack: Attack) -> WaysOut:
    """The retreats open to a unit that *attack* drove out; nobody orders autonomous ones."""
    if unit.owner == AUTONOMOUS or ground.world.place(unit.place).venice:
        return NO_WAY_OUT
    driven_from_piombino = _lost_piombino(ground.world, unit, attack)
    if driven_from_piombino is Piombino.DESTROYED:
        return NO_WAY_OUT
    spots = tuple(
        sorted(s for s in near_spots(ground.world, unit) if _is_open(ground, unit, attack, s))
    )
    if driven_from_piombino is Piombino.NO_SEA:
        spots = tuple(spot for spot in spots if not ground.world.place(spot.place).is_sea)
    spots = _without_venice(ground.world, unit, spots)
    last_resort = ground.world.rules.retreat.to_city is CityRetreat.LAST_RESORT
    convert = _city_is_open(ground, unit, attack) and not (last_resort and spots)
    return WaysOut(spots, convert)


def near_spots(world: World, unit: Unit) -> Iterator[Spot]:
    """Where an army or fleet could go in one step over land or sea (MOV-06)."""
    if unit.kind is ARMY:
        yield from (Spot(place) for place in world.army.get(unit.place, ()))
    else:
        yield from world.fleet.get(Spot(unit.place, unit.coast), ())


def _is_open(ground: Ground, unit: Unit, attack: Attack, to: Spot) -> bool:
    """Whether a retreat may lead there: empty, not fought over, not the attacker's origin."""
    if to.place in ground.afield or to.place in ground.contested:
        return False
    if not attack.from_city and to.place == attack.by.place and _origin_is_closed(ground, attack):
        return False
    if ground.world.place(to.place).venice and _venice_is_closed(ground, to.place):
        return False
    return unit.kind is not FLEET or not _strait_is_closed(ground, unit, to.place)


def _origin_is_closed(ground: Ground, attack: Attack) -> bool:
    rules = ground.world.rules.retreat
    return not attack.by_sea or rules.convoyed_origin is Origin.CLOSED


def _venice_is_closed(ground: Ground, venice: PlaceId) -> bool:
    """A garrison or rebels there let nobody in (MAP-28, MAP-34)."""
    rebels = (ground.start.city_rebellions, ground.state.city_rebellions)
    return venice in ground.cities or any(venice in cities for cities in rebels)


def _strait_is_closed(ground: Ground, unit: Unit, to: PlaceId) -> bool:
    """Whether a hostile fleet stands in the guarding province after movement (MAP-17)."""
    strait = ground.world.straits.get(frozenset((unit.place, to)))
    if strait is None:
        return False
    guard = ground.afield.get(strait.guard)
    if guard is None or guard.kind is not FLEET:
        return False
    return guard.owner != unit.owner and not _lets_pass(ground.orders, guard.owner, unit.owner)


def _lets_pass(orders: Orders, guard: PowerId, power: PowerId) -> bool:
    """Permissions of the campaign hold for its retreats too (MAP-11)."""
    return any(
        isinstance(order, Ally) and order.allowed and order.power == power
        for order in orders.get(guard, ())
    )


def _lost_piombino(world: World, unit: Unit, attack: Attack) -> Piombino:
    """What a fleet may do that a fleet drove out of the province of a strait (MAP-17)."""
    rule = world.rules.retreat.piombino
    if rule is Piombino.NORMAL or unit.kind is not FLEET or attack.by.kind is not FLEET:
        return Piombino.NORMAL
    guarded = any(
        strait.guard == unit.place and _flanks(world, strait.edge, unit.place)
        for strait in world.straits.values()
    )
    return rule if guarded else Piombino.NORMAL


def _flanks(world: World, edge: frozenset[PlaceId], place: PlaceId) -> bool:
    """Whether the guarded border runs between a sea and land, as at Piombino."""
    return any(not world.place(end).is_sea for end in edge - {place})


def _without_venice(world: World, unit: Unit, spots: tuple[Spot, ...]) -> tuple[Spot, ...]:
    """Where the rules ask for it, Venice is only the last resort from the Lagoon (MAP-34)."""
    if world.rules.retreat.lagoon is Lagoon.FLEET:
        return spots
    others = tuple(spot for spot in spots if not world.place(spot.place).venice)
    return others or spots


def _city_is_open(ground: Ground, unit: Unit, attack: Attack) -> bool:
    """Whether the unit may become the garrison of its own province (MOV-42, MOV-44)."""
    if attack.from_city or not ground.world.holds_garrison(unit.place):
        return False
    if unit.place in ground.cities:
        return False
    if unit.kind is FLEET and not ground.world.berths(unit):
        return False
    rebels = (ground.start.city_rebellions, ground.state.city_rebellions)
    rules = ground.world.rules.conversion
    return not any(locks_out(rules, cities, unit) for cities in rebels)
