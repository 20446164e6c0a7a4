"""Troubles that kill nobody: a full disk, a database that is locked, a relay in a bad mood."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from machjudge.db import engine
from tests.faults.relay import Mood
from tests.faults.roles import Role
from tests.faults.scene import Scene, playing
from tests.faults.sweep import opened
from tests.patience import wait_until

_ROOM = 40_000
"""How many bytes a file may still have on the full disk."""


def full_disk(folder: Path) -> tuple[int, list[str]]:
    """Mails come in while the disk fills up; how many were refused, and what was broken."""
    with playing(folder, 2) as scene:
        orders = scene.orders()
        serve = scene.fork(Role.SERVE, largest_file=_ROOM)
        wait_until(lambda: serve.is_over() or scene.is_open(), "the door")
        taken = [scene.deliver(order) for order in orders]
        code = scene.fork(Role.TICK, largest_file=_ROOM).wait()
        serve.end()
        again = opened(scene)
        rest = [scene.deliver(each) for each, kept in zip(orders, taken, strict=True) if not kept]
        again.end()
        assert all(rest)
        return taken.count(False) + (code != 0), _played_on(scene)


def locked(folder: Path) -> tuple[int, list[str]]:
    """Somebody else keeps the database locked for longer than the judge is patient."""
    with playing(folder, 1) as scene:
        orders = scene.orders()
        with _hurried():
            serve = opened(scene)
        with _lock(scene):
            taken = [scene.deliver(order) for order in orders[:2]]
        rest = [scene.deliver(order) for order in orders[taken.count(True) :]]
        serve.end()
        assert all(rest)
        return taken.count(False), _played_on(scene)


def moods(folder: Path) -> tuple[int, list[str]]:
    """A relay that is in each bad mood once, while an answer is sent."""
    bad = [mood for mood in Mood if mood is not Mood.WELL]
    with playing(folder, 2) as scene:
        orders = scene.orders()
        serve, worker = opened(scene), scene.fork(Role.WORKER)
        for order, mood in zip(orders, bad, strict=False):
            scene.relay.mood = mood
            assert scene.deliver(order)
            wait_until(lambda known=order.sent.id: _is_tried(scene, known), f"a try: {mood}")
            scene.relay.mood = Mood.WELL
        rest = [scene.deliver(order) for order in orders[len(bad) :]]
        serve.end()
        worker.end()
        assert all(rest)
        with scene.opened() as rooms:
            given_up = rooms.keepers.messages_given_up()
            retried = [rooms.keepers.retry_message(each.id) for each in given_up]
        assert retried == [True]
        return len(bad), _played_on(scene)


def _is_tried(scene: Scene, known: str) -> bool:
    """True if the relay was asked to take the answer to a mail, and something came of it."""
    answers = scene.rows("SELECT answers, why, state FROM outbox")
    return any(mail == known and (why or state != "waiting") for mail, why, state in answers)


def _played_on(scene: Scene) -> list[str]:
    """Let the deadlines pass on a judge that has no trouble any more; what is wrong then."""
    scene.rest()
    scene.let_deadlines_pass()
    scene.rest()
    played = [] if scene.played() == scene.games else ["a phase is not played"]
    return [*played, *scene.breaches()]


@contextmanager
def _hurried() -> Iterator[None]:
    """Processes that begin meanwhile wait a second for a lock; others, as long as it takes."""
    usual, engine.PATIENCE_SECONDS = engine.PATIENCE_SECONDS, 1
    try:
        yield
    finally:
        engine.PATIENCE_SECONDS = usual


@contextmanager
def _lock(scene: Scene) -> Iterator[None]:
    connection = sqlite3.connect(scene.folder / "judge.db", isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        connection.rollback()
        connection.close()
