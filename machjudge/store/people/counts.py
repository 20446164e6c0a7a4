"""What is counted for the limits: the port `Counts`."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache

from sqlalchemy import ColumnElement, bindparam, delete, func, insert, select
from sqlalchemy.orm import Session

from machjudge.store.schema.engine import is_sqlite
from machjudge.store.schema.prepared import Prepared
from machjudge.store.schema.tables import CountRow

_KEPT = timedelta(days=8)
"""Longer than any limit looks back."""
_LOCK = 0x6D616A75
"""Keeps our advisory locks on PostgreSQL apart from others."""


_ADD = Prepared(insert(CountRow))


@lru_cache
def _lately(keys: int) -> Prepared:
    """When something happened under some keys, oldest first."""
    of_them = CountRow.key.in_([bindparam(f"key{n}") for n in range(keys)])
    since = CountRow.at > bindparam("since", type_=CountRow.at.type)
    return Prepared(select(CountRow.key, CountRow.at).where(of_them, since).order_by(CountRow.at))


class StoredCounts:
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
        return self.all_lately((key,), since)[key]

    def all_lately(
        self, keys: Collection[str], since: datetime
    ) -> Mapping[str, Sequence[datetime]]:
        """The same for several keys at once; empty where nothing happened."""
        found: dict[str, list[datetime]] = {key: [] for key in keys}
        asked = {f"key{n}": key for n, key in enumerate(found)}
        lately = _lately(len(asked))
        for key, at in lately.rows(self._session.connection(), {"since": since, **asked}):
            found[key].append(at)
        return found

    def add(self, keys: Collection[str], at: datetime) -> None:
        """Count once more under each key."""
        if keys:
            counted = [{"key": key, "at": at} for key in keys]
            _ADD.run(self._session.connection(), *counted)

    def take_back(self, keys: Collection[str], at: datetime) -> None:
        """Uncount one of the entries of that instant under each key, if there is one."""
        if not keys:
            return
        of_then = (CountRow.key.in_(list(keys)), CountRow.at == at)
        first = select(func.min(CountRow.id)).where(*of_then).group_by(CountRow.key)
        self._delete(CountRow.id.in_(first.scalar_subquery()))

    def forget(self, keys: Collection[str]) -> None:
        """Uncount everything under some keys."""
        if keys:
            self._delete(CountRow.key.in_(list(keys)))

    def forget_old(self, now: datetime) -> None:
        """Uncount what happened so long ago that no limit looks back to it."""
        self._delete(CountRow.at < now - _KEPT)

    def _delete(self, which: ColumnElement[bool]) -> None:
        gone = delete(CountRow).where(which)
        self._session.execute(gone, execution_options={"synchronize_session": False})
