"""Figures for monitoring, migrations, copies of a database and moving it."""

import fcntl
import os
import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from pathlib import Path
from secrets import token_hex
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import (
    ColumnElement,
    Connection,
    Table,
    case,
    create_engine,
    func,
    insert,
    select,
    text,
)
from sqlalchemy.orm import InstrumentedAttribute
from sqlalchemy.pool import NullPool

from machjudge.adjudicator.names import MachjudgeError
from machjudge.db.engine import RESTORE, is_sqlite, name_of, open_engine, sync_folder, writing
from machjudge.db.schema_version import (
    SchemaStanding,
    WrongSchema,
    standing,
    step_of,
    tables_of,
)
from machjudge.db.tables import (
    AddressRow,
    Base,
    GameRow,
    HeartbeatRow,
    InboxRow,
    MailboxRow,
    MailState,
    OutboxRow,
    OutboxState,
    is_overdue,
)
from machjudge.judge.records import FORGOTTEN_AFTER, OUT_OF_REACH, Status

_ROWS_AT_ONCE = 500
_OTHERS = text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
    "AND usename = current_user AND pid <> pg_backend_pid()"
)


class CannotMove(MachjudgeError):
    """A database that cannot be moved, or not to there; nothing was changed."""


def move_rows(old: str, new: str, tell: Callable[[str], None] = lambda _: None) -> int:
    """Copy all rows of *old* into *new*, both at the newest step; return how many.

    *new* gets all or none, *old* stays; no other process may write. *tell* hears of each table.
    Raises CannotMove if *old* is in use or *new* holds rows.
    """
    sources, goals = open_engine(old), open_engine(new)
    try:
        with writing(sources) as source, writing(goals) as goal:
            # Who has a SQLite file open is seen before: see `expect_file_unused`.
            if not is_sqlite(source) and source.scalar(_OTHERS):
                message = f"{name_of(source.engine)} is in use: stop serve, worker and tick first"
                raise CannotMove(message)
            _lock(source)
            _lock(goal)
            _expect_empty(goal)
            rows = 0
            for table in Base.metadata.sorted_tables:
                moved = _move_table(source, goal, table)
                tell(f"{table.name}: {moved}")
                rows += moved
            goal.commit()
    finally:
        sources.dispose()
        goals.dispose()
    return rows


def _move_table(source: Connection, goal: Connection, table: Table) -> int:
    moved, keys = 0, table.columns.keys()
    found = source.execute(select(table), execution_options={"yield_per": _ROWS_AT_ONCE})
    for rows in found.partitions():
        goal.execute(insert(table), [dict(zip(keys, row, strict=True)) for row in rows])
        moved += len(rows)
    if table.autoincrement_column is not None:
        _go_on_after(goal, table, _last_number(source, table))
    return moved


def _gives_no_number_twice(table: Table) -> bool:
    """Return whether SQLite remembers the highest number of removed rows."""
    return bool(table.dialect_options["sqlite"]["autoincrement"])


def _last_number(source: Connection, table: Table) -> int:
    """The highest number that was ever given, as far as the database knows; 0 if there was none."""
    if is_sqlite(source) and not _gives_no_number_twice(table):
        return source.scalar(select(func.max(table.autoincrement_column))) or 0
    if is_sqlite(source):
        last = text("SELECT seq FROM sqlite_sequence WHERE name = :name")
        return source.scalar(last, {"name": table.name}) or 0
    sequence = _sequence(source, table)
    given = text(f"SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {sequence}")  # noqa: S608
    return source.scalar(given) or 0


def _go_on_after(goal: Connection, table: Table, last: int) -> None:
    if last == 0:
        return
    found: dict[str, Any] = {"name": table.name, "last": last}
    if is_sqlite(goal) and not _gives_no_number_twice(table):
        return  # the next one is one higher than those that are there
    if is_sqlite(goal):
        goal.execute(text("DELETE FROM sqlite_sequence WHERE name = :name"), found)
        goal.execute(text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :last)"), found)
    else:
        sequence = _sequence(goal, table)
        goal.execute(text("SELECT setval(:name, :last)"), {"name": sequence, "last": last})


