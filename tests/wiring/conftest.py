from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.mail.servers import Postmaster, relaying
from tests.wiring.processes import Installation


@pytest.fixture
def judge(tmp_path: Path) -> Iterator[Installation]:
    """An installation without a relay."""
    installation = Installation(tmp_path)
    yield installation
    installation.end()


@pytest.fixture
def relay(judge: Installation) -> Iterator[Postmaster]:
    """The relay of the installation."""
    postmaster = Postmaster()
    with relaying(postmaster, judge.relay_port):
        yield postmaster
