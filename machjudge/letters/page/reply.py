"""The answer to a mail, collected part by part while the mail is handled."""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import groupby

from machjudge.letters.layout.picture import InlinePicture
from machjudge.letters.wording.trouble import Trouble
from machjudge.sentence import Sentence, Wording

MOST_TROUBLES = 25
"""Of how many lines that were not taken the answer says why."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text that was asked for: a listing, the help, the rules."""

    title: Wording
    lines: tuple[Wording, ...]


@dataclass(frozen=True, slots=True)
class File:
    """A file that goes along."""

    name: str
    media_type: str
    content: bytes


@dataclass(slots=True)
class Answer:
    """What the answer will say."""

    speaker: str = ""
    """As whom the sender was heard: ``Florence in Borgia``."""
    verdict: list[Wording] = field(default_factory=list)
    """The important thing, first."""
    troubles: list[Trouble] = field(default_factory=list)
    done: list[Wording] = field(default_factory=list)
    standing: dict[str, tuple[Wording, ...]] = field(default_factory=dict)
    """How something stands after all that was done, told once; by what it is."""
    ignored: list[Wording] = field(default_factory=list)
    overlooked: list[int] = field(default_factory=list)
    """The numbers of lines that look like orders and stand where none is read."""
    orders: list[Wording] = field(default_factory=list)
    later: list[Wording] = field(default_factory=list)
    """What is kept for later phases."""
    numbers: list[Wording] = field(default_factory=list)
    """By which numbers the order sets on file can be restored."""
    money: list[Wording] = field(default_factory=list)
    """What the orders cost and leave, where the game has ducats."""
    warnings: list[Wording] = field(default_factory=list)
    """What is on file but will probably fail; no errors."""
    notices: list[Wording] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)
    files: list[File] = field(default_factory=list)
    pictures: tuple[InlinePicture, ...] = ()
    """What is shown with the orders."""

    @property
    def errors(self) -> int:
        """How many lines were not taken."""
        return len(self.troubles)

    def done_lines(self) -> tuple[Wording, ...]:
        """What was done, and how things stand after it."""
        return (*self.done, *(line for lines in self.standing.values() for line in lines))

    def trouble_lines(self, say: Callable[[Wording], str]) -> tuple[str, ...]:
        """The troubles by the line of the mail, a blank line between them.

        Of lines that say nothing, one below the other, the reason stands below them all.
        """
        ordered = sorted(self.troubles, key=lambda trouble: trouble.number)
        shown, lines = ordered[:MOST_TROUBLES], list[str]()
        for _, group in groupby(shown, lambda one: one.reason if one.is_bare else one):
            *above, last = group
            lines += [*last.lines(say, above), ""]
        more = len(ordered) - MOST_TROUBLES
        if more > 0:
            lines.append(say(Sentence("trouble.more", n=more)))
        return tuple(lines if more > 0 else lines[:-1])
