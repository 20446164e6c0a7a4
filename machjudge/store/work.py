"""Transactions of the desk: the ports `UnitOfWork` and `Store`."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Connection, Engine, select
from sqlalchemy.orm import Session

from machjudge.service.credentials.secret import JudgeSecret
from machjudge.service.model.records import GameId
from machjudge.store.games.cache import CachedGames, GameCache
from machjudge.store.games.chronicle import Notices, PressFile
from machjudge.store.games.clocks import read_grace
from machjudge.store.games.due import Pulse
from machjudge.store.games.games import Games
from machjudge.store.games.notes import Notes
from machjudge.store.games.phases import Phases
from machjudge.store.games.plans import Plans
from machjudge.store.games.sheets import Sheets
from machjudge.store.mail.claims import release_dead
from machjudge.store.mail.inbox import Inbox
from machjudge.store.mail.outbox import Outbox
from machjudge.store.people.counts import Counts
from machjudge.store.people.mailed_tokens import Keys
from machjudge.store.people.pending_acts import PendingActs
from machjudge.store.people.persons import Persons
from machjudge.store.people.reply_tokens import ReplyTokens, StoredTokens
from machjudge.store.schema import engine as transactions
from machjudge.store.schema.overdue import is_overdue
from machjudge.store.schema.tables import GameRow

_OVERDUE = select(GameRow.id, GameRow.deadline, GameRow.times).where(is_overdue())


@dataclass(frozen=True, slots=True)
class Shared:
    """What all transactions of a store share."""

    holder: str
    """Who claims mails here."""
    clock: Callable[[], datetime]
    secret: JudgeSecret
    games: GameCache = field(default_factory=GameCache)
    tokens: StoredTokens = field(default_factory=StoredTokens)


class UnitOfWork:
    """One transaction: what happens between its opening and its commit happens whole or not."""

    def __init__(self, connection: Connection, shared: Shared, *, is_reading: bool) -> None:
        self._connection = connection
        self._cached = cached = CachedGames(shared.games, is_reading=is_reading)
        tokens = shared.tokens
        self._session = session = Session(connection, autoflush=False, expire_on_commit=False)
        self.persons = Persons(session)
        self.games = Games(session, cached, self.persons)
        self.sheets = Sheets(session, cached)
        self.plans = Plans(session, cached)
        self.phases = Phases(session, cached)
        self.press = PressFile(session)
        self.notes = Notes(session, cached)
        self.notices = Notices(session)
        self.inbox = Inbox(session, shared.holder)
        self.outbox = Outbox(session, shared.clock, shared.secret, tokens)
        self.pulse = Pulse(session)
        self.keys = Keys(session)
        self.reply_tokens = ReplyTokens(session, tokens, is_reading=is_reading)
        self.acts = PendingActs(session)
        self.counts = Counts(session)
        self.is_committed = False

    def commit(self) -> None:
        """Make it last.  Raises Stale if the database found a conflict."""
        self._session.flush()
        self._connection.commit()
        self._cached.committed()
        self.is_committed = True


class Store:
    """The database as the desk sees it.

    *holder* is who claims mails here, *clock* says when letters are made, from *secret* follow
    their tokens; *committed* is called, in the caller's thread, after each writing transaction
    that was committed.
    """

    def __init__(
        self,
        engine: Engine,
        holder: str,
        clock: Callable[[], datetime],
        secret: JudgeSecret,
        committed: Callable[[], None] = lambda: None,
    ) -> None:
        self._engine = engine
        self._shared = Shared(holder, clock, secret)
        self._committed = committed

    @contextmanager
    def reading(self) -> Iterator[UnitOfWork]:
        """A transaction that reads one consistent state of everything, and never writes."""
        with transactions.reading(self._engine) as connection:
            yield UnitOfWork(connection, self._shared, is_reading=True)

    @contextmanager
    def writing(self, *, single: bool = False) -> Iterator[UnitOfWork]:
        """A transaction that writes; leaving it without a commit undoes it.

        With *single* it writes with one statement only.
        Raises Stale if another transaction was in the way.
        """
        with transactions.writing(self._engine, single=single) as connection:
            unit = UnitOfWork(connection, self._shared, is_reading=False)
            yield unit
        if unit.is_committed:
            self._committed()

    def overdue(self, now: datetime) -> Sequence[tuple[GameId, datetime]]:
        """The games whose deadline is over, with it and the end of a grace that is over as well.

        The oldest instant comes first.  Games that rest are left out.
        """
        with transactions.reading(self._engine, single=True) as connection:
            found = connection.execute(_OVERDUE, {"now": now}).all()
        over: set[tuple[datetime, GameId]] = set()
        for game, deadline, times in found:
            ends = (deadline, read_grace(times))
            over |= {(end, GameId(game)) for end in ends if end is not None and end <= now}
        return [(game, end) for end, game in sorted(over)]

    def release_dead(self) -> int:
        """End the claims of processes that are known to be gone; how many there were."""
        with transactions.writing(self._engine) as connection, Session(connection) as session:
            released = release_dead(session, self._shared.clock())
            connection.commit()
        return released

    def forget_old(self) -> None:
        """Forget what was counted for limits so long ago that none looks back to it."""
        with self.writing() as uow:
            uow.counts.forget_old(self._shared.clock())
            uow.commit()
