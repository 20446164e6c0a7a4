"""The lines of a task, read and played: what each says, and what the phase made of it all."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from machjudge.adjudicator.model.dice import DiceMissing
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.orders import Order, Orders
from machjudge.adjudicator.model.rules import OrderNotation
from machjudge.adjudicator.year.phase import Played, play
from machjudge.codec.adjudication.task import Task
from machjudge.codec.document.notation import Notation, NotRead, Said
from machjudge.codec.document.shape import Unfit


class SheetEntry(NamedTuple):
    """One thing that a line says."""

    power: PowerId
    given: str
    said: Said
    line: int
    """Of an order: its place among the orders of its power, from 0."""


_NOTHING = NotRead("the line says nothing")


def read_entries(task: Task, notation: Notation) -> tuple[SheetEntry, ...]:
    """What the lines of a task say, powers sorted, each power's lines in the order given."""
    return tuple(
        entry for power in sorted(task.sheets) for entry in _read_sheet(task, power, notation)
    )


def _read_sheet(task: Task, power: PowerId, notation: Notation) -> Iterator[SheetEntry]:
    count = 0
    scenario, stage = task.world.scenario, task.state.moment.stage
    lines = task.sheets[power]
    placed: Sequence[str | NotRead] = lines
    if task.world.rules.game.notation is OrderNotation.NUMBERS:
        waiting = (each.unit for each in task.state.dislodged)
        units = (*task.state.units(), *waiting)
        placed = notation.in_places(scenario, power, units, lines)
    for given, text in zip(lines, placed, strict=True):
        read = (text,) if isinstance(text, NotRead) else notation.read(scenario, stage, text)
        for said in read or (_NOTHING,):
            yield SheetEntry(power, given, said, count)
            count += not isinstance(said, NotRead)


def play_entries(task: Task, entries: tuple[SheetEntry, ...]) -> Played:
    """Play the phase of a task with its entries.  Raises Unfit where dice are missing."""
    sheets: dict[PowerId, list[Order]] = {}
    for entry in entries:
        if not isinstance(entry.said, NotRead):
            sheets.setdefault(entry.power, []).append(entry.said)
    orders: Orders = {power: tuple(sheet) for power, sheet in sheets.items()}
    try:
        return play(task.world, task.state, orders, task.dice)
    except DiceMissing as missing:
        where = f"dice.{missing.throw.purpose}" if missing.given else "dice"
        raise Unfit(str(missing), where) from missing
