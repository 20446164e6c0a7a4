"""Whether anything waits in a database, and when the judge last looked at its clock.

For whoever asks each minute and mostly hears no: it needs neither the repositories nor Alembic.
"""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, Engine, delete, exists, func, insert, or_, select, update

from machjudge.service.model.digest_hours import DIGEST_HOUR, digest_at
from machjudge.store.schema.engine import writing
from machjudge.store.schema.tables import (
    CountRow,
    GameRow,
    HeartbeatRow,
    InboxRow,
    LetterState,
    OutboxRow,
    PersonRow,
    waits,
)

_EACH = "each"
"""How it is stored that somebody wants no digest."""
_HELD = (
    select(
        PersonRow.zone,
        PersonRow.notify,
        func.coalesce(PersonRow.digest_hour, DIGEST_HOUR).label("hour"),
        func.min(OutboxRow.made).label("since"),
    )
    .join(PersonRow, PersonRow.id == OutboxRow.held_for)
    .where(OutboxRow.state == LetterState.HELD)
    .group_by(PersonRow.id, OutboxRow.recipient)
)
_CONFIRMED = "confirmed"
"""How the standing of a person is stored who waits for nothing."""
_PAGES = "web pages"
"""Under which it is counted that all web pages were looked at."""
_PAGES_EVERY = timedelta(hours=1)
"""How often they are looked at though nothing has happened: a keeper may have changed something."""
_UNDER_WAY = timedelta(minutes=2)
"""How long a transaction takes at most that has put a message into the outbox."""


def anything_waits(connection: Connection, now: datetime) -> bool:
    """Whether a tick at *now* may find something to do; at worst it looks in vain."""
    waiting = (
        exists().where(waits(InboxRow)),
        exists().where(waits(OutboxRow), OutboxRow.due <= now),
        exists().where(waits(OutboxRow), OutboxRow.holder.is_not(None)),
        exists().where(GameRow.next_look <= now),
        exists().where(PersonRow.standing != _CONFIRMED),
    )
    return bool(connection.scalar(select(or_(*waiting)))) or _digest_is_due(connection, now)


def _digest_is_due(connection: Connection, now: datetime) -> bool:
    """Whether the messages that wait for somebody's digest have waited until it."""
    return any(
        row.notify in (None, _EACH)
        or row.since > now
        or digest_at(ZoneInfo(row.zone), row.hour, row.since) <= now
        for row in connection.execute(_HELD)
    )


def pages_are_due(connection: Connection, now: datetime) -> bool:
    """Whether web pages may have to change: all that they show is told to somebody by a message."""
    known = (CountRow.key == _PAGES, CountRow.at > now - _PAGES_EVERY, CountRow.at <= now)
    looked = connection.scalar(select(func.max(CountRow.at)).where(*known))
    if looked is None:
        return True
    newest = connection.scalar(select(OutboxRow.made).order_by(OutboxRow.id.desc()).limit(1))
    return newest is not None and newest > looked - _UNDER_WAY


def note_pages(engine: Engine, now: datetime) -> None:
    """Note that the web pages are as they were to be at *now*."""
    with writing(engine) as connection:
        connection.execute(delete(CountRow).where(CountRow.key == _PAGES))
        connection.execute(insert(CountRow), {"key": _PAGES, "at": now})
        connection.commit()


def last_look(connection: Connection) -> tuple[datetime | None, timedelta | None]:
    """When somebody looked at the clock, and how long usually is between looks."""
    found = connection.execute(select(HeartbeatRow.at, HeartbeatRow.usual)).one_or_none()
    if found is None:
        return None, None
    return found.at, None if found.usual is None else timedelta(seconds=found.usual)


def note_look(engine: Engine, last: datetime, now: datetime, usual: timedelta) -> None:
    """Note a look at *now*, unless another process has looked since *last*.  Raises Stale."""
    seconds = round(usual.total_seconds())
    look = update(HeartbeatRow).where(HeartbeatRow.at == last).values(at=now, usual=seconds)
    with writing(engine) as connection:
        connection.execute(look)
        connection.commit()
