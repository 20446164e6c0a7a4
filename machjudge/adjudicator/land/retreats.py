"""Retreats: options and results of dislodged units (MOV-40 to MOV-48)."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from machjudge.adjudicator.board import Spot
from machjudge.adjudicator.dice import drawn, lot_of
from machjudge.adjudicator.events import DiceThrown, Event, Retreated, UnitRemoved
from machjudge.adjudicator.evolve import Turn
from machjudge.adjudicator.land.sieges import locks_out
from machjudge.adjudicator.moments import Season
from machjudge.adjudicator.names import AUTONOMOUS, PlaceId
from machjudge.adjudicator.orders import Advance, Ally, Convert, Orders
from machjudge.adjudicator.reasons import Removal
from machjudge.adjudicator.rules import (
    Chooser,
    CityRetreat,
    Lagoon,
    Meeting,
    Origin,
    Piombino,
    RetreatStrength,
    RetreatTiming,
)
from machjudge.adjudicator.state import Dislodged, State
from machjudge.adjudicator.units import ARMY, FLEET, Unit
from machjudge.adjudicator.world import World


# Where dislodged units may go (MOV-40 to MOV-48).
@dataclass(frozen=True, slots=True)
class Attack:
    """The attack that dislodged a unit."""

    by: Unit
    """The attacker at its place before the campaign."""
    by_sea: bool
    from_city: bool
    """True for a garrison that converted out of that city."""


@dataclass(frozen=True, slots=True)
class Ground:
    """The map after movement, for retreats."""

    world: World
    start: State
    """The position before the campaign."""
    state: State
    """The position at movement.  Rebels in either of the two lock a city (MOV-42)."""
    afield: Mapping[PlaceId, Unit]
    """The unit in each province or sea after movement."""
    cities: frozenset[PlaceId]
    """The garrison in each city after movement."""
    contested: frozenset[PlaceId]
    """The places of bounces."""
    orders: Orders


def retreat_options(ground: Ground, unit: Unit, attack: Attack) -> Dislodged:
    """Return a dislodged unit's retreats after *attack*; none for autonomous ones."""
    if unit.owner == AUTONOMOUS or ground.world.place(unit.place).venice:
        return Dislodged(unit, (), convert=False)
    driven_from_piombino = _lost_piombino(ground.world, unit, attack)
    if driven_from_piombino is Piombino.DESTROYED:
        return Dislodged(unit, (), convert=False)
    spots = tuple(
        sorted(s for s in near_spots(ground.world, unit) if _is_open(ground, unit, attack, s))
    )
    if driven_from_piombino is Piombino.NO_SEA:
        spots = tuple(spot for spot in spots if not ground.world.place(spot.place).is_sea)
    spots = _without_venice(ground.world, unit, spots)
    last_resort = ground.world.rules.retreat.to_city is CityRetreat.LAST_RESORT
    convert = _city_is_open(ground, unit, attack) and not (last_resort and spots)
    return Dislodged(unit, spots, convert)


def near_spots(world: World, unit: Unit) -> Iterator[Spot]:
    """Return the spots in reach of an army or fleet in one step (MOV-06)."""
    if unit.kind is ARMY:
        yield from (Spot(place) for place in world.army.get(unit.place, ()))
    else:
        yield from world.fleet.get(Spot(unit.place, unit.coast), ())


def _is_open(ground: Ground, unit: Unit, attack: Attack, to: Spot) -> bool:
    """Return whether a place is empty, uncontested and not the attacker's origin."""
    if to.place in ground.afield or to.place in ground.contested:
        return False
    if to.place == attack.by.place and not attack.from_city:
        # Where the attacker came from (MOV-40).
        rule = ground.world.rules.retreat.convoyed_origin
        if not attack.by_sea or rule is Origin.CLOSED:
            return False
    if ground.world.place(to.place).venice and _venice_is_closed(ground, to.place):
        return False
    return unit.kind is not FLEET or not _strait_is_closed(ground, unit, to.place)


