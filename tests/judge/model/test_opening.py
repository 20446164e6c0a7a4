"""The opening of a game: set-up, first phase, opening income."""

from dataclasses import replace

import pytest

from machjudge.adjudicator.dice import SecretDice
from machjudge.adjudicator.events import DiceThrown, IncomePaid, RollPaid
from machjudge.adjudicator.evolve import evolve_all
from machjudge.adjudicator.names import AUTONOMOUS, PlaceId, PowerId
from machjudge.adjudicator.options import JUDGE, Value, with_option
from machjudge.adjudicator.state import State
from machjudge.adjudicator.units import Kind, Unit
from machjudge.adjudicator.world import world_of
from machjudge.formats.position import position_of, read_position
from machjudge.judge.opening import opening_events, set_up
from machjudge.judge.rule_settings import usual_rules
from tests.judge.house import House, atlas, started


def test_game_with_money_opens_in_the_adjustment_before_its_first_campaign() -> None:
    """1454 begins in F1453B, with the income of 1453 paid (INC-16)."""
    house = started()

    opening = house.view().phase
    assert (opening.number, opening.moment, opening.parent) == (0, "F1453B", None)
    assert any(isinstance(event, IncomePaid) for event in opening.events)
    assert any(isinstance(event, DiceThrown) for event in opening.events)
    assert all(opening.after.treasuries.values())


def test_game_without_money_opens_in_its_first_campaign() -> None:
    """Without ducats there is nothing to adjust: S1454M, and no treasuries."""
    house = started("nomoney")

    opening = house.view().phase
    assert (opening.moment, opening.events) == ("S1454M", ())
    assert opening.after.treasuries == {}


def test_nodice_pays_the_fixed_income() -> None:
    """1453 is odd: each die is a 4, so Milan has 12 + 4 ducats (INC-14, INC-17)."""
    house = started("nodice")

    assert house.view().state.treasuries[PowerId("I")] == 16


@pytest.mark.parametrize(("scenario", "die"), [("1385", 3), ("1454", 4)])
def test_the_year_of_a_set_up_that_opens_the_spring_is_that_of_the_spring(
    scenario: str, die: int
) -> None:
    """INC-14: by the book of 1978 the odd 1385 throws 3, the even 1454 throws 4."""
    house = House()
    house.start(scenario, ["battleline_advanced", "nodice"])

    paid = [e for e in house.view().phase.events if isinstance(e, RollPaid)]
    assert {number for event in paid for number in event.dice} == {die}


def test_without_garrisons_none_is_set_up() -> None:
    """SET-10: the garrisons of the set-up are ignored."""
    house = started("nogarrisons")

    assert house.view().state.garrisons == {}


@pytest.mark.parametrize("allowed", [True, False])
def test_autonomous_armies_stand_only_where_the_rules_have_them(allowed: bool) -> None:
    """MOV-25: those of the scenario's file; nobody controls where they stand."""
    found = atlas().scenario("1454")
    assert found is not None
    army = Unit(AUTONOMOUS, Kind.ARMY, PlaceId("tur"))
    scenario = replace(found, autonomous=(*found.autonomous, army))

    state = set_up(world_of(scenario, with_option(JUDGE, "autonomous_af", allowed)))

    assert (state.field.get(army.place) == army) is allowed
    assert army.place not in state.provinces


@pytest.mark.parametrize("own", ["one_each", "drawn", "unlimited"])
def test_the_rules_say_which_chits_there_are_at_the_beginning(own: str) -> None:
    """ASN-01: one on each, as many from the bag of all, or none."""
    scenario = atlas().scenario("1454")
    assert scenario is not None
    world = world_of(scenario, with_option(JUDGE, "assassin_chits", own))
    start = set_up(world)
    state = evolve_all(start, opening_events(world, start, SecretDice(bytes(32), "F1453B")))
    held = {power: state.chits.get(power, ()) for power in world.in_play}
    others = {power: tuple(sorted(set(world.in_play) - {power})) for power in world.in_play}

    assert (held == others) is (own == "one_each")
    assert {len(chits) for chits in held.values()} == {0 if own == "unlimited" else 7}


