"""``machjudge adjudicate``: phases as lines of JSON in, their results as lines of JSON out.

The format is described in ``docs/adjudicate.md``.
"""

import re
import sys
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import BinaryIO, get_args

import click

from machjudge.adjudicator import events as event_types
from machjudge.adjudicator.board import Scenario
from machjudge.adjudicator.events import Event
from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.orders import BulkOrder, Named, Order
from machjudge.adjudicator.reasons import Reason
from machjudge.adjudicator.units import Unit
from machjudge.cli import with_settings
from machjudge.cli.console import Readable, say
from machjudge.cli.faults import WRONG
from machjudge.formats.adjudicate import (
    WHOLE,
    AnsweredLine,
    NotRead,
    Refusal,
    Result,
    Said,
    Why,
    answer,
    id_of,
    write_answer,
)
from machjudge.language.lexicon import lexicon_of, numbers_of, unit_text, write
from machjudge.language.orders import read_line
from machjudge.language.words import Parsed, ParseError, fold, in_words
from machjudge.map_files.folders import Atlas
from machjudge.messages.results import PlayedPhase, Results, phase_results
from machjudge.messages.visibility import EVERYTHING
from machjudge.messages.wording import (
    SectionLine,
    Words,
    ducats,
    listed,
    reason_words,
    section_lines,
)
from machjudge.settings import Settings
from machjudge.translatable import Message

_REASONS = get_args(Reason)


_TITLES = {
    "victory": "Victory",
    "money": "Money",
    "unrest": "Sieges and rebellions",
    "dislodged": "Dislodged",
    "control": "Changed hands",
    "fates": "Powers",
    "disasters": "Disasters",
    "rolls": "Variable income",
    "incomes": "Income",
}
"""The sections of a result mail that say what no order's sentence says."""


def explained(answered: AnsweredLine | Refusal) -> str:
    """The phase in words, with an empty line at its end."""
    match answered:
        case Refusal():
            return harmless(f"{_named(answered)}an error at {answered.where}: {answered.says}\n")
        case AnsweredLine():
            return harmless("\n".join([*_phase(answered), ""]))


def harmless(text: str) -> str:
    """The text without signs that a terminal obeys or cannot show."""
    return "".join(char if char.isprintable() or char == "\n" else "?" for char in text)


def _named(answered: AnsweredLine | Refusal) -> str:
    """The id of the question, where it has one."""
    return f"{answered.id}: " if answered.id is not None else ""


def _phase(answered: AnsweredLine) -> Iterator[str]:
    words = Words(answered.task.world)
    yield f"{_named(answered)}{say(words.moment(answered.task.state.moment))}"
    power: PowerId | None = None
    for result in answered.results:
        if result.power != power:
            power = result.power
            yield words.power(power).capitalize()
        yield f"  {_order(result)}: {fate(words, result)}"
    yield from _besides(words, answered)
    yield f"Next: {say(words.moment(answered.played.state.moment))}"


def _order(result: Result) -> str:
    """The line as it was given, and as it was understood where that differs."""
    if result.given is None:
        return f"({result.order or 'no order'})"
    if result.order in (None, result.given):
        return result.given
    return f"{result.given} [{result.order}]"


def fate(words: Words, result: Result) -> str:
    """What became of an order, in one sentence without a full stop."""
    marked = result.marked
    if marked.why is None:
        done = [sentence for event in marked.events if (sentence := _done(words, event))]
        return "; ".join(done) or "done"
    driven = [event for event in marked.events if isinstance(event, event_types.UnitDislodged)]
    others = [event for event in driven if event is not marked.why]
    return "; ".join([_why(words, marked.why), *(_why(words, event) for event in others)])


def _why(words: Words, because: Why) -> str:
    match because:
        case NotRead():
            return f"not understood: {because.says}"
        case event_types.UnitDislodged():
            ways = [words.spot(spot) for spot in because.retreats]
            ways += ["its city"] if because.convert else []
            where = f"may retreat to {listed(ways, 'or')}" if ways else "has nowhere to go"
            odds = f"strength {because.strength} against {because.rival}"
            return f"dislodged by {words.whose(because.by)}, {odds}; {where}"
        case event_types.Marched():
            stayed = because.to == because.unit.place
            return "cannot march" if stayed else f"gets as far as {words.place(because.to)}"
        case event_types.OrderReplaced():
            return "replaced by a later line"
        case event_types.OrderIgnored():
            return "not an order for one of its own units"
        case event_types.UnitRemoved():
            return f"gone: {because.because.value}"
        case _ if isinstance(because, _REASONS):
            return say(reason_words(words, because))
        case _:
            return _money(because)


def _money(event: Why) -> str:
    match event:
        case event_types.ExpenseSettled(fate="failed"):
            return "the attempt failed"
        case event_types.ExpenseSettled() if event.force < event.price:
            weight = "nothing" if event.force <= 0 else ducats(event.force)
            return f"{event.fate}: it weighs {weight}, the price is {ducats(event.price)}"
        case event_types.ExpenseSettled():
            return event.fate
        case event_types.LoanRefused() | event_types.GiftRefused():
            return f"refused: {event.because}"
        case event_types.GiftGiven():
            return f"only {ducats(event.ducats)} of {event.asked} were there"
        case event_types.PaymentNotNeeded():
            return f"only {ducats(event.paid)} of {event.asked} were taken"
        case _:
            return "failed"


_PLAINLY: Mapping[type, str] = {
    event_types.RebelsSupported: "the rebels help",
    event_types.Held: "holds",
    event_types.Marched: "marches",
    event_types.SiegeBegun: "the siege begins",
    event_types.SiegeKept: "the siege stays half done",
    event_types.SiegeCompleted: "the city falls",
    event_types.UnitRemoved: "leaves the map",
}


