"""Who owns what: the last power present in a province or city (area CTL)."""

from collections.abc import Iterator, Mapping

from machjudge.adjudicator.events import CityTaken, Event, ProvinceTaken
from machjudge.adjudicator.moments import Season
from machjudge.adjudicator.names import AUTONOMOUS, PlaceId, PowerId
from machjudge.adjudicator.rules import Timing
from machjudge.adjudicator.state import State
from machjudge.adjudicator.turn import Turn
from machjudge.adjudicator.units import Unit
from machjudge.adjudicator.world import World


def count_control(turn: Turn) -> list[Event]:
    """One of the numbered adjudications, where control changes at every step (CTL-01, CTL-14)."""
    if turn.world.rules.control.timing is Timing.FALL:
        return []
    return changes_of_control(turn.world, turn.state)


def count_last_control(turn: Turn) -> list[Event]:
    """The last adjudication of a campaign; with control after Fall only, the only one (SET-20)."""
    after_fall = turn.world.rules.control.timing is Timing.FALL
    if after_fall and turn.state.moment.season is not Season.FALL:
        return []
    return changes_of_control(turn.world, turn.state)


def changes_of_control(world: World, state: State) -> list[Event]:
    """What changes hands because of who is where now (CTL-03)."""
    events: list[Event] = []
    for place in sorted({*state.field, *state.garrisons}):
        if world.place(place).is_sea:
            continue
        afield, garrison = state.field.get(place), state.garrisons.get(place)
        events.extend(_province_change(state, place, afield or garrison))
        if place in world.cities:
            events.extend(_city_change(state, place, garrison or afield))
    return events


def _province_change(state: State, place: PlaceId, present: Unit | None) -> Iterator[Event]:
    before, now = state.provinces.get(place), _power_of(present)
    if before != now:
        yield ProvinceTaken(place, now, before)


def _city_change(state: State, place: PlaceId, present: Unit | None) -> Iterator[Event]:
    before, now = state.cities.get(place), _power_of(present)
    if before != now:
        yield CityTaken(place, now, before)


def _power_of(unit: Unit | None) -> PowerId | None:
    """Autonomous garrisons hold a place for nobody (CTL-03)."""
    return None if unit is None or unit.owner == AUTONOMOUS else unit.owner


def cities_of(world: World, owners: Mapping[PlaceId, PowerId], power: PowerId) -> list[PlaceId]:
    """The cities that a power controls, fortresses not counted (ELI-01, VIC-07)."""
    return sorted(
        place
        for place, owner in owners.items()
        if owner == power and place in world.cities and not world.cities[place].fortress
    )
