"""Connect to the database, with the same promises from SQLite and PostgreSQL.

SQLite: write-ahead log, every commit on disk (``synchronous=FULL``) but for claims, ten seconds of
patience, and ``BEGIN IMMEDIATE`` for writing transactions.
"""

import os
import sqlite3
import stat
import sys
import time
from collections import namedtuple
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Self

from sqlalchemy import (
    ClauseElement,
    Connection,
    Dialect,
    Engine,
    create_engine,
    event,
    make_url,
    text,
)
from sqlalchemy.engine.interfaces import DBAPIConnection, DBAPICursor
from sqlalchemy.exc import (
    DatabaseError,
    DBAPIError,
    InterfaceError,
    InvalidatePoolError,
    OperationalError,
    PendingRollbackError,
    ResourceClosedError,
    SQLAlchemyError,
    TimeoutError,
)
from sqlalchemy.pool import ConnectionPoolEntry

from machjudge.adjudicator.names import MachjudgeError
from machjudge.judge.faults import Stale, StoreTrouble, Vanished

FRESH_SECONDS = 1.0
"""The rest after which a connection is tested before its use."""
_RESTS = "machjudge_rests"
_PLANS = {"enable_seqscan": "off", "jit": "off"}
"""Plan by indexes: a kept plan must stay good when small tables have grown."""


def open_server(url: str, patience: int) -> Engine:
    """Return the engine for *url*; locks wait *patience* seconds. ImportError without psycopg."""
    settings = {"lock_timeout": f"{patience}s", **_PLANS}
    engine = create_engine(
        make_url(url).set(drivername="postgresql+psycopg"),
        # What is written holds passwords until it is redacted: it must not show in an error.
        hide_parameters=True,
        connect_args={"options": " ".join(f"-c {name}={set_}" for name, set_ in settings.items())},
    )

    @event.listens_for(engine, "checkin")
    def note_rest(_dbapi: object, entry: ConnectionPoolEntry) -> None:
        entry.info[_RESTS] = time.monotonic()

    @event.listens_for(engine, "checkout")
    def try_rested(dbapi: DBAPIConnection, entry: ConnectionPoolEntry, _: object) -> None:
        rests = entry.info.pop(_RESTS, None)
        if rests is None or time.monotonic() < rests + FRESH_SECONDS:
            return
        try:
            engine.dialect.do_ping(dbapi)
        except engine.dialect.loaded_dbapi.Error as fault:
            raise InvalidatePoolError from fault

    return engine


# Statements that every mail needs: compiled once, then handed to the driver as they are. What
# SQLAlchemy does around a statement each time (what it has compiled is looked up, a context and a
# result are made) costs several times what the database does for it. Tables, types and SQL are
# SQLAlchemy's here as well, and the person who listens for statements hears of these.
Values = Mapping[str, Any]
_Process = Callable[[Any], Any]
_Parameters = Sequence[Any] | Mapping[str, Any]


def send(
    connection: Connection, sql: str, parameters: _Parameters = (), *, is_many: bool = False
) -> DBAPICursor:
    """Return the driver's cursor after a statement; raises DBAPIError, as SQLAlchemy does."""
    cursor = connection.connection.cursor()
    try:
        for hear in connection.engine.dispatch.before_cursor_execute:
            sql, parameters = hear(connection, cursor, sql, parameters, None, is_many)
        run: Callable[..., object] = cursor.executemany if is_many else cursor.execute
        run(sql, parameters)
    except connection.dialect.loaded_dbapi.Error as fault:
        raise as_sqlalchemy_error(connection, sql, fault) from fault
    return cursor


def as_sqlalchemy_error(connection: Connection, sql: str, fault: Exception) -> BaseException:
    """Return what SQLAlchemy would raise; a lost connection is invalidated."""
    dialect = connection.dialect
    wrapped = DBAPIError.instance(
        sql, None, fault, dialect.loaded_dbapi.Error, hide_parameters=True, dialect=dialect
    )
    if dialect.is_disconnect(fault, connection.connection.dbapi_connection, None):  # type: ignore[arg-type]
        connection.invalidate(fault)
    return wrapped


