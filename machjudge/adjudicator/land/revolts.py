"""Whether a province rises against its power, by a die (ASN-09, INC-19)."""

from collections.abc import Sequence

from machjudge.adjudicator.events import DiceThrown, Event, RebellionRolled
from machjudge.adjudicator.events.turn import Turn
from machjudge.adjudicator.land.rebellion import uprising
from machjudge.adjudicator.model.dice import Throw
from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.state import State


def throw_for_revolt(
    turn: Turn, power: PowerId, place: PlaceId, limits: Sequence[int]
) -> list[Event]:
    """Throw for a province of *power*; it rises on a die up to the limit of its circumstances."""
    home, with_unit = _circumstances(turn.state, power, place)
    limit = _limit(limits, home=home, with_unit=with_unit)
    throw = Throw(f"rebellion {place}")
    dice = turn.dice.roll(throw)
    events: list[Event] = [
        DiceThrown(throw.purpose, dice),
        RebellionRolled(place, dice[0], limit, home, with_unit),
    ]
    if dice[0] <= limit:
        risen = uprising(turn.world, turn.state, turn.state, place)
        events.extend([risen] if risen is not None else [])
    return events


def _circumstances(state: State, power: PowerId, place: PlaceId) -> tuple[bool, bool]:
    """Whether a province is home, and whether a unit of the power is there (ASN-10)."""
    there = (state.field.get(place), state.garrisons.get(place))
    with_unit = any(unit is not None and unit.owner == power for unit in there)
    return state.homes.get(place) == power, with_unit


def _limit(limits: Sequence[int], *, home: bool, with_unit: bool) -> int:
    """The highest number of the die with which a province rebels."""
    at_home, at_home_bare, conquered, conquered_bare = limits
    if home:
        return at_home if with_unit else at_home_bare
    return conquered if with_unit else conquered_bare