def _sequence(connection: Connection, table: Table) -> str:
    (column,) = table.primary_key.columns
    found = {"table": table.name, "column": column.name}
    return str(connection.scalar(text("SELECT pg_get_serial_sequence(:table, :column)"), found))


def _lock(connection: Connection) -> None:
    """Lock out writers; a writing transaction on SQLite is alone anyway."""
    if not is_sqlite(connection):
        names = ", ".join(table.name for table in Base.metadata.sorted_tables)
        connection.execute(text(f"LOCK TABLE {names} IN EXCLUSIVE MODE"))


def _expect_empty(goal: Connection) -> None:
    for table in Base.metadata.sorted_tables:
        if goal.scalar(select(func.count()).select_from(select(table).limit(1).subquery())):
            message = (
                f"{name_of(goal.engine)} holds a judge already: name an empty database to move to"
            )
            raise CannotMove(message)


@dataclass(frozen=True, slots=True)
class Figures:
    """The counts at one instant; a time is None where there is nothing."""

    mails: Mapping[str, int]
    """By their state."""
    messages: Mapping[str, int]
    games: Mapping[str, int]
    overdue: int
    """Games after their deadline that are not processed."""
    out_of_reach: int
    """Addresses whose messages came back."""
    oldest_mail: datetime | None
    """When the oldest mail came in that waits."""
    oldest_message: datetime | None
    last_look: datetime | None
    """The judge's last look at its clock."""


def figures(connection: Connection, now: datetime) -> Figures:
    """The figures at *now*."""

    def oldest(
        made: InstrumentedAttribute[datetime], state: InstrumentedAttribute[Any], waits: Enum
    ) -> datetime | None:
        return connection.scalar(select(func.min(made)).where(state == waits))

    return Figures(
        mails=_by(connection, InboxRow.state, MailState),
        messages=_by(connection, OutboxRow.state, OutboxState),
        games=_by(connection, GameRow.status, Status),
        overdue=connection.scalar(select(func.count()).where(is_overdue()), {"now": now}) or 0,
        out_of_reach=connection.scalar(select(func.count()).where(*_out_of_reach(now))) or 0,
        oldest_mail=oldest(InboxRow.received, InboxRow.state, MailState.WAITING),
        oldest_message=oldest(OutboxRow.made, OutboxRow.state, OutboxState.WAITING),
        last_look=connection.scalar(select(HeartbeatRow.at)),
    )


@dataclass(frozen=True, slots=True)
class MailboxFigures:
    """How the mailbox is reached, and what is in it."""

    polled: datetime | None
    """The last look; None if there was none."""
    waiting: int
    """Mails that the last look has left."""
    connected: datetime | None
    """Since when the connection stands; None if there is none."""
    connections: int
    """How often it has been opened."""
    faulted: datetime | None
    """When it could not be looked at last."""
    why: str | None


def figures_of_mailbox(connection: Connection, name: str, now: datetime) -> MailboxFigures | None:
    """The figures of a mailbox at *now*; None if nobody has looked at it."""
    found = select(
        MailboxRow.polled,
        MailboxRow.waiting,
        # A process that was killed has no connection any more.
        case((MailboxRow.claimed_until > now, MailboxRow.connected)),
        MailboxRow.connections,
        MailboxRow.faulted,
        MailboxRow.why,
    )
    row = connection.execute(found.where(MailboxRow.name == name)).one_or_none()
    return None if row is None else MailboxFigures(*row)


def _out_of_reach(now: datetime) -> tuple[ColumnElement[bool], ...]:
    return (
        AddressRow.bounce_halves >= OUT_OF_REACH,
        AddressRow.bounced_last > now - FORGOTTEN_AFTER,
    )


