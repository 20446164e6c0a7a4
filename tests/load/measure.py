"""What a measure gives: a figure of this run, and the one that is asked for."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median
from time import process_time

from sqlalchemy import Engine, event

from tests.bench import with_pydip
from tests.bench.phases import standard_phases
from tests.bench.race import race

SCALE = with_pydip.Turns()
"""What everything is measured against."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One row of the table."""

    what: str
    measured: float
    asked: str
    unit: str = ""
    remark: str = ""


def scale(phases: int) -> float:
    """Seconds of CPU that pydip's ``resolve_turn`` takes for a phase, on this machine and now."""
    return race((SCALE,), standard_phases()[:phases], rounds=3)[SCALE.name].median / 1000


def scale_of_two(phases: int) -> tuple[float, float]:
    """The same in a process that works alone, and in two at once, which the machine slows down."""
    with ProcessPoolExecutor(2) as processes:
        alone = processes.submit(scale, phases).result()
        both = [each.result() for each in [processes.submit(scale, phases) for _ in range(2)]]
    return alone, sum(both) / 2


def two_at_once(phases: int) -> Figure:
    """What the machine itself takes from two that work."""
    alone, at_once = scale_of_two(phases)
    return Figure("pydip's phase in two processes at once, / in one", at_once / alone, "")


def seconds_of(task: Callable[[], object], rounds: int = 5) -> float:
    """Seconds of CPU of this process, the median of some rounds after one that does not count."""
    task()
    return median(_once(task) for _ in range(rounds))


def _once(task: Callable[[], object]) -> float:
    began = process_time()
    task()
    return process_time() - began


def seconds_of_process(*arguments: str, environment: dict[str, str], rounds: int = 5) -> float:
    """Seconds of CPU of a whole process, the median of some runs after one that does not count."""
    return median([_run(arguments, environment) for _ in range(rounds + 1)][1:])


def _run(arguments: tuple[str, ...], environment: dict[str, str]) -> float:
    quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    child = os.posix_spawn(arguments[0], arguments, environment, file_actions=quiet)
    _, status, used = os.wait4(child, 0)
    assert status == 0, arguments
    return used.ru_utime + used.ru_stime


@dataclass(slots=True)
class Counted:
    """The statements that were sent to a database."""

    statements: list[str] = field(default_factory=list)


@contextmanager
def counting(engine: Engine) -> Iterator[Counted]:
    """Count every statement that is sent while the block runs, whatever it is."""
    counted = Counted()

    def note(connection: object, cursor: object, statement: str, *_: object) -> None:
        counted.statements.append(statement)

    event.listen(engine, "before_cursor_execute", note)
    try:
        yield counted
    finally:
        event.remove(engine, "before_cursor_execute", note)
