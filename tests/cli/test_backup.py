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


# --- a folder of backups -------------------------------------------------------------------------


def backups(folder: Path) -> list[str]:
    """What lies in a folder of backups."""
    return sorted(each.name for each in folder.iterdir())


def rotate(folder: Path, number: int, times: int = 1) -> list[str]:
    """Make backups of the judge in *folder*; what lies there then."""
    place = folder / "backups"
    for _ in range(times):
        run(folder, "backup", "--rotate", str(number), str(place))
    return backups(place)


def test_the_newest_backups_are_kept(folder: Path) -> None:
    """Their names sort by time; each has the database and the secret, for its owner alone."""
    early = rotate(folder, 3, 2)
    late = rotate(folder, 3, 3)

    assert len(early) == 2
    assert len(late) == 3
    assert not set(early) & set(late)
    assert max(early) < min(late)
    newest = folder / "backups" / late[-1]
    assert backups(newest) == ["judge.db", "judge.secret"]
    assert stat.S_IMODE(newest.stat().st_mode) == 0o700
    assert {stat.S_IMODE(each.stat().st_mode) for each in newest.iterdir()} == {0o600}
    assert (newest / "judge.secret").read_bytes() == (folder / "judge.secret").read_bytes()
    assert words(newest / "judge.db") == ["before"]


def test_only_its_own_backups_are_removed(folder: Path, tmp_path: Path) -> None:
    """Not those of another judge of that name, nor files, links, or folders with more in them."""
    place = folder / "backups"
    (first,) = rotate(folder, 1)
    other = tmp_path / "other"
    other.mkdir()
    run(other, "migrate")
    run(other, "backup", "--rotate", "1", str(place))
    theirs = [each for each in backups(place) if each != first]
    (place / first / "note").write_text("before the great purge")
    (place / "judge-20200101T000000.000000Z").symlink_to(place / first)
    (place / "judge-20200102T000000.000000Z").mkdir()
    (place / "judge-20200103T000000.000000Z").write_text("a file")
    (place / "list.txt").write_text("mine")
    foreign = backups(place)

    found = rotate(folder, 1, 4)

    assert len(theirs) == 1
    assert set(foreign) < set(found)
    assert len(found) == len(foreign) + 1


def test_a_backup_that_fails_leaves_nothing_and_removes_nothing(folder: Path, monkeypatch) -> None:
    """Neither half of it, nor an older one; what a killed process left is cleared up next time."""
    before = rotate(folder, 2, 2)
    half = folder / "backups" / ".judge-20200101T000000.000000Z.new"
    half.mkdir()
    (half / "judge.db").write_text("half")
    with monkeypatch.context() as patched:
        patched.setattr("machjudge.db.maintenance._SOUND", "never")
        run(folder, "backup", "--rotate", "2", str(folder / "backups"), code=2)
        assert backups(folder / "backups") == before

    assert len(rotate(folder, 2)) == 2
    assert "cannot be used" in run(folder, "backup", "--rotate", "2", f"{folder}/no/no", code=2)


def test_a_backup_is_restored_on_another_machine(folder: Path, tmp_path_factory) -> None:
    """On other paths, with nothing but the backup: the judge goes on with its own secret."""
    (name,) = rotate(folder, 14)
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (folder / "backups").rename(elsewhere / "saved")
    for each in ("judge.db", "judge.secret"):
        (folder / each).unlink()
    saved = elsewhere / "saved" / name
    home = elsewhere / "var"
    home.mkdir()
    run(home, "restore", str(saved))

    assert words(home / "judge.db") == ["before"]
    assert (home / "judge.secret").read_bytes() == (saved / "judge.secret").read_bytes()
    assert stat.S_IMODE((home / "judge.secret").stat().st_mode) == 0o600
    assert "up to date" in run(home, "migrate")
    assert "ok      secret" in run(home, "doctor", code=1)


def test_another_secret_that_is_there_is_put_aside_only_by_force(folder: Path) -> None:
    """As with a new judge that has begun on the new machine; it is not lost."""
    (name,) = rotate(folder, 14)
    own = (folder / "judge.secret").read_bytes()
    (folder / "judge.db").unlink()
    (folder / "judge.secret").write_text("ab" * 32)
    saved = str(folder / "backups" / name)

    assert "--force" in run(folder, "restore", saved, code=2)
    assert not (folder / "judge.db").exists()
    run(folder, "restore", saved, "--force")
    assert (folder / "judge.secret").read_bytes() == own
    (aside,) = folder.glob("judge.secret.*.before-restore")
    assert aside.read_text() == "ab" * 32
    run(folder, "restore", saved, "--force")
    assert len(list(folder.glob("judge.secret.*"))) == 1
