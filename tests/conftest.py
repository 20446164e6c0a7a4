"""What all tests share: how Hypothesis searches, and surroundings that are nobody's."""

from collections.abc import Iterator

import pytest
import structlog
from hypothesis import HealthCheck, settings

from tests.postgresql import serving
from tests.surroundings import cut_off

# The same examples on every run, so that a red test is red for its change alone.
settings.register_profile(
    "default",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=50,
    suppress_health_check=[HealthCheck.too_slow],
)
# For a night: pytest --hypothesis-profile=long
settings.register_profile("long", deadline=None, max_examples=5000, print_blob=True)
settings.load_profile("default")


def pytest_configure(config: pytest.Config) -> None:
    """Cut the tests off from the machine, before any of them is imported.

    Faults that tests bring about are logged without the values of all variables, which for a game
    take minutes to print.
    """
    cut_off()
    plain = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    structlog.configure(processors=[structlog.processors.add_log_level, plain])


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a PostgreSQL server, started when a test first asks for it."""
    with serving() as address:
        yield address
