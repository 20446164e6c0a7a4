"""What is noted of a mail before anybody reads it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from machjudge.judge.secret import fixed
from machjudge.mail.server import arrival

SECRET = fixed(b"s" * 32)


def sender(raw: bytes, envelope_sender: str = "bounces-7@list.example") -> str:
    """By whom the mail is kept in order."""
    return arrival(raw, envelope_sender, ["judge@mach.example"], SECRET).sender


@pytest.mark.parametrize(
    "head",
    [
        b"From: Lucia@Example.com",
        b"from: Lucia Rossi <lucia@example.com>",
        b'From: "Rossi, Lucia" <lucia@example.com>',
        b"From:\r\n =?utf-8?q?Luc=C3=ADa?=\r\n <lucia@example.com>",
        b"Subject: x\r\nFrom: lucia@example.com\r\nTo: judge@mach.example",
    ],
)
def test_a_mail_is_kept_in_order_by_its_author(head) -> None:
    """The envelope differs from mail to mail where mails are forwarded."""
    assert sender(head + b"\r\n\r\nlist\r\n") == "lucia@example.com"


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"From: nobody\r\n\r\n",
        b"From: <>\r\n\r\n",
        b"From: \xff\xfe\x00@\xff\r\n\r\n",
        b"From: " + b"(" * 50_000 + b"\r\n\r\n",
    ],
)
def test_without_an_author_the_envelope_tells(raw) -> None:
    """Mails without a From, or with noise in it, are kept too."""
    assert sender(raw, "Bounces-7@list.example") == "bounces-7@list.example"


def test_a_bounce_has_no_sender() -> None:
    """Whatever it says in its From."""
    assert sender(b"From: mailer-daemon@x.example\r\n\r\n", "") == ""


def test_a_recipient_named_twice_is_kept_once() -> None:
    """In the order of their naming."""
    mail = arrival(b"", "", ["judge+a@x", "judge@x", "judge+a@x"], SECRET)

    assert mail.recipients == ("judge+a@x", "judge@x")


@given(raw=st.binary(max_size=300), head=st.binary(max_size=60))
def test_any_bytes_arrive(raw, head) -> None:
    """Nothing that anybody sends makes the listener stumble."""
    mail = arrival(b"From: " + head + b"\r\n" + raw, "a@x.example", ["judge@x"], SECRET)

    assert mail.raw.endswith(raw)
    assert mail.sender.isprintable()
