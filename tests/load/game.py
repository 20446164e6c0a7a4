"""A judge as its keeper runs it, and a game on it in which Florence gives ten orders."""

import asyncio
import os
import re
import smtplib
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import parseaddr
from itertools import count, islice, permutations, product
from pathlib import Path
from threading import Thread
from time import monotonic

from machjudge.app import Application
from machjudge.app.working import work
from machjudge.judge.mails import Arrival
from tests.app.processes import Installation
from tests.mail.servers import Postmaster
from tests.patience import wait_until

MASTER = "gina"
SEATS = dict(zip(("anna", "marco", "lucia", "paolo", "rosa", "nino", "enzo", "carla"), "LIVPNTAF",
                 strict=True))  # fmt: skip
_WAITING = (
    "SELECT (SELECT count(*) FROM inbox WHERE state = 'waiting')"
    " + (SELECT count(*) FROM outbox WHERE state = 'waiting')"
)
MORE_UNITS = ("A Lucca", "A Siena", "A Perugia", "A Urbino")
ORDERS = (
    "A Florence - Bologna", "A Arezzo S A Perugia", "F Pisa H", "A Lucca - Modena",
    "A Siena - Patrimony", "A Perugia S A Urbino", "A Urbino H",
    "expense 1: 3 ducats counter-bribe A Arezzo", "expense 2: 3 ducats counter-bribe F Pisa",
    "give 1 ducat to Venice",
)  # fmt: skip
WAYS = {
    "A Florence": ("Bologna", "Pisa", "Pistoia", "Romagna"),
    "A Lucca": ("Modena", "Bologna", "Pisa", "Pistoia"),
    "A Siena": ("Patrimony", "Piombino", "Pisa"),
    "A Urbino": ("Ancona", "Romagna", "Spoleto"),
}
"""Where units of Florence may go in orders that no mail before had: so each picture is new."""


