"""The queues of mails and messages, their claims, and the removal of old texts.

Who sent what and when stays, so repeated deliveries and answers to old messages are known.
"""

import json
import os
import socket
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import Enum, auto
from functools import cache
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Engine,
    Integer,
    Row,
    SQLColumnExpression,
    and_,
    bindparam,
    case,
    delete,
    exists,
    func,
    insert,
    literal,
    literal_column,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import InstrumentedAttribute, Session, aliased
from sqlalchemy.sql.dml import ReturningUpdate

from machjudge.db.engine import Prepared, is_sqlite, reading, writing
from machjudge.db.pending_work import TEXTS_FORGOTTEN, may_forget
from machjudge.db.people import (
    ReplyTokenCache,
    count_bounce,
    keep_token,
    read_token,
    write_token,
)
from machjudge.db.rows import FieldForms, row, rows
from machjudge.db.tables import (
    EMPTIED,
    NOW,
    AddressRow,
    BanRow,
    CountRow,
    GameRow,
    InboxRow,
    Instant,
    MailboxMailRow,
    MailboxRow,
    MailState,
    OutboxRow,
    OutboxState,
    PersonRow,
    RelayRow,
    is_overdue,
    waits,
)
from machjudge.formats.values import Form
from machjudge.judge.faults import FollowsFailed, MustWait, Stale
from machjudge.judge.mails import (
    FIRST_PAUSE,
    LEASE,
    LONGEST_PAUSE,
    NO_LIMITS,
    PAUSES_UNTOLD,
    Arrival,
    Attachment,
    Fate,
    KeptMail,
    MailEnd,
    MailOutcome,
    OutboxId,
    Outgoing,
    QueuedMessage,
    SendLimits,
    WaitingDigest,
)
from machjudge.judge.records import AddressStanding, Bounce, GameId, MailId, PersonId
from machjudge.judge.secret import JudgeSecret
from machjudge.mail_parser.secrets import redact_codes

# Who holds a claim: a process by a name that tells whether it still lives. A claim ends by itself
# after a while. Where its holder is known to be gone, because this very machine has no such
# process any more, nobody need wait for that.
_BOOT = Path("/proc/sys/kernel/random/boot_id")
_PROCESSES = Path("/proc/self/ns/pid")
_SIGN = "|"
# Among what follows the name of the program: proc_pid_stat(5), fields 3 and 22.
_STATE_FIELD = 0
_START_FIELD = 19
_DEAD = {"Z", "X"}


@dataclass(frozen=True, slots=True)
class Holder:
    """A process: where it runs, its number there, and when it began (empty where not known)."""

    host: str
    pid: int
    began: str

    def __str__(self) -> str:
        return _SIGN.join((self.host, str(self.pid), self.began))


def myself() -> Holder:
    """Return the holder of this process."""
    return Holder(_host(), os.getpid(), _began(os.getpid()) or "")


def is_gone(name: str) -> bool:
    """Return whether the process of that name surely lives no more."""
    host, _, rest = name.partition(_SIGN)
    pid, _, began = rest.partition(_SIGN)
    if host != _host() or not pid.isdecimal():
        return False
    return not _lives(int(pid)) or (began != "" and _began(int(pid)) != began)


def _host() -> str:
    """The machine since it was started, and the part of it whose process numbers are ours."""
    parts = [socket.gethostname(), "", ""]
    with suppress(OSError):
        parts[1] = _BOOT.read_text(encoding="ascii").strip()
        parts[2] = str(_PROCESSES.readlink())
    return " ".join(parts)


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:  # somebody else's process: it lives
        return True
    return True


