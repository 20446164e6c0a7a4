"""Tries the mutants as ``mutmut run`` does, but faster: ``python tests/mutation/run.py [MUTANT]…``.

mutmut makes the mutants, chooses the tests that reach each of them, and keeps what came of it.
Only this differs: a mutant's tests are called as pytest has collected them, without another pytest
around each mutant, and those that have killed its neighbours are called first.

A script, not a module: nothing of this checkout may be imported before the mutants are.
"""

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from mutmut.__main__ import cli
from mutmut.runners.harness import PytestRunner
from mutmut.workers import isolation

KILLERS = Path("mutants/killers.txt").resolve()
"""A line for each kill: the function that was changed, and the test that failed."""
KILLED, SURVIVED = 1, 0


class Collector:
    """Notes every collected test as a function without arguments."""

    def __init__(self) -> None:
        self.calls: dict[str, Callable[[], object]] = {}

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Those that want more of pytest than their parameters are left to pytest."""
        for item in session.items:
            if isinstance(item, pytest.Function):
                given = item.callspec.params if hasattr(item, "callspec") else {}
                if set(item.fixturenames) <= set(given):
                    self.calls[item.nodeid] = partial(item.obj, **given)


class Directly(PytestRunner):
    """Calls the tests of a mutant one after the other, in the process made for it."""

    def __init__(self) -> None:
        super().__init__()
        self._collector = Collector()

    def execute_pytest(self, params: list[str], **kwargs: Any) -> int:
        """Whatever pytest is asked for on the way, what it collects is noted."""
        plugins = [*kwargs.pop("plugins", ()), self._collector]
        return super().execute_pytest(params, plugins=plugins, **kwargs)

    def run_tests(self, *, mutant_name: str | None, tests: Iterable[str]) -> int:
        """1 as soon as a test fails, else 0; *tests* are in the order of their durations."""
        calls, asked = self._collector.calls, list(tests)
        if not mutant_name or any(test not in calls for test in asked):
            return super().run_tests(mutant_name=mutant_name, tests=asked)
        function = mutant_name.rpartition("__mutmut_")[0]
        os.chdir("mutants")
        for test in likely_first(function, asked):
            try:
                calls[test]()
            except BaseException:  # whatever a mutant makes of it, it was noticed
                with KILLERS.open("a", encoding="utf-8") as notes:
                    notes.write(f"{function} {test}\n")
                return KILLED
        return SURVIVED


def likely_first(function: str, tests: list[str]) -> list[str]:
    """The tests that killed most mutants of this function, then of its module, then the fastest."""
    lines = KILLERS.read_text(encoding="utf-8").splitlines() if KILLERS.exists() else []
    in_function: Counter[str] = Counter()
    in_module: Counter[str] = Counter()
    module = function.rpartition(".")[0]
    for line in lines:
        changed, _, test = line.partition(" ")
        in_function[test] += changed == function
        in_module[test] += changed.rpartition(".")[0] == module
    return sorted(tests, key=lambda test: (-in_function[test], -in_module[test]))


if __name__ == "__main__":
    isolation.PytestRunner = Directly
    cli(["run", *sys.argv[1:]])