@dataclass
class LoadedJudge:
    """A judge with a relay of this process, and the game ``load`` in its first campaign."""

    installation: Installation
    relay: Postmaster
    name: str = "load"
    numbers: Iterator[int] = field(default_factory=count)
    turns: Iterator[int] = field(default_factory=count)

    def say(self, author: str, *lines: str) -> None:
        """Send a mail with a password in it, and wait for the answers."""
        self.send([self.mail(author, *lines)])

    def send(self, mails: Sequence[EmailMessage]) -> None:
        """Hand mails over on one connection and wait until all are answered."""
        before = self.answered()
        self.hand_over(mails)
        wait_until(lambda: self.answered() >= before + len(mails), "the answers")

    def hand_over(self, mails: Sequence[EmailMessage]) -> None:
        """Hand mails over on one connection; all have got their 250."""
        with smtplib.SMTP("127.0.0.1", self.installation.port) as client:
            for each in mails:
                client.send_message(each)

    def answered(self) -> int:
        """How many answers to mails the relay has taken."""
        return sum(
            b"\nIn-Reply-To: <bench." in content for _, _, content in tuple(self.relay.taken)
        )

    def rest(self) -> None:
        """Wait until every mail is handled and every message sent."""
        wait_until(lambda: not self.waiting(), "the last answer")

    def begin_a_day(self) -> None:
        """Forget what was counted: after 200 answers a day nobody gets another one."""
        self.installation.change("DELETE FROM counts")

    def waiting(self) -> int:
        """How many mails and messages wait."""
        (row,) = self.installation.rows(_WAITING)
        return int(str(row[0]))

    def has_tokens(self) -> bool:
        """True if replies to the judge's messages need no password."""
        return any(b"\nReply-To: " in content for _, _, content in self.relay.taken)

    def mail(self, author: str, *lines: str, to: str = "judge@mach.example") -> EmailMessage:
        """A mail of somebody."""
        mail = EmailMessage(policy=SMTP)
        mail["From"] = f"{author.title()} <{author}@player.example>"
        mail["To"] = to
        mail["Subject"] = "orders"
        mail["Message-ID"] = f"<bench.{next(self.numbers)}@player.example>"
        mail.set_content("\n".join(lines) + "\n")
        return mail

    def order_mail(self, *, password: bool = True, moves: bool = False) -> EmailMessage:
        """Ten orders of Florence, under the password or as a reply to a message of the judge.

        Each time they are others, or in another order: what a reply repeats may be a machine's,
        and the same text is answered twenty times a day. With *moves* units go elsewhere each time.
        """
        turn = next(self.turns)
        given = with_moves(turn) if moves else ORDERS[:7]
        units = next(islice(permutations(given), turn // 30 % 5040, None))
        orders = (*units, *ORDERS[7:-1], f"give {2 + turn % 30} ducats to Venice")
        if password:
            return self.mail("anna", f"SIGNON L{self.name} tulip-anna", *orders)
        taken = reversed(tuple(self.relay.taken))
        content = next(content for _, to, content in taken if to == ["anna@player.example"])
        last = message_from_bytes(content.partition(b"\r\n\r\n")[0], policy=SMTP)
        mail = self.mail("anna", *orders, to=parseaddr(str(last["Reply-To"]))[1])
        mail["In-Reply-To"] = str(last["Message-ID"])
        return mail


@contextmanager
def loaded_judge(program: Path | None = None) -> Iterator[LoadedJudge]:
    """A judge that serves, by the *program* in another checkout if given; gone afterwards."""
    other = {"PYTHONPATH": str(program), "PYTHONSAFEPATH": "1"} if program else {}
    with tempfile.TemporaryDirectory() as folder:
        installation = Installation(Path(folder), forks=False, more=other)
        relay = Postmaster()
        try:
            with _relaying(relay, installation.relay_port):
                installation.serve()
                judge = LoadedJudge(installation, relay)
                begin(judge)
                yield judge
        finally:
            installation.end()


class _Session(asyncio.Protocol):
    """A connection of a relay that takes all mails, and next to no time for it.

    A library's takes 3 ms for the text of a mail, line by line, on the cores of those who work.
    """

    def __init__(self, postmaster: Postmaster) -> None:
        self._postmaster = postmaster
        self._heard = bytearray()
        self._looked_at = 0
        self._envelope: list[str] = []
        self._is_text = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Greet."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(b"220 relay.example\r\n")

    def data_received(self, data: bytes) -> None:
        """Answer all that has come whole."""
        self._heard += data
        while (end := self._heard.find(self._end, self._looked_at)) >= 0:
            said = bytes(self._heard[:end])
            del self._heard[: end + len(self._end)]
            self._looked_at = 0
            self._transport.write(self._taken(said) if self._is_text else self._answer(said))
        self._looked_at = max(0, len(self._heard) - len(self._end))

    @property
    def _end(self) -> bytes:
        return b"\r\n.\r\n" if self._is_text else b"\r\n"

    def _answer(self, command: bytes) -> bytes:
        verb, _, rest = command.decode().partition(" ")
        verb = verb.lower()
        self._is_text = verb == "data"
        if verb in ("mail", "rcpt"):
            self._envelope.append(rest.partition("<")[2].partition(">")[0])
        if verb == "ehlo":
            return b"250-relay.example\r\n250-SMTPUTF8\r\n250 PIPELINING\r\n"
        return {"data": b"354 Go\r\n", "quit": b"221 Bye\r\n"}.get(verb, b"250 Ok\r\n")

    def _taken(self, text: bytes) -> bytes:
        sender, *recipients = self._envelope
        content = (text + b"\r\n").replace(b"\r\n..", b"\r\n.")
        self._postmaster.taken_at.append(monotonic())
        self._postmaster.taken.append((sender, recipients, content))
        self._envelope, self._is_text = [], False
        return b"250 Ok\r\n"


@contextmanager
def _relaying(postmaster: Postmaster, port: int) -> Iterator[None]:
    """A relay on *port*, in a thread."""
    loop = asyncio.new_event_loop()
    server = loop.run_until_complete(
        loop.create_server(lambda: _Session(postmaster), "127.0.0.1", port)
    )
    thread = Thread(target=loop.run_forever)
    thread.start()
    try:
        yield
    finally:
        loop.call_soon_threadsafe(server.close)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def with_moves(turn: int) -> list[str]:
    """The orders of the units, with the moves of that turn: 144 in all."""
    moves = next(islice(product(*WAYS.values()), turn % 144, None))
    to = dict(zip(WAYS, moves, strict=True))
    units = [" ".join(order.split()[:2]) for order in ORDERS[:7]]
    return [
        f"{unit} - {to[unit]}" if unit in to else order
        for unit, order in zip(units, ORDERS, strict=False)
    ]


def begin(judge: LoadedJudge) -> None:
    """Play the game up to its first campaign, and give Florence units for ten orders."""
    judge.say(MASTER, f"CREATE ?{judge.name} tulip-gina")
    for player, letter in SEATS.items():
        judge.say(player, f"SIGNON ?{judge.name} tulip-{player}", f"SET PREFERENCE {letter}*")
    for player, letter in SEATS.items():
        judge.say(player, f"SIGNON {letter}{judge.name} tulip-{player}", "maintain all")
    fixes = [f"FIX UNIT Florence {unit} BECAUSE it is for ten orders" for unit in MORE_UNITS]
    treasury = "FIX TREASURY Florence 40 BECAUSE ten orders cost something"
    judge.say(MASTER, f"SIGNON M{judge.name} tulip-gina", *fixes, treasury)


def environment_of(judge: LoadedJudge) -> dict[str, str]:
    """The variables of a process of this judge."""
    return {**os.environ, **judge.installation.environment}


@contextmanager
def opened(judge: LoadedJudge) -> Iterator[Application]:
    """The judge's rooms in this process, on a day on which nobody has written yet."""
    judge.begin_a_day()
    application = judge.installation.rooms()
    try:
        yield application
    finally:
        application.close()


def through(application: Application, mail: EmailMessage) -> None:
    """Take a mail in, handle it, and send what there is to send."""
    arrival_through(application, arrival_of(mail))


def arrival_through(application: Application, arrival: Arrival) -> None:
    """The same of a mail whose bytes are written already, as those of all mails are."""
    _take(application, arrival)
    application.sender.send_due()


def handled(application: Application, mail: EmailMessage) -> None:
    """Take a mail in, and handle it."""
    _take(application, arrival_of(mail))


def _take(application: Application, arrival: Arrival) -> None:
    application.arrivals.keep([arrival])
    work(application)


def arrival_of(mail: EmailMessage) -> Arrival:
    """A mail as it comes in."""
    sender = re.search(r"<(.+)>", str(mail["From"]))
    assert sender is not None
    key = str(mail["Message-ID"])
    return Arrival(mail.as_bytes(), sender[1], (str(mail["To"]),), sender[1], key, key)
