"""Addresses and message ids in header values (RFC 5322), as far as an answer needs them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from machjudge.reading.mime.header import decode_words
from machjudge.reading.text.characters import single_line

_ADDRESS = re.compile(
    r"[^\s<>()\[\]\\,;:\"@\x00-\x20\x7f-\xa0]{1,64}@"
    r"(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){0,20}[^\W_](?:[\w-]{0,61}[^\W_])?"
)
_ANGLE = re.compile(r"<([^<>]{0,400})>")
_COMMENT = re.compile(r"\(([^()]{0,400})\)")
_ID = re.compile(r"<[!-;=?-~]{1,400}>")
_MOST = 10_000
_MOST_IDS = 30


@dataclass(frozen=True, slots=True)
class Mailbox:
    """One entry of an address field; the address is None if it is not well formed."""

    name: str
    address: str | None


@lru_cache(maxsize=64)
def mailboxes(value: str) -> tuple[Mailbox, ...]:
    """The entries of an address field, undecoded; a group without members has none."""
    return tuple(_mailbox(piece) for piece in _pieces(value[:_MOST]) if piece.strip())


def addresses_in(value: str) -> list[str]:
    """The well-formed addresses of an address field."""
    return [box.address for box in mailboxes(value) if box.address is not None]


def ids(value: str) -> list[str]:
    """The message ids in a field, with their angle brackets; the last ones if there are many."""
    return _ID.findall(value[-_MOST:])[-_MOST_IDS:]


def _mailbox(piece: str) -> Mailbox:
    angles = _ANGLE.findall(piece)
    if angles:
        name = _ANGLE.sub(" ", piece)
        return Mailbox(_name(name), _address(angles[0]) if len(angles) == 1 else None)
    return Mailbox(_name(" ".join(_COMMENT.findall(piece))), _address(_COMMENT.sub(" ", piece)))


def _address(text: str) -> str | None:
    address = text.strip()
    return address if len(address) <= 254 and _ADDRESS.fullmatch(address) else None  # noqa: PLR2004


def _name(text: str) -> str:
    bare = text.strip()
    if bare.startswith('"') and bare.endswith('"') and len(bare) > 1:
        bare = re.sub(r"\\(.)", r"\1", bare[1:-1])
    return single_line(decode_words(bare), 100)


def _pieces(value: str) -> Iterator[str]:
    """Split at the commas and group marks that stand outside quotes, comments and angles."""
    start = 0
    for at, char in _outside(value):
        if char in ",;":
            yield value[start:at]
            start = at + 1
        elif char == ":":
            start = at + 1
    yield value[start:]


def _outside(value: str) -> Iterator[tuple[int, str]]:
    quoted, depth, escaped = False, 0, False
    for at, char in enumerate(value):
        if escaped or char == "\\":
            escaped = not escaped
        elif char == '"' and not depth:
            quoted = not quoted
        elif not quoted and char in "(<":
            depth += 1
        elif not quoted and char in ")>":
            depth = max(0, depth - 1)
        elif not quoted and not depth:
            yield at, char
