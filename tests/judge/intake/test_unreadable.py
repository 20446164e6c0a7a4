"""Mails that raise an error while they are read: set aside at once, and nobody waits for them."""

import pytest

from machjudge.judge import mail_context
from machjudge.judge.mail_context import Unreadable, kept_text, read_mail
from machjudge.judge.mails import Outgoing
from machjudge.judge.records import GameId
from machjudge.mail_parser import reader
from tests.cases import cases
from tests.judge.house import House
from tests.judge.letters_in import deliver, raw_mail, write

EVE = "eve@elsewhere.example"
KEEPER = "keeper@mach.example"
DIGITS = "&#" + "1" * 4301 + ";"


@pytest.fixture
def broken(monkeypatch) -> None:
    """Reading raises an error that nobody has thought of, for every mail with a certain word."""
    healthy = mail_context.read

    def read(raw: bytes, *rest: object) -> object:
        if b"poison" in raw:
            raise RecursionError
        return healthy(raw, *rest)

    monkeypatch.setattr(mail_context, "read", read)


def poison(house: House, sender: str = EVE, fields: str = "") -> list[Outgoing]:
    """Deliver a mail that cannot be read."""
    raw = raw_mail(sender, ["poison"])
    return deliver(house, fields.encode() + raw, sender)


@pytest.mark.parametrize("number", ["1" * 4301, "0" * 5000 + "65", "x" + "f" * 9000])
def test_a_reference_by_an_endless_number_costs_only_its_line(house: House, number: str) -> None:
    """The order above it is on file; `html.unescape` raises ValueError for such a number."""
    html = f"<p>SIGNON Lborgia pwL<p>A flo h<p>A pis &#{number};<p>SIGNOFF"
    raw = raw_mail("anna@player.example", [html]).replace(b"text/plain", b"text/html")

    (letter,) = deliver(house, raw, "anna@player.example")

    assert letter.to == "anna@player.example"
    assert "A Florence H" in letter.body.partition("ON FILE")[2]


@pytest.mark.usefixtures("broken")
def test_an_unreadable_mail_is_set_aside_at_its_first_try(house: House) -> None:
    """Its claimed sender gets one short message, the keeper the number of the mail."""
    letters = poison(house)

    (row,) = house.store.tables.inbox
    assert row.aside.startswith("Unreadable of RecursionError at ")
    assert {letter.to for letter in letters} == {EVE, KEEPER}
    (answer,) = [letter for letter in letters if letter.to == EVE]
    assert "could not be handled" in answer.body
    assert "  poison" in answer.body


@pytest.mark.usefixtures("broken")
def test_nobody_waits_for_an_unreadable_mail(house: House) -> None:
    """After its only try it is no mail that might concern a game."""
    poison(house)

    with house.store.reading() as uow:
        assert not uow.inbox.any_before(house.later(hours=1), GameId("borgia"))


@pytest.mark.usefixtures("broken")
def test_the_sender_of_unreadable_mails_is_told_once_a_day(house: House) -> None:
    """Whatever they send, no matter who sends it in their name."""
    told = [[letter.to for letter in poison(house)].count(EVE) for _ in range(3)]
    house.later(days=2)
    told.append([letter.to for letter in poison(house)].count(EVE))

    assert told == [1, 0, 0, 1]


@pytest.mark.usefixtures("broken")
@cases
def test_a_machine_whose_mail_is_unreadable_is_not_answered(house: House, fields: str) -> None:
    """Its header can be read all the same (RFC 3834)."""
    assert [letter.to for letter in poison(house, fields=fields)] == [KEEPER]


@pytest.mark.usefixtures("broken")
def test_a_header_that_raises_as_well_is_not_answered(house: House, monkeypatch) -> None:
    """The keeper hears of the mail, and of nothing else."""
    monkeypatch.setattr(reader, "split_header", lambda _: 1 / 0)

    assert [letter.to for letter in poison(house)] == [KEEPER]


def test_a_line_that_raises_is_a_mail_that_cannot_be_read(house: House, monkeypatch) -> None:
    """As the first line, or as one below the sign-in."""

    def parse(text: str) -> object:
        raise ValueError(text)

    monkeypatch.setattr(mail_context, "parse_command", parse)

    letters = write(house, "anna@player.example", "SIGNON Lborgia pwL", "A flo h")

    assert house.store.tables.inbox[0].aside.startswith("Unreadable of ValueError at ")
    assert "pwL" not in "".join(letter.body for letter in letters)


def test_reading_tells_its_kind_of_error_and_nothing_of_the_mail(monkeypatch) -> None:
    """For the keeper's list, and for `machjudge read`."""
    monkeypatch.setattr(mail_context, "read", lambda *_: int("tulip9"))

    with pytest.raises(Unreadable, match="cannot be read: ValueError") as caught:
        read_mail(b"")

    assert "tulip9" not in str(caught.value)


def test_a_mail_that_cannot_be_redacted_is_not_kept(house: House, monkeypatch) -> None:
    """Its orders count, and of its text nothing stays."""
    monkeypatch.setattr(mail_context, "redact", lambda *_: 1 / 0)

    write(house, "anna@player.example", "SIGNON Lborgia pwL", "A flo h")

    (row,) = house.store.tables.inbox
    assert row.mail.raw == kept_text(b"") == mail_context.NOT_KEPT
    assert house.view().order_sets
