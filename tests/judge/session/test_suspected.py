"""A person's mail with a machine's header: read if it signs on, and never without a trace."""

from datetime import timedelta

import pytest

from machjudge.adjudicator.names import PowerId
from machjudge.judge.credentials import code_of, tag_of
from machjudge.judge.mails import MailOutcome
from tests.judge.fakes import SECRET
from tests.judge.house import House
from tests.judge.letters_in import answer, deliver, raw_mail, work, write

ANNA = "anna@player.example"
HEADERS = [
    b"Precedence: list",
    b"Precedence: bulk",
    b"List-Id: <players.example>",
    b"X-Auto-Response-Suppress: All",
]


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

    assert len(house.view().order_sets[PowerId("L")].lines) == 3
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
    assert house.view().order_sets == {}


def test_a_mail_that_says_nothing_to_the_judge_is_not_answered(house: House) -> None:
    """A newsletter, a list, somebody's holidays."""
    assert send(house, b"Precedence: list", "I am away until Monday.", "Get well soon.") == []
    assert outcome(house) is MailOutcome.SILENT


SURE = [
    b"Auto-Submitted: auto-replied",
    b"X-Autoreply: yes",
    b"Return-Path: <>",
    b"X-Loop: judge@mach.example",
    b"X-Machjudge-Loop: <judge@mach.example>",
    b"X-Failed-Recipients: x@y.example",
    b"\n".join([b"Received: from a by b; now"] * 100),
]


@pytest.mark.parametrize("header", SURE)
def test_what_a_machine_sends_with_a_right_password_is_told_and_not_done(
    house: House, header: bytes
) -> None:
    """The address on file hears of it once a day: two machines would never end."""
    lines = ("SIGNON Lborgia pwL", "A flo H", "A are H", "F psa H")
    bodies = [answer(send(house, header, *lines), ANNA)]
    again = send(house, header, *lines)
    house.later(hours=25)
    bodies.append(answer(send(house, header, *lines), ANNA))

    assert again == []
    assert house.view().order_sets == {}
    assert outcome(house) is MailOutcome.SILENT
    for body in bodies:
        assert "A mail with your password or reply code" in body
        assert "was not read" in body


@pytest.mark.parametrize("header", SURE)
def test_what_a_machine_sends_without_a_proof_is_passed_over(house: House, header: bytes) -> None:
    """A wrong password, or prose: the seat hears nothing."""
    assert send(house, header, "SIGNON Lborgia wrong1", "A flo H") == []
    assert send(house, header, "I am away until Monday.") == []


def test_a_mail_of_no_envelope_sender_with_a_right_password_is_told_and_not_done(
    house: House,
) -> None:
    """Delivery reports have none, and some forms on the web."""
    sent = deliver(house, raw_mail(ANNA, ["SIGNON Lborgia pwL", "A flo H"]), "")

    assert [letter.to for letter in sent] == [ANNA]
    assert "from no sender" in sent[0].body
    assert house.view().order_sets == {}


@pytest.mark.parametrize("raw", [b"From: noreply@forms.example", b"From: bounces+7@lists.example"])
def test_where_nobody_reads_the_address_on_file_is_told(house: House, raw: bytes) -> None:
    """A form on the web that names no person at all."""
    mail = raw_mail(ANNA, ["SIGNON Lborgia pwL", "A flo H"])
    mail = mail.replace(b"From: Anna <anna@player.example>", raw)
    sent = deliver(house, mail, "bounces+8@lists.example")

    assert [letter.to for letter in sent] == [ANNA]


def test_absence_notices_with_a_reply_code_are_passed_over(house: House) -> None:
    """They prove where they come from, and order nothing."""
    (letter,) = [each for each in write(house, ANNA, "SIGNON Lborgia pwL", "A flo H") if each.reply]
    tag = tag_of(code_of(SECRET, letter.reply))
    raw = b"Auto-Submitted: auto-replied\n" + raw_mail(ANNA, ["I am away until Monday."])
    house.store.receive(raw, ANNA, house.now, recipient=f"judge+{tag}@mach.example")
    work(house)

    assert house.mails_out() == []


def test_a_message_of_the_judge_that_comes_back_with_its_form_is_passed_over(house: House) -> None:
    """The address leads back to the judge: a notice would come back as well."""
    (letter,) = [each for each in write(house, ANNA, "SIGNON Lborgia pwL", "A flo H") if each.reply]
    tag = tag_of(code_of(SECRET, letter.reply))
    raw = b"X-Machjudge-Loop: <judge@mach.example>\n" + raw_mail(ANNA, ["A flo - pis"])
    house.store.receive(raw, ANNA, house.now, recipient=f"judge+{tag}@mach.example")
    work(house)

    assert house.mails_out() == []
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
