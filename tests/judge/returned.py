"""Delivery reports about messages of the judge."""

from machjudge.judge.mails import LetterId, Outgoing, return_tag
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
    tag = return_tag(SECRET, LetterId(newest))
    house.store.receive(report(status), "", house.now, recipient=f"judge+{tag}@mach.example")
    work(house)
    return house.mails_out()
