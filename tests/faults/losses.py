"""Power fails: what was not synced is gone, torn or there, and what was acknowledged is there.

One life of a judge is recorded below SQLite, with all that the world saw of it.  Then power fails
at any moment of the record: the files are what a disk may have of them, a judge is opened there,
and the ledger is compared with what it finds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Self

from sqlalchemy import event

from machjudge.app import Application, build, tick, work
from machjudge.mail.compose import ComposedMail
from machjudge.mail.relay import Taken
from machjudge.mail.server import arrival
from machjudge.settings import load
from tests.faults.disk import Disk
from tests.faults.layer import Act, Layer
from tests.faults.ledger import Ledger, Sent
from tests.faults.relay import TakenMail, taken_mail
from tests.faults.remains import remains_of, waits
from tests.faults.scene import Order, Scene

_STEP = timedelta(minutes=6)
_MAX_STEPS = 10

Happened = Act | Sent | TakenMail | datetime
"""An act below SQLite; a 250 for a mail; a message that went out; or what time it became."""


@dataclass
class Record:
    """What happened, in its order; before it the files were like this."""

    files: Mapping[Path, bytes] = field(default_factory=dict)
    happened: list[Happened] = field(default_factory=list)


class Recorder:
    """What tells of all acts below SQLite in this process; there is one."""

    def __init__(self) -> None:
        self.record = Record()
        self._layer = Layer(self._note)

    def _note(self, act: Act) -> None:
        self.record.happened.append(act)


@dataclass
class Hands:
    """A relay in this process, which notes what it takes."""

    notes: list[Happened]

    def __enter__(self) -> Self:
        """Take some mails."""
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is left open."""

    def hand_over(self, mail: ComposedMail) -> Taken:
        """The world has seen the mail, whatever becomes of the judge."""
        self.notes.append(taken_mail(mail.content, mail.recipient))
        return Taken()


def lived(scene: Scene, recorder: Recorder, synchronous: str = "FULL") -> Record:
    """A phase of all games, played in this process.

    *synchronous* is what SQLite is told about syncs.
    """
    orders = scene.orders()
    now = scene.clock()
    files = {each: each.read_bytes() for each in scene.folder.iterdir() if each.stem == "judge"}
    record = recorder.record = Record(files)
    notes = record.happened
    clock = _Hour(now, notes)
    rooms = _rooms(scene, scene.folder, clock, notes)
    _tell_sqlite(rooms, synchronous)
    for order in orders:
        clock.on(timedelta(minutes=1))
        _take_in(rooms, order, notes)
        work(rooms)
        rooms.sender.send_due()
    clock.jump(rooms, scene.last_deadline(rooms) + _STEP)
    tick(rooms)
    recorder.record = Record()
    rooms.close()
    return record


def losses(scene: Scene, record: Record, times: int, chance: Random) -> list[str]:
    """Let power fail so often, at any moment of a record; every promise that was broken."""
    breaches: list[str] = []
    for number in range(times):
        at = chance.randrange(1, len(record.happened) + 1)
        folder = scene.folder / f"loss{number}"
        folder.mkdir()
        happened = record.happened[:at]
        disk = Disk(record.files)
        for act in happened:
            if isinstance(act, Act):
                disk.take(act)
        for file, data in disk.after_a_loss(chance).items():
            (folder / file.name).write_bytes(data)
        breaches += [f"loss at {at}: {each}" for each in _found(scene, folder, happened)]
    return breaches


def unsynced(record: Record) -> list[str]:
    """The mails whose 250 came while something that was written was not synced yet."""
    found, dirty, written = [], set(), False
    for one in record.happened:
        if isinstance(one, Act):
            name = type(one).__name__
            dirty = dirty - {one.file} if name == "Sync" else dirty | {one.file}
            written = True
        elif isinstance(one, Sent):
            if not written or any(file.name.endswith("-wal") for file in dirty):
                found.append(one.id)
            written = False
    return found


def _found(scene: Scene, folder: Path, happened: Sequence[Happened]) -> list[str]:
    """What is wrong with the judge that is opened on what the disk has."""
    acknowledged = {one.id: one for one in happened if isinstance(one, Sent)}
    now = [one for one in happened if isinstance(one, datetime)][-1:]
    notes = [one for one in happened if isinstance(one, TakenMail)]
    try:
        clock = _Hour(now[0] if now else scene.clock(), notes)
        rooms = _rooms(scene, folder, clock, notes)
        for _ in range(_MAX_STEPS):
            tick(rooms)
            if not waits(rooms):
                break
            clock.jump(rooms, clock() + _STEP)
        taken = [*scene.relay.taken(), *(one for one in notes if isinstance(one, TakenMail))]
        ledger = Ledger(acknowledged, alone=scene.alone)
        found = ledger.breaches(remains_of(rooms, (*scene.names, *scene.alone), taken))
        rooms.close()
    except Exception as fault:
        return [f"the judge cannot go on: {type(fault).__name__}: {fault}"]
    return found


def _take_in(rooms: Application, order: Order, notes: list[Happened]) -> None:
    """Keep a mail, and note its 250 as the listener gives it: when `keep` has returned."""
    kept = arrival(order.raw, order.sent.sender, [order.to], rooms.services.secret)
    rooms.arrivals.keep([kept])
    notes.append(order.sent)


def _rooms(scene: Scene, folder: Path, clock: "_Hour", notes: list[Happened]) -> Application:
    database = f"sqlite:///{folder / 'judge.db'}"
    settings = load({**scene.environment, "MACHJUDGE_DATABASE": database})
    rooms = build(settings, clock=clock)
    return replace(rooms, sender=replace(rooms.sender, connect=lambda: Hands(notes)))


def _tell_sqlite(rooms: Application, synchronous: str) -> None:
    @event.listens_for(rooms.engine, "connect")
    def tell(dbapi, _entry) -> None:
        dbapi.execute(f"PRAGMA synchronous={synchronous}")

    rooms.engine.dispose()


class _Hour:
    """What time it is in a recorded life."""

    def __init__(self, now: datetime, notes: list[Happened]) -> None:
        self._now = now
        self._notes = notes

    def __call__(self) -> datetime:
        return self._now

    def on(self, span: timedelta) -> None:
        """Go on by a span."""
        self._now += span
        self._notes.append(self._now)

    def jump(self, rooms: Application, until: datetime) -> None:
        """Go on for long; to the judge it is as if somebody had looked all along."""
        self.on(until - self._now)
        with rooms.store.writing() as found:
            found.heartbeat.beat(until)
            found.commit()