class Prepared:
    """A statement that runs often with other values of the same names."""

    def __init__(self, statement: ClauseElement) -> None:
        self.statement = statement
        self._compiled: dict[tuple[str, ...], _Compiled] = {}

    def run(self, connection: Connection, *several: Values) -> None:
        """Run it once for each of *several* sets of values."""
        compiled = self._for(connection.dialect, several[0])
        every = [compiled.parameters(values) for values in several]
        is_many = len(every) > 1
        send(connection, compiled.sql, every if is_many else every[0], is_many=is_many).close()

    def rows(self, connection: Connection, values: Values) -> list[Any]:
        """All rows, with the names of their columns."""
        compiled = self._for(connection.dialect, values)
        cursor = send(connection, compiled.sql, compiled.parameters(values))
        try:
            found = cursor.fetchall()
        except connection.dialect.loaded_dbapi.Error as fault:
            raise as_sqlalchemy_error(connection, compiled.sql, fault) from fault
        rows = compiled.rows(found, cursor.description)
        cursor.close()
        return rows

    def scalar(self, connection: Connection, values: Values) -> object | None:
        """The first column of the only row; None if there is none."""
        found = self.rows(connection, values)
        return found[0][0] if found else None

    def _for(self, dialect: Dialect, values: Values) -> "_Compiled":
        form = (dialect.name, *values)
        if form not in self._compiled:
            self._compiled[form] = _Compiled(self.statement, dialect, values)
        return self._compiled[form]


def _row(columns: Sequence[str]) -> Callable[..., Any]:
    return namedtuple("Row", columns, rename=True)


class _Compiled:
    """A statement compiled for one kind of database."""

    def __init__(self, statement: ClauseElement, dialect: Dialect, names: Values) -> None:
        compiled = dialect.statement_compiler(dialect, statement, column_keys=list(names))
        self.sql = str(compiled)
        self._order = compiled.positiontup
        own = {**compiled.params}
        for column in compiled.insert_prefetch:
            own[column.key] = getattr(column.default, "arg", None)
        given: list[tuple[str, _Process | None]] = []
        self._own: dict[str, Any] = {}
        for bind, name in compiled.bind_names.items():
            process = bind.type.dialect_impl(dialect).bind_processor(dialect)
            if name in names:
                given.append((name, process))
            else:
                self._own[name] = own[name] if process is None else process(own[name])
        self._given = tuple(given)
        self._dialect = dialect
        columns = getattr(statement, "exported_columns", ())
        self._types = [each.type for each in columns]
        self._row = _row([each.key for each in columns])
        self._read: tuple[tuple[int, _Process], ...] | None = None

    def parameters(self, values: Values) -> _Parameters:
        taken = dict(self._own)
        for name, process in self._given:
            value = values[name]
            taken[name] = value if process is None else process(value)
        return taken if self._order is None else [*map(taken.__getitem__, self._order)]

    def rows(self, found: Iterable[Sequence[Any]], description: Sequence[Any]) -> list[Any]:
        if self._read is None:
            self._read = tuple(self._reading(description))
        rows = []
        for row in found:
            values = list(row)
            for number, process in self._read:
                if values[number] is not None:
                    values[number] = process(values[number])
            rows.append(self._row(*values))
        return rows

    def _reading(self, description: Sequence[Any]) -> Iterator[tuple[int, _Process]]:
        """The columns with a result processor of their type."""
        for number, (column, described) in enumerate(zip(self._types, description, strict=True)):
            impl = column.dialect_impl(self._dialect)
            process = impl.result_processor(self._dialect, described[1])
            if process is not None:
                yield number, process


PATIENCE_SECONDS = 10
"""The seconds that a transaction waits for another one's lock."""

