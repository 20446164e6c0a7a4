"""Raw bytes of a mail to what it says. Pure: any bytes in, a value out, in bounded work."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice

from machjudge.reading.attached import with_file
from machjudge.reading.automatic import subject_is_automatic, why_automatic, why_suspected
from machjudge.reading.claims import NamedWriter, author_of
from machjudge.reading.mime.address import ids, mailboxes
from machjudge.reading.mime.body import Body, body_of, is_text, leaves, text_lines
from machjudge.reading.mime.header import Header, decode_words
from machjudge.reading.mime.mime import parse
from machjudge.reading.secrets.codes import codes_of
from machjudge.reading.text.characters import single_line
from machjudge.reading.text.courtesies import is_assent, names_of
from machjudge.reading.text.ending import Parting, without_courtesies
from machjudge.reading.text.lines import (
    TakenLines,
    is_sealed,
    take_lines,
    with_kinds,
    without_armour,
)
from machjudge.reading.text.mail import (
    Defect,
    Line,
    Mail,
    MailFlaw,
    MailKind,
    Owner,
    ReadingLimits,
    Where,
    WhyIgnored,
)
from machjudge.reading.text.quoting import Parted, part_quotes, quotable
from machjudge.reading.text.rows import Row, Vocabulary, rows_of, unquoted

_MOST_DEFECTS = 50
_MOST_REFERENCES = 30
_MOST_FIELDS = 5
_MOST_QUOTED = 500
_MOST_WORDS = 5
"""In a command that no newsletter begins a sentence with."""
_NAMED = frozenset(
    {
        MailFlaw.ENCRYPTED,
        MailFlaw.SIGNED_WHOLE,
        MailFlaw.OUTLOOK,
        MailFlaw.OTHER_FORMAT,
        MailFlaw.UNREADABLE,
        MailFlaw.NOT_TEXT,
    }
)
"""What a mail without text is, where that can be named."""
_NO_WORDS = Vocabulary()
_LOOPS = (WhyIgnored.OWN_MAIL, WhyIgnored.TOO_MANY_HOPS)


def read(
    raw: bytes,
    words: Vocabulary,
    own: Collection[str] = (),
    limits: ReadingLimits | None = None,
    messages: Sequence[str] = (),
    envelope: str = "",
) -> Mail:
    """Read a mail as it came over the wire.

    *words* are those by which commands and orders are known. *own* are the judge's own addresses,
    by which a mail of ours that comes back is known even without its loop header. *messages* are
    texts of the judge that the mail may quote; *envelope* is its ``MAIL FROM``. Never raises: what
    is wrong with the mail stands in its ``defects``.
    """
    limits = limits or ReadingLimits()
    part = parse(raw)
    header = part.header

    def says(lines: Sequence[str], *, orders: bool = False) -> list[str]:
        rows = rows_of(lines, limits.characters, words)
        return [row.raw for row in rows if _is_meant(row, orders=orders)]

    body = body_of(part, limits, says, partial(says, orders=True))
    author = author_of(header, own, envelope)
    subject = single_line(decode_words(header.get("subject")))
    rows, further = (rows_of(each, limits.characters, words) for each in (body.lines, body.further))
    names = names_of([author.name, (author.address or "").partition("@")[0]])
    parted = part_quotes(without_armour(rows), messages)
    taken = _taken(body, rows, further, parted, names, limits)
    taken, file = with_file(taken, part, len(rows), words, limits)
    suspected = why_suspected(header)
    is_meant = any(_is_meant(_row(each, words)) for each in taken.lines if not each.is_press)
    why = why_automatic(part, own, author.address)
    agreed = [each.text for each in taken.lines]
    agreed += [each.text for each in taken.asides if each.where is Where.GREETING]
    is_meant = is_meant or any(map(is_assent, agreed))
    if why is None and not is_meant:
        why = WhyIgnored.SUBJECT if subject_is_automatic(subject) else suspected
    if why is None and author.address is None and not author.is_several:
        why = WhyIgnored.NO_SENDER
    defects = (
        *_flaws_of_author(author),
        *([Defect(MailFlaw.LOOKS_AUTOMATIC)] if suspected else []),
        *taken.defects,
    )
    return Mail(
        sender=author.address,
        reply_to=author.reply_to,
        display_name=author.name,
        subject=subject,
        message_id=next(iter(ids(header.get("message-id"))), None),
        references=_references(header),
        kind=_kind(why, defects),
        rows=_rows(taken, words, is_machine=why is not None),
        defects=defects,
        loop=why in _LOOPS,
        why_ignored=why,
        attachments=body.attachments,
        file=None if why else file,
        suspected=None if why else suspected,
        codes=codes_of(header, (row.raw for row in (*rows, *further))),
        senders=_senders(header),
        is_in_from=author.is_in_from,
        by_list=author.by_list,
        quoted=parted.messages,
        quotable=() if why else quotable(without_armour(rows)),
    )


def _rows(taken: TakenLines, words: Vocabulary, *, is_machine: bool) -> tuple[Line, ...]:
    """Every row with its owner and kind, in the order of the mail."""
    rows = sorted([*taken.lines, *taken.asides], key=lambda line: line.number)
    if is_machine:
        return tuple(replace(row, owner=Owner.MACHINE) for row in rows)
    return tuple(with_kinds(rows, words))


def texts_of(raw: bytes) -> list[str]:
    """The texts of a message, of which a mail may quote any: the plain one and that in HTML."""
    texts = (leaf for leaf in leaves(parse(raw)) if is_text(leaf))
    return ["\n".join(text_lines(leaf, ReadingLimits())[0]) for leaf in texts]


def _said_in(further: Sequence[Row], above: int) -> list[Line]:
    """What of further texts, counted on from the rows above, looks like something said."""
    found = (row for row in further if row.is_said and not row.is_quoted)
    kept = islice(found, _MOST_QUOTED)
    return [
        replace(row.as_aside(Where.FURTHER, Owner.QUOTE), number=above + row.number) for row in kept
    ]


def _taken(
    body: Body,
    rows: Sequence[Row],
    further: Sequence[Row],
    parted: Parted,
    names: frozenset[str],
    limits: ReadingLimits,
) -> TakenLines:
    """The lines of the body for the grammar, with every defect of the body and what is left out."""
    parting = without_courtesies(parted.own, names)
    taken = take_lines(parting.rows, limits)
    asides = (*_in_order(taken, parting, parted), *_said_in(further, len(rows)))
    quoted = [(row, owner) for row, owner in parted.left_out if owner is not Owner.WRITER]
    left_out = (*(row for row, _ in quoted), *parting.below)
    flaws = _flaws_of_body(body, taken, rows, left_out)
    strange = [*(row for row, owner in quoted if owner is Owner.QUOTE), *parting.below]
    flaws += _flaws_of_text(rows, taken.lines, strange)
    known = {*flaws, *(defect.flaw for defect in taken.defects)}
    is_said = taken.lines or parting.asides
    if not is_said and not _NAMED & known:
        flaws.append(MailFlaw.EMPTY)
    below = _below_signoff(parting.rows, taken.lines)
    of_lines = (*_before_end(parted.defects, taken.lines), *taken.defects, *below)[:_MOST_DEFECTS]
    return TakenLines(taken.lines, (*map(Defect, flaws), *of_lines), asides)


def _in_order(taken: TakenLines, parting: Parting, parted: Parted) -> tuple[Line, ...]:
    """The asides by their rows; nothing below a signoff, and of no text none."""
    if any(defect.flaw is MailFlaw.NOT_TEXT for defect in taken.defects):
        return ()
    end = _end_of(taken.lines)
    below = (*parting.asides, *taken.asides)
    own = [aside for aside in below if end is None or aside.number < end]
    quoted = [
        Line(
            row.number,
            text,
            text,
            owner=owner,
            where=Where.QUOTE,
            is_changed=owner is Owner.WRITER,
        )
        for row, owner in parted.left_out
        if (text := unquoted(row.bare)) and not row.is_rule
    ]
    return tuple(sorted([*own, *quoted[:_MOST_QUOTED]], key=lambda aside: aside.number))


def _flaws_of_body(
    body: Body, taken: TakenLines, rows: Sequence[Row], left_out: Sequence[Row]
) -> list[MailFlaw]:
    """The flaws of the body. What was cut behind a signoff would not have been read anyway."""
    if _end_of(taken.lines) is not None:
        return [flaw for flaw in body.flaws if flaw is not MailFlaw.TEXT_CUT]
    if left_out and left_out[-1].number == len(rows):
        return [MailFlaw.QUOTE_CUT if flaw is MailFlaw.TEXT_CUT else flaw for flaw in body.flaws]
    return list(body.flaws)


def _before_end(defects: Sequence[Defect], lines: Sequence[Line]) -> list[Defect]:
    """The defects that do not lie behind a signoff."""
    end = _end_of(lines)
    return [defect for defect in defects if end is None or (defect.line or 0) < end]


def _below_signoff(rows: Sequence[Row], lines: Sequence[Line]) -> list[Defect]:
    """The first signon that the sender wrote below a signoff: its orders are for nobody."""
    end = _end_of(lines)
    behind = (row for row in rows if end is not None and row.number > end)
    found = next((row for row in behind if row.is_full_signon and not row.is_greeting), None)
    return [Defect(MailFlaw.BELOW_SIGNOFF, found.number)] if found is not None else []


def _end_of(lines: Sequence[Line]) -> int | None:
    """The number of the line with the signoff, if there is one: it is the last."""
    return lines[-1].number if lines and _row(lines[-1]).is_signoff else None


def _row(line: Line, words: Vocabulary = _NO_WORDS) -> Row:
    return Row(line.number, line.raw, line.text, words)


def _flaws_of_text(
    rows: Sequence[Row], lines: Sequence[Line], out: Sequence[Row]
) -> list[MailFlaw]:
    flaws = [MailFlaw.ENCRYPTED] * is_sealed(rows)
    said = [_row(line) for line in lines if not line.is_press]
    speaks = any(row.is_full_signon for row in said) or (bool(said) and said[0].is_free)
    if not speaks and any(row.is_full_signon for row in out):
        flaws.append(MailFlaw.SIGNON_ONLY_QUOTED)
    return flaws


def _is_meant(row: Row, *, orders: bool = False) -> bool:
    """Whether a row is a signon, an order that names its unit, or a short command.

    With *orders* a command counts only if it is an order.
    """
    if row.is_quoted:
        return False
    is_short = len(row.text.split()) <= _MOST_WORDS and row.text[-1:] not in ".!?,:"
    is_command = is_short and row.words.begins_command(row.text)
    is_command = is_command and not (orders and row.words.is_command(row.text))
    return is_command or row.is_unit_order or row.is_full_signon


def _kind(why: WhyIgnored | None, defects: Sequence[Defect]) -> MailKind:
    if why is not None:
        return MailKind.IGNORE
    return MailKind.HOLD if any(defect.holds for defect in defects) else MailKind.ORDERS


def _flaws_of_author(author: NamedWriter) -> list[Defect]:
    if author.is_several:
        return [Defect(MailFlaw.SEVERAL_SENDERS)]
    return [] if author.address else [Defect(MailFlaw.NO_SENDER)]


def _senders(header: Header) -> tuple[str, ...]:
    boxes = [box for value in header.all("from")[:_MOST_FIELDS] for box in mailboxes(value)]
    return tuple(dict.fromkeys(box.address.lower() for box in boxes if box.address))


def _references(header: Header) -> tuple[str, ...]:
    answered = ids(header.get("in-reply-to"))[:1]
    thread = [one for one in ids(header.get("references")) if one not in answered]
    return tuple(dict.fromkeys([*thread, *answered]))[-_MOST_REFERENCES:]
