"""`serve`: this process takes in mails, and a worker process handles them.

So each mail gets its 250 at once, whatever the previous one costs. Or one process does all of it.
"""

import asyncio
import os
import pickle
import ssl
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from threading import Event, Thread

from sqlalchemy import Engine
from structlog import get_logger

from machjudge.app.application import (
    ledger_of,
    prepare_database,
    reader_of_mailbox,
    small,
)
from machjudge.app.machine import Clock, judge_secret, now, secret_beside
from machjudge.app.working import (
    MailboxMonitor,
    Wakeups,
    keep_memory_small,
    opened,
    wakeups_of_process,
    work_until_stopped,
)
from machjudge.db.engine import DatabaseOutOfReach, expect_writable, open_engine
from machjudge.db.mail_queues import Arrivals
from machjudge.judge.mails import Arrival, OutboxId, Outgoing, QueuedMessage
from machjudge.judge.secret import JudgeSecret
from machjudge.mail.server import Endpoint, Listener, TcpEndpoint, UnixEndpoint, protection_by
from machjudge.settings import (
    ListenAddress,
    MailboxSecurity,
    Protocol,
    Settings,
    TcpAddress,
    UnixAddress,
    write_mailbox,
)


def endpoint_at(address: ListenAddress) -> Endpoint:
    """Return the server of an address in the settings."""
    lmtp = address.protocol is Protocol.LMTP
    match address:
        case TcpAddress(_, host, port):
            return TcpEndpoint(host, port, lmtp)
        case UnixAddress(_, path):
            return UnixEndpoint(path, lmtp)


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

    *worker* is its command. Raises CannotListen, WrongSchema, DatabaseOutOfReach, SecretUnusable,
    CertificateUnusable.
    """
    asyncio.run(_serve(settings, clock, worker))


def serve_all(settings: Settings, *, clock: Clock = now) -> None:
    """Take in mails, handle them, send messages and do what is due, in this process alone.

    Until a signal comes. Raises the same as `serve`.
    """
    asyncio.run(_serve_all(settings, clock))


async def _serve(settings: Settings, clock: Clock, worker: Sequence[str]) -> None:
    wakeups = wakeups_of_process()
    with _engine(settings) as (engine, secret):
        supervisor = Supervisor(settings, wakeups, worker)
        way_in = _WayIn(settings, engine, secret, clock)
        async with way_in.opened(supervisor.call), asyncio.TaskGroup() as tasks:
            tasks.create_task(supervisor.run())
            await wakeups.stop.wait()
            log.info("closing")
            await way_in.close()
    log.info("closed")


async def _serve_all(settings: Settings, clock: Clock) -> None:
    keep_memory_small()
    wakeups = wakeups_of_process()
    async with opened(settings, clock, wakeups) as large:
        application = small(large)
        expect_writable(application.engine)
        way_in = _WayIn(settings, application.engine, application.services.secret, clock)
        async with way_in.opened(wakeups.mail.set), asyncio.TaskGroup() as tasks:
            tasks.create_task(work_until_stopped(application, wakeups, ticks=True))
            await wakeups.stop.wait()
            log.info("closing")
            await way_in.close()
    log.info("closed")


class _WayIn:
    """How mails come in: by listeners, from the mailbox, or both."""

    def __init__(
        self, settings: Settings, engine: Engine, secret: JudgeSecret, clock: Clock
    ) -> None:
        self._settings = settings
        self._engine = engine
        self._secret = secret
        self._clock = clock
        self._listener: Listener | None = None
        self._end = Event()
        self._watch: Thread | None = None

    @asynccontextmanager
    async def opened(self, woken: Callable[[], None]) -> AsyncIterator[None]:
        """Take mails in, and call *woken* in the loop when some are kept. Closed afterwards.

        Raises CannotListen and CertificateUnusable.
        """
        settings = self._settings
        arrivals = _ToldArrivals(
            Arrivals(self._engine, self._clock), settings, self._secret, self._clock
        )
        self._listener = Listener(
            settings.address,
            settings.size_limit,
            self._secret,
            arrivals,
            woken,
            _protection(settings),
        )
        endpoints = [endpoint_at(each) for each in settings.listen]
        await self._listener.open(endpoints)
        if endpoints:
            log.info("listening", endpoints=" ".join(map(str, endpoints)))
        try:
            await self._begin_watching(woken)
            yield
        finally:
            await self.close()

    async def close(self) -> None:
        """Take no more mails in; those under way have some seconds."""
        self._end.set()
        listener, self._listener = self._listener, None
        if listener is not None:
            await listener.close(PATIENCE_SECONDS)
        if self._watch is not None:
            # A server that does not answer is left alone: nothing is lost by that.
            await asyncio.to_thread(self._watch.join, PATIENCE_SECONDS)

    async def _begin_watching(self, woken: Callable[[], None]) -> None:
        """Watch the mailbox, if there is one, in a thread of its own."""
        ledger = ledger_of(self._settings, self._engine, self._clock)
        reader = reader_of_mailbox(self._settings, self._secret, ledger, self._clock)
        if reader is None or self._settings.inbox is None:
            return
        from machjudge.mail.mailbox import watch  # noqa: PLC0415 - few judges have one

        loop = asyncio.get_running_loop()

        def kept() -> None:
            with suppress(RuntimeError):  # the loop has ended meanwhile
                loop.call_soon_threadsafe(woken)

        monitor = MailboxMonitor(ledger, kept, self._tell_of_mailbox)
        # Games wait for the mailbox from now on.
        await asyncio.to_thread(ledger.claim)
        log.info("mailbox watched", inbox=write_mailbox(self._settings.inbox))
        if self._settings.inbox.security is MailboxSecurity.PLAIN:
            log.warning("mailbox without TLS")
        self._watch = Thread(
            target=watch, args=(reader, ledger, monitor, self._end), name="mailbox", daemon=True
        )
        self._watch.start()

    def _tell_of_mailbox(self, since: datetime, why: str) -> None:
        # A process that only takes mails in does without the rest of the program.
        from machjudge.app.application import build  # noqa: PLC0415
        from machjudge.judge.reminders import tell_of_mailbox  # noqa: PLC0415

        application = build(self._settings, clock=self._clock, creates=False)
        try:
            tell_of_mailbox(application.services, since, why, self._clock())
        finally:
            application.close()


def _protection(settings: Settings) -> ssl.SSLContext | None:
    """The TLS context for STARTTLS.  Raises CertificateUnusable."""
    if settings.certificate is None:
        return None
    return protection_by(settings.certificate, settings.certificate_key)


@contextmanager
def _engine(settings: Settings) -> Iterator[tuple[Engine, JudgeSecret]]:
    """A usable database, and the judge's secret."""
    prepare_database(settings.database, unless=secret_beside(settings))
    engine = open_engine(settings.database)
    try:
        expect_writable(engine)
        yield engine, judge_secret(settings, engine)
    finally:
        engine.dispose()