_PAUSE_SECONDS = 0.02
_NORMAL = 1
"""SQLite's number of ``synchronous=NORMAL``."""
_READS = ("SELECT", "WITH", "PRAGMA", "EXPLAIN", "BEGIN")
"""The first words of statements that change nothing."""
_CONFLICTS = {"40001", "40P01", "55P03"}  # PostgreSQL: not serializable, deadlock, lock timeout
_READ_ONLY = "25006"
_NO_REFERENCE = "23503"
_NO_RIGHTS = {"42501", "42P01", "3D000", "3F000", "25P03", "55006"}
"""PostgreSQL: no privilege, no such table, database or schema, idle for too long, in use."""
_TROUBLES = {"08", "28", "53", "57", "58", "F0", "XX"}
"""Classes of PostgreSQL's states: connection, log-in, resources, operator, system, its own."""
_NO_TABLE = "no such table"
"""SQLite's message for a replaced file."""
_BROKEN = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
RESTORE = "restore a backup (machjudge restore)"
"""What is to be done with a broken file."""
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


class DatabaseOutOfReach(StoreTrouble):
    """The database cannot be opened or does not work."""


class RefusedByDatabase(MachjudgeError):
    """The database refuses a value: a mistake of ours."""


def open_engine(url: str, *, creates: bool = False, foreign_keys: bool = True) -> Engine:
    """Return the engine for *url*.

    *creates* makes a missing SQLite file, readable for its owner only. *foreign_keys* is off only
    while a migration rebuilds tables.
    """
    if url.startswith("sqlite"):
        return _sqlite(url, creates=creates, foreign_keys=foreign_keys)
    return _postgresql(url)


def file_of(url: str) -> Path | None:
    """The file of a SQLite database; None if it is in memory, or named by a URI, or a server."""
    name = make_url(url).database if url.startswith("sqlite") else None
    if not name or name == ":memory:" or name.startswith("file:"):
        return None
    return Path(name).absolute()


def is_sqlite(database: Connection | Engine) -> bool:
    """Return whether the connection is to SQLite."""
    return database.dialect.name == "sqlite"


class WroteWhileReading(Exception):
    """A reading transaction was to write: a mistake of ours."""


def reading(engine: Engine, *, single: bool = False) -> AbstractContextManager[Connection]:
    """A transaction that sees one state; *single* if it is one statement."""
    level = "AUTOCOMMIT" if single else "REPEATABLE READ"
    options = {"isolation_level": level, "postgresql_readonly": True}
    return _Transaction(engine, {} if is_sqlite(engine) else options, is_single=single)


def writing(
    engine: Engine, *, single: bool = False, outlasts_power: bool = True
) -> AbstractContextManager[Connection]:
    """A writing transaction, locked from the start; without a commit it is undone.

    With *single* it is one statement, kept as soon as it has run. Without *outlasts_power* a SQLite
    file need not be on disk at once, as with claims. Raises Stale on a conflict.
    """
    options = {"isolation_level": "AUTOCOMMIT"} if single and not is_sqlite(engine) else {}
    return _Transaction(
        engine, options, is_writing=True, is_single=single, is_synced=outlasts_power
    )


