"""One input after the other is tried: it raises nothing, and takes no more than its size allows.

Each input follows from the name of its target, a seed and its number, so that any of them can be
made again alone.
"""

import resource
import signal
import time
import traceback
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random

SECONDS, SECONDS_A_BYTE = 1.0, 20e-6
"""Of the processor, for any input, and more for a long one."""
BYTES, BYTES_A_BYTE = 8_000_000, 100
"""Of memory, the same."""
MAX_BYTES = 2_000_000_000
"""Of address space, for the whole process: a bomb ends as a MemoryError."""
MEASURED = 97
"""The memory of every so many inputs is measured; that takes long."""
_LONG = 20_000


@dataclass(frozen=True, slots=True)
class Target:
    """What is tried: *make* makes an input, *flaws* feeds it in and says what is wrong."""

    name: str
    share: int
    """Out of 100 inputs."""
    make: Callable[[Random], bytes]
    flaws: Callable[[bytes], Sequence[str]]


class TooSlow(BaseException):
    """An input took more than its seconds: nothing of the program may catch this."""


def chance_of(target: str, seed: int, number: int) -> Random:
    """The chance from which one input is made."""
    return Random(f"{target} {seed} {number}")  # noqa: S311 - no secret


def try_one(target: Target, raw: bytes, *, measured: bool = False) -> list[str]:
    """What is wrong with what becomes of an input; slow is what is slow twice."""
    found = _tried(target, raw, measured=measured or len(raw) > _LONG)
    if found and found[0].startswith("slow"):
        found = _tried(target, raw, measured=False)
    return found


def _tried(target: Target, raw: bytes, *, measured: bool) -> list[str]:
    # What is measured takes longer.
    seconds = (SECONDS + SECONDS_A_BYTE * len(raw)) * (5 if measured else 1)
    try:
        with _ended_after(seconds), _memory(measured) as peak:
            found = list(target.flaws(raw))
        most = BYTES + BYTES_A_BYTE * len(raw)
        return found + [f"memory: {n} bytes for {len(raw)}" for n in peak if n > most]
    except TooSlow:
        return [f"slow: more than {seconds:.1f} seconds for {len(raw)} bytes"]
    except Exception:
        return ["raised: " + traceback.format_exc()]


@contextmanager
def _ended_after(seconds: float) -> Iterator[None]:
    """End what takes more than so many seconds of the processor, and what hangs without it."""

    def end(*_: object) -> None:
        raise TooSlow

    timers = {
        signal.SIGPROF: (signal.ITIMER_PROF, seconds),
        signal.SIGALRM: (signal.ITIMER_REAL, 60 * seconds),
    }
    usual = {number: signal.signal(number, end) for number in timers}
    for timer, after in timers.values():
        signal.setitimer(timer, after)
    try:
        yield
    finally:
        for timer, _ in timers.values():
            signal.setitimer(timer, 0)
        for number, handler in usual.items():
            signal.signal(number, handler)


@contextmanager
def _memory(measured: bool) -> Iterator[list[int]]:
    """The most bytes that were in use at a time, once it is over; nothing if not measured."""
    peak: list[int] = []
    if not measured:
        yield peak
        return
    tracemalloc.start()
    try:
        yield peak
        peak.append(tracemalloc.get_traced_memory()[1])
    finally:
        tracemalloc.stop()


def bound_memory() -> None:
    """Let this process have no more than `MAX_BYTES`."""
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MAX_BYTES, hard))


def tried(target: Target, seed: int, numbers: range) -> Iterator[tuple[int, list[str]]]:
    """The numbers of the inputs that failed, and what was wrong."""
    for number in numbers:
        raw = target.make(chance_of(target.name, seed, number))
        if found := try_one(target, raw, measured=number % MEASURED == MEASURED - 1):
            yield number, found


def seconds_used() -> float:
    """Of the processor, by this process."""
    return time.process_time()
