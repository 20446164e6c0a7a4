"""What mails are known by: the key of a repeated delivery, Message-IDs, threads of games.

Reads of a raw mail only what it needs for that, and believes nothing of it.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

from machjudge.judge.mails import dotted
from machjudge.judge.secret import JudgeSecret

LONGEST = 320
"""How many signs an envelope address may have (RFC 5321, 4.5.3.1: 64 + 1 + 255)."""

_SPACE_OR_CONTROL = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class MailRoute:
    """An address of the judge; *tag* is what stands behind the ``+``, as it was written."""

    tag: str


def is_postmaster(judge: str, recipient: str) -> bool:
    """Whether an address is the one for people of mail: `postmaster`, with our domain or alone.

    Every server takes it (RFC 5321, 4.5.1), in any case of letters.
    """
    local, _, domain = recipient.rpartition("@")
    if not local:
        return recipient.casefold() == "postmaster"
    ours = judge.rpartition("@")[2].casefold()
    return (local.casefold(), domain.casefold()) == ("postmaster", ours)


def route(judge: str, recipient: str) -> MailRoute | None:
    """The way of a mail to *recipient* when the judge's address is *judge*; None if not ours.

    Upper and lower case are the same (RFC 5321, 2.4, leaves that to the host), and so are the
    plain address and the one with ``+anything`` (RFC 5233).
    """
    if not is_sound(recipient):
        return None
    local, _, domain = recipient.rpartition("@")
    name, _, tag = local.partition("+")
    own_name, _, own_domain = judge.rpartition("@")
    ours = (name.casefold(), domain.casefold()) == (own_name.casefold(), own_domain.casefold())
    return MailRoute(tag) if ours else None


def tagged(judge: str, tag: str) -> str:
    """The judge's address with ``+tag``, for which `route` gives *tag* back."""
    local, _, domain = judge.rpartition("@")
    return f"{local}+{tag}@{domain}"


def is_sound(address: str) -> bool:
    """Whether an envelope address can be kept; the empty one of bounces can.

    Not if it is too long or holds white space, control signs or bytes that are no UTF-8.
    """
    return len(address) <= LONGEST and not _SPACE_OR_CONTROL.search(address)


_PURPOSE = "mail"
_KEY_BYTES = 32

LONGEST_ID = 998
"""The longest line of a mail (RFC 5322, 2.1.1); a longer Message-ID names nothing."""

_BLANK_LINE = re.compile(rb"\r{0,3}\n\r{0,3}\n")
_MESSAGE_ID = re.compile(rb"^message-id[ \t]*:((?:.*\n[ \t])*.*)$", re.IGNORECASE | re.MULTILINE)
_ONE_ID = re.compile(r"<[^<>\s@]+@[^<>\s@]+>")
_NOT_PRINTABLE = re.compile(r"[^\x21-\x7e]")


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What a mail is known by: its Message-ID (empty if it has none) and the key of repeats."""

    message_id: str
    key: str


def fingerprint(raw: bytes, secret: JudgeSecret) -> Fingerprint:
    """The Message-ID of *raw*, and a key that repeated deliveries of the same mail share.

    A repeat has the same Message-ID and the same body; the headers above it may differ, because
    each server on the way adds its own.  A mail without Message-ID repeats if all of it does.
    The key outlives the password in the mail, and whoever has only the database must not be able
    to guess it: so the key is an HMAC under the judge's *secret* (RFC 2104).
    """
    head, body = parted(raw)
    field = _MESSAGE_ID.search(head)
    message_id = message_id_in(field[1]) if field is not None else ""
    digest = sha256(body if message_id else raw).hexdigest()
    return Fingerprint(message_id, secret.code(_PURPOSE, message_id, digest, length=_KEY_BYTES))


def own_message_id(number: str, made: datetime, domain: str, tag: str = "") -> str:
    """The Message-ID of the letter put into the outbox at *made*; *tag* is that of its reply token.

    *number* is its `hidden_number`.  The ID follows from the row alone, so that a letter sent twice
    is the same mail twice; the time keeps apart the rows of databases that were begun anew.
    """
    moment = made.astimezone(UTC).strftime("%Y%m%dT%H%M%S")
    return f"<{moment}.{number}{f'.{tag}' if tag else ''}@{domain}>"


def thread_root(game: str, phase: str, domain: str) -> str:
    """The Message-ID that all letters of one phase of a game refer to (RFC 5322, 3.6.4).

    *phase* is its code, such as ``S1454M``; empty before the game and after it.
    """
    own = f".{dotted(phase)}" if phase else ""
    return f"<{dotted(game)}{own}.game@{domain}>"


def is_thread_root(text: str, game: str, domain: str) -> bool:
    """Whether a Message-ID is the root of one of the threads of a game."""
    return text.startswith(f"<{dotted(game)}.") and text.endswith(f".game@{domain}>")


def list_id(game: str, domain: str) -> str:
    """The List-Id of one game's letters, with its brackets (RFC 2919)."""
    return f"<{dotted(game)}.{domain}>"


def ids_in(text: str) -> tuple[str, ...]:
    """The Message-IDs that stand in a References or In-Reply-To field, in their order."""
    return tuple(each for each in _ONE_ID.findall(text) if len(each) <= LONGEST_ID)


def parted(raw: bytes) -> tuple[bytes, bytes]:
    """Head and body, without the blank line between them."""
    blank = _BLANK_LINE.search(raw)
    if blank is None:
        return raw, b""
    return raw[: blank.start()], raw[blank.end() :]


def message_id_in(value: bytes) -> str:
    """The Message-ID that a field has, however it is folded; empty if there is none to go by."""
    text = _NOT_PRINTABLE.sub("", value.decode("ascii", "replace"))
    return text if len(text) <= LONGEST_ID else ""
