"""Real servers on real sockets: our listener in a thread, a relay, and a client that speaks raw."""

import asyncio
import socket
import ssl
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

from machjudge.judge.mails import Arrival, ArrivalStore
from machjudge.judge.secret import fixed
from machjudge.mail.server import Endpoint, Listener
from tests.patience import SECONDS

JUDGE = "judge@mach.example"


@dataclass
class Mat:
    """A store in memory; *fault* is raised instead of keeping."""

    kept: list[Arrival] = field(default_factory=list)
    calls: list[int] = field(default_factory=list)
    fault: Exception | None = None
    gate: threading.Event = field(default_factory=threading.Event)
    knocked: int = 0
    """How often somebody has come, whether the gate was open or not."""

    def __post_init__(self) -> None:
        """Nobody waits at the gate unless a test closes it."""
        self.gate.set()

    def keep(self, arrivals: Sequence[Arrival]) -> None:
        """Keep mails, as soon as the gate is open."""
        self.knocked += 1
        self.gate.wait(SECONDS)
        self.calls.append(len(arrivals))
        if self.fault is not None:
            raise self.fault
        self.kept.extend(arrivals)


class Running:
    """A listener whose event loop runs in a thread."""

    def __init__(
        self, store: ArrivalStore, size_limit: int, protection: ssl.SSLContext | None = None
    ) -> None:
        self.woken = 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self._listener = self._in_loop(self._made(store, size_limit, protection))

    def open(self, doors: Sequence[Endpoint]) -> None:
        """Open doors."""
        self._in_loop(self._listener.open(doors))

    def waiting(self) -> int:
        """How many mails wait for those that are being kept."""
        return len(self._listener._intake._waiting)

    def close(self, patience: float = SECONDS) -> None:
        """Close the doors."""
        self._in_loop(self._listener.close(patience))

    def time_out(self) -> None:
        """Let the time of every session be over."""
        for visit in tuple(self._listener._server.visits):
            self._loop.call_soon_threadsafe(visit._end_soon)

    def end(self) -> None:
        """Close the doors and end the thread."""
        self.close()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _made(
        self, store: ArrivalStore, size_limit: int, protection: ssl.SSLContext | None
    ) -> Listener:
        return Listener(JUDGE, size_limit, fixed(b"s" * 32), store, self._wake, protection)

    def _wake(self) -> None:
        self.woken += 1

    def _in_loop(self, work):
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(SECONDS)


class Line:
    """A connection on which a test says exactly what it wants, and reads every answer."""

    def __init__(self, connection: socket.socket) -> None:
        connection.settimeout(SECONDS)
        self.connection = connection
        self._file = connection.makefile("rb")

    def say(self, *lines: bytes) -> None:
        """Send lines, all at once, without waiting for answers."""
        self.connection.sendall(b"".join(line + b"\r\n" for line in lines))

    def hear(self) -> str:
        """One answer; of one that goes over several lines, the last line."""
        while True:
            line = self._file.readline().decode()
            if line[3:4] != "-":
                return line.rstrip("\r\n")

    def ask(self, line: bytes) -> str:
        """Say a line and hear the answer."""
        self.say(line)
        return self.hear()

    def close(self) -> None:
        """Hang up."""
        self._file.close()
        self.connection.close()


@contextmanager
def talking(connection: socket.socket, greeting: bytes = b"EHLO client.example") -> Iterator[Line]:
    """A connection on which both sides have greeted each other."""
    line = Line(connection)
    try:
        line.hear()
        line.ask(greeting)
        yield line
    finally:
        line.close()


def pipelining(responses: list[str]) -> list[str]:
    """The answer to EHLO of a relay that offers PIPELINING (RFC 2920); aiosmtpd knows how."""
    return [*responses[:-1], "250-PIPELINING", *responses[-1:]]


@dataclass
class Postmaster:
    """What a relay does: keeps mails, and refuses what a test tells it to refuse."""

    taken: list[tuple[str, list[str], bytes]] = field(default_factory=list)
    taken_at: list[float] = field(default_factory=list)
    """When each of them was, in seconds of the machine's monotonic clock."""
    refused_recipients: dict[str, str] = field(default_factory=dict)
    refused_data: list[str] = field(default_factory=list)
    """Answers to the next mails, instead of taking them."""
    greetings: list[str] = field(default_factory=list)
    hang_up_after: int | None = None
    """After how many mails of a connection the relay hangs up without a word."""

    ends_after: int | None = None
    """After how many mails of a connection the relay ends it in order, with 421 to the next one."""

    stalls: float = 0
    """How many seconds the relay takes for its answer to a mail."""

    pipelines: bool = True
    """Whether it offers to hear several commands at once."""

    async def handle_EHLO(self, server, session, envelope, hostname, responses):  # noqa: N802
        """Note who greets."""
        self.greetings.append(hostname)
        session.host_name = hostname
        session.mails = 0
        return pipelining(responses) if self.pipelines else responses

    async def handle_MAIL(self, server, session, envelope, address, options):  # noqa: N802
        """End the connection, if it has had its mails."""
        if session.mails == self.ends_after:
            server.loop.call_soon(server.transport.close)
            return "421 4.7.0 Enough for one connection"
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(self, server, session, envelope, address, options):  # noqa: N802
        """Refuse those whom a test names."""
        if address in self.refused_recipients:
            return self.refused_recipients[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):  # noqa: N802
        """Take a mail, or give the answer that a test asked for."""
        await asyncio.sleep(self.stalls)
        if self.refused_data:
            return self.refused_data.pop(0)
        self.taken_at.append(monotonic())
        self.taken.append((envelope.mail_from, envelope.rcpt_tos, envelope.original_content))
        session.mails += 1
        if session.mails == self.hang_up_after:
            server.loop.call_soon(server.transport.close)
        return "250 OK"


@contextmanager
def relaying(postmaster: Postmaster, port: int, **options) -> Iterator[None]:
    """A relay on *port*."""
    controller = Controller(
        postmaster, hostname="127.0.0.1", port=port, ready_timeout=SECONDS, **options
    )
    controller.start()
    try:
        yield
    finally:
        controller.stop()


def knows_lucia(server, session, envelope, mechanism, login) -> AuthResult:
    """An authenticator for aiosmtpd that lets one user in."""
    right = (login.login, login.password) == (b"lucia", b"a secret")
    return AuthResult(success=right, handled=right)


def certificates() -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """What a relay on 127.0.0.1 shows, and what a client has that believes it."""
    file = Path(__file__).with_name("relay.pem")
    server = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    server.load_cert_chain(file)
    return server, ssl.create_default_context(cafile=file)
