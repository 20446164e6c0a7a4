"""Where arriving mails are kept: the port `ArrivalStore`.

The instant of receipt is taken while the database's lock on arrivals is held.  So whoever asks,
at or after an instant, for mails received before it, sees them all: none comes in afterwards
with an earlier time.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache

from sqlalchemy import Connection, Engine, func, or_, select, text
from sqlalchemy.dialects import postgresql, sqlite

from machjudge.service.ports.mailbox import Arrival
from machjudge.store.schema.engine import is_sqlite, writing
from machjudge.store.schema.prepared import Prepared
from machjudge.store.schema.tables import InboxRow

_LOCK = 0x6D616368  # "mach": the number of PostgreSQL's advisory lock on arrivals

_CHANNEL = "machjudge_mail"


class Arrivals:
    """The inbox, as the mail room sees it; *clock* says when a mail is received."""

    def __init__(self, engine: Engine, clock: Callable[[], datetime]) -> None:
        self._engine = engine
        self._clock = clock

    def keep(self, arrivals: Sequence[Arrival]) -> None:
        """Keep mails in this order, all or none; a repeated delivery is only counted.

        Raises Stale or another exception of the database, and then nothing is kept.
        """
        with writing(self._engine) as connection:
            _lock_arrivals(connection)
            received = self._clock()
            for arrival in arrivals:
                _insert(connection, arrival, received)
            _call_workers(connection)
            connection.commit()


async def hear_arrivals(engine: Engine, ring: Callable[[], None]) -> None:
    """Call *ring* whenever a process on the PostgreSQL server has kept mails, until cancelled.

    Raises an exception of psycopg when the connection, which is one of its own, is lost.
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


def _call_workers(connection: Connection) -> None:
    """Wake the workers, on whatever machine, with the commit."""
    if not is_sqlite(connection):
        connection.execute(text(f"NOTIFY {_CHANNEL}"))


def _lock_arrivals(connection: Connection) -> None:
    if not is_sqlite(connection):
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})


def _key(connection: Connection, arrival: Arrival) -> str:
    """The key that a repeated delivery shares, and nothing else does.

    Without a Message-ID, the same text once more is a repeat only if its sender has sent nothing
    else in between: of A, B, A the last one counts.
    """
    if arrival.message_id:
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
    """Insert a mail, or count its repeat.  Made once: a 250 waits for it."""
    insert = sqlite.insert if on_sqlite else postgresql.insert
    return Prepared(
        insert(InboxRow).on_conflict_do_update(
            index_elements=[InboxRow.key], set_={"repeats": InboxRow.repeats + 1}
        )
    )
