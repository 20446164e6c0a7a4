"""What the desk needs from outside: repositories, transactions, passwords and chance.

Written by the one who needs them; the store and the wiring implement them, tests have fakes in
memory.  Instants come in as arguments: nothing here looks at a clock.
"""

from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol

from machjudge.service.credentials.pending_acts import PendingActs
from machjudge.service.credentials.reply_tokens import ReplyTokens
from machjudge.service.model.counts import Counts
from machjudge.service.ports.queues import Inbox, Outbox
from machjudge.service.ports.repositories import (
    Games,
    Heartbeat,
    Keys,
    Notes,
    Notices,
    Persons,
    Phases,
    Plans,
    PressFile,
    Sheets,
    Traces,
)
from machjudge.service.ports.stale import Stale as Stale  # noqa: PLC0414  exported


class UnitOfWork(Protocol):
    """One transaction: what happens between its opening and its commit happens whole or not."""

    @property
    def persons(self) -> Persons:
        """The people."""
        ...

    @property
    def games(self) -> Games:
        """The games."""
        ...

    @property
    def sheets(self) -> Sheets:
        """The order sets."""
        ...

    @property
    def plans(self) -> Plans:
        """What is on file ahead."""
        ...

    @property
    def phases(self) -> Phases:
        """The stored phases."""
        ...

    @property
    def press(self) -> PressFile:
        """The messages."""
        ...

    @property
    def notes(self) -> Notes:
        """Postal press that waits, and the diaries."""
        ...

    @property
    def notices(self) -> Notices:
        """The log."""
        ...

    @property
    def inbox(self) -> Inbox:
        """The kept mails."""
        ...

    @property
    def outbox(self) -> Outbox:
        """The letters to be sent."""
        ...

    @property
    def heartbeat(self) -> Heartbeat:
        """The last look at the clock."""
        ...

    @property
    def keys(self) -> Keys:
        """The tokens."""
        ...

    @property
    def counts(self) -> Counts:
        """What is counted for the limits."""
        ...

    @property
    def reply_tokens(self) -> ReplyTokens:
        """What the tokens in the judge's messages speak for."""
        ...

    @property
    def acts(self) -> PendingActs:
        """The acts that wait for an answer."""
        ...

    @property
    def traces(self) -> Traces:
        """What is known of people."""
        ...

    def commit(self) -> None:
        """Make it last.  Raises Stale if the database found a conflict."""
        ...


class Store(Protocol):
    """Opens transactions.  Leaving one without a commit undoes it."""

    def reading(self) -> AbstractContextManager[UnitOfWork]:
        """A transaction that reads one consistent state of everything, and never writes."""
        ...

    def writing(
        self, *, single: bool = False, outlasts_power: bool = True
    ) -> AbstractContextManager[UnitOfWork]:
        """A transaction that writes: short, nothing is parsed, adjudicated or rendered in it.

        *single*: one call of one repository is all that it does; what that writes may last before
        the commit.  Without *outlasts_power* that may be gone when the power fails, as claims may;
        not when the process dies.
        """
        ...


class Passwords(Protocol):
    """Hashing of passwords (argon2id)."""

    def hash(self, password: str) -> str:
        """The hash to be stored."""
        ...

    def is_right(self, hashed: str | None, password: str) -> bool:
        """Whether the password is the one; without a hash it is not, and that takes as long."""
        ...

    def remembers(self, hashed: str, password: str) -> bool:
        """Whether the password is known to be the one, because it was compared lately."""
        ...


class SenderChecks(Protocol):
    """What mails prove of their senders."""

    def is_verified(self, raw: bytes, address: str, received: datetime) -> bool:
        """Whether the mail *raw* proves that *address*, the one in its From, wrote it to the judge.

        *received* is when it came: an old mail proves nothing.  Raises SenderNotKnownYet.
        """
        ...


class Chance(Protocol):
    """Random bytes, from outside so that tests can say which."""

    def secret(self) -> bytes:
        """32 bytes for the dice of a game."""
        ...

    def token(self) -> str:
        """A short random text of letters and digits that is never given twice."""
        ...
