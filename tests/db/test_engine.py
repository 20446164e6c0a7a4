"""What the database promises is set, not assumed."""

import gc
import stat
from datetime import datetime
from pathlib import Path

import pytest
from sqlalchemy import Connection, bindparam, event, insert, select, text, update
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError

from machjudge.db import engine as postgresql
from machjudge.db.engine import (
    DatabaseOutOfReach,
    Prepared,
    RefusedByDatabase,
    WroteWhileReading,
    is_sqlite,
    open_engine,
    reading,
    writing,
)
from machjudge.db.tables import InboxRow, Instant, OutboxRow
from machjudge.judge.faults import Stale, StoreTrouble
from tests.db.conftest import NOON


@pytest.fixture
def file(tmp_path) -> Path:
    """Where a SQLite file is to be."""
    return tmp_path / "judge.db"


@pytest.fixture
def engine(file):
    """An engine for a SQLite file."""
    engine = open_engine(f"sqlite:///{file}", creates=True)
    yield engine
    engine.dispose()


def pragma(connection, name: str):
    """The value of one pragma."""
    return connection.execute(text(f"PRAGMA {name}")).scalar()


def test_sqlite_writes_ahead_and_to_disk(engine) -> None:
    """Write-ahead log, every commit on disk, references checked, ten seconds of patience."""
    with writing(engine) as connection:
        assert pragma(connection, "journal_mode") == "wal"
        assert pragma(connection, "synchronous") == 2
        assert pragma(connection, "foreign_keys") == 1
        assert pragma(connection, "busy_timeout") == 10_000


@pytest.mark.parametrize("usual", [2, 0])
def test_what_need_not_outlast_a_power_failure_does_not_wait_for_the_disk(engine, usual) -> None:
    """On that connection the next transaction does again, whatever became of this one."""
    with writing(engine) as connection:
        connection.rollback()
        connection.connection.cursor().execute(f"PRAGMA synchronous={usual}")
    seen = []
    with writing(engine, outlasts_power=False) as connection:
        seen.append(pragma(connection, "synchronous"))
    with pytest.raises(ZeroDivisionError), writing(engine, outlasts_power=False):
        raise ZeroDivisionError
    with writing(engine) as connection:
        seen.append(pragma(connection, "synchronous"))

    assert seen == [min(usual, 1), usual]


def test_a_process_that_dies_with_a_claim_is_told_of_its_own_fault_alone(engine) -> None:
    """Its connection is gone, and a new one waits for the disk."""

    def die() -> None:
        with writing(engine, outlasts_power=False) as connection:
            connection.invalidate()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        die()
    with writing(engine) as connection:
        assert pragma(connection, "synchronous") == 2


def test_a_file_is_for_its_owner_alone(engine, file) -> None:
    """It holds mails and hashes of passwords; its companions follow it."""
    with writing(engine) as connection:
        connection.execute(text("CREATE TABLE t (n INTEGER)"))
        connection.commit()

        modes = {stat.S_IMODE(path.stat().st_mode) for path in file.parent.iterdir()}

    assert modes == {0o600}


def test_a_writer_has_its_lock_from_the_start(engine, file, monkeypatch) -> None:
    """A second one is told at once when its patience ends, not in the middle of its work."""
    monkeypatch.setattr("machjudge.db.engine.PATIENCE_SECONDS", 0.1)
    other = open_engine(f"sqlite:///{file}")
    with writing(engine), pytest.raises(Stale), writing(other):
        pytest.fail("both write")
    other.dispose()


def test_readers_do_not_wait_for_a_writer(engine) -> None:
    """They see what was there before."""
    with writing(engine) as connection:
        connection.execute(text("CREATE TABLE t (n INTEGER)"))
        with reading(engine) as other:
            names = other.execute(text("SELECT name FROM sqlite_master")).all()

    assert names == []


def test_an_error_does_not_repeat_what_was_written(engine) -> None:
    """What is written may hold a password; the log keeps errors."""
    with writing(engine) as connection:
        connection.execute(text("CREATE TABLE t (n TEXT CHECK (n < 'a'))"))
        with pytest.raises(DBAPIError) as error:
            connection.execute(text("INSERT INTO t VALUES (:n)"), {"n": "secret"})

    assert "CHECK" in str(error.value)
    assert "secret" not in str(error.value)


@pytest.mark.parametrize(
    "url",
    ["sqlite:////no/such/folder/judge.db", "postgresql://nobody@127.0.0.1:1/judge"],
)
def test_a_database_out_of_reach_is_told_plainly(url) -> None:
    """As a fault of the installation, in words."""
    engine = open_engine(url)
    with pytest.raises(DatabaseOutOfReach, match="cannot open the database"), reading(engine):
        pytest.fail("it was opened")


