"""A judge with small games on it, the people who play them, and what is left when all is over."""

import smtplib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import parseaddr
from itertools import count
from pathlib import Path

from machjudge.app import Application, build, work
from machjudge.judge.game_view import GameView, load, missing
from machjudge.judge.mails import Arrival
from machjudge.judge.records import GameId
from machjudge.settings import load as load_settings
from tests.app.processes import Installation
from tests.faults.ledger import Ledger, Sent
from tests.faults.relay import OwnRelay
from tests.faults.remains import WAITING, remains_of
from tests.faults.roles import Deed, Process, Role, fork
from tests.games.post import _lines_for
from tests.journeys.clockwork import Clock
from tests.journeys.judge import JUDGE, OPENED

POWERS = "LIVN"
"""Who plays 1385; the first one asks each time to wait for the deadline."""
WITH_MAPS = "I"
"""Whose messages have pictures, which take most of the time; one is enough to try them."""
_STEP = timedelta(minutes=5)
_MAX_STEPS = 40


@dataclass(frozen=True, slots=True)
class Order:
    """A mail with orders, ready to be sent."""

    sent: Sent
    to: str
    raw: bytes


@dataclass
class Scene(Installation):
    """One judge in a folder, with a clock that a test sets."""

    games: int = 2
    rule: str = ""
    """What the masters set before the games begin, if anything."""
    ledger: Ledger = field(default_factory=Ledger)
    numbers: Iterator[int] = field(default_factory=count)

    def __post_init__(self) -> None:
        """Make the database, the clock and the relay; neither goes yet."""
        super().__post_init__()
        self.more = {
            "MACHJUDGE_GAMES_PER_DAY": "0",
            "MACHJUDGE_SEATS_PER_DAY": "0",
            "MACHJUDGE_RETRY": "1 1 1 1 1 1 1 1 1 1",
        }
        self.clock = Clock(self.folder / "clock")
        self.clock.set(OPENED)
        self.relay = OwnRelay(self.folder, self.relay_port)

    @contextmanager
    def opened(self) -> Iterator[Application]:
        """The judge's rooms in this process; closed before anything is forked."""
        rooms = build(load_settings(self.environment), clock=self.clock)
        try:
            yield rooms
        finally:
            rooms.close()

    def fork(self, role: Role, **more) -> Process:
        """Start a process of the judge."""
        return fork(Deed(role, **more), self.environment, self.clock, self.folder / "log")

    # --- the games ----------------------------------------------------------------------------

    @property
    def names(self) -> list[str]:
        """The games."""
        return [f"game{'abcdefghijklmnop'[number]}" for number in range(self.games)]

    def begin(self) -> None:
        """Form the games: each has begun when this returns, and everybody has a reply code."""
        with self.opened() as rooms:
            for game in self.names:
                created = f"create ?{game} giudice4 1385 nomoney nodice"
                opened = f"signon M{game} giudice4"
                self._write(
                    rooms,
                    f"master.{game}",
                    created,
                    opened,
                    "set pictures off",
                    *filter(None, (self.rule,)),
                )
                for power in POWERS:
                    player = f"{power.lower()}.{game}"
                    maps = () if power == WITH_MAPS else ("set pictures off",)
                    lines = (f"signon ?{game} {power}-password", f"set preferences {power}", *maps)
                    self._write(rooms, player, *lines)
            rooms.sender.send_due()

    def _write(self, rooms: Application, author: str, *lines: str) -> None:
        raw = _mail(author, JUDGE, f"<{author}.begins@players.example>", lines)
        sender = f"{author}@players.example"
        known = f"<{author}.begins@players.example>"
        rooms.arrivals.keep([Arrival(raw, sender, (JUDGE,), sender, known, known)])
        work(rooms)

    def orders(self, more: Mapping[str, str] | None = None) -> list[Order]:
        """The mails of all players for the phase at which each game is; who waits comes first.

        :param more: a line that a power writes above its orders.
        """
        replies = {mail.to: mail.reply_to for mail in self.relay.taken() if mail.reply_to}
        mails: list[Order] = []
        with self.opened() as rooms, rooms.store.reading() as work_read:
            for name in self.names:
                game = work_read.games.get(GameId(name))
                assert game is not None
                view = load(rooms.services, work_read, game)
                assert view is not None
                mails += self._orders_of(name, view, replies, more or {})
        return mails

    def _orders_of(
        self, game: str, view: GameView, replies: Mapping[str, str], more: Mapping[str, str]
    ) -> Iterator[Order]:
        for power in POWERS:
            lacking = missing(view.world, view.state, power, ())
            lines = _lines_for(lacking, view.state.moment.stage, view.state.units_of(power))
            if not lacking:
                continue
            address = f"{power.lower()}.{game}@players.example"
            number = next(self.numbers)
            sent = Sent(f"<order.{number}@players.example>", address, game, view.phase.number)
            first = ["set wait"] if power == POWERS[0] else []
            first += [more[power]] if power in more else []
            to = parseaddr(replies[address])[1]
            author = address.partition("@")[0]
            # No two mails say the same: who repeats a text may be a machine.
            turned = lines[number % len(lines) :] + lines[: number % len(lines)]
            yield Order(sent, to, _mail(author, to, sent.id, [*first, *turned]))

    def deliver(self, order: Order) -> bool:
        """Hand a mail over as a mail server does; whether it got its 250."""
        try:
            with smtplib.SMTP("127.0.0.1", self.port, timeout=15) as client:
                client.sendmail(order.sent.sender, [order.to], order.raw)
                self.ledger.acknowledged[order.sent.id] = order.sent
        except (OSError, smtplib.SMTPException):
            # After the 250 a mail server is content, whatever becomes of the connection.
            return order.sent.id in self.ledger.acknowledged
        return True

    # --- time ---------------------------------------------------------------------------------

    def let_deadlines_pass(self) -> None:
        """Move the clock behind all deadlines; to the judge it is as if it had looked all along."""
        with self.opened() as rooms:
            with rooms.store.reading() as found:
                clocks = [game.clock for game in found.games.unfinished()]
            deadline = max(clock.deadline for clock in clocks if clock is not None)
            self._go_on(rooms, max(deadline, self.clock()) + _STEP)

    def pass_time(self) -> None:
        """Move the clock on by some minutes."""
        with self.opened() as rooms:
            self._go_on(rooms, self.clock() + _STEP)

    def _go_on(self, rooms: Application, until: datetime) -> None:
        self.clock.set(until)
        with rooms.store.writing() as found:
            # Shortly before, so that nothing is known of mails that came since.
            found.heartbeat.beat(until - _STEP - timedelta(seconds=1))
            found.commit()

    def played(self) -> int:
        """How many phases have been played in all games."""
        return int(str(self.rows("SELECT count(*) FROM phases WHERE number > 0")[0][0]))

    def rest(self) -> None:
        """Let ticks come, undisturbed, until nothing waits."""
        for _ in range(_MAX_STEPS):
            code = self.fork(Role.TICK).wait()
            assert code == 0, self.log()[-3000:]
            if self.rows(WAITING) == [(0,)]:
                return
            self.pass_time()
        raise AssertionError(self.log()[-3000:])

    def breaches(self) -> list[str]:
        """What is wrong with a judge that is at rest."""
        with self.opened() as rooms:
            return self.ledger.breaches(remains_of(rooms, self.names, self.relay.taken()))


@contextmanager
def playing(folder: Path, games: int, rule: str = "") -> Iterator[Scene]:
    """A judge at which games have just begun; its relay runs."""
    scene = Scene(folder, games=games, rule=rule)
    scene.relay.start()
    try:
        scene.begin()
        yield scene
    finally:
        scene.relay.end()


def _mail(author: str, to: str, known: str, lines: Sequence[str]) -> bytes:
    mail = EmailMessage(policy=SMTP)
    mail["From"] = f"{author.title()} <{author}@players.example>"
    mail["To"] = to
    mail["Subject"] = "orders"
    mail["Message-ID"] = known
    mail.set_content("\n".join(lines) + "\n")
    return mail.as_bytes()
