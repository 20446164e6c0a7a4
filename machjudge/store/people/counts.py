"""What is counted for the limits: the port `Counts`."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from machjudge.store.schema.engine import is_sqlite
from machjudge.store.schema.tables import CountRow

_KEPT = timedelta(days=8)
"""Longer than any limit looks back."""
_LOCK = 0x6D616A75
"""Keeps our advisory locks on PostgreSQL apart from others."""


class Counts:
    """Counted instants in one transaction."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def lock(self, keys: Collection[str]) -> None:
        """Until the transaction ends, nobody else counts for these keys.

        On SQLite a writing transaction is alone anyway.
        """
        if is_sqlite(self._session.connection()):
            return
        for key in sorted(keys):
            self._session.execute(select(func.pg_advisory_xact_lock(_LOCK, func.hashtext(key))))

    def lately(self, key: str, since: datetime) -> Sequence[datetime]:
        """When it happened after *since*, oldest first."""
        wanted = select(CountRow.at).where(CountRow.key == key, CountRow.at > since)
        return self._session.scalars(wanted.order_by(CountRow.at)).all()

    def add(self, key: str, at: datetime) -> None:
        """Count once more; what happened long ago goes."""
        self._session.execute(delete(CountRow).where(CountRow.at < at - _KEPT))
        self._session.add(CountRow(key=key, at=at))
        self._session.flush()

    def take_back(self, key: str, at: datetime) -> None:
        """Uncount one of the entries of that instant."""
        one = select(CountRow.id).where(CountRow.key == key, CountRow.at == at).limit(1)
        self._session.execute(delete(CountRow).where(CountRow.id == one.scalar_subquery()))

    def forget(self, key: str) -> None:
        """Uncount everything under a key."""
        self._session.execute(delete(CountRow).where(CountRow.key == key))
