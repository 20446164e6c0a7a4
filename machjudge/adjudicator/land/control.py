"""Who owns what: the last power present in a province or city (area CTL)."""

from collections.abc import Mapping

from machjudge.adjudicator.events import CityTaken, Event, ProvinceTaken
from machjudge.adjudicator.events.turn import Turn
from machjudge.adjudicator.model.names import AUTONOMOUS, PlaceId, PowerId
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.units import Unit
from machjudge.adjudicator.model.world import World


def count_control(turn: Turn) -> list[Event]:
    """One of the numbered adjudications of control (CTL-01, CTL-14)."""
    return changes_of_control(turn.world, turn.state)


def changes_of_control(world: World, state: State) -> list[Event]:
    """What changes hands because of who is where now (CTL-03)."""
    events: list[Event] = []
    for place in sorted(_unsettled(world, state)):
        afield, garrison = state.field.get(place), state.garrisons.get(place)
        holder, before = _power_of(afield or garrison), state.provinces.get(place)
        if holder != before:
            events.append(ProvinceTaken(place, holder, before))
        if place in world.cities:
            holder, before = _power_of(garrison or afield), state.cities.get(place)
            if holder != before:
                events.append(CityTaken(place, holder, before))
    return events


def _unsettled(world: World, state: State) -> set[PlaceId]:
    """The places on land where a unit stands that does not own all of it."""
    return {
        unit.place
        for unit in state.units()
        if state.provinces.get(unit.place) != unit.owner
        or (unit.place in world.cities and state.cities.get(unit.place) != unit.owner)
    } - world.seas


def _power_of(unit: Unit | None) -> PowerId | None:
    """Autonomous garrisons hold a place for nobody (CTL-03)."""
    return None if unit is None or unit.owner == AUTONOMOUS else unit.owner


def cities_of(world: World, owners: Mapping[PlaceId, PowerId], power: PowerId) -> list[PlaceId]:
    """The cities that a power controls, fortresses not counted (ELI-01, VIC-07)."""
    return sorted(p for p, owner in owners.items() if owner == power and p in world.full_cities)
