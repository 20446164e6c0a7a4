"""Powers of one player win together (VIC-09)."""

from dataclasses import replace

import pytest

from machjudge.adjudicator.events import PowerEliminated, RollPaid, SideWon, VictoryReached
from machjudge.adjudicator.evolve import evolve_all
from machjudge.adjudicator.land.homes import eliminate_powers
from machjudge.adjudicator.land.victory import declare_victory
from machjudge.adjudicator.money.assassins import hand_over
from machjudge.adjudicator.money.income import collect_income
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.options import Value, with_option
from machjudge.adjudicator.orders import Ally, Excommunicate, Order, Pay
from machjudge.adjudicator.reasons import Flaw, Objection
from machjudge.adjudicator.world import world_of
from tests.adjudicator.scene import Scene, scene

V, P, N = PowerId("V"), PowerId("P"), PowerId("N")


def one_set(position: Scene, **options: Value) -> Scene:
    """The same position, with all that the Papacy has in the hands of Venice (SET-24)."""
    rules = with_option(position.world.rules, "side_units", "one")
    for name, value in options.items():
        rules = with_option(rules, name, value)
    state = position.state
    ours = {
        each: {place: V if owner == P else owner for place, owner in getattr(state, each).items()}
        for each in ("provinces", "cities", "homes")
    }
    field = {
        place: unit.owned_by(V) if unit.owner == P else unit for place, unit in state.field.items()
    }
    merged = replace(
        state, **ours, field=field, eliminated=frozenset({P}), chits={}, sides=((V, P),)
    )
    return Scene(world_of(position.world.scenario, rules), merged)


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


@pytest.mark.parametrize(("naples", "wins"), [("N", []), ("V", [SideWon((V, P), 15, 2)])])
def test_set_24_who_has_one_set_of_units_wins_as_one_who_has_several(naples, wins) -> None:
    """The homes that they began with count once: a foreign one is needed beside fifteen cities."""
    one = one_set(held(sides=True, naples=naples))

    assert one.take(declare_victory).told(SideWon) == wins


def test_set_24_one_set_has_the_rolls_of_all_its_home_countries() -> None:
    """Venice throws for itself and for the Papacy, which throws no more."""
    one = one_set(scene("F1455M", options={"dice": False}))
    paid = one.take(collect_income).told(RollPaid)

    assert [each.power for each in paid if each.line in ("venice", "papacy")] == [V, V]
    assert P not in {each.power for each in paid}


@pytest.mark.parametrize(("city", "lives"), [("rme", True), ("cre", False)])
def test_set_24_one_set_lives_while_it_has_a_city_in_any_of_its_homes(city, lives) -> None:
    """Rome keeps Venice in the game, a foreign city does not."""
    one = one_set(scene("F1455M"))
    cities = {place: owner for place, owner in one.state.cities.items() if owner != V}
    alone = replace(one, state=replace(one.state, cities={**cities, PlaceId(city): V}))

    assert (PowerEliminated(V) not in alone.take(eliminate_powers).events) is lives


@pytest.mark.parametrize("side_units", ["apart", "one"])
def test_set_24_anyone_who_has_the_units_of_the_papacy_excommunicates(side_units) -> None:
    """With units of its own it is the Papacy itself that does."""
    options: dict[str, Value] = {"excommunication": "no_money", "side_units": side_units}
    both = one_set(scene("S1455M"), **options)

    assert (both.objection("V", Excommunicate(N)) is None) is (side_units == "one")


@pytest.mark.parametrize("order", [Pay(3, P), Ally(P)])
def test_set_24_a_power_whose_units_another_has_is_no_partner(order: Order) -> None:
    """It is not eliminated: what is meant for it goes to the power that has its units."""
    objection = one_set(scene("S1455M")).objection("N", order)

    assert objection is not None
    assert objection.flaw is Flaw.LED_BY_ANOTHER


def test_set_24_a_power_whose_units_another_has_takes_no_chit() -> None:
    """The chit goes to the power that has its units."""
    one = one_set(scene("S1455M"))

    refused = hand_over(one.world, one.state, giver=N, receiver=P, victim=V)

    assert refused == Objection(Flaw.LED_BY_ANOTHER, "ASN-02")
