"""Timing: every runner takes each phase in turn, again and again, and the medians count."""

import gc
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median, quantiles
from typing import Protocol

from tests.bench.phases import Phase

LAP = 50
"""After how many phases the next runner has his turn."""

Task = Callable[[], object]
"""What is timed; gives whatever the runner needs to tell the units after."""


class Runner(Protocol):
    """An adjudicator, and which part of its work is timed."""

    name: str

    def ready(self, phase: Phase) -> Task:
        """Everything that is not timed: the position, and orders as far as they come as values."""
        ...

    def units_after(self, phase: Phase, outcome: object) -> list[str] | None:
        """The units after the phase, sorted; none if the part timed does not tell."""
        ...


@dataclass(frozen=True)
class Time:
    """How long a runner took for each phase, in milliseconds, and how often it was right."""

    each: Sequence[float]
    orders: int
    right: int | None

    @property
    def median(self) -> float:
        """Milliseconds of the median phase."""
        return median(self.each)

    @property
    def ninety_five(self) -> float:
        """Milliseconds that 95 of 100 phases do not exceed."""
        return quantiles(self.each, n=20)[-1]

    @property
    def orders_per_second(self) -> float:
        """All orders by the sum of all times."""
        return 1000 * self.orders / sum(self.each)


def race(runners: Sequence[Runner], phases: Sequence[Phase], rounds: int) -> dict[str, Time]:
    """The times of all runners on all phases, by the runner's name.

    The runners take turns after every few phases, so that whatever else slows the machine slows
    all; of *rounds* times for a phase the median counts.
    """
    each: dict[str, list[float]] = {runner.name: [] for runner in runners}
    for first in range(0, len(phases), LAP):
        lap = phases[first : first + LAP]
        taken = [[times_of(runner, lap) for runner in runners] for _ in range(rounds)]
        for number, runner in enumerate(runners):
            laps = (times[number] for times in taken)
            each[runner.name] += [median(of_phase) for of_phase in zip(*laps, strict=True)]
    orders = sum(phase.orders for phase in phases)
    return {
        runner.name: Time(each[runner.name], orders, right(runner, phases)) for runner in runners
    }


def times_of(runner: Runner, phases: Sequence[Phase]) -> list[float]:
    """Milliseconds of this thread for each of the phases; garbage of others costs nothing."""
    tasks = [runner.ready(phase) for phase in phases]
    gc.collect()
    gc.freeze()
    times = [timed(task) for task in tasks]
    gc.unfreeze()
    return times


def right(runner: Runner, phases: Sequence[Phase]) -> int | None:
    """In how many phases the units after are those recorded; none if they are not told."""
    told = [(phase, runner.units_after(phase, runner.ready(phase)())) for phase in phases]
    if any(units is None for _, units in told):
        return None
    return sum(phase.units_after == units for phase, units in told)


def timed(task: Task) -> float:
    """Milliseconds of this thread."""
    started = time.thread_time()
    task()
    return 1000 * (time.thread_time() - started)
