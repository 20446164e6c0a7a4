"""Turn the raw bytes of a mail into a value; pure, total, in bounded work."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from email import message_from_bytes, policy
from email.errors import MessageError
from email.message import Message as MimeMessage
from functools import partial
from itertools import islice
from operator import attrgetter

from machjudge.mail_parser.lines import (
    AttachedFile,
    Defect,
    EndOfOrders,
    Line,
    Mail,
    MailFlaw,
    MailKind,
    Owner,
    Quotations,
    ReadingLimits,
    TakenLines,
    Vocabulary,
    Where,
    WhyIgnored,
    find_quotations,
    is_assent,
    is_encrypted,
    names_of,
    quotable,
    rows_of,
    single_line,
    take_lines,
    unquoted,
    with_kinds,
    without_pgp,
    without_salutations,
    words,
)
from machjudge.mail_parser.mime import (
    Body,
    Header,
    MimePart,
    addresses_anywhere,
    attached_text,
    body_of,
    decode_words,
    ids,
    is_text,
    leaves,
    mailboxes,
    one_mailbox,
    parse,
    split_header,
    text_lines,
    value_of,
)
from machjudge.mail_parser.secrets import codes_in, codes_of

# Mail that no person wrote, and that is therefore never answered (RFC 3834). Some signs are
# certain. Others (``Precedence``, ``List-Id``, ``X-Auto-Response-Suppress``) are also set by
# servers and programs on the mails of people, and are only a suspicion. What stands in
# ``Sender``, or in a loop field with somebody else's address, says nothing about who wrote a
# mail.
LOOP_HEADER = "X-Machjudge-Loop"
"""The header of our own mails, with the judge's address as its value."""
RETURN_HEADER = "X-Machjudge-Return"
"""The header with the sealed number of a message, where its envelope sender does not show it."""
CUT_HEADER = "X-Machjudge-Cut"
"""The field before the beginning of a mail that was too large: its bytes, and the limit."""
MAX_HOPS = 100
"""The number of servers that shows a loop (RFC 5321, 6.3)."""

_CUT = re.compile(rf"{CUT_HEADER}: (\d{{1,15}}) (\d{{1,15}})\r?\n".encode())
_LOOPS = ("x-loop", LOOP_HEADER.lower())
_RESPONDER = re.compile(r"x-(?:mail-)?auto-?(?:re(?:ply|spon[ds]).*|generated|matic)$")
_SUPPRESS = re.compile(r"\b(?:all|oof|autoreply)\b", re.IGNORECASE)
_BULK = words("bulk junk list auto_reply auto-reply autoreply")
_NO = re.compile(r"\s*(?:no|none|false|0)?\s*(?:$|[;(])", re.IGNORECASE)
_DAEMON = re.compile(r"mail(?:er)?-?daemon[^@]*@", re.IGNORECASE)
_NOBODY = re.compile(
    r"(?:mail(?:er)?-?daemon|(?:no|do-?not)[-_.]?reply|bounces?\b|owner-|listserv|majordomo|dmarc\b)"
    r"[^@]*@|[^@]*-(?:bounces?|request)\b[^@]*@",
    re.IGNORECASE,
)
_POSTMASTER = re.compile(r"postmaster@", re.IGNORECASE)
_NAMES_LIST = ("list-post", "x-beenthere", "x-mailing-list", "mailing-list", "x-loop", "x-list")
_WORKS_FOR_LIST = (
    *("list-owner", "list-help", "list-unsubscribe", "list-subscribe"),
    *("sender", "errors-to", "return-path"),
)
_LISTED = words("x-beenthere x-mailing-list mailing-list x-mailman-version x-google-group-id")
_LIST_ID = re.compile(r"<([\w-]+)\.([\w.-]+)>\s*$")
_OF_LIST = re.compile(
    r"^owner-|[-+](?:bounces?|request|owner|admin|leave|join|help|(?:un)?subscribe|confirm)\b[^@]*",
    re.IGNORECASE,
)
"""The suffixes of a list's addresses for its own work."""
_JUDGE = re.compile(r"judge@", re.IGNORECASE)
_BOUNCE_TYPES = frozenset(("multipart/report", "message/delivery-status"))
_CALENDARS = frozenset(("text/calendar", "application/ics", "text/x-vcalendar"))
_REPLY = re.compile(rb"^METHOD[^:\r\n]{0,80}:[ \t]*REPLY\b", re.IGNORECASE | re.MULTILINE)
_LOOK_AT = 5_000
_SUBJECT = re.compile(
    r"(?:automatic reply|auto(?:matic)?[- ]?(?:re(?:ply|sponse)|respon[ds]er?)\b|auto:"
    r"|out[- ]of[- ](?:the[- ])?office|on vacation\b|away from (?:my|the) (?:office|mail)"
    r"|automatische (?:antwort|abwesenheit)|abwesenheit|abwesend\b|réponse automatique"
    r"|absence du bureau|message d'absence|risposta automatica|fuori (?:sede|ufficio)"
    r"|respuesta automática|fuera de (?:la )?oficina|resposta automática|automatisch antwoord"
    r"|afwezigheid|autosvar|undeliver(?:ed|able)|unzustellbar|non remis|mancato recapito"
    r"|delivery (?:status notification|failure|has failed)|mail delivery (?:failed|failure|system)"
    r"|returned mail|failure notice|message delivery (?:failure|failed)|read:|gelesen:)",
    re.IGNORECASE,
)
_PREFIX = re.compile(r"(?:\[[^\[\]]{1,30}\]|[^\W\d_]{1,3}(?:\[\d+\])?\s?[:：])\s*")
"""A server's tag, or how a mail program marks an answer: three letters at most in any language."""
_ANSWERED = re.compile(r"[^:：]{2,60}[:：]\s*(?:re|aw|sv|vs|r|rif|fwd?|wg)\s?[:：]", re.IGNORECASE)
_OWN_SUBJECT = re.compile(
    r"\b[A-Z]{2,10}:\S+ +- +[SUF]\d{4}[MRB]\b|(?<=: )[^\s:]+: .*\([SUF]\d{4}[MRB]\)$"
)
"""The judge's subjects: ``borgia: … (S1454M)`` behind a prefix, or ``MACH:borgia - S1454M …``."""


