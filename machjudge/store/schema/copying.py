"""A copy of a SQLite database, made while others use it, and put back while nobody does."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from secrets import token_hex

from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool

from machjudge.adjudicator.model.names import MachjudgeError
from machjudge.store.schema.standing import SchemaStanding, standing

_OWNER_ONLY = 0o600
_SOUND = "ok"


class CopyFailed(MachjudgeError):
    """A database that could not be copied, or put back; nothing was changed."""


def sync_folder(folder: Path) -> None:
    """Have the names in a folder on disk, so that no loss of power takes a new one back."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def copy(database: Path, file: Path) -> None:
    """Copy a database as it stands at one instant into a new file, which only its owner reads.

    The file is sound and on disk when it has its name.  Raises CopyFailed.
    """
    new = file.with_name(f"{file.name}.{token_hex(8)}.new")
    with _told(file):
        os.close(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY))
        try:
            with closing(sqlite3.connect(database)) as here, closing(sqlite3.connect(new)) as there:
                here.backup(there)
                # A copy is one file, without others beside it.
                there.execute("PRAGMA journal_mode=DELETE")
                _expect_sound(there, new)
            _sync(new)
            os.link(new, file)
            sync_folder(file.parent)
        finally:
            with suppress(FileNotFoundError):
                new.unlink()


def standing_of(file: Path, steps: Path) -> SchemaStanding:
    """Where a copy stands, which is only read; *steps* is the folder of the migrations.

    Raises CopyFailed if it is no database, or broken.
    """
    with _told(file), closing(_read_only(file)) as opened:
        _expect_sound(opened, file)
    engine = create_engine("sqlite://", creator=lambda: _read_only(file), poolclass=NullPool)
    with engine.connect() as connection:
        return standing(connection, steps)


def put_back(file: Path, database: Path) -> None:
    """Put a sound copy in the place of a database that nobody uses; what was there is gone.

    Either all of it or nothing happens.  Raises CopyFailed.
    """
    with _told(database):
        if not database.exists():
            database.touch(mode=_OWNER_ONLY)
        with closing(_read_only(file)) as copied, closing(sqlite3.connect(database, 1)) as here:
            _expect_unused(here, database)
            copied.backup(here)
        sync_folder(database.parent)


def expect_file_unused(database: Path) -> None:
    """Refuse a database that another process has open.  Raises CopyFailed."""
    with _told(database), closing(sqlite3.connect(database, 1)) as here:
        _expect_unused(here, database)


def _read_only(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)


def _expect_unused(connection: sqlite3.Connection, database: Path) -> None:
    """Refuse a database that another process has open: the switch from its log wants it alone."""
    try:
        connection.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.OperationalError as fault:
        message = f"{database} is in use: stop serve, worker and tick first"
        raise CopyFailed(message) from fault


def _expect_sound(connection: sqlite3.Connection, file: Path) -> None:
    (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if found != _SOUND:
        message = f"{file} is broken: {found}"
        raise CopyFailed(message)


def _sync(file: Path) -> None:
    descriptor = os.open(file, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def _told(file: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.Error) as fault:
        why = fault.strerror if isinstance(fault, OSError) else fault
        message = f"{file} cannot be used: {why}"
        raise CopyFailed(message) from fault
