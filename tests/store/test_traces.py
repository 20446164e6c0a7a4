"""What stands in the database of somebody, from every table."""

from dataclasses import replace

from machjudge.service.ports.mailbox import Arrival
from machjudge.service.ports.mails import Outgoing
from tests.store.examples import GAME, LUCIA, OTTO, PHASE

MAIL = Arrival(b"From: x\r\n\r\n", "x@x", ("judge@y",), "x@x", "<1@x>", "key")


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
        known = uow.traces.of(LUCIA)

    seats = [seat.number for seat in GAME.seats if seat.person == LUCIA.id]
    assert seats
    assert [row["number"] for row in known["seats"]] == seats
    assert {row["game"] for row in known["seats"]} == {GAME.name}
    assert [row["from"] for row in known["mails"]] == [own]
    assert [(row["to"], row["subject"]) for row in known["messages"]] == [(own, f"for {own}")]
    assert known["notes"] == []
