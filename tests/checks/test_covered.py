"""The tests say which lines they do not run."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.covered import too_little

HALF = "def half(number):\n    if number:\n        return 1\n    return 2\n"


def counted(folder: Path, *calls: str) -> list[str]:
    """What is said of a small package of which only *calls* were run."""
    for name in ("adjudicator", "rest"):
        room = folder / "machjudge" / name
        room.mkdir(parents=True)
        (room / "__init__.py").write_text(HALF, encoding="utf-8")
    (folder / "machjudge" / "__init__.py").touch()
    lines = ["from machjudge import adjudicator, rest", *calls]
    (folder / "run.py").write_text("\n".join(lines), encoding="utf-8")
    command = [sys.executable, "-m", "coverage", "run", "--source=machjudge", "run.py"]
    subprocess.run(command, cwd=folder, check=True)  # noqa: S603 (our own)
    return too_little(folder / ".coverage")


def test_lines_of_the_adjudicator_that_no_test_runs_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A single one is too much."""
    monkeypatch.chdir(tmp_path)
    share, table = counted(tmp_path, "adjudicator.half(1)", "rest.half(1)", "rest.half(0)")

    assert share == "75.00% of the lines of the adjudicator were run, 100% are asked for:"
    assert "machjudge/adjudicator/__init__.py" in table
    assert table.rstrip().splitlines()[2].endswith("4")


def test_nothing_is_said_where_all_lines_are_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tests are what they are asked for."""
    monkeypatch.chdir(tmp_path)
    calls = [f"{room}.half({number})" for room in ("adjudicator", "rest") for number in (0, 1)]

    assert counted(tmp_path, *calls) == []
