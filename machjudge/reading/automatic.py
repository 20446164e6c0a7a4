"""Mail that no person wrote, and that is therefore never answered (RFC 3834).

Some signs are certain. Others (``Precedence``, ``List-Id``, ``X-Auto-Response-Suppress``) are also
set by servers and programs on the mails of people, and are only a suspicion. What stands in
``Sender``, or in a loop field with somebody else's address, says nothing about who wrote a mail.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.errors import MessageError
from email.message import Message

from machjudge.reading.mime.address import addresses_anywhere, mailboxes
from machjudge.reading.mime.body import leaves
from machjudge.reading.mime.header import Header, value_of
from machjudge.reading.mime.mime import MimePart
from machjudge.reading.text.characters import words
from machjudge.reading.text.mail import WhyIgnored

LOOP_HEADER = "X-Machjudge-Loop"
"""The header that our own mails carry, with the address of the judge as its value."""
MOST_HOPS = 100
"""A mail that passed as many servers goes in a circle (RFC 5321, 6.3)."""

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
"""What a list manager adds to the name of a list in the addresses for its own work."""
_JUDGE = re.compile(r"judge@", re.IGNORECASE)
_TAG = re.compile(r"\+[^@]*@")
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
_OWN_SUBJECT = re.compile(r"\b[A-Z]{2,10}:\S+ +- +[SUF]\d{4}[MRB]\b")
"""How the subjects of the judge begin: ``MACH:borgia - S1454M``."""


def why_automatic(mail: MimePart, own: Collection[str], author: str | None) -> WhyIgnored | None:
    """The reason in the mail's structure and header why it is never answered, or None.

    *own* are the judge's addresses. Without them, those in To are taken for them, and a sender
    called judge who writes to themselves. *author* is the person's address, where there is one.
    """
    header = mail.header
    if _is_own(header, own, author):
        return WhyIgnored.OWN_MAIL
    if len(header.all("received")) >= MOST_HOPS:
        return WhyIgnored.TOO_MANY_HOPS
    if _is_bounce(mail):
        return WhyIgnored.BOUNCE
    return _why_by_header(header, author) or _why_by_calendar(mail)


def subject_is_automatic(subject: str) -> bool:
    """Whether a decoded subject is that of an automatic answer or a bounce.

    It is one of those known, or that of the answered message with more in front than people's
    programs put there: "Automatisk svar: Re: …".  Weaker than the other signs: a mail that says
    something to the judge was written by a person.
    """
    bare = _in_front(subject)
    if _SUBJECT.match(bare.lstrip(" [(")):
        return True
    tag = _OWN_SUBJECT.search(bare)
    answered = _ANSWERED.match(bare)
    return bool(answered or (tag and re.search(r"\w", bare[: tag.start()])))


def _in_front(subject: str) -> str:
    """A subject without the tags and the marks of answers that stand in front of it."""
    bare = subject.strip()
    while found := _PREFIX.match(bare):
        bare = bare[found.end() :]
    return bare


def _is_own(header: Header, own: Collection[str], author: str | None) -> bool:
    senders, to = _untagged(_addresses(header, "from")), _untagged(_addresses(header, "to"))
    ours = _untagged(address.lower() for address in own) or to
    if any(_untagged(addresses_anywhere(header.all(name))) & ours for name in _LOOPS):
        return True
    if own:
        # A server on the way may have put our address there in place of the writer's.
        return author is None and bool(senders & ours)
    return any(map(_JUDGE.match, senders & to))


def is_nobody(address: str) -> bool:
    """Whether nobody reads at an address: a daemon's, one for a list's own work, noreply."""
    return bool(_NOBODY.match(address))


def lists_of(header: Header, envelope: str = "") -> frozenset[str]:
    """The addresses of the mailing lists through which a mail came; empty if it came by none.

    *envelope* is its ``MAIL FROM``.
    """
    if not is_listed(header):
        return frozenset()
    found = addresses_anywhere([value for name in _NAMES_LIST for value in header.all(name)])
    works = addresses_anywhere([value for name in _WORKS_FOR_LIST for value in header.all(name)])
    works |= addresses_anywhere([envelope])
    found |= {stem for each in works if (stem := _OF_LIST.sub("", each)) != each}
    named = (_LIST_ID.search(value) for value in header.all("list-id"))
    return frozenset(found | {f"{each[1]}@{each[2]}".lower() for each in named if each})


def is_listed(header: Header) -> bool:
    """Whether a mail says that it came by a mailing list."""
    precedence = {value_of(v) for v in header.all("precedence") + header.all("x-precedence")}
    return "list" in precedence or any(
        name.startswith("list-") or name in _LISTED for name, _ in header.fields
    )


def _untagged(addresses: Iterable[str]) -> set[str]:
    """The addresses without +anything before the @."""
    return {_TAG.sub("@", address) for address in addresses}


def _addresses(header: Header, name: str) -> set[str]:
    boxes = (box for value in header.all(name)[:10] for box in mailboxes(value))
    return {box.address.lower() for box in boxes if box.address}


def _is_bounce(mail: MimePart) -> bool:
    empty = any(value.strip() == "<>" for value in mail.header.all("return-path"))
    kinds = {mail.media_type, *(leaf.media_type for leaf in leaves(mail))}
    return empty or bool(kinds & _BOUNCE_TYPES) or mail.header.has("x-failed-recipients")


def why_suspected(header: Header) -> WhyIgnored | None:
    """The reason in the header why a mail may be automatic, or None."""
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
    return any(
        _RESPONDER.fullmatch(name) and not (value and _NO.match(value))
        for name, value in header.fields
        if name != "x-auto-response-suppress"
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
    """That a letter could not be delivered."""

    why: str
    """In the words of the report, on one line."""
    status: str
    """The code of the report (RFC 3463); empty where it has none."""


def failure_in(raw: bytes) -> Failure | None:
    """What a report says of a letter that could not be delivered.

    None if the mail is no such report, or one of a delay or of a success.
    """
    try:
        mail = message_from_bytes(raw, policy=policy.compat32)
        failed = next(_failures(mail), None)
    # The parser stumbles over some hostile mails, each time in another way.
    except (MessageError, ValueError, LookupError, AttributeError, TypeError, RecursionError):
        return None
    if failed is None:
        return None
    status = _line(failed.get("Status"))
    return Failure(_line(failed.get("Diagnostic-Code")) or status or "no reason given", status)


def _line(field: object) -> str:
    printable = (sign if sign.isprintable() else " " for sign in str(field or ""))
    return " ".join("".join(printable).split())[:_LONGEST]


def _failures(mail: Message) -> Iterator[Message]:
    """The groups of fields, one of each recipient, that speak of a failure."""
    for part in mail.walk():
        if part.get_content_type() != "message/delivery-status":
            continue
        groups = part.get_payload()
        for group in groups if isinstance(groups, list) else ():
            if isinstance(group, Message) and _says_failed(group):
                yield group


def _says_failed(group: Message) -> bool:
    return str(group.get("Action", "")).strip().casefold() == "failed"
