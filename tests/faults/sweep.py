"""Fail at the n-th step, for n = 1, 2, 3 and so on, until the whole deed comes to its end."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path

from tests.databases import drop_below, put_back, rows_of
from tests.faults.ledger import Ledger
from tests.faults.points import Point
from tests.faults.relay import OwnMailbox
from tests.faults.roles import Process, Role
from tests.faults.scene import Order, Scene, playing
from tests.patience import wait_until

_FARTHEST = 5000
"""No deed has so many steps."""


def taking_in(folder: Path, stride: int = 1) -> tuple[int, list[str]]:
    """Kill `serve` at each step of taking in the mails of four players.

    How often that was, and every promise that was broken.
    """
    with playing(folder, 1) as scene:
        orders = scene.orders()
        return _sweep(scene, stride, lambda step: _take_in(scene, orders, step))


def out_of_a_mailbox(
    folder: Path, stride: int, capabilities: tuple[str, ...]
) -> tuple[int, list[str]]:
    """Kill `tick` at each step of taking four players' mails from a mailbox.

    The deadline is over by then: what was in the mailbox before counts.
    """
    mailbox = OwnMailbox(capabilities)
    mailbox.start()
    try:
        with playing(folder, 1) as scene:
            scene.more["MACHJUDGE_INBOX"] = mailbox.address
            orders = scene.orders()
            return _sweep(
                scene, stride, lambda step: _take_out(scene, mailbox, orders, step), mailbox
            )
    finally:
        mailbox.end()


def _take_out(scene: Scene, mailbox: OwnMailbox, orders: list[Order], step: Point) -> Process:
    # A mail server tells whole seconds: one earlier it would be before the phase.
    received = scene.clock() + timedelta(seconds=1)
    for order in orders:
        mailbox.put(order.raw, received)
        scene.ledger.acknowledged[order.sent.id] = order.sent
    scene.let_deadlines_pass()
    return scene.fork(Role.TICK, deadly=step)


def playing_on(folder: Path, stride: int = 1) -> tuple[int, list[str]]:
    """Kill `tick` at each step of handling mails, playing a phase and telling the results."""
    with playing(folder, 1) as scene:
        serve = opened(scene)
        deliver_all(scene, scene.orders())
        serve.end()
        scene.let_deadlines_pass()
        return _sweep(scene, stride, lambda step: scene.fork(Role.TICK, deadly=step))


def opening(folder: Path, stride: int = 1) -> tuple[int, list[str]]:
    """Kill `tick` at each step of making a database and a secret where there are none."""
    breaches: list[str] = []
    for kills, number in enumerate(range(1, _FARTHEST, stride)):
        own = folder / f"opening{number}"
        own.mkdir()
        scene = Scene(own, games=0)
        process = scene.fork(Role.TICK, deadly=Point(number))
        process.wait()
        code = scene.fork(Role.TICK).wait()
        if code or not (own / "judge.secret").exists() or scene.played():
            breaches.append(f"killed at step {number}, the judge never opens: {scene.log()}")
        drop_below(own)
        if not process.where():
            return kills, breaches
    raise AssertionError(breaches)


def opened(scene: Scene, deadly: Point | None = None) -> Process:
    """A `serve` whose door is open, unless it has died before."""
    process = scene.fork(Role.SERVE, deadly=deadly)
    wait_until(lambda: process.is_over() or scene.is_open(), "the door")
    return process


def deliver_all(scene: Scene, orders: Sequence[Order]) -> None:
    """Hand mails over; each has got its 250."""
    for order in orders:
        assert scene.deliver(order), order.sent.id


def _take_in(scene: Scene, orders: list[Order], step: Point) -> Process:
    serve = opened(scene, step)
    for order in orders:
        if not scene.deliver(order):
            break
    serve.end()
    again = opened(scene)
    missing = [order for order in orders if order.sent.id not in scene.ledger.acknowledged]
    deliver_all(scene, missing)
    again.end()
    return serve


def _sweep(
    scene: Scene,
    stride: int,
    deed: Callable[[Point], Process],
    mailbox: OwnMailbox | None = None,
) -> tuple[int, list[str]]:
    """Begin the deed anew from the same rows for every step of it."""
    kept = scene.relay.mark(), dict(scene.ledger.acknowledged)
    now = scene.clock()
    with scene.opened() as rooms:
        rows = rows_of(rooms.engine)
    breaches: list[str] = []
    for kills, number in enumerate(range(1, _FARTHEST, stride)):
        with scene.opened() as rooms:
            put_back(rooms.engine, rows)
        scene.clock.set(now)
        scene.relay.back_to(kept[0])
        scene.ledger = Ledger(dict(kept[1]))
        process = deed(Point(number))
        process.wait()
        scene.rest()
        found = scene.breaches()
        if mailbox is not None and (left := mailbox.left()):
            found.append(f"{left} mails lie in the mailbox still")
        breaches += [f"killed at step {number}: {each}" for each in found]
        if not process.where():
            return kills, breaches
    raise AssertionError(breaches)
