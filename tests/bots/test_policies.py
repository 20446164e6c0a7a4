"""Bots choose lawful orders, always the same, from what their seats know; better ones win more."""

from dataclasses import replace
from itertools import islice

import pytest

from machjudge.adjudicator.names import AUTONOMOUS, PowerId
from machjudge.adjudicator.orders import Advance, Expense, Support, Transport
from machjudge.adjudicator.state import Loan
from machjudge.adjudicator.units import Kind, Unit
from machjudge.bots.policies import BotGoal, BotPolicy, chance_of, choose
from tests.bots.seasons import known, ordered, seasons
from tests.games.game import Deal, opening, world_for
from tests.games.variations import Variation, variations, with_everything
from tests.judge.house import atlas

SECRET = bytes(range(32))
VENICE = PowerId("V")
USUAL = Deal("1454", 1, 4, Variation("judge"))


def mixed(power: PowerId) -> BotPolicy:
    """Each policy somewhere."""
    return tuple(BotPolicy)[ord(power[0]) % len(BotPolicy)]


@pytest.mark.parametrize("seed", range(8))
def test_every_choice_of_a_bot_may_be_given(seed: int) -> None:
    """None is refused or replaced, and no season breaks an invariant, whatever the rules."""
    scenarios = atlas().scenario_ids()
    number = seed * 7 % len(variations())
    deal = Deal(scenarios[seed % len(scenarios)], seed, 2, variations()[number])

    assert list(seasons(deal, mixed, 2))


@pytest.mark.slow
def test_two_thousand_seasons_of_all_rule_sets_are_lawful() -> None:
    """Every variation of the rules, by turns on every scenario."""
    count = 0
    scenarios = atlas().scenario_ids()
    for number, variation in enumerate(variations()):
        deal = Deal(scenarios[number % len(scenarios)], number, 3, variation)
        count += sum(1 for _ in islice(seasons(deal, mixed, 3), 24))

    assert count >= 2000


def test_a_bot_decides_the_same_on_the_same_position() -> None:
    """In whatever order the position holds its parts; another secret may decide otherwise."""
    world = world_for(Deal("1454", 1, chosen=with_everything()))
    state = opening(world, SECRET)
    turned = replace(
        state,
        field=dict(reversed(state.field.items())),
        provinces=dict(reversed(state.provinces.items())),
        cities=dict(reversed(state.cities.items())),
        treasuries=dict(reversed(state.treasuries.items())),
    )

    for policy in BotPolicy:
        first = ordered(world, state, lambda _, chosen=policy: chosen, SECRET)
        assert ordered(world, turned, lambda _, chosen=policy: chosen, SECRET) == first


@pytest.mark.parametrize("seed", range(3))
def test_a_bot_knows_only_what_its_seat_sees(seed: int) -> None:
    """Treasuries, debts, chits and taxes that others hide change no order (FOG-01, SPC-06)."""
    deal = Deal("1454", seed, 2, with_everything())
    for season in islice(seasons(deal, mixed, 2), 10):
        world, state = season.world, season.before
        others = [power for power in world.in_play if power != VENICE]
        hidden = replace(
            state,
            treasuries=state.treasuries | dict.fromkeys(others, 47),
            chits=state.chits | dict.fromkeys(others, (VENICE,)),
            loans=(*state.loans, *(Loan(each, 9, 3, state.moment.campaign) for each in others)),
            taxed=frozenset(at for at, owner in state.provinces.items() if owner in others),
        )
        seen = [
            choose(
                BotPolicy.PLANNER,
                world,
                known(world, each, VENICE),
                VENICE,
                chance_of(SECRET, "x", VENICE),
            )
            for each in (state, hidden)
        ]
        assert seen[0] == seen[1]


def test_a_planner_keeps_up_its_units_first() -> None:
    """What is left raises others, as far as the income of a year feeds them."""
    world = world_for(USUAL)
    state = opening(world, SECRET)

    chosen = choose(BotPolicy.PLANNER, world, state, VENICE, chance_of(SECRET, "F1453B", VENICE))

    goals = [each.goal for each in chosen]
    assert goals == sorted(goals, key=[BotGoal.KEEP, BotGoal.RAISE].index)
    assert goals.count(BotGoal.KEEP) == len(state.units_of(VENICE))


