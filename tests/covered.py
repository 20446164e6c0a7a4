"""The lines that the tests run: a plugin of pytest that asks for all of them, or nearly all.

`make test` counts lines in this process and its workers, but neither in slow tests nor in those
that Hypothesis repeats (see `conftest.py`), nor in the processes that tests start: what a quick
test does not reach counts as not reached.
"""

from io import StringIO
from pathlib import Path

import pytest
from coverage import Coverage
from coverage.exceptions import NoDataError

ADJUDICATOR = "machjudge/adjudicator/*"
ASKED = (
    ("the adjudicator", 100, {"include": [ADJUDICATOR]}),
    ("the rest", 95, {"omit": [ADJUDICATOR]}),
)
"""How much is asked of what: per cent of the lines."""

_told = pytest.StashKey[list[str]]()


def too_little(data: Path) -> list[str]:
    """Where fewer lines were run than are asked for, with the lines that were not."""
    told = []
    for what, asked, which in ASKED:
        table = StringIO()
        coverage = Coverage(data_file=str(data))
        coverage.load()
        try:
            run = coverage.report(show_missing=True, skip_covered=True, file=table, **which)
        except NoDataError:
            run = 0.0
        if run < asked:
            told.append(f"{run:.2f}% of the lines of {what} were run, {asked}% are asked for:")
            told.append(table.getvalue())
    return told


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail if all tests have passed, but left lines out."""
    is_worker = hasattr(session.config, "workerinput")
    if is_worker or session.exitstatus != pytest.ExitCode.OK:
        return
    session.config.stash[_told] = too_little(session.config.rootpath / ".coverage")
    if session.config.stash[_told]:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """List the lines."""
    for each in terminalreporter.config.stash.get(_told, []):
        terminalreporter.write_line(each, red=True)
