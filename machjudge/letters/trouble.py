"""A line of a mail that could not be taken: shown with its number, a caret, the reason, a hint."""

from dataclasses import dataclass

_WIDTH = 60
_BEFORE = 30


@dataclass(frozen=True, slots=True)
class Trouble:
    """What was wrong with a line; *line* is text that may be shown, without a password."""

    number: int
    """Its place in the mail, counted from 1."""
    line: str
    reason: str
    """One sentence without a full stop."""
    column: int | None = None
    """Where the trouble begins, counted from 0."""
    length: int = 1
    """How many signs the caret marks."""
    instead: str | None = None
    """A line that would have been right."""
    note: str = ""
    """What stays in force."""

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of the receipt."""
        shown = [f"line {self.number}:", *(f"  {text}" for text in self._marked())]
        shown.append(f"  {_sentence(self.reason)}")
        if self.instead is not None:
            shown.append(f"  Did you mean: {self.instead}")
        if self.note:
            shown.append(f"  {_sentence(self.note)}")
        return tuple(shown)

    def _marked(self) -> list[str]:
        """The line, cut around the trouble where it is long, and the caret below it."""
        column = min(self.column or 0, len(self.line))
        start = 0 if len(self.line) <= _WIDTH else max(0, column - _BEFORE)
        piece = ("… " if start else "") + self.line[start : start + _WIDTH]
        if start + _WIDTH < len(self.line):
            piece += " …"
        if self.column is None:
            return [piece]
        at = column - start + (2 if start else 0)
        return [piece, " " * at + "^" * max(1, min(self.length, len(piece) - at))]


def _sentence(text: str) -> str:
    """The text as a sentence."""
    capital = text[:1].upper() + text[1:]
    return capital if capital.endswith((".", "?", "!")) else f"{capital}."
