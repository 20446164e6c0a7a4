"""Mails that no person wrote are noted and never answered."""

import pytest

from machjudge.service.guard import is_own
from tests.service.house import House
from tests.service.letters_in import deliver, raw_mail, work, write

LUCIA = "lucia@player.example"


@pytest.mark.parametrize("sender", ["", LUCIA])
def test_whoever_has_no_return_path_is_not_answered(sender) -> None:
    """Bounces name nobody in their envelope (RFC 5321, 4.5.5), whatever stands in the mail."""
    answers = deliver(House(), raw_mail(LUCIA, ["HELP"]), sender)

    assert [letter.to for letter in answers] == ([LUCIA] if sender else [])


@pytest.mark.parametrize(
    ("address", "own"),
    [
        ("judge@mach.example", True),
        ("Judge+borgia@Mach.Example", True),
        ("judges@mach.example", False),
        ("judge@mach.example.org", False),
        ("judge", False),
    ],
)
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


@pytest.mark.parametrize(("sender", "told"), [("", True), ("mallory@player.example", False)])
def test_a_letter_that_came_back_is_shown_by_ping(sender, told) -> None:
    """Nobody is answered, and a report that somebody wrote himself changes nothing."""
    house = House()
    write(house, LUCIA, "HELP")
    house.store.receive(REPORT, sender, house.now, recipient="judge+bounce.1@mach.example")
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
