"""The lines that the tests run: a plugin of pytest that asks for all of them, or nearly all.

`make test` counts those of the adjudicator, in its own tests; `make coverage` all.  Counting
doubles the time of a test, so slow tests and those that Hypothesis repeats are left out unless
marked with ``cover``.  Processes that tests start do not count.
"""

from io import StringIO
from pathlib import Path

import pytest
from coverage import Coverage
from coverage.exceptions import NoDataError
from hypothesis import is_hypothesis_test

PACKAGE = "machjudge.adjudicator"
FILES = "machjudge/adjudicator/*"

_told = pytest.StashKey[list[str]]()


def counts_all(config: pytest.Config) -> bool:
    """True if the lines of all packages are counted."""
    return PACKAGE not in config.getoption("cov_source")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Say in which tests no line is counted."""
    for item in items:
        repeated = is_hypothesis_test(getattr(item, "obj", None))
        if "slow" in item.keywords or (repeated and "cover" not in item.keywords):
            item.add_marker("no_cover")


def too_little(data: Path, *, of_all: bool = True) -> list[str]:
    """Where fewer lines were run than are asked for, with the lines that were not."""
    told = _missing(data, "the adjudicator", 100, include=FILES)
    return [*told, *_missing(data, "the rest", 95, omit=FILES)] if of_all else told


def _missing(data: Path, what: str, asked: int, **which: str) -> list[str]:
    table = StringIO()
    coverage = Coverage(data_file=str(data))
    coverage.load()
    try:
        run = coverage.report(show_missing=True, skip_covered=True, file=table, **which)
    except NoDataError:
        run = 0.0
    if run >= asked:
        return []
    return [
        f"{run:.2f}% of the lines of {what} were run, {asked}% are asked for:",
        table.getvalue(),
    ]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail if all tests have passed, but left lines out."""
    is_worker = hasattr(session.config, "workerinput")
    if is_worker or session.exitstatus != pytest.ExitCode.OK:
        return
    data = session.config.rootpath / ".coverage"
    session.config.stash[_told] = too_little(data, of_all=counts_all(session.config))
    if session.config.stash[_told]:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """List the lines."""
    for each in terminalreporter.config.stash.get(_told, []):
        terminalreporter.write_line(each, red=True)
