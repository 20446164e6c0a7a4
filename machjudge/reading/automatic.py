"""Mail that no person wrote, and that is therefore never answered (RFC 3834).

Some signs are certain. Others (``Precedence``, ``List-Id``, ``X-Auto-Response-Suppress``) are also
set by servers and programs on the mails of people, and are only a suspicion.
"""

import re
from collections.abc import Collection, Iterable

from machjudge.reading.mime.address import mailboxes
from machjudge.reading.mime.body import leaves
from machjudge.reading.mime.header import Header, value_of
from machjudge.reading.mime.mime import MimePart
from machjudge.reading.text.characters import words
from machjudge.reading.text.mail import WhyIgnored

LOOP_HEADER = "X-Machjudge-Loop"
"""The header that our own mails carry, with the address of the judge as its value."""
MOST_HOPS = 25
"""A mail that passed as many servers goes in a circle."""

_LOOP = re.compile(r"x-(?:[\w-]*-)?loop|x-[\w-]*judge[\w-]*")
_RESPONDER = re.compile(r"x-(?:mail-)?auto-?(?:re(?:ply|spon[ds]).*|generated|matic)$")
_SUPPRESS = re.compile(r"\b(?:all|oof|autoreply)\b", re.IGNORECASE)
_BULK = words("bulk junk list auto_reply auto-reply autoreply")
_NO = re.compile(r"\s*(?:no|none|false|0)?\s*(?:$|[;(])", re.IGNORECASE)
_ROBOT = re.compile(
    r"(?:mailer-?daemon|mail-?daemon|(?:no|do-?not)[-_.]?reply|bounces?\b|owner-|listserv"
    r"|majordomo)[^@]*@|[^@]*-(?:bounces?|request)@",
    re.IGNORECASE,
)
_JUDGE = re.compile(r"judge@", re.IGNORECASE)
_TAG = re.compile(r"\+[^@]*@")
_BOUNCE_TYPES = frozenset(("multipart/report", "message/delivery-status"))
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


def why_automatic(mail: MimePart, own: Collection[str]) -> WhyIgnored | None:
    """The reason in the mail's structure and header why it is never answered, or None.

    *own* are the judge's addresses. Without them, a sender called judge who writes to themselves is
    taken for one.
    """
    header = mail.header
    if _is_own(header, own):
        return WhyIgnored.OWN_MAIL
    if len(header.all("received")) >= MOST_HOPS:
        return WhyIgnored.TOO_MANY_HOPS
    if _is_bounce(mail):
        return WhyIgnored.BOUNCE
    return _why_by_header(header) or _why_by_calendar(mail)


def subject_is_automatic(subject: str) -> bool:
    """Whether a decoded subject is that of an automatic answer or a bounce.

    Weaker than the other signs: a mail with a signon in it was written by a person.
    """
    return bool(_SUBJECT.match(subject.lstrip(" [(")))


def _is_own(header: Header, own: Collection[str]) -> bool:
    if any(_LOOP.fullmatch(name) for name, _ in header.fields):
        return True
    senders = _untagged(_addresses(header, "from"))
    if senders & _untagged(address.lower() for address in own):
        return True
    return any(map(_JUDGE.match, senders & _untagged(_addresses(header, "to"))))


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
    if any(name.startswith("list-") for name, _ in header.fields):
        return WhyIgnored.MAILING_LIST
    return None


def _why_by_header(header: Header) -> WhyIgnored | None:
    if not all(_NO.match(value) for value in header.all("auto-submitted")):
        return WhyIgnored.AUTO_SUBMITTED
    if _is_responder(header):
        return WhyIgnored.AUTORESPONDER
    senders = _addresses(header, "from") | _addresses(header, "sender")
    return WhyIgnored.ROBOT if any(map(_ROBOT.match, senders)) else None


def _is_responder(header: Header) -> bool:
    if "autorespon" in (header.get("x-post-messageclass") + header.get("delivered-to")).lower():
        return True
    return any(
        _RESPONDER.fullmatch(name) and not (value and _NO.match(value))
        for name, value in header.fields
        if name != "x-auto-response-suppress"
    )


def _why_by_calendar(mail: MimePart) -> WhyIgnored | None:
    calendars = [leaf for leaf in leaves(mail) if leaf.media_type == "text/calendar"]
    is_reply = any(leaf.parameter("method").lower() == "reply" for leaf in calendars)
    return WhyIgnored.CALENDAR_REPLY if is_reply else None
