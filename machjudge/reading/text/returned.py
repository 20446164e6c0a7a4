"""What a delivery report says about a letter that came back (RFC 3464)."""

from collections.abc import Iterator
from email import message_from_bytes, policy
from email.errors import MessageError
from email.message import Message

_LONGEST = 200


def why_returned(raw: bytes) -> str | None:
    """Why a letter could not be delivered, in the words of the report, on one line.

    None if the mail is no such report, or one of a delay or of a success.
    """
    try:
        mail = message_from_bytes(raw, policy=policy.compat32)
        failed = next(_failures(mail), None)
    # The parser stumbles over some hostile mails, each time in another way.
    except (MessageError, ValueError, LookupError, AttributeError, TypeError, RecursionError):
        return None
    if failed is None:
        return None
    words = failed.get("Diagnostic-Code") or failed.get("Status") or "no reason given"
    printable = "".join(sign if sign.isprintable() else " " for sign in str(words))
    return " ".join(printable.split())[:_LONGEST]


def _failures(mail: Message) -> Iterator[Message]:
    """The groups of fields, one of each recipient, that speak of a failure."""
    for part in mail.walk():
        if part.get_content_type() != "message/delivery-status":
            continue
        groups = part.get_payload()
        for group in groups if isinstance(groups, list) else ():
            if isinstance(group, Message) and _says_failed(group):
                yield group


def _says_failed(group: Message) -> bool:
    return str(group.get("Action", "")).strip().casefold() == "failed"
