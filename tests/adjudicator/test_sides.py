"""Powers of one player win together (VIC-09)."""

from dataclasses import replace

from machjudge.adjudicator.events import PowerEliminated, SideWon, VictoryReached
from machjudge.adjudicator.events.evolve import evolve_all
from machjudge.adjudicator.land.victory import declare_victory
from machjudge.adjudicator.model.names import PowerId
from tests.adjudicator.scene import Scene, scene

V, P, N = PowerId("V"), PowerId("P"), PowerId("N")


def held(*, sides: bool, naples: str = "N", cities: int = 15) -> Scene:
    """Venice and the Papacy with so many cities between them, and the home of Naples whosever."""
    position = scene("F1455M")
    state = position.state
    places = sorted(position.world.full_cities)[:cities]
    owners = {place: (V if number % 2 else P) for number, place in enumerate(places)}
    homes = {
        place: PowerId(naples) if owner == N else owner for place, owner in state.homes.items()
    }
    together = ((V, P),) if sides else ()
    return replace(position, state=replace(state, cities=owners, homes=homes, sides=together))


def test_vic_09_the_cities_of_a_side_count_together() -> None:
    """Neither has 15 cities alone; together with a third home country they have won."""
    alone = held(sides=False, naples="V").take(declare_victory)
    together = held(sides=True, naples="V").take(declare_victory)

    assert alone.told(VictoryReached) == []
    assert together.told(SideWon) == [SideWon((V, P), 15, 2)]


def test_vic_09_the_homes_that_a_side_began_with_count_once() -> None:
    """Otherwise it would have the home countries that win from the beginning."""
    assert held(sides=True).take(declare_victory).told(SideWon) == []


def test_vic_09_a_city_less_is_too_few() -> None:
    """The number of cities is the same as for one power."""
    assert held(sides=True, naples="P", cities=14).take(declare_victory).told(SideWon) == []


def test_vic_09_sides_are_kept_through_everything_that_happens() -> None:
    """Who goes together is settled at the beginning."""
    state = held(sides=True).state

    assert evolve_all(state, [PowerEliminated(P)]).side_of(V) == (V, P)
    assert state.side_of(N) == (N,)
