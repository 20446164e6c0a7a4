"""Answers and strengths of which not everything is known yet.  Knows no rule."""

from collections.abc import Iterable, Sequence

Answer = bool | None
"""None while it is too early to tell."""


Range = tuple[int, int]
"""The least and the most that a strength can still be."""

NOTHING: Range = (0, 0)


def any_of(answers: Iterable[Answer]) -> Answer:
    """True if one is, False if all are, otherwise too early to tell."""
    result: Answer = False
    for answer in answers:
        if answer is True:
            return True
        if answer is None:
            result = None
    return result


def all_of(answers: Sequence[Answer]) -> Answer:
    """True if all are, False if one is not, otherwise too early to tell."""
    return not_(any_of(not_(answer) for answer in answers))


def not_(answer: Answer) -> Answer:
    """The contrary, where the answer is known."""
    return None if answer is None else not answer


def either(one: Answer, other: Answer) -> Answer:
    """Whether one of two is so."""
    if one is True or other is True:
        return True
    return None if one is None or other is None else False


def both(one: Answer, other: Answer) -> Answer:
    """Whether both are so."""
    if one is False or other is False:
        return False
    return None if one is None or other is None else True


def more(one: Range, other: Range) -> Answer:
    """Whether one strength exceeds the other."""
    (least, most), (other_least, other_most) = one, other
    if least > other_most:
        return True
    return False if most <= other_least else None
