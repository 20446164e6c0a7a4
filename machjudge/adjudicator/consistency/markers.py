"""What lies in places beside units: sieges and rebellions."""

from collections.abc import Iterator

from machjudge.adjudicator.consistency.fault import Inconsistency, named
from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.units import FLEET, Unit
from machjudge.adjudicator.model.world import World


def faults(world: World, state: State) -> Iterator[Inconsistency]:
    """What is wrong with the markers."""
    for place in sorted(state.sieges):
        yield from _faults_of_siege(world, state, place)
    yield from _faults_of_rebellions(world, state)


# --- sieges ----------------------------------------------------------------------------------


def _faults_of_siege(world: World, state: State, city: PlaceId) -> Iterator[Inconsistency]:
    post = world.siege_post(city)
    besieger = state.field.get(post)
    flaw = _flaw_of_besieger(world, city, besieger)
    if flaw:
        yield Inconsistency(("sieges", city), flaw)
    elif besieger is None:
        yield Inconsistency(("sieges", city), f"nobody besieges {city}", harmless=True)
    if any(waiting.unit.place == post for waiting in state.dislodged):
        says = f"a unit was just dislodged from {post}, so no siege is half done"
        yield Inconsistency(("sieges", city), says)


def _flaw_of_besieger(world: World, city: PlaceId, besieger: Unit | None) -> str:
    """Which cities can be besieged, and by whom (SIE-01, SIE-02, MAP-25)."""
    if not world.holds_garrison(city):
        return f"there is no fortified city in {city}"
    in_water = world.place(city).venice or world.place(city).afloat
    if in_water and world.siege_post(city) == city:
        return f"{city} cannot be besieged"
    if besieger is not None and besieger.kind is FLEET and not world.is_port(city):
        return f"a fleet cannot besiege {city}, which is no port"
    return ""


# --- rebellions ------------------------------------------------------------------------------


def _faults_of_rebellions(world: World, state: State) -> Iterator[Inconsistency]:
    for place, target in sorted(state.province_rebellions.items()):
        says = _flaw_of_rebels(world, place) or _flaw_of_target(world, state, target)
        if says:
            yield Inconsistency(("rebellion", place), says)
    for place, target in sorted(state.city_rebellions.items()):
        says = _flaw_of_city_rebels(world, state, place) or _flaw_of_target(world, state, target)
        if not says and state.province_rebellions.get(place, target) != target:
            says = "the rebels of the province are against another power"
        if says:
            yield Inconsistency(("city_rebellion", place), says)


def _flaw_of_rebels(world: World, place: PlaceId) -> str:
    if world.place(place).is_sea or place in world.closed:
        return f"nobody rebels in {place}"
    one_marker = world.place(place).venice or world.place(place).afloat
    return f"in {place} the city rebels, and not the province" if one_marker else ""


def _flaw_of_city_rebels(world: World, state: State, place: PlaceId) -> str:
    """Rebels hold fortified cities in which no garrison stands (REB-03, REB-04, MAP-26)."""
    city = world.cities.get(place)
    if city is None or not city.fortified:
        return f"there is no fortified city in {place}"
    if place in state.garrisons:
        return f"{named(state.garrisons[place])} stands in the city"
    if world.place(place).venice and place in state.field:
        return f"{named(state.field[place])} stands there"
    return ""


def _flaw_of_target(world: World, state: State, target: PowerId | None) -> str:
    """Against whom rebels are: a living power, or nobody when it is gone (REB-01, REB-37)."""
    if target is not None and target not in world.in_play:
        return f"nobody plays {target}"
    if target in state.eliminated:
        return f"{target} is eliminated, so these rebels are against nobody"
    return ""
