"""The SMTP and LMTP dialogues of mail servers and mail programs, with damage.

Each is what Postfix, Exim, swaks and Thunderbird say, by their documentation and logs: who greets
how, what stands behind MAIL, what is said at once and what after an answer.
"""

import asyncio
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from random import Random

from machjudge.judge.mails import Arrival
from machjudge.judge.secret import fixed
from machjudge.mail.server import OUR_FAULT, LmtpSession, ServerState, SmtpSession
from tests.fuzz.damage import ODD, damaged
from tests.fuzz.trying import Target

JUDGE = b"judge@mach.example"
_MAIL = (
    b"From: Anna <anna@player.example>\r\nTo: judge@mach.example\r\nSubject: orders\r\n"
    b"Message-ID: <1@player.example>\r\n\r\nSIGNON Lborgia pw\r\nA flo - pst\r\n..\r\n"
)
POSTFIX = (
    b"EHLO mx.player.example\r\nMAIL FROM:<anna@player.example> SIZE=1204 BODY=8BITMIME\r\n"
    b"RCPT TO:<%b> ORCPT=rfc822;%b\r\nDATA\r\n%b.\r\nQUIT\r\n" % (JUDGE, JUDGE, _MAIL)
)
POSTFIX_LMTP = (
    b"LHLO mach.example\r\nMAIL FROM:<anna@player.example> SIZE=1204\r\nRCPT TO:<%b>\r\n"
    b"RCPT TO:<judge+r.abcdefghijklmnopqrstuvwxyz@mach.example>\r\nDATA\r\n%b.\r\nQUIT\r\n"
    % (JUDGE, _MAIL)
)
POSTFIX_AGAIN = (
    b"EHLO mx.player.example\r\nMAIL FROM:<> SIZE=900\r\n"
    b"RCPT TO:<judge+bounce.1.abc@mach.example>\r\nDATA\r\n%b.\r\nRSET\r\n"
    b"MAIL FROM:<b@player.example>\r\nRCPT TO:<%b>\r\nDATA\r\n%b.\r\nQUIT\r\n"
    % (_MAIL, JUDGE, _MAIL)
)
EXIM = (
    b"EHLO host.player.example\r\nMAIL FROM:<anna@player.example> SIZE=1589\r\nRCPT TO:<%b>\r\n"
    b"BDAT %d LAST\r\n%bQUIT\r\n" % (JUDGE, len(_MAIL), _MAIL)
)
EXIM_HELO = (
    b"HELO host.player.example\r\nMAIL FROM:<SRS0=ab=cd=player.example=anna@fwd.example>\r\n"
    b"RCPT TO:<%b>\r\nDATA\r\n%b.\r\nQUIT\r\n" % (JUDGE, _MAIL)
)
SWAKS = (
    b"EHLO laptop\r\nMAIL FROM:<anna@player.example>\r\nRCPT TO:<%b>\r\nDATA\r\n"
    b"Date: Fri, 20 Nov 2026 12:00:00 +0000\r\nTo: %b\r\nFrom: anna@player.example\r\n"
    b"Subject: test Fri, 20 Nov 2026 12:00:00 +0000\r\n"
    b"Message-Id: <20261120120000.001234@laptop>\r\nX-Mailer: swaks\r\n\r\nlist\r\n\r\n"
    b"\r\n.\r\nQUIT\r\n" % (JUDGE, JUDGE)
)
THUNDERBIRD = (
    b"EHLO [192.168.178.20]\r\nSTARTTLS\r\nEHLO [192.168.178.20]\r\nAUTH PLAIN AGFubmEAcHc=\r\n"
    b"MAIL FROM:<anna@player.example> BODY=8BITMIME SIZE=456\r\nRCPT TO:<%b>\r\nDATA\r\n"
    b"%b.\r\nQUIT\r\n" % (JUDGE, _MAIL)
)
DIALOGUES = (POSTFIX, POSTFIX_LMTP, POSTFIX_AGAIN, EXIM, EXIM_HELO, SWAKS, THUNDERBIRD)
_PIECES = (
    *ODD, b".\r\n", b"\n.\n", b"\r.\r\n", b"\r\n.\n", b"\n.\r\n", b"..\r\n", b"\r\n\r\n",
    b"EHLO a\r\n", b"LHLO a\r\n", b"HELO\r\n", b"MAIL FROM:<>\r\n",
    b"MAIL FROM:<a@b.example> SIZE=", b"MAIL FROM:<@a,@b:c@d.example>\r\n",
    b'MAIL FROM:<"a b"@c.example> SMTPUTF8\r\n', b"DATA\r\n", b"RCPT TO:<judge@mach.example>\r\n",
    b"RCPT TO:<postmaster>\r\n", b"RCPT TO:<a@b.example>\r\n", b"RCPT TO:\r\n", b"RSET\r\n",
    b"NOOP\r\n", b"VRFY judge\r\n", b"EXPN a\r\n", b"HELP\r\n", b"QUIT\r\n", b"AUTH LOGIN\r\n",
    b"AUTH CRAM-MD5\r\n", b"STARTTLS\r\n", b"XCLIENT ADDR=1.2.3.4\r\n", b"GET / HTTP/1.1\r\n",
    b" BODY=BINARYMIME", b" SMTPUTF8", b" SIZE=-1", b" AUTH=<>", b"<judge@",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "müller@mach.example".encode(), b"A" * 2_000,
)  # fmt: skip
_SIZE_LIMIT = 10_000
_KEPT = b"250 2.0.0 Kept"
_ANSWER = re.compile(rb"[2345]\d\d[ -][ -~]*")
_MAX_TURNS = 5_000


