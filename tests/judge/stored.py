"""The store of the desk's tests on a real database, with the face of the one in memory.

Tests look into tables, and now and then change what stands there; what they have changed is
written before the next transaction.
"""

import copy
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from machjudge.db.engine import reading, writing
from machjudge.db.mail_queues import outgoing
from machjudge.db.people import read_token
from machjudge.db.tables import (
    AttendedRow,
    CountRow,
    GameRow,
    InboxRow,
    MailState,
    OrderSetRow,
    OutboxRow,
    OutboxState,
    PendingActRow,
    PersonRow,
    PhaseRow,
    PlanRow,
    ReplyTokenRow,
    SeatRow,
    TokenRow,
)
from machjudge.db.work import DatabaseStore, DatabaseTransaction, Shared
from machjudge.judge.mails import Fate, KeptMail, MailOutcome, Outgoing, QueuedMessage
from machjudge.judge.records import GameId, MailId, NoteKind, PersonId
from machjudge.mail.server import arrival
from tests.databases import Databases, Rows, put_back, rows_of, without_references
from tests.judge import fakes

_FOR_DIGESTS = {OutboxState.HELD, OutboxState.GATHERED}
_STATES = {Fate.WAITING: OutboxState.WAITING, Fate.SENT: OutboxState.SENT}


class StoredStore:
    """Everything kept in one of some databases, which is given back with the store's end."""

    def __init__(self, databases: Databases) -> None:
        self.engine = databases.lend()
        weakref.finalize(self, databases.take_back, self.engine)
        self.before_commit: Callable[[], None] | None = None
        """Called before each commit; raises to play a failing database."""
        self.before_writing: Callable[[], None] | None = None
        """Called before each writing transaction; plays somebody who was faster."""
        self.taken = 0
        """The number of the last letter that a test has taken out."""
        self.newest = fakes.MADE
        """When the newest mail came: letters are made then, or at the time of the desk."""
        self.now: datetime | None = None
        self.banned: frozenset[str] = frozenset()
        """The addresses and domains of which no mails are taken."""
        self._processes = 1
        self._begin_anew()

    def _begin_anew(self) -> None:
        """Remember nothing of the rows."""
        self._tables = StoredTables(self)
        holder = f"worker {self._processes}"
        self._store = DatabaseStore(self.engine, holder, self._clock, fakes.SECRET)

    def die(self) -> None:
        """Go on as another process; what this one has claimed is nobody's once that has lapsed."""
        self._processes += 1
        self._begin_anew()

    def _clock(self) -> datetime:
        return self.newest if self.now is None else max(self.newest, self.now)

    @property
    def tables(self) -> "StoredTables":
        """What is kept, as it was after the last commit."""
        return self._tables

    @tables.setter
    def tables(self, copied: "Copied") -> None:
        put_back(self.engine, copied.rows)
        received = [row["received"] for row in copied.rows[InboxRow.__table__]]
        self.newest = max(received, default=fakes.MADE)
        self.taken = copied.taken
        self._begin_anew()

    def heard_until(self, now: datetime) -> datetime:
        """As without a mailbox."""
        return now

    def read_bans(self) -> None:
        """Nothing: tests say whom they ban."""

    @contextmanager
    def reading(self) -> Iterator[DatabaseTransaction]:
        """A transaction that reads."""
        self.write_changed()
        with self._store.reading() as uow:
            yield uow

    @contextmanager
    def writing(
        self, *, single: bool = False, outlasts_power: bool = True
    ) -> Iterator[DatabaseTransaction]:
        """A transaction that writes."""
        if self.before_writing is not None:
            hook, self.before_writing = self.before_writing, None
            hook()
        self.write_changed()
        with self._store.writing(single=single, outlasts_power=outlasts_power) as uow:
            commit = uow.commit

            def commit_after_all() -> None:
                if self.before_commit is not None:
                    self.before_commit()
                commit()
                self._tables = StoredTables(self)

            uow.commit = commit_after_all  # type: ignore[method-assign]
            yield uow

    def receive(
        self,
        raw: bytes,
        sender: str,
        received: datetime,
        *,
        recipient: str = "judge@mach.example",
    ) -> MailId:
        """What the listener does before the 250; the same mail once more is another one here."""
        self.write_changed()
        came = arrival(raw, sender, [recipient], fakes.SECRET)
        with writing(self.engine) as connection:
            number = 1 + (connection.scalar(select(func.max(InboxRow.id))) or 0)
            values = {
                "received": received,
                "key": f"{came.key} {number}",
                "message_id": "",
                "sender": sender.lower(),
                "envelope_sender": sender,
                "recipients": [recipient],
                "raw": raw,
            }
            kept = connection.scalar(insert(InboxRow).returning(InboxRow.id), values)
            connection.commit()
        assert kept is not None
        self.newest = max(self.newest, received) if number > 1 else received
        self._tables = StoredTables(self)
        return MailId(kept)

    def write_changed(self) -> None:
        """Write what a test has changed in the tables."""
        changed = self._tables.changed()
        if not changed:
            return
        if "outbox" in changed:
            assert changed.pop("outbox") == [], "letters are taken out, and nothing else"
            self._take_out(self._tables.last_letter())
        if changed:
            with writing(self.engine) as connection:
                without_references(connection)
                shared = Shared("a test", lambda: self.newest, fakes.SECRET)
                uow = DatabaseTransaction(connection, shared, is_reading=False)
                for name, now in changed.items():
                    _WRITERS[name](uow, connection, now)
                uow.commit()
        self._begin_anew()

    def _take_out(self, last: int) -> None:
        """The relay has taken all letters up to the last one."""
        is_waiting = OutboxRow.state == OutboxState.WAITING
        sent = (OutboxRow.id > self.taken, OutboxRow.id <= last, is_waiting)
        with writing(self.engine) as connection:
            connection.execute(
                update(OutboxRow).where(*sent).values(state=OutboxState.SENT, ended=self.newest)
            )
            connection.commit()
        self.taken = last