def _venice_is_closed(ground: Ground, venice: PlaceId) -> bool:
    """A garrison or rebels there let nobody in (MAP-28, MAP-34)."""
    rebels = (ground.start.city_rebellions, ground.state.city_rebellions)
    return venice in ground.cities or any(venice in cities for cities in rebels)


def _strait_is_closed(ground: Ground, unit: Unit, to: PlaceId) -> bool:
    """Return whether a hostile fleet guards the strait after movement (MAP-17)."""
    strait = ground.world.straits.get(frozenset((unit.place, to)))
    if strait is None:
        return False
    guard = ground.afield.get(strait.guard)
    if guard is None or guard.kind is not FLEET:
        return False
    # Permissions of the campaign hold for its retreats too (MAP-11).
    lets_pass = Ally(unit.owner) in ground.orders.get(guard.owner, ())
    return guard.owner != unit.owner and not lets_pass


def _lost_piombino(world: World, unit: Unit, attack: Attack) -> Piombino:
    """The retreats of a fleet that a fleet dislodged from a strait's province (MAP-17)."""
    rule = world.rules.retreat.piombino
    if rule is Piombino.NORMAL or unit.kind is not FLEET or attack.by.kind is not FLEET:
        return Piombino.NORMAL
    guarded = (strait for strait in world.straits.values() if strait.guard == unit.place)
    beyond = {end for strait in guarded for end in strait.edge - {unit.place}}
    # The guarded border runs between a sea and land, as at Piombino.
    return Piombino.NORMAL if all(world.place(end).is_sea for end in beyond) else rule


def _without_venice(world: World, unit: Unit, spots: tuple[Spot, ...]) -> tuple[Spot, ...]:
    """Where the rules ask for it, Venice is only the last resort from the Lagoon (MAP-34)."""
    if world.rules.retreat.lagoon is Lagoon.FLEET:
        return spots
    others = tuple(spot for spot in spots if not world.place(spot.place).venice)
    return others or spots


def _city_is_open(ground: Ground, unit: Unit, attack: Attack) -> bool:
    """Return whether the unit may become its province's garrison (MOV-42, MOV-44)."""
    if attack.from_city or not ground.world.holds_garrison(unit.place):
        return False
    if unit.place in ground.cities:
        return False
    if unit.kind is FLEET and not ground.world.berths(unit):
        return False
    rebels = (ground.start.city_rebellions, ground.state.city_rebellions)
    rules = ground.world.rules.conversion
    return not any(locks_out(rules, cities, unit) for cities in rebels)


# What becomes of retreats: who goes where, and who is destroyed (MOV-41, MOV-47). Owners order
# the retreats of their units in a phase of its own, or the judge chooses them at the end of the
# campaign. They happen together, or one after another in the order in which the powers are read
# out: that of the scenario, which begins one power later in each campaign.
@dataclass(frozen=True, slots=True)
class Goal:
    """The goal of a retreat: *spot*, or None for the city of its province."""

    spot: Spot | None


@dataclass(slots=True)
class DiceTieBreaker:
    """Breaks ties by two dice, which it records; without dice, the first wins."""

    turn: Turn
    thrown: dict[str, DiceThrown] = field(default_factory=dict)
    """The dice by purpose, each thrown once."""

    def draw(self, among: Sequence[Spot] | Sequence[Unit], purpose: str) -> int:
        """Return the index of the one drawn."""
        if len(among) == 1 or not self.turn.world.rules.game.dice:
            return 0
        if purpose not in self.thrown:
            self.thrown[purpose] = self.turn.throw(purpose, 2)
        return drawn(lot_of(self.thrown[purpose].dice), len(among))


