from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.app.processes import Installation
from tests.app.table import Table
from tests.mail.servers import Postmaster, relaying
from tests.preloaded.known import share_texts_and_maps

share_texts_and_maps()


@pytest.fixture
def judge(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Installation]:
    """An installation without a relay.

    Its processes are forks, but where a module says ``FORKS = False``: as it is about their begin.
    """
    installation = Installation(tmp_path, forks=getattr(request.module, "FORKS", True))
    yield installation
    installation.end()


@pytest.fixture
def relay(judge: Installation) -> Iterator[Postmaster]:
    """The relay of the installation."""
    postmaster = Postmaster()
    with relaying(postmaster, judge.relay_port):
        yield postmaster


@pytest.fixture
def lay(tmp_path: Path) -> Iterator[Callable[..., Table]]:
    """Make a judge in this process, on the database of the test; closed afterwards."""
    tables: list[Table] = []

    def make(**more: object) -> Table:
        tables.append(Table(tmp_path, **more))
        return tables[-1]

    yield make
    for table in tables:
        table.close()


@pytest.fixture(scope="module")
def started(tmp_path_factory) -> Table:
    """A game has begun; copied for each test, because people take long to join."""
    table = Table(tmp_path_factory.mktemp("started"))
    table.start()
    table.close()
    return table
