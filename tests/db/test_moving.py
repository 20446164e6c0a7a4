"""All rows go from one database to another, of any kind, or none of them."""

import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import JSON, ColumnElement, Engine, Enum, delete, insert, select

from machjudge.cli import main
from machjudge.db.engine import open_engine, reading, writing
from machjudge.db.maintenance import CannotMove, migrate, move_rows
from machjudge.db.tables import Base, CountRow, InboxRow, Instant, Prose
from machjudge.settings import migrations_folder
from tests.databases import EMPTY

TABLES = Base.metadata.sorted_tables
LAST = 99


def value(column: ColumnElement[Any]) -> object:
    """Something for a column; references fit, as all texts and all numbers are the same."""
    if isinstance(column.type, Enum):
        return next(iter(column.type.enum_class or column.type.enums))
    if isinstance(column.type, JSON):
        return {"über": [1, None, "x"]}
    if isinstance(column.type, Prose):
        return "x"
    if isinstance(column.type, Instant):
        return datetime(2026, 11, 20, 12, 30, 15, 123456, tzinfo=UTC)
    kinds: dict[type, object] = {
        int: 7,
        bool: True,
        bytes: b"\x00\xff",
    }
    return kinds[column.type.python_type]


def fill(url: str) -> None:
    """A row in each table; a mail with a higher number has come and is gone."""
    engine = open_engine(url)
    with writing(engine) as connection:
        for table in TABLES:
            connection.execute(insert(table), {each.key: value(each) for each in table.columns})
        mail = {each.name: value(each) for each in InboxRow.__table__.columns}
        connection.execute(insert(InboxRow), {**mail, "id": LAST, "key": "gone"})
        connection.execute(delete(InboxRow).where(InboxRow.id == LAST))
        connection.commit()
    engine.dispose()


def rows(url: str) -> dict[str, list[tuple[Any, ...]]]:
    """Everything in a database."""
    engine = open_engine(url)
    with reading(engine) as connection:
        found = {
            each.name: [tuple(row) for row in connection.execute(select(each))] for each in TABLES
        }
    engine.dispose()
    return found


def next_number(url: str) -> int:
    """The number of the next mail, which is not kept."""
    engine = open_engine(url)
    mail = {each.name: value(each) for each in InboxRow.__table__.columns if each.name != "id"}
    with writing(engine) as connection:
        number: int | None = connection.scalar(
            insert(InboxRow).returning(InboxRow.id), {**mail, "key": "new"}
        )
    engine.dispose()
    assert number is not None
    return number


@pytest.fixture
def filled(tmp_path: Path) -> str:
    """A SQLite database with a row in each table."""
    url = f"sqlite:///{tmp_path}/old.db"
    migrate(url, migrations_folder())
    fill(url)
    return url


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def goal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty database of each kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/new.db"
    else:
        with request.getfixturevalue("server").database(EMPTY) as url:
            yield url


def settings(folder: Path, name: str, database: str) -> str:
    """The settings of a judge with that database."""
    file = folder / name
    file.write_text(f'database = "{database}"\nsecret_file = "{file}.secret"\n')
    return str(file)


def run(*command: str, code: int = 0) -> str:
    """What a command prints."""
    done = CliRunner().invoke(main, command)
    assert done.exit_code == code, done.output
    return done.output


def test_a_judge_moves_there_and_back_whole(filled: str, goal: str, tmp_path: Path) -> None:
    """Every row, the secret, and no number is given a second time."""
    old = settings(tmp_path, "old.toml", filled)
    new = settings(tmp_path, "new.toml", goal)
    back = settings(tmp_path, "back.toml", f"sqlite:///{tmp_path}/back.db")
    before = rows(filled)
    (tmp_path / "old.toml.secret").write_text("ab" * 32)

    output = run("--config", old, "move", new)
    run("--config", new, "move", back)

    assert f"moved: {len(TABLES)} rows. From now on start it with {new}" in output
    assert before == rows(filled) == rows(goal) == rows(f"sqlite:///{tmp_path}/back.db")
    assert next_number(goal) == next_number(f"sqlite:///{tmp_path}/back.db") == LAST + 1
    assert (tmp_path / "back.toml.secret").read_text().strip() == "ab" * 32


def test_what_is_counted_after_a_move_has_a_number_of_its_own(filled: str, goal: str) -> None:
    """Else the first mails at the new place would fail, and be set aside."""
    migrate(goal, migrations_folder())
    move_rows(filled, goal)
    engine = open_engine(goal)
    counted = insert(CountRow).returning(CountRow.id)
    with writing(engine) as connection:
        number = connection.scalar(counted, {"key": "tries", "at": value(CountRow.__table__.c.at)})
    engine.dispose()

    assert number == 1 + rows(filled)["counts"][0][0]


def test_nothing_goes_where_something_is(filled: str, goal: str, tmp_path: Path) -> None:
    """Neither into another judge's database, nor beside another judge's secret."""
    migrate(goal, migrations_folder())
    fill(goal)
    old = settings(tmp_path, "old.toml", filled)
    new = settings(tmp_path, "new.toml", goal)

    assert "holds a judge already" in run("--config", old, "move", new, code=2)
    assert "already" in run("--config", old, "move", old, code=2)
    (tmp_path / "new.toml.secret").write_text("cd" * 32)
    assert "the secret of another judge" in run("--config", old, "move", new, code=2)


def test_a_judge_in_use_stays(goal: str, filled: str, tmp_path: Path) -> None:
    """Whatever its kind: mails that came meanwhile would be left behind."""
    migrate(goal, migrations_folder())
    old = settings(tmp_path, "old.toml", goal)
    new = settings(tmp_path, "new.toml", f"sqlite:///{tmp_path}/other.db")
    engine: Engine = open_engine(goal)
    with engine.connect():
        assert "in use" in run("--config", old, "move", new, code=2)
    engine.dispose()
    run("--config", old, "move", new)


def test_a_move_that_is_killed_leaves_nothing(filled: str, goal: str) -> None:
    """After half of the tables; then it is done from the beginning."""
    migrate(goal, migrations_folder())
    killed = (
        "import os, sys; from machjudge.db.maintenance import move_rows;"
        f"move_rows(*sys.argv[1:], lambda done: done.startswith('{TABLES[-1].name}:')"
        " and os.kill(os.getpid(), 9))"
    )
    ended = subprocess.run(  # noqa: S603 - ourselves
        [sys.executable, "-c", killed, filled, goal], check=False
    )

    assert ended.returncode == -9
    assert not any(rows(goal).values())
    assert move_rows(filled, goal) == len(TABLES)
    with pytest.raises(CannotMove):
        move_rows(filled, goal)
