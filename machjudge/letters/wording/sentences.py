"""Sections of a letter that tell each event in one sentence."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from machjudge.adjudicator.events import Event
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence, Wording


@dataclass(frozen=True, slots=True)
class LineGroup:
    """Lines below a heading of their own, such as the units of a power."""

    head: Wording
    lines: tuple[Wording, ...]


Told: TypeAlias = Wording | LineGroup
"""What stands in a section."""


def one_by_one(told: Iterable[Told]) -> Iterator[Wording]:
    """The lines of a section, each heading before what stands below it."""
    for each in told:
        yield from (each.head, *each.lines) if isinstance(each, LineGroup) else (each,)


Teller = Callable[[Words, Any], Sentence | None]
"""Any: the sentence of each kind of event takes that kind; None says nothing."""

Section = dict[type[Any], Teller]


def tell(section: Section, words: Words, events: Iterable[Event]) -> tuple[Sentence, ...]:
    """The sentences of one section, in the order of the events."""
    told = (section[type(event)](words, event) for event in events if type(event) in section)
    return tuple(sentence for sentence in told if sentence is not None)
