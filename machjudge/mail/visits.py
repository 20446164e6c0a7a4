"""One session with a mail server: what aiosmtpd does, and what it leaves to be done.

aiosmtpd gives one answer after ``DATA``; LMTP wants one per recipient (RFC 2033, 4.2), for
refusals too.  It reads the addresses of an envelope with a parser that raises on some noise.
"""

import asyncio
import re
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import AnyStr, Protocol

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session
from structlog import get_logger

from machjudge.mail.arrival import arrival
from machjudge.mail.route import is_postmaster, is_sound, route
from machjudge.mail.smtp_answers import (
    BAD_ADDRESS,
    BARE_LINE_FEED,
    CLOSING,
    FULL,
    NO_ACCOUNTS,
    NOT_OURS,
    OK,
    OUR_FAULT,
    TOO_LARGE,
    TOO_MANY_RECIPIENTS,
    with_status,
)
from machjudge.service.credentials.secret import JudgeSecret
from machjudge.service.ports.mailbox import Arrival

MOST_RECIPIENTS = 1000
"""How many recipients one mail may have; RFC 5321, 4.5.3.1.8, asks for at least 100."""
MOST_VISITS = 100
"""How many sessions are open at the same time; further ones are asked to come again."""
MOST_OF_PEER = 20
"""How many of them may be those of one address; the machine itself may have all of them."""
LONGEST_VISIT = 900.0
"""After how many seconds a session is asked to end, as soon as no mail is under way in it."""
LARGE = 50_000
"""From how many bytes on a mail is looked at away from the event loop."""
LONGEST_END = 60.0
"""After how many seconds more it is cut off."""

IDENT = "machjudge"
"""How the judge names itself in its greeting."""

_PLAIN_ADDRESS = re.compile(r"<([\w+=-]+(?:\.[\w+=-]+)*@[\w-]+(?:\.[\w-]+)*)>((?: .*)?)", re.ASCII)
"""Almost every address; the parser that reads all others takes a hundred times as long."""
_BARE = re.compile(rb"(?<!\r)\n")
_CONTROL = re.compile(r"(?!\r\n)[\x00-\x09\x0b-\x1f\x7f-\x9f]|(?<!\r)\n|[\ud800-\udfff]")
_NOBODY = "<>"
_SPOKEN = ("250-PIPELINING", "250-ENHANCEDSTATUSCODES")
_END_OF_LINE = b"\r\n"

log = get_logger(__name__)


class Visit(Protocol):
    """An open session, as the listener sees it."""

    peer: str
    """The address of the other side; empty for this machine."""

    def leave(self) -> None:
        """Ask the peer to come again later, as soon as no mail of theirs is under way."""
        ...

    def cut_off(self) -> None:
        """End the session at once."""
        ...


@dataclass(slots=True)
class ServerState:
    """What all sessions of a listener share."""

    judge: str
    size_limit: int
    """In bytes."""
    secret: JudgeSecret
    """Under it repeated deliveries are known."""
    keep: Callable[[Arrival], Awaitable[None]]
    protection: ssl.SSLContext | None = None
    """With it STARTTLS is offered."""
    visits: set[Visit] = field(default_factory=set)
    closing: bool = False


