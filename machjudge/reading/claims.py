"""Who a mail says it is from, read from its header alone: for mails that cannot be read whole."""

from collections.abc import Collection
from dataclasses import dataclass

from machjudge.reading.automatic import subject_is_automatic, why_automatic, why_suspected
from machjudge.reading.mime.address import ids, mailboxes
from machjudge.reading.mime.header import decode_words, split_header
from machjudge.reading.mime.mime import MimePart
from machjudge.reading.text.characters import single_line


@dataclass(frozen=True, slots=True)
class HeaderClaim:
    """What the header of a mail claims."""

    sender: str
    """The one address in From, in lower case."""
    message_id: str | None
    """With its angle brackets."""


def claim_in(raw: bytes, own: Collection[str]) -> HeaderClaim | None:
    """The claim of the mail *raw*; None if it names not exactly one sender, or looks automatic.

    *own* are the judge's own addresses. Never raises: a header that cannot be read claims nothing.
    """
    try:
        return _claim(raw, own)
    except Exception:
        return None


def _claim(raw: bytes, own: Collection[str]) -> HeaderClaim | None:
    header, _ = split_header(raw.lstrip(b"\r\n"))
    subject = single_line(decode_words(header.get("subject")))
    part = MimePart(header, b"")
    if why_automatic(part, own) or why_suspected(header) or subject_is_automatic(subject):
        return None
    boxes = [box for value in header.all("from")[:2] for box in mailboxes(value)]
    if len(boxes) != 1 or boxes[0].address is None:
        return None
    return HeaderClaim(boxes[0].address.lower(), next(iter(ids(header.get("message-id"))), None))
