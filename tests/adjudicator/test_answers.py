"""Answers of which not all is known: certain exactly when what is unknown cannot matter."""

from collections.abc import Callable, Sequence
from itertools import product

import pytest

from machjudge.adjudicator.battle.strength import (
    Answer,
    Range,
    all_of,
    any_of,
    both,
    either,
    more,
    not_,
)

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
