"""A process that works makes its claims longer, in a thread of its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

from structlog import get_logger

from machjudge.store.mail.leases import Leases

EVERY_SECONDS = 20.0

log = get_logger(__name__)


@contextmanager
def renewed(leases: Leases, seconds: float = EVERY_SECONDS) -> Iterator[None]:
    """Keep what this process has claimed until the end of the block, however long it takes."""
    end = Event()
    thread = Thread(target=_renew, args=(leases, seconds, end), name="leases", daemon=True)
    thread.start()
    try:
        yield
    finally:
        end.set()
        thread.join()


def _renew(leases: Leases, seconds: float, end: Event) -> None:
    while not end.wait(seconds):
        try:
            leases.renew()
        # The next time may do better; meanwhile the claims have not ended.
        except Exception as fault:
            log.warning("claims not renewed", why=str(fault))
