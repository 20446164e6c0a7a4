"""Sentences as their readers get them."""

from collections.abc import Iterable

from machjudge.letters.wording.sentences import Group, Told
from machjudge.sentence import Wording
from tests.service.house import stationery


def say(wording: Wording) -> str:
    """The words of one sentence."""
    return stationery().say(wording)


def lines(told: Iterable[Told]) -> tuple[str, ...]:
    """The lines of some sentences, and of those that stand below a heading."""
    heads = ((one.head, *one.lines) if isinstance(one, Group) else (one,) for one in told)
    return tuple(line for each in heads for one in each for line in say(one).split("\n"))