def _began(pid: int) -> str | None:
    """The start of the process in ticks since boot; None if unknown or a zombie."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()
    return None if fields[_STATE_FIELD] in _DEAD else fields[_START_FIELD]


# From which number on rows of a queue may wait. PostgreSQL keeps earlier versions of rows for as
# long as any transaction may want to see them: one that stays open somewhere, for a backup or a
# report. Looking for the first row that waits, it would pass all of these again each time. So it
# is told where to begin.
SECONDS = 5.0
"""The seconds for which a look is good."""


class QueueStart:
    """The lowest number of a waiting row of *table* at the last look; 0 on SQLite.

    The highest of all where none waited. What a keeper puts back below it is found at the next
    look. *seconds* is a monotonic clock.
    """

    def __init__(
        self, table: type[InboxRow | OutboxRow], seconds: Callable[[], float] = time.monotonic
    ) -> None:
        lowest = select(func.min(table.id)).where(waits(table)).scalar_subquery()
        highest = select(func.max(table.id)).scalar_subquery()
        self._look = select(func.coalesce(lowest, highest, 0))
        self._seconds = seconds
        self._number = 0
        self._ends: float | None = None

    def number(self, connection: Connection) -> int:
        """The number, after a look if the last one was long ago."""
        if is_sqlite(connection):
            return 0
        now = self._seconds()
        if self._ends is None or now >= self._ends:
            self._number = connection.scalars(self._look).one()
            self._ends = now + SECONDS
        return self._number


# Claims are short and are made longer while their holder lives. So what a machine has in hand
# that goes down is free for the others soon, and a mail that takes long is nobody else's
# meanwhile.
LONGEST = timedelta(minutes=10)
"""The longest time for which a claim is renewed; its holder hangs after that."""

_Claim = tuple[type[InboxRow | OutboxRow], int]


class Leases:
    """The claims of *holder*; *clock* says when they end, *seconds* the time that passes."""

    def __init__(
        self,
        engine: Engine,
        holder: str,
        clock: Callable[[], datetime],
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._engine = engine
        self._holder = holder
        self._clock = clock
        self._seconds = seconds
        self._since: dict[_Claim, float] = {}

    def renew(self) -> int:
        """Renew the claims that are held and do not hang; return how many."""
        now = self._seconds()
        self._since = {each: self._since.get(each, now) for each in self._held()}
        longest = LONGEST.total_seconds()
        alive = [each for each, since in self._since.items() if now - since < longest]
        with suppress(Stale):  # a living process has them in hand
            renewed = self._change(alive, claimed_until=self._clock() + LEASE)
            # They end by themselves, and this process may take them up again.
            self._change(self._since.keys() - set(alive), holder=None)
            return renewed
        return 0

    def _held(self) -> list[_Claim]:
        with reading(self._engine) as connection:
            return [
                (table, number)
                for table in (InboxRow, OutboxRow)
                for number in connection.scalars(
                    select(table.id).where(waits(table), table.holder == self._holder)
                )
            ]

    def _change(self, claims: Iterable[_Claim], **values: object) -> int:
        changed = 0
        for table, number in claims:
            claim = update(table).where(table.id == number, table.holder == self._holder)
            with writing(self._engine, single=True) as connection:
                changed += connection.execute(claim.values(**values)).rowcount
                connection.commit()
        return changed


# Where arriving mails are kept: the port `ArrivalStore`. The instant of receipt is taken while
# the database's lock on arrivals is held. So anyone who asks, at or after an instant, for mails
# received before it, sees them all: none comes in afterwards with an earlier time.
_LOCK = 0x6D616368  # "mach": the number of PostgreSQL's advisory lock on arrivals

_CHANNEL = "machjudge_mail"


class Arrivals:
    """The inbox, as the mail room sees it; *clock* says when a mail is received."""

    def __init__(self, engine: Engine, clock: Callable[[], datetime]) -> None:
        self._engine = engine
        self._clock = clock

    def keep(self, arrivals: Sequence[Arrival]) -> None:
        with writing(self._engine) as connection:
            _lock_arrivals(connection)
            received = self._clock()
            for arrival in arrivals:
                _insert(connection, arrival, received)
            _wake_workers(connection)
            connection.commit()


def _wake_workers(connection: Connection) -> None:
    """Wake the workers on whatever machine with the commit."""
    if not is_sqlite(connection):
        connection.execute(text(f"NOTIFY {_CHANNEL}"))


class StoredMailbox:
    """What has been taken from the mailbox *name*: the port `MailboxLedger`.

    *holder* is who claims it.
    """

    def __init__(
        self, engine: Engine, name: str, holder: str, clock: Callable[[], datetime]
    ) -> None:
        self._engine = engine
        self._name = name
        self._holder = holder
        self._clock = clock
        self._mine = (MailboxRow.name == name, MailboxRow.holder == holder)

    def claim(self) -> bool:
        with writing(self._engine) as connection:
            now = self._clock()
            of = select(MailboxRow.holder, MailboxRow.claimed_until)
            found = connection.execute(
                of.where(MailboxRow.name == self._name).with_for_update()
            ).one_or_none()
            claim = {"holder": self._holder, "claimed_until": now + LEASE}
            if found is None:
                # What was decided before there was a mailbox did not wait for it.
                row = {"name": self._name, "looked": now, **claim}
                connection.execute(insert(MailboxRow), row)
            elif found.holder in (None, self._holder) or (
                found.claimed_until <= now or is_gone(found.holder)
            ):
                mine = update(MailboxRow).where(MailboxRow.name == self._name)
                connection.execute(mine.values(**claim))
            else:
                return False
            connection.commit()
        return True

    def release(self) -> None:
        with writing(self._engine) as connection:
            mine = update(MailboxRow).where(*self._mine)
            connection.execute(mine.values(holder=None, claimed_until=None, connected=None))
            connection.commit()

    def taken(self, validity: int) -> Mapping[int, bool]:
        of = select(MailboxMailRow.number, MailboxMailRow.refused).where(*self._of(validity))
        with reading(self._engine) as connection:
            return {row.number: row.refused for row in connection.execute(of)}

    def keep(self, validity: int, mails: Mapping[int, Arrival | None]) -> None:
        with writing(self._engine) as connection:
            _lock_arrivals(connection)
            now = self._clock()
            for arrival in filter(None, mails.values()):
                _insert(connection, arrival, min(arrival.received or now, now))
            taken = [
                {
                    "mailbox": self._name,
                    "validity": validity,
                    "number": number,
                    "refused": arrival is None or arrival.is_cut,
                }
                for number, arrival in mails.items()
            ]
            insert = sqlite.insert if is_sqlite(connection) else postgresql.insert
            connection.execute(insert(MailboxMailRow).on_conflict_do_nothing(), taken)
            _wake_workers(connection)
            connection.commit()

    def gone(self, validity: int, numbers: Collection[int]) -> None:
        with writing(self._engine) as connection:
            of = delete(MailboxMailRow).where(MailboxMailRow.mailbox == self._name)
            connection.execute(of.where(MailboxMailRow.validity != validity))
            left = sorted(numbers)
            while left:
                some, left = left[:_TOGETHER], left[_TOGETHER:]
                connection.execute(of.where(*self._of(validity), MailboxMailRow.number.in_(some)))
            connection.commit()

    def opened(self) -> None:
        with writing(self._engine) as connection:
            mine = update(MailboxRow).where(*self._mine)
            count = {"connections": MailboxRow.connections + 1}
            connection.execute(mine.values(connected=self._clock(), **count))
            connection.commit()

    def looked(self, until: datetime, left: int) -> None:
        with writing(self._engine) as connection:
            now = self._clock()
            mine = update(MailboxRow).where(*self._mine)
            until_then = {} if left else {"looked": until, "failed": None}
            connection.execute(
                mine.values(**until_then, polled=now, waiting=left, claimed_until=now + LEASE)
            )
            connection.commit()

    def failed(self, why: str) -> datetime | None:
        with writing(self._engine) as connection:
            of = select(MailboxRow.failed).where(MailboxRow.name == self._name)
            since, now = connection.scalar(of), self._clock()
            mine = update(MailboxRow).where(*self._mine)
            noted = {"failed": since or now, "faulted": now, "why": why, "connected": None}
            connection.execute(mine.values(**noted))
            connection.commit()
        return since

    def is_awaited(self, at: datetime) -> bool:
        looked = select(MailboxRow.looked).where(MailboxRow.name == self._name).scalar_subquery()
        is_over = and_(GameRow.deadline > looked, GameRow.deadline <= NOW)
        came = and_(GameRow.next_look <= NOW, or_(GameRow.next_look > looked, is_over))
        with reading(self._engine) as connection:
            return bool(connection.scalar(select(exists().where(came)), {"now": at}))

    def _of(self, validity: int) -> tuple[ColumnElement[bool], ...]:
        return (MailboxMailRow.mailbox == self._name, MailboxMailRow.validity == validity)


async def listen_for_arrivals(engine: Engine, ring: Callable[[], None]) -> None:
    """Call *ring* whenever a process on the PostgreSQL server has kept mails, until cancelled.

    Raises an exception of psycopg when its own connection is lost.
    """
    import psycopg  # noqa: PLC0415 - not needed for SQLite

    _, where = engine.dialect.create_connect_args(engine.url)
    async with await psycopg.AsyncConnection.connect(**where, autocommit=True) as connection:
        await connection.execute(f"LISTEN {_CHANNEL}")
        ring()  # what was kept until now, nobody has told
        async for _ in connection.notifies():
            ring()


def wait_for_arrivals(connection: Connection) -> None:
    """Return when no mail is being kept that was received before now."""
    # On SQLite a writing transaction is alone anyway.
    if not is_sqlite(connection):
        connection.execute(text("SELECT pg_advisory_lock(:lock)"), {"lock": _LOCK})
        connection.execute(text("SELECT pg_advisory_unlock(:lock)"), {"lock": _LOCK})


def _lock_arrivals(connection: Connection) -> None:
    if not is_sqlite(connection):
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})


def _key(connection: Connection, arrival: Arrival) -> str:
    """The key that repeated deliveries share.

    Without a Message-ID, the same text is a repeat only if its sender sent nothing in between.
    """
    # A mailbox gives each mail a time, too, which is in the key.
    if arrival.message_id or arrival.received is not None:
        return arrival.key
    of_sender = select(InboxRow.key).where(InboxRow.sender == arrival.sender)
    newest = connection.scalar(of_sender.order_by(InboxRow.id.desc()).limit(1)) or ""
    if newest.partition(".")[0] == arrival.key:
        return newest
    same = or_(InboxRow.key == arrival.key, InboxRow.key.startswith(f"{arrival.key}."))
    times = connection.scalar(select(func.count()).select_from(InboxRow).where(same))
    return f"{arrival.key}.{times}" if times else arrival.key


def _insert(connection: Connection, arrival: Arrival, received: datetime) -> None:
    row = {
        "received": received,
        "key": _key(connection, arrival),
        "message_id": arrival.message_id,
        "sender": arrival.sender,
        "envelope_sender": arrival.envelope_sender,
        "recipients": list(arrival.recipients),
        "raw": arrival.raw,
    }
    _insertion(on_sqlite=is_sqlite(connection)).run(connection, row)


@cache
def _insertion(*, on_sqlite: bool) -> Prepared:
    """Keep a mail, or count that it was received twice.  Made once: a 250 waits for it."""
    insert = sqlite.insert if on_sqlite else postgresql.insert
    return Prepared(
        insert(InboxRow).on_conflict_do_update(
            index_elements=[InboxRow.key], set_={"repeats": InboxRow.repeats + 1}
        )
    )


def write_files(attachments: Sequence[Attachment]) -> bytes | None:
    """The files as they are kept; None if there are none."""
    if not attachments:
        return None
    heads = [(each.name, each.media_type, each.cid, len(each.content)) for each in attachments]
    return b"\n".join((json.dumps(heads).encode(), b"".join(each.content for each in attachments)))


def read_files(kept: bytes | None) -> tuple[Attachment, ...]:
    """The files that were kept, in their order."""
    return () if kept is None else tuple(_files(kept))


def _files(kept: bytes) -> Iterator[Attachment]:
    heads, _, contents = kept.partition(b"\n")
    begin = 0
    for name, media_type, cid, length in json.loads(heads):
        yield Attachment(name, media_type, contents[begin : begin + length], cid)
        begin += length


_TOGETHER = 500
"""The most mails changed in one transaction."""
_ASIDE = [MailState.WAITING, MailState.ASIDE]
_KEPT_LETTERS = [OutboxState.WAITING, OutboxState.HELD, OutboxState.GIVEN_UP]


def forget_texts(engine: Engine, now: datetime, keep: timedelta) -> int:
    """Forget the texts of mails done with longer ago than *keep*; return how many.

    Mails set aside and messages given up stay. Looks once a day only.
    """
    with writing(engine) as connection:
        if not may_forget(connection, now):
            return 0
        connection.execute(insert(CountRow), {"key": TEXTS_FORGOTTEN, "at": now})
        connection.commit()
    total = 0
    while forgotten := _forget_some(engine, now - keep):
        total += forgotten
    return total


def _forget_some(engine: Engine, before: datetime) -> int:
    with writing(engine) as connection:
        mails = _some(
            connection,
            InboxRow.state.not_in(_ASIDE) & (InboxRow.ended < before) & (InboxRow.raw != b""),
            InboxRow.id,
        )
        connection.execute(update(InboxRow).where(InboxRow.id.in_(mails)).values(raw=b""))
        is_done = OutboxRow.state.not_in(_KEPT_LETTERS) & (OutboxRow.ended < before)
        messages = _some(connection, is_done & (OutboxRow.body != ""), OutboxRow.id)
        forgotten = update(OutboxRow).where(OutboxRow.id.in_(messages)).values(body="", files=None)
        connection.execute(forgotten)
        connection.commit()
    return len(mails) + len(messages)


def _some(
    connection: Connection, which: ColumnElement[bool], number: InstrumentedAttribute[int]
) -> list[int]:
    return [*connection.scalars(select(number).where(which).limit(_TOGETHER))]


# Claims on rows that several processes work through: one statement, the same on both databases.
# ``UPDATE … WHERE id = (SELECT …) RETURNING``: on PostgreSQL the inner part passes over rows that
# somebody else is just claiming; SQLite has one writer at a time.
Claimable = TypeVar("Claimable", InboxRow, OutboxRow)

SUSPECT = 2
"""The number of deaths that puts a row last."""
QUEUE_START: BindParameter[int] = bindparam("queue_start", type_=Integer())
"""The number from which waiting rows are looked for."""
_NONE = timedelta(0)
_LONGEST_REST = timedelta(minutes=5)


def claiming(
    table: type[Claimable],
    is_ready: Callable[[type[Claimable]], ColumnElement[bool]],
    *conditions: ColumnElement[bool],
    is_other: Callable[[type[Claimable]], ColumnElement[bool]] | None = None,
    goes_first: ColumnElement[bool] | None = None,
    more: Sequence[ColumnElement[Any]] = (),
) -> ReturningUpdate[Any]:
    """Return the statement that claims the first ready row that fulfils *conditions*.

    Rows that *goes_first* come before others. Its parameters are ``now``, ``by``, ``until``,
    ``queue_start`` and those of *conditions*. It returns the row, with one more try, *more*, and
    ``others``: True if another row *is_other* (by default: ready). Suspect rows come last. Taking
    over a dead process's claim is no try.
    """
    other = aliased(table)
    counts = (is_other or is_ready)(other)
    others = exists().where(counts, other.id != claimed_id(table), other.id >= QUEUE_START)
    died = case((table.claimed_until.is_(None), 0), else_=1)
    free = (
        select(table.id)
        .where(table.id >= QUEUE_START, is_ready(table), nobody_holds(table), *conditions)
        .order_by(table.id)
        .limit(1)
        .with_for_update(skip_locked=True)
    )
    suspect = is_suspect(table)
    # Two looks by number, and the second one only in need: one look, ordered by suspicion, would
    # have to see all rows that wait.
    looks = [free.where(~suspect), free.where(suspect)]
    if goes_first is not None:
        looks.insert(0, free.where(~suspect, goes_first))
    first = func.coalesce(*(each.scalar_subquery() for each in looks))
    return (
        update(table)
        .where(table.id == first)
        .values(
            tries=table.tries + 1 - died,
            deaths=table.deaths + died,
            holder=_BY,
            claimed_until=bindparam("until", type_=Instant()),
        )
        .returning(*table.__table__.columns, others.label("others"), *more)
    )


def claimed_id(table: type[Claimable]) -> ColumnElement[int]:
    """Return the claimed row's number with its table, since a subquery has a number of its own."""
    return literal_column(f"{table.__tablename__}.id", Integer())


