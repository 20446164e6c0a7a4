# ruff: noqa: T201 - a tool prints
"""What one more worker adds on PostgreSQL: ``python -m tests.load.sharing``.

Order mails wait for workers that have nothing else to do, in rounds with one, two and three of
them by turns, so that whatever else the machine does meanwhile hits all alike.  Workers have
handled some mails before they are measured, as those that run for days.
"""

import argparse
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from random import Random
from statistics import median
from threading import Event, Thread
from time import monotonic, sleep
from typing import NamedTuple

import psutil
from sqlalchemy import text

from machjudge.app import Application, log_to_stderr
from machjudge.db.engine import reading
from machjudge.judge.mails import Arrival
from tests import databases
from tests.faults.remains import waits
from tests.faults.roles import Process, Role, running
from tests.faults.scene import Order, Scene, playing
from tests.load.game import begin_a_day
from tests.load.spending import spent, spent_alone
from tests.surroundings import cut_off

GAMES = 16
_SETTLED_SECONDS = 1.5
"""How long a worker takes to have its connections."""
_LOOK_SECONDS = 0.1
_TURN_SECONDS = 0.01
"""In each turn of this length a worker with `--rest` rests for a part of it."""


def main() -> int:
    """Measure, and print what came of it."""
    asked = _arguments()
    cut_off()
    log_to_stderr("error")
    databases.choose("postgresql")
    rounds: dict[int, list[Measured]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder, playing(Path(folder), GAMES) as scene:
        for _ in range(asked.rounds):
            for workers in asked.workers:
                rounds[workers].append(_round(scene, workers, asked.sets, asked.rest))
                print(f"{workers}: {rounds[workers][-1]}", flush=True)
    databases.close()
    one = median(each.rate for each in rounds[asked.workers[0]])
    for workers, measured in rounds.items():
        middle = Measured(*map(median, zip(*measured, strict=True)))
        print(f"{workers} workers: {middle.rate / one:.2f} times; {middle}")
    return 0


class Measured(NamedTuple):
    """How many mails a second were handled and answered, and seconds of CPU for one."""

    rate: float
    workers: float
    server: float
    relay: float
    """Of the process that takes the answers."""

    def __str__(self) -> str:
        """A line of figures."""
        spent = (f"{name} {1000 * cpu:.1f}" for name, cpu in self._asdict().items() if cpu < 1)
        return f"{self.rate:6.1f} mails/s; ms of CPU a mail: {', '.join(spent)}"


def _round(scene: Scene, workers: int, sets: int, rest: float) -> Measured:
    """What so many workers do that have handled a set of mails already."""
    orders = [order for _ in range(sets) for order in scene.orders()]
    Random(1).shuffle(orders)  # noqa: S311 - no secret
    forked = [scene.fork(Role.WORKER) for _ in range(workers)]
    with ExitStack() as ends:
        ends.enter_context(running(*forked))
        sleep(_SETTLED_SECONDS)
        with scene.opened() as rooms:
            begin_a_day(rooms)
            _handled(rooms, scene.orders())
            for each in forked if rest else ():
                ends.enter_context(_resting(psutil.Process(each.pid), rest))
            before = _spent(rooms, forked, scene)
            seconds = _handled(rooms, orders)
            spent = [
                after - so_far
                for after, so_far in zip(_spent(rooms, forked, scene), before, strict=True)
            ]
    return Measured(len(orders) / seconds, *(each / len(orders) for each in spent))


@contextmanager
def _resting(process: psutil.Process, share: float) -> Iterator[None]:
    """Have a process rest for a share of the time, as if its machine were so much slower."""
    is_over = Event()

    def rest() -> None:
        with suppress(psutil.NoSuchProcess):
            while not is_over.wait((1 - share) * _TURN_SECONDS):
                process.suspend()
                sleep(share * _TURN_SECONDS)
                process.resume()

    thread = Thread(target=rest)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def _handled(rooms: Application, orders: Sequence[Order]) -> float:
    """Have mails wait; after how many seconds all are handled and answered."""
    _keep(rooms, orders)
    began = monotonic()
    while waits(rooms):  # seldom: looking takes a core from them
        sleep(_LOOK_SECONDS)
    return monotonic() - began


def _spent(
    rooms: Application, workers: Sequence[Process], scene: Scene
) -> tuple[float, float, float]:
    """Seconds of CPU of workers, of the database's server, and of the relay."""
    with reading(rooms.engine) as connection:
        own = connection.scalar(text("SELECT pg_backend_pid()"))
    server = psutil.Process(own).ppid()
    return (
        sum(spent_alone(each.pid) for each in workers),
        spent(server),
        spent_alone(scene.relay.pid),
    )


def _keep(rooms: Application, orders: Sequence[Order]) -> None:
    """Have all mails wait at once."""
    rooms.arrivals.keep(
        [
            Arrival(
                each.raw, each.sent.sender, (each.to,), each.sent.sender, each.sent.id, each.sent.id
            )
            for each in orders
        ]
    )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--rounds", type=int, default=5, help="how often each is measured")
    parser.add_argument("--sets", type=int, default=6, help="how many mails each player writes")
    parser.add_argument(
        "--rest",
        type=float,
        default=0.0,
        help="for which share of the time each worker rests: with 0.5 two of them need one core",
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