def _by(
    connection: Connection, state: InstrumentedAttribute[Any], states: type[Enum]
) -> Mapping[str, int]:
    rows = connection.execute(select(state, func.count()).group_by(state))
    counted = {getattr(value, "value", value): number for value, number in rows}
    return {each.value: counted.get(each.value, 0) for each in states}


LATEST = "head"
"""The last step that this version knows."""
EMPTY = "base"
"""Before the first step."""

_LOCK = 0x6D616369  # PostgreSQL's advisory lock on taking steps


def migrate(
    url: str, steps: Path, to: str = LATEST, tell: Callable[[str], None] = lambda _: None
) -> tuple[str | None, str | None]:
    """Migrate to the step *to* in one transaction; return the old and the new step.

    *tell* hears of each step. Raises WrongSchema at an unknown step.
    """
    engine = open_engine(url, creates=True, foreign_keys=False)
    try:
        with writing(engine) as connection:
            if not is_sqlite(connection):
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
            before = step_of(connection)
            config = _config(steps)
            config.attributes |= {"connection": connection, "tell": tell}
            _take_steps(config, connection, to, before)
            after = step_of(connection)
            _check_references(connection)
            connection.commit()
    finally:
        engine.dispose()
    return before, after


def _take_steps(config: Config, connection: Connection, to: str, before: str | None) -> None:
    if before is None and tables_of(connection):
        message = "the database holds tables of another program"
        raise WrongSchema(message)
    try:
        if to == EMPTY:
            command.downgrade(config, to)
        else:
            command.upgrade(config, to)
    except CommandError as fault:
        message = f"the database stands at a step that this version does not know: {before}"
        raise WrongSchema(message) from fault


def _config(steps: Path) -> Config:
    config = Config()
    # Alembic reads a percent sign as the beginning of a variable.
    config.set_main_option("script_location", str(steps).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def _check_references(connection: Connection) -> None:
    """On SQLite, references are not checked while tables are rebuilt: check them all now."""
    if is_sqlite(connection):
        broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
        if broken is not None:
            message = f"the table {broken[0]} refers to rows that are not there"
            raise WrongSchema(message)


_OWNER_ONLY = 0o600
_SOUND = "ok"


class CopyFailed(MachjudgeError):
    """A database that could not be copied, or put back; nothing was changed."""


def copy(database: Path, file: Path) -> None:
    """Copy a database at one instant into a new file for its owner only. Raises CopyFailed."""
    new = file.with_name(f"{file.name}.{token_hex(8)}.new")
    with _as_copy_fault(file):
        os.close(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY))
        try:
            with closing(sqlite3.connect(database)) as here, closing(sqlite3.connect(new)) as there:
                here.backup(there)
                # A copy is one file, without others beside it.
                there.execute("PRAGMA journal_mode=DELETE")
                _expect_sound(there, database)
            _sync(new)
            os.link(new, file)
            sync_folder(file.parent)
        finally:
            with suppress(FileNotFoundError):
                new.unlink()


BACKED_UP_DATABASE, BACKED_UP_SECRET = "judge.db", "judge.secret"
"""The files of one backup in a folder of backups."""
_HALF, _OLD = ".new", ".old"


def add_backup(database: Path, secret: Path, folder: Path, now: datetime) -> Path:
    """Add a backup of a database and of its secret, whole or not at all; return its folder.

    Names sort by time.  Raises CopyFailed.
    """
    with _as_copy_fault(folder):
        folder.mkdir(mode=0o700, exist_ok=True)
    with _as_copy_fault(folder), _alone(folder):
        backup = folder / f"{database.stem}-{now:%Y%m%dT%H%M%S.%fZ}"
        half = folder / f".{backup.name}{_HALF}"
        left = re.compile(rf"\.{_pattern(database)}\.(?:new|old)")
        for each in folder.iterdir():
            if left.fullmatch(each.name):  # by a process that was killed
                _remove(each)
        half.mkdir(mode=0o700)
        try:
            copy(database, half / BACKED_UP_DATABASE)
            with open(half / BACKED_UP_SECRET, "xb", opener=_for_owner) as file:
                file.write(secret.read_bytes())
                file.flush()
                os.fsync(file.fileno())
            sync_folder(half)
            half.rename(backup)
        except BaseException:
            _remove(half)
            raise
        sync_folder(folder)
    return backup


