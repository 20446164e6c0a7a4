"""Connections to the database: what SQLite and PostgreSQL need to keep the same promises.

SQLite: write-ahead log, every commit on disk before it returns (``synchronous=FULL``), ten seconds
of patience, and writing transactions that take their lock at the start (``BEGIN IMMEDIATE``).
"""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import ConnectionPoolEntry

from machjudge.adjudicator.names import MachjudgeError
from machjudge.service.ports import Stale

PATIENCE_SECONDS = 10
"""How long a transaction waits for another one's lock."""

_PAUSE_SECONDS = 0.02
_WRITING = "machjudge_writing"
_CONFLICTS = {"40001", "40P01", "55P03"}  # PostgreSQL: not serializable, deadlock, lock timeout
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


class DatabaseOutOfReach(MachjudgeError):
    """The database cannot be opened."""


def open_engine(url: str, *, foreign_keys: bool = True) -> Engine:
    """The engine for *url*; a SQLite file that is not there yet is made, for its owner's eyes only.

    *foreign_keys* is off only while a migration rebuilds tables.
    """
    if url.startswith("sqlite"):
        return _sqlite(url, foreign_keys=foreign_keys)
    options = f"-c lock_timeout={PATIENCE_SECONDS}s"
    return create_engine(
        make_url(url).set(drivername="postgresql+psycopg"),
        # What is written holds passwords until it is blotted: it must not show in an error.
        hide_parameters=True,
        pool_pre_ping=True,
        connect_args={"options": options},
    )


def is_sqlite(connection: Connection) -> bool:
    """Whether it is a SQLite file that is spoken to."""
    return connection.dialect.name == "sqlite"


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A transaction that sees one state of everything."""
    with _connected(engine) as connection:
        if not is_sqlite(connection):
            connection.execution_options(
                isolation_level="REPEATABLE READ", postgresql_readonly=True
            )
        with _begun(connection):
            yield connection


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A transaction that writes, and has its lock from the start; without a commit it is undone.

    Raises Stale if another transaction was in the way.
    """
    with _connected(engine) as connection:
        connection.execution_options(**{_WRITING: True})
        with _begun(connection):
            yield connection


@contextmanager
def _connected(engine: Engine) -> Iterator[Connection]:
    try:
        connection = engine.connect()
    except DBAPIError as fault:
        message = f"cannot open the database: {fault.orig}"
        raise DatabaseOutOfReach(message) from fault
    with connection:
        yield connection


@contextmanager
def _begun(connection: Connection) -> Iterator[None]:
    with _conflicts_told():
        connection.begin()
        try:
            yield
        finally:
            # Nothing is left to be undone after a commit.
            connection.rollback()


@contextmanager
def _conflicts_told() -> Iterator[None]:
    try:
        yield
    except DBAPIError as fault:
        if _is_conflict(fault):
            raise Stale(str(fault.orig)) from fault
        raise


def _is_conflict(fault: DBAPIError) -> bool:
    """Whether another transaction was in the way, so that a second attempt may succeed."""
    if isinstance(fault.orig, sqlite3.Error):
        return _is_busy(fault.orig)
    return getattr(fault.orig, "sqlstate", None) in _CONFLICTS


def _sqlite(url: str, *, foreign_keys: bool) -> Engine:
    _make_private(url)
    engine = create_engine(url, hide_parameters=True, connect_args={"timeout": PATIENCE_SECONDS})

    @event.listens_for(engine, "connect")
    def set_up(dbapi: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
        # The driver would begin transactions by itself, later than we need them.
        dbapi.isolation_level = None
        _write_ahead(dbapi)
        dbapi.execute("PRAGMA synchronous=FULL")
        # What is blotted must not stay in parts of the file that are free again.
        dbapi.execute("PRAGMA secure_delete=ON")
        dbapi.execute(f"PRAGMA foreign_keys={'ON' if foreign_keys else 'OFF'}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get(_WRITING, False)
        connection.exec_driver_sql(f"PRAGMA query_only={'OFF' if writes else 'ON'}")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _write_ahead(dbapi: sqlite3.Connection) -> None:
    """Switch a new file to write-ahead logging; SQLite has no patience of its own for that."""
    end = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            dbapi.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as fault:
            if not _is_busy(fault) or time.monotonic() > end:
                raise
            time.sleep(_PAUSE_SECONDS)
        else:
            return


def _is_busy(fault: sqlite3.Error) -> bool:
    return getattr(fault, "sqlite_errorcode", 0) & 0xFF in _BUSY


def _make_private(url: str) -> None:
    """Make the file with a mode under which nobody else reads it; SQLite's own files follow it."""
    name = make_url(url).database
    if name and name != ":memory:" and not name.startswith("file:"):
        with suppress(OSError):  # what is wrong with the path, opening it will tell
            Path(name).touch(mode=0o600, exist_ok=True)
