"""Mail to `postmaster` goes to the keeper, and to nobody else."""

from dataclasses import replace

import pytest

from tests.service.house import House
from tests.service.letters_in import raw_mail, work

EVE = "eve@elsewhere.example"
KEEPER = "keeper@mach.example"


def to_postmaster(house: House, fields: bytes = b"") -> list:
    """Deliver a mail that would list the games if the judge read it."""
    house.store.receive(fields + raw_mail(EVE, ["LIST"]), EVE, house.now)
    row = house.store.tables.inbox[-1]
    row.mail = replace(
        row.mail, recipient="Postmaster@mach.example", recipients=("Postmaster@mach.example",)
    )
    work(house)
    return house.mails_out()


def test_the_keeper_gets_the_mail_as_it_came() -> None:
    """Its sender gets no answer: nothing of it is a command."""
    (letter,) = to_postmaster(House())

    assert letter.to == KEEPER
    assert EVE in letter.body
    (file,) = letter.attachments
    assert b"LIST" in file.content


def test_the_keeper_is_not_flooded() -> None:
    """Of one sender ten a day are passed on; the others wait in the keeper's list."""
    house = House()
    sent = sum(len(to_postmaster(house)) for _ in range(12))

    assert sent == 10
    assert [row.aside for row in house.store.tables.inbox][-2:] == ["for postmaster"] * 2


@pytest.mark.parametrize(
    "fields", [b"Auto-Submitted: auto-replied\n", b"X-Loop: judge@mach.example\n"]
)
def test_what_machines_write_goes_round_no_circle(fields: bytes) -> None:
    """It waits in the keeper's list."""
    house = House()

    assert to_postmaster(house, fields) == []
    assert house.store.tables.inbox[0].aside == "for postmaster"


def test_without_a_keeper_it_waits_in_the_list() -> None:
    """Whoever runs the judge finds it there."""
    house = House()
    house.services = replace(house.services, judge=replace(house.services.judge, keeper=None))

    assert to_postmaster(house) == []
    assert house.store.tables.inbox[0].aside == "for postmaster"
