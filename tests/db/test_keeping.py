"""What the keeper sees and decides."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from machjudge.db.mail_queues import Holder, KeeperQueues, Queues, myself
from machjudge.judge.mails import Outgoing
from machjudge.judge.ports import UnitOfWork
from machjudge.judge.records import GameId
from tests.db.examples import GAME, LUCIA, OTTO


@pytest.fixture
def services(house) -> KeeperQueues:
    """The keeper's desk."""
    return KeeperQueues(house.engine, house.clock)


@pytest.fixture
def aside(house, arrival) -> int:
    """The number of a mail that was set aside."""
    house.arrivals.keep([arrival("lucia@example.com", raw=b"signon Lborgia pw")])
    with house.store().writing() as uow:
        mail = uow.inbox.claim(house.clock.now)
        uow.inbox.set_aside(mail.id, "BadTemplate", house.clock.now)
        uow.commit()
    return mail.id


@pytest.fixture
def given_up(house) -> int:
    """The number of a letter that was given up."""
    with house.store().writing() as uow:
        uow.outbox.put(Outgoing("otto@example.com", "Hello", "Hello\n"))
        uow.commit()
    letter = house.bag().claim(house.clock.now, house.clock.now + timedelta(minutes=10))
    house.bag().give_up(letter.id, house.clock.now, "550 nobody")
    return letter.id


def claim_mail(house):
    """Take up a mail, if there is one."""
    with house.store().writing() as uow:
        mail = uow.inbox.claim(house.clock.now)
        uow.commit()
    return mail


def test_a_mail_set_aside_is_seen_whole(house, services, aside) -> None:
    """With its sender, its tries and why; one that is not set aside is not shown."""
    (mail,) = services.mails_aside()

    assert (mail.id, mail.sender, mail.why) == (aside, "lucia@example.com", "BadTemplate")
    assert (mail.tries, mail.raw) == (1, b"signon Lborgia pw")
    assert services.mail_aside(aside) == mail
    assert services.mail_aside(aside + 1) is None


def test_a_mail_is_tried_again_from_the_beginning(house, services, aside) -> None:
    """Its failures are forgotten."""
    assert services.retry_mail(aside)

    assert claim_mail(house).tries == 1
    assert services.mails_aside() == []


def test_a_dropped_mail_is_never_handled_and_redacted(house, services, aside) -> None:
    """It cannot be dropped or tried again."""
    assert services.drop_mail(aside, b"redacted")

    assert claim_mail(house) is None
    assert not services.retry_mail(aside)
    assert not services.drop_mail(aside, b"")


def test_a_waiting_mail_is_not_the_keepers(house, services, arrival) -> None:
    """He decides only about what was set aside."""
    house.arrivals.keep([arrival()])
    mail = claim_mail(house)

    assert not services.retry_mail(mail.id)
    assert not services.drop_mail(mail.id, b"")


def test_a_letter_given_up_is_seen_and_tried_again(house, services, given_up) -> None:
    """With the relay's words."""
    (letter,) = services.messages_given_up()
    assert (letter.id, letter.why, letter.outgoing.to) == (
        given_up,
        "550 nobody",
        "otto@example.com",
    )
    assert services.message_given_up(given_up) == letter

    assert services.retry_message(given_up)
    again = house.bag().claim(house.clock.now, house.clock.now + timedelta(minutes=10))
    assert (again.id, again.tries) == (given_up, 1)


def test_a_dropped_letter_is_never_sent(house, services, given_up) -> None:
    """It cannot be tried again."""
    assert services.drop_message(given_up)

    assert house.bag().claim(house.clock.now, house.clock.now) is None
    assert not services.retry_message(given_up)
    assert services.message_given_up(given_up) is None


def test_what_waits_is_counted(house, services, arrival, aside, given_up) -> None:
    """Mails and letters in the ordinary course, and since when the oldest of each waits."""
    nothing = services.queues()
    received = house.clock.now
    house.arrivals.keep([arrival()])
    house.clock.on(hours=1)
    house.arrivals.keep([arrival()])

    assert nothing == Queues(0, None, 0, None)
    assert services.queues() == Queues(2, received, 0, None)


def test_games_whose_deadline_is_over(house) -> None:
    """At the deadline it is over, later the grace too; games without one are never due."""
    with house.store().writing() as uow:
        uow.persons.save(LUCIA)
        uow.persons.save(OTTO)
        uow.games.add(GAME)
        uow.commit()
    deadline = GAME.clock.deadline

    assert house.store().overdue(deadline - timedelta(seconds=1)) == []
    assert house.store().overdue(deadline) == [(GAME.id, deadline)]
    grace = GAME.clock.grace
    assert house.store().overdue(grace) == [(GAME.id, deadline), (GAME.id, grace)]


def test_a_game_is_due_when_it_has_changed_or_its_rest_is_over(house) -> None:
    """It rests until its time, and whatever is written of it ends its rest at once."""
    with house.store().writing() as uow:
        uow.persons.save(LUCIA)
        uow.persons.save(OTTO)
        uow.games.add(GAME)
        uow.commit()
    now, until = GAME.clock.deadline, GAME.clock.deadline + timedelta(hours=2)

    def write(change: Callable[[UnitOfWork], None]) -> tuple[Sequence[GameId], ...]:
        with house.store().writing() as uow:
            change(uow)
            uow.commit()
        with house.store().reading() as uow:
            return uow.games.due(now), uow.games.due(until)

    changed = replace(GAME, version=GAME.version + 1)
    assert write(lambda _: None) == ([GAME.id], [GAME.id])
    assert write(lambda uow: uow.games.rest(GAME, until)) == ([], [GAME.id])
    assert house.store().overdue(now) == []
    assert write(lambda uow: uow.games.save(changed)) == ([GAME.id], [GAME.id])
    assert write(lambda uow: uow.games.rest(GAME, until)) == ([GAME.id], [GAME.id])
    assert write(lambda uow: uow.games.rest(changed, None)) == ([], [])


def test_what_a_dead_process_held_is_free_at_once(house, arrival) -> None:
    """Mails and letters alike."""
    dead = str(Holder(myself().host, 2**22 + 1, "1"))
    house.arrivals.keep([arrival()])
    with house.store(dead).writing() as uow:
        uow.inbox.claim(house.clock.now)
        uow.outbox.put(Outgoing("otto@example.com", "Hello", "Hello\n"))
        uow.commit()
    house.bag(dead).claim(house.clock.now, house.clock.now + timedelta(minutes=10))

    assert house.store().release_dead() == 2
    assert house.store().release_dead() == 0
    assert claim_mail(house) is not None
