"""A judge with small games on it, the people who play them, and what is left when all is over."""

import re
import smtplib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import parseaddr
from itertools import count
from pathlib import Path

from machjudge.adjudicator.moments import Stage
from machjudge.app import Application, build, work
from machjudge.judge.game_view import GameView, load, missing
from machjudge.judge.mails import Arrival
from machjudge.judge.records import GameId
from machjudge.settings import load as load_settings
from tests.app.processes import Installation
from tests.faults.ledger import Ledger, Remains, Sent
from tests.faults.relay import OwnRelay, by_id
from tests.faults.remains import WAITING, remains_of
from tests.faults.roles import Deed, Process, Role, fork
from tests.games.post import _lines_for
from tests.journeys.clockwork import Clock
from tests.journeys.judge import JUDGE, OPENED

POWERS = "LIVN"
"""Who plays 1385; the first one asks each time to wait for the deadline."""
WITH_MAPS = "I"
"""Whose messages have pictures, which take most of the time; one is enough to try them."""
WITH_NEWSPAPER = "N"
"""Who gets the newspaper of each year."""
PRACTICE, ALONE = "try", "solo"
"""The practice game, and who plays it: each of their mails has a phase played."""
_BATTLE = {
    "L": ("A flo - bol", "A pst S A flo - bol", "F psa h"),
    "I": ("A bol h; retreat mod, disband", "hold rest"),
}
"""The orders of the first campaign: Milan is driven out of Bologna, and its retreat waits."""
_DRIVEN_OUT = "I"
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
    practice: bool = False
    """True if somebody plays a practice game beside the others."""
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
        self.ledger.alone = self.alone
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

    @property
    def alone(self) -> tuple[str, ...]:
        """The practice game, if there is one."""
        return (PRACTICE,) if self.practice else ()

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
                    paper = ("set newspaper on",) if power == WITH_NEWSPAPER else ()
                    lines = (f"signon ?{game} {power}-password", f"set preferences {power}")
                    self._write(rooms, player, *lines, *maps, *paper)
            if self.practice:
                began = f"create ?{PRACTICE} giudice4 1385 nomoney nodice practice as {POWERS[0]}"
                self._write(rooms, ALONE, began, "set pictures off")
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
            for name in (*self.names, *self.alone):
                game = work_read.games.get(GameId(name))
                assert game is not None
                view = load(rooms.services, work_read, game)
                assert view is not None
                mails += self._orders_of(name, view, replies, more or {})
        return mails

    def _orders_of(
        self, game: str, view: GameView, replies: Mapping[str, str], more: Mapping[str, str]
    ) -> Iterator[Order]:
        is_shared = game not in self.alone
        for power in POWERS if is_shared else POWERS[0]:
            stage = view.state.moment.stage
            waited = view.orders_of(power) if stage is Stage.RETREATS else ()
            lacking = missing(view.world, view.state, power, waited)
            lines = _lines_for(lacking, stage, view.state.units_of(power))
            if not lacking:
                continue
            author = f"{power.lower()}.{game}" if is_shared else ALONE
            address = f"{author}@players.example"
            number = next(self.numbers)
            sent = Sent(f"<order.{number}@players.example>", address, game, view.phase.number)
            first = ["set wait"] if is_shared and power == POWERS[0] else []
            first += [more[power]] if is_shared and power in more else []
            if is_shared and view.phase.number == 0:
                lines = [*_BATTLE.get(power, lines)]
            to = parseaddr(replies[address])[1]
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
            self._go_on(rooms, max(self.last_deadline(rooms), self.clock()) + _STEP)

    def last_deadline(self, rooms: Application) -> datetime:
        """The last one of the games; practice has a month."""
        with rooms.store.reading() as found:
            games = [game for game in found.games.unfinished() if game.id not in self.alone]
        return max(game.clock.deadline for game in games if game.clock is not None)

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
        """How many phases have been played in all games but practice."""
        games = f"number > 0 AND game != '{PRACTICE}'"
        return int(str(self.rows(f"SELECT count(*) FROM phases WHERE {games}")[0][0]))  # noqa: S608

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
        taken = self.relay.taken()
        with self.opened() as rooms:
            remains = remains_of(rooms, (*self.names, *self.alone), taken)
        return [*self.ledger.breaches(remains), *self._retreats(), *self._newspapers(remains)]

    def _retreats(self) -> Iterator[str]:
        """The retreat that waits is on file wherever the first campaign is over."""
        begun = self.rows("SELECT game FROM phases WHERE number = 1")
        on_file = self.rows("SELECT game, power FROM sheets WHERE after = 1")
        for game in self.names:
            if on_file.count((game, _DRIVEN_OUT)) != begun.count((game,)):
                yield f"{game}: the retreat that waits is not on file once"

    def _newspapers(self, remains: Remains) -> Iterator[str]:
        """Each year that is over has its newspaper, once for each of its readers."""
        years = {(p.game, p.begins_from[1:5], p.leads_to[1:5]) for p in remains.phases}
        over = {
            f"{WITH_NEWSPAPER.lower()}.{game}@players.example {year}"
            for game, year, then in years
            if game in self.names and year != then
        }
        sent = (copies[0] for copies in by_id([*remains.taken]).values())
        found = ((each.to, re.search(r"newspaper of (\d+)", each.subject)) for each in sent)
        told = Counter(f"{to} {year[1]}" for to, year in found if year is not None)
        if told != Counter(over):
            yield f"newspapers {sorted(over)}, and these came: {dict(told)}"


@contextmanager
def playing(folder: Path, games: int, rule: str = "", *, practice: bool = True) -> Iterator[Scene]:
    """A judge at which games have just begun; its relay runs."""
    scene = Scene(folder, games=games, rule=rule, practice=practice)
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