class _Transaction(AbstractContextManager[Connection]):
    def __init__(
        self,
        engine: Engine,
        options: Mapping[str, object],
        *,
        is_writing: bool = False,
        is_single: bool = False,
        is_synced: bool = True,
    ) -> None:
        self._engine = engine
        self._options = options
        self._is_writing = is_writing
        self._is_single = is_single
        self._is_synced = is_synced

    def __enter__(self) -> Connection:
        self._pool = self._engine.pool
        try:
            self._connection = connection = self._engine.connect()
        except (DBAPIError, TimeoutError) as fault:
            why = _why(self._engine, fault)
            message = f"cannot open the database {name_of(self._engine)}: {why}"
            raise DatabaseOutOfReach(message) from fault
        try:
            if self._options:
                connection.execution_options(**self._options)
            connection.begin()
            file = connection.connection.dbapi_connection
            if isinstance(file, _FileConnection):
                file.make_ready(is_writing=self._is_writing, is_synced=self._is_synced)
                if not self._is_single:
                    send(connection, "BEGIN IMMEDIATE" if self._is_writing else "BEGIN").close()
        except BaseException as fault:
            self._give_back()
            _tell(self._engine, fault, is_writing=self._is_writing)
            raise
        return connection

    def __exit__(
        self, _: type[BaseException] | None, fault: BaseException | None, trace: object
    ) -> None:
        """Roll back what was not committed; translate the error."""
        connection = self._connection
        try:
            if fault is None and not (self._is_writing or is_sqlite(self._engine)):
                # After a rollback the driver would prepare all its statements anew.
                connection.connection.commit()
            # Nothing is left to be undone after a commit.
            connection.rollback()
        except Exception as later:
            with suppress(Exception):
                connection.invalidate(later)
            # A connection that was cut is told by what it broke first.
            for each in (fault, later):
                _tell(self._engine, each, is_writing=self._is_writing)
            raise
        finally:
            self._give_back()
        _tell(self._engine, fault, is_writing=self._is_writing)

    def _give_back(self) -> None:
        """Return the connection to its pool, or close it where that was given up meanwhile.

        In a pool that nobody has it would stay open until garbage is collected, and a SQLite file
        that is back would be read by what is left of the old one.
        """
        if self._engine.pool is not self._pool:
            with suppress(Exception):
                self._connection.invalidate()
        self._connection.close()


def expect_writable(engine: Engine) -> None:
    """Raise DatabaseOutOfReach if nothing can be written; nothing is."""
    with writing(engine) as connection:
        read_only = text("SHOW transaction_read_only")
        if not is_sqlite(engine) and connection.scalar(read_only) == "on":
            message = f"the database {name_of(engine)} is not for writing"
            raise DatabaseOutOfReach(message)


def _tell(engine: Engine, fault: BaseException | None, *, is_writing: bool) -> None:
    """Translate errors of SQLAlchemy and the driver into the program's own."""
    if fault is None:
        return
    driver, name = engine.dialect.loaded_dbapi, name_of(engine)
    if isinstance(fault, driver.Error):
        # The driver's own, where it was called without SQLAlchemy around it.
        wrapped = DBAPIError.instance("", None, fault, driver.Error, dialect=engine.dialect)
        wrapped.__cause__ = fault
        fault = wrapped
    if not isinstance(fault, SQLAlchemyError):
        return
    if not isinstance(fault, DBAPIError):
        if isinstance(fault, PendingRollbackError | TimeoutError | ResourceClosedError):
            message = f"the connection to the database {name} is lost"
            raise DatabaseOutOfReach(message) from fault
        return
    if _is_conflict(fault):
        message = f"the database {name} is busy with something else: {fault.orig}"
        raise Stale(message) from fault
    if _refers_to_nothing(fault):
        message = f"in the database {name} something is referred to that is not there"
        raise Vanished(message) from fault
    if getattr(fault.orig, "sqlstate", None) == _READ_ONLY and not is_writing:
        raise WroteWhileReading from fault
    if _is_out_of_order(fault):
        # What is mended meanwhile is seen by new connections only.
        engine.dispose()
        _make_alike(file_of(str(engine.url)))
        message = f"the database {name} does not do its work: {_why(engine, fault)}"
        raise DatabaseOutOfReach(message) from fault
    message = f"the database {name} refuses what it was given"
    raise RefusedByDatabase(message) from fault


def _make_alike(file: Path | None) -> None:
    """Give the files beside a SQLite database its mode.

    Those that SQLite makes while the database is read-only would stay so.
    """
    if file is None:
        return
    with suppress(OSError):  # neither ours, nor there any more
        mode = stat.S_IMODE(file.stat().st_mode)
        for beside in (Path(f"{file}-wal"), Path(f"{file}-shm")):
            if beside.exists() and stat.S_IMODE(beside.stat().st_mode) != mode:
                beside.chmod(mode)


