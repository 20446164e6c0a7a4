"""A claim looks at few rows, however many wait, are done with, or are kept for somebody else."""

import json
from contextlib import contextmanager

import pytest
from sqlalchemy import event, text, update
from sqlalchemy.dialects import sqlite

from machjudge.db.engine import is_sqlite, reading, writing
from machjudge.db.mail_queues import SECONDS, KeeperQueues, QueueStart
from machjudge.db.mail_queues import _claim as claim_of_mails
from machjudge.db.mail_queues import _claim_to_send as claim_of_letters
from machjudge.db.tables import InboxRow, MailState
from machjudge.judge.mails import MailEnd, MailOutcome, Outgoing
from tests.load.plans import looking

MANY = 1500


def claim(house, store):
    """Claim in a transaction of its own."""
    with store.writing() as uow:
        mail = uow.inbox.claim(house.clock.now)
        uow.commit()
    return mail


def end(house, store, mail) -> None:
    """Finish a mail in a transaction of its own."""
    with store.writing() as uow:
        uow.inbox.finish(mail, MailEnd(MailOutcome.ANSWERED), b"redacted", house.clock.now)
        uow.commit()


def pages_of_claim(house, store) -> int:
    """How many pages PostgreSQL looks at for a claim, which is undone again."""
    seen: list[int] = []

    def explain(connection, cursor, statement, parameters, context, many):
        if not statement.startswith("UPDATE inbox"):
            return statement, parameters
        plan = connection.exec_driver_sql(
            f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {statement}", parameters
        ).scalar()
        top = (plan if isinstance(plan, list) else json.loads(plan))[0]["Plan"]
        seen.append(top["Shared Hit Blocks"] + top["Shared Read Blocks"])
        return statement, parameters

    with listening(house.engine, explain), store.writing() as uow:
        uow.inbox.claim(house.clock.now)
    return seen[0]


def after_a_while(store) -> None:
    """Five seconds later it is looked up again where mails begin that wait."""
    store._shared.queue_start._ends = None


@contextmanager
def listening(engine, what):
    """Have *what* called before each statement."""
    event.listen(engine, "before_cursor_execute", what, retval=True)
    try:
        yield
    finally:
        event.remove(engine, "before_cursor_execute", what)


def pages_before_and_after(house, store, change) -> tuple[int, int]:
    """The pages of a claim, and those after *change*."""
    pages_of_claim(house, store)  # what is looked up once is looked up here
    before = pages_of_claim(house, store)
    change()
    return before, pages_of_claim(house, store)


@pytest.mark.postgresql
@pytest.mark.parametrize("migrated_url", ["postgresql"], indirect=True)
def test_a_claim_looks_at_few_rows_however_many_wait(house, arrival) -> None:
    """Those of the first mail, though fifteen hundred wait behind it."""
    store = house.store()
    house.arrivals.keep([arrival(f"{n}@example.com") for n in range(10)])

    def more() -> None:
        house.arrivals.keep([arrival(f"more{n}@example.com") for n in range(MANY)])
        with house.engine.connect() as connection:
            connection.execution_options(isolation_level="AUTOCOMMIT")
            connection.execute(text("ANALYZE inbox"))

    before, after = pages_before_and_after(house, store, more)

    assert after < 3 * before


@pytest.mark.postgresql
@pytest.mark.parametrize("migrated_url", ["postgresql"], indirect=True)
def test_no_claim_reads_a_table_whole_that_was_small_when_it_was_measured(house, arrival) -> None:
    """Many mails or letters may come before PostgreSQL counts its rows again."""
    store, bag = house.store(), house.bag()
    with house.engine.connect() as connection:
        connection.execution_options(isolation_level="AUTOCOMMIT")
        connection.execute(text("VACUUM ANALYZE"))
    house.arrivals.keep([arrival()])
    with store.writing() as uow:
        uow.outbox.put(Outgoing("a@x.example", "Results", "A per H"))
        uow.commit()

    with looking() as looked:
        mail = claim(house, store)
        letter = bag.claim(house.clock.now, house.clock.now)
        end(house, store, mail)
        bag.sent(letter.id, house.clock.now)

    assert looked.statements >= 4
    assert not looked.scans


