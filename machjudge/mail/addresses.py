"""Addresses and ids of mails: keys of repeated deliveries, Message-IDs, threads of games.

Raw mails are read only as far as needed, and not trusted.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

from machjudge.judge.mails import dotted
from machjudge.judge.secret import JudgeSecret

LONGEST = 320
"""The most characters of an envelope address (RFC 5321, 4.5.3.1: 64 + 1 + 255)."""

_SPACE_OR_CONTROL = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class MailRoute:
    """An address of the judge; *tag* is the text behind the ``+``."""

    tag: str


def is_postmaster(judge: str, recipient: str) -> bool:
    """Return whether it is `postmaster`, alone or in our domain, in any case (RFC 5321, 4.5.1)."""
    local, _, domain = recipient.rpartition("@")
    if not local:
        return recipient.casefold() == "postmaster"
    ours = judge.rpartition("@")[2].casefold()
    return (local.casefold(), domain.casefold()) == ("postmaster", ours)


def route(judge: str, recipient: str) -> MailRoute | None:
    """Return the route of a mail to *recipient*, None if it is not for *judge*.

    Upper and lower case are the same (RFC 5321, 2.4, leaves that to the host), and so are the plain
    address and the one with ``+anything`` (RFC 5233).
    """
    if not is_sound(recipient):
        return None
    local, _, domain = recipient.rpartition("@")
    name, _, tag = local.partition("+")
    own_name, _, own_domain = judge.rpartition("@")
    ours = (name.casefold(), domain.casefold()) == (own_name.casefold(), own_domain.casefold())
    return MailRoute(tag) if ours else None


def tagged(judge: str, tag: str) -> str:
    """Return the judge's address with ``+tag``, the inverse of `route`."""
    local, _, domain = judge.rpartition("@")
    return f"{local}+{tag}@{domain}"


def is_sound(address: str) -> bool:
    """Return whether an envelope address, or a bounce's empty one, can be kept.

    It must not be too long or hold white space, control signs or bytes that are no UTF-8.
    """
    return len(address) <= LONGEST and not _SPACE_OR_CONTROL.search(address)


_PURPOSE = "mail"
_KEY_BYTES = 32

LONGEST_ID = 998
"""The longest line of a mail (RFC 5322, 2.1.1); longer Message-IDs are ignored."""

_BLANK_LINE = re.compile(rb"\r{0,3}\n\r{0,3}\n")
_MESSAGE_ID = re.compile(rb"^message-id[ \t]*:((?:.*\n[ \t])*.*)$", re.IGNORECASE | re.MULTILINE)
_ONE_ID = re.compile(r"<[^<>\s@]+@[^<>\s@]+>")
_NOT_PRINTABLE = re.compile(r"[^\x21-\x7e]")


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """The identity of a mail: its Message-ID (or "") and the key of repeated deliveries."""

    message_id: str
    key: str


def fingerprint(raw: bytes, secret: JudgeSecret, received: datetime | None = None) -> Fingerprint:
    """Return the Message-ID of *raw*, and a key that repeated deliveries share.

    A repeat has the same Message-ID and body; servers add to the headers. Without Message-ID the
    whole mail must be the same, and *received*, when a mailbox got it. The key is an HMAC under the
    judge's *secret* (RFC 2104), so that the database does not reveal a password in the mail.
    """
    head, body = parted(raw)
    field = _MESSAGE_ID.search(head)
    message_id = message_id_in(field[1]) if field is not None else ""
    at = b"" if received is None else received.isoformat().encode()
    digest = sha256(body if message_id else raw + at).hexdigest()
    return Fingerprint(message_id, secret.code(_PURPOSE, message_id, digest, length=_KEY_BYTES))


def own_message_id(number: str, made: datetime, domain: str, tag: str = "") -> str:
    """Return the Message-ID of the message made at *made*; *tag* is that of its reply token.

    *number* is its `hidden_number`. It follows from the row alone, so that a message sent twice is
    one mail; the time tells databases apart.
    """
    moment = made.astimezone(UTC).strftime("%Y%m%dT%H%M%S")
    return f"<{moment}.{number}{f'.{tag}' if tag else ''}@{domain}>"


def thread_root(game: str, phase: str, domain: str) -> str:
    """Return the Message-ID that a game's messages of one phase refer to (RFC 5322, 3.6.4).

    *phase* is its code, such as ``S1454M``; empty before the game and after it.
    """
    own = f".{dotted(phase)}" if phase else ""
    return f"<{dotted(game)}{own}.game@{domain}>"


def is_thread_root(text: str, game: str, domain: str) -> bool:
    """Return whether a Message-ID is a root of a game's threads."""
    return text.startswith(f"<{dotted(game)}.") and text.endswith(f".game@{domain}>")


def list_id(game: str, domain: str) -> str:
    """Return the List-Id of a game's messages, in brackets (RFC 2919)."""
    return f"<{dotted(game)}.{domain}>"


def ids_in(text: str) -> tuple[str, ...]:
    """Return the Message-IDs of a References or In-Reply-To field."""
    return tuple(each for each in _ONE_ID.findall(text) if len(each) <= LONGEST_ID)


def parted(raw: bytes) -> tuple[bytes, bytes]:
    """Return head and body, without the blank line between them."""
    blank = _BLANK_LINE.search(raw)
    if blank is None:
        return raw, b""
    return raw[: blank.start()], raw[blank.end() :]


def message_id_in(value: bytes) -> str:
    """Return the Message-ID in a field, however folded; "" if there is none."""
    text = _NOT_PRINTABLE.sub("", value.decode("ascii", "replace"))
    return text if len(text) <= LONGEST_ID else ""