def drop_backups(database: Path, secret: Path, folder: Path, keep: int) -> int:
    """Remove all but the newest backups of this very judge; return how many.

    Nothing else in the folder is touched, nor are backups of a judge with another secret, or with
    further files in them.  Raises CopyFailed.
    """
    with _as_copy_fault(folder), _alone(folder):
        name, own = re.compile(_pattern(database)), secret.read_bytes()
        found = [each for each in folder.iterdir() if name.fullmatch(each.name)]
        old = sorted(each for each in found if _is_backup(each, own))[:-keep]
        for each in old:
            _remove(each.rename(each.with_name(f".{each.name}{_OLD}")))
    return len(old)


def _pattern(database: Path) -> str:
    return re.escape(database.stem) + r"-[0-9]{8}T[0-9]{6}\.[0-9]{6}Z"


def _is_backup(folder: Path, secret: bytes) -> bool:
    if folder.is_symlink() or not folder.is_dir():
        return False
    if {each.name for each in folder.iterdir()} != {BACKED_UP_DATABASE, BACKED_UP_SECRET}:
        return False
    return (folder / BACKED_UP_SECRET).read_bytes() == secret


def _remove(backup: Path) -> None:
    """Remove the files of a backup, and its folder if nothing else is in it."""
    for name in (BACKED_UP_SECRET, BACKED_UP_DATABASE):
        (backup / name).unlink(missing_ok=True)
    with suppress(OSError):
        backup.rmdir()


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Wait for other processes that make or remove backups there."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _for_owner(path: str, flags: int) -> int:
    return os.open(path, flags, _OWNER_ONLY)


def standing_of(file: Path, steps: Path) -> SchemaStanding:
    """Return a copy's step in the folder *steps* of migrations. Raises CopyFailed if broken."""
    with _as_copy_fault(file), closing(_read_only(file)) as opened:
        _expect_sound(opened, file)
    engine = create_engine("sqlite://", creator=lambda: _read_only(file), poolclass=NullPool)
    with engine.connect() as connection:
        return standing(connection, steps)


def put_back(file: Path, database: Path) -> None:
    """Replace an unused database by a sound copy, wholly or not at all. Raises CopyFailed."""
    with _as_copy_fault(database):
        if not database.exists():
            database.touch(mode=_OWNER_ONLY)
        with closing(_read_only(file)) as copied, closing(sqlite3.connect(database, 1)) as here:
            _expect_unused(here, database)
            copied.backup(here)
        sync_folder(database.parent)


def expect_file_unused(database: Path) -> None:
    """Refuse a database that another process has open.  Raises CopyFailed."""
    with _as_copy_fault(database), closing(sqlite3.connect(database, 1)) as here:
        _expect_unused(here, database)


def _read_only(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)


def _expect_unused(connection: sqlite3.Connection, database: Path) -> None:
    """Refuse a database in use: switching its log needs it alone."""
    try:
        connection.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.OperationalError as fault:
        message = f"{database} is in use: stop serve, worker and tick first"
        raise CopyFailed(message) from fault


def expect_whole(database: Path) -> None:
    """Read all of a SQLite database; raises CopyFailed if a part of it is broken."""
    with _as_copy_fault(database), closing(_read_only(database)) as opened:
        _expect_sound(opened, database)


def _expect_sound(connection: sqlite3.Connection, file: Path) -> None:
    (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if found != _SOUND:
        message = f"{file} is broken: {' '.join(found.split())}; {RESTORE}"
        raise CopyFailed(message)


def _sync(file: Path) -> None:
    descriptor = os.open(file, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def _as_copy_fault(file: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.Error) as fault:
        why = fault.strerror if isinstance(fault, OSError) else fault
        message = f"{file} cannot be used: {why}"
        raise CopyFailed(message) from fault
