"""Sections of a letter that tell each event in one sentence."""

from collections.abc import Callable, Iterable
from typing import Any

from machjudge.adjudicator.events import Event
from machjudge.letters.wording.words import Words

Teller = Callable[[Words, Any], str]
"""Any: the sentence of each kind of event takes that kind."""

Section = dict[type[Any], Teller]


def tell(section: Section, words: Words, events: Iterable[Event]) -> tuple[str, ...]:
    """The sentences of one section, in the order of the events; empty ones are left out."""
    told = (section[type(event)](words, event) for event in events if type(event) in section)
    return tuple(sentence for sentence in told if sentence)
