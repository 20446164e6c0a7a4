"""Reading and adding rows, always as the database has them now.

A session remembers the rows it has read; after statements that change them behind its back they
would be stale, so every reading refreshes them.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TypeVar

from sqlalchemy import Connection, Select, insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from machjudge.service.ports.interfaces import Stale
from machjudge.store.schema.prepared import Prepared
from machjudge.store.schema.tables import Base

T = TypeVar("T")


class OnConnection(Session):
    """A session for as long as a transaction of its connection; it begins none of its own."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection, autoflush=False, expire_on_commit=False)
        self._connection = connection

    def connection(self, *_: object, **__: object) -> Connection:
        """The connection."""
        return self._connection


FRESH = {"populate_existing": True}


def rows(session: Session, statement: Select[T]) -> Sequence[T]:
    """All rows that *statement* selects."""
    return session.scalars(statement, execution_options=FRESH).all()


def row(session: Session, statement: Select[T]) -> T | None:
    """The first row that *statement* selects."""
    return session.scalars(statement.limit(1), execution_options=FRESH).one_or_none()


def add_rows(
    session: Session, table: type[Base], values: Sequence[Mapping[str, object]], taken: str
) -> None:
    """Add rows.  Raises Stale, with *taken* as its message, if one of them is there already."""
    if not values:
        return
    try:
        _adding(table).run(session.connection(), *values)
    except IntegrityError as fault:
        raise Stale(taken) from fault


@cache
def _adding(table: type[Base]) -> Prepared:
    return Prepared(insert(table))
