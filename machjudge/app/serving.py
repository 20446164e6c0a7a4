"""`serve`: this process takes in mails, and a worker process handles them.

So each mail gets its 250 at once, whatever the previous one costs.
"""

import asyncio
import os
import pickle
import ssl
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from threading import Thread

from structlog import get_logger

from machjudge.app.application import prepare_database
from machjudge.app.machine import Clock, judge_secret, now, secret_beside
from machjudge.app.working import Wakeups, wakeups_of_process
from machjudge.db.engine import DatabaseOutOfReach, expect_writable, open_engine
from machjudge.db.mail_queues import Arrivals
from machjudge.judge.mails import Arrival, Letter, LetterId, Outgoing
from machjudge.judge.secret import JudgeSecret
from machjudge.mail.server import Door, Listener, TcpDoor, UnixDoor, protection_by
from machjudge.settings import ListenAddress, Protocol, Settings, TcpAddress, UnixAddress


def door_at(address: ListenAddress) -> Door:
    """Return the server of an address in the settings."""
    lmtp = address.protocol is Protocol.LMTP
    match address:
        case TcpAddress(_, host, port):
            return TcpDoor(host, port, lmtp)
        case UnixAddress(_, path):
            return UnixDoor(path, lmtp)


LONG_LIFE_SECONDS = 60.0
"""The life of a worker after which its start counts as a success."""
SHORTEST_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 60.0

WORKER = (sys.executable, "-P", "-m", "machjudge.app.worker_process")
"""The command of a worker."""
_CALL = b"\n"

log = get_logger(__name__)


@dataclass(slots=True)
class Pauses:
    """The pauses between starts of workers, doubled each time."""

    seconds: float = 0.0

    def after(self, lived: float) -> float:
        """Return the pause after a worker's life of so many seconds."""
        grown = max(SHORTEST_PAUSE_SECONDS, 2 * self.seconds)
        is_new = lived >= LONG_LIFE_SECONDS
        self.seconds = SHORTEST_PAUSE_SECONDS if is_new else min(grown, LONGEST_PAUSE_SECONDS)
        return self.seconds


class Supervisor:
    """Runs a worker, wakes it for new mails, and restarts it."""

    def __init__(
        self, settings: Settings, wakeups: Wakeups, worker: Sequence[str] = WORKER
    ) -> None:
        # What cannot be sent, the origins, nobody asks for there.
        self._settings = pickle.dumps(replace(settings, origins={}))
        self._wakeups = wakeups
        self._worker = worker
        self._calls: asyncio.StreamWriter | None = None

    def call(self) -> None:
        """Tell the worker of possible new mails."""
        calls = self._calls
        if calls is None or calls.is_closing():
            return  # the next one looks by itself
        if not calls.transport.get_write_buffer_size():
            calls.write(_CALL)

    async def run(self) -> None:
        """Run workers until the end rings; return after the last one's end."""
        loop = asyncio.get_running_loop()
        pauses = Pauses()
        while not self._wakeups.stop.is_set():
            began = loop.time()
            why = await self._one_life()
            if not self._wakeups.stop.is_set():
                pause = pauses.after(loop.time() - began)
                log.error("worker ended", why=why, seconds_to_next=pause)
                await self._wakeups.rest(pause)

    async def _one_life(self) -> str:
        """Run a worker; return why it ended."""
        try:
            process = await asyncio.create_subprocess_exec(
                *self._worker, stdin=PIPE, env=environment_of_worker(os.environ)
            )
        except OSError as fault:
            return str(fault)
        log.info("worker started", pid=process.pid)
        if process.stdin is not None:
            process.stdin.write(self._settings)
            self._calls = process.stdin
        await self._end_of(process)
        self._hang_up()
        code = await process.wait()
        return f"signal {-code}" if code < 0 else f"exit code {code}"

    async def _end_of(self, process: Process) -> None:
        ends = [asyncio.create_task(each) for each in (process.wait(), self._wakeups.stop.wait())]
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        for each in ends:
            each.cancel()

    def _hang_up(self) -> None:
        if self._calls is not None:
            self._calls.close()
            self._calls = None


