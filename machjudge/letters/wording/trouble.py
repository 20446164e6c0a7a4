"""A line of a mail that could not be taken: shown with its number, the reason, a hint."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from machjudge.letters.layout.lines import marked
from machjudge.sentence import Sentence, Wording

_BEFORE = 30
_MOST = 180
"""So much of a line is shown."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """What was wrong with a line; *line* is text that may be shown, without a password."""

    number: int
    """Its place in the mail, counted from 1."""
    line: str
    reason: Wording
    """One sentence without a full stop."""
    column: int | None = None
    """Where the trouble begins, counted from 0."""
    length: int = 1
    """How many signs of the line are the trouble."""
    instead: Wording | None = None
    """A line that would have been right, or how such a line is written."""
    is_usage: bool = False
    """Whether there are words in it that are to be filled in, if it has small letters."""
    note: Wording = ""
    """What stays in force."""
    part: tuple[int, int] | None = None
    """From where to where stands what could not be taken, in a line that says more."""

    @property
    def is_bare(self) -> bool:
        """Whether no more can be said than the reason: nothing of the line was understood."""
        begin = self.part[0] if self.part is not None else 0
        return self.column == begin and self.instead is None and not self.note

    def typed(self, say: Callable[[Wording], str]) -> str:
        """What was typed, with the number of its line."""
        return say(Sentence("session.line", number=self.number, text=self._meant()))

    def lines(
        self, say: Callable[[Wording], str], above: Sequence["Trouble"] = ()
    ) -> tuple[str, ...]:
        """The lines of the receipt: what was typed, why not, what stays, what would be right.

        What is said of this one counts for those *above* as well.
        """
        reason = full_sentence(say(self.reason))
        told = [*(each.typed(say) for each in (*above, self)), reason]
        if not above and (word := self._word()) and word not in reason:
            told.append(say(Sentence("trouble.at", text=word)))
        if self.note:
            told.append(full_sentence(say(self.note)))
        shown = marked("wrong", "\n".join(told))
        if self.instead is None:
            return (shown,)
        instead = say(Sentence("trouble.did_you_mean", line=self.instead))
        return (shown, marked("button", instead) if self._is_line(say(self.instead)) else instead)

    def _is_line(self, instead: str) -> bool:
        """Whether what would have been right can be sent as it stands."""
        return not self.is_usage or (instead.isupper() and "[" not in instead)

    def _meant(self) -> str:
        """What of the line is meant; of a long text what stands around the trouble."""
        start, end = self.part or (0, len(self.line))
        first = start
        if end - start > _MOST:
            column = self.column if self.column is not None else start
            first = max(start, min(column - _BEFORE, end - _MOST))
        last = min(end, first + _MOST)
        before, behind = "… " if first else "", " …" if last < len(self.line) else ""
        return f"{before}{self.line[first:last].strip()}{behind}"

    def _word(self) -> str:
        """What in the line is the trouble; empty where it is all that is meant."""
        if self.column is None:
            return ""
        word = self.line[self.column : self.column + self.length].strip()
        return "" if word in ("", self._meant()) else word[:_MOST]


def full_sentence(text: str) -> str:
    """The text with a capital at its begin and a full stop behind it."""
    capital = text[:1].upper() + text[1:]
    return capital if capital.endswith((".", "?", "!")) else f"{capital}."
