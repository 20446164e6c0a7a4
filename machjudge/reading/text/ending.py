"""Where the orders of a mail end: at a signature, or at a closing formula behind what was said.

What stands below is not read, but kept as asides; the service, which knows the game, looks for
orders among them. Courtesies above the first order or command are asides as well.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from machjudge.reading.text.courtesies import (
    is_assent,
    is_closing,
    is_greeting,
    is_heading,
    is_name,
)
from machjudge.reading.text.mail import Line, Owner, Where
from machjudge.reading.text.rows import Row

_MOST_CHARACTERS = 160
_MOST_JOINED = 2_000
_MOST_FOOTERS = 8

_MOBILE = re.compile(
    r"(?:sent|envoyé|gesendet|verschickt|inviato|enviado|verzonden|skickat|sendt|wysłan[eo])"
    r" (?:from|via|with|using|de|du|depuis|à partir|von|mit|über|da|dal|dalla|con|desde|do|pelo"
    r"|vanaf|met|från|fra|med|z) .*$"
    r"|von meine[mr]? .{0,60} gesendet|diese nachricht wurde von meinem .{0,60} gesendet"
    r"|(?:get|download|hol(?:en sie)?|laden sie|obtenez|obtenir|téléchargez|scarica|ottieni|obtener"
    r"|obtén|download) (?:dir |sie |euch )?outlook (?:for|für|pour|per|para|voor|för|til) "
    r"|outlook (?:for|für|pour|per|para|voor|för|til) (?:ios|android|mac)\b",
    re.IGNORECASE,
)
_CHECKED = re.compile(
    r"\b(?:scanned|checked|tested|verified|überprüft|geprüft|gescannt|analysée?|vérifiée?"
    r"|controllat[oa]|verificat[oa]|analizado|comprobado|gecontroleerd)\b",
    re.IGNORECASE,
)
_FOR_VIRUSES = re.compile(r"\b(?:virus\w*|viren\w*|malware|spam|threats)\b", re.IGNORECASE)
_CLEAN = re.compile(
    r"\b(?:virus[- ]?free|virenfrei|sans virus|sin virus|libre de virus|priva di virus|mailscanner"
    r"|anti-?virus)\b",
    re.IGNORECASE,
)
_SCANNER_WORD = re.compile(
    r"virus|viren|malware|mailscanner|\bscanned\b|\bspam\b|https?://|\bwww\.", re.IGNORECASE
)
_DISCLAIMER = re.compile(
    r"\b(?:(?:scanned|checked|protected|secured|filtered) by|confidential\w*"
    r"|privileged|intended (?:recipient|solely|only)|disclaimer|vertraulich\w*"
    r"|confidentiel\w*|riservat\w*|confidencial\w*|vertrouwelijk\w*|before (?:you )?print(?:ing)?"
    r"|originated (?:from )?outside|outside (?:of )?(?:the|your) organi[sz]ation)\b",
    re.IGNORECASE,
)
_DEVICE = re.compile(r"(?:iphone|ipad|galaxy|android|blackberry|huawei|xiaomi)", re.IGNORECASE)
_MOST_OF_DEVICE = 60
_SCANNER_HEADING = re.compile(r"information|virus|viren|scan|security|antispam", re.IGNORECASE)
_LONG_RULE = 10
_STARTS = re.compile(
    r"(?:this|the|diese[rs]?|ce|cet|cette|le|quest[oa']|est[ea]|dit|deze|denne|detta)"
    r" ?(?:e-?mail|message|mail|communication|nachricht|courriel|messaggio|correo|mensaje|bericht)"
    r"|confidential|disclaimer|caution|external|\[external\]|notice|please consider|scanned|checked"
    r"|virus|no virus|https?://|www\.",
    re.IGNORECASE,
)


def is_mobile_footer(row: Row) -> bool:
    """Whether the row is what a telephone or mail program puts below ("Sent from my …")."""
    return len(row.text) <= _MOST_CHARACTERS and bool(_MOBILE.match(row.bare))


def is_device_line(row: Row) -> bool:
    """Whether a short row names a telephone, as the last of a mail does in any language."""
    return len(row.text) <= _MOST_OF_DEVICE and bool(_DEVICE.search(row.bare))


def begins_appendix(row: Row) -> bool:
    """Whether a row is a line drawn across the mail, or a heading that names a scanner."""
    if not row.is_rule:
        return False
    return len(row.text) >= _LONG_RULE and (
        not any(map(str.isalnum, row.text)) or bool(_SCANNER_HEADING.search(row.text))
    )


def scanner_footer(rows: Sequence[Row]) -> int | None:
    """Where a virus scanner's footer begins: the index of its first row, or None."""
    return _first_start(rows, _names_a_scan)


def without_footers(rows: Sequence[Row]) -> list[Row]:
    """The rows without footers. A footer ends the mail unless an order or command is behind it."""
    kept = [row for row in rows if not is_mobile_footer(row)]
    for _ in range(_MOST_FOOTERS):
        at = _first_start(kept, _is_footer)
        if at is None:
            break
        end = _end_of_paragraph(kept, at)
        said = [row for row in kept[at:end] if row.is_said or row.is_signon]
        behind = kept[end:]
        kept = [*kept[:at], *said, *(behind if any(row.is_said for row in behind) else [])]
    return kept


def _end_of_paragraph(rows: Sequence[Row], at: int) -> int:
    return next((i for i in range(at, len(rows)) if rows[i].is_blank), len(rows))


def _is_footer(text: str) -> bool:
    return _names_a_scan(text) or bool(_DISCLAIMER.search(text))


def _names_a_scan(text: str) -> bool:
    return bool(_CLEAN.search(text) or (_CHECKED.search(text) and _FOR_VIRUSES.search(text)))


def _first_start(rows: Sequence[Row], is_footer: Callable[[str], bool]) -> int | None:
    for start, end in _paragraphs(rows):
        if is_footer(" ".join(row.bare for row in rows[start:end])[:_MOST_JOINED]):
            ruled = start > 0 and rows[start - 1].is_rule
            return _first_row(rows, start, end, ruled=ruled)
    return None


def _first_row(rows: Sequence[Row], start: int, end: int, *, ruled: bool) -> int:
    """The first row of the footer: orders may stand above it in the same paragraph."""
    found = next((at for at in range(start, end) if _begins_footer(rows[at])), None)
    if found is not None and not ruled:
        return found
    first = end - 1 if found is None else found
    while first > start and not rows[first - 1].is_said:
        first -= 1
    return first


def _begins_footer(row: Row) -> bool:
    return bool(_STARTS.match(row.bare) or _SCANNER_WORD.search(row.bare))


def _paragraphs(rows: Sequence[Row]) -> Iterator[tuple[int, int]]:
    """The runs of rows between blank rows and drawn lines."""
    start: int | None = None
    for at, row in enumerate(rows):
        gap = row.is_blank or row.is_rule
        if gap and start is not None:
            yield start, at
        start = None if gap else (at if start is None else start)
    if start is not None:
        yield start, len(rows)


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
