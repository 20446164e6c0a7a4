"""After a clock that was ahead is set back, nothing waits for a time that it has invented."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select

from machjudge.db.engine import reading
from machjudge.db.games import instants
from machjudge.db.tables import Base
from machjudge.judge.mails import Outgoing
from tests.db.conftest import NOON
from tests.db.examples import GAME, LUCIA, OTTO, PHASE, SHEET

AHEAD = timedelta(days=3)


@pytest.fixture
def ahead(house, arrival):
    """A judge whose clock was three days ahead while it worked, and is right again."""
    house.clock.now = NOON + AHEAD
    house.arrivals.keep([arrival("a@x.example"), arrival("b@x.example")])
    with house.store().writing() as uow:
        for person in (LUCIA, OTTO):
            uow.persons.save(person)
        uow.games.add(replace(GAME, heard=house.clock.now, created=house.clock.now))
        uow.phases.add(PHASE, [])
        lines = tuple(replace(line, received=house.clock.now, mail=None) for line in SHEET.lines)
        uow.order_sets.add(replace(SHEET, lines=lines, received=house.clock.now, mail=None))
        uow.outbox.put(Outgoing("a@x.example", "Hello", "Hello\n"))
        uow.outbox.put(Outgoing("b@x.example", "Hello", "Hello\n"))
        mail = uow.inbox.claim(house.clock.now)
        uow.inbox.put_back(mail.id, house.clock.now + timedelta(minutes=2), counts=True)
        uow.inbox.claim(house.clock.now)
        uow.commit()
    house.bag().claim(house.clock.now, house.clock.now + timedelta(minutes=10))
    house.clock.now = NOON
    with house.store().writing() as uow:
        uow.heartbeat.set_back(NOON)
        uow.commit()
    return house


def test_no_instant_but_a_planned_one_is_in_the_future(ahead) -> None:
    """In whatever table; claims last two minutes at most."""
    found = []
    with reading(ahead.engine) as connection:
        for table in Base.metadata.sorted_tables:
            for column in instants(table):
                rows = connection.execute(select(column).where(column > NOON)).scalars()
                found += [(table.name, column.name, at - NOON) for at in rows]

    assert {(table, column) for table, column, _ in found} == {
        ("inbox", "claimed_until"),
        ("outbox", "claimed_until"),
    }
    assert {after for _, _, after in found} == {timedelta(minutes=2)}


def test_messages_and_tries_are_due_and_claims_end(ahead) -> None:
    """They would have waited three days."""
    bag, store = ahead.bag("another"), ahead.store("another")
    first = bag.claim(NOON, NOON + timedelta(minutes=10))
    with store.writing() as uow:
        mail = uow.inbox.claim(NOON)
        uow.commit()
    later = ahead.clock.on(minutes=10)
    second = bag.claim(later, later + timedelta(minutes=10))

    assert (first.outgoing.to, second.outgoing.to) == ("b@x.example", "a@x.example")
    assert mail.sender == "a@x.example"


def test_a_message_keeps_the_instant_by_which_it_is_known(ahead) -> None:
    """Its Message-ID has it: one that the relay may have taken goes out again as the same mail."""
    later = ahead.clock.on(minutes=10)
    letter = ahead.bag("another").claim(later, later + timedelta(minutes=10))

    assert letter is not None
    assert letter.made == NOON + AHEAD


def test_newer_orders_count_although_their_clock_says_less(ahead) -> None:
    """The lines on file were received before them."""
    with ahead.store().reading() as uow:
        (order_set,) = uow.order_sets.on_file(GAME.id, SHEET.after).values()

    assert order_set.received == NOON
    assert {line.received for line in order_set.lines} == {NOON}


def test_phases_wait_for_mails_that_the_wrong_clock_has_stamped(ahead) -> None:
    """They were kept before now."""
    ahead.clock.on(minutes=1)
    with ahead.store().writing() as uow:
        assert uow.inbox.any_before(ahead.clock.now, GAME.id)
