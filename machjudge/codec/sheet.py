"""The lines of a task, read and played: what each says, and what the phase made of them."""

from collections.abc import Iterator
from dataclasses import dataclass

from machjudge.adjudicator.chits import hand_over
from machjudge.adjudicator.dice import DiceMissing
from machjudge.adjudicator.events import Event
from machjudge.adjudicator.evolve import evolve
from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.orders import Order, Orders
from machjudge.adjudicator.phase import play
from machjudge.adjudicator.reasons import Objection
from machjudge.adjudicator.state import State
from machjudge.codec.notation import Gift, Notation, NotRead, Said
from machjudge.codec.shape import Unfit
from machjudge.codec.task import Task


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that a line says; most lines say one thing."""

    power: PowerId
    given: str
    said: Said
    line: int
    """Of an order: its place among the orders of its power, from 0."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A phase played."""

    task: Task
    entries: tuple[Entry, ...]
    refused_gifts: tuple[tuple[Entry, Objection], ...]
    start: State
    """The position that the orders met, after chits changed hands."""
    standing: Orders
    events: tuple[Event, ...]
    """Everything that happened, from the position given to the one after."""
    state: State
    """The position after."""


def play_task(task: Task, notation: Notation) -> Outcome:
    """Read the lines of a task and play its phase.  Raises Unfit where dice are missing."""
    entries = tuple(_read(task, notation))
    gifts, refused, start = _hand_over_chits(task, entries)
    try:
        played = play(task.world, start, _orders(entries), task.dice)
    except DiceMissing as missing:
        raise Unfit(str(missing), "dice") from missing
    return Outcome(
        task, entries, refused, start, played.standing, gifts + played.events, played.state
    )


def _read(task: Task, notation: Notation) -> Iterator[Entry]:
    stage = task.state.moment.stage
    for power, lines in task.sheets.items():
        count = 0
        for given in lines:
            for said in notation.read(task.world.scenario, stage, given):
                yield Entry(power, given, said, count)
                count += not isinstance(said, Gift | NotRead)


def _orders(entries: tuple[Entry, ...]) -> Orders:
    orders: dict[PowerId, tuple[Order, ...]] = {}
    for entry in entries:
        if not isinstance(entry.said, Gift | NotRead):
            orders[entry.power] = (*orders.get(entry.power, ()), entry.said)
    return orders


def _hand_over_chits(
    task: Task, entries: tuple[Entry, ...]
) -> tuple[tuple[Event, ...], tuple[tuple[Entry, Objection], ...], State]:
    given: list[Event] = []
    refused: list[tuple[Entry, Objection]] = []
    state = task.state
    for entry in entries:
        if not isinstance(entry.said, Gift):
            continue
        gift = hand_over(task.world, state, entry.power, entry.said.to, entry.said.of)
        if isinstance(gift, Objection):
            refused.append((entry, gift))
        else:
            given.append(gift)
            state = evolve(state, gift)
    return tuple(given), tuple(refused), state
