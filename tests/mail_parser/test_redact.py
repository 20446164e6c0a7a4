"""What is kept of a mail holds no password, in whatever dress the password came."""

import base64
import quopri
import string
import tomllib
from pathlib import Path

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from machjudge.judge.mail_context import read_mail as read
from machjudge.judge.mail_context import vocabulary
from machjudge.mail_parser.secrets import (
    means_password,
    redact,
    redact_line,
    redact_sentence,
    redacted_column,
)
from tests.cases import cases
from tests.mail_parser.mails import CORPUS, corpus, mail, texts

ALWAYS = redact(mail("", "Subject: x")).decode() + "[not kept: encoded text] A Flo H"
CONSTANT = ALWAYS.lower()
"""What stands in every redacted mail, and so tells nothing."""

COMMANDS: list[str] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))[
    "commands"
]
secrets = st.text(
    string.ascii_letters + string.digits + "!#$%&()+,-./:;=?@[]^_{|}~éß",
    min_size=4,
    max_size=20,
).filter(lambda text: any(map(str.isalnum, text)))


def utf8(text: str) -> bytes:
    """A mail in 8bit UTF-8."""
    return mail(text, "Content-Type: text/plain; charset=utf-8")


def quoted(text: str) -> bytes:
    """A mail in quoted-printable, every byte a code, broken every five of them."""
    codes = [f"={byte:02X}" for byte in text.encode()]
    body = "=\r\n".join("".join(codes[at : at + 5]) for at in range(0, len(codes), 5))
    return mail(body, "Content-Transfer-Encoding: quoted-printable")


def in_base64(text: str) -> bytes:
    """A mail in base64."""
    return mail(base64.encodebytes(text.encode()), "Content-Transfer-Encoding: base64")


def in_utf16(text: str) -> bytes:
    """A mail in UTF-16."""
    body = base64.encodebytes(text.encode("utf-16"))
    fields = ("Content-Type: text/plain; charset=utf-16", "Content-Transfer-Encoding: base64")
    return mail(body, *fields)


def escaped(text: str) -> str:
    """The text for HTML, every character of a word in a tag of its own."""
    return "".join(char if char.isspace() else f"<b>&#{ord(char)};</b>" for char in text)


def in_html(text: str) -> bytes:
    """A mail in HTML, tags inside the words."""
    return mail(f"<p>{escaped(text)}</p>".replace("\n", "<br>"), "Content-Type: text/html")


def in_quoted_html(text: str) -> bytes:
    """Plain text beside HTML that quotes the password."""
    body = (
        "--b\r\n\r\nA Flo H\r\n--b\r\nContent-Type: text/html\r\n\r\n"
        f"<blockquote>{escaped(text)}</blockquote>\r\n--b--\r\n"
    )
    return mail(body, "Content-Type: multipart/alternative; boundary=b")


def in_subject(text: str) -> bytes:
    """A mail with the password in its encoded subject."""
    words = " ".join(text.split())
    return mail("A Flo H", f"Subject: =?utf-8?b?{base64.b64encode(words.encode()).decode()}?=")


def in_bounce(text: str) -> bytes:
    """A bounce that repeats a mail in base64 in its text."""
    return mail(f"{text}\n\n--- Below is a copy.\n\n{in_base64(text).decode()}")


def in_coded_bounce(text: str) -> bytes:
    """A bounce that repeats a mail in quoted-printable in its text."""
    return mail(f"Below is a copy.\n\n{quoted(text).decode()}\nend of copy")


def in_attachment(text: str) -> bytes:
    """A mail with the password in an attachment."""
    body = (
        f"--b\r\n\r\n{text}\r\n--b\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\n"
        f"{text}\r\n--b\r\nContent-Type: message/rfc822\r\n\r\n{in_base64(text).decode()}\r\n--b--"
    )
    return mail(body, "Content-Type: multipart/mixed; boundary=b")


DRESSES = [
    utf8,
    quoted,
    in_base64,
    in_utf16,
    in_html,
    in_quoted_html,
    in_subject,
    in_bounce,
    in_coded_bounce,
    in_attachment,
]


