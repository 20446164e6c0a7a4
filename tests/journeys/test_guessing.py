"""Passwords are not guessed, whoever asks under which address and however many processes work."""

from datetime import datetime, timedelta

import pytest

from tests.journeys.conftest import SMALL
from tests.journeys.judge import OPENED, Judge, QueuedMessage
from tests.journeys.pens import Writer, plain

MASTER, CATERINA = SMALL.people["M"], SMALL.people["V"]
COUNTED = "SELECT at FROM counts WHERE key = 'tries/seat/borgia/{}' ORDER BY at"


def send(judge: Judge, writer: Writer, *lines: str) -> str:
    """Hand a mail over; its Message-ID."""
    mail = plain(writer, lines)
    judge.send(*mail.copies, sender=writer.address)
    return mail.id


def ask(judge: Judge, writer: Writer, *lines: str) -> QueuedMessage:
    """The answer to a mail."""
    return judge.answer_to(send(judge, writer, *lines))


def guess(judge: Judge, seat: str, times: int) -> None:
    """Wrong passwords for a seat, each under another address."""
    for number in range(times):
        liar = Writer(f"Liar {number}", f"liar{number}@far.example", "")
        send(judge, liar, f"SIGNON {seat}borgia wrong{number}")


@pytest.mark.parametrize("seat", ["V", "O"])
def test_four_processes_try_no_more_passwords_than_one(judge, seat) -> None:
    """Many mails under as many addresses try five, for players and observers alike.

    While the test lasts the clock goes on; a sixth try is then a minute later than the fifth.
    """
    with judge.in_hand("somebody@example.com"):
        judge.serve()
        guess(judge, seat, 24)
        judge.kill()
    for _ in range(4):
        judge.start("worker")
    judge.rest()
    tried = [datetime.fromisoformat(str(at)) for (at,) in judge.rows(COUNTED.format(seat))]

    assert len(tried) >= 5
    for number, at in enumerate(tried[5:]):
        assert at - tried[number + 4] >= timedelta(minutes=1) * 2**number


def test_guesses_of_strangers_do_not_keep_the_owner_out(judge) -> None:
    """From the address on file the right password opens the seat meanwhile."""
    judge.serve()
    guess(judge, "V", 12)
    judge.rest()

    assert "Venice in borgia" in ask(judge, CATERINA, SMALL.signon("V"), "F dal H").text


def test_a_forged_mail_an_hour_does_not_keep_the_owner_out(judge) -> None:
    """Guesses in Caterina's name go on for a day; the token that she asks for opens her seat."""
    judge.serve()
    for number in range(5):
        send(judge, CATERINA, f"SIGNON Vborgia wrong{number}")
    judge.rest()
    for hour in range(1, 24, 4):
        judge.clock.set(OPENED + timedelta(hours=1 + hour))
        send(judge, CATERINA, f"SIGNON Vborgia wrong{hour}")
        judge.rest()
    send(judge, CATERINA, "SEND TOKEN borgia")
    judge.rest()
    (reset,) = [each for each in judge.letters() if "a way back to your seat" in each.subject]
    signon = next(line.strip() for line in reset.text.splitlines() if "SIGNON V" in line)

    assert "Venice in borgia" in ask(judge, CATERINA, signon, "F dal H").text
