"""Processes that handle mails and send messages: `machjudge worker`, and the one of `serve`.

Mails are handled in one thread and messages sent in others; the event loop only wakes them.
"""

import asyncio
import gc
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import BinaryIO

from structlog import get_logger

from machjudge.mail.relay import KeptRelays
from machjudge.mail.sender import Sender
from machjudge.service.clock.clock_jumps import watch
from machjudge.service.intake.tick import look_at_games
from machjudge.service.model.records import GameId
from machjudge.service.ports.stale import Stale
from machjudge.settings import Settings
from machjudge.store.mail.arrivals import hear_arrivals
from machjudge.store.schema.engine import is_sqlite
from machjudge.wiring.application import Application, build
from machjudge.wiring.chance import Clock, now
from machjudge.wiring.renewing import renewed
from machjudge.wiring.rounds import work
from machjudge.wiring.wakeups import Wakeups, wakeups_of_process

WORKER_POLL_SECONDS = 1.0
"""How often the worker looks for mails that nobody has woken it for."""
SENDER_POLL_SECONDS = 5.0
"""How often the sender looks for letters that are due again."""
MOST_SENDERS = 4
"""How many connections to the relay there are at most."""
SLOW_SECONDS = 2.0
"""After how long without an end of a round another connection is opened."""
HEAR_AGAIN_SECONDS = 30.0
"""How long it takes until a lost connection is opened again that tells of new mails."""
LONGEST_PAUSE_SECONDS = 60.0
"""How long the sender waits at most before it tries a relay again that was out of reach."""

_LOOKS_AFTERWARDS = 5
_GARBAGE = (20_000, 20, 20)
"""After how many new objects one looks for garbage among the new ones, the older ones, all."""
CLOCK_LOOK_EVERY = timedelta(seconds=10)
"""How long one look at the clock is enough."""
_SHORTEST_PAUSE_SECONDS = 5.0

log = get_logger(__name__)


def work_on(settings: Settings, *, clock: Clock = now, calls: BinaryIO | None = None) -> None:
    """Handle mails and send messages until a signal comes; the mail in hand is finished.

    With *calls*, the reading end of a pipe, each byte in it says that mails may have come in, and
    its end is a signal too: whoever called is gone.
    Raises WrongSchema, DatabaseOutOfReach, SecretUnusable.
    """
    asyncio.run(_work_on(settings, clock, calls))


async def _work_on(settings: Settings, clock: Clock, calls: BinaryIO | None) -> None:
    wakeups = wakeups_of_process()
    if calls is not None:
        await listen_to(calls, wakeups)
    application = await asyncio.to_thread(_opened, settings, clock, _waking(wakeups))
    try:
        with renewed(application.leases):
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(_work_until_stopped(application, wakeups))
                tasks.create_task(_send_until_stopped(application, wakeups))
                hearing = tasks.create_task(_hear_other_machines(application, wakeups))
                await wakeups.stop.wait()
                hearing.cancel()
    finally:
        application.close()


class _Calls(asyncio.Protocol):
    """What comes through the pipe of `serve`."""

    def __init__(self, wakeups: Wakeups) -> None:
        self._wakeups = wakeups

    def data_received(self, _: bytes) -> None:
        self._wakeups.mail.set()

    def connection_lost(self, _: Exception | None) -> None:
        self._wakeups.stop.set()


async def listen_to(calls: BinaryIO, wakeups: Wakeups) -> None:
    """Ring when a byte comes through a pipe, and ring the end with its end."""
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: _Calls(wakeups), calls)


def _opened(settings: Settings, clock: Clock, posted: Callable[[], None]) -> Application:
    """The application, after a look at its clock: the judge may have been down for long.

    What dead processes had in hand is free again.
    """
    application = build(settings, clock=clock, posted=posted)
    watch(application.services, application.clock)
    with suppress(Stale):  # somebody else is about it
        application.store.release_dead()
    _look_for_garbage_seldom()
    return application