def _done(words: Words, event: Event) -> str:
    match event:
        case event_types.Advanced():
            return f"moves with strength {event.strength}"
        case event_types.Converted():
            return f"converts with strength {event.strength}"
        case event_types.SupportGiven():
            return f"supports {words.whose(event.supported)}"
        case event_types.Transported():
            return f"carries {words.whose(event.army)}"
        case event_types.Retreated():
            return "retreats into the city" if event.into_city else "retreats"
        case _:
            return _PLAINLY.get(type(event), "")


def _besides(words: Words, answered: AnsweredLine) -> Iterator[str]:
    """What happened besides the orders, in the sections of a result mail."""
    played = answered.played
    seen = EVERYTHING.phase(words.world, answered.task.state, played.state, played.events)
    sections: Results = phase_results(words, PlayedPhase(*seen, played.standing))
    for section, title in _TITLES.items():
        lines: tuple[SectionLine, ...] = getattr(sections, section)
        if lines:
            yield title
            for line in section_lines(lines):
                yield from (f"  {text}" for text in say(line).split("\n"))


_HEADED = re.compile(r"\s*(?P<name>[^:]{3,30}?)\s?:\s*(?P<rest>\S.*)", re.DOTALL)
"""A line that begins with the name of a power, as results are written."""
_MAX_KNOWN = 10_000
"""How many lines and orders are remembered: those of a long game on one board."""


@click.command()
@click.argument("files", metavar="[FILE]...", nargs=-1, type=Readable())
@click.option("--explain", is_flag=True, help="Say for people what became of each order, and why.")
@with_settings
def adjudicate(settings: Settings, files: Sequence[BinaryIO], *, explain: bool) -> None:
    """Adjudicate phases: a line of JSON in, a line of JSON out.

    Reads FILE, or the standard input; each answer is written at once.  A line that is not valid is
    answered with an error, and the next line goes on.  Ends with 1 only if the fault is our own.
    """
    shelf, spoken = Atlas(settings.map_folders), Spoken()
    sound = True
    for line in lines_of(files or (sys.stdin.buffer,)):
        try:
            answered = answer(line, shelf, spoken)
        except Exception as fault:  # the lines after it have a right to their answers
            traceback.print_exc()
            sound, answered = False, our_fault(line, fault)
        print(explained(answered) if explain else write_answer(answered), flush=True)
    if not sound:
        raise click.exceptions.Exit(WRONG)


class Spoken:
    """The language as the codec asks for it; what comes again is not worked out again."""

    def __init__(self) -> None:
        self._read = lru_cache(_MAX_KNOWN)(_read)
        self._write = lru_cache(_MAX_KNOWN)(_write)

    def read(self, scenario: Scenario, stage: Stage, power: PowerId, text: str) -> Sequence[Said]:
        """Everything that a line of a power says for a phase of *stage*; nothing for a remark."""
        said = self._read(text, scenario, stage)
        headed = _HEADED.fullmatch(text) if any(isinstance(e, NotRead) for e in said) else None
        named = lexicon_of(scenario).power(fold(headed["name"])) if headed else None
        if headed is None or not isinstance(named, str):
            return said
        if named != power:
            return (NotRead(say(Message("language.for_another", found=headed["name"]))),)
        return self._read(headed["rest"], scenario, stage)

    def nobody_there(self, scenario: Scenario, named: Named) -> NotRead:
        """Why an order for many units says nothing: a unit that it leaves out is not there."""
        unit = unit_text(named, lexicon_of(scenario))
        return NotRead(say(Message("orders.no_unit", unit=unit)))

    def in_places(
        self, scenario: Scenario, power: PowerId, units: Iterable[Unit], lines: Sequence[str]
    ) -> Sequence[str | NotRead]:
        """The lines of a sheet with places for the numbers of units, where units have numbers."""
        placed = numbers_of(power, units, (), lexicon_of(scenario)).in_sheet(lines)
        return [NotRead(say(t.reason)) if isinstance(t, ParseError) else t for t in placed]

    def write(self, scenario: Scenario, order: Order) -> str:
        """The order in its canonical text."""
        return self._write(order, scenario)


def _read(text: str, scenario: Scenario, stage: Stage) -> tuple[Said, ...]:
    lexicon = lexicon_of(scenario)
    pieces = read_line(text, lexicon, stage)
    return tuple(said for each in pieces for said in _said(each.said))


def _said(said: BulkOrder | Parsed) -> Iterator[Said]:
    if isinstance(said, BulkOrder):
        yield said
    else:
        yield from map(_understood, said.said)


def _write(order: Order, scenario: Scenario) -> str:
    return write(order, lexicon_of(scenario))


def _understood(said: Order | ParseError) -> Said:
    match said:
        case ParseError(found=found, candidates=candidates) if candidates:
            names = in_words([candidate.name for candidate in candidates])
            return NotRead(f'"{found}" may be {names}')
        case ParseError():
            return NotRead(say(said.reason))
        case _:
            return said


def lines_of(files: Iterable[BinaryIO]) -> Iterator[bytes]:
    """The lines of all files that are not empty."""
    return (line for file in files for line in file if line.strip())


def our_fault(line: bytes, fault: Exception) -> Refusal:
    """What is said of a line on which the program itself failed."""
    says = f"a fault of machjudge, not of the line: {type(fault).__name__}: {fault}"
    return Refusal(id_of(line), WHOLE, says)
