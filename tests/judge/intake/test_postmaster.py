"""Mail to `postmaster` goes to the keeper, and to nobody else."""

from dataclasses import replace

import pytest

from machjudge.judge.worker import pass_on_waiting
from tests.judge.house import House
from tests.judge.letters_in import raw_mail, work

EVE = "eve@elsewhere.example"
KEEPER = "keeper@mach.example"


def to_postmaster(house: House, fields: bytes = b"", below: str = "") -> list:
    """Deliver a mail that would list the games if the judge read it."""
    house.store.receive(fields + raw_mail(EVE, ["LIST", below]), EVE, house.now)
    row = house.store.tables.inbox[-1]
    row.mail = replace(row.mail, recipients=("Postmaster@mach.example",))
    work(house)
    return house.mails_out()


def test_the_keeper_gets_the_mail_as_it_came() -> None:
    """Its sender gets no answer: nothing of it is a command."""
    (letter,) = to_postmaster(House())

    assert letter.to == KEEPER
    assert EVE in letter.body
    (file,) = letter.attachments
    assert b"LIST" in file.content


def test_the_keeper_gets_one_message_a_day() -> None:
    """Thirty mails: the first is passed on at once, ten more the next day; the others wait."""
    house = House()
    sent = [letter for _ in range(30) for letter in to_postmaster(house)]
    assert len(sent) == 1
    house.later(hours=23)
    pass_on_waiting(house.services, house.now)
    assert house.mails_out() == []

    house.later(hours=2)
    for _ in range(3):
        pass_on_waiting(house.services, house.now)
    (letter,) = house.mails_out()
    assert "29 mails to postmaster came from eve@elsewhere.example." in letter.body
    assert "19 mails more did not fit" in letter.body
    assert len(letter.attachments) == 10
    assert [row.aside for row in house.store.tables.inbox].count("for postmaster") == 19

    house.later(days=2)
    pass_on_waiting(house.services, house.now)
    assert house.mails_out() == []


def test_what_is_passed_on_is_not_large() -> None:
    """One large mail is named, and stays in the keeper's list."""
    house = House()
    (letter,) = to_postmaster(house, below="word " * 80_000)

    assert letter.attachments == ()
    assert "1 mail more did not fit" in letter.body


@pytest.mark.parametrize(
    "fields", [b"Auto-Submitted: auto-replied\n", b"X-Loop: judge@mach.example\n"]
)
def test_what_machines_write_goes_round_no_circle(fields: bytes) -> None:
    """It waits in the keeper's list."""
    house = House()

    assert to_postmaster(house, fields) == []
    assert house.store.tables.inbox[0].aside == "for postmaster, machine"


def test_without_a_keeper_it_waits_in_the_list() -> None:
    """Anyone who runs the judge finds it there."""
    house = House()
    house.services = replace(house.services, judge=replace(house.services.judge, keeper=None))

    assert to_postmaster(house) == []
    assert house.store.tables.inbox[0].aside == "for postmaster"
