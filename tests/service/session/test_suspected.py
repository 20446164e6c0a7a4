"""A person's mail with a machine's header: read if it signs on, and never without a trace."""

from datetime import timedelta

import pytest

from machjudge.adjudicator.model.names import PowerId
from machjudge.service.ports.mails import MailOutcome
from tests.service.house import House
from tests.service.letters_in import answer, deliver, raw_mail, write

ANNA = "anna@player.example"
HEADERS = [
    b"Precedence: list",
    b"Precedence: bulk",
    b"List-Id: <players.example>",
    b"X-Auto-Response-Suppress: All",
]


@pytest.fixture
def house() -> House:
    """1454 without money, in its first Spring; Anna leads Florence."""
    house = House()
    house.start(options=["nomoney"])
    return house


def send(house: House, header: bytes, *lines: str):
    """Send a mail with a further header field."""
    return deliver(house, header + b"\n" + raw_mail(ANNA, lines), ANNA)


def outcome(house: House) -> MailOutcome | None:
    """What became of the last mail."""
    return house.store.tables.inbox[-1].outcome


@pytest.mark.parametrize("header", HEADERS)
def test_a_mail_that_signs_on_is_read(house: House, header: bytes) -> None:
    """The orders count; the receipt says what is odd about the mail."""
    body = answer(send(house, header, "SIGNON Lborgia pwL", "A flo H", "A are H", "F psa H"), ANNA)

    assert len(house.situation().sheets[PowerId("L")].lines) == 3
    assert "COMPLETE: all orders of Florence are on file.\n" in body
    assert "The header of this mail is that of automatic mail" in body
    assert outcome(house) is MailOutcome.ANSWERED


@pytest.mark.parametrize("header", HEADERS)
def test_what_opens_no_seat_is_answered_once_a_day(house: House, header: bytes) -> None:
    """Two machines that answer each other would never end."""
    counts = [len(send(house, header, "SIGNON Lborgia wrong1", "A flo H")) for _ in range(3)]
    house.later(hours=25)
    counts.append(len(send(house, header, "SIGNON Lborgia wrong1", "A flo H")))

    assert counts == [1, 0, 0, 1]
    assert outcome(house) is MailOutcome.HELD
    assert house.situation().sheets == {}


def test_a_mail_that_says_nothing_to_the_judge_is_not_answered(house: House) -> None:
    """A newsletter, a list, somebody's holidays."""
    assert send(house, b"Precedence: list", "I am away until Monday.", "Get well soon.") == []
    assert outcome(house) is MailOutcome.SILENT


def test_a_sure_sign_of_a_machine_beats_a_signon(house: House) -> None:
    """A vacation program that repeats the mail it answers."""
    assert send(house, b"Auto-Submitted: auto-replied", "SIGNON Lborgia pwL", "A flo H") == []
    assert outcome(house) is MailOutcome.SILENT


def test_ping_shows_what_was_not_read(house: House) -> None:
    """With the time and the reason."""
    send(house, b"Precedence: list", "I am away until Monday.")
    send(house, b"List-Id: <players.example>", "SIGNON Lborgia wrong1")
    house.now += timedelta(minutes=5)

    body = " ".join(answer(write(house, ANNA, "PING"), ANNA).split())

    assert "Earlier mails from here that were taken for automatic mail:" in body
    assert "bulk mail; it was not read" in body
    assert "mail from a mailing list; no signon in it opened a seat" in body
