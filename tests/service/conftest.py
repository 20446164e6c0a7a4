"""What the tests of the desk share: the log goes into a list, not to the terminal."""

from collections.abc import Iterator

import pytest
import structlog


@pytest.fixture(autouse=True)
def logged() -> Iterator[list]:
    """What was logged during a test."""
    with structlog.testing.capture_logs() as entries:
        yield entries
