"""Mails are put down once, durably, in order, at an instant that counts."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from machjudge.db import mail_queues
from machjudge.db.engine import RefusedByDatabase, open_engine, writing
from machjudge.db.mail_queues import Arrivals
from machjudge.db.tables import InboxRow
from machjudge.judge.faults import Stale
from machjudge.judge.mails import Arrival
from tests.patience import SECONDS


def kept(house):
    """All rows of the inbox, by number, seen by a connection of its own."""
    engine = open_engine(house.url)
    with Session(engine) as session:
        rows = session.scalars(select(InboxRow).order_by(InboxRow.id)).all()
    engine.dispose()
    return rows


def test_a_mail_is_kept_byte_for_byte(house, arrival) -> None:
    """What came in is there for others as soon as `keep` has returned, NUL bytes too."""
    raw = bytes(range(256)) * 4000

    house.arrivals.keep([arrival(raw=raw)])

    assert [row.raw for row in kept(house)] == [raw]


def test_mails_of_one_call_are_kept_in_their_order(house, arrival) -> None:
    """Their numbers say who came first."""
    house.arrivals.keep([arrival("b@example.com"), arrival("a@example.com")])
    house.arrivals.keep([arrival("c@example.com")])

    assert [row.sender for row in kept(house)] == [
        "b@example.com",
        "a@example.com",
        "c@example.com",
    ]


def test_envelope_is_kept(house, arrival) -> None:
    """Sender and recipients of the envelope, and the Message-ID, stand beside the mail."""
    house.arrivals.keep([arrival(key="k1")])

    (row,) = kept(house)
    assert row.envelope_sender == "lucia@example.com"
    assert row.recipients == ["judge@mach.example"]
    assert row.message_id == "<k1@example.com>"


def test_the_instant_of_receipt_is_the_clocks(house, arrival) -> None:
    """It is an instant in UTC."""
    house.arrivals.keep([arrival()])

    assert [row.received for row in kept(house)] == [house.clock.now]


def test_repeated_delivery_is_kept_once_and_counted(house, arrival) -> None:
    """The first delivery counts, also its instant; also within one call."""
    house.arrivals.keep([arrival(key="same"), arrival(key="same")])
    house.clock.on(minutes=5)
    house.arrivals.keep([arrival(key="same")])

    (row,) = kept(house)
    assert row.repeats == 2
    assert row.received < house.clock.now


def test_the_same_text_after_another_one_is_no_repeat(house, arrival) -> None:
    """A, B, A without Message-ID: the last A takes effect after B."""

    def unnamed(key: str, sender: str = "lucia@example.com") -> Arrival:
        return replace(arrival(sender, key=key), message_id="")

    house.arrivals.keep([unnamed("a"), unnamed("b"), unnamed("a"), unnamed("a")])
    house.arrivals.keep([unnamed("x", "otto@example.com"), unnamed("a"), unnamed("b")])
    house.arrivals.keep([unnamed("a"), unnamed("b"), unnamed("a")])

    found = [(row.key.partition(".")[0], row.repeats) for row in kept(house)]
    assert found == [("a", 0), ("b", 0), ("a", 2), ("x", 0), *[(k, 0) for k in "baba"]]


def test_repeat_of_a_finished_mail_is_not_kept_again(house, arrival) -> None:
    """Otherwise a late copy would be handled twice."""
    house.arrivals.keep([arrival(key="same")])
    with house.store().writing() as uow:
        mail = uow.inbox.claim(house.clock.now)
        uow.inbox.set_aside(mail.id, "broken", house.clock.now)
        uow.commit()
    house.arrivals.keep([arrival(key="same")])

    with house.store().writing() as uow:
        assert uow.inbox.claim(house.clock.now) is None


def test_all_or_none_of_a_call_is_kept(house, arrival) -> None:
    """A mail that the database refuses leaves no trace of its neighbours."""
    broken = arrival()
    object.__setattr__(broken, "sender", None)

    with pytest.raises(RefusedByDatabase):
        house.arrivals.keep([arrival(), broken])

    assert kept(house) == []


def test_the_instant_is_taken_under_the_lock(house, arrival) -> None:
    """A mail that waited for another transaction was received when its turn came.

    So anyone who looked for mails before an instant, and found none, has not overlooked it.
    """
    with ThreadPoolExecutor() as pool:
        with writing(house.engine) as connection:
            mail_queues._lock_arrivals(connection)
            coming = pool.submit(house.arrivals.keep, [arrival()])
            threading.Event().wait(0.2)
            house.clock.on(hours=1)
            connection.commit()
        coming.result()

    assert [row.received for row in kept(house)] == [house.clock.now]


def test_who_looks_for_earlier_mails_waits_for_one_that_is_being_kept(house, arrival) -> None:
    """A mail whose instant is taken is seen, although its commit comes after the question."""
    about_to_commit, may_commit = threading.Event(), threading.Event()

    class Slow(Arrivals):
        def keep(self, mails) -> None:
            with writing(house.engine) as connection:
                mail_queues._lock_arrivals(connection)
                mail_queues._insert(connection, mails[0], house.clock())
                about_to_commit.set()
                may_commit.wait(SECONDS)
                connection.commit()

    def somebody_waits() -> bool:
        with house.store().writing() as uow:
            return uow.inbox.any_before(house.clock.now, "borgia")

    with ThreadPoolExecutor() as pool:
        coming = pool.submit(Slow(house.engine, house.clock).keep, [arrival()])
        about_to_commit.wait(SECONDS)
        house.clock.on(seconds=1)
        question = pool.submit(somebody_waits)
        threading.Event().wait(0.2)
        may_commit.set()
        coming.result()

        assert question.result() is True


def test_a_database_that_stays_locked_is_no_success(house, arrival, monkeypatch) -> None:
    """`keep` raises, so that the sender gets a 451; nothing is kept."""
    monkeypatch.setattr("machjudge.db.engine.PATIENCE_SECONDS", 0.1)
    engine = open_engine(house.url)
    with writing(house.engine) as connection:
        mail_queues._lock_arrivals(connection)
        with pytest.raises(Stale):
            Arrivals(engine, house.clock).keep([arrival()])
    engine.dispose()

    assert kept(house) == []
