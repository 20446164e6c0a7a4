"""From the rows that the sender wrote to the lines for the grammar.

Reading ends at a signoff, or at the limit; :mod:`machjudge.reading.text.ending` knows where orders
end otherwise. Between ``press`` or ``broadcast`` and its end, lines are text: kept as written,
blank ones too. Elsewhere blank rows, drawn lines and footers are dropped, broken lines put
together, bullets and emphasis taken off.

A line that cannot be trusted is left out with a defect. What depends on it is left out too: the
body of a press, and what follows a signon.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from textwrap import wrap

from machjudge.reading.text.characters import CONTROL, DIRECTION, UNDECODABLE, plain
from machjudge.reading.text.ending import is_mobile_footer, scanner_footer, without_footers
from machjudge.reading.text.mail import (
    Defect,
    Line,
    LineKind,
    MailFlaw,
    Owner,
    ReadingLimits,
    Where,
)
from machjudge.reading.text.rows import Row, Vocabulary, as_press, bare, unframed

_MOST_PIECES = 20
_NOISE = 10


@dataclass(frozen=True, slots=True)
class TakenLines:
    """The lines for the grammar, and what was left out."""

    lines: tuple[Line, ...]
    defects: tuple[Defect, ...]
    asides: tuple[Line, ...] = ()


class _In(Enum):
    """Where the reader is."""

    ORDERS = auto()
    PRESS = auto()
    LOST_PRESS = auto()
    LOST_SIGNON = auto()


@dataclass
class _Section:
    """Rows that are read alike; a press has ended if it says where."""

    is_press: bool
    rows: list[Row] = field(default_factory=list)
    has_ended: bool = False


def take_lines(rows: Sequence[Row], limits: ReadingLimits) -> TakenLines:
    """The lines in the rows that the sender wrote; none at all if they are no text as a whole."""
    if _is_noise(rows):
        return TakenLines((), (Defect(MailFlaw.NOT_TEXT),))
    defects: list[Defect] = []
    lines: list[Line] = []
    asides: list[Line] = []
    for section in _sections(rows, limits, defects):
        if section.is_press:
            lines += _press_lines(section, limits, defects)
        else:
            rows = without_footers(section.rows)
            asides += _dropped(section.rows, rows)
            lines += _order_lines(rows, limits, defects)
    kept = _within(lines, limits)
    if len(lines) > len(kept):
        is_full = len(kept) == limits.lines
        flaw = MailFlaw.TOO_MANY_LINES if is_full else MailFlaw.TOO_MUCH_TEXT
        defects.append(Defect(flaw, lines[len(kept)].number))
    defects.sort(key=lambda defect: defect.line or 0)
    return TakenLines(kept, tuple(defects), tuple(asides))


def with_kinds(lines: Sequence[Line], words: Vocabulary) -> list[Line]:
    """The rows of a mail, those of its writer with what each is by its look.

    The fields of a registration belong to their command, and a long comment is text.
    """
    told: list[Line] = []
    in_comment = in_fields = False
    for line in lines:
        if line.owner is not Owner.WRITER:
            told.append(line)
            continue
        row = Row(line.number, line.raw, line.text, words)
        ends = in_comment and row.ends_comment
        in_comment = row.begins_comment or (in_comment and not ends)
        is_end = line.text.strip().lower() == "end"
        in_fields = in_fields and (":" in line.text or is_end)
        kind = row.kind
        if line.where is Where.GREETING:
            # It greets or agrees above all orders, whatever it looks like.
            kind = kind if kind is LineKind.AGREEMENT else LineKind.PROSE
        if line.is_press or (in_comment and not row.begins_comment):
            kind = LineKind.TEXT
        elif ends or in_fields:
            kind = LineKind.COMMAND
        in_fields = (in_fields and not is_end) or row.bare.lower().startswith("register")
        told.append(replace(line, kind=kind))
    return told


def _within(lines: Sequence[Line], limits: ReadingLimits) -> tuple[Line, ...]:
    """The first lines, as many of them as are handed on."""
    left = limits.said
    for at, line in enumerate(lines[: limits.lines]):
        left -= 0 if line.is_press else len(line.text)
        if left < 0:
            return tuple(lines[:at])
    return tuple(lines[: limits.lines])


def _dropped(rows: Sequence[Row], kept: Sequence[Row]) -> Iterator[Line]:
    """What is dropped as a footer and still looks like something said."""
    numbers = {row.number for row in kept}
    for row in rows:
        if row.number not in numbers and row.is_said:
            yield row.as_aside(Where.SIGNATURE, Owner.FOOTER)


def _is_noise(rows: Sequence[Row]) -> bool:
    """Whether so many rows hold bytes that are no text that the others are chance."""
    filled = [row.text for row in rows if not row.is_blank]
    bad = sum(1 for text in filled if CONTROL.search(text) or UNDECODABLE in text)
    return bad >= _NOISE and bad > len(filled) // 4


def _sections(
    rows: Sequence[Row], limits: ReadingLimits, defects: list[Defect]
) -> Iterator[_Section]:
    """Cut the rows at the beginnings and ends of press; leave out what cannot be trusted."""
    section, where = _Section(is_press=False), _In.ORDERS
    for row in rows:
        flaw = _flaw(row, limits)
        where, is_kept = _step(where, row, flaw, defects)
        if section.is_press and where is not _In.PRESS:
            section.has_ended = True
            yield section
            section = _Section(is_press=False)
        if is_kept:
            section.rows.append(row)
        if row.is_signoff:
            break
        if where is _In.PRESS and not section.is_press:
            yield section
            section = _Section(is_press=True)
    yield section


def _step(where: _In, row: Row, flaw: MailFlaw | None, defects: list[Defect]) -> tuple[_In, bool]:
    """Where the reader is after this row, and whether the row is kept."""
    if where in (_In.PRESS, _In.LOST_PRESS) and not (row.ends_press or row.is_signoff):
        return where, where is _In.PRESS
    if row.is_blank:
        return where, True
    if flaw is not None and not (row.ends_press or row.is_signoff):
        defects.append(Defect(flaw, row.number))
        return _after_flawed(where, row), False
    if where is _In.LOST_PRESS and row.ends_press:
        return _In.ORDERS, False
    if where is _In.LOST_SIGNON and not (row.is_signon or row.is_signoff):
        defects.append(Defect(MailFlaw.DEPENDS, row.number))
        return where, False
    return (_In.PRESS if row.begins_press else _In.ORDERS), True


def _after_flawed(where: _In, row: Row) -> _In:
    if row.begins_press:
        return _In.LOST_PRESS
    if row.is_signon:
        return _In.LOST_SIGNON
    return _In.LOST_SIGNON if where is _In.LOST_SIGNON else _In.ORDERS


def _flaw(row: Row, limits: ReadingLimits) -> MailFlaw | None:
    if len(row.raw) > limits.characters:
        return MailFlaw.TOO_LONG
    if DIRECTION.search(row.text):
        return MailFlaw.DIRECTION
    if CONTROL.search(row.text):
        return MailFlaw.CONTROL
    return MailFlaw.UNDECODABLE if UNDECODABLE in row.text else None


def _order_lines(
    rows: Sequence[Row], limits: ReadingLimits, defects: list[Defect]
) -> Iterator[Line]:
    for group in rejoin([row for row in rows if not row.is_rule]):
        text = bare(unframed(" ".join(row.text for row in group)))
        if len(text) > limits.characters:
            defects.append(Defect(MailFlaw.TOO_LONG, group[0].number))
        elif text:
            yield Line(group[0].number, text, "\n".join(row.raw for row in group))


def _press_lines(section: _Section, limits: ReadingLimits, defects: list[Defect]) -> Iterator[Line]:
    rows = section.rows if section.has_ended else _without_tail(section.rows)
    for row in rows:
        pieces = _pieces(as_press(row.raw), limits.characters)
        if len(pieces) > _MOST_PIECES:
            defects.append(Defect(MailFlaw.TOO_LONG, row.number))
        else:
            yield from (Line(row.number, piece, piece, is_press=True) for piece in pieces)


def _without_tail(rows: Sequence[Row]) -> Sequence[Row]:
    """The rows of a press without what a mail program or scanner wrote below, and blank ends."""
    at = scanner_footer(rows)
    kept = list(rows if at is None or not _is_last_paragraph(rows, at) else rows[:at])
    while kept and (kept[-1].is_blank or kept[-1].is_rule or is_mobile_footer(kept[-1])):
        kept.pop()
    return kept


def _is_last_paragraph(rows: Sequence[Row], at: int) -> bool:
    gap = next((i for i in range(at, len(rows)) if rows[i].is_blank), len(rows))
    return all(row.is_blank or row.is_rule for row in rows[gap:])


def _pieces(text: str, most: int) -> list[str]:
    """The text in pieces of at most *most* characters: a paragraph is no long order."""
    if len(text) <= most:
        return [text]
    if len(text) > most * _MOST_PIECES:
        return [""] * (_MOST_PIECES + 1)
    return wrap(text, most)


# --- lines that a mail program broke ------------------------------------------------------------

_LONG = 60
_FULL = 66
_WIDTH = 72
_MOST_BROKEN = 10
_OPEN_END = re.compile(r"(?:^|[^-])->?$")
_WANTS_MORE = re.compile(
    r"(?:(?:^|(?<!:) )(?:a|f)"
    r"|(?:^| )(?:to|converts?|m|moves?|army|fleet|garrison|ducats|the|of|for|and|with|pacify"
    r"|cause|assassinate|buy|counter-bribe|famine|expense))$",
    re.IGNORECASE,
)
"""A conversion in the letters of 1978, ``G1: A``, is complete."""
_EXPENSE_WITHOUT_DEED = re.compile(
    r"(?:e|exp|expense) ?\d+ ?:? ?[\d+ ]*(?:d|ducats?)?$", re.IGNORECASE
)
_DISBAND = re.compile(r"disbands?\b", re.IGNORECASE)
_WANTS_UNIT = re.compile(
    r"(?<!\bvia)(?<!\bby) (?:s|supports?|t|transports?|convoys?)$", re.IGNORECASE
)
"""``A con - sev via convoy`` is complete."""
_COMMENT = re.compile(r"#|//")
_CONTINUES = re.compile(r"->? ")


def rejoin(rows: Sequence[Row]) -> list[list[Row]]:
    """The rows in groups, each of which is one line that a mail program broke near its 78th column.

    A line goes on in the next if it ends with a dash or an arrow; if it ends with a comma or a word
    that needs another, and is long or the next is nothing by itself; if the next begins with an
    arrow; or if the next line's first word would not have fitted. A line with a signon stays alone,
    and a short one never swallows an order.
    """
    groups: list[list[Row]] = []
    for row in rows:
        if groups and len(groups[-1]) < _MOST_BROKEN and _goes_on(groups[-1][-1], row):
            groups[-1].append(row)
        else:
            groups.append([row])
    return groups


def _goes_on(row: Row, after: Row) -> bool:
    """Whether *row* was broken and goes on in *after*."""
    adjacent = after.number == row.number + 1 and row.text and after.text
    if not adjacent or row.is_signon or row.begins_press:
        return False
    if after.is_command:
        return bool(_EXPENSE_WITHOUT_DEED.match(row.text) and _DISBAND.match(after.text))
    return _ends_open(row, after) or _begins_open(row, after) or _did_not_fit(row, after)


def _ends_open(row: Row, after: Row) -> bool:
    is_long = len(row.text) >= _LONG
    if _OPEN_END.search(row.text):
        return is_long or not after.is_unit_order
    if row.text.endswith(","):
        return (is_long and row.is_said) or ((is_long or row.is_said) and not after.is_said)
    if _WANTS_UNIT.search(row.text):
        return is_long or not after.is_said
    if row.words.is_command(row.bare) and not is_long:
        # "PHASE EVERY M", "BECOME F": the letter is no unit.
        return False
    return bool(_WANTS_MORE.search(row.text)) and not after.is_said


def _begins_open(row: Row, after: Row) -> bool:
    if not _CONTINUES.match(after.text) or _CONTINUES.match(row.text) or after.is_unit_order:
        return False
    return after.text.startswith("->") or len(row.text) >= _LONG


def _did_not_fit(row: Row, after: Row) -> bool:
    first_word = len(after.text.split(" ", 1)[0])
    full = len(row.text) >= _FULL and len(row.text) + 1 + first_word > _WIDTH
    is_more = not (after.is_said or _COMMENT.match(after.text)) and after.bare == after.text
    return full and is_more


# --- clear-signed and encrypted text (OpenPGP, RFC 9580 section 7) ------------------------------

_SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"
_BEGIN = "-----BEGIN PGP "
_END = "-----END PGP "
_SEALED = "-----BEGIN PGP MESSAGE-----"


def is_sealed(rows: Sequence[Row]) -> bool:
    """Whether the text holds an encrypted message."""
    return any(row.text == _SEALED for row in rows)


def without_armour(rows: Sequence[Row]) -> list[Row]:
    """The rows without signatures, keys and encrypted text, signed ones as they were written."""
    if not any(row.text.startswith(_BEGIN) for row in rows):
        return list(rows)
    return list(_taken_out(rows))


def _taken_out(rows: Sequence[Row]) -> Iterator[Row]:
    in_header = in_block = in_signed = False
    for row in rows:
        if row.text.startswith(_BEGIN):
            in_signed = in_header = row.text == _SIGNED
            in_block = not in_signed
        elif row.text.startswith(_END):
            in_block = False
        elif in_header:
            in_header = not row.is_blank
        elif not in_block:
            yield _unescaped(row) if in_signed else row


def _unescaped(row: Row) -> Row:
    """The row without the dash that signing put in front."""
    if not row.raw.startswith("- "):
        return row
    return replace(row, raw=row.raw[2:], text=plain(row.raw[2 : len(row.text) + 2]))