def resolve_retreats(turn: Turn) -> Sequence[Event]:
    """Retreat units to ordered places, or where the judge sends them (MOV-41, MOV-47)."""
    if not turn.state.dislodged:
        return ()
    rules = turn.world.rules.retreat
    tie_breaker = DiceTieBreaker(turn)
    choose = _CHOICES[rules.chooser](tie_breaker)
    if rules.timing is RetreatTiming.READING_ORDER:
        events = list(_one_by_one(turn, choose))
    else:
        events = list(_together(turn, choose, tie_breaker))
    return [*tie_breaker.thrown.values(), *events]


Choose = Callable[[Dislodged, Collection[PlaceId]], Goal | None]
"""Chooses a retreat among those not taken; None for none."""


def _together(turn: Turn, choose: Choose, tie_breaker: DiceTieBreaker) -> Iterator[Event]:
    """Retreat all at once: of units that meet, at most one stays.

    The judge sends the others to the next best place; owners' orders are final.
    """
    again = turn.world.rules.retreat.chooser is not Chooser.PLAYER
    queue = sorted(turn.state.dislodged, key=lambda each: (each.unit.owner, each.unit.place))
    stays: dict[PlaceId, Unit | None] = {}
    goals: dict[Unit, Goal | None] = {}
    waiting = queue
    while waiting:
        chosen = {each.unit: choose(each, stays) for each in waiting}
        goals |= chosen
        stays |= {
            place: _stays(turn, tie_breaker, place, units)
            for place, units in sorted(_meeting(chosen).items())
        }
        waiting = [each for each in waiting if again and _is_out(each.unit, goals, stays)]
    for each in queue:
        yield _outcome(turn.world, each.unit, goals[each.unit], stays)


def _meeting(goals: Mapping[Unit, Goal | None]) -> dict[PlaceId, list[Unit]]:
    """The units that come to each place."""
    meeting: dict[PlaceId, list[Unit]] = {}
    for unit, goal in goals.items():
        if goal is not None and goal.spot is not None:
            meeting.setdefault(goal.spot.place, []).append(unit)
    return meeting


def _is_out(
    unit: Unit, goals: Mapping[Unit, Goal | None], stays: Mapping[PlaceId, Unit | None]
) -> bool:
    """Return whether another unit, or none, stays at the unit's goal."""
    goal = goals[unit]
    return goal is not None and goal.spot is not None and stays[goal.spot.place] != unit


def _stays(
    turn: Turn, tie_breaker: DiceTieBreaker, place: PlaceId, units: Sequence[Unit]
) -> Unit | None:
    """The unit that stays in a place, or None (MOV-41)."""
    rules = turn.world.rules.retreat
    if rules.strength is RetreatStrength.REAL:
        most = max(unit.quality.strength for unit in units)
        units = [unit for unit in units if unit.quality.strength == most]
    if len(units) == 1 or rules.meeting is Meeting.FIRST_READ:
        return min(units, key=partial(_reading_place, turn))
    if rules.meeting is Meeting.DIE:
        return units[tie_breaker.draw(units, f"retreats to {place}")]
    return None


def _one_by_one(turn: Turn, choose: Choose) -> Iterator[Event]:
    """Retreat in the order of reading: one whose goal is taken goes elsewhere (MOV-41)."""
    stays: dict[PlaceId, Unit | None] = {}
    queue = sorted(turn.state.dislodged, key=lambda each: _reading_place(turn, each.unit))
    for each in queue:
        goal, wanted = choose(each, stays), None
        if goal is not None and goal.spot is not None and goal.spot.place in stays:
            wanted, goal = goal.spot.place, _elsewhere(turn, each, stays) or goal
        if goal is not None and goal.spot is not None:
            stays.setdefault(goal.spot.place, each.unit)
        yield _outcome(turn.world, each.unit, goal, stays, wanted)


def _elsewhere(turn: Turn, waiting: Dislodged, taken: Collection[PlaceId]) -> Goal | None:
    """The best remaining retreat, of equals the first; the city if there is no other."""
    left = [spot for spot in waiting.retreats if spot.place not in taken]
    if left:
        unit = waiting.unit
        return Goal(min(left, key=lambda spot: (ranked_retreat(turn, unit, spot.place), spot)))
    return Goal(None) if waiting.convert else None


