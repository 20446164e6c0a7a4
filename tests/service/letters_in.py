"""Mails as players write them, and what comes back: the whole desk with a store in memory."""

from collections.abc import Sequence
from email.message import EmailMessage

from machjudge.service.envelopes import Outgoing
from machjudge.service.tick import look_at_games
from machjudge.service.worker import Taken, take
from tests.service.house import House

_NUMBERS = iter(range(1, 1_000_000))


def raw_mail(
    sender: str, lines: Sequence[str], subject: str = "Orders", name: str | None = None
) -> bytes:
    """A plain mail to the judge."""
    mail = EmailMessage()
    shown = name if name is not None else sender.partition("@")[0].capitalize()
    mail["From"] = f"{shown} <{sender}>" if shown else sender
    mail["To"] = "judge@mach.example"
    mail["Subject"] = subject
    # A letter before the number, so that it is never taken for ducats.
    mail["Message-ID"] = f"<m{next(_NUMBERS)}@player.example>"
    mail.set_content("\n".join(lines) + "\n")
    return mail.as_bytes()


def write(house: House, sender: str, *lines: str, subject: str = "Orders") -> list[Outgoing]:
    """Send a mail, let the desk work, and give what it sent."""
    return deliver(house, raw_mail(sender, lines, subject), sender)


def deliver(house: House, raw: bytes, sender: str) -> list[Outgoing]:
    """Deliver a raw mail, let the desk work, and give what it sent."""
    house.store.receive(raw, sender, house.now)
    work(house)
    return house.mails_out()


def work(house: House) -> list[Taken]:
    """Handle all mails that can be handled, and play the games that became ready."""
    taken: list[Taken] = []
    while (one := take(house.desk, house.now)) is not None:
        taken.append(one)
    look_at_games(house.desk, house.now, {one.game for one in taken if one.game is not None})
    return taken


def answer(letters: Sequence[Outgoing], to: str) -> str:
    """The body of the only letter to an address."""
    (body,) = [letter.body for letter in letters if letter.to == to]
    return body
