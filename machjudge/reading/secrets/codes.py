"""Reply codes: the tokens that messages of the judge carry, found in what people send back.

They stand as ``r.`` and 26 letters and digits in an address (``judge+r.CODE@host``), in a
Message-ID, and in a line of the text.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from machjudge.reading.mime.address import ids
from machjudge.reading.mime.header import Header

REDACTED: Final = "********"
"""What stands in the place of a secret."""
MOST = 20
"""How many different codes of one mail are looked at."""

_CODE = re.compile(r"(?<![a-z0-9])(?:r\.)?([a-z2-7]{26})(?![a-z0-9])", re.IGNORECASE)
_TAGGED = re.compile(r"(?<![a-z0-9])r\.([a-z2-7]{26})(?![a-z0-9])", re.IGNORECASE)
_RECIPIENTS = ("to", "cc", "delivered-to", "x-original-to", "envelope-to")


def codes_in(texts: Iterable[str], most: int = MOST) -> tuple[str, ...]:
    """Everything in *texts* that may be a code, in order, each once and in lower case."""
    found: dict[str, None] = {}
    for text in texts:
        for match in _CODE.finditer(text):
            found.setdefault(match[1].lower())
            if len(found) >= most:
                return tuple(found)
    return tuple(found)


def sure_codes_in(texts: Iterable[str]) -> frozenset[str]:
    """The codes in *texts* that are marked as such: nothing else looks like them."""
    return frozenset(match[1] for text in texts for match in _TAGGED.finditer(text))


def redact_codes(text: str) -> str:
    """The text without the codes that are marked as such."""
    return _TAGGED.sub(f"r.{REDACTED}", text)


def codes_of(header: Header, rows: Iterable[str]) -> tuple[str, ...]:
    """What may be a code in a mail, the surest first: recipients, mails answered, then the text."""
    return codes_in([*_fields(header), *rows])


def _fields(header: Header) -> Iterator[str]:
    for name in _RECIPIENTS:
        yield from header.all(name)
    yield from ids(header.get("in-reply-to"))
    yield from reversed(ids(header.get("references")))
