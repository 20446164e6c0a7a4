"""Addresses and message ids in header values (RFC 5322), as far as an answer needs them.

Read are the forms that the RFC allows (comments, folded addresses, old routes), and those that
programs write although it does not: names with bare commas, an address in an encoded word, a
domain with a final dot, signs without width.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from machjudge.reading.mime.header import decode_words
from machjudge.reading.text.characters import single_line

_ADDRESS = re.compile(
    r"[^\s<>()\[\]\\,;:\"@\x00-\x20\x7f-\xa0]{1,64}@"
    r"(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){0,20}[^\W_](?:[\w-]{0,61}[^\W_])?"
)
_QUOTED_LOCAL = re.compile(r'"([^"\\@\s]{1,64})"@')
_ROUTE = re.compile(r"@[^:<>]{1,300}:")
_AROUND = re.compile(r"\s*([@.])\s*")
_APART = re.compile(r"[\s<>()\[\]\\,;:\"]+")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"?|\\.?|[()<>,;:]|[^"\\()<>,;:]+', re.DOTALL)
_ID = re.compile(r"<[!-;=?-~]{1,400}>")
_MOST = 10_000
_LONGEST = 254
_MOST_IDS = 30


@dataclass(frozen=True, slots=True)
class Mailbox:
    """One entry of an address field; the address is None if it is not well formed."""

    name: str
    address: str | None


@lru_cache(maxsize=64)
def mailboxes(value: str) -> tuple[Mailbox, ...]:
    """The entries of an address field, undecoded; a group without members has none."""
    return tuple(entry.mailbox for entry in _entries(value[:_MOST]) if not entry.is_empty)


def one_mailbox(values: Sequence[str]) -> tuple[Mailbox | None, bool]:
    """The only entry with a well-formed address in some fields, and whether there are several.

    Words beside it belong to its name: programs write surnames with a bare comma behind them.
    """
    entries = [entry for value in values for entry in _entries(value[:_MOST])]
    boxes = [entry.mailbox for entry in entries if not entry.is_empty]
    found = {box.address.lower(): box for box in boxes if box.address}
    if not found:
        # An encoded word over all of it, or a quotation mark that is never closed.
        words = [word for value in values for word in _APART.split(decode_words(value[:_MOST]))]
        found = {each.lower(): Mailbox("", each) for word in words if (each := _address(word))}
    if len(found) != 1:
        return None, len(found) > 1
    (box,) = found.values()
    if len(boxes) > 1 and any(each.address is None for each in boxes):
        named = [each for each in entries if each.mailbox.address in (None, box.address)]
        name = "".join(each.phrase + each.end for each in named).strip(" ,;")
        return Mailbox(_name(name), box.address), False
    return box, False


def addresses_anywhere(values: Iterable[str]) -> set[str]:
    """Every well-formed address in some fields of any form, ``mailto:`` included, in lower case."""
    words = (word for value in values for word in _APART.split(value[:_MOST]))
    return {found.lower() for word in words if (found := _address(word.partition("?")[0]))}


def addresses_in(value: str) -> list[str]:
    """The well-formed addresses of an address field."""
    return [box.address for box in mailboxes(value) if box.address is not None]


def ids(value: str) -> list[str]:
    """The message ids in a field, with their angle brackets; the last ones if there are many."""
    return _ID.findall(value[-_MOST:])[-_MOST_IDS:]


@dataclass(slots=True)
class _AddressEntry:
    """What stands between two commas of an address field."""

    words: list[str] = field(default_factory=list)
    """The characters outside of comments and angles, quotation marks included."""
    comments: list[str] = field(default_factory=list)
    angles: list[str] = field(default_factory=list)
    end: str = ""
    """The comma or semicolon behind it."""

    @property
    def phrase(self) -> str:
        return "".join(self.words)

    @property
    def is_empty(self) -> bool:
        return not (self.angles or self.comments or self.phrase.strip())

    @property
    def mailbox(self) -> Mailbox:
        if self.angles:
            address = _address(self.angles[0]) if len(self.angles) == 1 else None
            return Mailbox(_name(self.phrase), address)
        return Mailbox(_name(" ".join(self.comments)), _address(self.phrase))


def _entries(value: str) -> Iterator[_AddressEntry]:
    """The entries of a field, split at commas and group marks outside quotes and brackets."""
    entry, in_angle = _AddressEntry(), False
    for each in _with_whole_comments(value):
        if each[0] == "(":
            entry.comments.append(each[1:].removesuffix(")"))
            entry.words += [] if in_angle else [" "]
        elif in_angle:
            in_angle = each != ">"
            entry.angles[-1] += each if in_angle else ""
        elif each == "<":
            in_angle = True
            entry.angles.append("")
        elif each in ",;":
            entry.end = each
            yield entry
            entry = _AddressEntry()
        elif each == ":":
            entry = _AddressEntry()
        else:
            entry.words.append(each)
    yield entry


def _with_whole_comments(value: str) -> Iterator[str]:
    """The tokens of a field: quoted strings, single signs, words, and comments as a whole."""
    depth, comment = 0, ""
    for each in _TOKEN.findall(value):
        depth += (each == "(") - (each == ")" and depth > 0)
        if depth or comment:
            comment += each
        if comment and not depth:
            yield comment
            comment = ""
        elif not depth:
            yield each
    if comment:
        yield comment


def _address(text: str) -> str | None:
    """The text as an address, without what RFC 5322 lets stand around its dots, or None."""
    seen = "".join(sign for sign in text if unicodedata.category(sign) != "Cf")
    address = _QUOTED_LOCAL.sub(r"\1@", _AROUND.sub(r"\1", _ROUTE.sub("", seen).strip()))
    address = address.removesuffix(".")
    return address if len(address) <= _LONGEST and _ADDRESS.fullmatch(address) else None


def _name(text: str) -> str:
    bare = text.strip()
    if bare.startswith('"') and bare.endswith('"') and len(bare) > 1:
        bare = re.sub(r"\\(.)", r"\1", bare[1:-1])
    return single_line(decode_words(bare), 100)
