# ruff: noqa: T201 - a tool prints
"""What one more worker adds on PostgreSQL: ``python -m tests.load.sharing``.

Order mails wait for workers that have nothing else to do, in rounds with one, two and three of
them by turns, so that whatever else the machine does meanwhile hits all alike.
"""

import argparse
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random
from statistics import median
from time import monotonic, sleep

from machjudge.service.ports.mailbox import Arrival
from machjudge.wiring import Application, log_to_stderr
from tests import databases
from tests.faults.remains import waits
from tests.faults.roles import Process, Role, running
from tests.faults.scene import Order, Scene, playing
from tests.load.spending import spent_alone
from tests.surroundings import cut_off

GAMES = 16
_SETTLED_SECONDS = 1.5
"""How long a worker takes to have its connections."""
_LOOK_SECONDS = 0.1


def main() -> int:
    """Measure, and print what came of it."""
    asked = _arguments()
    cut_off()
    log_to_stderr("error")
    databases.choose(asked.database)
    rates: dict[int, list[float]] = defaultdict(list)
    spent: dict[int, list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder, playing(Path(folder), GAMES) as scene:
        for number in range(asked.rounds + 1):
            for workers in asked.workers:
                rate, cpu = _round(scene, workers, asked.sets)
                if number:  # the first one fills what is remembered
                    rates[workers].append(rate)
                    spent[workers].append(cpu)
                    print(f"{workers}: {rate:6.1f} mails/s  {1000 * cpu:.1f} ms", flush=True)
    databases.close()
    one = median(rates[asked.workers[0]])
    for workers in asked.workers:
        rate, cpu = median(rates[workers]), 1000 * median(spent[workers])
        print(
            f"{workers} workers: {rate:6.1f} mails/s, {rate / one:.2f} times; {cpu:.1f} ms of CPU"
            " of the workers a mail"
        )
    return 0


def _round(scene: Scene, workers: int, sets: int) -> tuple[float, float]:
    """How many mails a second so many workers handle and answer, and their CPU for one."""
    orders = [order for _ in range(sets) for order in scene.orders()]
    Random(1).shuffle(orders)  # noqa: S311 - no secret
    forked = [scene.fork(Role.WORKER) for _ in range(workers)]
    with ExitStack() as ends:
        ends.enter_context(running(*forked))
        sleep(_SETTLED_SECONDS)
        before = _spent(forked)
        with scene.opened() as rooms:
            _keep(rooms, orders)
            began = monotonic()
            while waits(rooms):  # seldom: looking takes a core from them
                sleep(_LOOK_SECONDS)
        rate = len(orders) / (monotonic() - began)
        cpu = (_spent(forked) - before) / len(orders)
    return rate, cpu


def _spent(workers: Sequence[Process]) -> float:
    return sum(spent_alone(each.pid) for each in workers)


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
    parser.add_argument("--database", choices=databases.KINDS, default="postgresql")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--rounds", type=int, default=5, help="how often each is measured")
    parser.add_argument("--sets", type=int, default=3, help="how many mails each player writes")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
