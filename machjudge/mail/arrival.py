"""Raw bytes and their envelope -> what is kept in the inbox.  Pure."""

from collections.abc import Sequence

from machjudge.mail.ids import fingerprint
from machjudge.mail.route import is_sound
from machjudge.reading import author_in
from machjudge.service.credentials.secret import JudgeSecret
from machjudge.service.ports.mailbox import Arrival


def arrival(
    raw: bytes, envelope_sender: str, recipients: Sequence[str], secret: JudgeSecret
) -> Arrival:
    """The mail as it is kept; recipients named twice are kept once."""
    known_by = fingerprint(raw, secret)
    return Arrival(
        raw=raw,
        envelope_sender=envelope_sender,
        recipients=tuple(dict.fromkeys(recipients)),
        sender=_orderer(raw, envelope_sender, recipients),
        message_id=known_by.message_id,
        key=known_by.key,
    )


def _orderer(raw: bytes, envelope_sender: str, recipients: Sequence[str]) -> str:
    """By whom the mail is kept in order.

    The author rather than the envelope, which on forwarded mails differs each time (SRS, BATV).
    """
    if not envelope_sender:
        return ""
    author = author_in(raw, recipients, envelope_sender)
    return (author if is_sound(author) else "").lower() or envelope_sender.lower()