def cut_in(raw: bytes) -> tuple[int, int] | None:
    """Return the size in bytes of a mail that was too large, and the limit; None for others."""
    found = _CUT.match(raw)
    return None if found is None else (int(found[1]), int(found[2]))


def why_automatic(mail: MimePart, own: Collection[str], author: str | None) -> WhyIgnored | None:
    """Return why the mail's structure and header forbid an answer, or None.

    *own* are the judge's addresses; without them those in To are taken, and a sender called judge
    who writes to themselves. *author* is the person's address, where there is one.
    """
    header = mail.header
    if _is_own(header, own, author):
        return WhyIgnored.OWN_MAIL
    if len(header.all("received")) >= MAX_HOPS:
        return WhyIgnored.TOO_MANY_HOPS
    if _is_bounce(mail):
        return WhyIgnored.BOUNCE
    return _why_by_header(header, author) or _why_by_calendar(mail)


def subject_is_automatic(subject: str) -> bool:
    """Return whether a decoded subject is that of an automatic answer or a bounce.

    It is a known one, or the answered mail's with a long prefix: "Automatisk svar: Re: …". A weak
    sign: a mail that says something to the judge was written by a person.
    """
    bare = _in_front(subject)
    if _SUBJECT.match(bare.lstrip(" [(")):
        return True
    tag = _OWN_SUBJECT.search(bare)
    answered = _ANSWERED.match(bare)
    return bool(answered or (tag and re.search(r"\w", bare[: tag.start()])))


def _in_front(subject: str) -> str:
    """The prefix of tags and marks of answers."""
    bare = subject.strip()
    while found := _PREFIX.match(bare):
        bare = bare[found.end() :]
    return bare


def _is_own(header: Header, own: Collection[str], author: str | None) -> bool:
    senders = set(map(_untagged, _addresses(header, "from")))
    to = set(map(_untagged, _addresses(header, "to")))
    ours = set(map(_untagged, own)) or to
    loops = (addresses_anywhere(header.all(name)) for name in _LOOPS)
    if any(set(map(_untagged, each)) & ours for each in loops):
        return True
    if own:
        # A server on the way may have put our address there in place of the writer's.
        return author is None and bool(senders & ours)
    return any(map(_JUDGE.match, senders & to))


def is_nobody(address: str) -> bool:
    """Return whether an address is unread: a daemon's, a list's own, noreply."""
    return bool(_NOBODY.match(address))


