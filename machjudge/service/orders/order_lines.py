"""The order lines of a mail as orders; what is for many units is spelt out for each of them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from machjudge.adjudicator.legality.lawful import orders_for_many
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.orders import Named, Order, Sweep
from machjudge.adjudicator.model.rules import OrderNotation
from machjudge.language.vocabulary.numbered import UnitNumbers, numbers_of
from machjudge.language.vocabulary.said import Ambiguous, Fault, Problem
from machjudge.language.vocabulary.write import unit_text
from machjudge.reading import Line
from machjudge.sentence import Sentence
from machjudge.service.game.view import SeenGame
from machjudge.service.session.incoming import SaidLines

_MOST_WRONG = 100
"""After so much in a mail that is no order, the rest of it is not read: noise costs time."""


Comment: TypeAlias = tuple[int, str]
"""The number of a line, and what of it was not read."""


Heard: TypeAlias = tuple[Line, Order | Problem | Ambiguous]
"""A line, and one of the things that it says."""


@dataclass(frozen=True, slots=True)
class Swept:
    """An order for many units in a mail, and how many other things the mail says before it."""

    at: int
    line: Line
    sweep: Sweep


@dataclass(slots=True)
class OrderLines:
    """What the order lines of a mail say, as far as they are read."""

    heard: list[Heard] = field(default_factory=list)
    sweeps: list[Swept] = field(default_factory=list)
    """Orders for many units at once, each with how many others are before it."""
    ignored: list[Comment] = field(default_factory=list)
    """Comments that were not read, unless a sign announces them."""
    cut: int | None = None
    """The number of the first line that was not read, because too many above it are wrong."""
    written: dict[int, str] = field(default_factory=dict)
    """The lines that name units by numbers, by their own numbers, as they were written."""


def read_lines(
    situation: SeenGame, power: PowerId, lines: Sequence[Line], said: SaidLines
) -> OrderLines:
    """Read lines of a power as orders for the phase that is being played."""
    lexicon, stage = situation.lexicon, situation.state.moment.stage
    found = OrderLines()
    wrong = 0
    numbers = unit_numbers(situation, power)
    if numbers is not None:
        lines = _in_places(numbers, lines, found)
    for line in lines:
        if wrong >= _MOST_WRONG:
            found.cut = line.number
            break
        for text, each, _ in said.advised(line.text, lexicon, stage):
            if isinstance(each, Sweep):
                found.sweeps.append(Swept(len(found.heard), line, each))
                continue
            wrong += len(each.refused)
            found.heard += [(_piece(line, text, part), one) for one, part in each.parts()]
            if each.overlooked:
                found.ignored.append((line.number, each.overlooked))
    return found


def statement_of(text: str, part: tuple[int, int] | None) -> int:
    """The place of the statement in a line that a part of it stands in: a semicolon ends one."""
    return text.count(";", 0, part[0]) if part is not None else 0


def part_of(text: str, statement: int) -> str:
    """What stands up to the next semicolon; empty where that is the whole line."""
    parts = [each.strip() for each in text.split(";")]
    return parts[statement] if sum(map(bool, parts)) > 1 else ""


def _piece(line: Line, text: str, part: tuple[int, int] | None) -> Line:
    """The part of a line that an order is; most are whole lines."""
    return line if (line.text, line.part) == (text, part) else replace(line, text=text, part=part)


def unit_numbers(situation: SeenGame, power: PowerId) -> UnitNumbers | None:
    """The numbers of units that a power may write now; None where units have none (MOV-03)."""
    if situation.world.rules.game.notation is OrderNotation.PLACES:
        return None
    state = situation.state
    units = (*state.units(), *(each.unit for each in state.dislodged))
    return numbers_of(power, units, situation.orders_of(power), situation.lexicon)


def _in_places(numbers: UnitNumbers, lines: Sequence[Line], found: OrderLines) -> list[Line]:
    """The lines with places for the numbers of units; expenses are numbered in their order."""
    placed: list[Line] = []
    texts = numbers.in_sheet([line.text for line in lines])
    for line, text in zip(lines, texts, strict=True):
        if isinstance(text, Problem):
            found.heard.append((line, text))
        else:
            placed.append(replace(line, text=text))
            if text != line.text:
                found.written[line.number] = line.text
    return placed


def spelt_out(
    situation: SeenGame, power: PowerId, heard: Sequence[Heard], sweeps: Sequence[Swept]
) -> list[Heard]:
    """What the lines of a mail say, each sweep as a line for each unit that it means.

    They stand where the sweep was written: what is written first is paid first (ADJ-12).
    """
    known = list(heard)
    found = list(heard)
    for swept in sweeps:
        orders = [(swept.line, each) for each in _orders(situation, power, swept.sweep, known)]
        at = swept.at + len(known) - len(heard)
        found[at:at] = orders
        known += orders
    return found


def _orders(
    situation: SeenGame, power: PowerId, sweep: Sweep, heard: Sequence[Heard]
) -> list[Order | Problem]:
    given = [each for _, each in heard if not isinstance(each, Problem | Ambiguous)]
    if sweep.rest:
        given += situation.orders_of(power)
    orders = orders_for_many(situation.world, situation.state, power, sweep, given)
    return [_nobody_there(situation, orders)] if isinstance(orders, Named) else [*orders]


def _nobody_there(situation: SeenGame, named: Named) -> Problem:
    text = unit_text(named, situation.lexicon)
    return Problem(text, 0, Fault.NO_PLACE, Sentence("orders.no_unit", unit=text), text)
