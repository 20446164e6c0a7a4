"""The lines of a task, read and played: what each says, and what the phase made of it all."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from machjudge.adjudicator.legality.lawful import orders_for_many
from machjudge.adjudicator.model.dice import DiceMissing
from machjudge.adjudicator.model.names import AUTONOMOUS, PowerId
from machjudge.adjudicator.model.orders import Named, Order, Orders, Sweep
from machjudge.adjudicator.model.rules import OrderNotation
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.units import Unit, unit_order
from machjudge.adjudicator.year.numbers import with_numbers
from machjudge.adjudicator.year.phase import Played, play
from machjudge.codec.adjudication.task import Task
from machjudge.codec.document.notation import Notation, NotRead, Said
from machjudge.codec.document.shape import Unfit


class SheetEntry(NamedTuple):
    """One thing that a line says."""

    power: PowerId
    given: str
    said: Order | NotRead
    line: int
    """Of an order: its place among the orders of its power, from 0."""


_NOTHING = NotRead("the line says nothing")


def read_entries(task: Task, notation: Notation) -> tuple[SheetEntry, ...]:
    """What the lines of a task say, powers sorted, each power's lines in the order given."""
    return tuple(
        entry for power in sorted(task.sheets) for entry in _read_sheet(task, power, notation)
    )


def _read_sheet(task: Task, power: PowerId, notation: Notation) -> Iterator[SheetEntry]:
    scenario, stage = task.world.scenario, task.state.moment.stage
    heard: list[tuple[str, Said]] = []
    lines = task.sheets[power]
    placed: Sequence[str | NotRead] = lines
    if task.world.rules.game.notation is OrderNotation.NUMBERS:
        placed = notation.in_places(scenario, power, _numbered(task.state), lines)
    for given, text in zip(lines, placed, strict=True):
        read = (text,) if isinstance(text, NotRead) else notation.read(scenario, stage, power, text)
        heard += [(given, said) for said in read or (_NOTHING,)]
    count = 0
    for given, said in _spelt_out(task, power, heard, notation):
        yield SheetEntry(power, given, said, count)
        count += not isinstance(said, NotRead)


def _spelt_out(
    task: Task, power: PowerId, heard: Sequence[tuple[str, Said]], notation: Notation
) -> Iterator[tuple[str, Order | NotRead]]:
    """What the lines say, an order for many units as one for each that no other line names."""
    known = [said for _, said in heard if not isinstance(said, NotRead | Sweep)]
    for given, said in heard:
        if not isinstance(said, Sweep):
            yield given, said
            continue
        orders = orders_for_many(task.world, task.state, power, said, known)
        if isinstance(orders, Named):
            yield given, notation.nobody_there(task.world.scenario, orders)
        else:
            known += orders
            yield from ((given, order) for order in orders)


def _numbered(state: State) -> list[Unit]:
    """All units of a position; those that it gives no number have the lowest free, by places."""
    units = [*state.units(), *(each.unit for each in state.dislodged)]
    bare = [unit for unit in units if not unit.number and unit.owner != AUTONOMOUS]
    new = with_numbers(sorted(bare, key=unit_order), units)
    return [*(unit for unit in units if unit not in bare), *(u.numbered(n) for u, n in new)]


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
