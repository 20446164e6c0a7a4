"""Sentences as their readers get them."""

from collections.abc import Iterable

from machjudge.messages.wording import SectionLine, section_lines
from machjudge.translatable import MessageOrText
from tests.judge.house import message_renderer


def say(wording: MessageOrText) -> str:
    """The words of one sentence."""
    return message_renderer().say(wording)


def lines(told: Iterable[SectionLine]) -> tuple[str, ...]:
    """The lines of some sentences, and of those that stand below a heading."""
    return tuple(line for one in section_lines(told) for line in say(one).split("\n"))
