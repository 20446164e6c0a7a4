"""Rebellions: where they rise, whom they help, what ends them (area REB)."""

from collections.abc import Iterable, Iterator, Sequence

from machjudge.adjudicator.events import (
    Advanced,
    Converted,
    Event,
    Held,
    RebellionEnded,
    RebellionRolled,
    RebellionStarted,
    Retreated,
)
from machjudge.adjudicator.evolve import Turn
from machjudge.adjudicator.names import AUTONOMOUS, PlaceId, PowerId
from machjudge.adjudicator.reasons import Forced, RebellionEnd
from machjudge.adjudicator.rules import RebelPlacement
from machjudge.adjudicator.state import State
from machjudge.adjudicator.units import GARRISON, Unit, unit_order
from machjudge.adjudicator.world import World


def rebels_for(state: State, unit: Unit, place: PlaceId) -> bool:
    """Return whether rebels in a province or its city would help *unit* to enter (REB-11, REB-15).

    They help all but their target, and all when that is gone (REB-37); two markers help no more
    than one (REB-12).
    """
    markers = (state.province_rebellions, state.city_rebellions)
    return bool({marked[place] for marked in markers if place in marked} - {unit.owner})


def uprising(world: World, state: State, before: State, place: PlaceId) -> RebellionStarted | None:
    """Return the rebellion against a province's controller, or nothing (REB-01).

    *before* is the position that decides whether the city is open (EXP-34); *state* has the
    controller and existing rebels.
    """
    in_province, in_city = _markers(world, state, before, place)
    against = state.provinces.get(place)
    new_province = in_province and state.province_rebellions.get(place, "") != against
    new_city = in_city and state.city_rebellions.get(place, "") != against
    if not new_province and not new_city:
        return None
    # Both markers of a place have one target (REB-01), so one that is there turns with the other.
    return RebellionStarted(place, against, in_province, in_city or place in state.city_rebellions)


def _markers(world: World, state: State, before: State, place: PlaceId) -> tuple[bool, bool]:
    """The new markers: province, city (REB-03, REB-04, MAP-26, MAP-27)."""
    one_marker = world.rules.rebellion.placement is RebelPlacement.CITY_ELSE_PROVINCE
    if one_marker and state.has_rebels(place):
        return place in state.province_rebellions, place in state.city_rebellions
    garrisoned = place in before.garrisons
    if world.place(place).venice:
        return False, not garrisoned and place not in before.field
    city = world.cities.get(place)
    in_city = city is not None and city.fortified and not garrisoned
    in_province = not world.place(place).afloat and not (one_marker and in_city)
    return in_province, in_city


def all_rebels_gone(
    state: State, place: PlaceId, because: RebellionEnd, by: PowerId
) -> RebellionEnded:
    """Return the end of every marker in a province and its city."""
    return RebellionEnded(
        place,
        in_province=place in state.province_rebellions,
        in_city=place in state.city_rebellions,
        because=because,
        by=by,
    )


# --- what ends them --------------------------------------------------------------------------


def quell_province_rebellions(turn: Turn) -> Sequence[Event]:
    """Return the rebellions that movement freed or put down (REB-25, REB-29, REB-31, REB-33).

    Ends by a completed siege come with the siege itself, in ``sieges`` (REB-28).
    """
    if _is_without_rebels(turn.state):
        return ()
    entered = [unit for unit in map(_entered, turn.so_far) if unit is not None]
    # A garrison converted out and driven off at once frees nothing (CNV-09).
    there = _standing(turn.state, entered)
    freed = {unit.place: _liberated(turn, unit) for unit in there if _frees(turn, unit)}
    return [*freed.values(), *(end for end in put_down_rebellions(turn) if end.place not in freed)]


def put_down_rebellions(turn: Turn) -> Sequence[RebellionEnded]:
    """Return the rebellions put down by their targets' holds and garrisons (REB-25)."""
    held = (
        event.unit for event in turn.so_far if isinstance(event, Held) and _is_hold(turn, event)
    )
    ended = [*(_put_down(turn, unit) for unit in held), *_ended_from_within(turn)]
    return list({end.place: end for end in ended if end is not None}.values())


def _is_hold(turn: Turn, event: Held) -> bool:
    """Return whether a unit held by an order, or one that became a hold (REB-26).

    One turned into hold by an assassination never counts (ASN-04).
    """
    if event.because is None:
        return True
    if not turn.world.rules.rebellion.invalid_puts_down:
        return False
    return event.because.why not in (Forced.ASSASSINATED, Forced.NO_ORDER)


