"""``machjudge backup`` copies a database in use, and ``machjudge restore`` puts the copy back."""

import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from machjudge.cli import main


def run(folder: Path, *command: str, code: int = 0, database: str = "") -> str:
    """What a command of a judge in a folder prints."""
    variables = {
        "MACHJUDGE_CONFIG": "/dev/null",
        "MACHJUDGE_DATABASE": database or f"sqlite:///{folder}/judge.db",
    }
    done = CliRunner().invoke(main, command, env=variables)
    assert done.exit_code == code, done.output
    return done.output


def note(folder: Path, word: str) -> None:
    """Write something into the database."""
    with closing(sqlite3.connect(folder / "judge.db")) as database, database:
        database.execute("CREATE TABLE IF NOT EXISTS words (word)")
        database.execute("INSERT INTO words VALUES (?)", [word])


def words(file: Path) -> list[str]:
    """What was written."""
    with closing(sqlite3.connect(file)) as database:
        return [word for (word,) in database.execute("SELECT word FROM words")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the database of a judge, and a word in it."""
    run(tmp_path, "migrate")
    note(tmp_path, "before")
    return tmp_path


def test_a_copy_has_what_was_committed_and_is_restored_whole(folder: Path) -> None:
    """Made while another process has a transaction open; what came later is gone afterwards."""
    file = folder / "copy.db"
    with closing(sqlite3.connect(folder / "judge.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("INSERT INTO words VALUES ('half')")
        run(folder, "backup", str(file))
    note(folder, "after")

    assert words(file) == ["before"]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert sorted(each.name for each in folder.iterdir()) == ["copy.db", "judge.db"]
    run(folder, "restore", str(file), "--force")
    assert words(folder / "judge.db") == ["before"]
    assert "up to date" in run(folder, "migrate")


def test_a_database_in_use_is_not_replaced(folder: Path) -> None:
    """A process that had it open would go on with what it knows of the other one."""
    file = folder / "copy.db"
    run(folder, "backup", str(file))
    note(folder, "after")
    with closing(sqlite3.connect(folder / "judge.db")) as judge:
        judge.execute("SELECT * FROM words").fetchall()
        output = run(folder, "restore", str(file), "--force", code=2)

    assert "is in use: stop serve, worker and tick first" in output
    assert words(folder / "judge.db") == ["before", "after"]


def test_nothing_that_is_there_is_replaced_unasked(folder: Path) -> None:
    """Neither a file by a copy, nor the database by what was copied; on an empty place it is."""
    file = folder / "copy.db"
    run(folder, "backup", str(file))

    assert "File exists" in run(folder, "backup", str(file), code=2)
    assert "--force" in run(folder, "restore", str(file), code=2)
    assert not list(folder.glob("*.new"))
    (folder / "judge.db").unlink()
    run(folder, "restore", str(file))
    assert words(folder / "judge.db") == ["before"]
    assert stat.S_IMODE((folder / "judge.db").stat().st_mode) == 0o600


def test_only_a_sound_database_of_a_judge_is_put_back(folder: Path) -> None:
    """Anything else is named, and the database stays."""
    text, foreign, broken = (folder / name for name in ("text", "foreign.db", "broken.db"))
    text.write_text("no database " * 100)
    with closing(sqlite3.connect(foreign)) as database:
        database.execute("CREATE TABLE games (x)")
    run(folder, "backup", str(broken))
    whole = broken.read_bytes()
    broken.write_bytes(whole[: len(whole) // 2])

    assert "not a database" in run(folder, "restore", str(text), "--force", code=2)
    assert "no database of a judge" in run(folder, "restore", str(foreign), "--force", code=2)
    assert "broken.db" in run(folder, "restore", str(broken), "--force", code=2)
    assert "there is no file" in run(folder, "restore", str(folder / "none"), code=2)
    assert words(folder / "judge.db") == ["before"]


def test_nothing_is_copied_where_there_is_nothing(tmp_path: Path) -> None:
    """And a database on a server has commands of its own."""
    assert "there is no database" in run(tmp_path, "backup", f"{tmp_path}/copy", code=2)
    server = "postgresql://judge@127.0.0.1/judge"
    assert "pg_dump" in run(tmp_path, "backup", f"{tmp_path}/copy", code=2, database=server)
    assert "pg_restore" in run(tmp_path, "restore", f"{tmp_path}/copy", code=2, database=server)
    assert list(tmp_path.iterdir()) == []
