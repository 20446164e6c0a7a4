"""Run rounds of work: handle mails, play phases, send messages, write pages, log faults.

No text of a mail, password or value of a variable is logged: faults have kind and place alone.
"""

import asyncio
import ctypes
import gc
import logging
import math
import os
import re
import signal
import sys
import traceback
from collections.abc import AsyncIterator, Callable, Iterator, MutableMapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from threading import Event, Thread
from types import TracebackType
from typing import Any, BinaryIO

import structlog

from machjudge.adjudicator.names import MachjudgeError
from machjudge.app.application import Application, build, ledger_of, reader_of_mailbox
from machjudge.app.machine import Clock, collect_garbage_seldom, now
from machjudge.db.engine import is_sqlite
from machjudge.db.mail_queues import Leases, listen_for_arrivals
from machjudge.db.pending_work import note_pages
from machjudge.judge.faults import Stale
from machjudge.judge.mails import MailboxLedger
from machjudge.judge.pages import FOLDERS, WebPage, site_of
from machjudge.judge.ports import tell_of_more, tell_of_refusal
from machjudge.judge.records import GameId
from machjudge.judge.reminders import check_clock, send_digests, tell_of_mailbox
from machjudge.judge.tick import Ticked, look_at_games
from machjudge.judge.worker import TakenMail, pass_on_waiting, take
from machjudge.mail.relay import KeptRelays, Sender
from machjudge.settings import Settings

log = structlog.get_logger(__name__)

_HEAD = 1000
"""The characters of a page in which its mark stands."""
MARK = re.compile(r'(?:<meta name="generator" content="|<!-- |PRODID:-//)machjudge (\w*)')
"""The mark of a page, a feed or a calendar file, by which its versions are told apart."""


def write_pages(application: Application) -> None:
    """Write changed pages, if the keeper wants any; faults are logged."""
    folder = application.settings.web
    if folder is None:
        return
    at = application.clock()
    try:
        for each in ("", *FOLDERS):
            (folder / each).mkdir(exist_ok=True)
        site = site_of(application.services, lambda path: _mark(folder / path) or "", at)
        for page in site.pages:
            _write(folder, page)
        for file in _left_over(folder, site.paths):
            file.unlink(missing_ok=True)
        with suppress(Stale):  # the next tick looks again
            note_pages(application.engine, at)
    except OSError as fault:
        why = fault.strerror or str(fault)
        log.warning("web pages not written", folder=str(folder), why=why)
        return
    except Exception:  # pages are no reason why a tick does not do the rest
        log.exception("web pages failed", folder=str(folder))
        return
    if site.pages:
        log.info("web pages written", pages=len(site.pages))


def _write(folder: Path, page: WebPage) -> None:
    file = folder / page.path
    half = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        half.write_text(page.content, encoding="utf-8", newline="")
        half.replace(file)
    except OSError:
        half.unlink(missing_ok=True)
        raise


def _left_over(folder: Path, paths: frozenset[str]) -> Iterator[Path]:
    """Our pages of games no longer listed, and calendars of addresses no longer known."""
    for each in FOLDERS:
        for file in sorted((folder / each).glob("[!.]*")):
            if f"{each}/{file.name}" not in paths and _mark(file) is not None:
                yield file


def _mark(file: Path) -> str | None:
    """The mark of a page of ours, else None."""
    try:
        with file.open(encoding="utf-8", errors="replace") as opened:
            found = MARK.search(opened.read(_HEAD))
    except FileNotFoundError:
        return None
    return found[1] if found is not None else None


EVERY_SECONDS = 20.0


@contextmanager
def renewed(leases: Leases, seconds: float = EVERY_SECONDS) -> Iterator[None]:
    """Renew this process's claims until the end of the block."""
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


_SIGNALS = (signal.SIGTERM, signal.SIGINT)


@dataclass(slots=True)
class Wakeups:
    """Wakeup events of one event loop."""

    mail: asyncio.Event = field(default_factory=asyncio.Event)
    """Mails may have arrived."""
    message: asyncio.Event = field(default_factory=asyncio.Event)
    """Messages may be due."""
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    """The process is to end."""

    async def wait(self, wakeup: asyncio.Event, seconds: float) -> bool:
        """Return when *wakeup* or the end is set, or after *seconds*; clear the event.

        True if *wakeup* was set.
        """
        was_set = await _is_set(wakeup, seconds)
        wakeup.clear()
        return was_set

    async def rest(self, seconds: float) -> None:
        """Return after *seconds*, or at the end."""
        await _is_set(self.stop, seconds)

    def end(self) -> None:
        """Set all events: whatever waits goes on, and finds the end."""
        for each in (self.stop, self.mail, self.message):
            each.set()


