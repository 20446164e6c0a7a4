"""Claims on rows that several processes work through: one statement, the same on both databases.

``UPDATE … WHERE id = (SELECT …) RETURNING``: on PostgreSQL the inner part passes over rows that
somebody else is just claiming; SQLite has one writer at a time.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, TypeVar

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Integer,
    and_,
    bindparam,
    case,
    exists,
    func,
    literal_column,
    or_,
    select,
    update,
)
from sqlalchemy.orm import Session, aliased
from sqlalchemy.sql.dml import ReturningUpdate

from machjudge.store.schema.columns import Instant
from machjudge.store.schema.holder import is_gone
from machjudge.store.schema.overdue import NOW
from machjudge.store.schema.tables import InboxRow, OutboxRow, waits

Claimable = TypeVar("Claimable", InboxRow, OutboxRow)

SUSPECT = 2
"""With how many deaths a row comes after all others."""
FLOOR: BindParameter[int] = bindparam("floor", type_=Integer())
"""From which number on a statement looks at rows that wait."""
_NONE = timedelta(0)
_LONGEST_REST = timedelta(minutes=5)


def claiming(
    table: type[Claimable],
    is_ready: Callable[[type[Claimable]], ColumnElement[bool]],
    *conditions: ColumnElement[bool],
    is_other: Callable[[type[Claimable]], ColumnElement[bool]] | None = None,
) -> ReturningUpdate[Any]:
    """The statement that claims the first row, by number, that is ready and fulfils *conditions*.

    Its parameters are ``now``, ``by``, ``until``, ``floor`` and those of *conditions*.  It returns
    the row, whose tries have gone up by one, and ``others``: whether another row *is_other* (ready,
    if nothing is said).

    What several processes died with comes after everything else.  A claim that is taken over is
    no try: whoever held it is dead.
    """
    other = aliased(table)
    counts = (is_other or is_ready)(other)
    others = exists().where(counts, other.id != claimed_id(table), other.id >= FLOOR)
    died = case((table.claimed_until.is_(None), 0), else_=1)
    free = (
        select(table.id)
        .where(table.id >= FLOOR, is_ready(table), nobody_holds(table), *conditions)
        .order_by(table.id)
        .limit(1)
        .with_for_update(skip_locked=True)
    )
    suspect = is_suspect(table)
    # Two looks by number, and the second one only in need: one look, ordered by suspicion, would
    # have to see all rows that wait.
    first = func.coalesce(
        free.where(~suspect).scalar_subquery(), free.where(suspect).scalar_subquery()
    )
    return (
        update(table)
        .where(table.id == first)
        .values(
            tries=table.tries + 1 - died,
            deaths=table.deaths + died,
            holder=bindparam("by"),
            claimed_until=bindparam("until", type_=Instant()),
        )
        .returning(*table.__table__.columns, others.label("others"))
    )


def claimed_id(table: type[Claimable]) -> ColumnElement[int]:
    """The number of the claimed row, for a subquery in what the statement returns.

    SQLAlchemy leaves out the names of tables there, and the number would be the subquery's own.
    """
    return literal_column(f"{table.__tablename__}.id", Integer())


def nobody_holds(table: type[Claimable]) -> ColumnElement[bool]:
    """Whether a row is free for a claim at ``now``."""
    return or_(table.claimed_until.is_(None), table.claimed_until <= NOW)


def is_suspect(table: type[Claimable]) -> ColumnElement[bool]:
    """Whether so many processes died with a row that it may be the cause."""
    return table.deaths >= SUSPECT


def is_passed_over(mail: type[InboxRow]) -> ColumnElement[bool]:
    """Whether nobody waits for a mail: its last try failed, or processes died with it."""
    return or_(mail.why.is_not(None), is_suspect(mail))


def rest_after(deaths: int) -> timedelta:
    """How long a row rests after a death, so that a bad hour of the machine is none of the row.

    Not after the first: power fails once in a while.
    """
    return min(timedelta(minutes=2 ** (deaths - SUSPECT)), _LONGEST_REST) if deaths > 1 else _NONE


def release_own(session: Session, holder: str) -> int:
    """End the claims of a process that has lost what it had in hand; how many there were."""
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
    """End the claims of processes that are known to be gone; how many there were."""
    mails = and_(waits(InboxRow), InboxRow.holder.is_not(None))
    letters = and_(waits(OutboxRow), OutboxRow.holder.is_not(None))
    released = _release(session, InboxRow, mails)
    for mail, deaths in released:
        rest = update(InboxRow).where(InboxRow.id == mail)
        session.execute(rest.values(not_before=now + rest_after(deaths)))
    released_letters = _release(session, OutboxRow, letters)
    for letter, deaths in released_letters:
        rest = update(OutboxRow).where(OutboxRow.id == letter)
        session.execute(rest.values(due=now + rest_after(deaths)))
    return len(released) + len(released_letters)


def _release(
    session: Session, table: type[Claimable], held: ColumnElement[bool]
) -> list[tuple[int, int]]:
    """The released rows: their numbers, and how many processes died with each."""
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