def is_free_of(kept: bytes, secret: str) -> bool:
    """True if a password stands nowhere in the bytes, plain or encoded."""
    text = kept.decode().lower()
    raw = secret.encode()
    codes = quopri.encodestring(raw, quotetabs=True).decode().strip()
    hidden = [codes, "".join(f"={byte:02X}" for byte in raw), raw.hex()]
    # The letters of base64 that do not depend on what stands around the password.
    coded = [
        base64.b64encode(b"x" * shift + raw).decode()[shift and 4 : (shift + len(raw)) // 3 * 4]
        for shift in range(3)
    ]
    return not (
        any(one.lower() in text for one in [secret, *hidden] if len(one) >= 4)
        or any(one in kept.decode() and one not in ALWAYS for one in coded if len(one) >= 4)
    )


@given(secrets, st.sampled_from(COMMANDS), st.sampled_from(DRESSES), st.booleans())
@example("tulip9", COMMANDS[0], quoted, False)
@example("tulip9", COMMANDS[0], in_html, True)
@example("00?0", COMMANDS[0], in_bounce, True)
@example(":::A", "CONFIRM {}", in_quoted_html, False)
def test_no_password_survives(secret: str, command: str, dress, is_broken: bool) -> None:
    """A password is gone from text, HTML, subject and quotations, in every encoding."""
    assume(secret.lower() not in CONSTANT)
    assume(secret.lower() not in "below is a copy.")
    # A hello is a greeting unless all of it stands in one line.
    gap = "\n" if is_broken and "hello" not in command else ""
    # In a line of its own such a word says something else.
    assume(not gap or not (vocabulary().begins_command(secret) or means_password(secret)))
    line = command.replace("{}", gap + "{}").format(secret)

    kept = redact(dress(f"Hello,\n\n{line}\nA Flo H\n"))

    assert is_free_of(kept, secret)


@given(secrets)
def test_a_password_is_gone_from_wherever_else_it_stands(secret: str) -> None:
    """What was a password in one line is redacted in a signature, a name and a file name too."""
    assume(secret.lower() not in CONSTANT)
    assume(not set(secret) & set(';"\\,') and not secret.startswith("--"))
    raw = mail(
        f"--b\r\n\r\nSIGNON Lborgia {secret}\r\nA Flo H\r\nyours, {secret}x\r\n"
        f'--b\r\nContent-Type: application/pdf; name="{secret}.pdf"\r\n\r\nx\r\n--b--\r\n',
        "Content-Type: multipart/mixed; boundary=b",
        f"X-Note: {secret}",
        sender=f"{secret} <a@b.example>",
    )

    assert is_free_of(redact(raw), secret.strip(".,;:!?\"'()<>[]"))


def test_what_is_not_secret_can_still_be_read() -> None:
    """Header, orders and quotation are there, and an attachment is named."""
    raw = (CORPUS / "07_top_post_gmail.eml").read_bytes()
    attached = redact((CORPUS / "26_attachment.eml").read_bytes()).decode()

    kept = redact(raw).decode()

    assert kept.splitlines()[:3] == [
        "From: Lucia Neri <lucia@player.example>",
        "To: judge@mach.example",
        "Subject: Re: [borgia] S1454M results",
    ]
    assert "\nSIGNON Lborgia ********\nA Flo H\nA Are - Per\nF Psa C G\n" in kept
    assert "\n> A Flo - Bol\n> SIGNON Pborgia ********\n" in kept
    assert "[not kept: map.pdf]" in attached


@pytest.mark.parametrize("case", corpus(), ids=lambda case: case.name)
def test_no_password_of_the_corpus_survives(case) -> None:
    """Neither of the two passwords that the mails of the corpus use is kept."""
    kept = redact(case.raw)

    for secret in ("tulip9", "xxxx", "rose77", "tu--lip=>9"):
        assert is_free_of(kept, secret)


@pytest.mark.parametrize("case", corpus(), ids=lambda case: case.name)
def test_a_redacted_mail_is_redacted_for_good(case) -> None:
    """Redacting once more changes nothing."""
    kept = redact(case.raw)

    assert redact(kept) == kept


def test_a_redacted_mail_is_a_mail() -> None:
    """It can be read again; only the password has changed."""
    raw = (CORPUS / "02_qp_utf8.eml").read_bytes()

    before, after = read(raw), read(redact(raw))

    assert (after.sender, after.subject, after.kind) == (before.sender, before.subject, before.kind)
    assert texts(after) == [text.replace("tulip9", "********") for text in texts(before)]


def test_secrets_of_the_caller_are_redacted_too() -> None:
    """What only the caller knows is gone as well, a short one as a word."""
    kept = redact(mail("A Flo H rosebud17 ab cab", "To: judge+rosebud17@mach.example"), ["ab"])
    kept = redact(kept, ["rosebud17"])

    assert b"rosebud17" not in kept
    assert b"A Flo H ******** ******** cab" in kept


def test_short_passwords_do_not_mark_their_letters_elsewhere() -> None:
    """Redacting "mil" in orders would tell the password: it is redacted in the signon only."""
    kept = redact(mail("SIGNON Lborgia mil\nA Mil H\n")).decode()

    assert "SIGNON Lborgia ********\nA Mil H\n" in kept


def test_uuencoded_text_and_unknown_encodings_are_not_kept() -> None:
    """Old ways to write files into text are left out, for nobody sees what they hold."""
    inside = mail("begin 644 a\n%='5L:7`Y\n \nend\nA Flo H\n")
    whole = mail("%='5L:7`Y", "Content-Transfer-Encoding: x-uuencode")

    assert b"'5L:7" not in redact(inside) + redact(whole)
    assert b"\nA Flo H\n" in redact(inside)


def test_a_greeting_costs_no_line() -> None:
    """Hello is also a word for signing on, but not when nothing follows it in its line."""
    kept = redact(mail("Hello judge,\nA Flo H\n")).decode()

    assert "\nHello judge,\nA Flo H\n" in kept


@cases
def test_a_line_for_a_log_is_redacted(line: str, redacted: str) -> None:
    """One line, for logs and answers."""
    assert redact_line(line) == redacted


def test_columns_move_with_the_redaction() -> None:
    """A caret behind a password still points at the same word, one inside at its beginning."""
    line = "create ?b secret 1454"

    assert [redacted_column(line, at) for at in (0, 10, 12, 17)] == [0, 10, 10, 19]


@cases
def test_a_sentence_of_the_judge_is_redacted_where_it_repeats_the_mail(
    sentence: str, redacted: str
) -> None:
    """Its own words stay: a gap among them would tell a password that is one of them."""
    assert redact_sentence(sentence, {"first", "tulip9", "password"}) == redacted