def nobody_holds(table: type[Claimable]) -> ColumnElement[bool]:
    """Return the condition that a row is free for a claim at ``now`` by ``by``.

    What the process itself holds never is, however the clock leaps: it has that in hand.
    """
    has_lapsed = and_(table.claimed_until <= NOW, table.holder.is_distinct_from(_BY))
    return or_(table.claimed_until.is_(None), has_lapsed)


_BY: BindParameter[str] = bindparam("by")


def is_suspect(table: type[Claimable]) -> ColumnElement[bool]:
    """Return whether so many processes died with a row that it may be the cause."""
    return table.deaths >= SUSPECT


def is_passed_over(mail: type[InboxRow]) -> ColumnElement[bool]:
    """Return whether a mail is overtaken: its last try failed, or processes died with it."""
    return or_(mail.why.is_not(None), is_suspect(mail))


def rest_after(deaths: int) -> timedelta:
    """Return a row's rest after a death; none after the first, as power fails at times."""
    return min(timedelta(minutes=2 ** (deaths - SUSPECT)), _LONGEST_REST) if deaths > 1 else _NONE


def release_own(session: Session, holder: str) -> int:
    """End the claims of a process that has lost its work; return how many."""
    held = (waits(InboxRow), InboxRow.holder == holder)
    let_go = {"holder": None, "claimed_until": None}
    released = session.execute(
        update(InboxRow)
        .where(*held)
        .values(tries=InboxRow.tries - 1, **let_go)
        .returning(InboxRow.id)
        .execution_options(synchronize_session=False)
    )
    return len(released.all())


def release_dead(session: Session, now: datetime) -> int:
    """End the claims of dead processes; return how many."""
    mails = and_(waits(InboxRow), InboxRow.holder.is_not(None))
    messages = and_(waits(OutboxRow), OutboxRow.holder.is_not(None))
    released = _release(session, InboxRow, mails)
    for mail, deaths in released:
        rest = update(InboxRow).where(InboxRow.id == mail)
        session.execute(rest.values(not_before=now + rest_after(deaths)))
    released_messages = _release(session, OutboxRow, messages)
    for message, deaths in released_messages:
        rest = update(OutboxRow).where(OutboxRow.id == message)
        session.execute(rest.values(due=now + rest_after(deaths)))
    return len(released) + len(released_messages)


