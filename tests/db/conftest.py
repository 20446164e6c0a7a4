import shutil
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Engine

from machjudge.db.engine import open_engine
from machjudge.db.mail_queues import Arrivals, StoredSendQueue
from machjudge.db.work import DatabaseStore
from machjudge.judge.mails import Arrival
from machjudge.judge.secret import fixed
from tests.databases import EMPTY, migrated_file
from tests.db.examples import GAME, LUCIA, OTTO

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
SECRET = fixed(bytes(range(32)))


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

    def store(self, holder: str = "a worker") -> DatabaseStore:
        """The desk's way in."""
        return DatabaseStore(self.engine, holder, self.clock, SECRET, self._committed)

    def bag(self, holder: str = "a sender") -> StoredSendQueue:
        """The sender's way in."""
        return StoredSendQueue(self.engine, holder)

    @property
    def arrivals(self) -> Arrivals:
        """The listener's way in."""
        return Arrivals(self.engine, self.clock)

    def _committed(self) -> None:
        self.committed += 1


KINDS = ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)]


@pytest.fixture(params=KINDS)
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty database of each kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'judge.db'}"
    else:
        with request.getfixturevalue("server").database(EMPTY) as url:
            yield url


@pytest.fixture(params=KINDS)
def migrated_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database of each kind at the latest step."""
    if request.param == "sqlite":
        path = tmp_path / "judge.db"
        shutil.copy(migrated_file(), path)
        yield f"sqlite:///{path}"
    else:
        with request.getfixturevalue("server").database() as url:
            yield url


@pytest.fixture
def house(migrated_url: str) -> Iterator[House]:
    """A database at the latest step."""
    engine = open_engine(migrated_url)
    yield House(migrated_url, engine)
    engine.dispose()


@pytest.fixture
def filled(house: House) -> House:
    """A database with two persons and their game."""
    with house.store().writing() as uow:
        # The game first: references are checked when the transaction is committed.
        uow.games.add(GAME)
        uow.persons.save(LUCIA)
        uow.persons.save(OTTO)
        uow.commit()
    return house


@pytest.fixture
def arrival() -> Callable[..., Arrival]:
    """Make an arriving mail; each one another, unless a *key* is given."""

    def make(sender: str = "lucia@example.com", key: str = "", raw: bytes = b"list\r\n") -> Arrival:
        key = key or uuid.uuid4().hex
        return Arrival(raw, sender, ("judge@mach.example",), sender, f"<{key}@example.com>", key)

    return make