def lists_of(header: Header, envelope: str = "") -> frozenset[str]:
    """Return the addresses of the lists a mail came by; *envelope* is its ``MAIL FROM``."""
    found = addresses_anywhere([value for name in _NAMES_LIST for value in header.all(name)])
    works = addresses_anywhere([value for name in _WORKS_FOR_LIST for value in header.all(name)])
    works |= addresses_anywhere([envelope])
    found |= {stem for each in works if (stem := _OF_LIST.sub("", each)) != each}
    named = (_LIST_ID.search(value) for value in header.all("list-id"))
    return frozenset(found | {f"{each[1]}@{each[2]}".lower() for each in named if each})


def is_listed(header: Header) -> bool:
    """Return whether a mail says that it came by a mailing list."""
    precedence = {value_of(v) for v in header.all("precedence") + header.all("x-precedence")}
    if "list" in precedence or not _LISTED.isdisjoint(header.values):
        return True
    return bool([name for name in header.values if name.startswith("list-")])


def _untagged(address: str) -> str:
    """An address in lower case, without +anything before the @."""
    local, _, domain = address.lower().rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"


def _addresses(header: Header, name: str) -> set[str]:
    boxes = (box for value in header.all(name)[:10] for box in mailboxes(value))
    return {box.address.lower() for box in boxes if box.address}


def _is_bounce(mail: MimePart) -> bool:
    empty = any(value.strip() == "<>" for value in mail.header.all("return-path"))
    kinds = {mail.media_type, *(leaf.media_type for leaf in leaves(mail))}
    return empty or bool(kinds & _BOUNCE_TYPES) or mail.header.has("x-failed-recipients")


def why_suspected(header: Header) -> WhyIgnored | None:
    """Return why the header suggests an automatic mail, or None."""
    if _SUPPRESS.search(header.get("x-auto-response-suppress")):
        return WhyIgnored.SUPPRESSES_ANSWERS
    if {value_of(v) for v in header.all("precedence") + header.all("x-precedence")} & _BULK:
        return WhyIgnored.BULK
    if is_listed(header):
        return WhyIgnored.MAILING_LIST
    if any(map(_POSTMASTER.match, _addresses(header, "from"))):
        return WhyIgnored.ROBOT
    return None


def _why_by_header(header: Header, author: str | None) -> WhyIgnored | None:
    if not all(_NO.match(value) for value in header.all("auto-submitted")):
        return WhyIgnored.AUTO_SUBMITTED
    if _is_responder(header):
        return WhyIgnored.AUTORESPONDER
    senders = _addresses(header, "from")
    is_robot = any(map(is_nobody, senders)) and author is None
    return WhyIgnored.ROBOT if is_robot or any(map(_DAEMON.match, senders)) else None


def _is_responder(header: Header) -> bool:
    if "autorespon" in (header.get("x-post-messageclass") + header.get("delivered-to")).lower():
        return True
    found = [name for name in header.values if _RESPONDER.fullmatch(name)]
    return any(
        not (value and _NO.match(value))
        for name in found
        if name != "x-auto-response-suppress"
        for value in header.all(name)
    )


def _why_by_calendar(mail: MimePart) -> WhyIgnored | None:
    calendars = (leaf for leaf in leaves(mail) if leaf.media_type in _CALENDARS)
    is_reply = any(
        leaf.parameter("method").lower() == "reply" or _REPLY.search(leaf.content(_LOOK_AT))
        for leaf in calendars
    )
    return WhyIgnored.CALENDAR_REPLY if is_reply else None


# --- delivery reports (RFC 3464) ----------------------------------------------------------------

_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Failure:
    """A letter that could not be delivered."""

    why: str
    """In the words of the report, on one line."""
    status: str
    """The code of the report (RFC 3463); empty where it has none."""
    tags: tuple[str, ...] = ()
    """The values of `RETURN_HEADER` in what it returns."""
    ids: tuple[str, ...] = ()
    """Message-IDs of what it returns, then of the mails that it answers, the newest first."""
    codes: tuple[str, ...] = ()
    """Possible reply codes in it."""


_IS_REPORT = re.compile(rb"delivery-status", re.IGNORECASE)
_RETURNED = re.compile(
    rf"^[ \t>]*(?:(message-id)|{RETURN_HEADER})[ \t]*:\s*([^\s\"]+)", re.IGNORECASE | re.MULTILINE
)
"""A field of a returned mail, also where a report shows its header as text."""
_MAX_RETURNED = 20
_LONGEST_RETURNED = 200_000


