"""What a unit holds against one that comes the other way, while it is open whether it comes."""

import pytest

from machjudge.adjudicator.battle.strength import Answer, Battle, Contender, Guards, Range
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.units import FLEET, Unit

MESSINA, NAPLES, IONIAN = map(PlaceId, ("mes", "gon", "ion"))
LEG = frozenset({NAPLES, IONIAN})


def fleet(number: int, owner: str, place: PlaceId, goal: PlaceId, **known: object) -> Contender:
    """A fleet that tries to leave its place for another one."""
    unit = Unit(PowerId(owner), FLEET, place)
    contender = Contender(unit, number, force=1, stands_in=place, goal=goal, leaves=True)
    for name, value in known.items():
        setattr(contender, name, value)
    return contender


def opposition(guard_leaves: Answer) -> Range:
    """What a fleet with a friend's support holds that a strait may stop on its way (MAP-35).

    The guard closes the strait unless it leaves; the support is for the move.
    """
    coming = fleet(0, "V", NAPLES, IONIAN, facing=1)
    holder = fleet(1, "T", IONIAN, NAPLES, facing=0, leg=LEG, backers=(3,))
    guard = fleet(2, "N", MESSINA, PlaceId("pal"))
    friend = fleet(3, "T", PlaceId("ets"), NAPLES)
    battle = Battle([coming, holder, guard, friend], [None, None, guard_leaves, True] + 4 * [None])
    battle.guards = {LEG: Guards((), (2,), (), frozenset())}
    return battle.opposition(coming, holder)


@pytest.mark.parametrize(
    ("guard_leaves", "holds"), [(True, (2, 2)), (False, (1, 1)), (None, (1, 2))]
)
def test_a_fleet_that_a_strait_stops_does_not_come_the_other_way(
    guard_leaves: Answer, holds: Range
) -> None:
    """It holds alone then; while that is open, anything between the two (MAP-35, MOV-18)."""
    assert opposition(guard_leaves) == holds
