"""The equations of a battle: never certain too early, and certain at last."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest

from machjudge.adjudicator.battle.setup import BattleSetup, orders_given, set_up
from machjudge.adjudicator.dice import GivenDice
from machjudge.adjudicator.evolve import Turn
from machjudge.adjudicator.legality import sort_out
from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.orders import Order
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
