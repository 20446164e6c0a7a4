"""What a delivery report says about a letter that came back (RFC 3464)."""

from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.errors import MessageError
from email.message import Message

_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Failure:
    """That a letter could not be delivered."""

    why: str
    """In the words of the report, on one line."""
    status: str
    """The code of the report (RFC 3463); empty where it has none."""


def failure_in(raw: bytes) -> Failure | None:
    """What a report says of a letter that could not be delivered.

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
    status = _line(failed.get("Status"))
    return Failure(_line(failed.get("Diagnostic-Code")) or status or "no reason given", status)


def _line(field: object) -> str:
    printable = (sign if sign.isprintable() else " " for sign in str(field or ""))
    return " ".join("".join(printable).split())[:_LONGEST]


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