def environment_of_worker(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of a worker, which finds its modules like this process."""
    path = os.pathsep.join(each or str(Path.cwd()) for each in sys.path)
    return {**environment, "PYTHONPATH": path}


_TOLD_ONCE_IN = timedelta(hours=6)
"""The interval in which the keeper is told of refused mails."""
PATIENCE_SECONDS = 10.0
"""The seconds for mails under way at the end."""


def serve(settings: Settings, *, clock: Clock = now, worker: Sequence[str] = WORKER) -> None:
    """Take in mails until a signal comes, while a worker handles them.

    *worker* is its command. Raises DoorStuck, WrongSchema, DatabaseOutOfReach, SecretUnusable,
    CertificateUnusable.
    """
    asyncio.run(_serve(settings, clock, worker))


async def _serve(settings: Settings, clock: Clock, worker: Sequence[str]) -> None:
    wakeups = wakeups_of_process()
    protection = _protection(settings)
    with _arrivals(settings, clock) as (kept, secret):
        arrivals = _ToldArrivals(kept, settings, secret, clock)
        supervisor = Supervisor(settings, wakeups, worker)
        listener = Listener(
            settings.address, settings.size_limit, secret, arrivals, supervisor.call, protection
        )
        doors = [door_at(each) for each in settings.listen]
        await listener.open(doors)
        log.info("doors open", doors=" ".join(map(str, doors)))
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(supervisor.run())
            await wakeups.stop.wait()
            log.info("closing")
            await listener.close(PATIENCE_SECONDS)
    log.info("closed")


def _protection(settings: Settings) -> ssl.SSLContext | None:
    """The TLS context for STARTTLS.  Raises CertificateUnusable."""
    if settings.certificate is None:
        return None
    return protection_by(settings.certificate, settings.certificate_key)


@contextmanager
def _arrivals(settings: Settings, clock: Clock) -> Iterator[tuple[Arrivals, JudgeSecret]]:
    """The inbox of a usable database, and the judge's secret."""
    prepare_database(settings.database, unless=secret_beside(settings))
    engine = open_engine(settings.database)
    try:
        expect_writable(engine)
        secret = judge_secret(settings, engine)
        yield Arrivals(engine, clock), secret
    finally:
        engine.dispose()


def tell_keeper(settings: Settings, secret: JudgeSecret, why: str, now: datetime) -> None:
    """Tell the keeper, by the relay alone, that mails cannot be kept."""
    # A process that only takes mails in does without the rest of the program.
    from machjudge.app.application import judge_of, paper_of, way_to  # noqa: PLC0415
    from machjudge.mail.compose import compose  # noqa: PLC0415
    from machjudge.mail.relay import Relay  # noqa: PLC0415
    from machjudge.messages.render import MessageHeader  # noqa: PLC0415

    if settings.keeper is None:
        return
    facts = {"head": MessageHeader(settings.code), "why": why}
    page = paper_of(settings).page("out_of_reach", facts)
    outgoing = Outgoing(settings.keeper, page.subject, page.body)
    mail = compose(Letter(LetterId(0), now, 1, outgoing), judge_of(settings), secret)
    relay = Relay(way_to(settings.relay), settings.address.rpartition("@")[2])
    answer = relay.hand_over(mail)
    relay.hang_up()
    log.info("keeper told", answer=type(answer).__name__)


class _ToldArrivals:
    """An inbox that tells the keeper when the database is out of reach."""

    def __init__(
        self, arrivals: Arrivals, settings: Settings, secret: JudgeSecret, clock: Clock
    ) -> None:
        self._arrivals = arrivals
        self._settings = settings
        self._secret = secret
        self._clock = clock
        self._told: datetime | None = None

    def keep(self, arrivals: Sequence[Arrival]) -> None:
        """Keep mails, all or none; see `Arrivals`."""
        try:
            self._arrivals.keep(arrivals)
        except DatabaseOutOfReach as fault:
            log.error("mails are refused", why=str(fault))  # noqa: TRY400 - its place says nothing
            now = self._clock()
            if self._told is None or not self._told <= now < self._told + _TOLD_ONCE_IN:
                self._told = now
                # The relay may take its time, and a server waits for its 451.
                Thread(target=self._tell, args=(str(fault), now), daemon=True).start()
            raise

    def _tell(self, why: str, now: datetime) -> None:
        try:
            tell_keeper(self._settings, self._secret, why, now)
        except Exception:
            log.exception("keeper not told")
