"""Who a mail says it is from, read from its header alone: a claim, and no right to anything.

It is the one address in From. Where that is no person's (a mailing list or a server has put its
own in place of the writer's, nobody reads there, or it cannot be read), it is the one in Reply-To
or in a field that keeps the former From, and else the envelope's.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from machjudge.reading.automatic import (
    is_listed,
    is_nobody,
    lists_of,
    subject_is_automatic,
    why_automatic,
    why_suspected,
)
from machjudge.reading.mime.address import addresses_anywhere, ids, mailboxes, one_mailbox
from machjudge.reading.mime.header import Header, decode_words, split_header
from machjudge.reading.mime.mime import MimePart
from machjudge.reading.text.characters import single_line

_MOST_FIELDS = 5
_FORMER = ("author", "x-original-from", "original-from", "x-original-sender")
"""Fields in which a list or a server keeps the From that it has replaced (RFC 9057)."""
_VIA = re.compile(r"(.*\S)\s+(?:via|per conto di|por cuenta de|on behalf of)\s", re.IGNORECASE)
_AS_DOMAIN = re.compile(r"[^@]+=[^@]+@")
"""An address that has another one, with its @ replaced, before its own."""


@dataclass(frozen=True, slots=True)
class NamedWriter:
    """Who a mail says that it is from."""

    address: str | None
    """Of a person; None if none is named, or several are."""
    name: str
    is_several: bool
    """Whether From names several people."""
    is_in_from: bool
    """Whether the address stands in From, which is what servers vouch for."""
    reply_to: str | None
    """The address in Reply-To, if it is exactly one of a person."""
    by_list: bool
    """Whether it came by a mailing list, or by a server that has put itself in place of the
    writer: what is in From may be read by many."""


@dataclass(frozen=True, slots=True)
class HeaderClaim:
    """What the header of a mail claims."""

    sender: str
    """The one address of a person, in lower case."""
    message_id: str | None
    """With its angle brackets."""


def author_of(header: Header, own: Collection[str] = (), envelope: str = "") -> NamedWriter:
    """Who the mail with that header says that it is from.

    *own* are the judge's own addresses, *envelope* is its ``MAIL FROM``; without one, the field
    Return-Path counts.
    """
    lists = lists_of(header, envelope)
    box, several = one_mailbox(header.all("from")[:_MOST_FIELDS])
    name = box.name if box is not None else _name_in(header)
    shown = box.address if box is not None and box.address else ""

    def is_person(address: str) -> bool:
        lower = address.lower()
        return not (lower in lists or is_nobody(address) or is_one_of(address, own))

    answers = [each for each in _mailboxes(header, "reply-to") if is_person(each)]
    reply_to = answers[0] if len(answers) == 1 else None
    is_replaced = bool(shown) and (
        not is_person(shown)
        or (bool(_VIA.match(name)) and reply_to not in (None, shown))
        or (bool(lists) and bool(_AS_DOMAIN.match(shown)))
    )
    by_list = is_listed(header) or is_replaced
    if several or (shown and not is_replaced):
        address = None if several else shown
        return NamedWriter(address, name, several, address is not None, reply_to, by_list)
    former = (each for field in _FORMER for each in addresses_anywhere(header.all(field)[:1]))
    ways = (*addresses_anywhere([envelope or header.get("return-path")]),)
    others = [reply_to or "", *former, *ways]
    address = next((each for each in others if each and is_person(each)), None)
    via = _VIA.match(name)
    return NamedWriter(address, via[1] if via else name, False, False, reply_to, by_list)


def is_one_of(address: str, own: Collection[str]) -> bool:
    """Whether an address is one of some, with or without +anything before the @."""
    return _untagged(address) in map(_untagged, own)


def claim_in(raw: bytes, own: Collection[str], envelope: str = "") -> HeaderClaim | None:
    """The claim of the mail *raw*; None if it names not exactly one sender, or looks automatic.

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


def _untagged(address: str) -> str:
    local, _, domain = address.lower().rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"
