"""The lines to send back, row by row beside their quotation: what stands, what is gone or new."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from machjudge.reading import Aside
from machjudge.service.lines.asides import plain_words

_STRUCK = re.compile(r"~~.*?~~")
_ALIKE = 0.6
"""How much a row must be like a line that is gone, to be that line with a slip."""
_MOST_PIECES = 4
"""Into so many rows mail programs break a line of the form."""


@dataclass(frozen=True, slots=True)
class QuotedRow:
    """A quoted row, or a line of the form that was broken into several."""

    number: int
    text: str
    numbers: tuple[int, ...]
    """Those of all its pieces."""


@dataclass(frozen=True, slots=True)
class SentForm:
    """The lines to send back, in the words of their reader."""

    lines: tuple[str, ...]
    """Those that may be sent all together as they stand."""
    choices: tuple[tuple[str, ...], ...]
    """Those of which some may be sent."""
    marks: frozenset[str]
    """The words of the rows that stand below them, still in their section."""
    ends: frozenset[str]
    """The words of the titles of the next section."""


@dataclass(slots=True)
class QuotedForm:
    """What became of a form in its quotation."""

    stands: list[QuotedRow] = field(default_factory=list)
    """The lines that may be sent together, as they stand."""
    again: list[QuotedRow] = field(default_factory=list)
    """Those of them that stand there more often than in the form."""
    choices: list[list[QuotedRow]] = field(default_factory=list)
    """What is left of each choice."""
    others: list[QuotedRow] = field(default_factory=list)
    """Rows that are no lines of the form."""
    below: list[QuotedRow] = field(default_factory=list)
    """The rows of the next sections."""
    deleted: tuple[str, ...] = ()
    """Lines to send together of which nothing is left, in a quotation that has their end."""
    is_whole: bool = False
    """Whether the end of the form is quoted, so that a line that is not there was deleted."""
    is_moved: bool = False
    """Whether lines to send together stand in another order."""


@dataclass(slots=True)
class MeantForm:
    """What the writer of an answer means by the form that it quotes."""

    changed: list[QuotedRow] = field(default_factory=list)
    slips: list[QuotedRow] = field(default_factory=list)
    """Changed rows that are no whole orders."""
    stands: list[QuotedRow] = field(default_factory=list)
    """Lines that count as they stand."""
    chosen: list[QuotedRow] = field(default_factory=list)
    unclear: list[list[QuotedRow]] = field(default_factory=list)
    """What is left of each choice from which too much was left."""
    deleted: tuple[str, ...] = ()
    is_moved: bool = False
    has_offers: bool = False
    """Whether lines stand there that would build something, and that say nothing."""

    @property
    def rows(self) -> list[QuotedRow]:
        """What is read, from top to bottom."""
        found = (*self.changed, *self.slips, *self.stands, *self.chosen)
        return sorted(found, key=lambda row: row.number)


def compare(form: SentForm, quoted: Iterable[Aside]) -> QuotedForm:
    """What of a form stands in the rows below its title.  Struck-out text is none."""
    rows = [
        QuotedRow(each.number, text, (each.number,))
        for each in quoted
        if (text := _STRUCK.sub("", each.text).strip())
    ]
    words = [plain_words(row.text) for row in rows]
    end = next((at for at, each in enumerate(words) if each in form.ends), len(rows))
    found = QuotedForm(below=rows[end:], choices=[[] for _ in form.choices])
    found.is_whole = end < len(rows) or not form.marks.isdisjoint(words)
    _match(form, rows[:end], found)
    return found


def _match(form: SentForm, rows: Sequence[QuotedRow], found: QuotedForm) -> None:
    lines = [plain_words(line) for line in form.lines]
    left = Counter(lines)
    offers = {
        plain_words(line): number for number, each in enumerate(form.choices) for line in each
    }
    places: list[int] = []
    at = 0
    while at < len(rows):
        row, key = _row_at(rows, at, left.keys() | offers.keys())
        if key in offers:
            found.choices[offers[key]].append(row)
        elif key in left:
            (found.stands if left[key] else found.again).append(row)
            places += [lines.index(key)] if left[key] else []
            left[key] -= min(left[key], 1)
        else:
            found.others.append(row)
        at += len(row.numbers)
    found.is_moved = places != sorted(places)
    if found.is_whole:
        found.deleted = tuple(
            line for line, words in zip(form.lines, lines, strict=True) if left[words]
        )


def _row_at(rows: Sequence[QuotedRow], at: int, known: Iterable[str]) -> tuple[QuotedRow, str]:
    """The row at a place, with those that make one line of the form together with it."""
    for length in range(1, _MOST_PIECES + 1):
        pieces = rows[at : at + length]
        text = " ".join(piece.text for piece in pieces)
        if len(pieces) == length and (words := plain_words(text)) in known:
            numbers = tuple(piece.number for piece in pieces)
            return QuotedRow(pieces[0].number, text, numbers), words
    return rows[at], ""


def chosen_of(
    lines: Sequence[str], left: Sequence[QuotedRow], *, is_whole: bool, most: int, orders: int
) -> list[QuotedRow] | None:
    """Which rows of a choice its writer has chosen, if any; None if nobody knows.

    Chosen is what stands in the place of another line, or what alone was left.

    :param lines: the lines that the message has.
    :param left: those that are quoted.
    :param is_whole: whether the end of the form is quoted.
    :param most: how many orders may be chosen.
    :param orders: how many orders the rows that are left stand for.
    """
    counts = Counter(plain_words(row.text) for row in left)
    twice = [row for row in left if counts[plain_words(row.text)] > 1]
    if twice:
        extra = len(left) - len(counts)
        is_in_place = extra == 1 and len(left) == len(lines)
        return [twice[0]] if is_in_place or len(counts) == 1 else None
    if not is_whole or not left or len(counts) == len(lines):
        return []
    return list(left) if orders <= most else None


def is_like(line: str, rows: Sequence[QuotedRow]) -> bool:
    """Whether one of some rows is like a line."""
    words = plain_words(line)
    return any(
        SequenceMatcher(None, words, plain_words(row.text)).ratio() >= _ALIKE for row in rows
    )
