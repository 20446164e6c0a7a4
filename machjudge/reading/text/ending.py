"""Where the orders of a mail end: at a signature, or at a closing formula behind what was said.

What stands below is not read, but kept as asides; the service, which knows the game, looks for
orders among them. Courtesies above the first order or command are asides as well.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from machjudge.reading.text.courtesies import (
    is_assent,
    is_closing,
    is_greeting,
    is_heading,
    is_name,
)
from machjudge.reading.text.footers import (
    begins_appendix,
    is_device_line,
    is_mobile_footer,
    without_footers,
)
from machjudge.reading.text.mail import Line, Owner, Where
from machjudge.reading.text.rows import Row

_SIGNATURE = re.compile(r"[-\u2012-\u2015]{2}$")
_LONE_DASH = re.compile(r"[\u2013\u2014]$")
_BARE = re.compile(r"[^\W\d_]+\.?(?: [^\W\d_]+\.?){0,2}$")
"""A line of names only."""
_PARTS = re.compile(r"[:,;] *")
_MOST_BELOW = 200


@dataclass(frozen=True, slots=True)
class Parting:
    """The rows that may be read, and what stands around them."""

    rows: tuple[Row, ...]
    asides: tuple[Line, ...]
    below: tuple[Row, ...]
    """Everything from the end of the orders on."""


def without_courtesies(rows: Sequence[Row], names: frozenset[str]) -> Parting:
    """The rows up to the end of the orders, without greetings; *names* are the sender's own."""
    return _EndingReader(rows, names).parting()


class _EndingReader:
    """Goes through the rows once."""

    def __init__(self, rows: Sequence[Row], names: frozenset[str]) -> None:
        self.rows = rows
        self.names = names
        self.greetings: dict[int, Row] = {}
        end = next((at for at, row in enumerate(rows) if row.is_signoff), len(rows))
        self.last_said = _last(rows[:end], _is_order)
        self.last_end = _last(rows, lambda row: row.ends_press)
        self.lists_places = False
        """Whether a row above is nothing but names, as in a list of places."""

    def parting(self) -> Parting:
        has_said = has_written = in_press = in_comment = False
        for at, row in enumerate(self.rows):
            in_comment = row.begins_comment or (in_comment and not row.ends_comment)
            if in_comment:
                has_said = True
                continue
            if row.is_signoff:
                break
            if self._draws_signature(at) and not (in_press and at < self.last_end):
                return self._parted(at, Where.SIGNATURE)
            if in_press:
                in_press = not row.ends_press
            elif (has_said and self._closes(at)) or (has_written and self._signs(at, has_said)):
                return self._parted(at, Where.CLOSING)
            elif not has_said and _greets(row):
                self.greetings[at] = row
            else:
                has_said = has_said or (row.is_said and not row.is_signon)
                in_press = row.begins_press
                self.lists_places |= not row.is_said and bool(_BARE.match(row.bare))
            has_written |= not (row.is_blank or row.is_signon)
        return self._parted(len(self.rows), Where.CLOSING)

    def _parted(self, end: int, where: Where) -> Parting:
        off = next((at for at in range(end, len(self.rows)) if self.rows[at].is_signoff), None)
        below = tuple(self.rows[end:off])
        written = {row.number for row in without_footers(below)}
        shown = [
            row
            for row in below
            if row.is_said or (row.number in written and not (row.is_blank or row.is_rule))
        ]
        asides = (
            *(row.as_aside(Where.GREETING, Owner.WRITER) for row in self.greetings.values()),
            *(row.as_aside(where, Owner.FOOTER) for row in shown[:_MOST_BELOW]),
        )
        kept = (row for at, row in enumerate(self.rows[:end]) if at not in self.greetings)
        return Parting(tuple(kept), asides, below)

    def _draws_signature(self, at: int) -> bool:
        """Whether a row is two dashes, or a long one behind which nothing is said."""
        drawn = self.rows[at].raw[:20].strip()
        return bool(_SIGNATURE.match(drawn) or (_LONE_DASH.match(drawn) and at > self.last_said))

    def _closes(self, at: int) -> bool:
        """Whether the orders end above a row: at a formula, or at what programs add."""
        row = self.rows[at]
        is_footer = is_mobile_footer(row) or is_device_line(row) or begins_appendix(row)
        return is_closing(row.bare) or (is_footer and at > self.last_said)

    def _signs(self, at: int, has_said: bool) -> bool:
        """Whether a row is the sender's name below all orders, and none of a list of places."""
        stands_alone = not self.lists_places or (has_said and self.rows[at - 1].is_blank)
        return at > self.last_said and stands_alone and is_name(self.rows[at].bare, self.names)


def _greets(row: Row) -> bool:
    """Whether a row is a courtesy that stands above all orders."""
    if row.is_full_signon or _has_order(row):
        return False
    return (
        (is_greeting(row.bare) and not is_heading(row.bare))
        or is_closing(row.bare)
        or (is_assent(row.bare) and not row.is_said)
    )


def _has_order(row: Row) -> bool:
    """Whether an order stands behind a colon or comma: "my orders: A flo s A are"."""
    _, *behind = _PARTS.split(row.bare)
    return any(row.words.is_unit_order(part) for part in behind)


def _is_order(row: Row) -> bool:
    """Whether a row is said, and no program has put it there: "Poslano s mojeg iPhonea"."""
    return row.is_said and (row.is_unit_order or row.is_command or not is_device_line(row))


def _last(rows: Sequence[Row], is_wanted: Callable[[Row], bool]) -> int:
    """The index of the last row of a kind, -1 if there is none."""
    return next((at for at in range(len(rows) - 1, -1, -1) if is_wanted(rows[at])), -1)