def test_a_missing_file_is_made_only_where_a_new_one_is_wanted(file) -> None:
    """One that goes while a process begins is not replaced by an empty one."""
    engine = open_engine(f"sqlite:///{file}")

    with pytest.raises(DatabaseOutOfReach, match="not there"), writing(engine):
        pytest.fail("it was opened")

    assert not file.exists()


@pytest.mark.parametrize("in_transaction", [False, True])
def test_a_file_that_was_away_is_used_again_before_garbage_is_collected(
    file, engine, in_transaction
) -> None:
    """Connections of its first life are closed, though it may come back as the same file."""
    with writing(engine) as connection:
        connection.execute(text("CREATE TABLE known (number INTEGER)"))
        connection.commit()
    elsewhere = file.with_name("elsewhere.db")

    def move() -> None:
        for each in (file, *file.parent.glob("judge.db-*")):
            each.rename(file.parent / each.name.replace("judge", "elsewhere"))

    def write_meanwhile() -> None:
        if not in_transaction:
            move()
        with writing(engine) as connection:
            connection.execute(text("INSERT INTO known VALUES (1)"))
            move()
            connection.commit()

    gc.disable()
    try:
        with pytest.raises(DatabaseOutOfReach, match="moved, removed or replaced"):
            write_meanwhile()
        # What stands in a log beside it is not there: a copy was put back.
        elsewhere.write_bytes(elsewhere.read_bytes())
        elsewhere.rename(file)
        with writing(engine) as connection:
            connection.execute(text("CREATE TABLE IF NOT EXISTS known (number INTEGER)"))
            connection.execute(text("INSERT INTO known VALUES (2)"))
            connection.commit()
    finally:
        gc.enable()

    with reading(engine) as connection:
        assert connection.scalar(text("SELECT count(*) FROM known WHERE number = 2")) == 1


def test_a_file_that_is_no_database_is_told_plainly(file) -> None:
    """Nothing is written into somebody's letter."""
    file.write_text("Dear Lucia," * 100)
    engine = open_engine(f"sqlite:///{file}")
    with pytest.raises(DatabaseOutOfReach, match="not a database"), reading(engine):
        pytest.fail("it was opened")


def test_an_instant_without_a_zone_is_refused(engine) -> None:
    """It would mean another instant on another machine."""
    with pytest.raises(ValueError, match="zone"):
        Instant().bind_processor(engine.dialect)(datetime(2026, 11, 20))  # noqa: DTZ001


@pytest.mark.postgresql
@pytest.mark.parametrize("migrated_url", ["postgresql"], indirect=True)
def test_a_connection_that_was_lost_at_rest_is_opened_again(house, monkeypatch) -> None:
    """A server that was restarted meanwhile fails nobody's transaction."""
    with reading(house.engine) as connection:
        lost = connection.scalar(text("SELECT pg_backend_pid()"))
    other = open_engine(house.url)
    with reading(other) as connection:
        connection.execute(text(f"SELECT pg_terminate_backend({lost})"))
    other.dispose()
    monkeypatch.setattr(postgresql, "FRESH_SECONDS", -1)

    with reading(house.engine) as connection:
        assert connection.scalar(text("SELECT pg_backend_pid()")) != lost


@pytest.mark.postgresql
@pytest.mark.parametrize("migrated_url", ["postgresql"], indirect=True)
@pytest.mark.parametrize("transaction", [reading, writing])
@pytest.mark.parametrize("when", ["before", "behind"])
def test_a_connection_that_is_cut_is_trouble_of_the_database(house, transaction, when) -> None:
    """True if a statement finds it, or the end of the transaction: never a fault of a mail."""
    with pytest.raises(StoreTrouble), transaction(house.engine) as connection:
        _cut(house, connection, when, is_writing=transaction is writing)


def _cut(house, connection: Connection, when: str, *, is_writing: bool) -> None:
    """Cut a connection, and go on."""
    pid = connection.scalar(text("SELECT pg_backend_pid()"))
    other = open_engine(house.url)
    with reading(other) as second:
        second.execute(text(f"SELECT pg_terminate_backend({pid}, 5000)"))
    other.dispose()
    if when == "before":
        connection.execute(text("SELECT 1"))
    elif is_writing:
        connection.commit()


def test_a_statement_that_is_wrong_is_a_mistake_of_ours(house) -> None:
    """It is raised again each time, and nobody waits until the database is better."""
    with pytest.raises(RefusedByDatabase), reading(house.engine) as connection:
        connection.execute(text("SELECT nothing FROM inbox"))


