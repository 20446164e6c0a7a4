"""Mails as players write them, and what comes back: the whole desk with a store in memory."""

from collections.abc import Sequence
from email.message import EmailMessage
from enum import Enum

from machjudge.judge.credentials import code_of, tag_of
from machjudge.judge.mails import Outgoing
from machjudge.judge.tick import look_at_games
from machjudge.judge.worker import TakenMail, take
from tests.judge.fakes import SECRET
from tests.judge.house import House
from tests.results_told import tells_results

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


def message_to(letters: Sequence[Outgoing], to: str) -> Outgoing:
    """The only letter to an address."""
    (found,) = [letter for letter in letters if letter.to == to]
    return found


def results_to(letters: Sequence[Outgoing], to: str) -> Outgoing:
    """The only results that somebody gets."""
    (found,) = [each for each in letters if each.to == to and tells_results(each.body)]
    return found


def deliver(house: House, raw: bytes, sender: str) -> list[Outgoing]:
    """Deliver a raw mail, let the desk work, and give what it sent."""
    house.store.receive(raw, sender, house.now)
    work(house)
    return house.mails_out()


class Carrier(Enum):
    """Where an answer carries the token of the message that it answers."""

    ADDRESS = "the address for answers"
    HEADER = "the Message-ID that it answers"
    QUOTE = "the last line that it quotes"


def reply(
    house: House,
    letter: Outgoing,
    *lines: str,
    sender: str = "",
    carrier: Carrier = Carrier.ADDRESS,
) -> list[Outgoing]:
    """Answer a message of the judge, let the desk work, and give what it sent."""
    assert letter.reply is not None, letter.body
    tag = tag_of(code_of(SECRET, letter.reply))
    sender = sender or letter.to
    quoted = ["", "On Friday, MACH judge wrote:", "> Hello", ">", f"> Reply code: {tag}"]
    raw = raw_mail(sender, [*lines, *(quoted if carrier is Carrier.QUOTE else ())], "Re: Orders")
    if carrier is Carrier.HEADER:
        raw = f"In-Reply-To: <20261120T120000.000000.7.{tag}@mach.example>\n".encode() + raw
    to = f"judge+{tag}@mach.example" if carrier is Carrier.ADDRESS else "judge@mach.example"
    house.store.receive(raw, sender, house.now, recipient=to)
    work(house)
    return house.mails_out()


def work(house: House) -> list[TakenMail]:
    """Handle all mails that can be handled, and play the games that became ready."""
    taken: list[TakenMail] = []
    while (one := take(house.services, house.now)) is not None:
        taken.append(one)
    look_at_games(house.services, house.now, {one.game for one in taken if one.game is not None})
    return taken


def answer(letters: Sequence[Outgoing], to: str) -> str:
    """The body of the only letter to an address."""
    (body,) = [letter.body for letter in letters if letter.to == to]
    return body


def ask(house: House, *lines: str, sender: str = "dino@other.example") -> str:
    """The answer to a mail, in one line."""
    return " ".join(answer(write(house, sender, *lines), sender).split())


def flat(text: str) -> str:
    """A text in one line."""
    return " ".join(text.split())


def sent_to(letters: Sequence[Outgoing], to: str) -> str:
    """Everything that an address was sent, in one line."""
    return flat(" ".join(letter.body for letter in letters if letter.to == to))


def master(house: House, *lines: str) -> list[Outgoing]:
    """A mail of the master of a game that `started` has made."""
    return write(house, "lucia@player.example", "SIGNON Mborgia masterkey", *lines)


def tick(house: House) -> list[Outgoing]:
    """What a call of cron brings."""
    assert look_at_games(house.services, house.now).failed == ()
    return house.mails_out()


def later(house: House, **time: float) -> list[Outgoing]:
    """Time passes and cron calls; what is sent then."""
    house.later(**time)
    return tick(house)
