"""Any bytes in, a value out, in bounded work."""

import random
import time
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from machjudge.judge.mail_context import read_mail as read
from machjudge.mail_parser.html import lines_of
from machjudge.mail_parser.lines import Mail, MailKind
from machjudge.mail_parser.secrets import redact
from tests.cases import cases
from tests.mail_parser.mails import corpus, flaws_of, mail, texts

CASES = corpus()
SECONDS = 20
"""Far more than any of these mails takes, far less than work that grows with the square."""
LARGE = 10_000_000
SIZE = 2_100_000


def is_sound(one: Mail) -> None:
    """What every outcome promises, however bad the mail."""
    assert isinstance(one, Mail)
    assert len(one.lines) <= 2_000
    for line in one.lines:
        assert len(line.text) <= 1_000
        assert line.text.isprintable() or not line.text.isascii()
        assert len(line.text.splitlines()) <= 1
    for value in (one.subject, one.display_name, one.sender or "", one.message_id or ""):
        assert len(value.splitlines()) <= 1
    assert (one.kind is MailKind.IGNORE) <= (one.lines == ())
    "".join(line.text for line in one.lines).encode()


@given(st.binary(max_size=2_000))
@example(b"")
@example(b"\r\n\r\n")
@example(b"Content-Type: multipart/mixed; boundary=\r\n\r\n--\r\n")
@example(b"From: \xff@\x00\r\n\xfe\xff")
def test_any_bytes_are_read(raw: bytes) -> None:
    """Arbitrary bytes give a mail and a redacted mail."""
    is_sound(read(raw))

    redact(raw).decode()


@given(st.sampled_from(CASES), st.data())
def test_damaged_mails_are_read(case, data: st.DataObject) -> None:
    """A mail of the corpus with bytes cut out, doubled or replaced gives a mail."""
    raw = case.raw[:6_000]
    at = data.draw(st.integers(0, len(raw)))
    to = data.draw(st.integers(at, min(len(raw), at + 200)))
    filling = data.draw(st.sampled_from([b"", raw[at:to] * 2]) | st.binary(max_size=20))
    damaged = raw[:at] + filling + raw[to:]

    is_sound(read(damaged))
    redact(damaged).decode()


@given(st.sampled_from(CASES), st.sampled_from(CASES))
def test_mails_inside_mails_are_read(outer, inner) -> None:
    """One mail as the body of another, whatever its header says."""
    head = outer.raw.partition(b"\r\n\r\n")[0]

    is_sound(read(head + b"\r\n\r\n" + inner.raw[:6_000]))


MARKUP = (
    "< <p> </p> <table> <tr> <td> </td> </table> <br> <li> <ul> </ul> <!-- --> <style> </style> "
    "<blockquote> </blockquote> <div hidden> </div> &amp; &#0; &#xd800; A\u00a0Flo <s> </s> <pre> "
    "<body> <head> </head> <td <p= '\"> ]]> <![CDATA[ \u202e"
)


@given(st.lists(st.sampled_from(MARKUP.split(" ")), max_size=60))
def test_any_html_is_laid_out(pieces: list[str]) -> None:
    """Every order of tags gives lines."""
    is_sound(read(mail("".join(pieces), "Content-Type: text/html; charset=utf-8")))


def filled(piece: bytes, *fields: str) -> Callable[[], bytes]:
    """A mail of two million bytes that repeats a piece."""
    return lambda: mail((piece * (SIZE // len(piece) + 1))[:SIZE], *fields)


HTML = "Content-Type: text/html"
NOISE = random.Random(1).randbytes(LARGE)  # noqa: S311 (always the same noise)
HOSTILE = {
    "noise": lambda: mail(NOISE),
    "noise in the header": lambda: b"From: a@b.example\r\n" + NOISE,
    "orders without end": lambda: mail(b"A Flo H\n" * (LARGE // 8)),
    "line ends": filled(b"\n"),
    "one line": filled(b"A Flo H "),
    "one line of press": lambda: mail(b"BROADCAST\n" + b"A Flo H " * (SIZE // 8)),
    "quoted-printable": filled(b"=41 =\n", "Content-Transfer-Encoding: quoted-printable"),
    "unclosed tags": filled(b"<a ", HTML),
    "unclosed quotes in tags": filled(b'<a b="x>', HTML),
    "unclosed comments": filled(b"<!--", HTML),
    "open elements": filled(b"<div>", HTML),
    "open tables": filled(b"<table><tr><td>x", HTML),
    "wrong ends": filled(b"<b><i></p>", HTML),
    "attributions": filled(b"On 5 <a@b> wrote\n"),
    "angles": filled(b"<a@b" * 200 + b":\n"),
    "emphasis": filled(b"*a " * 330 + b"\n"),
    "stars": filled(b"*" * 999 + b"\n"),
    "rules": filled(b"-" * 998 + b"\n"),
    "rules that end otherwise": filled(b"-" * 997 + b"x\n"),
    "quotation marks": filled(b" 'a" * 330 + b'"' * 9 + b"\n"),
    "signons": filled(b"signon a b " * 80 + b"\n"),
    "passwords": filled(b"set password " * 70 + b"\n"),
    "boundaries": filled(b"--b\r\n\r\nA Flo H\r\n", "Content-Type: multipart/mixed; boundary=b"),
    "encoded words": lambda: mail("x", "Subject: " + "=?utf-8?q?a?= " * (SIZE // 14)),
    "brackets in From": lambda: mail("x", sender="(" * SIZE),
    "combining marks": filled("\u0301\u0327".encode()),
    "levels": lambda: (
        b"From: a@b.example\r\n"
        + b"".join(
            b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n)
            for n in range(1_000)
        )
        + b"\r\nA Flo H" * (SIZE // 9)
    ),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_large_and_hostile_mails_are_read_in_bounded_time(what: str) -> None:
    """Millions of hostile bytes take seconds to read and to redact, and give few lines."""
    raw = HOSTILE[what]()

    start = time.process_time()
    one = read(raw)
    kept = redact(raw)
    took = time.process_time() - start

    is_sound(one)
    assert took < SECONDS
    assert len(kept) < len(raw)


def test_noise_gives_no_lines_at_all() -> None:
    """Of bytes that are no text nothing is read by chance."""
    one = read(HOSTILE["noise"]())

    assert (one.kind, texts(one)) == (MailKind.HOLD, [])
    assert "NOT_TEXT" in flaws_of(one)


@cases
def test_tags_are_read_in_linear_time(piece: str) -> None:
    """A hundred times the mark-up takes about a hundred times as long, not ten thousand times."""

    def took(times: int) -> float:
        start = time.process_time()
        lines_of(piece * times, 100)
        return time.process_time() - start

    took(1_000)

    assert took(100_000) < 1_000 * max(took(1_000), 0.001)


@cases
def test_a_mail_is_compared_with_messages_in_linear_time(row: str) -> None:
    """However often its words, and those of the message, come again."""
    message = "The game begins.\nmaintain A Florence\na a a a\n" * 200

    def took(times: int) -> float:
        raw = mail(row * times)
        start = time.process_time()
        read(raw, messages=[message] * 3)
        return time.process_time() - start

    took(100)

    assert took(6_000) < 600 * max(took(60), 0.002)
