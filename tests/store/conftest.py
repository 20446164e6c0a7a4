import os
import shutil
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine, make_url, text

from machjudge.service.credentials.secret import fixed
from machjudge.service.ports.mailbox import Arrival
from machjudge.settings import migrations_folder
from machjudge.store.mail.arrivals import Arrivals
from machjudge.store.mail.outbox import PostBag
from machjudge.store.schema.engine import open_engine
from machjudge.store.schema.schema import migrate
from machjudge.store.work import Store

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
SECRET = fixed(bytes(range(32)))
SERVER = os.environ.get("MACHJUDGE_TEST_POSTGRESQL")


@dataclass
class SetClock:
    """A clock that stands still until somebody moves it."""

    now: datetime = NOON

    def __call__(self) -> datetime:
        """Tell the time."""
        return self.now

    def on(self, **amount: float) -> datetime:
        """Move the clock on."""
        self.now += timedelta(**amount)
        return self.now


@dataclass
class House:
    """One database and everybody who works with it."""

    url: str
    engine: Engine
    clock: SetClock = field(default_factory=SetClock)
    committed: int = 0

    def store(self, holder: str = "a worker") -> Store:
        """The desk's way in."""
        return Store(self.engine, holder, self.clock, SECRET, self._committed)

    def bag(self, holder: str = "a sender") -> PostBag:
        """The sender's way in."""
        return PostBag(self.engine, holder)

    @property
    def arrivals(self) -> Arrivals:
        """The listener's way in."""
        return Arrivals(self.engine, self.clock)

    def _committed(self) -> None:
        self.committed += 1


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file at the latest step, to be copied."""
    path = tmp_path_factory.mktemp("migrated") / "judge.db"
    migrate(f"sqlite:///{path}", migrations_folder())
    return path


KINDS = ["sqlite"]
if SERVER is not None:
    KINDS.append(pytest.param("postgresql", marks=pytest.mark.postgresql))


@pytest.fixture(params=KINDS)
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty database of each kind; PostgreSQL only where a server is named."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'judge.db'}"
    else:
        yield from on_server(str(SERVER))


def on_server(server: str) -> Iterator[str]:
    """A database of its own on the server, dropped afterwards."""
    name = f"machjudge_{uuid.uuid4().hex}"
    admin = create_engine(
        make_url(server).set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT"
    )
    with admin.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    yield make_url(server).set(database=name).render_as_string(hide_password=False)
    with admin.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    admin.dispose()


@pytest.fixture
def house(empty_url: str, migrated_file: Path) -> Iterator[House]:
    """A database at the latest step."""
    if empty_url.startswith("sqlite"):
        shutil.copy(migrated_file, empty_url.removeprefix("sqlite:///"))
    else:
        migrate(empty_url, migrations_folder())
    engine = open_engine(empty_url)
    yield House(empty_url, engine)
    engine.dispose()


@pytest.fixture
def arrival() -> Callable[..., Arrival]:
    """Make an arriving mail; each one another, unless a *key* is given."""

    def make(sender: str = "lucia@example.com", key: str = "", raw: bytes = b"list\r\n") -> Arrival:
        key = key or uuid.uuid4().hex
        return Arrival(raw, sender, ("judge@mach.example",), sender, f"<{key}@example.com>", key)

    return make