def _outcome(
    world: World,
    unit: Unit,
    goal: Goal | None,
    stays: Mapping[PlaceId, Unit | None],
    wanted: PlaceId | None = None,
) -> Event:
    if goal is None:
        asked = world.rules.retreat.chooser is Chooser.PLAYER
        return UnitRemoved(unit, Removal.NO_RETREAT_ORDERED if asked else Removal.NO_RETREAT)
    if goal.spot is None:
        return Retreated(unit, unit.place, unit.coast, True, wanted)
    to = goal.spot
    if stays[to.place] != unit:
        return UnitRemoved(unit, Removal.RETREATS_MET)
    # From the Lagoon to Venice a retreat may end in the city (MAP-34).
    into_city = world.rules.retreat.lagoon is Lagoon.GARRISON_LAST and world.place(to.place).venice
    return Retreated(unit, to.place, to.coast, into_city, wanted)


# --- who chooses -----------------------------------------------------------------------------


def _ordered(turn: Turn, waiting: Dislodged, _taken: Collection[PlaceId]) -> Goal | None:
    """The ordered retreat; None for a disbanded unit or no order."""
    unit = waiting.unit
    for order in turn.orders.get(unit.owner, ()):
        if isinstance(order, Advance | Convert) and order.unit.place == unit.place:
            return Goal(Spot(order.to, order.coast) if isinstance(order, Advance) else None)
    return None


Rank = Callable[[Turn, Unit, PlaceId], tuple[int, ...]]
"""The judge's rank of a retreat; the least is best."""


def _chosen(
    rank: Rank, tie_breaker: DiceTieBreaker, waiting: Dislodged, taken: Collection[PlaceId]
) -> Goal | None:
    """The best remaining place, equals by lot; the city if there is no other."""
    unit = waiting.unit
    spots = sorted(spot for spot in waiting.retreats if spot.place not in taken)
    if not spots:
        return Goal(None) if waiting.convert else None
    best = min(rank(tie_breaker.turn, unit, spot.place) for spot in spots)
    equals = [spot for spot in spots if rank(tie_breaker.turn, unit, spot.place) == best]
    return Goal(equals[tie_breaker.draw(equals, f"retreat {unit.place}")])


def ranked_retreat(turn: Turn, unit: Unit, place: PlaceId) -> tuple[int, ...]:
    """Return the rank: sea, own land, nobody's, another's; all before famine."""
    (famine,) = _lumped(turn, unit, place)
    if turn.world.place(place).is_sea:
        return famine, 0
    owner = turn.state.provinces.get(place)
    return famine, 1 if owner == unit.owner else 2 if owner is None else 3


def _lumped(turn: Turn, _unit: Unit, place: PlaceId) -> tuple[int, ...]:
    """Places without famine before those with it."""
    return (int(place in turn.state.famine),)


_CHOICES: Mapping[Chooser, Callable[[DiceTieBreaker], Choose]] = {
    Chooser.PLAYER: lambda tie_breaker: partial(_ordered, tie_breaker.turn),
    Chooser.RANKED: lambda tie_breaker: partial(_chosen, ranked_retreat, tie_breaker),
    Chooser.LUMPED: lambda tie_breaker: partial(_chosen, _lumped, tie_breaker),
}


# --- the order in which they are read --------------------------------------------------------


def _reading_place(turn: Turn, unit: Unit) -> tuple[int, PlaceId]:
    """The reading order of a retreat: by powers, then by place.

    The first power changes with each campaign.
    """
    powers = tuple(turn.world.scenario.powers)
    world, now = turn.world, turn.start.moment
    seasons = [each for each in Season if world.rules.game.summer or each is not Season.SUMMER]
    played = (now.year - world.scenario.year) * len(seasons) + seasons.index(now.season)
    return ((powers.index(unit.owner) - played) % len(powers), unit.place)