class StoredTables:
    """What the tables hold, each read when it is first asked for."""

    def __init__(self, store: StoredStore) -> None:
        # The store's database is somebody else's as soon as nobody knows the store any more.
        own = {"store": store, "engine": store.engine, "taken": store.taken}
        self.__dict__.update(**own, read={}, as_read={})

    def __getattr__(self, name: str) -> Any:
        if name not in _READERS:
            raise AttributeError(name)
        if name not in self.read:
            shared = Shared("a test", lambda: fakes.MADE, fakes.SECRET)
            with reading(self.engine) as connection:
                uow = DatabaseTransaction(connection, shared, is_reading=True)
                found = _READERS[name](uow, connection)
            if name == "outbox":
                found = [letter for number, letter in found if number > self.taken]
            self.read[name], self.as_read[name] = found, _copy(found)
        return self.read[name]

    def __setattr__(self, name: str, value: object) -> None:
        if name == "now":
            self.store.now = value
            return
        getattr(self, name)
        self.read[name] = value

    def changed(self) -> dict[str, Any]:
        """The tables that a test has changed, as it has left them."""
        return {name: now for name, now in self.read.items() if now != self.as_read[name]}

    def last_letter(self) -> int:
        """The highest number of a letter."""
        with reading(self.engine) as connection:
            return connection.scalar(select(func.max(OutboxRow.id))) or 0

    def copied(self) -> "Copied":
        """All rows, for another database, with what a test has changed."""
        self.store.write_changed()
        return Copied(rows_of(self.engine), self.store.taken)


@dataclass(frozen=True)
class Copied:
    """All rows of a database, and how many letters were taken out."""

    rows: Rows
    taken: int

    def copied(self) -> "Copied":
        """Itself: nobody changes it."""
        return self


def _copy(found: Any) -> Any:
    """A copy that a test does not change."""
    if isinstance(found, list):
        return [replace(each) if isinstance(each, fakes.Row) else each for each in found]
    return copy.copy(found)


# --- reading ---------------------------------------------------------------------------------


def _games(uow: DatabaseTransaction, connection: Connection) -> dict[GameId, Any]:
    names = connection.scalars(select(GameRow.id).order_by(GameRow.created, GameRow.id))
    return {GameId(each): uow.games.get(GameId(each)) for each in names.all()}


