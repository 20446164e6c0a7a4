"""What all tests share: how Hypothesis searches, and surroundings that are nobody's."""

import pytest
import structlog
from hypothesis import HealthCheck, settings

from tests import databases
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


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let tests of the desk, of processes and journeys run on a database of either kind."""
    parser.addoption("--database", choices=databases.KINDS, help="where judges are kept in tests")


def pytest_configure(config: pytest.Config) -> None:
    """Cut the tests off from the machine, before any of them is imported."""
    cut_off()
    databases.choose(config.getoption("--database"))
    _set_up_log()


def _set_up_log() -> None:
    """Log the faults that tests bring about without the values of all variables.

    For a game those take minutes to print.
    """
    plain = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    structlog.reset_defaults()
    structlog.configure(processors=[structlog.processors.add_log_level, plain])


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is about memory, or a SQLite file, where judges are kept elsewhere.

    What is left is put into the order in which `make test` hands it to its processes.
    """
    elsewhere = {None: (), "sqlite": ("memory",), "postgresql": ("memory", "sqlite")}
    marks = elsewhere[config.getoption("--database")]
    out = [each for each in items if any(each.get_closest_marker(mark) for mark in marks)]
    if out:
        items[:] = [each for each in items if each not in out]
        config.hook.pytest_deselected(items=out)
    _long_files_first(items)


_LONG = (
    "tests/checks/test_code.py",
    "tests/checks/test_wheel.py",
    "tests/faults/",
    "tests/journeys/",
    "tests/app/",
    "tests/simulation/",
    "tests/replays/",
)
"""Where single files take long."""


def _long_files_first(items: list[pytest.Item]) -> None:
    """Have long files begun first: else one process is at them when all others have ended."""
    items.sort(key=lambda each: not each.nodeid.startswith(_LONG))


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Drop the databases of judges in the folder of a test; undo what a command did to the log."""
    _set_up_log()
    folder = getattr(item, "funcargs", {}).get("tmp_path")
    if folder is not None:
        databases.drop_below(folder)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Throw away the databases, and the PostgreSQL server, if there are any."""
    databases.close()


@pytest.fixture(scope="session")
def server() -> databases.Server:
    """A PostgreSQL server, started when a test first needs it."""
    return databases.SERVER
