"""Home countries and elimination (areas HOM, ELI)."""

from collections import Counter
from collections.abc import Iterable

from machjudge.adjudicator.events import (
    CityTaken,
    Event,
    HomeConquered,
    HomeHeld,
    PowerEliminated,
    ProvinceTaken,
    UnitRemoved,
)
from machjudge.adjudicator.evolve import Turn, evolve_all
from machjudge.adjudicator.land.control import changes_of_control
from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.reasons import Removal
from machjudge.adjudicator.rules import Conquest, EliminationTest, HomeLoss, RebelControl
from machjudge.adjudicator.state import State
from machjudge.adjudicator.world import World


def homes_of(world: World, state: State, power: PowerId) -> list[PowerId]:
    """Return a power's home countries, by their original powers."""
    return [home for home in world.home_blocks if owner_of_home(world, state, home) == power]


def owner_of_home(world: World, state: State, home: PowerId) -> PowerId | None:
    """Return the owner of *home*'s original home country (HOM-01)."""
    return state.homes.get(world.scenario.powers[home].home[0])


def living_powers(world: World, state: State) -> list[PowerId]:
    """Return the living powers with players, in the scenario's order."""
    return [power for power in world.in_play if power not in state.eliminated]


# --- elimination -----------------------------------------------------------------------------


def eliminate_powers(turn: Turn) -> list[Event]:
    """Eliminate powers without a city in any home country that they own (ELI-01 to ELI-05)."""
    gone = _lost_powers(turn.world, turn.state)
    if not gone:
        return []
    events = [event for power in gone for event in _leave(turn.world, turn.state, power)]
    # A foreign garrison gets the province around it that the dead power's unit held (ELI-02).
    events += changes_of_control(turn.world, evolve_all(turn.state, events))
    return events


def _lost_powers(world: World, state: State) -> list[PowerId]:
    living = living_powers(world, state)
    if world.rules.control.elimination_test is EliminationTest.NOTHING_LEFT:
        present = {unit.owner for unit in state.units()}.union(state.cities.values())
        return [power for power in living if power not in present]
    if world.rules.control.elimination_test is EliminationTest.HELD_BY_OTHERS:
        return [power for power in living if _is_driven_out(world, state, power)]
    at_home = {
        owner
        for city, owner in state.cities.items()
        if state.homes.get(city) == owner and city in world.full_cities
    }
    if world.rules.rebellion.control is not RebelControl.KEPT:
        at_home |= _with_rebels_at_home(world, state)
    if world.rules.control.elimination_test is EliminationTest.MULTI:
        at_home |= _with_foothold(world, state, least=2)
    if world.rules.control.elimination_test is EliminationTest.NOTHING_HELD:
        at_home |= _with_foothold(world, state, least=1)
    return [power for power in living if power not in at_home]


def _is_driven_out(world: World, state: State, power: PowerId) -> bool:
    """Return whether others hold all cities of its homes, or it has none (ELI-01)."""
    cities = [city for home in homes_of(world, state, power) for city in world.home_cities[home]]
    return all(state.cities.get(city) not in (None, power) for city in cities)


def _with_rebels_at_home(world: World, state: State) -> set[PowerId]:
    """Powers with rebel cities at home, which count for them (ELI-03)."""
    rebels = {**state.city_rebellions, **state.province_rebellions}
    return {
        target
        for place, target in rebels.items()
        if target is not None and place in world.full_cities and state.homes.get(place) == target
        if place not in state.garrisons and place not in state.field
    }


def _with_foothold(world: World, state: State, *, least: int) -> set[PowerId]:
    """Powers with enough home countries and a province in one of them (ELI-01)."""
    owners = Counter(owner_of_home(world, state, home) for home in world.home_blocks)
    held = {owner for place, owner in state.provinces.items() if state.homes.get(place) == owner}
    return {owner for owner in held if owners[owner] >= least}


def _leave(world: World, state: State, power: PowerId) -> Iterable[Event]:
    yield PowerEliminated(power)
    for unit in state.units_of(power):
        yield UnitRemoved(unit, Removal.ELIMINATION)
    for place in sorted(place for place, owner in state.provinces.items() if owner == power):
        yield ProvinceTaken(place, None, power)
    for place in sorted(place for place, owner in state.cities.items() if owner == power):
        yield CityTaken(place, None, power)
    for home in world.home_blocks:
        # Place by place, for a position that somebody made may part a home country.
        places = world.scenario.powers[home].home
        if owned := tuple(place for place in places if state.homes.get(place) == power):
            yield HomeConquered(home, owned, None, power)


# --- conquest --------------------------------------------------------------------------------


def conquer_homes(turn: Turn) -> list[Event]:
    """Give a home country to the controller of all its provinces and cities (HOM-02, HOM-08).

    Where that takes a full campaign, a first-time controller waits for the next one.
    """
    world, state = turn.world, turn.state
    events: list[Event] = []
    for home in world.home_blocks:
        before = owner_of_home(world, state, home)
        now = conqueror = _conqueror(world, state, home, before)
        held = state.home_holders.get(home)
        takes_long = world.rules.control.conquest is Conquest.FULL_CAMPAIGN
        waits = takes_long and conqueror not in (None, before, held)
        if conqueror is None or waits:
            now = None if _is_lost(world, state, home, before) else before
        if now != before:
            events.append(HomeConquered(home, world.scenario.powers[home].home, now, before))
        waiting = conqueror if waits else None
        if waiting != held:
            events.append(HomeHeld(home, waiting))
    return events


def _conqueror(world: World, state: State, home: PowerId, before: PowerId | None) -> PowerId | None:
    """The power that controls all of a home country, perhaps its owner; None if none may."""
    holders = set(map(state.provinces.get, world.home_blocks[home]))
    holders.update(map(state.cities.get, world.home_cities[home]))
    if len(holders) > 1 or (before is None and not world.rules.control.ownerless_home):
        return None
    return next(iter(holders)) or before


def _is_lost(world: World, state: State, home: PowerId, owner: PowerId | None) -> bool:
    """Return whether a home country is lost without a conqueror (HOM-03)."""
    match world.rules.control.home_loss:
        case HomeLoss.CONQUERED_ONLY:
            return False
        case HomeLoss.CITIES_LOST:
            places = [state.cities.get(city) for city in world.home_cities[home]]
        case HomeLoss.ALL_LOST:
            places = [state.cities.get(city) for city in world.home_cities[home]]
            places += map(state.provinces.get, world.home_blocks[home])
    return owner not in places