def _look_for_garbage_seldom() -> None:
    """Leave what was loaded alone, which a look at everything would go through again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_GARBAGE)


def _waking(wakeups: Wakeups) -> Callable[[], None]:
    """Ring for the sender, from whatever thread has committed letters."""
    loop = asyncio.get_running_loop()

    def ring() -> None:
        loop.call_soon_threadsafe(wakeups.letter.set)

    return ring


async def _work_until_stopped(application: Application, wakeups: Wakeups) -> None:
    loop = asyncio.get_running_loop()
    recent: dict[GameId, int] = {}
    rounds = Rounds()
    with ThreadPoolExecutor(1, thread_name_prefix="worker") as thread:
        while not wakeups.stop.is_set():
            await loop.run_in_executor(thread, _work_round, application, wakeups, recent, rounds)
            await wakeups.wait(wakeups.mail, WORKER_POLL_SECONDS)


async def _hear_other_machines(application: Application, wakeups: Wakeups) -> None:
    """Ring when mails come in elsewhere; who cannot hear looks every second all the same."""
    while not is_sqlite(application.engine):
        try:
            await hear_arrivals(application.engine, wakeups.mail.set)
        except Exception as fault:
            log.warning("not called for new mails", why=str(fault))
        await wakeups.rest(HEAR_AGAIN_SECONDS)


async def _send_until_stopped(application: Application, wakeups: Wakeups) -> None:
    pause = _SHORTEST_PAUSE_SECONDS
    relays = KeptRelays(application.sender.connect)
    sender = replace(application.sender, connect=relays.one)
    with ExitStack() as ends:
        ends.callback(relays.hang_up)
        threads = ends.enter_context(ThreadPoolExecutor(MOST_SENDERS, thread_name_prefix="sender"))
        while not wakeups.stop.is_set():
            if await send_all(lambda: _send_round(sender, wakeups), threads):
                pause = _SHORTEST_PAUSE_SECONDS
                if not await wakeups.wait(wakeups.letter, SENDER_POLL_SECONDS):
                    await asyncio.to_thread(relays.hang_up)
            else:
                await wakeups.rest(pause)
                pause = min(2 * pause, LONGEST_PAUSE_SECONDS)


async def send_all(send: Callable[[], bool], threads: ThreadPoolExecutor) -> bool:
    """Send what is due by *send*, which says whether the relay was there; whether it was.

    While one round takes long, because the relay does not answer to one message, others begin
    beside it.
    """
    loop = asyncio.get_running_loop()
    rounds = {loop.run_in_executor(threads, send)}
    is_there = True
    while rounds:
        done, rounds = await asyncio.wait(
            rounds, timeout=SLOW_SECONDS, return_when=asyncio.FIRST_COMPLETED
        )
        is_there = is_there and all(each.result() for each in done)
        if not done and is_there and len(rounds) < MOST_SENDERS:
            rounds.add(loop.run_in_executor(threads, send))
    return is_there


@dataclass(slots=True)
class Rounds:
    """What a round knows of the one before: when this process looked at the clock last.

    A clock that has gone on by a few seconds since then has made no leap, and is not asked again.
    """

    at: datetime | None = None
    is_interrupted: bool = False
    """Whether the round before came to no end, so that a mail may still be in hand."""

    def watch(self, application: Application) -> None:
        """Look at the clock, unless that was done just now."""
        now = application.clock()
        if self.at is None or not self.at <= now < self.at + CLOCK_LOOK_EVERY:
            watch(application.services, application.clock)
            self.at = application.clock()


def _work_round(
    application: Application, wakeups: Wakeups, recent: dict[GameId, int], rounds: Rounds
) -> None:
    """Look at the clock and handle mails; nothing that goes wrong ends the worker.

    A game that became ready while another process still had a mail that might concern it is
    looked at a few times more.
    """
    try:
        if rounds.is_interrupted:
            application.store.release_own()
            rounds.is_interrupted = False
        rounds.watch(application)
        worked = work(application, wakeups.stop.is_set)
        look_at_games(application.services, application.clock(), tuple(recent))
    except Exception:
        log.exception("work interrupted")
        rounds.is_interrupted = True
        return
    for game, looks in tuple(recent.items()):
        recent[game] = looks - 1
        if looks <= 1:
            del recent[game]
    recent.update(dict.fromkeys(worked.touched, _LOOKS_AFTERWARDS))


def _send_round(sender: Sender, wakeups: Wakeups) -> bool:
    """Send letters; whether the relay was there.  Nothing that goes wrong ends the sender."""
    try:
        return sender.send_due(wakeups.stop.is_set).out_of_reach is None
    except Exception:
        log.exception("sending interrupted")
        return False
