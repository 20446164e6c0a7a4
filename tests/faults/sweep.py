"""Fail at the n-th step, for n = 1, 2, 3 and so on, until the whole deed comes to its end."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path

from machjudge.adjudicator.names import PlaceId
from machjudge.adjudicator.state import State
from machjudge.judge.ports import UnitOfWork
from machjudge.judge.records import Game, GameId
from tests.databases import drop_below, put_back, rows_of
from tests.faults.ledger import Ledger
from tests.faults.points import Point
from tests.faults.relay import OwnMailbox, by_id
from tests.faults.roles import Process, Role
from tests.faults.scene import POWERS, Order, Scene, playing
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


def playing_on(folder: Path, stride: int = 1, before: int = 0) -> tuple[int, list[str]]:
    """Kill `tick` at each step of handling mails, playing a phase and telling the results.

    :param before: how many phases are played undisturbed; a year ends with the fifth.
    """
    with playing(folder, 1) as scene:
        for _ in range(before):
            _hand_in(scene, scene.orders())
            scene.let_deadlines_pass()
            scene.rest()
        _hand_in(scene, scene.orders())
        scene.let_deadlines_pass()
        return _sweep(scene, stride, lambda step: scene.fork(Role.TICK, deadly=step))


def agreeing(folder: Path, stride: int = 1) -> tuple[int, list[str]]:
    """Kill `tick` at each step of accepting an agreement and playing the phase with it."""
    with playing(folder, 1, rule="set option trade_provinces on") as scene:
        giver, place = _free_province(scene)
        taker = next(power for power in POWERS if power != giver)
        offer = scene.orders({giver: f"offer {taker}: {place} for vote draw"})
        _hand_in(scene, [each for each in offer if each.sent.sender.startswith(giver.lower())])
        scene.rest()
        orders = scene.orders({taker: "accept"})
        _hand_in(scene, [each for each in orders if not each.sent.sender.startswith(giver.lower())])
        scene.let_deadlines_pass()
        return _sweep(
            scene,
            stride,
            lambda step: scene.fork(Role.TICK, deadly=step),
            also=lambda there: _half_done(there, place, taker),
        )


def _free_province(scene: Scene) -> tuple[str, str]:
    """A player's power with a province that it may cede."""
    with scene.opened() as rooms, rooms.store.reading() as found:
        state = _position(found, scene)[1]
    return next(
        (power, place)
        for place, power in sorted(state.provinces.items())
        if power in POWERS and state.cities.get(place, power) == power and not state.units_at(place)
    )


def _position(found: UnitOfWork, scene: Scene) -> tuple[Game, State]:
    game = found.games.get(GameId(scene.names[0]))
    assert game is not None
    assert game.position is not None
    return game, found.phases.get(game.id, game.position).after


def _half_done(scene: Scene, place: str, taker: str) -> list[str]:
    """What is wrong with an agreement that got its 250s in time."""
    with scene.opened() as rooms, rooms.store.reading() as found:
        game, state = _position(found, scene)
    owner = state.provinces[PlaceId(place)]
    voted = [power for seat in game.seats if seat.draw for power in seat.powers]
    sent = [copies[0] for copies in by_id([*scene.relay.taken()]).values()]
    accepted = sum("has accepted offer" in mail.subject for mail in sent)
    told = sum("was carried out" in " ".join(mail.content.split()) for mail in sent)
    return [
        *([] if owner == taker else [f"{place} is of {owner}"]),
        *([] if voted == [taker] else [f"{voted} have voted"]),
        *([] if accepted == 1 else [f"the acceptance was told {accepted} times"]),
        *([] if told == _TOLD else [f"{told} read what came of it"]),
    ]


_TOLD = 3
"""The two sides, and the master, who does not play."""


def _hand_in(scene: Scene, orders: Sequence[Order]) -> None:
    serve = opened(scene)
    deliver_all(scene, orders)
    serve.end()


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
    also: Callable[[Scene], list[str]] = lambda _: [],
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
        scene.ledger = Ledger(dict(kept[1]), alone=scene.alone)
        process = deed(Point(number))
        process.wait()
        scene.rest()
        found = scene.breaches() + also(scene)
        if mailbox is not None and (left := mailbox.left()):
            found.append(f"{left} mails lie in the mailbox still")
        breaches += [f"killed at step {number}: {each}" for each in found]
        if not process.where():
            return kills, breaches
    raise AssertionError(breaches)
