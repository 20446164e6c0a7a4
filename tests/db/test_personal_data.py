"""What stands in the database of somebody, from every table."""

from dataclasses import replace
from datetime import timedelta

from sqlalchemy import text

from machjudge.db.engine import reading
from machjudge.judge.mails import Arrival, Attachment, MailEnd, MailOutcome, Outgoing
from machjudge.judge.records import Notice
from tests.db.examples import GAME, LUCIA, OTTO, PHASE

MAIL = Arrival(b"From: x\r\n\r\n", "x@x", ("judge@y",), "x@x", "<1@x>", "key")
FILES = (Attachment("map", "text/plain", b"map"),)


def test_traces_of_one_person_and_of_nobody_else(house) -> None:
    """Their seats, and which mails came from them and went to them."""
    own, other = LUCIA.addresses[0], OTTO.addresses[0]
    house.arrivals.keep(
        [replace(MAIL, sender=each, key=each, message_id=f"<{each}>") for each in (own, other)]
    )
    with house.store().writing() as uow:
        uow.persons.save(LUCIA)
        uow.persons.save(OTTO)
        uow.games.add(GAME)
        uow.phases.add(PHASE, [])
        for each in (own, other):
            uow.outbox.put(Outgoing(each, f"for {each}", "text"))
        uow.commit()

    with house.store().reading() as uow:
        known = uow.personal_data.of(LUCIA)

    seats = [seat.number for seat in GAME.seats if seat.person == LUCIA.id]
    assert seats
    assert [row["number"] for row in known["seats"]] == seats
    assert {row["game"] for row in known["seats"]} == {GAME.name}
    assert [row["from"] for row in known["mails"]] == [own]
    assert [(row["to"], row["subject"]) for row in known["messages"]] == [(own, f"for {own}")]
    assert known["notes"] == []


def erase_lucia(house) -> None:
    """Lucia and Otto have written, and messages went to both; then Lucia is erased."""
    addresses = (LUCIA.addresses[0], OTTO.addresses[0])
    house.arrivals.keep(
        [replace(MAIL, sender=each, key=each, message_id=f"<{each}>") for each in addresses]
    )
    with house.store().writing() as uow:
        uow.persons.save(LUCIA)
        uow.persons.save(OTTO)
        uow.games.add(GAME)
        uow.phases.add(PHASE, [])
        uow.notices.add(Notice(GAME.id, house.clock.now, LUCIA.id, "kind", f"{LUCIA.name} watches"))
        for each in (*addresses, addresses[0]):
            uow.outbox.put(Outgoing(each, f"for {each}", "text", attachments=FILES))
        kept = uow.inbox.claim(house.clock.now)
        uow.inbox.finish(kept, MailEnd(MailOutcome.ANSWERED), kept.raw, house.clock.now)
        uow.commit()
    letter = house.bag().claim(house.clock.now, house.clock.now + timedelta(minutes=1))
    house.bag().sent(letter.id, house.clock.now)
    with house.store().writing() as uow:
        assert uow.personal_data.games(LUCIA) == [GAME.id]
        uow.personal_data.erase(LUCIA, [GAME.id], "(forgotten)", {})
        uow.commit()


def test_anyone_who_is_erased_has_no_name_and_no_address(house) -> None:
    """Nor do the logs of games name them; others stay who they are."""
    erase_lucia(house)

    with house.store().reading() as uow:
        assert uow.persons.by_address(LUCIA.addresses[0]) is None
        gone = uow.persons.get(LUCIA.id)
        assert (gone.name, gone.addresses, gone.zone) == ("(forgotten)", (), "UTC")
        assert uow.persons.get(OTTO.id) == OTTO
        assert [each.text for each in uow.notices.all_of(GAME.id)] == ["(forgotten) watches"]


def test_the_mails_of_anyone_who_is_erased_are_empty(house) -> None:
    """What still waits is handled and sent first."""
    erase_lucia(house)
    own, other = LUCIA.addresses[0], OTTO.addresses[0]

    with house.engine.connect() as connection:
        mails = connection.execute(text("SELECT sender, length(raw) FROM inbox ORDER BY id")).all()
        letters = connection.execute(text("SELECT recipient, body FROM outbox ORDER BY id")).all()
        files = connection.execute(
            text("SELECT id FROM outbox WHERE files IS NOT NULL ORDER BY id")
        ).all()
    assert [tuple(row) for row in mails] == [("", 0), (other, len(MAIL.raw))]
    assert [tuple(row) for row in letters] == [("", ""), (other, "text"), (own, "text")]
    assert [row.id for row in files] == [2, 3]


def test_a_letter_that_waits_for_anyone_who_is_erased_goes_and_is_empty_then(house) -> None:
    """It may be the one that tells them; others keep theirs."""
    erase_lucia(house)
    now = house.clock.now
    sent = []
    while (letter := house.bag().claim(now, now + timedelta(minutes=1))) is not None:
        house.bag().later(letter.id, now, "busy", counts=False)
        again = house.bag().claim(now, now + timedelta(minutes=1))
        sent.append((again.outgoing.to, again.outgoing.subject, len(again.outgoing.attachments)))
        house.bag().sent(again.id, now)

    lucia, otto = LUCIA.addresses[0], OTTO.addresses[0]
    assert sent == [(otto, f"for {otto}", 1), (lucia, f"for {lucia}", 1)]
    with reading(house.engine) as connection:
        left = connection.execute(
            text("SELECT recipient, subject, body FROM outbox ORDER BY id")
        ).all()
        files = connection.scalar(text("SELECT count(*) FROM outbox WHERE files IS NOT NULL"))
    assert left == [("", "", ""), (otto, f"for {otto}", "text"), ("", "", "")]
    assert files == 1
