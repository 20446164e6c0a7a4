"""Repeats are recognised, Message-IDs follow from rows, games have threads."""

from datetime import UTC, datetime, timedelta, timezone
from hashlib import sha256

import pytest

from machjudge.judge.secret import fixed
from machjudge.mail import addresses
from machjudge.mail.addresses import (
    Fingerprint,
    ids_in,
    is_thread_root,
    list_id,
    own_message_id,
    thread_root,
)
from tests.cases import cases

SECRET = fixed(b"s" * 32)
MAIL = b"From: a@x.example\r\nMessage-ID: <1@x.example>\r\n\r\nsignon Lborgia pw\r\n"
MADE = datetime(2026, 11, 20, 12, 0, 0, 5, tzinfo=UTC)


def fingerprint(raw: bytes) -> Fingerprint:
    """What a judge knows a mail by."""
    return addresses.fingerprint(raw, SECRET)


def test_the_same_mail_with_other_headers_is_a_repeat() -> None:
    """Servers on the way add headers; Message-ID and body tell."""
    again = b"Received: by elsewhere\r\n" + MAIL.replace(b"From: a@", b"From:  A <a@")

    assert fingerprint(again) == fingerprint(MAIL)


@pytest.mark.parametrize(
    "other",
    [
        MAIL.replace(b"<1@", b"<2@"),
        MAIL.replace(b"pw", b"pv"),
        MAIL + b"\r\n",
    ],
)
def test_another_id_or_body_is_another_mail(other) -> None:
    """Programs that give every mail the same Message-ID lose none."""
    assert fingerprint(other).key != fingerprint(MAIL).key


def test_without_an_id_the_whole_mail_tells() -> None:
    """The same text written again an hour later is another mail, by its date."""
    first = b"Date: Fri, 20 Nov 2026 12:00:00 +0000\r\n\r\nlist\r\n"
    later = first.replace(b"12:00", b"13:00")

    assert fingerprint(first).message_id == ""
    assert fingerprint(first) == fingerprint(first)
    assert fingerprint(first).key != fingerprint(later).key


def test_a_folded_id_is_read() -> None:
    """RFC 5322, 2.2.3: a field may go on in the next line."""
    folded = MAIL.replace(b"Message-ID: <1@x.example>", b"message-id:\r\n\t<1@x.example>")

    assert fingerprint(folded) == fingerprint(MAIL)


def test_an_id_in_the_body_is_none() -> None:
    """Quoted mails have their own."""
    quoting = b"Subject: x\r\n\r\nMessage-ID: <1@x.example>\r\n"

    assert fingerprint(quoting).message_id == ""


@pytest.mark.parametrize(
    "raw", [b"", b"\r\n", b"\x00\xff", b"Message-ID:\r\n\r\n", b"Message-ID: " + b"x" * 5000]
)
def test_any_bytes_have_a_key(raw) -> None:
    """Noise is kept too, and is its own repeat."""
    assert fingerprint(raw).message_id == ""
    assert fingerprint(raw) == fingerprint(raw)


def test_an_id_is_one_line_of_printable_signs() -> None:
    """It goes into the database, the log and our own headers."""
    noisy = MAIL.replace(b"<1@x.example>", b"<1\x00\xff\x1b@x.example>")

    assert fingerprint(noisy).message_id == "<1@x.example>"


def test_the_key_says_nothing_without_the_secret() -> None:
    """It outlives the password in the mail: anyone who has only the database cannot try guesses."""
    of_another = addresses.fingerprint(MAIL, fixed(b"t" * 32))
    body = sha256(b"signon Lborgia pw\r\n").hexdigest()

    assert fingerprint(MAIL).key != of_another.key
    assert fingerprint(MAIL).key == SECRET.code("mail", "<1@x.example>", body, length=32)


def test_our_id_follows_from_the_row() -> None:
    """The same row has the same Message-ID, whatever the zone of its instant."""
    elsewhere = MADE.astimezone(timezone(timedelta(hours=5)))

    assert own_message_id("abc", MADE, "mach.example") == "<20261120T120000.abc@mach.example>"
    assert own_message_id("abc", elsewhere, "a.b") == own_message_id("abc", MADE, "a.b")


@cases
def test_a_phase_has_a_thread_and_a_game_a_list(game, phase, root, list_) -> None:
    """Both are sound in a header, whatever the game is called."""
    assert thread_root(game, phase, "m.example") == root
    assert is_thread_root(root, game, "m.example")
    assert list_id(game, "m.example") == list_


def test_ids_are_found_in_any_text() -> None:
    """What is none is passed over."""
    text = "<1@x>\r\n <2@y.example> junk <not an id> <@> <3@z><4@z>"

    assert ids_in(text) == ("<1@x>", "<2@y.example>", "<3@z>", "<4@z>")
