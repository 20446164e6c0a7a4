"""Orders in an attached file: read where the mail holds none, and never beside others."""

from email.message import EmailMessage

import pytest

from machjudge.judge.mail_context import read_mail as read
from machjudge.mail_parser.lines import AttachedFile
from tests.cases import cases
from tests.mail_parser.mails import SIGNON, flaws_of, texts


def with_files(body: str, *files: tuple[str, str], kind: str = "plain") -> bytes:
    """A mail with attached text files, each a name and a text."""
    mail = EmailMessage()
    mail["From"] = "Lucia <lucia@player.example>"
    mail["To"] = "judge@mach.example"
    mail.set_content(body)
    for name, text in files:
        mail.add_attachment(text.encode(), "text", kind, filename=name)
    return mail.as_bytes()


ORDERS = "A Flo H\nA Are - Per\n"


@pytest.mark.parametrize("kind", ["plain", "x-unknown"])
def test_an_attached_file_is_read_if_the_mail_holds_no_orders(kind: str) -> None:
    """Its lines are counted on from those of the mail."""
    one = read(with_files(f"{SIGNON}\nsee attachment\n", ("orders.txt", ORDERS), kind=kind))

    assert texts(one) == [SIGNON, "A Flo H", "A Are - Per"]
    assert one.file == AttachedFile("orders.txt", 3, 4)
    assert [line.number for line in one.lines] == [1, 3, 4]
    assert flaws_of(one) == set()


@pytest.mark.parametrize("body", ["", "Hi,\nmy orders are attached.\n", f"{SIGNON}\nSIGNOFF\n"])
def test_the_signon_may_stand_in_the_file(body: str) -> None:
    """Once: a second one like it is left out."""
    one = read(with_files(body, ("orders.txt", f"{SIGNON}\n{ORDERS}")))

    assert [text for text in texts(one) if text[:6] == "SIGNON"] == [SIGNON]
    assert texts(one)[-2:] == ["A Flo H", "A Are - Per"]
    assert "EMPTY" not in flaws_of(one)


@pytest.mark.parametrize(
    "body", [f"{SIGNON}\nA Flo H\n", f"{SIGNON}\nSET WAIT\n", f"{SIGNON}\nPRESS TO V\nHello.\n"]
)
def test_a_mail_with_orders_of_its_own_keeps_its_file_unread(body: str) -> None:
    """The writer is told that there was an attachment."""
    one = read(with_files(body, ("old.txt", "A Flo - Bol\n")))

    assert "A Flo - Bol" not in texts(one)
    assert (one.file, flaws_of(one)) == (None, {"ATTACHMENT"})


@cases
def test_no_file_is_read_on_a_guess(files: list[tuple[str, str]]) -> None:
    """Neither one of several, nor one in which nothing is an order."""
    one = read(with_files(f"{SIGNON}\n", *files))

    assert (texts(one), one.file) == ([SIGNON], None)


def test_quoted_text_in_a_file_is_quoted() -> None:
    """A saved mail is no order sheet."""
    one = read(with_files(f"{SIGNON}\n", ("mail.txt", "A Flo H\n> A Are - Per\n-- \nA Psa H\n")))

    assert texts(one) == [SIGNON, "A Flo H"]