def _release(
    session: Session, table: type[Claimable], held: ColumnElement[bool]
) -> list[tuple[int, int]]:
    holders = session.scalars(select(table.holder).where(held).distinct()).all()
    gone = [holder for holder in holders if holder is not None and is_gone(holder)]
    released = session.execute(
        update(table)
        .where(held, table.holder.in_(gone))
        .values(holder=None, claimed_until=None, tries=table.tries - 1, deaths=table.deaths + 1)
        .returning(table.id, table.deaths)
        .execution_options(synchronize_session=False)
    )
    return [(number, deaths) for number, deaths in released]


class StoredOutbox:
    """The outbox in one transaction; *clock* dates messages, *secret* gives their tokens."""

    def __init__(
        self,
        session: Session,
        clock: Callable[[], datetime],
        secret: JudgeSecret,
        tokens: ReplyTokenCache,
    ) -> None:
        self._session = session
        self._clock = clock
        self._secret = secret
        self._tokens = tokens
        self._known: dict[OutboxId, QueuedMessage | None] = {}
        self.has_messages = False
        """True once a message was put in."""

    def put(self, message: Outgoing) -> None:
        now = self._clock()
        self.has_messages = True
        if message.reply is not None:
            keep_token(self._session, self._tokens, self._secret, message.reply, now)
        values = {
            "made": now,
            **_OUTGOING.write(message),
            "layout": message.layout or None,
            "files": write_files(message.attachments),
            "held_for": message.held_for,
            "state": OutboxState.WAITING if message.held_for is None else OutboxState.HELD,
            "due": now,
            "yields_until": None if (yields := _yields(message)) is None else now + yields,
        }
        _PUT.run(self._session.connection(), values)

    def lately(self, address: str, since: datetime, most: int) -> Sequence[QueuedMessage]:
        return [_message(row, has_files=False) for row in self._newest(address, since, most)]

    def posted(self, message: OutboxId) -> QueuedMessage | None:
        if message not in self._known:
            row = self._session.get(OutboxRow, message)
            self._known[message] = None if row is None else _message(row, has_files=False)
        return self._known[message]

    def bodies(self, address: str, since: datetime, most: int) -> Sequence[tuple[datetime, str]]:
        return [(row.made, row.body) for row in self._newest(address, since, most)]

    def _newest(self, address: str, since: datetime, most: int) -> Iterable[OutboxRow]:
        wanted = (OutboxRow.recipient == address, OutboxRow.made >= since)
        newest = select(OutboxRow).where(*wanted).order_by(OutboxRow.id.desc()).limit(most)
        return self._session.scalars(newest)

    def held(self) -> Sequence[WaitingDigest]:
        return [
            WaitingDigest(PersonId(row.held_for), row.recipient, row.since)
            for row in self._session.connection().execute(_WAITING)
        ]

    def held_for(self, person: PersonId, address: str) -> Sequence[QueuedMessage]:
        connection = self._session.connection()
        asked = {"person": person, "address": address}
        return [_message(row) for row in connection.execute(_HELD_FOR, asked).all()]

    def gather(self, messages: Collection[OutboxId], now: datetime) -> None:
        gathered = (
            update(OutboxRow)
            .where(OutboxRow.id.in_(messages), _IS_HELD)
            .values(state=OutboxState.GATHERED, ended=now)
            .returning(OutboxRow.id)
        )
        found = self._session.connection().execute(gathered).all()
        if len(found) != len(messages):
            message = "somebody else has made that digest"
            raise Stale(message)

    def came_back(
        self, message: OutboxId, now: datetime, why: str, bounce: Bounce | None
    ) -> QueuedMessage | None:
        to = self._session.scalar(
            update(OutboxRow)
            .where(OutboxRow.id == message, OutboxRow.state == OutboxState.SENT)
            .values(state=OutboxState.GIVEN_UP, ended=now, why=f"came back: {why}")
            .returning(OutboxRow.recipient)
            .execution_options(synchronize_session=False)
        )
        if to is None:
            return None
        if bounce is not None:
            count_bounce(self._session.connection(), to, bounce, now)
        return self.posted(message)

    def unreported_refusal(self) -> str:
        return self._session.scalar(select(RelayRow.why).where(RelayRow.is_untold)) or ""

    def note_reported(self, now: datetime) -> None:
        self._session.connection().execute(update(RelayRow).values(told=now, is_untold=False))


_OF_DIGEST, _OF_OBSERVER = timedelta(hours=6), timedelta(days=7)
"""For how long such messages let others go first."""


def _yields(message: Outgoing) -> timedelta | None:
    if message.yields is not None or message.answers is not None:
        return message.yields
    if message.digest_of is not None:
        return _OF_DIGEST
    return None if message.observer is None else _OF_OBSERVER


_IS_HELD = OutboxRow.state == OutboxState.HELD
_WAITING = (
    select(OutboxRow.held_for, OutboxRow.recipient, func.min(OutboxRow.made).label("since"))
    .where(_IS_HELD)
    .group_by(OutboxRow.held_for, OutboxRow.recipient)
    .order_by(OutboxRow.held_for, OutboxRow.recipient)
)
_HELD_FOR = (
    select(OutboxRow.__table__)
    .where(
        _IS_HELD,
        OutboxRow.held_for == bindparam("person"),
        OutboxRow.recipient == bindparam("address"),
    )
    .order_by(OutboxRow.id)
)
_PUT = Prepared(insert(OutboxRow))
_FATES: Mapping[OutboxState, Fate] = {
    OutboxState.WAITING: Fate.WAITING,
    OutboxState.SENT: Fate.SENT,
    OutboxState.GIVEN_UP: Fate.FAILED,
    OutboxState.DROPPED: Fate.FAILED,
    OutboxState.HELD: Fate.HELD,
    OutboxState.GATHERED: Fate.SENT,
}


_OUTGOING = FieldForms(
    Outgoing,
    apart=("attachments", "takes_token", "may_wait", "held_for", "yields"),
    called={"to": "recipient", "references": "thread"},
    forms={"reply": Form(write_token, read_token)},
)
_LETTER = FieldForms(QueuedMessage, ("outgoing", "queue_was_empty", "after_refusal", "fate"))


def outgoing(row: Row[Any] | OutboxRow, *, has_files: bool = True) -> Outgoing:
    """The message in a row, as it was put in."""
    return _OUTGOING.read(row, attachments=read_files(row.files) if has_files else ())


def _message(
    row: Row[Any] | OutboxRow, *, has_files: bool = True, **of_claim: bool
) -> QueuedMessage:
    return _LETTER.read(
        row,
        outgoing=outgoing(row, has_files=has_files),
        fate=_FATES[row.state],
        **of_claim,
    )


_MAIL = bindparam("mail", type_=InboxRow.id.type)
_FOR_GAME = bindparam("for_game", type_=InboxRow.game.type)
_BY_WRITER = bindparam("by_writer", type_=InboxRow.writer.type)