def failure_in(raw: bytes) -> Failure | None:
    """Return what a report says of an undelivered letter.

    None if the mail is no such report, or one of a delay or of a success.
    """
    if _IS_REPORT.search(raw) is None:
        return None
    try:
        mail = message_from_bytes(raw, policy=policy.compat32)
        failed = next(_failures(mail), None)
        if failed is None:
            return None
        is_report = mail.get_content_type() == "multipart/report"  # else somebody shows one
        texts = [*_returned_texts(mail)] if is_report else []
        found = [*islice(_RETURNED.finditer("\n".join(texts)), _MAX_RETURNED)]
        fields = ("References", "In-Reply-To") if is_report else ()
        answered = ids(" ".join(str(mail.get(field, "")) for field in fields))
        codes = codes_in([*answered, *texts])
    # The parser stumbles over some hostile mails, each time in another way.
    except (MessageError, ValueError, LookupError, AttributeError, TypeError, RecursionError):
        return None
    status = _line(failed.get("Status"))
    return Failure(
        _line(failed.get("Diagnostic-Code")) or status or "no reason given",
        status,
        tuple(each[2] for each in found if not each[1]),
        (*(each[2] for each in found if each[1]), *reversed(answered)),
        codes,
    )


def _returned_texts(mail: MimeMessage) -> Iterator[str]:
    """The headers and texts of all parts of a report, the returned mail's among them."""
    for part in islice(mail.walk(), 1, _MAX_RETURNED):
        yield "\n".join(f"{name}: {value}" for name, value in part.items())
        content = part.get_payload(decode=True)
        if isinstance(content, bytes) and part.get_content_maintype() == "text":
            yield content[:_LONGEST_RETURNED].decode("utf-8", "replace")


def _line(field: object) -> str:
    printable = (sign if sign.isprintable() else " " for sign in str(field or ""))
    return " ".join("".join(printable).split())[:_LONGEST]


def _failures(mail: MimeMessage) -> Iterator[MimeMessage]:
    """The field groups of recipients with a failure."""
    for part in mail.walk():
        if part.get_content_type() != "message/delivery-status":
            continue
        groups = part.get_payload()
        for group in groups if isinstance(groups, list) else ():
            action = group.get("Action", "") if isinstance(group, MimeMessage) else ""
            if isinstance(group, MimeMessage) and str(action).strip().casefold() == "failed":
                yield group


def with_file(
    taken: TakenLines, mail: MimePart, above: int, words: Vocabulary, limits: ReadingLimits
) -> tuple[TakenLines, AttachedFile | None]:
    """Return the mail with the lines of its only text file, if it says nothing itself.

    *above* is the number of rows in the mail; those of the file are counted on from there.
    """
    found = attached_text(mail, limits) if not _says_something(taken.lines) else None
    if found is None:
        return taken, None
    name, texts = found
    rows = [
        replace(row, number=row.number + above) for row in rows_of(texts, limits.characters, words)
    ]
    read = take_lines(without_salutations(find_quotations(rows).own, frozenset()).rows, limits)
    if not _says_something(read.lines):
        return taken, None
    known = {line.text for line in taken.lines}
    kept = [line for line in taken.lines if line.is_signon]
    prose = [
        replace(line, raw=line.text, where=Where.GREETING)
        for line in taken.lines
        if not (line.is_signon or line.is_signoff)
    ]
    more = [line for line in read.lines if line.text not in known]
    defects = [each for each in taken.defects if each.flaw not in _SETTLED]
    file = AttachedFile(name, above + 1, above + len(texts))
    skipped = tuple(sorted([*taken.skipped, *prose], key=lambda line: line.number))
    return TakenLines((*kept, *more), (*defects, *read.defects), skipped), file


_SETTLED = frozenset({MailFlaw.EMPTY, MailFlaw.ATTACHMENT})
"""Flaws that are settled by reading the file."""


def _says_something(lines: Sequence[Line]) -> bool:
    return any(
        line.is_press or (line.is_said and not (line.is_signon or line.is_signoff))
        for line in lines
    )


