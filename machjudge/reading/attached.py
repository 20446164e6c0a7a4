"""Orders in a text file that is attached to a mail, read if there are none in the mail itself."""

from collections.abc import Sequence
from dataclasses import replace

from machjudge.reading.mime.body import attached_text
from machjudge.reading.mime.mime import MimePart
from machjudge.reading.text.ending import without_courtesies
from machjudge.reading.text.lines import TakenLines, take_lines
from machjudge.reading.text.mail import AttachedFile, Line, MailFlaw, ReadingLimits, Where
from machjudge.reading.text.quoting import part_quotes
from machjudge.reading.text.rows import Row, Vocabulary, rows_of


def with_file(
    taken: TakenLines, mail: MimePart, above: int, words: Vocabulary, limits: ReadingLimits
) -> tuple[TakenLines, AttachedFile | None]:
    """What was taken from a mail, with the lines of its only text file if itself it says nothing.

    *above* is the number of rows in the mail; those of the file are counted on from there.
    """
    found = attached_text(mail, limits) if not _says_something(taken.lines, words) else None
    if found is None:
        return taken, None
    name, texts = found
    rows = [
        replace(row, number=row.number + above) for row in rows_of(texts, limits.characters, words)
    ]
    read = take_lines(without_courtesies(part_quotes(rows).own, frozenset()).rows, limits)
    if not _says_something(read.lines, words):
        return taken, None
    known = {line.text for line in taken.lines}
    kept = [line for line in taken.lines if _row(line, words).is_signon]
    prose = [
        replace(line, raw=line.text, where=Where.GREETING)
        for line in taken.lines
        if not _opens_or_ends(line, words)
    ]
    more = [line for line in read.lines if line.text not in known]
    defects = [each for each in taken.defects if each.flaw not in _SETTLED]
    file = AttachedFile(name, above + 1, above + len(texts))
    asides = tuple(sorted([*taken.asides, *prose], key=lambda aside: aside.number))
    return TakenLines((*kept, *more), (*defects, *read.defects), asides), file


_SETTLED = frozenset({MailFlaw.EMPTY, MailFlaw.ATTACHMENT})
"""What is no longer wrong when the file was read."""


def _says_something(lines: Sequence[Line], words: Vocabulary) -> bool:
    """Whether there is more in the lines than greetings and signons."""
    return any(line.is_press or _is_order(_row(line, words)) for line in lines)


def _opens_or_ends(line: Line, words: Vocabulary) -> bool:
    row = _row(line, words)
    return row.is_signon or row.is_signoff


def _is_order(row: Row) -> bool:
    return row.is_said and not (row.is_signon or row.is_signoff)


def _row(line: Line, words: Vocabulary) -> Row:
    return Row(line.number, line.raw, line.text, words)
