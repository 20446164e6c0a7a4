"""The mail reader: mails of all programs with damage, mails in mails, and bombs."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import cache
from random import Random

from machjudge.judge.mail_context import vocabulary
from machjudge.judge.secret import fixed
from machjudge.mail.authentication import DnsSenderChecks
from machjudge.mail.server import arrival
from machjudge.mail_parser.lines import MailKind
from machjudge.mail_parser.reader import claim_in, failure_in, read
from machjudge.mail_parser.secrets import redact
from tests.fuzz.damage import ODD, damaged
from tests.fuzz.trying import Target
from tests.mail_parser.mails import corpus

_JUDGE = "judge@mach.example"
_SECRET = fixed(bytes(32))
_PIECES = (
    *ODD, b"\r\n\r\n", b"--b\r\n", b"\r\n--b--\r\n", b"=?utf-8?b?", b"?=", b"=?utf-8?q?=", b"<br>",
    b"<p", b"</div>", b"<blockquote>", b"<!--", b"<style>", b"&#", b"&nbsp;", b"&#x110000;",
    b"charset=", b"Content-Type: multipart/mixed; boundary=b\r\n",
    b"Content-Type: text/html; charset=utf-16\r\n", b"Content-Type: text/plain; format=flowed\r\n",
    b"Content-Transfer-Encoding: base64\r\n", b"Content-Transfer-Encoding: quoted-printable\r\n",
    b"Content-Type: message/rfc822\r\n\r\n", b"From: ", b"To: ",
    b"DKIM-Signature: v=1; a=rsa-sha256; d=b.example; s=s; bh=x; b=x;"
    b" h=from:to:subject:date:message-id:content-type:mime-version\r\n",
    b"Authentication-Results: mx.b.example; dkim=pass header.d=b.example\r\n",
    b"SIGNON Lborgia pw\r\n", b"SIGNOFF\r\n", b"PRESS TO A\r\n", b"ENDPRESS\r\n",
    b"A flo - pst\r\n", b"On Monday, judge wrote:\r\n", b"-----Original Message-----\r\n",
    b"-- \r\n", b"> > > ", b"-----BEGIN PGP SIGNED MESSAGE-----\r\n", b"begin 644 x\r\n",
    b"~~~~\r\n", b"____\r\n",
)  # fmt: skip
_HEAD = (
    b"From: a@b.example\r\nTo: judge@mach.example\r\nMessage-ID: <1@b.example>\r\n"
    b"Date: Fri, 20 Nov 2026 12:00:00 +0000\r\n"
)
_RECEIVED = datetime(2026, 11, 20, 12, tzinfo=UTC)
_CHECKS = DnsSenderChecks(_JUDGE, "mx.b.example", lambda _name, timeout=0: None)
_TEXT = b"\r\nSIGNON Lborgia pw\r\nA flo - pst\r\n"
_LARGEST = 5
"""Powers of ten: bytes of a bomb."""


@cache
def _mails() -> tuple[bytes, ...]:
    return tuple(case.raw[:20_000] for case in corpus())


def make(chance: Random) -> bytes:
    """A damaged mail, a mail in a mail, or a bomb of any size."""
    kind = chance.random()
    if kind < 0.002:
        shape = chance.choice([*BOMBS])
        return BOMBS[shape](int(10 ** chance.uniform(3, _LARGEST)))
    raw = chance.choice(_mails())
    if kind < 0.1:
        head = raw.partition(b"\r\n\r\n")[0]
        raw = head + b"\r\n\r\n" + chance.choice(_mails())
    return damaged(raw, chance, _PIECES)


def flaws(raw: bytes) -> Iterator[str]:
    """The mail is read, redacted and known again; lines are few, short and lines."""
    arrival(raw, "a@b.example", [_JUDGE], _SECRET)
    claim_in(raw, (_JUDGE,))
    failure_in(raw)
    kept = redact(raw)
    kept.decode()
    if len(kept) > 4 * len(raw) + 1_000:
        yield f"{len(kept)} bytes are kept of {len(raw)}"
    _CHECKS.is_verified(raw, "a@b.example", _RECEIVED)
    mail = read(raw, vocabulary(), (_JUDGE,))
    if len(mail.lines) > 2_000:
        yield f"{len(mail.lines)} lines"
    for line in mail.lines:
        if len(line.text) > 1_000 or len(line.text.splitlines()) > 1:
            yield f"no line: {line.text[:100]!r}"
    for value in (mail.subject, mail.display_name, mail.sender or "", mail.message_id or ""):
        if len(value.splitlines()) > 1:
            yield f"several lines: {value!r}"
    if mail.kind is MailKind.IGNORE and mail.lines:
        yield "lines of a mail that is ignored"


# --- bombs -----------------------------------------------------------------------------------


def _filled(begin: bytes, piece: bytes, end: bytes = b"") -> Callable[[int], bytes]:
    return lambda size: begin + piece * (size // len(piece)) + end


def _levels(size: int) -> bytes:
    """Parts in parts in parts."""
    numbers = range(size // 70)
    kind = b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n"
    return _HEAD + b"".join(kind % (n, n) for n in numbers) + _TEXT


def _messages(size: int) -> bytes:
    """Mails in mails in mails."""
    return (
        _HEAD + b"Content-Type: message/rfc822\r\n\r\nFrom: a@b.example\r\n" * (size // 50) + _TEXT
    )


def _html(piece: bytes) -> Callable[[int], bytes]:
    return _filled(_HEAD + b"Content-Type: text/html\r\n\r\nA flo - pst<br>", piece)


_PARTS = _HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n"
_LONG = b"A flo - pst " * 40
BOMBS: dict[str, Callable[[int], bytes]] = {
    "parts in parts": _levels,
    "mails in mails": _messages,
    "thousands of parts": _filled(_PARTS, b"--b\r\n\r\nA flo - pst\r\n"),
    "thousands of empty parts": _filled(_PARTS, b"--b\r\n"),
    "thousands of other texts": _filled(
        _HEAD + b"Content-Type: multipart/alternative; boundary=b\r\n\r\n",
        b"--b\r\nContent-Type: text/html\r\n\r\n<p>A flo - pst\r\n",
    ),
    "thousands of fields": _filled(_HEAD, b"X-Field: a\r\n", _TEXT),
    "thousands of senders": _filled(_HEAD, b"From: b@b.example\r\n", _TEXT),
    "thousands of addresses": _filled(_HEAD + b"To: ", b"a <a@b.example>, ", b"\r\n" + _TEXT),
    "a field in many lines": _filled(_HEAD + b"Subject: a", b"\r\n a", b"\r\n" + _TEXT),
    "parameters": _filled(_HEAD + b"Content-Type: text/plain", b"; a*0*=utf-8''b", b"\r\n" + _TEXT),
    "encoded words": _filled(_HEAD + b"Subject: ", b"=?utf-8?b?YQ==?= ", b"\r\n" + _TEXT),
    "comments in an address": _filled(b"From: ", b"(", b"\r\n" + _TEXT),
    "quotation marks in an address": _filled(b"From: ", b'"\\', b"\r\n" + _TEXT),
    "references": _filled(_HEAD + b"References:", b" <1@b.example>", b"\r\n" + _TEXT),
    "signatures": _filled(_HEAD, b"DKIM-Signature: v=1; a=rsa-sha256; d=b.example\r\n", _TEXT),
    "results": _filled(
        _HEAD + b"Authentication-Results: mx.b.example", b"; dkim=pass (", b"\r\n" + _TEXT
    ),
    "one line": _filled(_HEAD + _TEXT, b"A flo - pst "),
    "long lines": _filled(_HEAD + _TEXT, _LONG + b"\r\n"),
    "line ends": _filled(_HEAD + _TEXT, b"\r\n"),
    "quotes": _filled(_HEAD + _TEXT, b"> A flo - pst\r\n"),
    "deep quotes": _filled(_HEAD + _TEXT, b"> " * 400 + b"A flo - pst\r\n"),
    "who wrote": _filled(_HEAD + _TEXT, b"On Monday a@b.example wrote:\r\n"),
    "rules": _filled(_HEAD + _TEXT, b"-----Original Message-----\r\n"),
    "flowed lines": _filled(
        _HEAD + b"Content-Type: text/plain; format=flowed\r\n" + _TEXT, b"A \r\n"
    ),
    "soft line breaks": _filled(
        _HEAD + b"Content-Transfer-Encoding: quoted-printable\r\n" + _TEXT, b"A=\r\n"
    ),
    "signons": _filled(_HEAD + _TEXT, b"SIGNON Lborgia pw\r\n"),
    "press without end": _filled(_HEAD + _TEXT + b"PRESS TO A\r\n", b"A flo - pst\r\n"),
    "open elements": _html(b"<div>"),
    "open quotes": _html(b"<blockquote>"),
    "tables in tables": _html(b"<table><tr><td>"),
    "lists in lists": _html(b"<ul><li>a"),
    "attributes": _html(b"<p a=b c='"),
    "references of HTML": _html(b"&#x41;"),
    "comments": _html(b"<!-- -"),
    "sheets of style": _html(b"<style>p{}"),
}  # fmt: skip
"""By what they are full of; each makes a mail of about so many bytes."""


MAILS = Target("mails", 12, make, lambda raw: [*flaws(raw)])
"""The mail reader."""
