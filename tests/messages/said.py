"""Sentences as their readers get them."""

from collections.abc import Iterable

from machjudge.messages.wording import Told, one_by_one
from machjudge.translatable import MessageOrText
from tests.judge.house import stationery


def say(wording: MessageOrText) -> str:
    """The words of one sentence."""
    return stationery().say(wording)


def lines(told: Iterable[Told]) -> tuple[str, ...]:
    """The lines of some sentences, and of those that stand below a heading."""
    return tuple(line for one in one_by_one(told) for line in say(one).split("\n"))
