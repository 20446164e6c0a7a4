# ruff: noqa: T201 - a tool prints
"""What one more worker adds on PostgreSQL: ``python -m tests.load.sharing``.

Order mails wait for workers that have nothing else to do, in rounds with one, two and three of
them by turns, so that whatever else the machine does meanwhile hits all alike.  Workers have
handled some mails before they are measured, as those that run for days.  What their connections
wait for is looked up some fifty times a second.
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
import psycopg
from sqlalchemy import text

from machjudge.app import Application, log_to_stderr
from machjudge.app.working import work
from machjudge.db.engine import reading
from machjudge.judge.mails import Arrival
from tests import databases
from tests.faults.remains import waits
from tests.faults.roles import Process, Role, running
from tests.faults.scene import Order, Scene, playing
from tests.load.measure import Figure, counting
from tests.load.spending import spent, spent_alone
from tests.surroundings import cut_off

GAMES = 16
_SETTLED_SECONDS = 1.5
"""How long a worker takes to have its connections."""
_LOOK_SECONDS = 0.1
_STATE_SECONDS = 0.02
_TURN_SECONDS = 0.01
"""In each turn of this length a worker with `--rest` rests for a part of it."""


def main() -> int:
    """Measure, and print what came of it."""
    asked = _arguments()
    cut_off()
    log_to_stderr("error")
    with _playing() as scene:
        rounds = _rounds(scene, asked.workers, asked.rounds, asked.sets, asked.rest)
    one = _middle(rounds[asked.workers[0]])
    for workers in asked.workers:
        middle = _middle(rounds[workers])
        print(f"{workers} workers: {middle.rate / one.rate:.2f} times; {middle}")
    return 0


def two_workers(sets: int) -> Iterator[Figure]:
    """What a second worker adds, with the server on the same cores, and where their time goes."""
    with _playing() as scene:
        yield Figure("SQL statements of an order mail on PostgreSQL", _statements(scene), "")
        rounds = _rounds(scene, (1, 2), 2, sets, 0.0)
    one, two = _middle(rounds[1]), _middle(rounds[2])
    what = "order mails handled by two workers on PostgreSQL, / by one"
    yield Figure(what, two.rate / one.rate, "", remark=f"{two.rate:.0f} and {one.rate:.0f}/s")
    for part in ("workers", "server"):
        first, both = getattr(one, part), getattr(two, part)
        remark = f"{1000 * both:.1f} and {1000 * first:.1f} ms"
        yield Figure(f"  CPU of the {part} for a mail, two / one", both / first, "", remark=remark)
    for state in States._fields:
        first, both = (100 * getattr(each.states, state) for each in (one, two))
        what = f"  of a connection's time, {state.replace('_', ' ')}"
        yield Figure(what, both, "", unit=" %", remark=f"{first:.0f} % with one")


class States(NamedTuple):
    """For which share of the time a worker's connection does what."""

    runs: float
    waits_for_a_lock: float
    waits_for_something_else: float
    has_a_transaction_while_the_worker_computes: float
    is_idle: float


class Measured(NamedTuple):
    """How many mails a second were handled and answered, and seconds of CPU for one."""

    rate: float
    workers: float
    server: float
    relay: float
    """Of the process that takes the answers."""
    states: States

    def __str__(self) -> str:
        """A line of figures."""
        each = {"workers": self.workers, "server": self.server, "relay": self.relay}
        spent = ", ".join(f"{name} {1000 * cpu:.1f}" for name, cpu in each.items())
        states = ", ".join(f"{name} {share:.0%}" for name, share in self.states._asdict().items())
        return f"{self.rate:6.1f} mails/s; ms of CPU a mail: {spent}; {states}"


@contextmanager
def _playing() -> Iterator[Scene]:
    """The games, on a server of PostgreSQL."""
    databases.choose("postgresql")
    try:
        with (
            tempfile.TemporaryDirectory() as folder,
            playing(Path(folder), GAMES, practice=False) as scene,
        ):
            yield scene
    finally:
        databases.close()
        databases.choose("sqlite")


def _rounds(
    scene: Scene, workers: Sequence[int], rounds: int, sets: int, rest: float
) -> dict[int, list[Measured]]:
    """What so many workers do, in turn."""
    found: dict[int, list[Measured]] = defaultdict(list)
    for _ in range(rounds):
        for number in workers:
            found[number].append(_round(scene, number, sets, rest))
    return found


def _middle(measured: Sequence[Measured]) -> Measured:
    *figures, states = zip(*measured, strict=True)
    middle = States(*map(median, zip(*states, strict=True)))
    return Measured(*map(median, figures), middle)


def _statements(scene: Scene) -> int:
    """How many statements one order mail takes, with its answer."""
    with scene.opened() as rooms:
        first, second, *_ = scene.orders()
        _keep(rooms, [first])
        work(rooms)
        rooms.sender.send_due()
        with counting(rooms.engine) as counted:
            _keep(rooms, [second])
            work(rooms)
            rooms.sender.send_due()
    return len(counted.statements)


def _round(scene: Scene, workers: int, sets: int, rest: float) -> Measured:
    """What so many workers do that have handled a set of mails already."""
    orders = [order for _ in range(sets) for order in scene.orders()]
    Random(1).shuffle(orders)  # noqa: S311 - no secret
    forked = [scene.fork(Role.WORKER) for _ in range(workers)]
    with ExitStack() as ends:
        ends.enter_context(running(*forked))
        sleep(_SETTLED_SECONDS)
        with scene.opened() as rooms:
            scene.change("DELETE FROM counts")
            _handled(rooms, scene.orders())
            for each in forked if rest else ():
                ends.enter_context(_resting(psutil.Process(each.pid), rest))
            before = _spent(rooms, forked, scene)
            with _looked_at(scene, workers) as states:
                seconds = _handled(rooms, orders)
            spent = [
                after - so_far
                for after, so_far in zip(_spent(rooms, forked, scene), before, strict=True)
            ]
    each = [cpu / len(orders) for cpu in spent]
    return Measured(len(orders) / seconds, *each, states=_shares(states, workers))


_STATES = """SELECT state, wait_event_type FROM pg_stat_activity
WHERE datname = current_database() AND state <> 'idle'
AND application_name = '' AND pid NOT IN (SELECT pg_backend_pid())"""


@contextmanager
def _looked_at(scene: Scene, workers: int) -> Iterator[list[list[tuple[object, ...]]]]:
    """What the connections of workers do, from time to time."""
    looks: list[list[tuple[object, ...]]] = []
    is_over = Event()

    def look() -> None:
        with psycopg.connect(scene.database, autocommit=True, application_name="load") as own:
            while not is_over.wait(_STATE_SECONDS):
                looks.append(own.execute(_STATES).fetchall())

    thread = Thread(target=look)
    thread.start()
    try:
        yield looks
    finally:
        is_over.set()
        thread.join()


def _shares(looks: Sequence[Sequence[tuple[object, ...]]], workers: int) -> States:
    """The shares of the time, of each worker."""
    every = [tuple(each) for look in looks for each in look]
    number = max(1, len(looks) * workers)
    runs = every.count(("active", None))
    locks = every.count(("active", "Lock"))
    computes = sum(state == "idle in transaction" for state, _ in every)
    others = len(every) - runs - locks - computes
    idle = max(0, number - len(every))
    return States(*(each / number for each in (runs, locks, others, computes, idle)))


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
