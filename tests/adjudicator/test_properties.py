"""What holds in every campaign, whatever the position and the orders.

The solver's own properties are in ``test_solver``, those of the reasons in ``test_battles``.
"""

import dataclasses
import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from machjudge.adjudicator.board import Spot
from machjudge.adjudicator.dice import GivenDice
from machjudge.adjudicator.events import (
    Event,
    OrderRefused,
    OrderReplaced,
    SiegeCompleted,
    SiegeKept,
    UnitRemoved,
)
from machjudge.adjudicator.evolve import evolve_all
from machjudge.adjudicator.state import State
from machjudge.adjudicator.units import Kind, Unit
from machjudge.adjudicator.year.steps import Played, play
from machjudge.cli.adjudicate import Spoken
from machjudge.formats.adjudicate import answer, write_answer
from machjudge.formats.position import position_of
from machjudge.language.lexicon import lexicon_of, write
from tests.strategies import ATLAS, CLASSIC, STANDARD, STRAITS, Battle, battles

pytestmark = pytest.mark.cover

BOTH = st.one_of(battles(CLASSIC), battles(CLASSIC, 9, STRAITS), battles(STANDARD))
"""Battles on the classic board, at its straits, and on the standard board."""
NO_DICE = GivenDice({})
_SPOKEN = Spoken()


def fought(battle: Battle) -> Played:
    """The campaign played."""
    return play(battle.world, battle.state, battle.orders, NO_DICE)


@given(BOTH, st.randoms(use_true_random=False))
def test_the_order_of_the_input_does_not_matter(battle: Battle, dice: Any) -> None:
    """Units, powers and lines in another order give the same events and the same position."""
    here = fought(battle)
    there = fought(_shuffled(battle, dice))

    assert _without_lines(here.events) == _without_lines(there.events)
    assert here.state == there.state


def _shuffled(battle: Battle, dice: Any) -> Battle:
    def mixed(table: Mapping[Any, Any]) -> dict[Any, Any]:
        items = list(table.items())
        dice.shuffle(items)
        return dict(items)

    state = dataclasses.replace(
        battle.state,
        field=mixed(battle.state.field),
        garrisons=mixed(battle.state.garrisons),
        provinces=mixed(battle.state.provinces),
        province_rebellions=mixed(battle.state.province_rebellions),
    )
    orders = {p: tuple(dice.sample(sheet, len(sheet))) for p, sheet in battle.orders.items()}
    return Battle(battle.world, state, mixed(orders))


def _without_lines(events: tuple[Event, ...]) -> list[Event]:
    """The events but those that name a line by its number."""
    return [event for event in events if not isinstance(event, OrderRefused | OrderReplaced)]


@given(BOTH)
def test_every_unit_is_accounted_for(battle: Battle) -> None:
    """Each unit is on the map, or waits, or was removed by one event; no other unit is there."""
    played = fought(battle)

    before = Counter(map(_tag, battle.state.units()))
    after = Counter(map(_tag, _everybody(played.state)))
    lost = Counter(_tag(event.unit) for event in played.events if isinstance(event, UnitRemoved))

    assert before == after + lost
    assert set(before.values()) <= {1}


def _tag(unit: Unit) -> tuple[object, ...]:
    return (unit.since, unit.owner, unit.quality)


def _everybody(state: State) -> list[Unit]:
    return [*state.units(), *(waiting.unit for waiting in state.dislodged)]


@given(BOTH)
def test_every_unit_stands_where_it_can_and_alone(battle: Battle) -> None:
    """Units are on spots of their kind, one in the field and one in the city, one in Venice."""
    state = fought(battle).state

    for place, unit in state.field.items():
        assert unit.place == place
        assert unit.kind is not Kind.GARRISON
        spots = battle.world.fleet if unit.kind is Kind.FLEET else map(Spot, battle.world.army)
        assert Spot(place, unit.coast) in spots
    for place, garrison in state.garrisons.items():
        assert garrison.place == place
        assert garrison.kind is Kind.GARRISON
        assert battle.world.holds_garrison(place)
    full = state.field.keys() & state.garrisons.keys()
    assert not any(battle.world.place(place).venice for place in full)


@given(BOTH)
def test_the_events_give_the_position(battle: Battle) -> None:
    """``evolve`` over the events of a phase makes its position after from the one before."""
    played = fought(battle)

    assert played.state == evolve_all(battle.state, played.events)


@given(BOTH)
def test_retreats_lead_to_places_that_are_free(battle: Battle) -> None:
    """Nobody stands where a retreat leads, and nobody waits without a way out."""
    state = fought(battle).state

    for waiting in state.dislodged:
        assert waiting.retreats or waiting.convert
        assert not {spot.place for spot in waiting.retreats} & state.field.keys()
        assert not (waiting.convert and waiting.unit.place in state.garrisons)


@given(BOTH)
def test_sieges_have_a_besieger_and_somebody_to_besiege(battle: Battle) -> None:
    """A half-done siege is conducted by the unit there against a foreign garrison or rebels."""
    state = fought(battle).state

    for place in state.sieges:
        besieger, garrison = state.field[place], state.garrisons.get(place)
        if garrison is None:
            assert state.city_rebellions[place] == besieger.owner
        else:
            assert garrison.owner != besieger.owner


@given(BOTH)
def test_only_sieges_that_are_half_done_are_kept_or_completed(battle: Battle) -> None:
    """Nothing is told of a siege that was not there before the campaign."""
    told = [e for e in fought(battle).events if isinstance(e, SiegeKept | SiegeCompleted)]

    assert {event.unit.place for event in told} <= battle.state.sieges


@given(BOTH)
def test_adjudicating_twice_gives_the_same_bytes(battle: Battle) -> None:
    """The answer to a question is the same each time, and that of the orders as values."""
    line = _question(battle)
    first, second = (write_answer(answer(line, ATLAS, _SPOKEN)) for _ in "12")

    assert first == second
    after = json.loads(first)["position"]
    assert after == json.loads(json.dumps(position_of(fought(battle).state, battle.world)))


def _question(battle: Battle) -> bytes:
    scenario = battle.world.scenario
    names = lexicon_of(scenario)
    small = {"set": {"money": False, "dice": False}}
    question = {
        "board": scenario.board.id,
        "scenario": scenario.id,
        "rules": small if battle.world is CLASSIC else {"preset": "diplomacy"},
        "position": position_of(battle.state, battle.world),
        "orders": {p: [write(order, names) for order in s] for p, s in battle.orders.items()},
    }
    return json.dumps(question).encode()
