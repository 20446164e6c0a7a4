"""Raw bytes and their envelope -> what is kept in the inbox.  Pure."""

import re
from collections.abc import Sequence

from machjudge.mail.ids import fingerprint, parted
from machjudge.mail.route import is_sound
from machjudge.service.credentials.secret import JudgeSecret
from machjudge.service.ports.mailbox import Arrival

_FROM = re.compile(rb"^from[ \t]*:((?:.*\n[ \t])*.*)$", re.IGNORECASE | re.MULTILINE)
_IN_BRACKETS = re.compile(r"<\s*([^<>\s@]+@[^<>\s@]+)\s*>")
_BARE = re.compile(r"[^\s<>,;:\"()@]+@[^\s<>,;:\"()@]+")
_LONGEST_FROM = 2000


def arrival(
    raw: bytes, envelope_sender: str, recipients: Sequence[str], secret: JudgeSecret
) -> Arrival:
    """The mail as it is kept; recipients named twice are kept once."""
    known_by = fingerprint(raw, secret)
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
    # Not the library's parser: some noise sends it into depths from which it does not return.
    found = _IN_BRACKETS.findall(text)[-1:] or _BARE.findall(text)[:1]
    return "".join(address for address in found if is_sound(address))
