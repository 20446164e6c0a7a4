"""Servers for incoming mail: SMTP and LMTP, over TCP and Unix sockets."""

import asyncio
import errno
import functools
import os
import re
import ssl
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from ipaddress import ip_address
from pathlib import Path
from typing import AnyStr

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session
from structlog import get_logger

from machjudge.adjudicator.names import MachjudgeError
from machjudge.judge.mails import Arrival, ArrivalStore
from machjudge.judge.secret import JudgeSecret
from machjudge.mail.addresses import fingerprint, is_postmaster, is_sound, route
from machjudge.mail_parser.reader import author_in

# What the listener answers to mail servers, with the statuses of RFC 3463.
OK = "250 2.0.0 Kept"
NOT_OURS = "550 5.1.1 No such address here"
BAD_ADDRESS = "553 5.1.3 This address cannot be used"
TOO_MANY_RECIPIENTS = "452 4.5.3 Too many recipients"
BARE_LINE_FEED = "550 5.6.0 A line feed without a carriage return (RFC 5321, 2.3.8)"
TOO_LARGE = (
    "552 5.3.4 The mail is too large: {} bytes at most. Please send plain text, without pictures,"
    " attachments and older mails"
)
OUR_FAULT = "451 4.3.0 A fault on our side; please try again later"
NO_ACCOUNTS = "502 5.5.1 AUTH not implemented"
CLOSING = "421 4.3.2 Closing; please try again later"
FULL = "421 4.3.2 Too many connections; please try again later"

_STATUS = {
    "221": "2.0.0",
    "252": "2.5.2",
    "454": "4.7.0",
    "500": "5.5.2",
    "501": "5.5.4",
    "502": "5.5.1",
    "503": "5.5.1",
    "504": "5.5.4",
    "530": "5.7.0",
    "535": "5.7.8",
    "552": "5.3.4",
    "554": "5.7.0",
    "555": "5.5.4",
}
"""The status (RFC 3463) of aiosmtpd's answers, which have none."""
_HAS_STATUS = re.compile(r"[245]\.\d")


def with_status(answer: str) -> str:
    """Return an answer with its status behind the code (RFC 2034)."""
    code, _, words = answer.partition(" ")
    status = "2.0.0" if answer == "250 OK" else _STATUS.get(code)
    return answer if status is None or _HAS_STATUS.match(words) else f"{code} {status} {words}"


# The certificate with which the judge's own doors speak TLS (STARTTLS, RFC 3207).
class CertificateUnusable(MachjudgeError):
    """A certificate or key is unreadable, or they do not match."""


def protection_by(certificate: Path, key: Path | None) -> ssl.SSLContext:
    """Return TLS 1.2 or newer with a certificate, its key in the same or another PEM file.

    Raises CertificateUnusable.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        # Without the last argument a key under a passphrase would be asked for at the terminal.
        context.load_cert_chain(certificate, key, password=lambda: "")
    except OSError as fault:
        files = f"{certificate} and {key}" if key is not None else str(certificate)
        message = f"the certificate of the listener cannot be used: {files}: {fault}"
        raise CertificateUnusable(message) from fault
    return context


def arrival(
    raw: bytes,
    envelope_sender: str,
    recipients: Sequence[str],
    secret: JudgeSecret,
    *,
    received: datetime | None = None,
) -> Arrival:
    """Return the mail as stored, repeated recipients once; *received* is when a mailbox got it."""
    known_by = fingerprint(raw, secret, received)
    return Arrival(
        raw=raw,
        envelope_sender=envelope_sender,
        recipients=tuple(dict.fromkeys(recipients)),
        sender=_orderer(raw, envelope_sender, recipients),
        message_id=known_by.message_id,
        key=known_by.key,
        received=received,
    )


def _orderer(raw: bytes, envelope_sender: str, recipients: Sequence[str]) -> str:
    """The person in whose order the mail is kept.

    The author, as the envelope of forwarded mails differs each time (SRS, BATV).
    """
    if not envelope_sender:
        return ""
    author = author_in(raw, recipients, envelope_sender)
    return (author if is_sound(author) else "").lower() or envelope_sender.lower()


MAX_TOGETHER = 50
"""The most mails in one commit."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    arrival: Arrival
    kept: asyncio.Future[None]


