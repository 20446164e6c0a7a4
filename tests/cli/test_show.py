"""``machjudge show``: a game as one file to look through."""

from pathlib import Path

import pytest

from machjudge.judge.records import Status
from tests.cli.test_verify import keep, one_line, run


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A judge with a running game."""
    file = tmp_path / "judge.sqlite"
    keep(file, Status.RUNNING)
    return file


def test_a_game_is_written_into_a_file_or_to_the_standard_output(
    database: Path, tmp_path: Path
) -> None:
    """The same page, with a map, that shows what everybody may see."""
    written = tmp_path / "chance.html"

    told = run(database, "show", "Chance", "--output", str(written))
    printed = run(database, "show", "chance")

    assert told.stdout == f"chance: {written.stat().st_size // 1000} kB written to {written}\n"
    assert printed.stdout == written.read_text(encoding="utf-8")
    assert printed.stdout.startswith("<!DOCTYPE html>")
    assert '<g class="ground"' in printed.stdout
    assert "For the master alone" not in printed.stdout


def test_all_of_a_game_is_shown_where_the_keeper_asks_for_it(database: Path) -> None:
    """And the page says that it is not for everybody."""
    assert "For the master alone" in run(database, "show", "chance", "--all").stdout


def test_what_cannot_be_shown_is_told_in_a_line(database: Path, tmp_path: Path) -> None:
    """A game that is not there, and a file that is."""
    there = tmp_path / "there.html"
    there.write_text("mine", encoding="utf-8")

    line = one_line(run(database, "show", "chance", "--output", str(there)))

    assert one_line(run(database, "show", "medici")) == (
        "machjudge: there is no game called medici"
    )
    assert line == f"machjudge: {there} cannot be written: File exists"
    assert there.read_text(encoding="utf-8") == "mine"


def test_stats_of_a_judge_are_printed(database: Path, tmp_path: Path) -> None:
    """How its games ended; of games that go on nothing."""
    over = tmp_path / "over.sqlite"
    keep(over, Status.FINISHED)

    told = run(over, "stats").stdout
    assert told.startswith("1 game over:")
    assert "No game has counted for ratings points yet." in told
    assert run(database, "stats").stdout.startswith("0 games over.")
