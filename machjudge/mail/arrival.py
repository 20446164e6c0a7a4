"""Raw bytes and their envelope -> what is put down on the doorstep.  Pure."""

import re
from collections.abc import Sequence
from email.utils import parseaddr

from machjudge.mail.ids import fingerprint, parted
from machjudge.mail.route import is_sound
from machjudge.service.doorstep import Arrival

_FROM = re.compile(rb"^from[ \t]*:((?:.*\n[ \t])*.*)$", re.IGNORECASE | re.MULTILINE)
_LONGEST_FROM = 2000


def arrival(raw: bytes, envelope_sender: str, recipients: Sequence[str]) -> Arrival:
    """The mail as it is kept; recipients named twice are kept once."""
    known_by = fingerprint(raw)
    return Arrival(
        raw=raw,
        envelope_sender=envelope_sender,
        recipients=tuple(dict.fromkeys(recipients)),
        sender=_orderer(raw, envelope_sender),
        message_id=known_by.message_id,
        key=known_by.key,
    )


def _orderer(raw: bytes, envelope_sender: str) -> str:
    """By whom the mail is kept in order.

    The author rather than the envelope, which on forwarded mails differs each time (SRS, BATV).
    """
    if not envelope_sender:
        return ""
    return (_author(raw) or envelope_sender).lower()


def _author(raw: bytes) -> str:
    """The address in the first From field; empty if there is none to go by."""
    field = _FROM.search(parted(raw)[0])
    if field is None:
        return ""
    text = field[1][:_LONGEST_FROM].decode("utf-8", "replace")
    try:
        address = parseaddr(" ".join(text.split()))[1]
    except (IndexError, ValueError):  # what the parser of the library does on some noise
        return ""
    return address if "@" in address and is_sound(address) else ""
