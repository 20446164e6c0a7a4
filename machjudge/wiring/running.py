"""Processes that stay: `serve` (doors, worker, sender) and a further worker.

Mails are handled in one thread and letters sent in another; the event loop only listens and
wakes them.  SIGTERM and SIGINT end everything in order: first the doors, then the mail and the
letter at hand.
"""

import asyncio
import signal
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime

from structlog import get_logger

from machjudge.mail.listener import Listener
from machjudge.service.clock.clock_jumps import watch
from machjudge.service.intake.tick import look_at_games
from machjudge.service.model.records import GameId
from machjudge.settings import Settings
from machjudge.wiring.application import Application, build
from machjudge.wiring.chance import now
from machjudge.wiring.doors import door_at
from machjudge.wiring.rounds import work

PATIENCE_SECONDS = 10.0
"""How long mails under way may take to come to their end when the doors close."""
WORKER_POLL_SECONDS = 1.0
"""How often the worker looks for mails that nobody has woken it for."""
SENDER_POLL_SECONDS = 5.0
"""How often the sender looks for letters that are due again."""
LONGEST_PAUSE_SECONDS = 300.0
"""How long the sender waits at most before it tries a relay again that was out of reach."""

_SIGNALS = (signal.SIGTERM, signal.SIGINT)
_LOOKS_AFTERWARDS = 5
_SHORTEST_PAUSE_SECONDS = 5.0

log = get_logger(__name__)

Clock = Callable[[], datetime]
"""What says which instant it is, in UTC."""


@dataclass(slots=True)
class Bells:
    """What wakes the worker and the sender, and what ends everything; rung in the event loop."""

    mail: asyncio.Event = field(default_factory=asyncio.Event)
    letter: asyncio.Event = field(default_factory=asyncio.Event)
    stop: asyncio.Event = field(default_factory=asyncio.Event)

    async def wait(self, bell: asyncio.Event, seconds: float) -> None:
        """Return when *bell* or the end rings, or after *seconds*; the bell is quiet again."""
        await self._first_of((bell, self.stop), seconds)
        bell.clear()

    async def rest(self, seconds: float) -> None:
        """Return after *seconds*, or when the end rings."""
        await self._first_of((self.stop,), seconds)

    async def _first_of(self, bells: Sequence[asyncio.Event], seconds: float) -> None:
        waiting = [asyncio.create_task(each.wait()) for each in bells]
        await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        for each in waiting:
            each.cancel()


def serve(settings: Settings, *, clock: Clock = now) -> None:
    """Take mails in, handle them and send letters until a signal comes.

    Raises DoorStuck, WrongSchema, DatabaseOutOfReach.
    """
    asyncio.run(_serve(settings, clock))


def work_on(settings: Settings, *, clock: Clock = now) -> None:
    """Handle mails and send letters, beside a `serve`, until a signal comes."""
    asyncio.run(_work_on(settings, clock))


async def _serve(settings: Settings, clock: Clock) -> None:
    bells = _bells()
    application = await asyncio.to_thread(_opened, settings, clock, _ringing(bells))
    listener = Listener(settings.address, settings.size_limit, application.arrivals, bells.mail.set)
    try:
        doors = [door_at(each) for each in settings.listen]
        await listener.open(doors)
        log.info("doors open", doors=" ".join(map(str, doors)))
        async with asyncio.TaskGroup() as tasks:
            _start_working(tasks, application, bells)
            await bells.stop.wait()
            log.info("closing")
            await listener.close(PATIENCE_SECONDS)
    finally:
        application.close()
    log.info("closed")


async def _work_on(settings: Settings, clock: Clock) -> None:
    bells = _bells()
    application = await asyncio.to_thread(_opened, settings, clock, _ringing(bells))
    try:
        async with asyncio.TaskGroup() as tasks:
            _start_working(tasks, application, bells)
    finally:
        application.close()


def _opened(settings: Settings, clock: Clock, committed: Callable[[], None]) -> Application:
    """The application, after a look at its clock: the judge may have been down for long."""
    application = build(settings, clock=clock, committed=committed)
    watch(application.services, application.clock)
    return application


def _bells() -> Bells:
    """The bells of this process, of which the last one is rung by signals."""
    bells = Bells()
    loop = asyncio.get_running_loop()

    def stop() -> None:
        bells.stop.set()
        # Whoever sends a second signal means it.
        for each in _SIGNALS:
            loop.remove_signal_handler(each)

    for each in _SIGNALS:
        loop.add_signal_handler(each, stop)
    return bells


def _ringing(bells: Bells) -> Callable[[], None]:
    """Ring for the sender, from whatever thread has committed letters."""
    loop = asyncio.get_running_loop()

    def ring() -> None:
        loop.call_soon_threadsafe(bells.letter.set)

    return ring


def _start_working(tasks: asyncio.TaskGroup, application: Application, bells: Bells) -> None:
    application.store.release_dead()
    tasks.create_task(_work_until_stopped(application, bells))
    tasks.create_task(_send_until_stopped(application, bells))


async def _work_until_stopped(application: Application, bells: Bells) -> None:
    loop = asyncio.get_running_loop()
    recent: dict[GameId, int] = {}
    with ThreadPoolExecutor(1, thread_name_prefix="worker") as thread:
        while not bells.stop.is_set():
            await loop.run_in_executor(thread, _work_round, application, bells, recent)
            await bells.wait(bells.mail, WORKER_POLL_SECONDS)


async def _send_until_stopped(application: Application, bells: Bells) -> None:
    loop = asyncio.get_running_loop()
    pause = _SHORTEST_PAUSE_SECONDS
    with ThreadPoolExecutor(1, thread_name_prefix="sender") as thread:
        while not bells.stop.is_set():
            if await loop.run_in_executor(thread, _send_round, application, bells):
                pause = _SHORTEST_PAUSE_SECONDS
                await bells.wait(bells.letter, SENDER_POLL_SECONDS)
            else:
                await bells.rest(pause)
                pause = min(2 * pause, LONGEST_PAUSE_SECONDS)


def _work_round(application: Application, bells: Bells, recent: dict[GameId, int]) -> None:
    """Look at the clock and handle mails; nothing that goes wrong ends the worker.

    A game that became ready while another process still had a mail that might concern it is
    looked at a few times more.
    """
    try:
        watch(application.services, application.clock)
        worked = work(application, bells.stop.is_set)
        look_at_games(application.services, application.clock(), tuple(recent))
    except Exception:
        log.exception("work interrupted")
        return
    for game, looks in tuple(recent.items()):
        recent[game] = looks - 1
        if looks <= 1:
            del recent[game]
    recent.update(dict.fromkeys(worked.touched, _LOOKS_AFTERWARDS))


def _send_round(application: Application, bells: Bells) -> bool:
    """Send letters; whether the relay was there.  Nothing that goes wrong ends the sender."""
    try:
        return application.sender.send_due(bells.stop.is_set).out_of_reach is None
    except Exception:
        log.exception("sending interrupted")
        return False
