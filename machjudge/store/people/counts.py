"""What is counted for the limits: the port `Counts`."""

from collections.abc import Collection, Iterable, Mapping, Sequence
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


_SINCE = CountRow.at > bindparam("since", type_=CountRow.at.type)
_UNTIL = CountRow.at <= bindparam("until", type_=CountRow.at.type)


@lru_cache
def _turn(keys: int) -> Prepared:
    """Wait for whoever counts for some keys, one after the other."""
    hashed = (func.hashtext(bindparam(f"key{n}", type_=CountRow.key.type)) for n in range(keys))
    return Prepared(select(*(func.pg_advisory_xact_lock(_LOCK, each) for each in hashed)))


@lru_cache
def _lately(keys: int) -> Prepared:
    """When something happened under some keys, oldest first."""
    found = select(CountRow.key, CountRow.at).where(_of(keys), _SINCE)
    return Prepared(found.order_by(CountRow.at))


@lru_cache
def _numbers(keys: int) -> Prepared:
    """How often something happened under some keys; none where never."""
    found = select(CountRow.key, func.count()).where(_of(keys), _SINCE, _UNTIL)
    return Prepared(found.group_by(CountRow.key))


def _of(keys: int) -> ColumnElement[bool]:
    return CountRow.key.in_([bindparam(f"key{n}") for n in range(keys)])


def _asked(keys: Iterable[str]) -> dict[str, object]:
    return {f"key{n}": key for n, key in enumerate(keys)}


class StoredCounts:
    """Counted instants in one transaction."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def lock(self, keys: Collection[str]) -> None:
        """Until the transaction ends, nobody else counts for these keys.

        On SQLite a writing transaction is alone anyway.
        """
        if keys and not is_sqlite(self._session.connection()):
            # In one order, so that no two transactions wait for each other.
            _turn(len(keys)).run(self._session.connection(), _asked(sorted(keys)))

    def all_lately(
        self, keys: Collection[str], since: datetime
    ) -> Mapping[str, Sequence[datetime]]:
        """When it happened after *since* under each key, oldest first; empty where never."""
        found: dict[str, list[datetime]] = {key: [] for key in keys}
        asked = _asked(found)
        lately = _lately(len(asked))
        for key, at in lately.rows(self._session.connection(), {"since": since, **asked}):
            found[key].append(at)
        return found

    def numbers(self, keys: Collection[str], since: datetime, until: datetime) -> Mapping[str, int]:
        """How often it happened after *since* and up to *until* under each key."""
        found = dict.fromkeys(keys, 0)
        asked = {**_asked(found), "since": since, "until": until}
        return found | dict(_numbers(len(found)).rows(self._session.connection(), asked))

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