class Hooks:
    """What aiosmtpd calls; its names are aiosmtpd's."""

    def __init__(self, server: ServerState) -> None:
        self._server = server

    async def handle_MAIL(  # noqa: N802
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Note who sends; the null sender of bounces is welcome."""
        if not is_sound(address):
            return BAD_ADDRESS
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 2.1.0 OK"

    async def handle_EHLO(  # noqa: N802
        self,
        _server: SMTP,
        session: Session,
        _envelope: Envelope,
        hostname: str,
        responses: list[str],
    ) -> list[str]:
        """Announce what is spoken besides, and no AUTH, as nobody has an account.

        RFC 2920 and RFC 2034; RFC 2033 asks both of LMTP.
        """
        session.host_name = hostname
        spoken = [each for each in responses[:-1] if not each.startswith("250-AUTH")]
        return [*spoken, *_SPOKEN, responses[-1]]

    async def handle_RCPT(  # noqa: N802
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Note an address of the judge's; refuse all others."""
        judge = self._server.judge
        if route(judge, address) is None and not is_postmaster(judge, address):
            return NOT_OURS
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return TOO_MANY_RECIPIENTS
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(options)
        return "250 2.1.5 OK"

    async def handle_DATA(self, _server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Keep the mail, and say so only when it is durable."""
        raw = envelope.original_content or b""
        if _BARE.search(raw):
            # Servers that read such a line as an end, and others that do not, see other mails.
            return BARE_LINE_FEED
        sender = "" if envelope.mail_from in {None, _NOBODY} else str(envelope.mail_from)
        try:
            mail = await self._arrival(raw, sender, tuple(envelope.rcpt_tos))
            await self._server.keep(mail)
        except Exception:  # whatever it was, it is ours, and the peer still has the mail
            log.exception("mail not kept", peer=session.peer, size=len(raw))
            return OUR_FAULT
        log.info("mail kept", message_id=mail.message_id, size=len(raw), peer=session.peer)
        return OK

    async def _arrival(self, raw: bytes, sender: str, recipients: tuple[str, ...]) -> Arrival:
        """The mail as it is kept; a large one must not keep the others waiting."""
        secret = self._server.secret
        if len(raw) < LARGE:
            return arrival(raw, sender, recipients, secret)
        return await asyncio.to_thread(arrival, raw, sender, recipients, secret)

    async def handle_exception(self, _error: Exception) -> str:
        """Answer for a fault anywhere in a session."""
        log.exception("session failed")
        return OUR_FAULT


class SmtpVisit(SMTP):
    """A session in SMTP; ends when the server closes."""

    def __init__(self, server: ServerState) -> None:
        # A line as long as a mail may be is no longer refused for its length alone.
        self.line_length_limit = server.size_limit + len(_END_OF_LINE)
        super().__init__(
            Hooks(server),
            data_size_limit=server.size_limit,
            hostname=server.judge.rpartition("@")[2],
            ident=IDENT,
            enable_SMTPUTF8=True,
            tls_context=server.protection,
            loop=asyncio.get_running_loop(),
        )
        self._server = server
        self._in_data = False
        self.peer = ""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the session, and end it in time."""
        self.peer = _peer(transport)
        if self not in self._server.visits:  # with STARTTLS a session has a second connection
            self._server.visits.add(self)
            self._end = asyncio.get_running_loop().call_later(LONGEST_VISIT, self._end_soon)
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        """Forget the session."""
        self._end.cancel()
        self._server.visits.discard(self)
        super().connection_lost(error)

    def _end_soon(self) -> None:
        """A peer that keeps a session for ever, idle or not, keeps others out."""
        self._end = asyncio.get_running_loop().call_later(LONGEST_END, self.cut_off)
        self.leave()

    def leave(self) -> None:
        """Ask the peer to come again later, as soon as no mail of theirs is under way."""
        if not self._in_data:
            self._say_good_bye(CLOSING)

    def cut_off(self) -> None:
        """End the session at once."""
        if isinstance(self.transport, asyncio.WriteTransport):
            self.transport.abort()

    async def smtp_DATA(self, arg: str | None) -> None:  # noqa: N802
        """Take a mail in; it is answered for even if the server closes meanwhile."""
        try:
            await super().smtp_DATA(arg)
        finally:
            self._in_data = False
        if self._server.closing:
            self.leave()

    async def smtp_AUTH(self, _arg: str) -> None:  # noqa: N802
        """Nobody has an account here, so that no password is ever asked for."""
        await self.push(NO_ACCOUNTS)

    async def push(self, status: AnyStr) -> None:
        """Answer the peer; what is repeated of their words stays one line."""
        text = _CONTROL.sub("?", _as_text(status))
        await super().push(with_status(self._after_data(text) if self._in_data else text))
        # From here to the end of the mail the peer sends no commands.
        self._in_data = self._in_data or text.startswith("354")

    def _after_data(self, status: str) -> str:
        """The answer to a mail.  A line longer than a mail may be is a mail that is too large."""
        return TOO_LARGE if status.startswith(("500 Line too long", "552")) else status

    async def _handle_client(self) -> None:
        if self._server.closing or self._is_one_too_many():
            self._say_good_bye(CLOSING if self._server.closing else FULL)
        else:
            await super()._handle_client()

    def _is_one_too_many(self) -> bool:
        visits = self._server.visits
        from_here = sum(self.peer == each.peer for each in visits) if self.peer else 0
        return len(visits) > MOST_VISITS or from_here > MOST_OF_PEER

    def _say_good_bye(self, status: str) -> None:
        # Not pushed: that would wait for a peer who does not read.
        if isinstance(self.transport, asyncio.WriteTransport) and not self.transport.is_closing():
            self.transport.write(status.encode() + _END_OF_LINE)
            self.transport.close()

    def _getaddr(self, arg: str) -> tuple[str | None, str | None]:
        address: tuple[str | None, str | None]
        if plain := _PLAIN_ADDRESS.fullmatch(arg):
            return plain[1], plain[2]
        try:
            address = super()._getaddr(arg)
        except (IndexError, ValueError, AttributeError):
            address = None, None
        return address


def _peer(transport: asyncio.BaseTransport) -> str:
    """The address of the other side; empty if it is this machine, or comes by a Unix socket."""
    name = transport.get_extra_info("peername")
    host = name[0].partition("%")[0] if isinstance(name, tuple) else ""
    return host if host and not ip_address(host).is_loopback else ""


def _as_text(status: str | bytes) -> str:
    return status.decode() if isinstance(status, bytes) else status


class LmtpVisit(SmtpVisit, LMTP):
    """A session in LMTP: one answer for each recipient once the mail is over (RFC 2033, 4.2)."""

    def __init__(self, server: ServerState) -> None:
        super().__init__(server)
        self._recipients = 0

    async def smtp_DATA(self, arg: str | None) -> None:  # noqa: N802
        """Take a mail in, and answer as often as it has recipients."""
        # aiosmtpd forgets the envelope before it answers.
        self._recipients = len(self.envelope.rcpt_tos) if self.envelope else 0
        await super().smtp_DATA(arg)

    def _after_data(self, status: str) -> str:
        return "\r\n".join([super()._after_data(status)] * self._recipients)
