"""Orders from a mail: what was understood, what is refused and why, what is on file afterwards.

A line never costs another one: each is read and judged by itself, a later one for the same unit
replaces an earlier one, and a refused one leaves what was on file in force (SYN-10).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from machjudge.adjudicator.events import ChitGiven
from machjudge.adjudicator.legality.lawful import Slot, Sorted, objection_to, slot_of, sort_out
from machjudge.adjudicator.legality.naming import unit_named
from machjudge.adjudicator.model.moments import Stage
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.orders import GiveChit, Hold, Maintain, Order, Remove, UnitOrder
from machjudge.adjudicator.model.reasons import Flaw, Objection
from machjudge.language.orders.parse import parse_order, read_order
from machjudge.language.orders.sweeps import Sweep, parse_sweep, parted
from machjudge.language.vocabulary.lexicon import lexicon_of
from machjudge.language.vocabulary.said import Ambiguous, Fault, Parsed, Problem
from machjudge.letters.page.reply import MOST_TROUBLES
from machjudge.letters.wording.notation import order_text
from machjudge.letters.wording.trouble import Trouble
from machjudge.letters.wording.why import objection
from machjudge.letters.wording.words import Words, counted, listed
from machjudge.reading import Line
from machjudge.service.game.stored_orders import write_order
from machjudge.service.game.view import GameView
from machjudge.service.model.records import MailId, Sheet, SheetLine
from machjudge.service.orders.advice import instead, only_meaning
from machjudge.service.orders.orders_for_all import Heard, Swept, spelt_out
from machjudge.service.session.between_phases import chits_given

_MOST_WRONG = 100
"""After so much in a mail that is no order, the rest of it is not read: noise costs time."""


@dataclass(frozen=True, slots=True)
class Given:
    """The order lines of one mail."""

    power: PowerId
    lines: tuple[Line, ...]
    received: datetime
    mail: MailId
    also: frozenset[PowerId] = frozenset()
    """Other powers that the writer leads; their units are no strangers' units."""
    flawed: bool = False
    """Whether other lines of the mail, meant for this phase, could not be read."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of them."""

    sheet: Sheet | None
    """The whole order set as it is on file now; none where the mail only gave chits away."""
    troubles: tuple[Trouble, ...]
    ignored: tuple[str, ...]
    """Comments that were not read, unless a sign announces them."""
    chits: tuple[ChitGiven, ...] = ()
    """What takes effect at once (ASN-02)."""
    notices: tuple[str, ...] = ()
    """Which lines of the mail replace others of it."""
    cut: int | None = None
    """The number of the first line that was not read, because too many above it are wrong."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """An order with the line that goes on file for it."""

    order: Order
    filed: SheetLine
    source: Line | None = None
    """The line of the mail; none for an order that was on file before."""


@dataclass(frozen=True, slots=True)
class _Merged:
    """Old and new orders together."""

    lines: tuple[SheetLine, ...]
    refused: "list[_Refused]"
    notices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Refused:
    """Something that was said and is not taken."""

    line: Line
    said: Order | Problem | Ambiguous
    trouble: Trouble
    flaw: Flaw | None = None
    """Why it may not be ordered here and now; none for what could not be read."""


def submit(situation: GameView, given: Given) -> Taken:
    """Put the orders of a mail on file, beside what is there, and see which chits it gives away."""
    lines, parted_off = _swept(situation, given.lines)
    parsed = _read(situation, lines)
    remarks = (f"line {at.number}: {each.overlooked}" for at, each in parsed if each.overlooked)
    unread = lines[len(parsed) :][:1]
    ignored = (*remarks, *(f"line {line.number}: {_TOO_MUCH_IS_WRONG}" for line in unread))
    cut = next((line.number for line in unread), None)
    plain = [
        (replace(line, part=part), said) for line, each in parsed for said, part in each.parts()
    ]
    sweeps = [
        Swept(sum(len(each.said) for _, each in parsed[:at]), line, sweep)
        for at, line, sweep in parted_off
    ]
    heard = spelt_out(situation, given.power, plain, sweeps)
    chits, refused = _chits(situation, given, heard)
    others = [(line, said) for line, said in heard if not isinstance(said, GiveChit)]
    if chits and not refused and not others:
        return Taken(None, (), ignored, chits)
    more, entries = _first_look(situation, given, others)
    merged = _merged(situation, given.power, entries)
    more = [_for_another(situation, given, each) for each in more + merged.refused]
    refused += _once_each(more, sweeps)
    is_flawed = given.flawed or not all(_means_nothing(situation, each) for each in refused)
    sheet = _sheet(situation, given, merged.lines, is_flawed=is_flawed)
    filed = replace(situation, sheets={**situation.sheets, given.power: sheet})
    troubles = tuple(_noted(filed, given.power, refused))
    return Taken(sheet, troubles, ignored, chits, merged.notices, cut)


def _means_nothing(situation: GameView, refused: _Refused) -> bool:
    """Whether a line can mean nothing in this phase, so that nobody waits until it is mended.

    An order of another kind of phase, or for a unit that need not retreat.
    """
    if not isinstance(refused.said, Problem):
        return refused.flaw in (Flaw.WRONG_PHASE, Flaw.NOT_DISLODGED)
    if refused.said.fault is not Fault.PHASE:
        return False
    lexicon, line = lexicon_of(situation.world.scenario), refused.said.line
    return any(
        isinstance(parse_sweep(line, lexicon, stage), Sweep)
        or not read_order(line, lexicon, stage).refused
        for stage in Stage
    )


def _swept(
    situation: GameView, lines: Sequence[Line]
) -> tuple[list[Line], list[tuple[int, Line, Sweep]]]:
    """The other lines, and the orders for many units at once, each with how many are before it.

    One may stand behind a comma.
    """
    lexicon, stage = lexicon_of(situation.world.scenario), situation.state.moment.stage
    sweeps: list[tuple[int, Line, Sweep]] = []
    others: list[Line] = []
    for line in lines:
        for piece in parted(line.text, lexicon, stage):
            sweep = parse_sweep(piece, lexicon, stage)
            if isinstance(sweep, Sweep):
                sweeps.append((len(others), line, sweep))
            else:
                others.append(replace(line, text=piece))
    return others, sweeps


def _once_each(refused: "list[_Refused]", sweeps: Sequence[Swept]) -> "list[_Refused]":
    """Of an order for many units one refusal says it all."""
    swept = {each.line.number for each in sweeps}
    found: list[_Refused] = []
    for each in refused:
        number = each.line.number
        if number not in swept or number not in {other.line.number for other in found}:
            found.append(each)
    return found


def _sheet(
    situation: GameView, given: Given, lines: tuple[SheetLine, ...], *, is_flawed: bool
) -> Sheet:
    old = situation.sheets.get(given.power)
    return Sheet(
        game=situation.game.id,
        after=situation.phase.number,
        power=given.power,
        number=old.number + 1 if old is not None else 1,
        lines=lines,
        flawed=_is_flawed(old, given, is_flawed),
        received=max(given.received, old.received) if old is not None else given.received,
        mail=given.mail,
    )


def _chits(
    situation: GameView, given: Given, heard: Sequence[Heard]
) -> tuple[tuple[ChitGiven, ...], list[_Refused]]:
    """The chits that the mail gives away, and the gifts that the rules forbid."""
    gifts = [(line, said) for line, said in heard if isinstance(said, GiveChit)]
    results = chits_given(situation, given.power, [order for _, order in gifts])
    refused = [
        _refused_by(situation, given.power, line, order, result)
        for (line, order), result in zip(gifts, results, strict=True)
        if isinstance(result, Objection)
    ]
    return tuple(result for result in results if isinstance(result, ChitGiven)), refused


_TOO_MUCH_IS_WRONG = "too many lines are wrong; those from here on were not read"


def _read(situation: GameView, lines: Sequence[Line]) -> list[tuple[Line, Parsed]]:
    """What the lines say, as far as they are read."""
    found: list[tuple[Line, Parsed]] = []
    wrong = 0
    for line in lines:
        if wrong >= _MOST_WRONG:
            break
        parsed = _parse(situation, line)
        wrong += len(parsed.refused)
        found.append((line, parsed))
    return found


def _noted(situation: GameView, power: PowerId, refused: list[_Refused]) -> Iterator[Trouble]:
    """The troubles by their lines, with what stays in force for those that are shown."""
    refused.sort(key=lambda each: each.line.number)
    for each in refused[:MOST_TROUBLES]:
        yield replace(each.trouble, note=_in_force_for(situation, power, each))
    yield from (each.trouble for each in refused[MOST_TROUBLES:])


def _parse(situation: GameView, line: Line) -> Parsed:
    lexicon, stage = lexicon_of(situation.world.scenario), situation.state.moment.stage
    flaw = parse_sweep(line.text, lexicon, stage)
    if isinstance(flaw, Problem | Ambiguous):
        return Parsed((flaw,))
    return parse_order(line.text, lexicon, stage)


def _first_look(
    situation: GameView, given: Given, heard: Sequence[Heard]
) -> tuple[list[_Refused], list[_Entry]]:
    """What cannot be taken whatever else is on file, and the orders that may."""
    refused: list[_Refused] = []
    entries: list[_Entry] = []
    for line, said in heard:
        trouble = trouble_of(line, said)
        if trouble is not None:
            if isinstance(said, Ambiguous):
                meant = only_meaning(situation, given.power, said)
                trouble = replace(trouble, instead=meant)
            refused.append(_Refused(line, said, trouble))
        elif not isinstance(said, Problem | Ambiguous):
            entries.append(_Entry(said, _filed(situation, said, line, given), line))
    return refused, entries


def _filed(situation: GameView, order: Order, line: Line, given: Given) -> SheetLine:
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
    if old is not None and old.flawed and old.mail == given.mail:
        return True
    return has_troubles


def _merged(situation: GameView, power: PowerId, new: Sequence[_Entry]) -> _Merged:
    """Old and new lines in the order of their receipt, and what is refused of the new ones.

    Refused lines are taken out first, so that under all rules they replace nothing.
    """
    old = situation.sheets.get(power)
    lines = old.lines if old is not None else ()
    before = [_Entry(*pair) for pair in zip(situation.orders_of(power), lines, strict=True)]
    entries = sorted(
        [*before, *new], key=lambda entry: (entry.filed.received, entry.filed.mail or 0)
    )
    no = {each.line: each.because for each in _sorted(situation, power, entries).refused}
    refused = [
        _refused_by(situation, power, entry.source, entry.order, no[number])
        for number, entry in enumerate(entries)
        if number in no and entry.source is not None
    ]
    left = [entry for number, entry in enumerate(entries) if number not in no]
    replaced = _sorted(situation, power, left).replaced
    notices = (_replaced(situation, left[each.line], left[each.by]) for each in replaced)
    told = [line for line in notices if line]
    standing = _standing(situation, power, left)
    added = (entry for entry in left if entry.source is not None)
    places = _places(situation, power, [*before, *added])
    standing.sort(key=lambda each: places.get(each[0], len(places)))
    return _Merged(tuple(line for _, line in standing), refused, tuple(_shortened(told)))


def _places(situation: GameView, power: PowerId, entries: Sequence[_Entry]) -> dict[Slot, int]:
    """Where what an order is about stands first, so that a correction keeps its place."""
    places: dict[Slot, int] = {}
    for place, entry in enumerate(entries):
        places.setdefault(slot_of(situation.world, situation.state, power, entry.order), place)
    return places


def _shortened(notices: list[str]) -> list[str]:
    """The first notices, and how many there are besides."""
    more = len(notices) - MOST_TROUBLES
    if more <= 0:
        return notices
    return [*notices[:MOST_TROUBLES], f"And {counted(more, 'more line')} replaced in the same way."]


def _replaced(situation: GameView, old: _Entry, new: _Entry) -> str:
    """That a line of the mail takes the place of another one of it, which may be a slip."""
    if old.source is None or new.source is None:
        return ""
    text = order_text(Words(situation.world), old.order)
    return f"Line {new.source.number} replaces line {old.source.number}: {text}."


def _sorted(situation: GameView, power: PowerId, entries: Sequence[_Entry]) -> Sorted:
    orders = tuple(entry.order for entry in entries)
    return sort_out(situation.world, situation.state, {power: orders})


def _refused_by(
    situation: GameView, power: PowerId, line: Line, order: Order, because: Objection
) -> _Refused:
    reason = objection(Words(situation.world), because)
    advice = instead(situation, power, order, because)
    reason = f"{reason}; {advice}" if advice else reason
    trouble = Trouble(line.number, line.text, reason, part=line.part)
    return _Refused(line, order, trouble, because.flaw)


def _for_another(situation: GameView, given: Given, refused: _Refused) -> _Refused:
    """Where the unit is one of another power of the writer, say how orders for that are written."""
    said = refused.said
    if not isinstance(said, UnitOrder | Maintain | Remove):
        return refused
    unit = unit_named(situation.world, situation.state, given.power, said.unit)
    if unit is None or unit.owner not in given.also:
        return refused
    name = Words(situation.world).power(unit.owner)
    reason = f"that is {name}'s unit; write a line FOR {name} before its orders"
    return replace(refused, trouble=replace(refused.trouble, reason=reason))


def _standing(
    situation: GameView, power: PowerId, entries: Sequence[_Entry]
) -> list[tuple[Slot, SheetLine]]:
    """The lines that no later one replaces, in full, with what they are about.

    What only took back a build has done so.
    """
    sorted_out = _sorted(situation, power, entries)
    gone = {each.line for each in sorted_out.replaced}
    left = [entry for number, entry in enumerate(entries) if number not in gone]
    world, state = situation.world, situation.state
    return [
        (
            slot_of(world, state, power, order),
            replace(entry.filed, canonical=write_order(world, order)),
        )
        for entry, order in zip(left, sorted_out.standing[power], strict=True)
        if objection_to(world, state, power, order) is None
    ]


# --- refusals --------------------------------------------------------------------------------


def trouble_of(line: Line, said: Order | Problem | Ambiguous) -> Trouble | None:
    """Why something that was said cannot be an order, or nothing."""
    match said:
        case Problem():
            return _problem(line, said)
        case Ambiguous():
            return _ambiguous(line, said)
        case _:
            return None


def _problem(line: Line, problem: Problem) -> Trouble:
    expected = f"; expected: {listed(problem.expected, 'or')}" if problem.expected else ""
    return Trouble(
        line.number,
        problem.line,
        problem.reason + expected,
        column=problem.column,
        length=len(problem.found) or 1,
        instead=problem.nearest,
        part=line.part,
    )


def _ambiguous(line: Line, said: Ambiguous) -> Trouble:
    names = listed((f"{each.name} ({each.id})" for each in said.candidates), "or")
    return Trouble(
        line.number,
        said.line,
        f'"{said.text}" may mean {names}',
        column=said.column,
        length=len(said.text),
        part=line.part,
    )


def _in_force_for(situation: GameView, power: PowerId, refused: _Refused) -> str:
    """What is in force for the unit that a refused line is about."""
    if not isinstance(refused.said, Problem | Ambiguous):
        return _in_force(situation, power, refused.said)
    words = refused.line.text.split()
    for count in (2, 1, 3):
        start = replace(refused.line, text=f"{' '.join(words[:count])} h")
        read = _parse(situation, start).said
        if len(read) == 1 and isinstance(read[0], Hold):
            return _in_force(situation, power, read[0])
    return ""


def _in_force(situation: GameView, power: PowerId, order: Order) -> str:
    slot = slot_of(situation.world, situation.state, power, order)
    for old in situation.orders_of(power):
        if slot_of(situation.world, situation.state, power, old) == slot:
            return f"still in force: {order_text(Words(situation.world), old)}"
    return ""
