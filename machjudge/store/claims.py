"""Claims on rows that several processes work through: one statement, the same on both databases.

``UPDATE … WHERE id = (SELECT …) RETURNING``: on PostgreSQL the inner part passes over rows that
somebody else is just claiming; SQLite has one writer at a time.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import TypeVar

from sqlalchemy import ColumnElement, and_, or_, select, update
from sqlalchemy.orm import Session

from machjudge.store.holder import is_gone
from machjudge.store.tables import InboxRow, LetterState, MailState, OutboxRow

Claimable = TypeVar("Claimable", InboxRow, OutboxRow)


def claim_first(
    session: Session,
    table: type[Claimable],
    conditions: Sequence[ColumnElement[bool]],
    holder: str,
    until: datetime,
) -> Claimable | None:
    """Claim the first row, by number, that fulfils *conditions*; its tries go up by one."""
    first = (
        select(table.id)
        .where(*conditions)
        .order_by(table.id)
        .limit(1)
        .with_for_update(skip_locked=True)
        .scalar_subquery()
    )
    claim = (
        update(table)
        .where(table.id == first)
        .values(tries=table.tries + 1, holder=holder, claimed_until=until)
        .returning(table)
        .execution_options(synchronize_session=False, populate_existing=True)
    )
    return session.scalars(claim).one_or_none()


def nobody_holds(table: type[Claimable], now: datetime) -> ColumnElement[bool]:
    """Whether a row is free for a claim at *now*."""
    return or_(table.claimed_until.is_(None), table.claimed_until <= now)


def release_dead(session: Session) -> int:
    """End the claims of processes that are known to be gone; how many there were."""
    mails = and_(InboxRow.state == MailState.WAITING, InboxRow.holder.is_not(None))
    letters = and_(OutboxRow.state == LetterState.WAITING, OutboxRow.holder.is_not(None))
    return _release(session, InboxRow, mails) + _release(session, OutboxRow, letters)


def _release(session: Session, table: type[Claimable], held: ColumnElement[bool]) -> int:
    holders = session.scalars(select(table.holder).where(held).distinct()).all()
    gone = [holder for holder in holders if holder is not None and is_gone(holder)]
    released = session.scalars(
        update(table)
        .where(held, table.holder.in_(gone))
        .values(holder=None, claimed_until=None)
        .returning(table.id)
        .execution_options(synchronize_session=False)
    )
    return len(released.all())
