"""What a mail claims: one sender in From, who gets the answer, and nothing more."""

import pytest

from tests.service.house import House
from tests.service.letters_in import answer, deliver, raw_mail, write

MARCO = "marco@player.example"
THIEF = "thief@other.example"


@pytest.fixture
def house() -> House:
    """A judge with a game that has just begun."""
    made = House()
    made.start()
    return made


def two_fields(lines: list[str]) -> bytes:
    """A mail with two From fields."""
    return f"From: {THIEF}\n".encode() + raw_mail(MARCO, lines)


def two_addresses(lines: list[str]) -> bytes:
    """A mail with two addresses in its From field."""
    raw = raw_mail(MARCO, lines)
    return raw.replace(b"From: Marco <marco@player.example>", f"From: {MARCO}, {THIEF}".encode())


@pytest.mark.parametrize("forge", [two_fields, two_addresses])
def test_mail_of_two_senders_is_not_obeyed(house: House, forge) -> None:
    """Neither of them is, and whoever sent it reads why."""
    before = house.game()

    sent = deliver(
        house, forge(["SIGNON FBorgia pwF", "A flo - pis", "PRESS TO V", "hello"]), MARCO
    )

    assert house.game() == before
    assert not house.store.tables.sheets
    assert "exactly one sender" in answer(sent, MARCO)
    assert {letter.to for letter in sent} == {MARCO}


def test_stranger_to_the_mail_hears_nothing_of_it(house: House) -> None:
    """An envelope sender who is neither named in the mail nor on file gets no message."""
    sent = deliver(house, two_fields(["LIST"]), "bystander@else.example")

    assert not sent
    (row,) = house.store.tables.inbox
    assert row.aside == "From names not exactly one sender"


def test_answers_go_to_no_foreign_reply_to(house: House) -> None:
    """Reply-To counts only if it is another address of the one who writes."""
    raw = f"Reply-To: {THIEF}\n".encode() + raw_mail(MARCO, ["SIGNON VBorgia pwV", "PING"])

    sent = deliver(house, raw, MARCO)

    assert {letter.to for letter in sent} == {MARCO}
    assert "not used: it is no address of yours here" in answer(sent, MARCO)


def test_answers_go_to_ones_own_reply_to(house: House) -> None:
    """A second address on file may be the one for answers."""
    second = "marco@office.example"
    sent = write(house, second, f"I AM ALSO {MARCO}")
    (token,) = [line.split()[-1] for line in answer(sent, MARCO).splitlines() if "CONFIRM" in line]
    write(house, second, f"CONFIRM {token}")

    sent = deliver(house, f"Reply-To: {second}\n".encode() + raw_mail(MARCO, ["PING"]), MARCO)

    assert {letter.to for letter in sent} == {second}
