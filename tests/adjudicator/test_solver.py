"""The solver against brute force, and how much it works where everything waits for everything."""

import json
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, event, given, settings

from machjudge.adjudicator.battle.results import TieBreaker
from machjudge.adjudicator.battle.setup import BattleSetup, orders_given, set_up
from machjudge.adjudicator.battle.solve import solve
from machjudge.adjudicator.battle.strength import Battle as Equations
from machjudge.adjudicator.dice import GivenDice
from machjudge.adjudicator.events import AdvanceFailed, TieBroken
from machjudge.adjudicator.evolve import Turn
from machjudge.adjudicator.legality import sort_out
from machjudge.adjudicator.year.steps import play
from tests.adjudicator.playing import played
from tests.strategies import CLASSIC, STANDARD, STRAITS, Battle, battles

NO_DICE = GivenDice({})
MAX_QUESTIONS = 11
"""Brute force tries two to the power of this."""
MAX_EQUATIONS = 10_000
"""How many equations sixty units may cost: less than two tenths of a second."""


def _entangled() -> Mapping[str, Any]:
    """Positions built, or found by changing them for long, so that orders wait for each other."""
    text = (Path(__file__).parent / "entangled.json").read_text(encoding="utf-8")
    return {
        entry["id"]: {
            "id": entry["id"],
            "board": "classic",
            "scenario": "1454",
            "rules": {"set": {"money": False, "dice": False}},
            "position": {"phase": "S1455M", "units": entry["units"]},
            "orders": entry["orders"],
        }
        for entry in json.loads(text)
    }


ENTANGLED = _entangled()


def setup(battle: Battle) -> BattleSetup:
    """The battle as the solver gets it."""
    standing = sort_out(battle.world, battle.state, battle.orders).standing
    turn = Turn(battle.world, standing, NO_DICE, battle.state, battle.state, ())
    return set_up(turn, orders_given(battle.state, standing))


def all_consistent(drawn: BattleSetup) -> Iterator[list[bool | None]]:
    """Every way to answer all questions on which all equations agree."""
    equations, asked = drawn.battle, drawn.questions
    for answers in product((True, False), repeat=len(asked)):
        for question, answer in zip(asked, answers, strict=True):
            equations.answers[question] = answer
        if all(equations.equation(q) is equations.answers[q] for q in asked):
            yield list(equations.answers)
    for question in asked:
        equations.answers[question] = None


SMALL = battles(CLASSIC, 6) | battles(CLASSIC, 6, STRAITS) | battles(STANDARD, 7)


@given(SMALL)
def test_the_only_consistent_outcome_is_the_solvers(battle: Battle) -> None:
    """Where brute force finds exactly one outcome, the solver finds that one, without a tie."""
    drawn = setup(battle)
    assume(len(drawn.questions) <= MAX_QUESTIONS)

    consistent = list(all_consistent(drawn))
    ties = solve(drawn.battle, drawn.questions, TieBreaker(drawn.battle, drawn.questions).decide)

    event(f"consistent outcomes: {len(consistent)}")
    if len(consistent) == 1:
        assert ties == []
        assert consistent[0] == drawn.battle.answers


@given(SMALL)
def test_a_tie_is_broken_in_favour_of_a_consistent_outcome(battle: Battle) -> None:
    """Where there are several outcomes, and no convoy is forced to fail, the solver takes one."""
    drawn = setup(battle)
    assume(len(drawn.questions) <= MAX_QUESTIONS)

    consistent = list(all_consistent(drawn))
    breaker = TieBreaker(drawn.battle, drawn.questions)
    solve(drawn.battle, drawn.questions, breaker.decide)

    forced = any(tie.rule in ("transports fail", "guards stay") for tie in breaker.events)
    if consistent and not forced:
        assert drawn.battle.answers in consistent


# --- how much it works -----------------------------------------------------------------------


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A list of one number: how many equations have been asked."""
    asked = [0]
    _count(monkeypatch, asked)
    return asked


def _count(patch: pytest.MonkeyPatch, asked: list[int]) -> None:
    equation = Equations.equation

    def counting(self: Equations, question: int) -> bool | None:
        asked[0] += 1
        return equation(self, question)

    patch.setattr(Equations, "equation", counting)


@pytest.mark.parametrize("name", ENTANGLED)
def test_entangled_positions_end_soon(name: str, counted: list[int]) -> None:
    """Sixty units in rings, in convoys that depend on themselves, or found by a long search."""
    question = ENTANGLED[name]
    units = question["position"]["units"]

    outcome = played(question)

    assert len(units) >= 60
    assert any(isinstance(happened, TieBroken) for happened in outcome.events)
    assert counted[0] <= MAX_EQUATIONS


def test_a_ring_of_forty_eight_armies_turns() -> None:
    """All armies of a ring advance together, however long it is."""
    outcome = played(ENTANGLED["rings"])

    failed = [event for event in outcome.events if isinstance(event, AdvanceFailed)]

    assert failed == []


@settings(max_examples=settings().max_examples // 3)
@given(battles(CLASSIC, 75) | battles(STANDARD, 75))
def test_crowded_boards_end_soon(battle: Battle) -> None:
    """Some sixty units with orders that have to do with each other need few equations."""
    asked = [0]
    with pytest.MonkeyPatch.context() as patch:
        _count(patch, asked)
        play(battle.world, battle.state, battle.orders, NO_DICE)

    assert asked[0] <= MAX_EQUATIONS
