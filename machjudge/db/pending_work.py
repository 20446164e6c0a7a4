"""Find out if work waits in a database, without the repositories and Alembic."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, Engine, delete, exists, func, insert, or_, select, update

from machjudge.db.engine import writing
from machjudge.db.tables import (
    CountRow,
    GameRow,
    HeartbeatRow,
    InboxRow,
    MailboxRow,
    OutboxRow,
    OutboxState,
    PersonRow,
    RelayRow,
    waits,
)
from machjudge.judge.tick_times import DIGEST_HOUR, Looks, digest_at

_EACH = "each"
"""The stored form of a person without a digest."""
_HELD = (
    select(
        PersonRow.zone,
        PersonRow.notify,
        func.coalesce(PersonRow.digest_hour, DIGEST_HOUR).label("hour"),
        func.min(OutboxRow.made).label("since"),
    )
    .join(PersonRow, PersonRow.id == OutboxRow.held_for)
    .where(OutboxRow.state == OutboxState.HELD)
    .group_by(PersonRow.id, OutboxRow.recipient)
)
_CONFIRMED = "confirmed"
"""The stored standing of a person who waits for nothing."""
TEXTS_FORGOTTEN = "texts forgotten"
"""The count's key for the look at old texts."""
_TEXTS_EVERY = timedelta(days=1)
_PAGES = "web pages"
"""The count's key for the look at all web pages."""
_PAGES_EVERY = timedelta(hours=1)
"""The interval for web pages without events: the keeper may have changed something."""
_UNDER_WAY = timedelta(minutes=2)
"""The longest transaction that puts a message into the outbox."""


def anything_waits(connection: Connection, now: datetime) -> bool:
    """Return whether a tick at *now* may find something to do; at worst it looks in vain."""
    is_paused = exists().where(RelayRow.paused_until > now)
    waiting = (
        exists().where(waits(InboxRow)),
        exists().where(waits(OutboxRow), OutboxRow.due <= now, ~is_paused),
        exists().where(RelayRow.is_untold),
        exists().where(waits(OutboxRow), OutboxRow.holder.is_not(None)),
        exists().where(GameRow.next_look <= now),
        exists().where(PersonRow.standing != _CONFIRMED),
    )
    return bool(connection.scalar(select(or_(*waiting)))) or _digest_is_due(connection, now)


def _digest_is_due(connection: Connection, now: datetime) -> bool:
    return any(
        row.notify in (None, _EACH)
        or row.since > now
        or digest_at(ZoneInfo(row.zone), row.hour, row.since) <= now
        for row in connection.execute(_HELD)
    )


def pages_are_due(connection: Connection, now: datetime) -> bool:
    """Return whether web pages may have to change; each change comes with a message."""
    known = (CountRow.key == _PAGES, CountRow.at > now - _PAGES_EVERY, CountRow.at <= now)
    looked = connection.scalar(select(func.max(CountRow.at)).where(*known))
    if looked is None:
        return True
    newest = connection.scalar(select(OutboxRow.made).order_by(OutboxRow.id.desc()).limit(1))
    return newest is not None and newest > looked - _UNDER_WAY


def note_pages(engine: Engine, now: datetime) -> None:
    """Note that the web pages are up to date for *now*."""
    with writing(engine) as connection:
        connection.execute(delete(CountRow).where(CountRow.key == _PAGES))
        connection.execute(insert(CountRow), {"key": _PAGES, "at": now})
        connection.commit()


def heard_until(connection: Connection, mailbox: str, now: datetime) -> datetime:
    """Return the instant at or before *now* up to which all mails in a mailbox are kept.

    Never before the last recorded look at the clock: what was decided until then stays.
    """
    looked = select(MailboxRow.looked).where(MailboxRow.name == mailbox).scalar_subquery()
    last = select(HeartbeatRow.at).scalar_subquery()
    found = connection.execute(select(looked.label("looked"), last.label("last"))).one()
    if found.looked is None:
        return now
    known: datetime = max(found.looked, found.last or found.looked)
    return min(now, known)


def is_watched(connection: Connection, mailbox: str, now: datetime) -> bool:
    """Return whether a process looks at a mailbox, as far as its claim says."""
    claimed = exists().where(MailboxRow.name == mailbox, MailboxRow.claimed_until > now)
    return bool(connection.scalar(select(claimed)))


def looks_in(connection: Connection) -> Looks:
    """Return the recorded looks at the clock."""
    row = select(HeartbeatRow.at, HeartbeatRow.usual, HeartbeatRow.missed)
    found = connection.execute(row).one_or_none()
    if found is None:
        return Looks()
    usual = None if found.usual is None else timedelta(seconds=found.usual)
    return Looks(found.at, usual, timedelta(seconds=found.missed or 0))


def note_look(engine: Engine, before: Looks, after: Looks) -> None:
    """Note a look, unless another process has looked since the one *before*.  Raises Stale."""
    usual = None if after.usual is None else round(after.usual.total_seconds())
    missed = round(after.missed.total_seconds())
    look = update(HeartbeatRow).where(HeartbeatRow.at == before.last)
    look = look.values(at=after.last, usual=usual, missed=missed)
    with writing(engine) as connection:
        connection.execute(look)
        connection.commit()


def may_forget(connection: Connection, now: datetime) -> bool:
    """Return whether no look for old texts was made in the last day."""
    lately = exists().where(
        CountRow.key == TEXTS_FORGOTTEN, CountRow.at > now - _TEXTS_EVERY, CountRow.at <= now
    )
    return not connection.scalar(select(lately))