class StoredInbox:
    """The inbox in one transaction; *holder* is who claims, *queue_start* where to look from."""

    def __init__(self, session: Session, holder: str, queue_start: QueueStart) -> None:
        self._session = session
        self._holder = holder
        self._queue_start = queue_start

    def claim(
        self, now: datetime, *, before: datetime | None = None, unless_overdue: bool = False
    ) -> KeptMail | None:
        claim = _claim(is_before=before is not None, unless_overdue=unless_overdue)
        limits: dict[str, object] = {"now": now, "by": self._holder, "until": now + LEASE}
        if before is not None:
            limits["before"] = before
        connection = self._session.connection()
        limits["queue_start"] = self._queue_start.number(connection)
        found = claim.rows(connection, limits)
        if not found:
            return None
        mail = found[0]
        return _kept(mail, queue_was_empty=not mail.others, is_oldest=not mail.older)

    def concerns(self, mail: MailId, game: GameId | None) -> bool:
        connection = self._session.connection()
        noted = {"mail": mail, "in_doubt": False, "game": game, "for_game": game}
        found = _concerns().rows(
            connection, {**noted, "queue_start": self._queue_start.number(connection)}
        )
        if not found:
            self._refuse(mail, None)
        return bool(found[0].must_wait)

    def has_come_before(self, mail: KeptMail) -> bool:
        names = {mail.message_id, redact_codes(mail.message_id)} - {""}
        older = select(InboxRow.id).where(InboxRow.message_id.in_(names), InboxRow.id < mail.id)
        return self._session.scalar(older.limit(1)) is not None

    def must_wait(self, mail: MailId, game: GameId) -> bool:
        connection = self._session.connection()
        found = {
            "mail": mail,
            "for_game": game,
            "queue_start": self._queue_start.number(connection),
        }
        return bool(_must_wait().scalar(connection, found))

    def is_read_elsewhere(self, mail: MailId, now: datetime) -> bool:
        queue_start = self._queue_start.number(self._session.connection())
        is_held = and_(InboxRow.claimed_until > now, ~is_passed_over(InboxRow))
        return self._any(InboxRow.id >= queue_start, InboxRow.id < mail, InboxRow.in_doubt, is_held)

    def any_before(self, instant: datetime, game: GameId) -> bool:
        wait_for_arrivals(self._session.connection())
        return self._any(InboxRow.received < instant, _may_be_for(game))

    def newest(self, game: GameId) -> datetime | None:
        wait_for_arrivals(self._session.connection())
        waiting = (waits(InboxRow), _may_be_for(game))
        return self._session.scalar(select(func.max(InboxRow.received)).where(*waiting))

    def oldest_untried(self, game: GameId) -> datetime | None:
        waiting = (waits(InboxRow), InboxRow.tries == 0, _may_be_for(game))
        return self._session.scalar(select(func.min(InboxRow.received)).where(*waiting))

    def put_back(
        self,
        mail: MailId,
        until: datetime,
        *,
        counts: bool,
        fault: str = "",
        writer: PersonId | None = None,
    ) -> None:
        tries = InboxRow.tries if counts else InboxRow.tries - 1
        failed = {"why": fault, "writer": writer} if fault else {}
        self._change(mail, tries=tries, not_before=until, holder=None, claimed_until=None, **failed)

    def finish(
        self,
        mail: KeptMail,
        end: MailEnd,
        redacted: bytes,
        now: datetime,
        game: GameId | None = None,
        writer: PersonId | None = None,
    ) -> None:
        connection = self._session.connection()
        values = {
            "queue_start": self._queue_start.number(connection),
            "mail": mail.id,
            "for_game": game,
            "by_writer": writer,
            "state": MailState.FINISHED,
            "holder": None,
            "claimed_until": None,
            "ended": now,
            "outcome": end.outcome.value,
            "why": end.why or None,
            "writer": None,
            "raw": redacted,
            **without_tokens(mail.recipients, mail.message_id),
        }
        if _finish().scalar(connection, values) is None:
            self._refuse(mail.id, game, writer)

    def _refuse(
        self, mail: MailId, game: GameId | None, writer: PersonId | None = None
    ) -> NoReturn:
        if game is not None and self.must_wait(mail, game):
            message = f"mail {mail} has to wait for an older one"
            raise MustWait(message)
        own = (InboxRow.id < mail, InboxRow.game == game, InboxRow.writer == writer)
        if None not in {game, writer} and self._any(*own):
            message = f"mail {mail} has to wait for one of its writer that has failed"
            raise FollowsFailed(message)
        message = f"mail {mail} is not unfinished any more"
        raise Stale(message)

    def set_aside(self, mail: MailId, why: str, now: datetime) -> None:
        self._end(mail, MailState.ASIDE, now, why=why, writer=None)

    def finish_aside(self, mail: MailId, end: MailEnd, redacted: bytes, now: datetime) -> None:
        self._session.execute(
            update(InboxRow)
            .where(InboxRow.id == mail, InboxRow.state == MailState.ASIDE)
            .values(
                state=MailState.FINISHED,
                ended=now,
                outcome=end.outcome.value,
                why=end.why or None,
                raw=redacted,
            )
            .execution_options(synchronize_session=False)
        )

    def all_aside(self, since: datetime) -> Sequence[KeptMail]:
        which = (InboxRow.state == MailState.ASIDE, InboxRow.ended >= since)
        found = select(*_ALL_BUT_RAW).where(*which).order_by(InboxRow.ended, InboxRow.id)
        return [*map(_kept, self._session.connection().execute(found))]

    def raw_of(self, mail: MailId) -> bytes:
        raw = self._session.scalar(select(InboxRow.raw).where(InboxRow.id == mail))
        if raw is None:
            raise KeyError(mail)
        return raw

    def unheard(self, address: str, since: datetime, most: int) -> Sequence[KeptMail]:
        wanted = (
            InboxRow.sender == address,
            InboxRow.received >= since,
            InboxRow.outcome.in_([MailOutcome.SILENT.value, MailOutcome.HELD.value]),
        )
        newest = select(*_ALL_BUT_RAW).where(*wanted).order_by(InboxRow.id.desc()).limit(most)
        return [*map(_kept, self._session.connection().execute(newest))]

    def set_aside_since(self, address: str, since: datetime) -> int:
        wanted = (
            InboxRow.sender == address,
            InboxRow.state == MailState.ASIDE,
            InboxRow.ended >= since,
        )
        return self._session.scalar(select(func.count()).where(*wanted)) or 0

    def _end(self, mail: MailId, state: MailState, now: datetime, **changes: object) -> None:
        self._change(mail, state=state, ended=now, holder=None, claimed_until=None, **changes)

    def _change(self, mail: MailId, **changes: object) -> None:
        changed = self._session.scalar(
            update(InboxRow)
            .where(InboxRow.id == mail, waits(InboxRow))
            .values(**changes)
            .returning(InboxRow.id)
            .execution_options(synchronize_session=False)
        )
        if changed is None:
            self._refuse(mail, None)

    def _any(self, *conditions: SQLColumnExpression[bool]) -> bool:
        unfinished = select(InboxRow.id).where(waits(InboxRow), *conditions)
        return self._session.scalar(unfinished.limit(1)) is not None


def without_tokens(recipients: Sequence[str], message_id: str) -> dict[str, object]:
    """Return what is kept of a mail beside its text, without reply tokens."""
    return {
        "recipients": [redact_codes(each) for each in recipients],
        "message_id": redact_codes(message_id),
    }


def _may_be_for(game: GameId) -> ColumnElement[bool]:
    return or_(InboxRow.in_doubt, InboxRow.game == game)


@cache
def _finish() -> Prepared:
    older = aliased(InboxRow)
    return Prepared(
        update(InboxRow)
        .where(InboxRow.id == _MAIL, waits(InboxRow), ~_older_one(older, writer=_BY_WRITER))
        .values(game=func.coalesce(_FOR_GAME, InboxRow.game))
        .returning(InboxRow.id)
    )


