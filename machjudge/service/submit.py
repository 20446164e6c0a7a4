"""Orders from a mail: what was understood, what is refused and why, what is on file afterwards.

A line never costs another one: each is read and judged by itself, a later one for the same unit
replaces an earlier one, and a refused one leaves what was on file in force (SYN-10).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from machjudge.adjudicator.lawful import objection_to, slot_of, sort_out
from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.naming import unit_named
from machjudge.adjudicator.orders import Build, Expense, Hold, Named, Order
from machjudge.adjudicator.reasons import Flaw, Objection
from machjudge.language.lexicon import lexicon_of
from machjudge.language.parse import parse_order
from machjudge.language.said import Ambiguous, Parsed, Problem
from machjudge.letters.notation import order_text
from machjudge.letters.trouble import Trouble
from machjudge.letters.why import objection
from machjudge.letters.words import Words, listed
from machjudge.reading import Line
from machjudge.service.records import MailId, Sheet, SheetLine
from machjudge.service.situation import Situation
from machjudge.service.speech import write_order
from machjudge.service.switches import is_left_out

_NOT_HERE_YET = "no game here is played with that yet"


@dataclass(frozen=True, slots=True)
class Given:
    """The order lines of one mail."""

    power: PowerId
    lines: tuple[Line, ...]
    received: datetime
    mail: MailId


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of them."""

    sheet: Sheet
    """The whole order set as it is on file now."""
    troubles: tuple[Trouble, ...]
    ignored: tuple[str, ...]
    """Comments that were not read."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """An order with the line that goes on file for it."""

    order: Order
    line: SheetLine


def submit(situation: Situation, given: Given) -> Taken:
    """Put the orders of a mail on file, beside what is there."""
    old = situation.sheets.get(given.power)
    entries: list[_Entry] = []
    refused: list[tuple[Line, Order | Problem | Ambiguous, Trouble]] = []
    ignored: list[str] = []
    for line in given.lines:
        parsed = _parse(situation, line)
        if parsed.ignored:
            ignored.append(f"line {line.number}: {parsed.ignored.strip()}")
        for said in parsed.said:
            trouble = _trouble(situation, given.power, line, said)
            if trouble is not None:
                refused.append((line, said, trouble))
            elif not isinstance(said, Problem | Ambiguous):
                entries.append(_Entry(said, _filed(situation, said, line, given)))
    merged = _merged(situation, given.power, old, entries)
    sheet = Sheet(
        game=situation.game.id,
        after=situation.phase.number,
        power=given.power,
        number=old.number + 1 if old is not None else 1,
        lines=merged,
        flawed=_is_flawed(old, given, bool(refused)),
        received=max(given.received, old.received) if old is not None else given.received,
        mail=given.mail,
    )
    filed = replace(situation, sheets={**situation.sheets, given.power: sheet})
    troubles = [
        replace(trouble, note=_in_force_for(filed, given.power, line, said))
        for line, said, trouble in refused
    ]
    return Taken(sheet, tuple(troubles), tuple(ignored))


def _parse(situation: Situation, line: Line) -> Parsed:
    return parse_order(
        line.text, lexicon_of(situation.world.scenario), situation.state.moment.stage
    )


def _filed(situation: Situation, order: Order, line: Line, given: Given) -> SheetLine:
    return SheetLine(
        written=line.text,
        canonical=write_order(situation.world, order),
        received=given.received,
        mail=given.mail,
    )


def _is_flawed(old: Sheet | None, given: Given, has_troubles: bool) -> bool:
    """What the newest mail says counts, also when an older one is handled after it."""
    if old is not None and old.received > given.received:
        return old.flawed
    return has_troubles


def _merged(
    situation: Situation, power: PowerId, old: Sheet | None, new: Sequence[_Entry]
) -> tuple[SheetLine, ...]:
    """Old and new lines in the order of their receipt, without those that a later one replaces."""
    kept = old.lines if old is not None else ()
    orders = situation.orders_of(power)
    before = [_Entry(order, line) for order, line in zip(orders, kept, strict=True)]
    entries = sorted([*before, *new], key=lambda entry: (entry.line.received, entry.line.mail or 0))
    sorted_out = sort_out(
        situation.world, situation.state, {power: tuple(entry.order for entry in entries)}
    )
    gone = {each.line for each in sorted_out.refused} | {each.line for each in sorted_out.replaced}
    left = [entry for number, entry in enumerate(entries) if number not in gone]
    return tuple(
        replace(entry.line, canonical=write_order(situation.world, order))
        for entry, order in zip(left, sorted_out.standing[power], strict=True)
    )


# --- refusals --------------------------------------------------------------------------------


def _trouble(
    situation: Situation, power: PowerId, line: Line, said: Order | Problem | Ambiguous
) -> Trouble | None:
    """Why something that was said is not taken, or nothing."""
    match said:
        case Problem():
            return _problem(line, said)
        case Ambiguous():
            return _ambiguous(line, said)
        case _:
            return _objection(situation, power, line, said)


def _problem(line: Line, problem: Problem) -> Trouble:
    expected = f"; expected: {listed(problem.expected, 'or')}" if problem.expected else ""
    return Trouble(
        line.number,
        problem.line,
        problem.reason + expected,
        column=problem.column,
        length=len(problem.found) or 1,
        instead=problem.nearest,
    )


def _ambiguous(line: Line, said: Ambiguous) -> Trouble:
    names = listed((f"{each.name} ({each.id})" for each in said.candidates), "or")
    return Trouble(
        line.number,
        said.line,
        f'"{said.text}" may mean {names}',
        column=said.column,
        length=len(said.text),
    )


def _objection(situation: Situation, power: PowerId, line: Line, order: Order) -> Trouble | None:
    words = Words(situation.world)
    if is_left_out(order):
        return Trouble(line.number, line.text, _NOT_HERE_YET)
    refused = _not_yours(situation, power, order) or objection_to(
        situation.world, situation.state, power, order
    )
    if refused is None:
        return None
    return Trouble(line.number, line.text, objection(words, refused))


def _not_yours(situation: Situation, power: PowerId, order: Order) -> Objection | None:
    """An order for another's unit counts only where it can be bought (SYN-12)."""
    named = getattr(order, "unit", None)
    if not isinstance(named, Named) or isinstance(order, Build | Expense):
        return None
    if not is_left_out(Expense(number=1, purpose=None)):
        return None
    unit = unit_named(situation.world, situation.state, power, named)
    if unit is None or unit.owner == power:
        return None
    return Objection(Flaw.NOT_YOURS, "SYN-10")


def _in_force_for(
    situation: Situation, power: PowerId, line: Line, said: Order | Problem | Ambiguous
) -> str:
    """What is in force for the unit that a refused line is about."""
    if not isinstance(said, Problem | Ambiguous):
        return _in_force(situation, power, said)
    words = line.text.split()
    for count in (2, 1, 3):
        read = _parse(situation, replace(line, text=f"{' '.join(words[:count])} h")).said
        if len(read) == 1 and isinstance(read[0], Hold):
            return _in_force(situation, power, read[0])
    return ""


def _in_force(situation: Situation, power: PowerId, order: Order) -> str:
    slot = slot_of(situation.world, situation.state, power, order)
    for old in situation.orders_of(power):
        if slot_of(situation.world, situation.state, power, old) == slot:
            return f"still in force: {order_text(Words(situation.world), old)}"
    return ""
