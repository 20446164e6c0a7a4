"""Who fulfils the victory condition; the master recognises it (area VIC)."""

from machjudge.adjudicator.control import cities_of
from machjudge.adjudicator.events import Event, VictoryReached
from machjudge.adjudicator.home import homes_of, living_powers
from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.rules import HomeFormula, Level, VictoryRules
from machjudge.adjudicator.state import State
from machjudge.adjudicator.turn import Turn
from machjudge.adjudicator.world import World

_BASIC_CITIES = 12
_BASIC_FOREIGN = 6
_LISTED = {Level.ADVANCED: (15, 2), Level.ULTIMATE: (23, 3)}


def cities_needed(rules: VictoryRules) -> int:
    """The cities that the victory condition asks for (VIC-02 to VIC-04)."""
    match rules.level:
        case Level.BASIC:
            return _BASIC_CITIES
        case Level.ADVANCED | Level.ULTIMATE:
            return _LISTED[rules.level][0]
        case Level.CUSTOM:
            return rules.cities


def homes_needed(rules: VictoryRules) -> int:
    """The home countries that it asks for, own included (VIC-05, VIC-06)."""
    match rules.level:
        case Level.BASIC:
            return 1
        case Level.ADVANCED | Level.ULTIMATE:
            return _LISTED[rules.level][1]
        case Level.CUSTOM:
            return homes_by_formula(rules)


def homes_by_formula(rules: VictoryRules) -> int:
    """The homes that follow from the cities: (cities + 1) / 8, rounded as the edition does."""
    match rules.formula:
        case HomeFormula.UP:
            return -(-(rules.cities + 1) // 8)
        case HomeFormula.DOWN:
            return (rules.cities + 1) // 8
        case HomeFormula.NONE:
            return rules.homes


def declare_victory(turn: Turn) -> list[Event]:
    """The powers that fulfil the condition now, in the scenario's order (VIC-01, VIC-08)."""
    events: list[Event] = []
    needed = cities_needed(turn.world.rules.victory)
    full_cities = turn.world.full_cities
    owners = [owner for city, owner in turn.state.cities.items() if city in full_cities]
    for power in living_powers(turn.world, turn.state):
        cities = owners.count(power)
        if cities < needed:
            continue
        homes = len(homes_of(turn.world, turn.state, power))
        if _has_won(turn.world, turn.state, power, homes):
            events.append(VictoryReached(power, cities, homes))
    return events


def _has_won(world: World, state: State, power: PowerId, homes: int) -> bool:
    """Whether a power with enough cities has the homes too (VIC-02 to VIC-05)."""
    rules = world.rules.victory
    if rules.level is Level.BASIC:
        return _has_basic(world, state, power)
    return homes >= homes_needed(rules)


def _has_basic(world: World, state: State, power: PowerId) -> bool:
    """All cities of the own home country and at least six others (VIC-02)."""
    home = world.home_blocks.get(power, frozenset())
    own = home & world.full_cities
    held = set(cities_of(world, state.cities, power))
    return own <= held and len(held - own) >= _BASIC_FOREIGN
