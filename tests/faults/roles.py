"""The processes of a judge, forked from one that has loaded the program already.

Each runs what its command runs: `serve` (its worker is one that does nothing), `worker`, `tick`.
"""

import os
import resource
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from machjudge.app import build, log_to_stderr, serve, tick, work_on, working
from machjudge.cli.serve import is_quiet
from machjudge.db import engine
from machjudge.mail import relay
from machjudge.settings import Settings, load
from tests.faults.points import Point, Points
from tests.journeys.clockwork import Clock
from tests.patience import SECONDS
from tests.preloaded.known import share_texts_and_maps

IDLE = ("sh", "-c", "exec cat > /dev/null")
"""A worker that does nothing, and ends with `serve`."""


class Role(StrEnum):
    """What a process does."""

    SERVE = "serve"
    WORKER = "worker"
    TICK = "tick"


@dataclass(frozen=True, slots=True)
class Deed:
    """What a process is to do, and what is to happen to it."""

    role: Role
    deadly: Point | None = None
    """Where it dies."""
    largest_file: int | None = None
    """How many bytes its files may have: a disk that is full."""


@dataclass(slots=True)
class Process:
    """A process that was forked."""

    pid: int
    died: Path
    status: int | None = None

    def is_over(self) -> bool:
        """True if it has ended, in whatever way."""
        if self.status is None:
            done, status = os.waitpid(self.pid, os.WNOHANG)
            self.status = os.waitstatus_to_exitcode(status) if done else None
        return self.status is not None

    def kill(self) -> None:
        """Kill it on the spot."""
        if not self.is_over():
            os.kill(self.pid, signal.SIGKILL)
            self.wait()

    def end(self) -> None:
        """End it in order."""
        if not self.is_over():
            os.kill(self.pid, signal.SIGTERM)
            self.wait()

    def wait(self, seconds: float = SECONDS) -> int:
        """Wait for its end; what it ended with."""
        end = time.monotonic() + seconds
        while not self.is_over():
            assert time.monotonic() < end, "a process does not end"
            time.sleep(0.002)
        return self.status or 0

    def where(self) -> str:
        """The point at which it died; empty if it was killed from outside, or not at all."""
        return self.died.read_text("ascii") if self.died.exists() else ""


def make_ready() -> None:
    """Load what every process needs, and shorten what they wait for."""
    share_texts_and_maps()
    relay.SECONDS = 0.4
    engine.PATIENCE_SECONDS = 120
    working.WORKER_POLL_SECONDS = 0.02
    working.SENDER_POLL_SECONDS = 0.05
    working._SHORTEST_PAUSE_SECONDS = 0.05


def fork(deed: Deed, environment: Mapping[str, str], clock: Clock, log: Path) -> Process:
    """Start a process."""
    died = log.with_name(f"died.{time.monotonic_ns()}")
    pid = os.fork()
    if pid:
        return Process(pid, died)
    code = 70
    try:
        _redirect(log)
        Points(deed.deadly, died).install()
        if deed.largest_file is not None:
            limit = (deed.largest_file, resource.RLIM_INFINITY)
            resource.setrlimit(resource.RLIMIT_FSIZE, limit)
        _RUNS[deed.role](replace(load(environment), log_level="warning"), clock)
        code = 0
    except BaseException:
        import traceback  # noqa: PLC0415 - this process ends here

        traceback.print_exc()
    finally:
        os._exit(code)


def _redirect(log: Path) -> None:
    written = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for descriptor in (1, 2):
        os.dup2(written, descriptor)
    log_to_stderr("warning")


def _serve(settings: Settings, clock: Clock) -> None:
    serve(settings, clock=clock, worker=IDLE)


def _work(settings: Settings, clock: Clock) -> None:
    work_on(settings, clock=clock)


def _tick(settings: Settings, clock: Clock) -> None:
    if is_quiet(settings, clock):
        return
    rooms = build(settings, clock=clock)
    try:
        tick(rooms)
    finally:
        rooms.close()


_RUNS: Mapping[Role, Callable[[Settings, Clock], None]] = {
    Role.SERVE: _serve,
    Role.WORKER: _work,
    Role.TICK: _tick,
}


@contextmanager
def running(*processes: Process) -> Iterator[None]:
    """End processes in order afterwards."""
    try:
        yield
    finally:
        for each in processes:
            each.end()
