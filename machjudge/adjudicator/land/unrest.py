"""Control where rebels stand, if the rules take it from their target (REB-05)."""

from collections.abc import Iterator, Mapping, Sequence

from machjudge.adjudicator.events import CityTaken, Event, ProvinceTaken, RebellionEnded
from machjudge.adjudicator.events.turn import Step, Turn
from machjudge.adjudicator.land.control import changes_of_control, count_control
from machjudge.adjudicator.model.names import PlaceId
from machjudge.adjudicator.model.rules import RebelControl
from machjudge.adjudicator.model.state import State


def count_among_rebels(turn: Turn) -> Sequence[Event]:
    """Nobody holds a rebelling province, nor its city while no garrison is in it."""
    state = turn.state
    rebelling = sorted({*state.province_rebellions, *state.city_rebellions})
    counted = [
        event for event in changes_of_control(turn.world, state) if not is_disputed(state, event)
    ]
    provinces = [
        ProvinceTaken(place, None, state.provinces[place])
        for place in rebelling
        if place in state.provinces
    ]
    cities = [
        CityTaken(place, None, state.cities[place])
        for place in rebelling
        if place in state.cities and place not in state.garrisons
    ]
    return [*counted, *provinces, *cities]


def count_with_returns(turn: Turn) -> Sequence[Event]:
    """The same; what the rebels have left is their target's again, if nobody is there."""
    return [*count_among_rebels(turn), *_returns(turn)]


COUNTS: Mapping[RebelControl, Step] = {
    RebelControl.KEPT: count_control,
    RebelControl.SUSPENDED: count_with_returns,
    RebelControl.NOBODY: count_among_rebels,
}
"""How control is counted, by the rules."""


def is_disputed(state: State, event: ProvinceTaken | CityTaken) -> bool:
    """Whether rebels dispute what a count of control would give."""
    guarded = isinstance(event, CityTaken) and event.place in state.garrisons
    return _rebels(state, event.place) and not guarded


def _rebels(state: State, place: PlaceId) -> bool:
    return place in state.province_rebellions or place in state.city_rebellions


def _returns(turn: Turn) -> Iterator[Event]:
    """The places that rebels left in this phase, back to whom they stood against."""
    state = turn.state
    against = {**turn.start.city_rebellions, **turn.start.province_rebellions}
    left = {event.place for event in turn.so_far if isinstance(event, RebellionEnded)}
    empty = left - set(state.field) - set(state.garrisons)
    for place in sorted(empty):
        target = against.get(place)
        if target is not None and not _rebels(state, place):
            if place not in state.provinces:
                yield ProvinceTaken(place, target, None)
            if place in turn.world.cities and place not in state.cities:
                yield CityTaken(place, target, None)
