"""The texts of old mails go, what they brought about stays."""

from dataclasses import replace
from datetime import timedelta

from sqlalchemy import text

from machjudge.db import mail_queues
from machjudge.judge.mails import Arrival, Attachment, MailEnd, MailOutcome, Outgoing
from tests.db.conftest import House

KEEP = timedelta(days=90)
MAIL = Arrival(b"From: a@x.example\r\n\r\nA per h\r\n", "a@x", ("judge@y",), "a@x", "<1@x>", "key")
LETTER = Outgoing("a@x.example", "s", "text", attachments=(Attachment("m", "text/plain", b"m"),))


def handled(house: House, number: int) -> None:
    """A mail that came in and was answered, and the answer was sent."""
    house.arrivals.keep([replace(MAIL, key=f"{number}", message_id=f"<{number}@x>")])
    with house.store().writing() as uow:
        kept = uow.inbox.claim(house.clock.now)
        assert kept is not None
        uow.inbox.finish(kept, MailEnd(MailOutcome.ANSWERED), kept.raw, house.clock.now)
        uow.outbox.put(LETTER)
        uow.commit()
    letter = house.bag().claim(house.clock.now, house.clock.now + timedelta(minutes=1))
    assert letter is not None
    house.bag().sent(letter.id, house.clock.now)


def texts(house: House) -> list[tuple[int, int, int]]:
    """Of mails, letters and attachments: how many still have their text."""
    with house.engine.connect() as connection:
        return [
            connection.execute(text(f"SELECT count(*) FROM {what}")).scalar()  # noqa: S608
            for what in (
                "inbox WHERE length(raw) > 0",
                "outbox WHERE body <> ''",
                "outbox WHERE files IS NOT NULL",
                "inbox",
                "outbox",
            )
        ]


def test_texts_go_when_their_time_is_over(house) -> None:
    """Not a moment before; the rows stay, by which repeats are known."""
    handled(house, 1)
    house.clock.on(days=89)
    handled(house, 2)

    assert house.store().forget_texts(KEEP) == 0
    assert texts(house) == [2, 2, 2, 2, 2]
    house.clock.on(days=2)
    assert house.store().forget_texts(KEEP) == 2
    assert texts(house) == [1, 1, 1, 2, 2]
    house.clock.on(days=89)
    assert house.store().forget_texts(KEEP) == 2
    assert texts(house) == [0, 0, 0, 2, 2]


def test_many_go_in_small_portions(house, monkeypatch) -> None:
    """Nobody waits for the whole of it."""
    monkeypatch.setattr(mail_queues, "_TOGETHER", 2)
    for number in range(5):
        handled(house, number)
    house.clock.on(days=91)

    assert house.store().forget_texts(KEEP) == 10
    assert texts(house) == [0, 0, 0, 5, 5]


def test_it_is_looked_for_once_a_day(house) -> None:
    """Tick comes each minute."""
    house.store().forget_texts(KEEP)
    handled(house, 1)
    house.clock.on(hours=23)
    keep = timedelta(hours=1)

    assert house.store().forget_texts(keep) == 0
    house.clock.on(hours=2)
    assert house.store().forget_texts(keep) == 2


def test_what_the_keeper_decides_about_stays(house) -> None:
    """A mail set aside, a message given up, and what waits."""
    house.arrivals.keep([MAIL, replace(MAIL, key="2", sender="b@x")])
    with house.store().writing() as uow:
        kept = uow.inbox.claim(house.clock.now)
        assert kept is not None
        uow.inbox.set_aside(kept.id, "why", house.clock.now)
        uow.outbox.put(LETTER)
        uow.outbox.put(LETTER)
        uow.commit()
    letter = house.bag().claim(house.clock.now, house.clock.now + timedelta(minutes=1))
    assert letter is not None
    house.bag().give_up(letter.id, house.clock.now, "550")
    house.clock.on(days=1000)

    assert house.store().forget_texts(KEEP) == 0
    assert texts(house) == [2, 2, 2, 2, 2]
