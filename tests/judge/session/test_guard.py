"""Mails that no person wrote are noted and never answered."""

import re

import pytest

from machjudge.judge.mail_context import is_own
from machjudge.judge.mails import OutboxId, hidden_number, message_returned, return_tag
from machjudge.judge.secret import fixed
from tests.cases import cases
from tests.judge.fakes import SECRET
from tests.judge.house import House, started
from tests.judge.letters_in import deliver, raw_mail, work, write

LUCIA = "lucia@player.example"


@pytest.mark.parametrize("sender", ["", LUCIA])
def test_anyone_who_has_no_return_path_is_not_answered(sender) -> None:
    """Bounces name nobody in their envelope (RFC 5321, 4.5.5), whatever stands in the mail."""
    answers = deliver(House(), raw_mail(LUCIA, ["HELP"]), sender)

    assert [letter.to for letter in answers] == ([LUCIA] if sender else [])


@cases
def test_the_judge_knows_its_own_address(address, own) -> None:
    """With and without an extension, in any case of letters."""
    assert is_own(address, "judge@mach.example") is own


REPORT = b"""\
From: MAILER-DAEMON@mx.example
Content-Type: multipart/report; boundary="b"

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example

Action: failed
Status: 5.1.1

--b--
"""


TAG = return_tag(SECRET, OutboxId(1))
NUMBER = hidden_number(SECRET, OutboxId(1))


@pytest.mark.parametrize(
    ("sender", "to", "told"),
    [
        ("", TAG, True),
        ("", TAG.upper(), True),
        ("mallory@player.example", TAG, False),
        ("", "bounce.1", False),
        ("", "bounce.1.aaaaaaaaaaaaaaaa", False),
        ("", f"{TAG}a", False),
        ("", TAG[:-1], False),
        ("", TAG.replace(NUMBER, hidden_number(SECRET, OutboxId(2))), False),
        ("", TAG.replace(NUMBER, "1"), True),
        ("", TAG.replace(NUMBER, "2"), False),
        ("", TAG.replace(NUMBER, "01"), False),
    ],
)
def test_a_letter_that_came_back_is_shown_by_ping(sender, to, told) -> None:
    """Nobody is answered, and a report that somebody forged marks nothing."""
    house = House()
    write(house, LUCIA, "HELP")
    house.store.receive(REPORT, sender, house.now, recipient=f"judge+{to}@mach.example")
    work(house)

    assert house.mails_out() == []
    (answer,) = write(house, LUCIA, "PING")
    assert ("could not be sent" in answer.body) is told


def test_words_to_the_address_of_bounces_are_no_orders() -> None:
    """Only machines write there; a loop would begin with an answer."""
    house = House()
    house.store.receive(
        raw_mail(LUCIA, ["HELP"]), LUCIA, house.now, recipient="judge+BOUNCE.3@mach.example"
    )
    work(house)

    assert house.mails_out() == []


def test_each_letter_has_an_address_for_its_bounces_that_nobody_can_guess() -> None:
    """Eighty bits that follow from the judge's secret; it fits a local part of 64 signs."""
    tags = [return_tag(SECRET, OutboxId(number)) for number in range(1, 200)]
    other = return_tag(fixed(bytes(32)), OutboxId(1))

    assert len({tag.rpartition(".")[2] for tag in tags}) == len(tags)
    assert all(re.fullmatch(r"bounce\.[a-z2-7]{8}\.[a-z2-7]{16}", tag) for tag in tags)
    assert message_returned(SECRET, f"judge+{tags[41]}@mach.example") == 42
    assert message_returned(SECRET, f"judge+{other}@mach.example") is None
    assert len(f"machjudge+{return_tag(SECRET, OutboxId(10**12))}") < 64


def test_the_master_hears_of_a_message_that_came_back() -> None:
    """Once a day for an address, with the reason; a forged report tells nobody."""
    house = started()
    first = len(house.store.tables.posted)
    posted = write(house, "anna@player.example", "SIGNON Lborgia pwL")
    assert posted[0].to == "anna@player.example"
    number = OutboxId(first + 1)
    told = []
    for secret in (fixed(bytes(32)), SECRET, SECRET):
        tag = return_tag(secret, number)
        house.store.receive(REPORT, "", house.now, recipient=f"judge+{tag}@mach.example")
        work(house)
        told.append(house.mails_out())

    (letter,) = told[1]
    assert (told[0], told[2]) == ([], [])
    assert letter.to == LUCIA
    assert "A message to anna@player.example (L) could not be delivered:" in letter.body
    assert "5.1.1" in letter.body


def test_nobody_hears_that_the_masters_own_message_came_back() -> None:
    """A message about it would come back as well, without end."""
    house = started()
    number = OutboxId(len(house.store.tables.posted) + 1)
    write(house, LUCIA, "SIGNON Mborgia masterkey")
    tag = return_tag(SECRET, number)
    house.store.receive(REPORT, "", house.now, recipient=f"judge+{tag}@mach.example")
    work(house)

    assert house.mails_out() == []