def _persons(uow: DatabaseTransaction, connection: Connection) -> dict[PersonId, Any]:
    found = connection.scalars(select(PersonRow.id)).all()
    # The tokens of people are t1, t2, t3 …
    people = sorted(found, key=lambda each: (len(each), each))
    return {PersonId(each): uow.persons.get(PersonId(each)) for each in people}


def _of_games(read: Callable[[DatabaseTransaction, GameId], Iterable[Any]]) -> "_Reader":
    def found(uow: DatabaseTransaction, connection: Connection) -> list[Any]:
        games = _games(uow, connection)
        return [each for game in games for each in read(uow, game)]

    return found


def _order_sets(uow: DatabaseTransaction, connection: Connection) -> list[Any]:
    keys = select(OrderSetRow.game, OrderSetRow.after, OrderSetRow.power).distinct()
    rows = sorted(connection.execute(keys.order_by(OrderSetRow.game, OrderSetRow.after)).all())
    return [each for row in rows for each in uow.order_sets.history(*row)]


def _plans(uow: DatabaseTransaction, connection: Connection) -> list[Any]:
    rows = sorted(connection.execute(select(PlanRow.game, PlanRow.power).distinct()).all())
    return [each for row in rows for each in uow.plans.history(*row)]


def _holdings(uow: DatabaseTransaction, connection: Connection) -> dict[tuple[GameId, int], Any]:
    keys = connection.execute(select(PhaseRow.game, PhaseRow.number)).all()
    return {(game, number): tuple(uow.phases.holdings(game, number)) for game, number in keys}


def _inbox(_: DatabaseTransaction, connection: Connection) -> list[fakes.Row]:
    every = select(*InboxRow.__table__.columns).order_by(InboxRow.id)
    return [_mail(each) for each in connection.execute(every)]


def _mail(row: Row[Any]) -> fakes.Row:
    mail = KeptMail(
        MailId(row.id),
        row.received,
        row.sender,
        tuple(row.recipients),
        row.raw,
        envelope=row.envelope_sender.lower(),
    )
    return fakes.Row(
        mail,
        row.not_before or row.received,
        row.claimed_until,
        row.in_doubt,
        row.game,
        None if row.outcome is None else MailOutcome(row.outcome),
        row.why if row.state is MailState.ASIDE else None,
        row.why or "",
        row.tries,
        row.deaths,
        row.ended,
    )


def _letters(connection: Connection) -> Sequence[Row[Any]]:
    return connection.execute(select(*OutboxRow.__table__.columns).order_by(OutboxRow.id)).all()


def _outbox(_: DatabaseTransaction, connection: Connection) -> list[tuple[int, Outgoing]]:
    return [
        (row.id, outgoing(row)) for row in _letters(connection) if row.state not in _FOR_DIGESTS
    ]


def _posted(uow: DatabaseTransaction, connection: Connection) -> list[tuple[str, QueuedMessage]]:
    found = [uow.outbox.posted(row.id) for row in _letters(connection)]
    return [(each.outgoing.to, each) for each in found if each is not None]


def _counts(_: DatabaseTransaction, connection: Connection) -> list[tuple[str, datetime]]:
    found = connection.execute(select(CountRow.key, CountRow.at).order_by(CountRow.id))
    return [(key, at) for key, at in found]


def _tokens(uow: DatabaseTransaction, connection: Connection) -> dict[str, Any]:
    return {each: uow.tokens.token(each) for each in connection.scalars(select(TokenRow.hashed))}


def _acts(uow: DatabaseTransaction, connection: Connection) -> dict[str, Any]:
    return {each: uow.acts.get(each) for each in connection.scalars(select(PendingActRow.name))}


def _reply_tokens(_: DatabaseTransaction, connection: Connection) -> dict[str, Any]:
    found = connection.execute(select(ReplyTokenRow.hashed, ReplyTokenRow.speaks))
    return {hashed: read_token(token_scopes) for hashed, token_scopes in found}