@pytest.mark.postgresql
@pytest.mark.parametrize("migrated_url", ["postgresql"], indirect=True)
def test_what_a_claim_asks_stays_prepared_while_others_read(house) -> None:
    """PostgreSQL plans it a few times, and not for each mail again."""
    store = house.store()
    asked = "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE 'UPDATE inbox%'"
    for _ in range(10):
        claim(house, store)
        with store.reading() as uow:
            uow.games.get("borgia")

    with reading(house.engine) as connection:
        assert connection.scalar(text(asked)) == 1


@pytest.mark.postgresql
@pytest.mark.parametrize("migrated_url", ["postgresql"], indirect=True)
@pytest.mark.parametrize("left", [5, 0])
def test_a_transaction_that_stays_open_does_not_hold_up_claims(house, arrival, left) -> None:
    """It makes the database keep all that was done with since then; a claim does not look there."""
    store = house.store()
    house.arrivals.keep([arrival(f"{n}@example.com") for n in range(MANY)])
    with reading(house.engine) as elsewhere:
        elsewhere.execute(text("SELECT count(*) FROM inbox")).scalar()

        def most_done() -> None:
            done = update(InboxRow).where(InboxRow.id <= MANY - left)
            with writing(house.engine) as connection:
                connection.execute(done.values(state=MailState.FINISHED))
                connection.commit()
            after_a_while(store)

        before, after = pages_before_and_after(house, store, most_done)

    assert after < 3 * before


@pytest.mark.parametrize("migrated_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    "statement",
    [claim_of_mails(is_before=False, unless_overdue=True).statement, claim_of_letters().statement],
    ids=["mails", "letters"],
)
def test_no_claim_puts_all_that_waits_in_order_first(house, statement) -> None:
    """The first row by the index is the first one that is wanted."""
    told = str(statement.compile(dialect=sqlite.dialect()))
    with house.engine.connect() as connection:
        plan = connection.exec_driver_sql(
            f"EXPLAIN QUERY PLAN {told}", (1,) * told.count("?")
        ).fetchall()

    steps = [step[-1] for step in plan]
    assert not any("TEMP B-TREE" in step or step.startswith("SCAN") for step in steps), steps


def test_a_mail_that_the_keeper_puts_back_is_taken_up(house, arrival) -> None:
    """Though this process knows that it was the first of those that are done with."""
    store = house.store()
    house.arrivals.keep([arrival("a@example.com"), arrival("b@example.com")])
    first = claim(house, store)
    with store.writing() as uow:
        uow.inbox.set_aside(first.id, "a fault", house.clock.now)
        uow.commit()
    end(house, store, claim(house, store))
    assert claim(house, store) is None

    KeeperQueues(house.engine, house.clock).retry_mail(first.id)
    after_a_while(store)

    assert claim(house, store).id == first.id


def test_where_mails_begin_that_wait_is_looked_up_every_five_seconds(house, arrival) -> None:
    """On SQLite, which keeps nothing that is done with, never."""
    store, passed = house.store(), [0.0]
    queue_start = QueueStart(InboxRow, lambda: passed[0])
    house.arrivals.keep([arrival(f"{n}@example.com") for n in range(3)])

    def number() -> int:
        with reading(house.engine) as connection:
            return queue_start.number(connection)

    numbers = [number()]
    end(house, store, claim(house, store))
    for seconds in (SECONDS - 1, 1):
        passed[0] += seconds
        numbers.append(number())

    for _ in range(2):
        end(house, store, claim(house, store))
    passed[0] += SECONDS
    numbers.append(number())

    assert numbers == ([0] * 4 if is_sqlite(house.engine) else [1, 1, 2, 3])
