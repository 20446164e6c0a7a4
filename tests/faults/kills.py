"""Kill the processes of a judge while players mail orders and deadlines fall due."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from signal import SIGTERM
from time import sleep

from tests.faults.points import OF_KINDS, OF_SERVE, OF_WORKERS, Point
from tests.faults.roles import Process, Role
from tests.faults.scene import Order, Scene, playing
from tests.patience import wait_until

PHASES = 5
"""How many phases of each game are played before a new judge is opened: a year and its retreats."""
_POINTS = {Role.SERVE: OF_SERVE, Role.WORKER: OF_WORKERS, Role.TICK: OF_WORKERS}
_FARTHEST = 6
"""How often a process may come to such a point before it is killed there."""
_MAX_TRIES = 100
"""How often a mail is handed over; one that never gets its 250 is no mail of the ledger."""
_MAX_TICKS = 200
_REST = 4
_PAUSE = 0.02


@dataclass
class Killed:
    """What was done to judges, and what they did."""

    where: Counter[str] = field(default_factory=Counter)
    acknowledged: int = 0
    repeated: int = 0
    phases: int = 0
    breaches: list[str] = field(default_factory=list)

    @property
    def kills(self) -> int:
        """How many processes were killed."""
        return sum(self.where.values())

    def __str__(self) -> str:
        return (
            f"{self.kills} kills, {self.acknowledged} mails with a 250 ({self.repeated} of them "
            f"sent again), {self.phases} phases, {len(self.breaches)} promises broken"
        )


@dataclass
class Campaign:
    """A judge whose processes die; *most* is how many more may."""

    scene: Scene
    chance: Random
    killed: Killed
    most: int

    def play(self) -> None:
        """Play some phases of all games."""
        for _ in range(PHASES):
            before = self.scene.played()
            self._mail_in(self.scene.orders())
            self.scene.let_deadlines_pass()
            self._play_phases(before + self.scene.games)
        self.scene.rest()
        self.killed.breaches += self.scene.breaches()
        self.killed.acknowledged += len(self.scene.ledger.acknowledged)
        self.killed.repeated += self.scene.ledger.repeats
        self.killed.phases += self.scene.played()

    def _mail_in(self, orders: list[Order]) -> None:
        """Deliver mails until each has its 250, whatever dies meanwhile."""
        first = [order for order in orders if b"set wait" in order.raw]
        others = [order for order in orders if order not in first]
        self.chance.shuffle(others)
        serve, worker = self._start(Role.SERVE), self._start(Role.WORKER)
        for order in (*first, *others):
            for tries in range(_MAX_TRIES):
                if self.scene.deliver(order):
                    self.scene.ledger.repeats += tries > 0
                    break
                sleep(_PAUSE)  # a dead process closes its door before it is gone
                serve = self._again(serve, Role.SERVE)
            worker = self._again(worker, Role.WORKER)
        for each, role in ((serve, Role.SERVE), (worker, Role.WORKER)):
            self._take_away(each, role)

    def _play_phases(self, wanted: int) -> None:
        """Let `tick` and a worker come at the same time until all phases are played."""
        worker = self._start(Role.WORKER)
        for number in range(_MAX_TICKS):
            if self.scene.played() >= wanted:
                break
            if number % _REST == _REST - 1:
                self.scene.pass_time()  # a mail with which processes died rests
            tick = self._start(Role.TICK)
            wait_until(tick.is_over, "tick")
            self._count(tick)
            worker = self._again(worker, Role.WORKER)
        self._take_away(worker, Role.WORKER)

    def _start(self, role: Role) -> Process:
        """A process that will die at some point, as long as any may."""
        kind = "sqlite" if self.scene.database.startswith("sqlite") else "postgresql"
        points = [each for each in _POINTS[role] if each not in OF_KINDS[kind]]
        point = Point(self.chance.randint(1, _FARTHEST), self.chance.choice(points))
        process = self.scene.fork(role, deadly=point if self.most > 0 else None)
        if role is Role.SERVE:
            wait_until(lambda: process.is_over() or self.scene.is_open(), "the door")
        return process

    def _again(self, process: Process, role: Role) -> Process:
        """The process, or another one if it is dead."""
        if not process.is_over():
            return process
        self._count(process)
        return self._start(role)

    def _take_away(self, process: Process, role: Role) -> None:
        """Kill a process wherever it is, or end it in order."""
        if not process.is_over() and self.most > 0 and self.chance.random() < 0.7:
            process.kill()
            self.most -= 1
            self.killed.where[f"{role}: anywhere"] += 1
            return
        process.end()
        self._count(process)

    def _count(self, process: Process) -> None:
        if where := process.where():
            self.most -= 1
            self.killed.where[where] += 1
        elif process.status not in {0, -SIGTERM}:
            self.killed.breaches.append(f"a process ended with {process.status}")


def campaign(folder: Path, kills: int, games: int, seed: int) -> Killed:
    """Kill processes of judge after judge until there were so many kills."""
    killed = Killed()
    lives = 0
    while killed.kills < kills and not killed.breaches:
        own = folder / f"life{lives}"
        own.mkdir()
        chance = Random(f"{seed}/{lives}")  # noqa: S311 - no secret
        with playing(own, games) as scene:
            Campaign(scene, chance, killed, kills - killed.kills).play()
        lives += 1
    return killed
