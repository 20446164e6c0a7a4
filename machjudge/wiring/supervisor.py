"""Keeps the worker of `serve` running: a process of its own, so that it never holds up a 250."""

import asyncio
import os
import pickle
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from structlog import get_logger

from machjudge.settings import Settings
from machjudge.wiring.wakeups import Wakeups

LONG_LIFE_SECONDS = 60.0
"""A worker that has lived so long is no longer one that cannot begin."""
SHORTEST_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 60.0

WORKER = (sys.executable, "-P", "-m", "machjudge.wiring.worker_process")
"""How a worker is started."""
_CALL = b"\n"

log = get_logger(__name__)


@dataclass(slots=True)
class Pauses:
    """How long to wait before the next worker is started; each time twice as long."""

    seconds: float = 0.0

    def after(self, lived: float) -> float:
        """The pause after a worker that has lived for so many seconds."""
        grown = max(SHORTEST_PAUSE_SECONDS, 2 * self.seconds)
        is_new = lived >= LONG_LIFE_SECONDS
        self.seconds = SHORTEST_PAUSE_SECONDS if is_new else min(grown, LONGEST_PAUSE_SECONDS)
        return self.seconds


class Supervisor:
    """Starts a worker, calls it when mails have come in, and starts another one when it ends."""

    def __init__(
        self, settings: Settings, wakeups: Wakeups, worker: Sequence[str] = WORKER
    ) -> None:
        # What cannot be sent, the origins, nobody asks for there.
        self._settings = pickle.dumps(replace(settings, origins={}))
        self._wakeups = wakeups
        self._worker = worker
        self._calls: asyncio.StreamWriter | None = None

    def call(self) -> None:
        """Tell the worker that mails may have come in."""
        calls = self._calls
        if calls is None or calls.is_closing():
            return  # the next one looks by itself
        if not calls.transport.get_write_buffer_size():
            calls.write(_CALL)

    async def run(self) -> None:
        """Keep a worker running until the end rings; return when the last one has ended."""
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
        """Start a worker, and wait for its end; why it ended."""
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
        """Return when the process has ended, or when it is time that it does."""
        ends = [asyncio.create_task(each) for each in (process.wait(), self._wakeups.stop.wait())]
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        for each in ends:
            each.cancel()

    def _hang_up(self) -> None:
        if self._calls is not None:
            self._calls.close()
            self._calls = None


def environment_of_worker(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables of a worker, which finds its modules where this process finds them."""
    path = os.pathsep.join(each or str(Path.cwd()) for each in sys.path)
    return {**environment, "PYTHONPATH": path}
