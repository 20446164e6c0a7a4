"""A judge as people meet it: a process behind an SMTP door, a file, and letters by SMTP."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from functools import cached_property
from pathlib import Path

from machjudge.adjudicator.state import State
from machjudge.app import Application, build, tick
from machjudge.db.tables import Base
from machjudge.judge.records import Game, GameId, StoredPhase
from machjudge.settings import load
from tests.app.processes import Installation
from tests.journeys import clockwork
from tests.mail.servers import Postmaster, relaying
from tests.patience import SECONDS, wait_until
from tests.preloaded.forks import Fork

JUDGE = "judge@mach.example"
OPENED = datetime(2026, 11, 20, 18, 20, tzinfo=UTC)
"""When the judge opens for the first time."""


CALLED_EVERY = timedelta(hours=2)
"""How often cron calls while time passes; the judge takes longer silences for a leap."""


@dataclass(frozen=True, slots=True)
class QueuedMessage:
    """A letter of the judge as its reader gets it."""

    to: str
    subject: str
    text: str
    answers: str
    """The Message-ID of the mail that it answers; empty for what the judge wrote by itself."""
    mail: EmailMessage

    def part(self, title: str) -> list[str]:
        """The lines below a title, up to the next empty one; without their indentation."""
        lines = self.text.splitlines()
        assert title in lines, f"no {title!r} in:\n{self.text}"
        begin = lines.index(title) + 1
        end = lines.index("", begin) if "" in lines[begin:] else len(lines)
        return [line.strip() for line in lines[begin:end]]


@dataclass
class Judge(Installation):
    """One judge, whose clock a test sets."""

    post: Postmaster = field(default_factory=Postmaster)
    read: dict[tuple[str, str, str], QueuedMessage] = field(default_factory=dict)
    opened: int = 0
    """How many of the post's mails have been read."""

    def __post_init__(self) -> None:
        """Make the database, and set the clock for the first time."""
        super().__post_init__()
        self.clock.set(OPENED)

    @cached_property
    def clock(self) -> clockwork.Clock:
        """What time it is for the judge."""
        return clockwork.Clock(self.folder / "clock")

    @cached_property
    def application(self) -> Application:
        """The judge's rooms in this process, as cron and the keeper use them."""
        return self.rooms()

    def rooms(self) -> Application:
        """Rooms of their own, by the same clock."""
        return build(load(self.environment), clock=self.clock)

    def start(self, *arguments: str) -> Fork:
        """A process that goes by the clock; its log goes to a file."""
        return super().start("clock", str(self.clock.file), *arguments)

    def kill(self) -> None:
        """Kill every process on the spot, as when the power fails."""
        for process in self.processes:
            process.kill()
            process.wait(SECONDS)

    def tick(self) -> None:
        """What cron does."""
        tick(self.application)

    def let_pass(self, until: datetime) -> None:
        """Let time pass while cron calls now and then: a clock that leaps is another matter."""
        while (now := self.clock()) < until:
            self.clock.set(min(until, now + CALLED_EVERY))
            self.tick()

    def stop(self) -> None:
        """End every process in order."""
        super().end()

    def end(self) -> None:
        """End everything."""
        self.stop()
        if "application" in self.__dict__:
            self.application.close()

    # --- letters ------------------------------------------------------------------------------

    def letters(self) -> list[QueuedMessage]:
        """All letters so far, each once: a repeated one has the Message-ID and answers the same.

        Tests that put rows back have the judge number letters anew, within one second of its clock.
        """
        for _, readers, content in self.post.taken[self.opened :]:
            self.opened += 1
            letter = _letter(readers[0], message_from_bytes(content, policy=default))
            known_by = letter.to, str(letter.mail["Message-ID"]), letter.answers
            self.read.setdefault(known_by, letter)
        return list(self.read.values())

    def answers_to(self, message_id: str) -> list[QueuedMessage]:
        """The letters that answer a mail, as far as they have come."""
        return [letter for letter in self.letters() if letter.answers == message_id]

    def answer_to(self, message_id: str) -> QueuedMessage:
        """The answer to a mail; waits for it."""
        wait_until(lambda: bool(self.answers_to(message_id)), f"an answer to {message_id}")
        return self.answers_to(message_id)[0]

    def wait_for(
        self, count: int, is_it: Callable[[QueuedMessage], bool], what: str
    ) -> list[QueuedMessage]:
        """The letters of a kind, as soon as there are so many."""
        wait_until(lambda: sum(map(is_it, self.letters())) >= count, what)
        return [letter for letter in self.letters() if is_it(letter)]

    # --- the database -------------------------------------------------------------------------

    def is_at_rest(self) -> bool:
        """True if every mail is handled and every letter sent."""
        waiting = (
            "SELECT (SELECT count(*) FROM inbox WHERE state = 'waiting')"
            " + (SELECT count(*) FROM outbox WHERE state = 'waiting')"
        )
        return self.rows(waiting) == [(0,)]

    def rest(self) -> None:
        """Wait until nothing is left to be done."""
        wait_until(self.is_at_rest, "rest")

    def tables(self) -> list[str]:
        """A question for all rows of each table."""
        names = [table.name for table in Base.metadata.sorted_tables]
        return [f"SELECT * FROM {name}" for name in names]  # noqa: S608

    def game(self, name: str) -> Game:
        """A game as it is stored."""
        with self.application.store.reading() as work:
            game = work.games.get(GameId(name))
        assert game is not None
        return game

    def phases(self, name: str) -> Sequence[StoredPhase]:
        """All stored phases of a game, the opening first."""
        with self.application.store.reading() as work:
            return work.phases.all_of(GameId(name))

    def position(self, name: str) -> State:
        """Where a game stands."""
        position = self.game(name).position
        assert position is not None
        with self.application.store.reading() as work:
            return work.phases.get(GameId(name), position).after


def _letter(reader: str, mail: EmailMessage) -> QueuedMessage:
    part = mail.get_body(("plain",))
    assert part is not None
    return QueuedMessage(
        to=reader,
        subject=str(mail["Subject"]),
        text=part.get_content().replace("\r\n", "\n"),
        answers=str(mail["In-Reply-To"] or ""),
        mail=mail,
    )


@contextmanager
def judging(folder: Path, **more: str) -> Iterator[Judge]:
    """A judge whose relay is there and whose door is open, while the context lasts.

    *more* are variables of its settings.
    """
    judge = Judge(folder, more=more)
    with relaying(judge.post, judge.relay_port):
        judge.serve()
        try:
            yield judge
        finally:
            judge.end()
