"""The equations of a battle: never certain too early, and certain at last."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from random import Random
from typing import Any

import pytest

from machjudge.adjudicator.battle.setup import BattleSetup, orders_given, set_up
from machjudge.adjudicator.battle.strength import (
    Answer,
    Battle,
    Contender,
    Guards,
    Range,
    all_of,
    any_of,
    both,
    either,
    more,
    not_,
)
from machjudge.adjudicator.dice import GivenDice
from machjudge.adjudicator.evolve import Turn
from machjudge.adjudicator.legality import sort_out
from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.orders import Order
from machjudge.adjudicator.units import FLEET, Unit
from machjudge.formats.adjudicate import NotRead, read_entries, read_task
from machjudge.formats.values import as_object
from tests.adjudicator.cases import FOLDER, cases_of
from tests.replays.judge import ATLAS, SPOKEN

FILES = ("conversions", "movement", "rebellions", "special", "straits", "venice")
"""The files of cases whose battles are looked at."""


def battle_of(question: Mapping[str, Any]) -> BattleSetup | None:
    """The battle of a campaign as it begins, without what money does before it."""
    task = read_task(as_object(dict(question)), ATLAS)
    if task.state.moment.stage is not Stage.CAMPAIGN:
        return None
    sheets: dict[PowerId, tuple[Order, ...]] = {}
    for entry in read_entries(task, SPOKEN):
        if not isinstance(entry.said, NotRead):
            sheets[entry.power] = (*sheets.get(entry.power, ()), entry.said)
    standing = sort_out(task.world, task.state, sheets).standing
    turn = Turn(task.world, standing, GivenDice({}), task.state, task.state, ())
    return set_up(turn, orders_given(task.state, standing))


def battles_of(file: str) -> Iterator[tuple[str, BattleSetup]]:
    """The battles of a file of cases, by their names."""
    for case in cases_of(FOLDER / f"{file}.toml"):
        drawn = battle_of(case.question)
        if drawn is not None and drawn.questions:
            yield case.name, drawn


BATTLES = {file: list(battles_of(file)) for file in FILES}


@pytest.mark.parametrize("file", FILES)
def test_equations_do_not_change_their_answers(file: str) -> None:
    """An equation answers only what holds however the unknown answers come out.

    And once everything is known it does answer.
    """
    for seed, (name, drawn) in enumerate(BATTLES[file]):
        dice = Random(seed)  # noqa: S311 - nobody bets on it
        for _ in range(15):
            check(drawn, dice, name)


def check(drawn: BattleSetup, dice: Random, name: str) -> None:
    """Give every question an answer, then forget some of them."""
    battle = drawn.battle
    before = list(battle.answers)
    complete = [dice.random() < 0.5 if answer is None else answer for answer in before]
    battle.answers[:] = complete
    at_last = {question: battle.equation(question) for question in drawn.questions}
    for question in drawn.questions:
        if before[question] is None and dice.random() < 0.5:
            battle.answers[question] = None
    early = {question: battle.equation(question) for question in drawn.questions}
    battle.answers[:] = before

    assert None not in at_last.values(), name
    changed = {q for q, answer in early.items() if answer is not None and answer is not at_last[q]}
    assert changed == set(), name


# Answers of which not all is known: certain exactly when what is unknown cannot matter.


ANSWERS: tuple[Answer, ...] = (True, False, None)
RANGES: tuple[Range, ...] = tuple((a, b) for a, b in product(range(4), repeat=2) if a <= b)


def completions(known: Sequence[Answer]) -> list[tuple[bool, ...]]:
    """Everything that answers can turn out to be."""
    return list(product(*((True, False) if one is None else (one,) for one in known)))


@pytest.mark.parametrize("known", list(product(ANSWERS, repeat=2)), ids=str)
@pytest.mark.parametrize(
    ("combined", "of_bools"),
    [(either, any), (both, all)],
    ids=["either", "both"],
)
def test_two_answers(
    combined: Callable[[Answer, Answer], Answer],
    of_bools: Callable[[Sequence[bool]], bool],
    known: tuple[Answer, Answer],
) -> None:
    """Certain if every completion says the same."""
    possible = {of_bools(complete) for complete in completions(known)}

    assert combined(*known) is (possible.pop() if len(possible) == 1 else None)


@pytest.mark.parametrize(
    "known", [k for n in range(4) for k in product(ANSWERS, repeat=n)], ids=str
)
def test_any_number_of_answers(known: tuple[Answer, ...]) -> None:
    """The same for any number of them; of none at all, all are so and none is."""
    some = {any(complete) for complete in completions(known)}
    every = {all(complete) for complete in completions(known)}

    assert any_of(known) is (some.pop() if len(some) == 1 else None)
    assert all_of(known) is (every.pop() if len(every) == 1 else None)


def test_the_contrary() -> None:
    """Yes and no change places; what is not known stays so."""
    assert [not_(True), not_(False), not_(None)] == [False, True, None]


@pytest.mark.parametrize("one", RANGES, ids=str)
def test_one_strength_exceeds_another(one: Range) -> None:
    """Certain if it does, or does not, wherever in their ranges both come out."""
    for other in RANGES:
        within = (range(least, most + 1) for least, most in (one, other))
        possible = {mine > theirs for mine, theirs in product(*within)}

        assert more(one, other) is (possible.pop() if len(possible) == 1 else None), other


# What a unit holds against one that comes the other way, while it is open whether it comes.


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
