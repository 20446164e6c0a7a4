"""A judge in this process, on a SQLite file, of which one chance decides all that is not its own.

The clock is a number that the simulation sets; secrets, tokens and dice come from the seed; the
relay and the database have mishaps; a process that dies is opened again.
"""

import base64
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from random import Random
from typing import Self
from unittest.mock import patch

from sqlalchemy import event

from machjudge.app import Application, build
from machjudge.db.engine import DatabaseOutOfReach
from machjudge.db.mail_queues import myself
from machjudge.db.maintenance import migrate
from machjudge.judge.faults import Stale
from machjudge.mail.compose import ComposedMail
from machjudge.mail.relay import Answer, NotNow, OutOfReach, Taken
from machjudge.mail.server import arrival
from machjudge.settings import Settings, migrations_folder
from tests.faults.relay import TakenMail, taken_mail
from tests.judge.fakes import FakePasswords
from tests.judge.house import atlas, message_renderer

JUDGE = "judge@mach.example"
_NO_ANSWER, _NO_DISK = "the relay does not answer", "disk I/O error"
OPENED = datetime(2026, 11, 20, 12, tzinfo=UTC)


class Died(BaseException):
    """The process is gone: nothing of the program may catch this."""


@dataclass(frozen=True, slots=True)
class Weather:
    """How often something goes wrong, as a share of all commits and of all sends."""

    dies_before: float = 0.002
    dies_after: float = 0.002
    breaks: float = 0.002
    locked: float = 0.005
    put_off: float = 0.02
    away: float = 0.01
    unsure: float = 0.01
    """The relay takes a mail, and the process dies before it knows."""


CALM = Weather(0, 0, 0, 0, 0, 0, 0)


class SeededChance:
    """The desk's port `Chance`, foreseen by a caller who knows the seed."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    def secret(self) -> bytes:
        """32 bytes for the dice of a game."""
        return self._chance.randbytes(32)

    def token(self) -> str:
        """Sixteen letters and digits."""
        return base64.b32encode(self._chance.randbytes(10)).decode("ascii").lower()


@dataclass
class MoodyRelay:
    """The relay of one round: takes a mail, or not, as chance has it."""

    judge: "SimulatedJudge"

    def __enter__(self) -> Self:
        """Use it for some mails."""
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is open."""

    def hand_over(self, mail: ComposedMail) -> Answer:
        """Take a mail, put it off, or be out of reach."""
        judge, weather = self.judge, self.judge.weather
        if judge.happens("relay away", weather.away):
            raise OutOfReach(_NO_ANSWER)
        if judge.happens("relay says 451", weather.put_off):
            return NotNow("451 not now")
        judge.taken.append(taken_mail(mail.content, mail.recipient))
        if judge.happens("died while the relay took a mail", weather.unsure):
            raise Died
        return Taken()


@dataclass
class SimulatedJudge:
    """The judge; `deaths` and other mishaps are counted under their names."""

    folder: Path
    chance: Random
    weather: Weather = CALM
    now: datetime = OPENED
    taken: list[TakenMail] = field(default_factory=list)
    mishaps: dict[str, int] = field(default_factory=dict)
    processes: int = 0
    rooms: Application = field(init=False)

    def __post_init__(self) -> None:
        """Lay the database out, and open the rooms."""
        file = self.folder / "judge.db"
        file.write_bytes(_migrated(self.folder / "empty.db"))
        file.with_suffix(".secret").write_text(self.chance.randbytes(32).hex(), "ascii")
        self._seeded = SeededChance(Random(self.chance.getrandbits(64)))  # noqa: S311 - no secret
        self.open()

    def open(self) -> None:
        """Open the rooms as a new process would, of which nobody knows what the last one did."""
        self.processes += 1
        settings = Settings(
            database=f"sqlite:///{self.folder / 'judge.db'}",
            address=JUDGE,
            keeper="keeper@mach.example",
            confirm="off",
            answers_per_day=0,
            games_per_day=0,
            seats_per_day=0,
            press_per_hour=0,
            retry=(5,) * 20,
        )
        holder = replace(myself(), began=str(self.processes))
        with patch("machjudge.app.application.myself", return_value=holder):
            rooms = build(settings, clock=lambda: self.now)
        services = replace(
            rooms.services,
            chance=self._seeded,
            passwords=FakePasswords(),
            atlas=atlas(),
            renderer=message_renderer(),
        )
        sender = replace(rooms.sender, connect=lambda: MoodyRelay(self))
        self._shake(rooms)
        self.rooms = replace(rooms, services=services, sender=sender)

    def _shake(self, rooms: Application) -> None:
        """Have commits of these rooms fail and die; nothing need outlive the machine."""
        usual: Callable[[object], None] = rooms.engine.dialect.do_commit

        def do_commit(connection: object) -> None:
            if self.happens("died before a commit", self.weather.dies_before):
                raise Died
            if self.happens("disk did not write", self.weather.breaks):
                raise sqlite3.OperationalError(_NO_DISK)
            if self.happens("database locked", self.weather.locked):
                raise _locked()
            usual(connection)
            if self.happens("died after a commit", self.weather.dies_after):
                raise Died

        rooms.engine.dialect.do_commit = do_commit  # type: ignore[method-assign]
        event.listen(rooms.engine, "connect", _without_syncs)
        rooms.engine.dispose()

    def happens(self, mishap: str, share: float) -> bool:
        """True if a mishap of that share comes now; it is counted."""
        if not share or self.chance.random() >= share:
            return False
        self.mishaps[mishap] = self.mishaps.get(mishap, 0) + 1
        return True

    def doing(self, deed: Callable[[Application], object]) -> bool:
        """Do something with the rooms; whether it came to its end."""
        try:
            deed(self.rooms)
        except (Died, DatabaseOutOfReach, Stale):
            # A process ends with a fault of the database in one line, and is started again.
            self.rooms.close()
            self.open()
            return False
        return True

    def receive(self, raw: bytes, author: str, to: str) -> bool:
        """Hand a mail to the judge; whether its sender gets a 250."""
        mail = arrival(raw, author, [to], self.rooms.services.secret)
        return self.doing(lambda rooms: rooms.arrivals.keep([mail]))

    def wait(self, **time: float) -> None:
        """Let time go by."""
        self.now += timedelta(**time)

    def close(self) -> None:
        """End the connections."""
        self.rooms.close()


def _locked() -> sqlite3.OperationalError:
    fault = sqlite3.OperationalError("database is locked")
    fault.sqlite_errorcode = sqlite3.SQLITE_BUSY  # type: ignore[attr-defined]
    return fault


def _without_syncs(dbapi: sqlite3.Connection, _entry: object) -> None:
    dbapi.execute("PRAGMA synchronous=OFF")


@cache
def _tables() -> list[bytes]:
    """The database at its latest step, once it was made."""
    return []


def _migrated(file: Path) -> bytes:
    if not _tables():
        migrate(f"sqlite:///{file}", migrations_folder())
        _tables().append(file.read_bytes())
    return _tables()[0]
