"""Transactions: the ports `UnitOfWork` and `Store`."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlalchemy import Connection, Engine, select
from sqlalchemy.orm import Session

from machjudge.db import engine as transactions
from machjudge.db.games import (
    CachedGames,
    GameCache,
    StoredGames,
    StoredHeartbeat,
    read_grace,
)
from machjudge.db.mail_queues import (
    QueueStart,
    StoredInbox,
    StoredOutbox,
    banned,
    forget_texts,
    release_dead,
    release_own,
)
from machjudge.db.pending_work import heard_until
from machjudge.db.people import (
    ReplyTokenCache,
    StoredCounts,
    StoredPendingActs,
    StoredPersonalData,
    StoredPersons,
    StoredReplyTokens,
    StoredSubstitutes,
    StoredTokens,
    forget_old_counts,
)
from machjudge.db.phases import (
    StoredNotes,
    StoredNotices,
    StoredOrderSets,
    StoredPhases,
    StoredPlans,
    StoredPress,
)
from machjudge.db.rows import OnConnection
from machjudge.db.tables import GameRow, InboxRow, is_overdue
from machjudge.judge.ports import UnitOfWork
from machjudge.judge.records import GameId
from machjudge.judge.secret import JudgeSecret

_OVERDUE = select(GameRow.id, GameRow.deadline, GameRow.times).where(is_overdue())


@dataclass(frozen=True, slots=True)
class WatchedMailbox:
    """The mailbox from which mails are taken."""

    name: str
    longest_wait: timedelta | None
    """For how long games wait until it is looked at; None: as long as it takes."""


@dataclass(frozen=True, slots=True)
class Shared:
    """What all transactions of a store share."""

    holder: str
    """Who claims mails here."""
    clock: Callable[[], datetime]
    secret: JudgeSecret
    games: GameCache = field(default_factory=GameCache)
    tokens: ReplyTokenCache = field(default_factory=ReplyTokenCache)
    queue_start: QueueStart = field(default_factory=lambda: QueueStart(InboxRow))


class DatabaseTransaction(UnitOfWork):
    """One transaction: all or nothing until its commit."""

    def __init__(self, connection: Connection, shared: Shared, *, is_reading: bool) -> None:
        self._connection = connection
        self._cached = cached = CachedGames(shared.games, is_reading=is_reading)
        tokens = shared.tokens
        self._session = session = OnConnection(connection)
        persons = StoredPersons(session)
        self.persons = persons
        self.games = StoredGames(session, cached, persons)
        self.order_sets = StoredOrderSets(session, cached)
        self.plans = StoredPlans(session, cached)
        self.phases = StoredPhases(session, cached)
        self.press = StoredPress(session)
        self.notes = StoredNotes(session, cached)
        self.notices = StoredNotices(session)
        self.inbox = StoredInbox(session, shared.holder, shared.queue_start)
        self.stored_outbox = StoredOutbox(session, shared.clock, shared.secret, tokens)
        self.outbox = self.stored_outbox
        self.heartbeat = StoredHeartbeat(session)
        self.tokens = StoredTokens(session)
        self.substitutes = StoredSubstitutes(session)
        self.reply_tokens = StoredReplyTokens(session, tokens, is_reading=is_reading)
        self.personal_data = StoredPersonalData(session)
        self.acts = StoredPendingActs(session)
        self.counts = StoredCounts(session)
        self.is_committed = False

    def commit(self) -> None:
        self._session.flush()
        self._connection.commit()
        self._cached.committed()
        self.is_committed = True


class DatabaseStore:
    """The database as the judge sees it.

    *holder* claims mails, *clock* dates messages, *secret* gives their tokens; *posted* is called
    in the caller's thread after each commit with new messages. Games wait for looks at *mailbox*.
    """

    def __init__(
        self,
        engine: Engine,
        holder: str,
        clock: Callable[[], datetime],
        secret: JudgeSecret,
        posted: Callable[[], None] = lambda: None,
        mailbox: WatchedMailbox | None = None,
    ) -> None:
        self._engine = engine
        self._mailbox = mailbox
        self._shared = Shared(holder, clock, secret)
        self._posted = posted
        self._banned: frozenset[str] | None = None

    @property
    def banned(self) -> frozenset[str]:
        if self._banned is None:
            self.read_bans()
        return self._banned or frozenset()

    def read_bans(self) -> None:
        with transactions.reading(self._engine, single=True) as connection:
            self._banned = banned(connection)

    @contextmanager
    def reading(self) -> Iterator[DatabaseTransaction]:
        with transactions.reading(self._engine) as connection:
            yield DatabaseTransaction(connection, self._shared, is_reading=True)

    @contextmanager
    def writing(
        self, *, single: bool = False, outlasts_power: bool = True
    ) -> Iterator[DatabaseTransaction]:
        with transactions.writing(
            self._engine, single=single, outlasts_power=outlasts_power
        ) as connection:
            unit = DatabaseTransaction(connection, self._shared, is_reading=False)
            yield unit
        if unit.is_committed and unit.stored_outbox.has_messages:
            self._posted()

    def heard_until(self, now: datetime) -> datetime:
        if self._mailbox is None:
            return now
        with transactions.reading(self._engine, single=True) as connection:
            heard = heard_until(connection, self._mailbox.name, now)
        longest = self._mailbox.longest_wait
        return heard if longest is None else max(heard, now - longest)

    def overdue(self, now: datetime) -> Sequence[tuple[GameId, datetime]]:
        """Return the games with a passed deadline, and the end of a passed grace, oldest first.

        Games that rest are left out.
        """
        with transactions.reading(self._engine, single=True) as connection:
            found = connection.execute(_OVERDUE, {"now": now}).all()
        over: set[tuple[datetime, GameId]] = set()
        for game, deadline, times in found:
            ends = (deadline, read_grace(times))
            over |= {(end, GameId(game)) for end in ends if end is not None and end <= now}
        return [(game, end) for end, game in sorted(over)]

    def release_dead(self) -> int:
        """End the claims of dead processes; return how many."""
        with transactions.writing(self._engine) as connection, Session(connection) as session:
            released = release_dead(session, self._shared.clock())
            connection.commit()
        return released

    def release_own(self) -> int:
        """End the claims on mails of this process, which has lost them."""
        with transactions.writing(self._engine) as connection, Session(connection) as session:
            released = release_own(session, self._shared.holder)
            connection.commit()
        return released

    def forget_texts(self, keep: timedelta) -> int:
        """Forget the texts of mails done with longer ago than *keep*; return how many."""
        return forget_texts(self._engine, self._shared.clock(), keep)

    def forget_old(self) -> None:
        """Forget counts that no limit looks back to."""
        with transactions.writing(self._engine) as connection:
            forget_old_counts(connection, self._shared.clock())
            connection.commit()