def _is_conflict(fault: DBAPIError) -> bool:
    """Return whether another transaction was in the way; a second attempt may succeed."""
    if isinstance(fault.orig, sqlite3.Error):
        return _is_busy(fault.orig)
    return getattr(fault.orig, "sqlstate", None) in _CONFLICTS


def _refers_to_nothing(fault: DBAPIError) -> bool:
    """Return whether another transaction has removed what this one refers to."""
    if isinstance(fault.orig, sqlite3.Error):
        return getattr(fault.orig, "sqlite_errorcode", 0) == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY
    return getattr(fault.orig, "sqlstate", None) == _NO_REFERENCE


def _is_out_of_order(fault: DBAPIError) -> bool:
    """Return whether a disk is full, a file read-only or broken, or a server gone."""
    if fault.connection_invalidated:
        return True
    if isinstance(fault.orig, sqlite3.Error):
        # A file that is broken is told by the class that all other faults are derived from.
        is_trouble = isinstance(fault, OperationalError) or type(fault) is DatabaseError
        is_mistake = getattr(fault.orig, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_ERROR
        return is_trouble and (not is_mistake or str(fault.orig).startswith(_NO_TABLE))
    state = getattr(fault.orig, "sqlstate", None)
    if state is None:  # the driver's own words: nobody has answered it
        return isinstance(fault, OperationalError | InterfaceError)
    return state[:2] in _TROUBLES or state in {_READ_ONLY, *_NO_RIGHTS}


def _why(engine: Engine, fault: DBAPIError | TimeoutError) -> object:
    """Why a database cannot be opened: of a file, more exactly than SQLite says it."""
    file = file_of(str(engine.url))
    if not isinstance(fault, DBAPIError):
        return "all connections are in use"
    if file is None:
        return fault.orig
    if file.is_dir():
        return "it is a folder"
    if not file.parent.is_dir():
        return "its folder is not there"
    if not file.exists():
        return "the file is not there any more; put it back, or restore a backup"
    if not all(os.access(each, os.R_OK | os.W_OK) for each in (file.parent, file)):
        return "no permission to write there; run this as the judge's user"
    if getattr(fault.orig, "sqlite_errorcode", 0) & 0xFF in _BROKEN:
        return f"{fault.orig}; {RESTORE}"
    return fault.orig


def name_of(engine: Engine) -> str:
    """The file of a SQLite database, or the URL, in which SQLAlchemy masks the password."""
    return str(file_of(str(engine.url)) or engine.url)


def _postgresql(url: str) -> Engine:
    try:
        return open_server(url, PATIENCE_SECONDS)
    except ImportError as fault:
        message = (
            "a PostgreSQL database needs the package psycopg, which is not installed: "
            f'{sys.executable} -m pip install "psycopg[binary]"'
        )
        raise DatabaseOutOfReach(message) from fault


def _sqlite(url: str, *, creates: bool, foreign_keys: bool) -> Engine:
    file = file_of(url)
    if creates and file is not None:
        # Nobody else reads it; SQLite's own files get its mode.
        with suppress(OSError):  # what is wrong with the path, opening it will tell
            file.touch(mode=0o600, exist_ok=True)
    engine = create_engine(
        url,
        hide_parameters=True,
        # What the last one has read of the file, the next transaction need not read again.
        pool_use_lifo=True,
        connect_args={"timeout": PATIENCE_SECONDS, "factory": _FileConnection},
    )

    if file is not None:

        @event.listens_for(engine, "do_connect")
        def open_existing(
            _dialect: object, _entry: object, where: list[object], how: dict[str, object]
        ) -> None:
            where[0], how["uri"] = f"{file.as_uri()}?mode=rw", True

    @event.listens_for(engine, "connect")
    def set_up(dbapi: _FileConnection, _entry: ConnectionPoolEntry) -> None:
        if file is not None:
            dbapi.stay_with(file, engine)
        # The driver would begin transactions by itself, later than we need them.
        dbapi.isolation_level = None
        # The file of another program stays as it is.
        tables = {name for (name,) in dbapi.execute("SELECT name FROM sqlite_master")}
        if not tables or "alembic_version" in tables:
            _write_ahead(dbapi)
        dbapi.execute("PRAGMA synchronous=FULL")
        # What is redacted must not stay in parts of the file that are free again.
        dbapi.execute("PRAGMA secure_delete=ON")
        dbapi.execute(f"PRAGMA foreign_keys={'ON' if foreign_keys else 'OFF'}")

    return engine


class _ReadingCursor(sqlite3.Cursor):
    """A cursor of a transaction that reads.  Raises WroteWhileReading."""

    def execute(self, sql: str, *parameters: Any) -> Self:  # noqa: ANN401 - as the driver has it
        """Run a statement that changes nothing."""
        if not sql.lstrip().upper().startswith(_READS):
            raise WroteWhileReading(sql.split(maxsplit=1)[0])
        return super().execute(sql, *parameters)

    def executemany(self, sql: str, *_: object) -> Self:
        """Refuse a statement that is run several times: it writes."""
        raise WroteWhileReading(sql.split(maxsplit=1)[0])


class _FileConnection(sqlite3.Connection):
    """A connection to SQLite, with what each transaction wants of it.

    It refuses its work once its file was moved, removed or replaced; the next connection opens the
    file anew, and a missing one is not made.
    """

    _file = ""
    """The path; empty where it is in memory."""
    _identity = (0, 0)
    """What tells a file from another one of its name."""
    _engine: Engine | None = None
    _is_writing = True
    _is_synced = True
    """Commits wait for the disk."""
    _usual_sync: int | None = None
    """Its ``synchronous`` setting where they do, once it was changed."""

    def stay_with(self, file: Path, engine: Engine) -> None:
        """Expect *file* to remain what was opened; *engine* forgets its connections else."""
        self._file, self._engine = str(file), engine
        with suppress(OSError):  # it is no longer there, which the first transaction tells
            found = file.stat()
            self._identity = found.st_dev, found.st_ino

    def make_ready(self, *, is_writing: bool, is_synced: bool) -> None:
        """Prepare for a transaction.  Raises DatabaseOutOfReach, DBAPIError."""
        self._expect_same_file()
        self._is_writing = is_writing
        # Not by `query_only`: all statements would have to be prepared anew.
        if is_writing:
            vars(self).pop("cursor", None)
        else:
            vars(self)["cursor"] = partial(sqlite3.Connection.cursor, self, _ReadingCursor)
        if is_writing and is_synced is not self._is_synced:
            self._choose_syncs(is_synced=is_synced)

    def commit(self) -> None:
        """Commit.  Raises DatabaseOutOfReach if what was written is in no file of that name."""
        if self._is_writing:
            self._expect_same_file()
        super().commit()

    def _expect_same_file(self) -> None:
        if not self._file:
            return
        try:
            found = os.stat(self._file)  # noqa: PTH116 - pathlib takes three calls more
            is_same = self._identity == (found.st_dev, found.st_ino)
        except OSError:
            is_same = False
        if is_same:
            return
        if self._engine is not None:
            self._engine.dispose()
        message = (
            f"the database {self._file} was moved, removed or replaced while it was open: put it "
            "back, or restore a backup"
        )
        raise DatabaseOutOfReach(message)

    def _choose_syncs(self, *, is_synced: bool) -> None:
        """Choose before a transaction, as SQLite wants it, if its commit waits for the disk."""
        if self._usual_sync is None:
            ((self._usual_sync,),) = self.execute("PRAGMA synchronous").fetchall()
        chosen = self._usual_sync if is_synced else min(self._usual_sync, _NORMAL)
        self.execute(f"PRAGMA synchronous={chosen}")
        self._is_synced = is_synced


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


def sync_folder(folder: Path) -> None:
    """Have the names in a folder on disk, so that no loss of power takes a new one back."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
