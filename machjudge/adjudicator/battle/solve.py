"""Settle yes/no questions that depend on each other. Knows nothing of the game.

Source: L. B. Kruijswijk, The Math of Adjudication: partial information first, guessing only in
cycles. An equation may answer as soon as it is certain, and must not change an answer when it
learns more.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, SupportsIndex

Question = int
Assignment = Mapping[Question, bool]

MAX_GUESSES = 2**10
"""The most guesses for a group of questions in a cycle."""


class Questions(Protocol):
    """Numbered questions with their known answers."""

    answers: list[bool | None]
    """None: unknown."""

    def equation(self, question: Question) -> bool | None:
        """Return the answer that the known ones make certain, or None."""
        ...


TieBreak = Callable[[Sequence[Question]], Assignment]
"""Answers some question of a group without exactly one consistent assignment."""


@dataclass(frozen=True, slots=True)
class Tie:
    """A cyclic group of questions, and the tie-break's answers."""

    group: tuple[Question, ...]
    decided: Assignment


def solve(questions: Questions, asked: Iterable[Question], tie_break: TieBreak) -> list[Tie]:
    """Answer all of *asked*; return the ties that were broken.

    Where nothing more is certain, the smallest closed group is answered by its only consistent
    assignment, or else by the tie-break.
    """
    ties: list[Tie] = []
    pending = _settle(questions, list(asked))
    while pending:
        group, consistent = _narrow_down(questions, pending)
        if len(consistent) == 1:
            decided = consistent[0]
        else:
            decided = tie_break(group)
            ties.append(Tie(tuple(group), decided))
        for question, answer in decided.items():
            questions.answers[question] = answer
        pending = _settle(questions, pending)
    return ties


def _settle(questions: Questions, pending: list[Question]) -> list[Question]:
    """Answer what is certain; return the rest."""
    answers, equation = questions.answers, questions.equation
    while True:
        waiting = []
        for question in pending:
            if answers[question] is None:
                answer = equation(question)
                if answer is None:
                    waiting.append(question)
                else:
                    answers[question] = answer
        if len(waiting) == len(pending):
            return waiting
        pending = waiting


# --- which questions wait for each other -----------------------------------------------------


class _Watched(list[bool | None]):
    """A list of answers that records the unknown ones read."""

    def __init__(self, answers: Iterable[bool | None]) -> None:
        super().__init__(answers)
        self.looked_at: set[Question] = set()

    # Only single answers are looked up; slices stay what they are in a list.
    def __getitem__(self, index: SupportsIndex) -> bool | None:  # type: ignore[override]
        answer = super().__getitem__(index)
        if answer is None:
            self.looked_at.add(int(index))
        return answer


def _waits_for(questions: Questions, pending: Sequence[Question]) -> dict[Question, set[Question]]:
    answers = questions.answers
    watched = _Watched(answers)
    questions.answers = watched
    graph: dict[Question, set[Question]] = {}
    try:
        for question in pending:
            watched.looked_at = set()
            questions.equation(question)
            graph[question] = watched.looked_at
    finally:
        questions.answers = answers
    return graph


def _smallest_closed_group(
    graph: Mapping[Question, set[Question]], pending: Sequence[Question]
) -> list[Question]:
    """The smallest group that depends only on itself; ties by number."""
    reach = {question: _reached(graph, question) for question in pending}
    closed = [
        sorted(group)
        for group in reach.values()
        if all(reach[question] == group for question in group)
    ]
    return min(closed, key=lambda group: (len(group), group))


def _reached(graph: Mapping[Question, set[Question]], start: Question) -> frozenset[Question]:
    seen = {start}
    edge = [start]
    while edge:
        news = graph.get(edge.pop(), set()) - seen
        seen |= news
        edge.extend(news)
    return frozenset(seen)


def _narrow_down(
    questions: Questions, pending: Sequence[Question]
) -> tuple[list[Question], list[Assignment]]:
    """The smallest closed group and its consistent assignments.

    An equation stops looking once it cannot be certain; under a guess it may look further, at
    questions outside the group. Then the group was not closed, and takes these in.
    """
    graph = _waits_for(questions, pending)
    group = _smallest_closed_group(graph, pending)
    while True:
        consistent, outside = _consistent(questions, group)
        if not outside:
            return group, consistent
        more = set(group).union(*(_reached(graph, question) for question in outside))
        group = sorted(more)


# --- guessing --------------------------------------------------------------------------------


class _OutOfGuesses(Exception):
    """The group is too large to search."""


def _consistent(
    questions: Questions, group: Sequence[Question]
) -> tuple[list[Assignment], set[Question]]:
    """Up to two consistent assignments of *group*, and the unknown questions outside looked at."""
    answers = questions.answers
    watched = _Watched(answers)
    questions.answers = watched
    found: list[Assignment] = []
    try:
        _search(questions, group, found, [MAX_GUESSES])
    except _OutOfGuesses:
        found = []
    finally:
        questions.answers = answers
    return found, watched.looked_at.difference(group)


def _search(
    questions: Questions, group: Sequence[Question], found: list[Assignment], budget: list[int]
) -> None:
    answers = questions.answers
    before = {question: answers[question] for question in group}
    open_questions = _settle(questions, [q for q in group if answers[q] is None])
    if not _contradicts(questions, group):
        if not open_questions:
            found.append({question: answers[question] is True for question in group})
        else:
            _guess(questions, group, open_questions[0], found, budget)
    for question, answer in before.items():
        answers[question] = answer


def _guess(
    questions: Questions,
    group: Sequence[Question],
    question: Question,
    found: list[Assignment],
    budget: list[int],
) -> None:
    for guess in (True, False):
        if len(found) > 1:
            return
        budget[0] -= 1
        if budget[0] < 0:
            raise _OutOfGuesses
        questions.answers[question] = guess
        _search(questions, group, found, budget)
        questions.answers[question] = None


def _contradicts(questions: Questions, group: Sequence[Question]) -> bool:
    for question in group:
        assumed = questions.answers[question]
        if assumed is not None and questions.equation(question) is (not assumed):
            return True
    return False
