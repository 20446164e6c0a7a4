"""Which rows of a body its sender wrote, and which are quoted from another mail.

Rows with a quote mark are quoted wherever they stand. Behind an attribution that is followed by
marked rows, the rest may be the sender's (below or between the quotation); behind one that is
not, behind a divider and behind a header block, everything is quoted. When a signon and orders
stand above a mail program's attribution, the mail ends there, unless a signoff, a signon or the
end of a press follows: a long quoted line that was broken must not become an order.

Own rules: mail-parser-reply, the maintained library for this, delivers five in six mails of the
corpus rightly when it takes the place of this module; it leaves answers below a quotation and
several languages' attributions as they are.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from machjudge.reading.text.attribution import (
    Attribution,
    attribution_at,
    divider_at,
    header_block_at,
)
from machjudge.reading.text.footers import without_footers
from machjudge.reading.text.mail import Defect, MailFlaw
from machjudge.reading.text.rows import Row

_BROKEN_FROM = 60
_BROKEN_AT = 72
_ORDERS_ABOVE = 2


@dataclass(frozen=True, slots=True)
class Parted:
    """The rows that the sender wrote, and those left out."""

    own: tuple[Row, ...]
    left_out: tuple[Row, ...]
    defects: tuple[Defect, ...]


def part_quotes(rows: Sequence[Row]) -> Parted:
    """Tell the sender's own rows from those quoted."""
    quoted = [row.is_quoted for row in rows]
    rests = _mark_broken_quotes(rows, quoted)
    first = _mark_announced(rows, quoted)
    if first is not None and _is_answer_above(rows, quoted, first):
        defects = _mark_behind(rows, quoted, first)
    else:
        defects = [Defect(MailFlaw.QUOTE_REST, row.number) for row in rests if row.is_said]
    return Parted(
        tuple(row for row, out in zip(rows, quoted, strict=True) if not out),
        tuple(row for row, out in zip(rows, quoted, strict=True) if out),
        tuple(defects),
    )


def _mark_broken_quotes(rows: Sequence[Row], quoted: list[bool]) -> list[Row]:
    """Mark the ends of quoted lines that a mail program broke without a new quote mark."""
    rests = []
    for at in range(1, len(rows) - 1):
        if quoted[at - 1] and not quoted[at] and _is_rest(rows, quoted, at):
            quoted[at] = True
            rests.append(rows[at])
    return rests


def _is_rest(rows: Sequence[Row], quoted: list[bool], at: int) -> bool:
    row, above = rows[at], rows[at - 1]
    if row.is_blank or row.is_command or not rows[at - 1].is_quoted:
        return False
    width = len(above.raw.rstrip())
    first_word = len(row.text.split(" ", 1)[0])
    was_broken = width >= _BROKEN_FROM and width + 1 + first_word > _BROKEN_AT
    return was_broken and quoted[at + 1] and len(row.raw) < width


def _mark_announced(rows: Sequence[Row], quoted: list[bool]) -> int | None:
    """Mark attributions and what they announce. Returns where the first certain one begins."""
    first: int | None = None
    at = 0
    while at < len(rows):
        end = at + 1
        if not quoted[at] and not rows[at].is_blank:
            if header_block_at(rows, at) or divider_at(rows, at):
                return _mark_rest(rows, quoted, at, first)
            found = attribution_at(rows, at)
            if found is not None:
                _mark_bars(rows, quoted, found.end)
            if found is not None and _is_followed_by_marks(rows, quoted, found):
                quoted[at : found.end] = [True] * (found.end - at)
                first = at if first is None and found.certain else first
                end = found.end
            elif found is not None and found.certain:
                return _mark_rest(rows, quoted, at, first)
        at = end
    return first


def _mark_bars(rows: Sequence[Row], quoted: list[bool], start: int) -> None:
    """Mark rows behind an announcement that all begin with a bar: some programs quote so."""
    at = start
    while at < len(rows) and (rows[at].is_blank or rows[at].text.startswith("|")):
        quoted[at] = not rows[at].is_blank
        at += 1


def _is_followed_by_marks(rows: Sequence[Row], quoted: list[bool], found: Attribution) -> bool:
    behind = (at for at in range(found.end, len(rows)) if not rows[at].is_blank)
    return any(quoted[at] for at in [next(behind, -1)] if at >= 0)


def _mark_rest(rows: Sequence[Row], quoted: list[bool], at: int, first: int | None) -> int | None:
    while at > 0 and (rows[at - 1].is_blank or rows[at - 1].is_rule):
        at -= 1
    quoted[at:] = [True] * (len(rows) - at)
    return first


def _is_answer_above(rows: Sequence[Row], quoted: list[bool], first: int) -> bool:
    above = [row for row, out in zip(rows[:first], quoted, strict=False) if not out and row.text]
    if len(above) < _ORDERS_ABOVE or not any(row.is_full_signon for row in above):
        return False
    return not any(
        row.is_signoff or row.is_signon or row.ends_press
        for row, out in zip(rows[first:], quoted[first:], strict=True)
        if not out
    )


def _mark_behind(rows: Sequence[Row], quoted: list[bool], first: int) -> list[Defect]:
    behind = [at for at in range(first, len(rows)) if not quoted[at] and not rows[at].is_blank]
    quoted[first:] = [True] * (len(rows) - first)
    prose = without_footers([rows[at] for at in behind])
    return [Defect(MailFlaw.AFTER_QUOTE, prose[0].number)] if prose else []
