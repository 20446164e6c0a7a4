"""A line of a mail that could not be taken: shown with its number, a caret, the reason, a hint."""

import textwrap
from collections.abc import Callable
from dataclasses import dataclass

from machjudge.sentence import Sentence, Wording

_WIDTH = 60
_BEFORE = 30
_MOST_ROWS = 3


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
    """How many signs the caret marks."""
    instead: Wording | None = None
    """A line that would have been right."""
    note: Wording = ""
    """What stays in force."""
    part: tuple[int, int] | None = None
    """From where to where stands what could not be taken, in a line that says more."""

    def lines(self, say: Callable[[Wording], str]) -> tuple[str, ...]:
        """The lines of the receipt."""
        shown = [say(Sentence("trouble.line", number=self.number))]
        shown += [f"  {text}" for text in self._marked()]
        shown.append(f"  {full_sentence(say(self.reason))}")
        if self.instead is not None:
            shown.append(f"  {say(Sentence('trouble.did_you_mean', line=self.instead))}")
        if self.note:
            shown.append(f"  {full_sentence(say(self.note))}")
        return tuple(shown)

    def _marked(self) -> list[str]:
        """The line, or what of it is meant, and a caret below the trouble."""
        if self.column is None and self.part is None:
            return self._rows()
        column, length = self._caret()
        first = self._first_shown(column)
        piece = ("… " if first else "") + self.line[first : first + _WIDTH]
        if first + _WIDTH < len(self.line):
            piece += " …"
        at = column - first + (2 if first else 0)
        return [piece, " " * at + "^" * max(1, min(length, len(piece) - at))]

    def _caret(self) -> tuple[int, int]:
        """Where the caret begins and how long it is: the trouble, else all that is meant."""
        if self.column is None and self.part is not None:
            return self.part[0], self.part[1] - self.part[0]
        return min(self.column or 0, len(self.line)), self.length

    def _first_shown(self, column: int) -> int:
        """From where a long line is shown, so that all that is meant has room, or the trouble."""
        start, end = self.part or (0, len(self.line))
        spare = _WIDTH - (end - start)
        first = start - min(spare, _BEFORE) if spare >= 0 else column - _BEFORE
        first = max(0, min(first, len(self.line) - _WIDTH))
        while self.line[first : first + 1] == " ":
            first += 1
        return first

    def _rows(self) -> list[str]:
        """All of a line, broken where it is long."""
        rows = textwrap.wrap(self.line, _WIDTH) or [""]
        return rows if len(rows) <= _MOST_ROWS else [*rows[:_MOST_ROWS], "…"]


def full_sentence(text: str) -> str:
    """The text with a capital at its begin and a full stop behind it."""
    capital = text[:1].upper() + text[1:]
    return capital if capital.endswith((".", "?", "!")) else f"{capital}."
