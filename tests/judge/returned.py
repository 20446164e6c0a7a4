"""Delivery reports about messages of the judge."""

import re
from dataclasses import replace
from enum import Enum

from machjudge.judge.mails import OutboxId, Outgoing, QueuedMessage, return_tag
from machjudge.mail.compose import compose
from tests.judge.fakes import SECRET
from tests.judge.house import House
from tests.judge.letters_in import work

HARD, SOFT, SPAM = "5.1.1", "4.4.7", "5.7.1"
"""Codes of delivery reports (RFC 3463)."""


def report(status: str) -> bytes:
    """What a mail server writes about a message that it could not deliver."""
    return (
        "From: MAILER-DAEMON@mx.example\n"
        'Content-Type: multipart/report; boundary="b"\n\n'
        "--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example\n\n"
        f"Action: failed\nStatus: {status}\n\n--b--\n"
    ).encode()


def come_back(house: House, to: str, status: str) -> list[Outgoing]:
    """The newest message to an address comes back now; what the judge sends then."""
    newest = max(n for n, (each, _) in enumerate(house.store.tables.posted, 1) if each == to)
    tag = return_tag(SECRET, OutboxId(newest))
    house.store.receive(report(status), "", house.now, recipient=f"judge+{tag}@mach.example")
    work(house)
    return house.mails_out()


class Returns(Enum):
    """What of a message a mail server returns in its report."""

    WHOLE = "the mail"
    HEADER = "its header"
    AS_TEXT = "its header, as text"
    ID = "its Message-ID, and no other field"
    ANSWER = "its Message-ID, in References"
    CODE = "its text, under another Message-ID"


def newest_to(house: House, to: str) -> QueuedMessage:
    """The newest message to an address."""
    return next(each for a, each in reversed(house.store.tables.posted) if a == to)


def report_with(house: House, letter: QueuedMessage, status: str, returns: Returns) -> bytes:
    """A report about a message of a judge whose envelope sender is its bare address."""
    judge = replace(house.services.judge, plain_envelope=True, plus=False)
    content = compose(letter, judge, SECRET).content.replace(b"\r\n", b"\n")
    head, _, body = content.partition(b"\n\n")
    (own,) = re.findall(rb"(?m)^Message-ID: (\S+)$", head)
    kind, returned, above = {
        Returns.WHOLE: (b"message/rfc822", content, b""),
        Returns.HEADER: (b"text/rfc822-headers", head + b"\n", b""),
        Returns.AS_TEXT: (b"text/plain", b"The header was:\n\n" + head + b"\n", b""),
        Returns.ID: (b"text/rfc822-headers", b"Message-ID: " + own + b"\n", b""),
        Returns.ANSWER: (b"text/plain", b"\n", b"References: <0@a.example>\n " + own + b"\n"),
        Returns.CODE: (b"message/rfc822", b"Message-ID: <1@relay.example>\n\n" + body, b""),
    }[returns]
    return (
        b"From: Mail Delivery System <MAILER-DAEMON@mx.example>\nTo: judge@mach.example\n"
        b"Message-ID: <r%d@mx.example>\n"
        % letter.id
        + above
        + b'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\n\n'
        b"--b\n\nIt was not delivered.\n\n"
        b"--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example\n\n"
        + f"Final-Recipient: rfc822; x@y.example\nAction: failed\nStatus: {status}\n".encode()
        + b"\n--b\nContent-Type: "
        + kind
        + b"\n\n"
        + returned
        + b"\n--b--\n"
    )