class Intake:
    """Stores the mails of sessions; used from one event loop.

    *store* is called in a thread; *woken* afterwards, in the loop, when mails have been kept.
    """

    def __init__(self, store: ArrivalStore, woken: Callable[[], None]) -> None:
        self._store = store
        self._woken = woken
        self._waiting: list[_Waiting] = []
        self._work: asyncio.Task[None] | None = None
        # One thread of its own: nobody else's slow work delays a 250.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="intake")

    async def keep(self, mail: Arrival) -> None:
        """Return when the mail is durable.  Raises the store's errors."""
        waiting = _Waiting(mail, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        if self._work is None or self._work.done():
            self._work = asyncio.create_task(self._keep_waiting())
        # Anyone who hangs up meanwhile has their mail kept all the same.
        await waiting.kept

    async def close(self) -> None:
        """Return when all mails so far are kept or refused."""
        if self._work is not None:
            await self._work
        self._thread.shutdown()

    async def _keep_waiting(self) -> None:
        while self._waiting:
            together = self._waiting[:MAX_TOGETHER]
            del self._waiting[:MAX_TOGETHER]
            fault = await self._keep_all(together)
            if fault is not None and len(together) > 1:
                for each in together:
                    _answer(each, await self._keep_all([each]))
            else:
                for each in together:
                    _answer(each, fault)
            self._woken()

    async def _keep_all(self, together: Sequence[_Waiting]) -> Exception | None:
        arrivals = [each.arrival for each in together]
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(self._thread, self._store.keep, arrivals)
        except Exception as fault:  # whatever it was, the sender gets a 451 and comes again
            return fault
        return None


def _answer(waiting: _Waiting, fault: Exception | None) -> None:
    if waiting.kept.done():
        return
    if fault is None:
        waiting.kept.set_result(None)
    else:
        waiting.kept.set_exception(fault)


MAX_RECIPIENTS = 1000
"""The most recipients of a mail; RFC 5321, 4.5.3.1.8, asks for at least 100."""
MAX_VISITS = 100
"""The most open sessions; others are sent away."""
MAX_OF_PEER = 20
"""The most open sessions of one address other than the machine's own."""
# One session with a mail server: what aiosmtpd does, and what it leaves to be done. aiosmtpd
# gives one answer after ``DATA``; LMTP wants one per recipient (RFC 2033, 4.2), for refusals too.
# It reads the addresses of an envelope with a parser that raises on some noise.
LONGEST_VISIT = 900.0
"""The seconds after which a session is asked to end, outside of mails."""
LARGE = 50_000
"""The bytes from which a mail is processed outside the event loop."""
LONGEST_END = 60.0
"""The further seconds until it is cut off."""

IDENT = "machjudge"
"""The judge's name in its greeting."""

_PLAIN_ADDRESS = re.compile(r"<([\w+=-]+(?:\.[\w+=-]+)*@[\w-]+(?:\.[\w-]+)*)>((?: .*)?)", re.ASCII)
"""Almost every address; the full parser takes a hundred times as long."""
_BARE = re.compile(rb"(?<!\r)\n")
_CONTROL = re.compile(r"(?!\r\n)[\x00-\x09\x0b-\x1f\x7f-\x9f]|(?<!\r)\n|[\ud800-\udfff]")
_NOBODY = "<>"
_SPOKEN = ("250-PIPELINING", "250-ENHANCEDSTATUSCODES")
_END_OF_LINE = b"\r\n"

log = get_logger(__name__)


@dataclass(slots=True)
class ServerState:
    """The common state of a listener's sessions."""

    judge: str
    size_limit: int
    """In bytes."""
    secret: JudgeSecret
    """The key for repeated deliveries."""
    keep: Callable[[Arrival], Awaitable[None]]
    protection: ssl.SSLContext | None = None
    """Offers STARTTLS, if set."""
    visits: "set[SmtpSession]" = field(default_factory=set)
    closing: bool = False


class Hooks:
    """The hooks of aiosmtpd."""

    def __init__(self, server: ServerState) -> None:
        self._server = server

    async def handle_MAIL(  # noqa: N802
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Note the sender; bounces' null sender is welcome."""
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
        """Announce extensions (RFC 2920, RFC 2034, as RFC 2033 asks of LMTP), and no AUTH."""
        session.host_name = hostname
        spoken = [each for each in responses[:-1] if not each.startswith("250-AUTH")]
        return [*spoken, *_SPOKEN, responses[-1]]

    async def handle_RCPT(  # noqa: N802
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Take an address of the judge's; refuse others."""
        judge = self._server.judge
        if route(judge, address) is None and not is_postmaster(judge, address):
            return NOT_OURS
        if len(envelope.rcpt_tos) >= MAX_RECIPIENTS:
            return TOO_MANY_RECIPIENTS
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(options)
        return "250 2.1.5 OK"

    async def handle_DATA(self, _server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Keep the mail, and confirm it when it is durable."""
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
        """The mail as stored; a large one must not delay others."""
        secret = self._server.secret
        if len(raw) < LARGE:
            return arrival(raw, sender, recipients, secret)
        return await asyncio.to_thread(arrival, raw, sender, recipients, secret)

    async def handle_exception(self, _error: Exception) -> str:
        """Answer for a fault in a session."""
        log.exception("session failed")
        return OUR_FAULT


class SmtpSession(SMTP):
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
        """Count the session, and limit its time."""
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
        """Ask the peer to leave, as a session kept open would keep others out."""
        self._end = asyncio.get_running_loop().call_later(LONGEST_END, self.cut_off)
        self.leave()

    def leave(self) -> None:
        """Ask the peer to come again later, outside of mails."""
        if not self._in_data:
            self._say_good_bye(CLOSING)

    def cut_off(self) -> None:
        """End the session at once."""
        if isinstance(self.transport, asyncio.WriteTransport):
            self.transport.abort()

    async def smtp_DATA(self, arg: str | None) -> None:  # noqa: N802
        """Take in a mail, and answer even if the server closes meanwhile."""
        try:
            await super().smtp_DATA(arg)
        finally:
            self._in_data = False
        if self._server.closing:
            self.leave()

    async def smtp_AUTH(self, _arg: str) -> None:  # noqa: N802
        """Refuse AUTH: there are no accounts, and so no passwords."""
        await self.push(NO_ACCOUNTS)

    async def push(self, status: AnyStr) -> None:
        """Answer the peer on one line."""
        text = _CONTROL.sub("?", _as_text(status))
        if text.startswith("552") or (self._in_data and text.startswith("500 Line too long")):
            # A line that is too long means a mail that is too large.
            text = TOO_LARGE.format(self._server.size_limit)
        await super().push(with_status(self._after_data(text) if self._in_data else text))
        # From here to the end of the mail the peer sends no commands.
        self._in_data = self._in_data or text.startswith("354")

    def _after_data(self, status: str) -> str:
        """The answer to a mail."""
        return status

    async def _handle_client(self) -> None:
        if self._server.closing or self._is_one_too_many():
            self._say_good_bye(CLOSING if self._server.closing else FULL)
        else:
            await super()._handle_client()

    def _is_one_too_many(self) -> bool:
        visits = self._server.visits
        from_here = sum(self.peer == each.peer for each in visits) if self.peer else 0
        return len(visits) > MAX_VISITS or from_here > MAX_OF_PEER

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
    """The peer's address; empty for this machine or a Unix socket."""
    name = transport.get_extra_info("peername")
    host = name[0].partition("%")[0] if isinstance(name, tuple) else ""
    return host if host and not ip_address(host).is_loopback else ""


def _as_text(status: str | bytes) -> str:
    return status.decode() if isinstance(status, bytes) else status


class LmtpSession(SmtpSession, LMTP):
    """A session in LMTP: one answer for each recipient after the mail (RFC 2033, 4.2)."""

    def __init__(self, server: ServerState) -> None:
        super().__init__(server)
        self._recipients = 0

    async def smtp_DATA(self, arg: str | None) -> None:  # noqa: N802
        """Take in a mail, and answer once for each recipient."""
        # aiosmtpd forgets the envelope before it answers.
        self._recipients = len(self.envelope.rcpt_tos) if self.envelope else 0
        await super().smtp_DATA(arg)

    def _after_data(self, status: str) -> str:
        return "\r\n".join([status] * self._recipients)


_SOCKET_MODE = 0o666  # the folder says who may knock, as with Postfix's own sockets
_POLL_SECONDS = 0.05


class CannotListen(MachjudgeError):
    """A listening address cannot be opened."""


@dataclass(frozen=True, slots=True)
class TcpEndpoint:
    """A host (a name or an address, without brackets) and a port, for LMTP or SMTP."""

    host: str
    port: int
    lmtp: bool

    def __str__(self) -> str:
        """Return the address as in the settings."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{_protocol(self.lmtp)}://{host}:{self.port}"


@dataclass(frozen=True, slots=True)
class UnixEndpoint:
    """A Unix socket, for LMTP or SMTP."""

    path: Path
    lmtp: bool

    def __str__(self) -> str:
        """Return the address as in the settings."""
        return f"{_protocol(self.lmtp)}+unix:{self.path}"


Endpoint = TcpEndpoint | UnixEndpoint


def _protocol(lmtp: bool) -> str:
    return "lmtp" if lmtp else "smtp"


class Listener:
    """The servers of the judge with address *judge*.

    *size_limit* is in bytes. *secret* gives the keys of repeated deliveries. *woken* is called in
    the loop when mails have been kept. With *protection* STARTTLS is offered.
    """

    def __init__(
        self,
        judge: str,
        size_limit: int,
        secret: JudgeSecret,
        store: ArrivalStore,
        woken: Callable[[], None],
        protection: ssl.SSLContext | None = None,
    ) -> None:
        self._intake = Intake(store, woken)
        self._server = ServerState(judge, size_limit, secret, self._intake.keep, protection)
        self._servers: list[asyncio.AbstractServer] = []
        self._sockets: list[Path] = []

    async def open(self, endpoints: Sequence[Endpoint]) -> None:
        """Open all *doors*, or none.  Raises CannotListen."""
        try:
            for endpoint in endpoints:
                self._servers.append(await self._opened(endpoint))
        except OSError as fault:
            await self.close(0)
            message = f"cannot listen at {endpoint}: {_why(fault)}"
            raise CannotListen(message) from fault

    async def close(self, patience: float) -> None:
        """Close the servers; mails under way have *patience* seconds."""
        self._server.closing = True
        for server in self._servers:
            server.close()
        for path in self._sockets:
            path.unlink(missing_ok=True)
        for visit in tuple(self._server.visits):
            visit.leave()
        await self._wait_for_visits(patience)
        await self._intake.close()

    async def _wait_for_visits(self, patience: float) -> None:
        loop = asyncio.get_running_loop()
        end = loop.time() + patience
        while self._server.visits and loop.time() < end:
            await asyncio.sleep(_POLL_SECONDS)
        if self._server.visits:
            log.warning("sessions cut off", count=len(self._server.visits))
        for visit in tuple(self._server.visits):
            visit.cut_off()

    async def _opened(self, endpoint: Endpoint) -> asyncio.AbstractServer:
        loop = asyncio.get_running_loop()
        visit = functools.partial(LmtpSession if endpoint.lmtp else SmtpSession, self._server)
        match endpoint:
            case TcpEndpoint(host, port):
                return await loop.create_server(visit, host, port)
            case UnixEndpoint(path):
                await _expect_nobody(path)
                server = await loop.create_unix_server(visit, path)
                path.chmod(_SOCKET_MODE)
                self._sockets.append(path)
                return server


async def _expect_nobody(path: Path) -> None:
    """Raise OSError if the Unix socket is in use; replace a stale one."""
    try:
        _, writer = await asyncio.open_unix_connection(path)
    except OSError:
        return
    writer.close()
    raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))


def _why(fault: OSError) -> str:
    """The system's message: asyncio repeats the address as Python writes it."""
    if fault.errno is None or fault.errno < 0:  # no number of the system's
        return fault.strerror or str(fault)
    return os.strerror(fault.errno)