_Reader = Callable[[DatabaseTransaction, Connection], Any]
_READERS: Mapping[str, _Reader] = {
    "games": _games,
    "persons": _persons,
    "phases": _of_games(lambda uow, game: uow.phases.all_of(game)),
    "notices": _of_games(lambda uow, game: uow.notices.all_of(game)),
    "press": _of_games(lambda uow, game: uow.press.all_of(game)),
    "notes": _of_games(
        lambda uow, game: [each for kind in NoteKind for each in uow.notes.all_of(game, kind)]
    ),
    "order_sets": _order_sets,
    "plans": _plans,
    "holdings": _holdings,
    "inbox": _inbox,
    "outbox": _outbox,
    "posted": _posted,
    "heartbeat": lambda uow, _: uow.heartbeat.last(),
    "usual": lambda uow, _: uow.heartbeat.usual(),
    "missed": lambda uow, _: uow.heartbeat.missed(),
    "counts": _counts,
    "tokens": _tokens,
    "substitutes": lambda uow, _: list(uow.substitutes.all()),
    "acts": _acts,
    "reply_tokens": _reply_tokens,
}


# --- writing what a test has changed ----------------------------------------------------------


def _write_games(uow: DatabaseTransaction, connection: Connection, now: Mapping[Any, Any]) -> None:
    before = _games(uow, connection)
    for game in (key for key in {**before, **now} if before.get(key) != now.get(key)):
        for table, column in (
            (SeatRow, SeatRow.game),
            (AttendedRow, AttendedRow.game),
            (GameRow, GameRow.id),
        ):
            connection.execute(delete(table).where(column == game))
        if game in now:
            uow.games.add(now[game])


def _write_persons(
    uow: DatabaseTransaction, connection: Connection, now: Mapping[Any, Any]
) -> None:
    before = _persons(uow, connection)
    for person in (key for key in {**before, **now} if before.get(key) != now.get(key)):
        if person in now:
            uow.persons.save(now[person])
        else:
            uow.persons.remove(person)


def _write_phases(uow: DatabaseTransaction, connection: Connection, now: Sequence[Any]) -> None:
    before = _READERS["phases"](uow, connection)
    for each in before:
        if each not in now:
            of_it = (PhaseRow.game == each.game, PhaseRow.number == each.number)
            connection.execute(delete(PhaseRow).where(*of_it))
    for each in now:
        if each not in before:
            uow.phases.add(each, ())


def _write_heartbeat(uow: DatabaseTransaction, _: Connection, now: datetime) -> None:
    uow.heartbeat.beat(now, uow.heartbeat.usual(), uow.heartbeat.missed())


def _write_counts(_: DatabaseTransaction, connection: Connection, now: Sequence[Any]) -> None:
    connection.execute(delete(CountRow))
    if now:
        connection.execute(insert(CountRow), [{"key": key, "at": at} for key, at in now])


def _write_inbox(_: DatabaseTransaction, connection: Connection, now: Sequence[fakes.Row]) -> None:
    for row in now:
        values: dict[str, object] = {
            "not_before": row.not_before,
            "recipients": list(row.mail.recipients),
        }
        if row.aside is not None:
            values |= {"state": MailState.ASIDE, "why": row.aside}
        connection.execute(update(InboxRow).where(InboxRow.id == row.mail.id).values(**values))


def _write_posted(_: DatabaseTransaction, connection: Connection, now: Sequence[Any]) -> None:
    for row, (_to, posted) in zip(_letters(connection), now, strict=True):
        values = {
            "made": posted.made,
            "state": _STATES[posted.fate],
            "ended": posted.ended,
            "game": posted.outgoing.game,
        }
        connection.execute(update(OutboxRow).where(OutboxRow.id == row.id).values(**values))


_Writer = Callable[[DatabaseTransaction, Connection, Any], None]
_WRITERS: Mapping[str, _Writer] = {
    "games": _write_games,
    "persons": _write_persons,
    "phases": _write_phases,
    "heartbeat": _write_heartbeat,
    "counts": _write_counts,
    "inbox": _write_inbox,
    "posted": _write_posted,
}
