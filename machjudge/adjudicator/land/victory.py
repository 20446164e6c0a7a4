"""The victory condition, which the master recognises (area VIC)."""

from collections import Counter

from machjudge.adjudicator.events import (
    EndThrown,
    Event,
    SideWon,
    VictoryReached,
)
from machjudge.adjudicator.evolve import Turn
from machjudge.adjudicator.land.control import cities_of
from machjudge.adjudicator.land.homes import homes_of, living_powers
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.rules import (
    BasicTest,
    HomeFormula,
    HomesCounted,
    Level,
    OwnHome,
    VictoryRules,
)
from machjudge.adjudicator.state import State
from machjudge.adjudicator.world import World

_BASIC_CITIES = 12
_BASIC_FOREIGN = 6
_NO_DIE = 10
"""With at most so many cities of the leader no die is thrown."""
FEW = 4
"""The most players of a small game."""

CITIES_OF_FEW = 18
_LISTED = {Level.ADVANCED: (15, 2), Level.ULTIMATE: (23, 3)}


def cities_needed(rules: VictoryRules, players: int) -> int:
    """Return the number of cities to win a game of so many (VIC-02 to VIC-04)."""
    match rules.level:
        case Level.BASIC:
            return _BASIC_CITIES
        case Level.ADVANCED if rules.more_for_few and players <= FEW:
            return CITIES_OF_FEW
        case Level.ADVANCED | Level.ULTIMATE:
            return _LISTED[rules.level][0]
        case Level.CUSTOM:
            return rules.cities


def homes_needed(rules: VictoryRules) -> int:
    """Return the number of home countries to win, own included (VIC-05, VIC-06, SET-20)."""
    if rules.homes_counted is HomesCounted.NONE:
        return 0
    match rules.level:
        case Level.BASIC:
            return 1
        case Level.ADVANCED | Level.ULTIMATE:
            return _LISTED[rules.level][1]
        case Level.CUSTOM:
            # The homes that follow from the cities: (cities + 1) / 8, rounded as the edition does.
            match rules.formula:
                case HomeFormula.UP:
                    return -(-(rules.cities + 1) // 8)
                case HomeFormula.DOWN:
                    return (rules.cities + 1) // 8
                case HomeFormula.NONE:
                    return rules.homes


def declare_victory(turn: Turn) -> list[Event]:
    """Return the winners so far, in the scenario's order (VIC-01, VIC-08).

    Powers of one player count together (VIC-09): their cities, conquered homes, and one for all the
    homes that they began with, so that the deal does not decide.
    """
    events: list[Event] = []
    counted: set[PowerId] = set()
    full_cities = turn.world.full_cities
    held = Counter(owner for city, owner in turn.state.cities.items() if city in full_cities)
    needed = cities_needed(turn.world.rules.victory, turn.world.scenario.players)
    for power in living_powers(turn.world, turn.state):
        side = turn.state.side_of(power)
        if power not in counted:
            cities = sum(held[member] for member in side)
            events += _victory(turn, side, cities) if cities >= needed else ()
        counted.update(side)
    return events


def throw_for_the_end(turn: Turn) -> list[Event]:
    """Throw for the game's end, if its leader has more than ten cities (VIC-10)."""
    world, state = turn.world, turn.state
    cities = Counter[tuple[PowerId, ...]]()
    for power in living_powers(world, state):
        cities[state.side_of(power)] += len(cities_of(world, state.cities, power))
    most = max(cities.values(), default=0)
    if most <= _NO_DIE:
        return []
    leaders = tuple(power for side in cities if cities[side] == most for power in side)
    thrown = turn.throw("end")
    return [thrown, EndThrown(leaders, most, thrown.dice[0], most - _NO_DIE)]


def _victory(turn: Turn, side: tuple[PowerId, ...], cities: int) -> list[Event]:
    world, state = turn.world, turn.state
    owned = {home for power in side for home in homes_of(world, state, power)}
    foreign, own = len(owned.difference(side)), bool(owned.intersection(side))
    counts_as_own = own or world.rules.victory.homes_counted is HomesCounted.OTHERS
    won = _has_won(world, state, side, foreign + counts_as_own)
    if not won or not _holds_own_home(world, state, side):
        return []
    homes = foreign + own
    if len(side) == 1:
        return [VictoryReached(side[0], cities, homes)]
    return [SideWon(side, cities, homes)]


def _has_won(world: World, state: State, side: tuple[PowerId, ...], homes: int) -> bool:
    """Return whether powers with enough cities have the homes too (VIC-02 to VIC-05)."""
    rules = world.rules.victory
    if rules.level is Level.BASIC:
        # What the basic victory asks for beside the number of cities (VIC-02).
        own = frozenset[PlaceId]().union(*(world.home_cities.get(power, ()) for power in side))
        held = {city for power in side for city in cities_of(world, state.cities, power)}
        if world.rules.victory.basic_test is BasicTest.PROVINCES_AND_ONE_OWN:
            whole = {city for city in held if state.provinces.get(city) in side}
            return len(whole) >= _BASIC_CITIES and not own.isdisjoint(whole)
        return own <= held and len(held - own) >= _BASIC_FOREIGN
    return homes >= homes_needed(rules)


def _holds_own_home(world: World, state: State, side: tuple[PowerId, ...]) -> bool:
    """Return whether they hold enough of their first home countries (VIC-07)."""
    own = [city for power in side for city in world.home_cities.get(power, ())]
    held = [state.cities.get(city) in side for city in own]
    match world.rules.victory.own_home:
        case OwnHome.NO:
            return True
        case OwnHome.ONE_CITY:
            return any(held)
        case OwnHome.ALL:
            return all(held)
