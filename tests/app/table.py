"""A judge in one process whose clock a test moves, and people who write to it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from sqlalchemy import text

from machjudge.app import Application, build, tick, work
from machjudge.db.tables import Base
from machjudge.judge.mails import Outgoing
from machjudge.mail.server import arrival
from machjudge.settings import Settings
from tests.databases import url_in
from tests.db.conftest import SetClock

PLAYERS = ("pia", "otto", "nino", "ugo")
HOLDS = {
    "I": ["A Bologna H", "A Cremona H", "A Milan H", "A Pavia H", "F Genoa H"],
    "V": ["F Dalmatia H", "F Ragusa H", "G Venice H"],
    "N": ["A Aquila H", "A Bari H", "F Naples H", "F Salerno H"],
    "L": ["A Florence H", "A Pistoia H", "F Pisa H"],
}
"""An order for every unit of each power of 1385."""


@dataclass
class Table:
    """The judge at work; several houses may share one database and one clock."""

    folder: Path
    clock: SetClock = field(default_factory=SetClock)
    templates: Path | None = None
    written: int = 0
    post_before: list[Outgoing] = field(default_factory=list)
    seats: Mapping[str, str] = field(default_factory=dict)
    application: Application = field(init=False)
    houses: list[Application] = field(default_factory=list)
    copied: Path | None = None
    """The folder of a judge at rest whose database this one begins with."""
    more: Mapping[str, object] = field(default_factory=dict)
    """Further settings."""

    def __post_init__(self) -> None:
        """Build the judge."""
        self.application = self.another()

    def another(self) -> Application:
        """A further process on the same database."""
        settings = Settings(
            database=url_in(self.folder, self.copied),
            secret_file=self.folder / "judge.secret",
            address="judge@mach.example",
            keeper="keeper@mach.example",
            confirm="off",
            templates=self.templates,
            **self.more,
        )
        self.houses.append(build(settings, clock=self.clock))
        return self.houses[-1]

    def close(self) -> None:
        """End all connections to the database."""
        for application in self.houses:
            application.close()

    def receive(self, author: str, *lines: str, subject: str = "hello") -> None:
        """Keep a mail; nobody handles it yet."""
        self.written += 1
        head = (
            f"From: {author.title()} <{author}@example.com>\r\nSubject: {subject}\r\n"
            f"Message-ID: <{self.written}@example.com>\r\n\r\n"
        )
        raw = (head + "\r\n".join(lines) + "\r\n").encode()
        self.application.arrivals.keep(
            [
                arrival(
                    raw,
                    f"{author}@example.com",
                    ["judge@mach.example"],
                    self.application.services.secret,
                )
            ]
        )

    def claim_elsewhere(self) -> None:
        """Have a process of another machine claim the next mail, and never be heard of again."""
        with self.application.store.writing() as uow:
            uow.inbox.claim(self.clock())
            uow.commit()
        with self.application.engine.begin() as connection:
            connection.execute(text("UPDATE inbox SET holder = 'elsewhere|1|' WHERE holder <> ''"))

    def say(self, author: str, *lines: str, subject: str = "hello") -> None:
        """Send a mail and have it handled."""
        self.receive(author, *lines, subject=subject)
        work(self.application)

    def post(self) -> list[Outgoing]:
        """The letters that wait to be sent, oldest first; they count as sent."""
        bag = self.application.sender.bag
        now = self.clock()
        letters = []
        while (letter := bag.claim(now, now + timedelta(minutes=10))) is not None:
            bag.sent(letter.id, now)
            letters.append(letter.outgoing)
        return letters

    def tick(self) -> None:
        """What cron does, but the letters stay in the outbox: there is no relay."""
        tick(self.application)

    def start(self) -> None:
        """A game of four players without money; `seats` says who leads each power."""
        self.say("lucia", "create ?borgia pwlucia 1385 nomoney nodice")
        for name in PLAYERS:
            self.say(name, f"signon ?borgia pw{name}")
        started = [each for each in self.post() if "the game begins" in each.subject]
        self.seats = {
            _letter_of_power(each.body): _name(each) for each in started if _leads(each.body)
        }

    def signon(self, power: str, seats: Mapping[str, str]) -> str:
        """The line with which a player speaks for his power."""
        return f"signon {power}borgia pw{seats[power]}"

    def dump(self) -> dict[str, list[tuple[object, ...]]]:
        """Everything in the database, whatever the order of its rows."""
        with self.application.engine.connect() as connection:
            names = [table.name for table in Base.metadata.sorted_tables]
            return {
                name: sorted(
                    (tuple(row) for row in connection.execute(text(f"SELECT * FROM {name}"))),  # noqa: S608
                    key=repr,
                )
                for name in names
            }

    def moments(self) -> list[str]:
        """The phases that were played, by their codes."""
        with self.application.store.reading() as uow:
            return [phase.moment for phase in uow.phases.all_of("borgia")]

    def orders(self, power: str) -> list[str]:
        """The orders of a power in the phase that was played last."""
        with self.application.store.reading() as uow:
            last = uow.phases.get("borgia", uow.phases.last_number("borgia"))
            return [line.canonical for line in last.orders.get(power, ())]


def _name(letter: Outgoing) -> str:
    return letter.to.partition("@")[0]


def _leads(body: str) -> bool:
    return "You lead" in body


def _letter_of_power(body: str) -> str:
    found = re.search(r"SIGNON (\w)borgia yourpassword", body)
    assert found is not None
    return found[1]
