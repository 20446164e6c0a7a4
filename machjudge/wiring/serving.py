"""`serve`: this process takes mails in, and does nothing else; a worker beside it handles them.

So whatever a mail costs to handle, the next one gets its 250 at once.
"""

import asyncio
import ssl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from threading import Thread

from structlog import get_logger

from machjudge.mail.listener import Listener
from machjudge.mail.protection import protection_by
from machjudge.service.credentials.secret import JudgeSecret
from machjudge.service.ports.mailbox import Arrival, Letter, LetterId
from machjudge.service.ports.mails import Outgoing
from machjudge.settings import Settings
from machjudge.store.mail.arrivals import Arrivals
from machjudge.store.schema.engine import DatabaseOutOfReach, expect_writable, open_engine
from machjudge.wiring.chance import Clock, now
from machjudge.wiring.database import prepare_database
from machjudge.wiring.doors import door_at
from machjudge.wiring.secret_file import judge_secret, secret_beside
from machjudge.wiring.supervisor import WORKER, Supervisor
from machjudge.wiring.wakeups import wakeups_of_process

_TOLD_ONCE_IN = timedelta(hours=6)
"""How often the keeper hears that mails are refused."""
PATIENCE_SECONDS = 10.0
"""How long mails under way may take to come to their end when the doors close."""

log = get_logger(__name__)


def serve(settings: Settings, *, clock: Clock = now, worker: Sequence[str] = WORKER) -> None:
    """Take mails in, and have them handled, until a signal comes; the mail in hand is finished.

    *worker* is the command that starts the process in which they are handled.
    Raises DoorStuck, WrongSchema, DatabaseOutOfReach, SecretUnusable, CertificateUnusable.
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
    """With what the listener offers STARTTLS.  Raises CertificateUnusable."""
    if settings.certificate is None:
        return None
    return protection_by(settings.certificate, settings.certificate_key)


@contextmanager
def _arrivals(settings: Settings, clock: Clock) -> Iterator[tuple[Arrivals, JudgeSecret]]:
    """The store of a database that can be used, and the judge's secret, which was read."""
    prepare_database(settings.database, unless=secret_beside(settings))
    engine = open_engine(settings.database)
    try:
        expect_writable(engine)
        secret = judge_secret(settings, engine)
        yield Arrivals(engine, clock), secret
    finally:
        engine.dispose()


def tell_keeper(settings: Settings, secret: JudgeSecret, why: str, now: datetime) -> None:
    """Tell the keeper by the relay alone that no mail can be kept."""
    # A process that only takes mails in does without the rest of the program.
    from machjudge.letters.page.head import Head  # noqa: PLC0415
    from machjudge.mail.compose import compose  # noqa: PLC0415
    from machjudge.mail.relay import Relay  # noqa: PLC0415
    from machjudge.wiring.application import judge_of, paper_of, way_to  # noqa: PLC0415

    if settings.keeper is None:
        return
    facts = {"head": Head(settings.code), "why": why}
    page = paper_of(settings).page("out_of_reach", facts)
    outgoing = Outgoing(settings.keeper, page.subject, page.body)
    mail = compose(Letter(LetterId(0), now, 1, outgoing), judge_of(settings), secret)
    relay = Relay(way_to(settings.relay), settings.address.rpartition("@")[2])
    answer = relay.hand_over(mail)
    relay.hang_up()
    log.info("keeper told", answer=type(answer).__name__)


class _ToldArrivals:
    """Where mails are kept; the keeper is told, past the database, when that is out of reach."""

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
