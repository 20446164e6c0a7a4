"""Sentences as their readers get them."""

from collections.abc import Iterable

from machjudge.sentence import Wording
from tests.service.house import stationery


def say(wording: Wording) -> str:
    """The words of one sentence."""
    return stationery().say(wording)


def lines(wordings: Iterable[Wording]) -> tuple[str, ...]:
    """The lines of some sentences."""
    return tuple(line for each in wordings for line in say(each).split("\n"))