class Wire(asyncio.Transport):
    """The other end of a session, in memory."""

    def __init__(self, visit: SmtpSession) -> None:
        super().__init__({"peername": ("127.0.0.1", 25)})
        self.heard = bytearray()
        self._visit = visit
        self._closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Hear an answer."""
        self.heard += data

    def close(self) -> None:
        """Hang up."""
        if not self._closed:
            self._closed = True
            asyncio.get_running_loop().call_soon(self._visit.connection_lost, None)

    abort = close

    def is_closing(self) -> bool:
        """True if it has hung up."""
        return self._closed

    def pause_reading(self) -> None:
        """All is said already."""

    def resume_reading(self) -> None:
        """All is said already."""


@dataclass
class Heard:
    """What came of a dialogue."""

    kept: list[Arrival] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    answers: bytes = b""

    async def keep(self, mail: Arrival) -> None:
        """Keep a mail."""
        self.kept.append(mail)


@cache
def _loop() -> asyncio.AbstractEventLoop:
    return asyncio.new_event_loop()


def make(chance: Random) -> bytes:
    """A damaged dialogue; its first sign says by which protocol."""
    dialogue = damaged(chance.choice(DIALOGUES), chance, _PIECES)
    return chance.choice((b"S", b"L")) + dialogue


def flaws(raw: bytes) -> Iterator[str]:
    """Every line is answered, every mail that is kept got its 250, and no other one."""
    heard = Heard()
    is_lmtp = raw[:1] == b"L"
    _loop().run_until_complete(_talk(raw[1:], heard, LmtpSession if is_lmtp else SmtpSession))
    yield from heard.faults
    answers = heard.answers.split(b"\r\n")
    odd = [each for each in answers[:-1] if not _ANSWER.fullmatch(each)]
    yield from (f"answered {each!r}" for each in odd)
    if OUR_FAULT.encode() in answers:
        yield "a fault of ours was answered"
    said = sum(each == _KEPT for each in answers)
    kept = sum(len(each.recipients) for each in heard.kept) if is_lmtp else len(heard.kept)
    if said < kept or (said > kept and not is_lmtp):
        yield f"{said} times 250 for {kept} mails"
    for mail in heard.kept:
        if re.search(rb"(?<!\r)\n", mail.raw) or len(mail.raw) > _SIZE_LIMIT + 2:
            yield f"kept: {mail.raw!r}"
        names = (each.lower() for each in mail.recipients)
        if not all("mach.example" in each or each == "postmaster" for each in names):
            yield f"kept for {mail.recipients}"


async def _talk(dialogue: bytes, heard: Heard, kind: type[SmtpSession]) -> None:
    """Say all of it in pieces, then hang up."""
    asyncio.get_running_loop().set_exception_handler(
        lambda _, context: heard.faults.append(str(context))
    )
    visit = kind(ServerState(JUDGE.decode(), _SIZE_LIMIT, fixed(bytes(32)), heard.keep))
    wire = Wire(visit)
    visit.connection_made(wire)
    pieces = Random(len(dialogue))  # noqa: S311 - no secret
    while dialogue and not wire.is_closing():
        size = pieces.choice((1, 3, 20, 200, 5_000, 100_000))
        visit.data_received(dialogue[:size])
        dialogue = dialogue[size:]
        await asyncio.sleep(0)
    if not wire.is_closing():
        visit.eof_received()
    if not await _ended(visit):
        heard.faults.append("the session does not end")
    wire.close()
    await asyncio.sleep(0)
    heard.answers = bytes(wire.heard)


async def _ended(visit: SmtpSession) -> bool:
    """True if a session ends by itself."""
    task = visit._handler_coroutine
    for _ in range(_MAX_TURNS):
        if task is None or task.done():
            return True
        await asyncio.sleep(0)
    return False


TALKS = Target("dialogues", 25, make, lambda raw: [*flaws(raw)])
"""The listener."""