def test_a_planner_carries_armies_over_a_sea() -> None:
    """MOV-09: army and fleet have orders that fit, and the army arrives in foreign land."""
    deals = [Deal("1454", seed, 4, Variation("judge")) for seed in (3, 8)]
    played = (each for deal in deals for each in seasons(deal, lambda _: BotPolicy.PLANNER, 2))
    carried = 0
    for season in played:
        for power, orders in season.orders.items():
            for fleet in (each for each in orders if isinstance(each, Transport)):
                (move,) = [o for o in orders if isinstance(o, Advance) and o.unit == fleet.army]
                assert (move.to, move.via) == (fleet.to, (fleet.unit.place,))
                assert season.before.provinces[move.to] != power
                assert season.after.field[move.to].owner == power
                carried += 1

    assert carried >= 2


def test_a_siege_that_is_begun_is_carried_through() -> None:
    """Rather than anything else nearby."""
    world = world_for(USUAL)
    start = next(iter(seasons(USUAL, mixed, 1))).after
    place = next(p for p, unit in sorted(start.garrisons.items()) if unit.owner == AUTONOMOUS)
    besieger = Unit(VENICE, Kind.ARMY, place)
    field = {p: unit for p, unit in start.field.items() if unit.owner != VENICE} | {place: besieger}
    state = replace(start, field=field, sieges=frozenset((place,)))

    chosen = choose(BotPolicy.PLANNER, world, state, VENICE, chance_of(SECRET, "S1454M", VENICE))

    assert next(each.goal for each in chosen if each.at == place) is BotGoal.BESIEGE


@pytest.mark.parametrize("seed", range(4))
def test_no_support_is_given_where_nothing_stands_against_it(seed: int) -> None:
    """Each support of a planner is of a place that others hold or could enter."""
    deal = Deal("1454", seed, 2)
    for season in islice(seasons(deal, lambda _: BotPolicy.PLANNER, 2), 12):
        for power, orders in season.orders.items():
            for order in orders:
                if isinstance(order, Support):
                    assert _is_contested(season, power, order)


def _is_contested(season, power: PowerId, order: Support) -> bool:
    world, state = season.world, season.before
    place = order.to or order.supported.place
    there = state.field.get(place)
    if there is not None and there.owner != power:
        return True
    others = (unit for unit in state.field.values() if unit.owner not in (power, AUTONOMOUS))
    return any(world.reaches(unit, place) for unit in others)


def test_expenses_carry_their_price_and_fit_the_treasury() -> None:
    """Numbered from 1, four at the most."""
    for seed in range(4):
        for season in islice(seasons(Deal("1454", seed, 3), lambda _: BotPolicy.PLANNER, 3), 16):
            for power, orders in season.orders.items():
                spent = [order for order in orders if isinstance(order, Expense)]
                assert [each.number for each in spent] == list(range(1, len(spent) + 1))
                assert len(spent) <= 4
                ducats = sum(each.ducats or 0 for each in spent)
                assert ducats <= season.before.treasuries.get(power, 0)


def test_better_policies_hold_more_cities() -> None:
    """After four years, at every second seat in turn."""
    for better, worse in (
        (BotPolicy.GREEDY, BotPolicy.HOLD),
        (BotPolicy.PLANNER, BotPolicy.GREEDY),
    ):
        held = dict.fromkeys((better, worse), 0)
        for seed in range(4):
            deal = Deal("1454", seed, 4)
            in_play = world_for(deal).in_play

            def seating(
                power: PowerId, seed=seed, in_play=in_play, two=(better, worse)
            ) -> BotPolicy:
                return two[(in_play.index(power) + seed) % 2]

            *_, last = seasons(deal, seating, 4)
            for owner in last.after.cities.values():
                if owner in in_play:
                    held[seating(owner)] += 1
        assert held[better] > held[worse]