def _ended_from_within(turn: Turn) -> Iterator[RebellionEnded]:
    """Ends of city rebellions by conversion of the target's unit, where it is allowed (CNV-06)."""
    for place, target in turn.state.city_rebellions.items():
        garrison = turn.state.garrisons.get(place)
        if garrison is not None and garrison.owner == target:
            because = RebellionEnd.PUT_DOWN
            yield RebellionEnded(place, in_province=False, in_city=True, because=because, by=target)


def free_rebels_by_presence(turn: Turn) -> Sequence[Event]:
    """Return the rebellions freed by others' units at a campaign's end (REB-30, REB-33)."""
    freed: dict[PlaceId, RebellionEnded] = {}
    for unit in sorted(turn.state.units(), key=unit_order):
        if unit.owner != AUTONOMOUS and rebels_for(turn.state, unit, unit.place):
            freed.setdefault(unit.place, _liberated(turn, unit))
    return list(freed.values())


def quell_city_rebellions(turn: Turn) -> Sequence[Event]:
    """Return the rebellions freed by retreats (REB-31, REB-33, MOV-46).

    Where a retreat into a province frees nothing, one into a rebelling city still does.
    """
    if _is_without_rebels(turn.state):
        return ()
    afield = turn.world.rules.retreat.liberates
    entered = (_retreated(event) for event in turn.so_far if isinstance(event, Retreated))
    return tuple(
        _liberated(turn, unit)
        for unit in _standing(turn.state, entered)
        if (afield or unit.is_garrison) and _frees(turn, unit)
    )


def _liberated(turn: Turn, unit: Unit) -> RebellionEnded:
    return all_rebels_gone(turn.state, unit.place, RebellionEnd.LIBERATED, unit.owner)


def _is_without_rebels(state: State) -> bool:
    return not state.province_rebellions and not state.city_rebellions


def _standing(state: State, units: Iterable[Unit]) -> list[Unit]:
    return [unit for unit in units if state.standing_at(unit) == unit]


def _frees(turn: Turn, unit: Unit) -> bool:
    """Return whether a unit that entered a province, or a rebelling city, frees it (REB-08)."""
    if unit.is_garrison and unit.place not in turn.state.city_rebellions:
        return False
    return rebels_for(turn.state, unit, unit.place)


def _entered(event: Event) -> Unit | None:
    """The unit that entered a province or city (REB-08, REB-29, REB-31)."""
    if isinstance(event, Advanced):
        return event.unit.at(event.to, event.coast)
    if isinstance(event, Converted):
        return event.unit.converted(event.into, event.coast)
    return None


def _retreated(event: Retreated) -> Unit:
    unit = event.unit.at(event.to, event.coast)
    return unit.converted(GARRISON) if event.into_city else unit


def _put_down(turn: Turn, unit: Unit) -> RebellionEnded | None:
    """Ends of province rebellions by a unit of the target that held there (REB-25)."""
    place = unit.place
    if turn.state.standing_at(unit) != unit:
        return None
    if unit.is_garrison and not turn.world.rules.rebellion.garrison_puts_down:
        return None
    if turn.state.province_rebellions.get(place) != unit.owner:
        return None
    return RebellionEnded(
        place, in_province=True, in_city=False, because=RebellionEnd.PUT_DOWN, by=unit.owner
    )


# Whether a province rises against its power, by a die (ASN-09, INC-19).
def throw_for_rebellion(
    turn: Turn, power: PowerId, place: PlaceId, limits: Sequence[int]
) -> list[Event]:
    """Throw for a rebellion in a province of *power*; it rises up to the limit.

    *limits* are those of home and conquered provinces, each with a unit and without (ASN-10).
    """
    at_home, at_home_bare, conquered, conquered_bare = limits
    home = turn.state.homes.get(place) == power
    with_unit = any(unit.owner == power for unit in turn.state.units_at(place))
    if home:
        limit = at_home if with_unit else at_home_bare
    else:
        limit = conquered if with_unit else conquered_bare
    thrown = turn.throw(f"rebellion {place}")
    (die,) = thrown.dice
    events: list[Event] = [thrown, RebellionRolled(place, die, limit, home, with_unit)]
    if die <= limit:
        risen = uprising(turn.world, turn.state, turn.state, place)
        events.extend([risen] if risen is not None else [])
    return events