def _older_one(
    older: type[InboxRow],
    mail: SQLColumnExpression[int] = _MAIL,
    game: SQLColumnExpression[Any] = _FOR_GAME,
    writer: SQLColumnExpression[Any] | None = None,
) -> ColumnElement[bool]:
    """Return whether an older mail that is for *game*, or in doubt, waits.

    Mails that failed do not count, but for those of *writer* for the same game.
    """
    is_before = and_(or_(older.in_doubt, older.game == game), ~is_passed_over(older))
    if writer is not None:
        is_before = or_(is_before, and_(older.game == game, older.writer == writer))
    return exists().where(
        game.is_not(None),
        older.id >= QUEUE_START,
        older.id < mail,
        waits(older),
        is_before,
    )


@cache
def _concerns() -> Prepared:
    """The note for which game ``mail`` is, and whether an older one is for it or in doubt."""
    noted = update(InboxRow).where(InboxRow.id == _MAIL, waits(InboxRow))
    return Prepared(noted.returning(_older_one(aliased(InboxRow)).label("must_wait")))


@cache
def _must_wait() -> Prepared:
    """The question whether an older mail than ``mail`` is for ``for_game`` or in doubt."""
    return Prepared(select(_older_one(InboxRow)))


@cache
def _claim(*, is_before: bool, unless_overdue: bool) -> Prepared:
    older, for_the_same = aliased(InboxRow), aliased(InboxRow)
    behind = exists().where(
        waits(older),
        older.sender == InboxRow.sender,
        older.id < InboxRow.id,
        ~is_passed_over(older),
    )
    conditions = [
        or_(InboxRow.not_before.is_(None), InboxRow.not_before <= NOW),
        # Bounces have no sender, and no order among them.
        or_(InboxRow.sender == "", ~behind),
        # Of a mail that nobody has read yet the game is not known; it has to be found out.
        ~_older_one(for_the_same, InboxRow.id, InboxRow.game),
    ]
    if is_before:
        conditions.append(InboxRow.received < bindparam("before", type_=Instant()))
    if unless_overdue:
        conditions.append(~exists().where(is_overdue()))
    before = aliased(InboxRow)
    is_older = (waits(before), before.id >= QUEUE_START, before.id < claimed_id(InboxRow))
    return Prepared(
        claiming(InboxRow, waits, *conditions, more=[exists().where(*is_older).label("older")])
    )


_KEPT = FieldForms(KeptMail, ("envelope", "queue_was_empty", "is_oldest"))
_ALL_BUT_RAW = [each for each in InboxRow.__table__.columns if each.key != "raw"]


def _kept(
    row: Row[Any] | InboxRow, *, queue_was_empty: bool = False, is_oldest: bool = False
) -> KeptMail:
    envelope = row.envelope_sender.lower()
    return _KEPT.read(row, envelope=envelope, queue_was_empty=queue_was_empty, is_oldest=is_oldest)


_CHANGE = (
    update(OutboxRow)
    .where(OutboxRow.id == bindparam("message"), waits(OutboxRow))
    .returning(OutboxRow.recipient)
)

_SEND_LOCK = 0x706F7374  # "post": the number of PostgreSQL's advisory lock on claims of messages
_TURN = Prepared(
    select(
        func.set_config("synchronous_commit", "off", True),
        func.pg_advisory_xact_lock(_SEND_LOCK),
    )
)
"""Wait until concurrent claims are committed and seen.

A claim need not be on disk: a loser has sent nothing, or sends it again.
"""


SYNC_SECONDS = 0.5
"""The most seconds of sending that a loss of power has sent once more."""