_MAX_FIELDS = 5
# Who a mail says it is from, read from its header alone: a claim, and no right to anything. It is
# the one address in From. Where that is no person's (a mailing list or a server has put its own
# in place of the writer's, nobody reads there, or it cannot be read), it is the one in Reply-To
# or in a field that keeps the former From, and else the envelope's.
_FORMER = ("author", "x-original-from", "original-from", "x-original-sender")
"""Fields in which a list or a server keeps the From that it has replaced (RFC 9057)."""
_VIA = re.compile(r"(.*\S)\s+(?:via|per conto di|por cuenta de|on behalf of)\s", re.IGNORECASE)
_AS_DOMAIN = re.compile(r"[^@]+=[^@]+@")
"""An address that has another one, with its @ replaced, before its own."""


@dataclass(frozen=True, slots=True)
class NamedWriter:
    """The writer that a mail names."""

    address: str | None
    """A person's address; None if none or several are named."""
    name: str
    is_several: bool
    """True if From names several people."""
    is_in_from: bool
    """True if the address stands in From, which servers vouch for."""
    reply_to: str | None
    """The address in Reply-To, if it is exactly one of a person."""
    by_list: bool
    """True if it came by a mailing list or a server that replaced the writer in From."""


@dataclass(frozen=True, slots=True)
class HeaderClaim:
    """The claims in a mail's header."""

    sender: str
    """The one address of a person, in lower case."""
    message_id: str | None
    """With its angle brackets."""


def author_of(header: Header, own: Collection[str] = (), envelope: str = "") -> NamedWriter:
    """Return the writer that a header names.

    *own* are the judge's own addresses, *envelope* is ``MAIL FROM``, by default the field
    Return-Path.
    """
    is_from_list = is_listed(header)
    lists = lists_of(header, envelope) if is_from_list else frozenset()
    box, several = one_mailbox(header.all("from")[:_MAX_FIELDS])
    name = box.name if box is not None else _name_in(header)
    shown = box.address if box is not None and box.address else ""

    def is_person(address: str) -> bool:
        is_own = _untagged(address) in map(_untagged, own)
        return not (is_own or address.lower() in lists or is_nobody(address))

    answers = [each for each in _mailboxes(header, "reply-to") if is_person(each)]
    reply_to = answers[0] if len(answers) == 1 else None
    is_replaced = bool(shown) and (
        not is_person(shown)
        or (bool(_VIA.match(name)) and reply_to not in (None, shown))
        or (bool(lists) and bool(_AS_DOMAIN.match(shown)))
    )
    by_list = is_from_list or is_replaced
    if several or (shown and not is_replaced):
        address = None if several else shown
        return NamedWriter(address, name, several, address is not None, reply_to, by_list)
    former = (each for field in _FORMER for each in addresses_anywhere(header.all(field)[:1]))
    ways = (*addresses_anywhere([envelope or header.get("return-path")]),)
    others = [reply_to or "", *former, *ways]
    address = next((each for each in others if each and is_person(each)), None)
    via = _VIA.match(name)
    return NamedWriter(address, via[1] if via else name, False, False, reply_to, by_list)


def claim_in(raw: bytes, own: Collection[str], envelope: str = "") -> HeaderClaim | None:
    """Return the claim of the mail *raw*, None if it has not one sender or looks automatic.

    *own* are the judge's own addresses, *envelope* is its ``MAIL FROM``. Never raises: a header
    that cannot be read claims nothing.
    """
    try:
        return _claim(raw, own, envelope)
    except Exception:
        return None


def author_in(raw: bytes, own: Collection[str], envelope: str) -> str:
    """The address of the person whom the mail *raw* names as its writer, or "". Never raises."""
    try:
        header, _ = split_header(raw.lstrip(b"\r\n"))
        return author_of(header, own, envelope).address or ""
    except Exception:
        return ""


def _claim(raw: bytes, own: Collection[str], envelope: str) -> HeaderClaim | None:
    header, _ = split_header(raw.lstrip(b"\r\n"))
    author = author_of(header, own, envelope)
    if author.address is None:
        return None
    subject = single_line(decode_words(header.get("subject")))
    part = MimePart(header, b"")
    if why_automatic(part, own, author.address) or why_suspected(header):
        return None
    if subject_is_automatic(subject):
        return None
    message_id = next(iter(ids(header.get("message-id"))), None)
    return HeaderClaim(author.address.lower(), message_id)


def _mailboxes(header: Header, name: str) -> Iterator[str]:
    """The addresses in a field; none where there are two such fields."""
    fields = header.all(name)
    boxes = mailboxes(fields[0]) if len(fields) == 1 else ()
    return (box.address for box in boxes if box.address)


