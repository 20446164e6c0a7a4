"""Statements that are compiled once do what SQLAlchemy would do with them."""

import pytest
from sqlalchemy import bindparam, event, insert, select, update
from sqlalchemy.exc import IntegrityError, OperationalError

from machjudge.db.engine import (
    Prepared,
    RefusedByDatabase,
    WroteWhileReading,
    is_sqlite,
    reading,
    writing,
)
from machjudge.db.tables import InboxRow, OutboxRow
from tests.db.conftest import NOON

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


def test_whoever_listens_for_statements_hears_of_them(kept) -> None:
    """With the beginning of the transaction on SQLite."""
    heard: list[str] = []

    def hear(connection, cursor, statement, parameters, context, many) -> None:
        heard.append(statement.split()[0])

    event.listen(kept, "before_cursor_execute", hear)
    with writing(kept) as connection:
        ADD.run(connection, mail("d"))

    assert heard == ["BEGIN", "INSERT"] if is_sqlite(kept) else ["INSERT"]