def test_a_table_that_is_gone_is_trouble_of_the_database(house) -> None:
    """The file is another one, or somebody is about to bring it back."""
    with pytest.raises(StoreTrouble), reading(house.engine) as connection:
        connection.execute(text("SELECT * FROM nowhere"))


def test_a_full_pool_is_trouble_of_the_database(house) -> None:
    """Nobody's mail is to blame for it."""
    house.engine.pool._timeout = 0.01
    held = [house.engine.connect() for _ in range(15)]
    with pytest.raises(StoreTrouble), reading(house.engine):
        pass
    for each in held:
        each.close()


# Statements that are compiled once do what SQLAlchemy would do with them.


ADD = Prepared(insert(InboxRow))
EVERY = select(InboxRow.__table__).order_by(InboxRow.id)


def mail(key: str) -> dict[str, object]:
    """The columns of a mail that nothing fills by itself; NUL is what PostgreSQL cannot keep."""
    return {
        "received": NOON,
        "key": key,
        "message_id": "a\x00b ½ %s",
        "sender": "lucia@example.com",
        "envelope_sender": "lucia@example.com",
        "recipients": ["judge@mach.example", {"a": None}],
        "raw": b"\x00\xff",
    }


@pytest.fixture
def kept(house):
    """A database with three mails, the second and third of one call."""
    with writing(house.engine) as connection:
        ADD.run(connection, mail("a"))
        ADD.run(connection, mail("b"), mail("c"))
        connection.commit()
    return house.engine


def test_every_kind_of_column_is_kept_and_read_as_by_sqlalchemy(kept) -> None:
    """Instants, JSON, bytes, choices, truth; what is not given has its default."""
    with reading(kept) as connection:
        own = Prepared(EVERY).rows(connection, {})
        plain = connection.execute(EVERY).all()

    assert [tuple(row) for row in own] == [tuple(row) for row in plain]
    assert [row.key for row in own] == ["a", "b", "c"]
    assert own[0].received == NOON
    assert own[0].raw == b"\x00\xff"
    assert own[0].message_id == "a\N{REPLACEMENT CHARACTER}b ½ %s"
    assert own[0].recipients == ["judge@mach.example", {"a": None}]
    assert (own[0].in_doubt, own[0].tries) == (True, 0)


def test_a_statement_has_other_values_each_time(kept) -> None:
    """And a value of the statement's own stays."""
    change = update(InboxRow).where(InboxRow.key == bindparam("wanted"), InboxRow.tries == 0)
    prepared = Prepared(change.returning(InboxRow.id, InboxRow.game))
    with writing(kept) as connection:
        assert prepared.rows(connection, {"wanted": "b", "game": "one"})[0].game == "one"
        assert prepared.scalar(connection, {"wanted": "a", "game": None}) is not None
        assert prepared.scalar(connection, {"wanted": "x", "game": None}) is None
        assert prepared.scalar(connection, {"wanted": "c", "tries": 1}) is not None
        assert prepared.scalar(connection, {"wanted": "c", "tries": 1}) is None


def test_what_is_taken_already_is_refused_as_by_sqlalchemy(kept) -> None:
    """The fault says nothing of what a mail holds."""
    with pytest.raises(RefusedByDatabase) as caught, writing(kept) as connection:
        ADD.run(connection, mail("a"))

    assert isinstance(caught.value.__cause__, IntegrityError)
    assert "judge@mach.example" not in f"{caught.value} {caught.value.__cause__}"


def test_nothing_is_written_while_one_reads(kept) -> None:
    """A transaction that reads refuses the statement, whichever way it comes."""
    with pytest.raises(WroteWhileReading), reading(kept) as connection:
        ADD.run(connection, mail("d"))


def test_a_statement_on_a_table_that_is_gone_is_a_fault_of_the_database(house) -> None:
    """Nobody outside has to know the driver's own errors."""
    with writing(house.engine) as connection:
        connection.exec_driver_sql("DROP TABLE outbox")
        connection.commit()
    expected = OperationalError if is_sqlite(house.engine) else Exception
    with house.engine.connect() as connection, pytest.raises(expected, match="outbox"):
        Prepared(select(OutboxRow.id)).rows(connection, {})


def test_anyone_who_listens_for_statements_hears_of_them(kept) -> None:
    """With the beginning of the transaction on SQLite."""
    heard: list[str] = []

    def hear(connection, cursor, statement, parameters, context, many) -> None:
        heard.append(statement.split()[0])

    event.listen(kept, "before_cursor_execute", hear)
    with writing(kept) as connection:
        ADD.run(connection, mail("d"))

    assert heard == ["BEGIN", "INSERT"] if is_sqlite(kept) else ["INSERT"]