def _name_in(header: Header) -> str:
    return next((box.name for box in mailboxes(header.get("from"))), "")


_MAX_DEFECTS = 50
_MAX_REFERENCES = 30
_MAX_QUOTED = 500
_MAX_WORDS = 5
"""The most words of a command that begins no sentence of a newsletter."""
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
"""Names of what a mail without text is."""
_REACTION = "text/vnd.google.email-reaction+json"
_IN_A_LOOP = (WhyIgnored.OWN_MAIL, WhyIgnored.TOO_MANY_HOPS)


def read(
    raw: bytes,
    words: Vocabulary,
    own: Collection[str] = (),
    limits: ReadingLimits | None = None,
    messages: Sequence[str] = (),
    envelope: str = "",
) -> Mail:
    """Read a mail as it came over the wire.

    *words* are those of commands and orders, *own* the judge's addresses, by which a mail of ours
    that comes back is known without its loop header, *messages* texts of the judge that may be
    quoted, *envelope* the ``MAIL FROM``. Never raises: what is wrong stands in ``defects``.
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
    if any(leaf.media_type == _REACTION for leaf in leaves(part)):
        # Somebody has tapped a picture: it says nothing to the judge.
        rows = [row for row in rows if row.text[:1].isascii()]
    names = names_of([author.name, (author.address or "").partition("@")[0]])
    quotations = find_quotations(without_pgp(rows), messages, names)
    taken = _taken(body, rows, further, quotations, names, limits)
    taken, file = with_file(taken, part, len(rows), words, limits)
    suspected = why_suspected(header)
    why = why_automatic(part, own, author.address)
    why = why or _why_ignored(author, subject, taken, suspected)
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
        rows=_rows(taken, is_machine=why is not None),
        defects=defects,
        loop=why in _IN_A_LOOP,
        why_ignored=why,
        attachments=body.attachments,
        file=None if why else file,
        suspected=None if why else suspected,
        codes=codes_of(header, [row.raw for row in (*rows, *further)]),
        senders=_senders(header),
        is_in_from=author.is_in_from,
        by_list=author.by_list,
        quoted=quotations.messages,
        quotable=() if why else quotable(without_pgp(rows)),
    )


def _why_ignored(
    author: NamedWriter, subject: str, taken: TakenLines, suspected: WhyIgnored | None
) -> WhyIgnored | None:
    agreed = [each.text for each in taken.lines]
    agreed += [each.text for each in taken.skipped if each.where is Where.GREETING]
    is_meant = any(_is_meant(each) for each in taken.lines if not each.is_press)
    why = None
    if not is_meant and not any(map(is_assent, agreed)):
        why = WhyIgnored.SUBJECT if subject_is_automatic(subject) else suspected
    if why is None and author.address is None and not author.is_several:
        why = WhyIgnored.NO_SENDER
    return why


def _rows(taken: TakenLines, *, is_machine: bool) -> tuple[Line, ...]:
    """Every row with its owner and kind, in the order of the mail."""
    rows = sorted([*taken.lines, *taken.skipped], key=attrgetter("number"))
    if is_machine:
        return tuple(replace(row, owner=Owner.MACHINE) for row in rows)
    return tuple(with_kinds(rows))


def texts_of(raw: bytes) -> list[str]:
    """The texts of a message, of which a mail may quote any: the plain one and that in HTML."""
    texts = (leaf for leaf in leaves(parse(raw)) if is_text(leaf))
    return ["\n".join(text_lines(leaf, ReadingLimits())[0]) for leaf in texts]


def _said_in(further: Sequence[Line], above: int) -> list[Line]:
    """What of further texts, counted on from the rows above, looks like something said."""
    found = (row for row in further if row.is_said and not row.is_quoted)
    kept = islice(found, _MAX_QUOTED)
    return [
        replace(row.left_out(Where.FURTHER, Owner.QUOTE), number=above + row.number) for row in kept
    ]


def _taken(
    body: Body,
    rows: Sequence[Line],
    further: Sequence[Line],
    quotations: Quotations,
    names: frozenset[str],
    limits: ReadingLimits,
) -> TakenLines:
    """The lines of the body for the grammar, with every defect of the body and what is left out."""
    end_of_orders = without_salutations(quotations.own, names)
    taken = take_lines(end_of_orders.rows, limits)
    skipped = (*_in_order(taken, end_of_orders, quotations), *_said_in(further, len(rows)))
    quoted = [row for row in quotations.quoted if not row.is_changed]
    left_out = (*quoted, *end_of_orders.below)
    flaws = _flaws_of_body(body, taken, rows, left_out)
    strange = [*(row for row in quoted if row.owner is Owner.QUOTE), *end_of_orders.below]
    flaws += _flaws_of_text(rows, taken.lines, strange)
    known = {*flaws, *(defect.flaw for defect in taken.defects)}
    is_said = taken.lines or end_of_orders.skipped
    if not is_said and not _NAMED & known:
        flaws.append(MailFlaw.EMPTY)
    below = _below_signoff(end_of_orders.rows, taken.lines)
    end = _end_of(taken.lines)
    of_lines = (
        *(each for each in quotations.defects if end is None or (each.line or 0) < end),
        *taken.defects,
        *below,
    )[:_MAX_DEFECTS]
    return TakenLines(taken.lines, (*map(Defect, flaws), *of_lines), skipped)


def _in_order(
    taken: TakenLines, end_of_orders: EndOfOrders, quotations: Quotations
) -> tuple[Line, ...]:
    """The skipped rows in order; none below a signoff."""
    if any(defect.flaw is MailFlaw.NOT_TEXT for defect in taken.defects):
        return ()
    end = _end_of(taken.lines)
    below = (*end_of_orders.skipped, *taken.skipped)
    own = [line for line in below if end is None or line.number < end]
    quoted = [
        replace(row, text=text, raw=text)
        for row in quotations.quoted
        if (text := unquoted(row.bare)) and not row.is_rule
    ]
    return tuple(sorted([*own, *quoted[:_MAX_QUOTED]], key=lambda line: line.number))


def _flaws_of_body(
    body: Body, taken: TakenLines, rows: Sequence[Line], left_out: Sequence[Line]
) -> list[MailFlaw]:
    """The flaws of the body. What was cut behind a signoff would not have been read anyway."""
    if _end_of(taken.lines) is not None:
        return [flaw for flaw in body.flaws if flaw is not MailFlaw.TEXT_CUT]
    if left_out and left_out[-1].number == len(rows):
        return [MailFlaw.QUOTE_CUT if flaw is MailFlaw.TEXT_CUT else flaw for flaw in body.flaws]
    return list(body.flaws)


def _below_signoff(rows: Sequence[Line], lines: Sequence[Line]) -> list[Defect]:
    """The first signon that the sender wrote below a signoff: its orders are for nobody."""
    end = _end_of(lines)
    behind = (row for row in rows if end is not None and row.number > end)
    found = next((row for row in behind if row.is_full_signon and not row.is_greeting), None)
    return [Defect(MailFlaw.BELOW_SIGNOFF, found.number)] if found is not None else []


def _end_of(lines: Sequence[Line]) -> int | None:
    """The line number of the signoff, which is the last line."""
    return lines[-1].number if lines and lines[-1].is_signoff else None


def _flaws_of_text(
    rows: Sequence[Line], lines: Sequence[Line], out: Sequence[Line]
) -> list[MailFlaw]:
    flaws = [MailFlaw.ENCRYPTED] * is_encrypted(rows)
    said = [line for line in lines if not line.is_press]
    # Of a mail without quoted text nobody asks what opens its seat.
    signed = [row for row in out if row.is_full_signon]
    if signed and not (any(row.is_full_signon for row in said) or (said and said[0].is_free)):
        flaws.append(MailFlaw.SIGNON_ONLY_QUOTED)
    return flaws


def _is_meant(row: Line, *, orders: bool = False) -> bool:
    """Return whether a row is a signon, an order with its unit, or a short command.

    With *orders* a command counts only if it is an order.
    """
    if row.is_quoted:
        return False
    is_short = len(row.text.split()) <= _MAX_WORDS and row.text[-1:] not in ".!?,:"
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
    boxes = [box for value in header.all("from")[:_MAX_FIELDS] for box in mailboxes(value)]
    return tuple(dict.fromkeys(box.address.lower() for box in boxes if box.address))


def _references(header: Header) -> tuple[str, ...]:
    answered = ids(header.get("in-reply-to"))[:1]
    thread = [one for one in ids(header.get("references")) if one not in answered]
    return tuple(dict.fromkeys([*thread, *answered]))[-_MAX_REFERENCES:]