def tell_keeper(settings: Settings, secret: JudgeSecret, why: str, now: datetime) -> None:
    """Tell the keeper, by the relay alone, that mails cannot be kept."""
    # A process that only takes mails in does without the rest of the program.
    from machjudge.app.application import judge_of, renderer_of, way_to  # noqa: PLC0415
    from machjudge.mail.compose import compose  # noqa: PLC0415
    from machjudge.mail.relay import Relay  # noqa: PLC0415
    from machjudge.messages.render import MessageHeader  # noqa: PLC0415

    if settings.keeper is None:
        return
    facts = {"head": MessageHeader(settings.code), "why": why}
    page = renderer_of(settings).page("out_of_reach", facts)
    outgoing = Outgoing(settings.keeper, page.subject, page.body)
    mail = compose(QueuedMessage(OutboxId(0), now, 1, outgoing), judge_of(settings), secret)
    relay = Relay(way_to(settings), settings.address.rpartition("@")[2])
    answer = relay.hand_over(mail)
    relay.hang_up()
    log.info("keeper notified", answer=type(answer).__name__)


class _ToldArrivals:
    """An inbox that tells the keeper when the database is out of reach."""

    def __init__(
        self, arrivals: Arrivals, settings: Settings, secret: JudgeSecret, clock: Clock
    ) -> None:
        self._arrivals = arrivals
        self._settings = settings
        self._secret = secret
        self._clock = clock
        self._last_report: datetime | None = None

    def keep(self, arrivals: Sequence[Arrival]) -> None:
        """Keep mails, all or none; see `Arrivals`."""
        try:
            self._arrivals.keep(arrivals)
        except DatabaseOutOfReach as fault:
            log.error("mails are refused", why=str(fault))  # noqa: TRY400 - its place says nothing
            now = self._clock()
            if (
                self._last_report is None
                or not self._last_report <= now < self._last_report + _TOLD_ONCE_IN
            ):
                self._last_report = now
                # The relay may take its time, and a server waits for its 451.
                Thread(target=self._tell, args=(str(fault), now), daemon=True).start()
            raise

    def _tell(self, why: str, now: datetime) -> None:
        try:
            tell_keeper(self._settings, self._secret, why, now)
        except Exception:
            log.exception("keeper not notified")