async def _is_set(event: asyncio.Event, seconds: float) -> bool:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
    return event.is_set()


def wakeups_of_process() -> Wakeups:
    """Return new events, the last one set by SIGTERM and SIGINT.

    A second signal ends the process at once.
    """
    wakeups = Wakeups()
    loop = asyncio.get_running_loop()

    def stop() -> None:
        wakeups.end()
        for each in _SIGNALS:
            loop.remove_signal_handler(each)

    for each in _SIGNALS:
        loop.add_signal_handler(each, stop)
    return wakeups


_LEVELS = logging.getLevelNamesMapping()


def log_to_stderr(level: str) -> None:
    """Set up the log; *level* is a word of the settings."""
    # aiosmtpd logs commands and, at its most talkative, every line of a mail.
    logging.getLogger("mail.log").setLevel(logging.CRITICAL)
    logging.getLogger("imapclient").setLevel(logging.CRITICAL)
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            tell_fault,
            structlog.processors.LogfmtRenderer(key_order=["timestamp", "level", "event"]),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(_LEVELS[level.upper()]),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )


def tell_fault(
    _logger: object, _method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """Replace an exception by its kind and places, innermost last."""
    given = event.pop("exc_info", None)
    fault = sys.exc_info()[1] if given is True else given
    if isinstance(fault, BaseException):
        event["fault"] = fault_of(fault)
    return event


def fault_of(fault: BaseException) -> str:
    """Return the kind of a fault and its places, without its message."""
    return f"{type(fault).__name__} at {' '.join(_places(fault.__traceback__)) or 'nowhere'}"


def _places(trace: TracebackType | None) -> list[str]:
    frames = traceback.extract_tb(trace)
    return [f"{frame.filename.rpartition('/')[2]}:{frame.lineno}" for frame in frames]


_MAX_ROUNDS = 5
"""The most rounds of mails before a due phase."""

Stop = Callable[[], bool]
"""Returns whether the process is to end."""


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Worked:
    """The result of a round."""

    taken: tuple[TakenMail, ...]
    touched: tuple[GameId, ...]
    """The games of finished mails, unless sure to wait."""


def work(application: Application, stop: Stop = _never) -> Worked:
    """Handle all possible mails, and play the ready phases.

    A phase complete at its deadline is played before later mails; one that is waited for, after all
    earlier mails. A flood of mails delays neither.
    """
    taken: list[TakenMail] = []
    looked_at: set[tuple[GameId, datetime]] = set()
    left: list[tuple[GameId, datetime]] = []
    is_beaten = False
    while not stop():
        one = take(application.services, application.clock(), unless_overdue=True)
        if one is None:
            # Not asked for each game: after an outage there may be thousands of them.
            if not left:
                now = application.clock()
                over = application.store.overdue(now)
                heard = application.store.heard_until(now) if over else now
                left = [each for each in over if each[1] <= heard and each not in looked_at]
            if left:
                # Where another process plays these games, go on in the middle of those left.
                due = left.pop(len(left) // 2 if is_beaten else 0)
                handled, is_played = _look_at(application, stop, *due)
                is_beaten = not is_played
                if is_beaten:
                    left.clear()
                taken += handled
                looked_at.add(due)
                continue
            # Later mails go after a phase that waits for a look at the mailbox.
            waiting = min((end for _, end in over if end > heard), default=None)
            one = take(application.services, application.clock(), before=waiting) if over else None
        if one is None:
            break
        taken.append(one)
        if one.mail.queue_was_empty:
            break
    return _worked(application, taken)


_LOOKS_FOR_REFUSED = 3
"""How often a mail is asked for again that the server did not give."""


class MailboxMonitor:
    """What becomes of the mailbox: told to the worker, to the log once, and to the keeper.

    *tell* is called while it is out of reach, with the instant since when, and why.
    """

    def __init__(
        self,
        ledger: MailboxLedger,
        woken: Callable[[], None],
        tell: Callable[[datetime, str], None],
    ) -> None:
        self._ledger = ledger
        self._woken = woken
        self._tell = tell
        self._why = ""

    def kept(self) -> None:
        """Note that all mails up to a later instant are kept."""
        if self._why:
            log.info("mailbox reached again")
        self._why = ""
        self._woken()

    def out_of_reach(self, fault: Exception) -> None:
        """Note that it cannot be looked at; called with each attempt."""
        why = str(fault) if isinstance(fault, MachjudgeError) else fault_of(fault)
        try:
            since = self._ledger.failed(why)
            if why != self._why and (since is None or self._why):
                log.warning("mails are not taken from the mailbox", why=why)
            self._why = why
            if since is not None:
                self._tell(since, why)
        except Exception:
            if not self._why:
                log.exception("mails are not taken from the mailbox", why=why)
            self._why = why


def look_at_mailbox(application: Application) -> None:
    """Take the mails that are in the mailbox, if there is one and no other process watches it."""
    settings, clock = application.settings, application.clock
    if settings.inbox is None:
        return
    ledger = ledger_of(settings, application.engine, clock)
    reader = reader_of_mailbox(settings, application.services.secret, ledger, clock)
    if reader is None:
        return

    def tell(since: datetime, why: str) -> None:
        tell_of_mailbox(application.services, since, why, clock())

    monitor = MailboxMonitor(ledger, lambda: None, tell)
    try:
        if not ledger.claim():
            return
        reader.look()
        for _ in range(_LOOKS_FOR_REFUSED):
            if not reader.has_left:
                break
            reader.look()
        monitor.kept()
    except Exception as fault:
        monitor.out_of_reach(fault)
    reader.leave()
    with suppress(Exception):  # the claim ends by itself
        ledger.release()


def tick(application: Application) -> Ticked:
    """Do what cron asks for: mails, then deadlines, reminders, digests, pages, the outbox.

    First, the mailbox is looked at, and jumps of the clock are noticed. Also releases the claims
    of dead processes, and forgets old texts once a day.
    """
    look_at_mailbox(application)
    ticked = do_what_is_due(application, _never)
    application.sender.send_due(_never)
    return ticked


def do_what_is_due(application: Application, stop: Stop) -> Ticked:
    """Do what `tick` does beside taking mails and sending messages."""
    for clear_up in (application.store.release_dead, application.store.forget_old):
        with suppress(Stale):  # somebody else is about it
            clear_up()
    _forget_texts(application)
    check_clock(application.services, application.clock)
    work(application, stop)
    ticked = look_at_games(application.services, application.clock())
    send_digests(application.services, application.clock())
    tell_of_more(application.services, application.clock())
    tell_of_refusal(application.services, application.clock())
    pass_on_waiting(application.services, application.clock())
    write_pages(application)
    return ticked


def _forget_texts(application: Application) -> None:
    days = application.settings.keep_mails
    if not days:
        return
    with suppress(Stale):  # what somebody else has in hand goes another day
        forgotten = application.store.forget_texts(timedelta(days=days))
        if forgotten:
            log.info("texts forgotten", mails=forgotten, days=days)


def _look_at(
    application: Application, stop: Stop, game: GameId, end: datetime
) -> tuple[list[TakenMail], bool]:
    """Look at a game at one of its times, and again after mails kept since.

    Returns the mails handled, and True if a phase was played.
    """
    taken = [*_take_all(application, stop, before=end)]
    ticked = look_at_games(application.services, application.clock(), [game])
    for _ in range(_MAX_ROUNDS):
        at = application.store.heard_until(application.clock())
        handled = [*_take_all(application, stop, before=at)]
        if not handled:
            break
        taken += handled
        look_at_games(application.services, at, [game])
    return taken, bool(ticked.processed)


def _take_all(application: Application, stop: Stop, before: datetime) -> Iterator[TakenMail]:
    while (
        not stop()
        and (one := take(application.services, application.clock(), before=before)) is not None
    ):
        yield one


def _worked(application: Application, taken: Sequence[TakenMail]) -> Worked:
    finished = (one.game for one in taken if one.is_finished and one.game is not None)
    touched = tuple(dict.fromkeys(finished))
    settled = {one.game: one.is_settled for one in taken}
    open_games = [game for game in touched if not settled[game]]
    look_at_games(application.services, application.clock(), open_games)
    return Worked(tuple(taken), tuple(open_games))


# Processes that handle mails and send messages: `machjudge worker`, and the one of `serve`. Mails
# are handled in one thread and messages sent in others; the event loop only wakes them.
WORKER_POLL_SECONDS = 1.0
"""The seconds between looks for mails without a call."""
TICK_SECONDS = 60.0
"""The seconds between ticks in the one process of `serve --all`."""
SENDER_POLL_SECONDS = 5.0
"""The seconds between looks for messages due again."""
MAX_SENDERS = 4
"""The most connections to the relay."""
SLOW_SECONDS = 2.0
"""The seconds of a round after which another connection is opened."""
HEAR_AGAIN_SECONDS = 30.0
"""The seconds until a lost connection for news of mails is reopened."""
LONGEST_PAUSE_SECONDS = 60.0
"""The most seconds until a relay out of reach is tried again."""

_LOOKS_AFTERWARDS = 5
_ALLOCATION = ((-8, 1), (-3, 2**17), (-1, 2**17))
"""``M_ARENA_MAX``, then ``M_MMAP_THRESHOLD`` and ``M_TRIM_THRESHOLD`` of mallopt(3)."""
CLOCK_LOOK_EVERY = timedelta(seconds=10)
"""The time for which a look at the clock is good."""
_SHORTEST_PAUSE_SECONDS = 5.0


def work_on(settings: Settings, *, clock: Clock = now, calls: BinaryIO | None = None) -> None:
    """Handle mails and send messages until a signal comes; the mail in hand is finished.

    Each byte of the pipe *calls* announces mails, and its end is a signal too. Raises WrongSchema,
    DatabaseOutOfReach, SecretUnusable.
    """
    asyncio.run(_work_on(settings, clock, calls))


async def _work_on(settings: Settings, clock: Clock, calls: BinaryIO | None) -> None:
    wakeups = wakeups_of_process()
    if calls is not None:
        await listen_to(calls, wakeups)
    async with opened(settings, clock, wakeups) as application:
        await work_until_stopped(application, wakeups)


@asynccontextmanager
async def opened(settings: Settings, clock: Clock, wakeups: Wakeups) -> AsyncIterator[Application]:
    """The judge in a process that stays, its claims renewed; closed afterwards."""
    application = await asyncio.to_thread(_opened, settings, clock, _waking(wakeups))
    try:
        with renewed(application.leases):
            yield application
    finally:
        application.close()


async def work_until_stopped(
    application: Application, wakeups: Wakeups, *, ticks: bool = False
) -> None:
    """Handle mails and send messages until the end rings; with *ticks* also do what is due."""
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(_work_until_stopped(application, wakeups, ticks=ticks))
        tasks.create_task(_send_until_stopped(application, wakeups))
        hearing = tasks.create_task(_listen_to_other_machines(application, wakeups))
        await wakeups.stop.wait()
        hearing.cancel()


class _Calls(asyncio.Protocol):
    """The reading end of the pipe of `serve`."""

    def __init__(self, wakeups: Wakeups) -> None:
        self._wakeups = wakeups

    def data_received(self, _: bytes) -> None:
        self._wakeups.mail.set()

    def connection_lost(self, _: Exception | None) -> None:
        self._wakeups.end()


async def listen_to(calls: BinaryIO, wakeups: Wakeups) -> None:
    """Ring for each byte of a pipe, and ring the end with its end."""
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: _Calls(wakeups), calls)


def _opened(settings: Settings, clock: Clock, posted: Callable[[], None]) -> Application:
    """The application, after a look at its clock and the release of dead claims."""
    application = build(settings, clock=clock, posted=posted)
    check_clock(application.services, application.clock)
    with suppress(Stale):  # somebody else is about it
        application.store.release_dead()
    # Loaded objects are exempt from garbage collection.
    gc.collect()
    gc.freeze()
    collect_garbage_seldom()
    return application


def _waking(wakeups: Wakeups) -> Callable[[], None]:
    """Ring for the sender, from any thread that commits messages."""
    loop = asyncio.get_running_loop()

    def ring() -> None:
        if not wakeups.message.is_set():
            loop.call_soon_threadsafe(wakeups.message.set)

    return ring


def keep_memory_small(*, at_once: bool = True) -> None:
    """Have the C library keep what is freed for all threads, where it is that of GNU.

    Pictures are large for a moment; it would keep a part of them for each thread. If *at_once*, it
    gives theirs back after each, which takes a fifth of its time.
    """
    with suppress(AttributeError, OSError):
        library = ctypes.CDLL(None)
        for what, value in _ALLOCATION if at_once else _ALLOCATION[:1]:
            library.mallopt(what, value)


async def _work_until_stopped(application: Application, wakeups: Wakeups, *, ticks: bool) -> None:
    loop = asyncio.get_running_loop()
    recent: dict[GameId, int] = {}
    rounds = Rounds()
    due = loop.time() if ticks else math.inf
    with ThreadPoolExecutor(1, thread_name_prefix="worker") as thread:
        while not wakeups.stop.is_set():
            await loop.run_in_executor(thread, _work_round, application, wakeups, recent, rounds)
            if loop.time() >= due:
                due = loop.time() + TICK_SECONDS
                await loop.run_in_executor(thread, _tick_round, application, wakeups)
            await wakeups.wait(wakeups.mail, WORKER_POLL_SECONDS)


def _tick_round(application: Application, wakeups: Wakeups) -> None:
    """Do what is due; faults do not end the worker."""
    try:
        do_what_is_due(application, wakeups.stop.is_set)
    except Exception:
        log.exception("tick interrupted")


async def _listen_to_other_machines(application: Application, wakeups: Wakeups) -> None:
    """Ring for mails kept by other machines; without it, the worker looks every second."""
    while not is_sqlite(application.engine):
        try:
            await listen_for_arrivals(application.engine, wakeups.mail.set)
        except Exception as fault:
            log.warning("not called for new mails", why=str(fault))
        await wakeups.rest(HEAR_AGAIN_SECONDS)


async def _send_until_stopped(application: Application, wakeups: Wakeups) -> None:
    pause = _SHORTEST_PAUSE_SECONDS
    relays = KeptRelays(application.sender.connect)
    sender = replace(application.sender, connect=relays.one)
    with ExitStack() as ends:
        ends.callback(relays.hang_up)
        threads = ends.enter_context(ThreadPoolExecutor(MAX_SENDERS, thread_name_prefix="sender"))
        while not wakeups.stop.is_set():
            if await send_all(lambda: _send_round(sender, wakeups), threads):
                pause = _SHORTEST_PAUSE_SECONDS
                if not await wakeups.wait(wakeups.message, SENDER_POLL_SECONDS):
                    await asyncio.to_thread(relays.hang_up)
            else:
                await wakeups.rest(pause)
                pause = min(2 * pause, LONGEST_PAUSE_SECONDS)


async def send_all(send: Callable[[], bool], threads: ThreadPoolExecutor) -> bool:
    """Send by *send*, which says if the relay was there; return the same.

    While one round waits for the relay, others begin beside it.
    """
    loop = asyncio.get_running_loop()
    rounds = {loop.run_in_executor(threads, send)}
    is_there = True
    while rounds:
        done, rounds = await asyncio.wait(
            rounds, timeout=SLOW_SECONDS, return_when=asyncio.FIRST_COMPLETED
        )
        is_there = is_there and all(each.result() for each in done)
        if not done and is_there and len(rounds) < MAX_SENDERS:
            rounds.add(loop.run_in_executor(threads, send))
    return is_there


@dataclass(slots=True)
class Rounds:
    """The state between rounds: the last look at the clock.

    A clock that went on by a few seconds has not jumped, and is not asked again.
    """

    at: datetime | None = None
    is_interrupted: bool = False
    """True if the last round was interrupted, so that a mail may be in hand."""

    def watch(self, application: Application) -> None:
        """Look at the clock, unless just done."""
        now = application.clock()
        if self.at is None or not self.at <= now < self.at + CLOCK_LOOK_EVERY:
            check_clock(application.services, application.clock)
            self.at = application.clock()


def _work_round(
    application: Application, wakeups: Wakeups, recent: dict[GameId, int], rounds: Rounds
) -> None:
    """Look at the clock and handle mails; faults do not end the worker.

    A game that became ready while another process had a possible mail for it is looked at again.
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
    """Send messages; return whether the relay was there. Faults do not end the sender."""
    try:
        return sender.send_due(wakeups.stop.is_set).out_of_reach is None
    except Exception:
        log.exception("sending interrupted")
        return False