@pytest.mark.parametrize(
    ("value", "moment", "ducats"),
    [("full", "F1498B", 7 + 13 + 6), ("fixed_money", "F1498B", 7 + 13), ("none", "S1499M", 7)],
)
def test_the_rules_say_what_comes_before_the_first_campaign(
    value: str, moment: str, ducats: int
) -> None:
    """INC-16: Venice's ducats of the file; with its income; and with its dice besides."""
    scenario = atlas().scenario("mach2_sfd1")
    assert scenario is not None
    rules = with_option(with_option(JUDGE, "initial_adjustment", value), "dice", value=False)
    world = world_of(scenario, rules)
    start = set_up(world)
    state = evolve_all(start, opening_events(world, start, SecretDice(bytes(32), moment)))

    assert (state.moment.code, state.treasuries[PowerId("V")]) == (moment, ducats)


SIDES = (("V", "P"), ("I", "L", "N"))


def opening_of(side_units: str, **options: Value) -> State:
    """1454 for two, who lead Venice and the Papacy, and Milan, Florence and Naples."""
    scenario = atlas().scenario("1454-2-2")
    assert scenario is not None
    rules = with_option(with_option(JUDGE, "dice", value=False), "side_units", side_units)
    for name, value in options.items():
        rules = with_option(rules, name, value)
    world = world_of(scenario, rules)
    start = set_up(world, tuple(tuple(map(PowerId, side)) for side in SIDES))
    return evolve_all(start, opening_events(world, start, SecretDice(bytes(32), "F1453B")))


def test_a_player_of_several_powers_may_have_one_set_of_units() -> None:
    """SET-24: the first power has what the others have where units stay apart."""
    apart, one = opening_of("apart"), opening_of("one")
    whose = {power: side[0] for side in SIDES for power in side}

    assert {unit.place for unit in one.units_of(PowerId("V"))} == {
        unit.place for power in "VP" for unit in apart.units_of(PowerId(power))
    }
    for owned in ("provinces", "cities", "homes"):
        assert getattr(one, owned) == {
            place: whose[owner] for place, owner in getattr(apart, owned).items()
        }
    assert one.eliminated == {"P", "L", "N"}
    assert not apart.eliminated
    assert one.treasuries == {
        first: sum(apart.treasuries[PowerId(power)] for power in (first, *others))
        for first, *others in SIDES
    }
    assert (one.chits, one.sides) == ({"V": ("I",), "I": ("V",)}, apart.sides)


def test_one_set_of_units_is_numbered_through_all_powers() -> None:
    """SET-24, MOV-03: by type, in the order in which the scenario lists the powers."""
    units = opening_of("one", notation="serial").units_of(PowerId("V"))
    scenario = atlas().scenario("1454-2-2")
    assert scenario is not None
    armies = [
        unit.place
        for power in "VP"
        for unit in scenario.powers[PowerId(power)].units
        if unit.kind is Kind.ARMY
    ]
    numbers = {unit.place: unit.number for unit in units if unit.kind is Kind.ARMY}

    assert [numbers[place] for place in armies] == [*range(1, len(armies) + 1)]


def test_one_set_of_units_draws_chits_for_players_alone() -> None:
    """SET-24, ASN-01: two players put one chit each into the bag."""
    drawn = opening_of("one", assassin_chits="drawn").chits

    assert {power: len(chits) for power, chits in drawn.items()} == {"V": 1, "I": 1}


def test_fortresses_are_nobodys_while_forts_are_off() -> None:
    """MAP-07: with noforts a fortress does not count, with forts it does."""
    plain, with_forts = House(), House()
    plain.start()
    with_forts.start(options=["forts"])

    assert PlaceId("urb") not in plain.view().state.cities
    assert with_forts.view().state.cities[PlaceId("urb")] == "P"


@pytest.mark.parametrize("scenario", atlas().scenario_ids())
def test_every_set_up_is_a_position_that_can_be_stored(scenario: str) -> None:
    """What is written as JSON reads as the same position."""
    found = atlas().scenario(scenario)
    assert found is not None
    rules = usual_rules(found)
    world = world_of(found, rules)

    state = set_up(world)

    assert read_position(position_of(state, world), world) == state
