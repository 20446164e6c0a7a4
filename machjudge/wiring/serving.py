"""`serve`: this process takes mails in, and does nothing else; a worker beside it handles them.

So whatever a mail costs to handle, the next one gets its 250 at once.
"""

import asyncio
import ssl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from structlog import get_logger

from machjudge.mail.listener import Listener
from machjudge.mail.protection import protection_by
from machjudge.service.credentials.secret import JudgeSecret
from machjudge.settings import Settings
from machjudge.store.mail.arrivals import Arrivals
from machjudge.store.schema.engine import open_engine
from machjudge.wiring.chance import Clock, now
from machjudge.wiring.database import prepare_database
from machjudge.wiring.doors import door_at
from machjudge.wiring.secret_file import secret_of
from machjudge.wiring.supervisor import WORKER, Supervisor
from machjudge.wiring.wakeups import wakeups_of_process

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
    with _arrivals(settings, clock) as (arrivals, secret):
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
    prepare_database(settings.database)
    secret = secret_of(settings, creates=True)
    engine = open_engine(settings.database)
    try:
        yield Arrivals(engine, clock), secret
    finally:
        engine.dispose()
