"""Sections of a letter that tell each event in one sentence."""

from collections.abc import Callable, Iterable
from typing import Any

from machjudge.adjudicator.events import Event
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence

Teller = Callable[[Words, Any], Sentence | None]
"""Any: the sentence of each kind of event takes that kind; None says nothing."""

Section = dict[type[Any], Teller]


def tell(section: Section, words: Words, events: Iterable[Event]) -> tuple[Sentence, ...]:
    """The sentences of one section, in the order of the events."""
    told = (section[type(event)](words, event) for event in events if type(event) in section)
    return tuple(sentence for sentence in told if sentence is not None)