class StoredSendQueue:
    """The outbox for sending: each call is a transaction of *holder*.

    *seconds* is a monotonic clock.
    """

    def __init__(
        self,
        engine: Engine,
        holder: str,
        limits: SendLimits = NO_LIMITS,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._engine = engine
        self._holder = holder
        self._limits = limits
        self._seconds = seconds
        self._is_limited = bool(limits.an_hour or limits.a_day)
        self._queue_start = QueueStart(OutboxRow)
        self._synced: float | None = None
        """When a message was last noted as sent on the disk, with another one to follow."""
        self._ranks_until: datetime | None = None
        """Until then the relay is taken for one that does not take everything at once."""

    def claim(self, now: datetime, until: datetime) -> QueuedMessage | None:
        is_single = is_sqlite(self._engine) and not self._is_limited
        with writing(self._engine, single=is_single, outlasts_power=False) as connection:
            # On SQLite a writing transaction is alone anyway.
            if not is_sqlite(connection):
                _TURN.run(connection, {})
            found = self._take(connection, now, until)
            connection.commit()
        return self._claimed(found, now, until)

    def _take(self, connection: Connection, now: datetime, until: datetime) -> Sequence[Any]:
        ranking = self._ranking(connection, now)
        if ranking is None:
            return ()
        values: dict[str, object] = {"now": now, "by": self._holder, "until": until}
        values |= {"soon": now + _SOON, "queue_start": self._queue_start.number(connection)}
        found = _claim_to_send(ranking).rows(connection, values)
        if found and self._is_limited:
            _COUNT.run(connection, {"key": _GIVEN, "at": now})
        return found

    def _claimed(
        self, found: Sequence[Any], now: datetime, until: datetime
    ) -> QueuedMessage | None:
        if not found:
            return None
        after_refusal = bool(found[0].pauses)
        if after_refusal:
            self._ranks_until = now + _RANKS_FOR
        try:
            return _message(
                found[0], queue_was_empty=not found[0].others, after_refusal=after_refusal
            )
        except Exception as fault:
            # What cannot be read of a row cannot be sent; the others go.
            self.give_up(OutboxId(found[0].id), now, f"cannot be read: {type(fault).__name__}")
            return self.claim(now, until)

    def _ranking(self, connection: Connection, now: datetime) -> "Ranking | None":
        """Which messages may go; None: no more for now."""
        if not self._is_limited:
            is_slow = self._ranks_until is not None and now < self._ranks_until
            return Ranking.URGENT_FIRST if is_slow else Ranking.NONE
        asked = {"hour": now - _HOUR, "day": now - _DAY}
        (given,) = _GIVEN_LATELY.rows(connection, asked)
        limits = [(given.hour, self._limits.an_hour), (given.day, self._limits.a_day)]
        if any(most and number >= most for number, most in limits):
            return None
        # Others may go while enough is left for what is urgent, and not all of a day at once.
        limits.append((given.hour, -(-self._limits.a_day // _BULK_OF_DAY_AN_HOUR)))
        is_left = all(not most or _OF * number < _BULK * most for number, most in limits)
        return Ranking.URGENT_FIRST if is_left else Ranking.URGENT_ONLY

    def sent(self, message: OutboxId, now: datetime) -> None:
        self._change(message, _ended(), state=OutboxState.SENT, ended=now, why=None)

    def sent_one(self, message: OutboxId, now: datetime, until: datetime) -> QueuedMessage | None:
        if not is_sqlite(self._engine):
            # There a claim waits for other processes, and what is sent must not wait with it.
            self.sent(message, now)
            return self.claim(now, until)
        # While others follow, the disk is waited for now and then: a process that dies loses
        # nothing, and after a loss of power what was sent since then goes once more.
        seconds = self._seconds()
        is_synced = self._synced is None or seconds - self._synced >= SYNC_SECONDS
        with writing(self._engine, outlasts_power=is_synced) as connection:
            values = {"state": OutboxState.SENT, "ended": now, "why": None}
            self._change_in(connection, message, _ended(), values)
            found = self._take(connection, now, until)
            if found or is_synced:
                connection.commit()
        if is_synced:
            self._synced = seconds
        elif not found:  # the last one, which nothing would have synced later
            self.sent(message, now)
        return self._claimed(found, now, until)

    def later(self, message: OutboxId, due: datetime, why: str, *, counts: bool) -> None:
        self._change(message, _LATER if counts else _AGAIN, due=due, why=why)
        if not counts:
            self._uncount()

    def expire(self, message: OutboxId, now: datetime) -> None:
        self._change(message, _ended(), state=OutboxState.DROPPED, ended=now, why="too late")
        self._uncount()

    def pause(
        self, message: OutboxId, now: datetime, why: str, *, lasting: bool, counts: bool
    ) -> datetime:
        self._ranks_until = now + _RANKS_FOR
        with writing(self._engine) as connection:
            if not is_sqlite(connection):
                _TURN.run(connection, {})
            relay = connection.execute(_RELAY).one_or_none()
            pauses = 0 if relay is None else relay.pauses
            since = now if relay is None or not pauses else relay.since
            until: datetime | None = None if relay is None else relay.paused_until
            # What others were told at the same time is the same pause.
            if until is None or until <= now:
                until = now + min(FIRST_PAUSE * 2 ** min(pauses, _MAX_DOUBLED), LONGEST_PAUSE)
                pauses += 1
            told = None if relay is None else relay.told
            is_news = (lasting or pauses > PAUSES_UNTOLD) and (told is None or told < since)
            paused = {"why": why, "paused_until": until, "pauses": pauses, "since": since}
            _note(connection, relay, now, paused, is_news=is_news)
            change = _LATER if counts else _AGAIN
            after_others = {"due": until + _AFTER_OTHERS, "why": why}
            self._change_in(connection, message, change, after_others)
            connection.commit()
        self._uncount()
        return until

    def resume(self) -> None:
        with writing(self._engine) as connection:
            connection.execute(update(RelayRow).values(paused_until=None, pauses=0))
            connection.commit()

    def refused(self, now: datetime, why: str) -> None:
        with writing(self._engine) as connection:
            relay = connection.execute(_RELAY).one_or_none()
            _note(connection, relay, now, {"why": why}, is_news=True)
            connection.commit()

    def _uncount(self) -> None:
        """Uncount a message that the relay was not given, or did not take."""
        if self._is_limited:
            newest = select(func.max(CountRow.id)).where(CountRow.key == _GIVEN).scalar_subquery()
            with writing(self._engine) as connection:
                connection.execute(delete(CountRow).where(CountRow.id == newest))
                connection.commit()

    def give_up(
        self, message: OutboxId, now: datetime, why: str, bounce: Bounce | None = None
    ) -> None:
        counted = None if bounce is None else (bounce, now)
        changes = {"state": OutboxState.GIVEN_UP, "ended": now, "why": why}
        self._change(message, _ended(), counted, **changes)

    def _change(
        self,
        message: OutboxId,
        change: Prepared,
        counted: tuple[Bounce, datetime] | None = None,
        **changes: object,
    ) -> None:
        """Change a waiting message and end its claim. Raises Stale if it waits no more.

        *counted* is a bounce of its address, with its instant.
        """
        with writing(self._engine, single=counted is None) as connection:
            changed = self._change_in(connection, message, change, changes)
            if counted is not None:
                count_bounce(connection, changed.recipient, *counted)
            connection.commit()

    def _change_in(
        self,
        connection: Connection,
        message: OutboxId,
        change: Prepared,
        changes: Mapping[str, object],
    ) -> Any:  # noqa: ANN401 - a row
        values = {"message": message, "holder": None, "claimed_until": None, **changes}
        changed = change.rows(connection, values)
        if not changed:
            raise Stale(_WAITS_NO_MORE.format(message))
        return changed[0]


_LATER = Prepared(_CHANGE)
_AGAIN = Prepared(_CHANGE.values(tries=OutboxRow.tries - 1))


@cache
def _ended() -> Prepared:
    """The change of a finished message; one to a forgotten person is emptied."""
    columns = OutboxRow.__table__.c
    left = {
        name: case(
            (OutboxRow.held_for.is_not(None), literal(value, columns[name].type)),
            else_=columns[name],
        )
        for name, value in EMPTIED.items()
    }
    return Prepared(_CHANGE.values(**left))


_RELAY = select(RelayRow.__table__)
_TOLD_ONCE_IN = timedelta(days=1)


def _note(
    connection: Connection,
    relay: Row[Any] | None,
    now: datetime,
    changes: Mapping[str, object],
    *,
    is_news: bool,
) -> None:
    """Change the relay's row; of news the keeper hears once a day."""
    if relay is None:
        first = {"id": 1, "pauses": 0, "is_untold": is_news, **changes}
        connection.execute(insert(RelayRow).values(**first))
        return
    is_due = is_news and (relay.told is None or relay.told <= now - _TOLD_ONCE_IN)
    marks = {"is_untold": relay.is_untold or is_due}
    connection.execute(update(RelayRow).values(**changes, **marks))


_WAITS_NO_MORE = "message {} does not wait any more"
_GIVEN = "relay"
"""The count's key for messages that the relay was given, where that has a limit."""
_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)
_GIVEN_LATELY = Prepared(
    select(
        *(
            select(func.count())
            .where(CountRow.key == _GIVEN, CountRow.at > bindparam(since, type_=Instant()))
            .scalar_subquery()
            .label(since)
            for since in ("hour", "day")
        )
    )
)
_COUNT = Prepared(insert(CountRow))
_BULK, _OF = 3, 4
"""The share of a limit that messages may use which are not urgent."""
_BULK_OF_DAY_AN_HOUR = 8
"""Which part of a day's limit they may use in an hour."""
_MAX_DOUBLED = 10
_RANKS_FOR = timedelta(hours=1)
_SOON = timedelta(minutes=2)
"""A message that is due so soon keeps later ones to the same reader waiting."""
_AFTER_OTHERS = timedelta(minutes=1)
"""What a message waits longer than others which the relay has refused to all of them."""


class Ranking(Enum):
    """In which order messages go, each reader's in that of their writing."""

    NONE = auto()
    URGENT_FIRST = auto()
    URGENT_ONLY = auto()


@cache
def _claim_to_send(ranking: Ranking = Ranking.NONE) -> Prepared:
    """The claim of the oldest due message, after older ones to the same reader."""
    older, urgent = aliased(OutboxRow), aliased(OutboxRow)
    goes_before = exists().where(
        older.id >= QUEUE_START,
        older.id < OutboxRow.id,
        waits(older),
        older.recipient == OutboxRow.recipient,
        or_(
            ~nobody_holds(older),
            and_(older.due > NOW, older.due <= bindparam("soon", type_=Instant())),
        ),
    )
    # Found by its number: anyone who reads plans sees no table read whole.
    is_it = RelayRow.id == literal_column("1", Integer())
    pauses = select(RelayRow.pauses).where(is_it).scalar_subquery()
    is_paused = exists().where(is_it, RelayRow.paused_until > NOW)
    # Older messages to a reader of an urgent one go with it.
    is_urgent = OutboxRow.recipient.in_(
        select(urgent.recipient).where(
            urgent.id >= QUEUE_START,
            _is_free(urgent),
            or_(urgent.yields_until.is_(None), urgent.yields_until <= NOW),
        )
    )
    conditions = [~goes_before, ~is_paused]
    if ranking is Ranking.URGENT_ONLY:
        conditions.append(is_urgent)
    return Prepared(
        claiming(
            OutboxRow,
            _is_due,
            *conditions,
            is_other=_is_free,
            goes_first=is_urgent if ranking is Ranking.URGENT_FIRST else None,
            more=(pauses.label("pauses"),),
        )
    )


def _is_due(message: type[OutboxRow]) -> ColumnElement[bool]:
    return and_(waits(message), message.due <= NOW)


def _is_free(message: type[OutboxRow]) -> ColumnElement[bool]:
    return and_(_is_due(message), nobody_holds(message))


@dataclass(frozen=True, slots=True)
class Queues:
    """How many mails and messages wait, and since when the oldest of each."""

    mails: int
    oldest_mail: datetime | None
    messages: int
    oldest_message: datetime | None


def refusal_of_relay(connection: Connection) -> tuple[datetime, str] | None:
    """Return until when the relay is offered nothing, and why; None if it takes messages."""
    row = connection.execute(_RELAY).one_or_none()
    return None if row is None or row.paused_until is None else (row.paused_until, row.why)


@dataclass(frozen=True, slots=True)
class KnownPerson:
    """Somebody whose address is confirmed, for the keeper's list."""

    name: str
    registered: datetime
    addresses: tuple[str, ...]


def banned(connection: Connection) -> frozenset[str]:
    """Return the addresses and domains whose mails the judge does not take."""
    return frozenset(connection.scalars(select(BanRow.entry)))


class KeeperQueues:
    """The queues for the keeper: each call is a transaction."""

    def __init__(self, engine: Engine, clock: Callable[[], datetime]) -> None:
        self._engine = engine
        self._clock = clock

    def queues(self) -> Queues:
        mails = select(func.count(), func.min(InboxRow.received)).where(
            InboxRow.state == MailState.WAITING
        )
        messages = select(func.count(), func.min(OutboxRow.made)).where(
            OutboxRow.state == OutboxState.WAITING
        )
        with reading(self._engine) as connection:
            return Queues(*connection.execute(mails).one(), *connection.execute(messages).one())

    def refusal(self) -> tuple[datetime, str] | None:
        """Until when the relay is offered nothing, and why; None if it takes messages."""
        with reading(self._engine) as connection:
            return refusal_of_relay(connection)

    def mails_aside(self) -> Sequence[KeptMail]:
        """Return the mails set aside, oldest first; passwords stand in them."""
        every = select(InboxRow).where(InboxRow.state == MailState.ASIDE).order_by(InboxRow.id)
        with reading(self._engine) as connection, Session(connection) as session:
            return [_mail(each) for each in rows(session, every)]

    def mail_aside(self, mail: MailId) -> KeptMail | None:
        one = select(InboxRow).where(InboxRow.id == mail, InboxRow.state == MailState.ASIDE)
        with reading(self._engine) as connection, Session(connection) as session:
            found = row(session, one)
            return None if found is None else _mail(found)

    def retry_mail(self, mail: MailId) -> bool:
        """Put a mail set aside back; return whether there was one."""
        return self._change_mail(
            mail, state=MailState.WAITING, tries=0, deaths=0, not_before=None, ended=None, why=None
        )

    def drop_mail(self, mail: MailId, redacted: bytes) -> bool:
        """Drop a mail set aside, replaced by *redacted*; return whether there was one."""
        known_by = select(InboxRow.recipients, InboxRow.message_id).where(InboxRow.id == mail)
        with reading(self._engine, single=True) as connection:
            found = connection.execute(known_by).one_or_none()
        if found is None:
            return False
        recipients, message_id = found
        kept = without_tokens(recipients, message_id)
        changes = {"raw": redacted, "ended": self._clock(), **kept}
        return self._change_mail(mail, state=MailState.DROPPED, **changes)

    def messages_given_up(self) -> Sequence[QueuedMessage]:
        every = (
            select(OutboxRow).where(OutboxRow.state == OutboxState.GIVEN_UP).order_by(OutboxRow.id)
        )
        with reading(self._engine) as connection, Session(connection) as session:
            return [_message(each) for each in rows(session, every)]

    def message_given_up(self, message: OutboxId) -> QueuedMessage | None:
        one = select(OutboxRow).where(
            OutboxRow.id == message, OutboxRow.state == OutboxState.GIVEN_UP
        )
        with reading(self._engine) as connection, Session(connection) as session:
            found = row(session, one)
            return None if found is None else _message(found)

    def bans(self) -> Sequence[tuple[str, datetime]]:
        """Return the addresses and domains that are kept out, and since when."""
        every = select(BanRow.entry, BanRow.since).order_by(BanRow.entry)
        with reading(self._engine) as connection:
            return [(entry, since) for entry, since in connection.execute(every)]

    def ban(self, entry: str) -> bool:
        """Keep an address or a domain out; return False if it was already."""
        if entry in {known for known, _ in self.bans()}:
            return False
        with writing(self._engine) as connection:
            connection.execute(insert(BanRow), {"entry": entry, "since": self._clock()})
            connection.commit()
        return True

    def unban(self, entry: str) -> bool:
        """Take the mails of an address or a domain again; return whether it was kept out."""
        gone = delete(BanRow).where(BanRow.entry == entry).returning(BanRow.entry)
        with writing(self._engine) as connection:
            found = connection.scalar(gone)
            connection.commit()
        return found is not None

    def people(self) -> Sequence[KnownPerson]:
        """Return everybody who is confirmed, the first to register first."""
        every = (
            select(PersonRow.name, PersonRow.registered, AddressRow.address, PersonRow.id)
            .join(AddressRow, AddressRow.person == PersonRow.id)
            .where(PersonRow.standing == AddressStanding.CONFIRMED.value)
            .order_by(PersonRow.registered, PersonRow.id, AddressRow.rank)
        )
        found: dict[str, KnownPerson] = {}
        with reading(self._engine) as connection:
            for name, registered, address, person in connection.execute(every):
                known = found.get(person) or KnownPerson(name, registered, ())
                found[person] = replace(known, addresses=(*known.addresses, address))
        return list(found.values())

    def retry_message(self, message: OutboxId) -> bool:
        """Put a message given up back; return whether there was one."""
        return self._change_message(
            message, state=OutboxState.WAITING, tries=0, deaths=0, due=self._clock(), ended=None
        )

    def drop_message(self, message: OutboxId) -> bool:
        """Drop a message given up; return whether there was one."""
        return self._change_message(message, state=OutboxState.DROPPED, ended=self._clock())

    def _change_mail(self, mail: MailId, **changes: object) -> bool:
        statement = (
            update(InboxRow)
            .where(InboxRow.id == mail, InboxRow.state == MailState.ASIDE)
            .values(**changes)
            .returning(InboxRow.id)
        )
        with writing(self._engine) as connection:
            changed = connection.scalar(statement)
            connection.commit()
        return changed is not None

    def _change_message(self, message: OutboxId, **changes: object) -> bool:
        statement = (
            update(OutboxRow)
            .where(OutboxRow.id == message, OutboxRow.state == OutboxState.GIVEN_UP)
            .values(**changes)
            .returning(OutboxRow.id)
        )
        with writing(self._engine) as connection:
            changed = connection.scalar(statement)
            connection.commit()
        return changed is not None


def _mail(found: InboxRow) -> KeptMail:
    """The keeper's view of the mail, without reply tokens."""
    sender = found.sender or found.envelope_sender
    recipients = tuple(redact_codes(each) for each in found.recipients)
    return replace(_kept(found), sender=sender, recipients=recipients)
