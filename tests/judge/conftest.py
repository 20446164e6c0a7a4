"""What the tests of the desk share: a game, and a log that is a list."""

from collections.abc import Iterator

import pytest
import structlog

from tests.judge.house import House, started


@pytest.fixture(autouse=True)
def logged() -> Iterator[list]:
    """What was logged during a test."""
    with structlog.testing.capture_logs() as entries:
        yield entries


@pytest.fixture
def house() -> House:
    """1454 without money, in its first Spring; Lucia is the master, Anna leads Florence."""
    return started("nomoney")
