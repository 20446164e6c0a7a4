"""The doors at which mail servers knock: SMTP and LMTP, over TCP and Unix sockets."""

import asyncio
import errno
import functools
import os
import ssl
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from structlog import get_logger

from machjudge.adjudicator.model.names import MachjudgeError
from machjudge.mail.intake import Intake
from machjudge.mail.visits import LmtpVisit, ServerState, SmtpVisit
from machjudge.service.credentials.secret import JudgeSecret
from machjudge.service.ports.mailbox import ArrivalStore

_SOCKET_MODE = 0o666  # the folder says who may knock, as with Postfix's own sockets
_POLL_SECONDS = 0.05

log = get_logger(__name__)


class DoorStuck(MachjudgeError):
    """A door that cannot be opened: the port is taken, the folder is missing."""


@dataclass(frozen=True, slots=True)
class TcpDoor:
    """A host (a name or an address, without brackets) and a port; LMTP or else SMTP."""

    host: str
    port: int
    lmtp: bool

    def __str__(self) -> str:
        """The address, as the settings write it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{_protocol(self.lmtp)}://{host}:{self.port}"


@dataclass(frozen=True, slots=True)
class UnixDoor:
    """A Unix socket; LMTP or else SMTP."""

    path: Path
    lmtp: bool

    def __str__(self) -> str:
        """The address, as the settings write it."""
        return f"{_protocol(self.lmtp)}+unix:{self.path}"


Door = TcpDoor | UnixDoor


def _protocol(lmtp: bool) -> str:
    return "lmtp" if lmtp else "smtp"


class Listener:
    """The open doors of a judge whose address is *judge*.

    *size_limit* is in bytes.  Repeated deliveries are known by a key under *secret*.  *woken* is
    called in the loop whenever mails have been kept.  With *protection* STARTTLS is offered.
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

    async def open(self, doors: Sequence[Door]) -> None:
        """Open all *doors*.  Raises DoorStuck, and then none of them stays open."""
        try:
            for door in doors:
                self._servers.append(await self._opened(door))
        except OSError as fault:
            await self.close(0)
            message = f"cannot listen at {door}: {_why(fault)}"
            raise DoorStuck(message) from fault

    async def close(self, patience: float) -> None:
        """Close the doors; mails under way have *patience* seconds to come to their end."""
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

    async def _opened(self, door: Door) -> asyncio.AbstractServer:
        loop = asyncio.get_running_loop()
        visit = functools.partial(LmtpVisit if door.lmtp else SmtpVisit, self._server)
        match door:
            case TcpDoor(host, port):
                return await loop.create_server(visit, host, port)
            case UnixDoor(path):
                await _expect_nobody(path)
                server = await loop.create_unix_server(visit, path)
                path.chmod(_SOCKET_MODE)
                self._sockets.append(path)
                return server


async def _expect_nobody(path: Path) -> None:
    """Raise OSError if somebody listens at a Unix socket; one that is left over is replaced."""
    try:
        _, writer = await asyncio.open_unix_connection(path)
    except OSError:
        return
    writer.close()
    raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))


def _why(fault: OSError) -> str:
    """The system's own words: those of asyncio repeat the address as Python writes it."""
    if fault.errno is None or fault.errno < 0:  # no number of the system's
        return fault.strerror or str(fault)
    return os.strerror(fault.errno)
