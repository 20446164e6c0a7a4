"""``machjudge adjudicate``: phases as lines of JSON in, their results as lines of JSON out.

The format is described in ``docs/adjudicate.md``.
"""

import re
import sys
import traceback
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import BinaryIO

import click

from machjudge.adjudicator.model.moments import Stage
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.orders import Named, Order, Sweep
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.adjudicator.model.units import Unit
from machjudge.atlas import Atlas
from machjudge.cli import with_settings
from machjudge.cli.explain import explained
from machjudge.cli.faults import WRONG
from machjudge.cli.files import Readable
from machjudge.cli.said import say
from machjudge.codec.adjudication.answer import WHOLE, Refusal, answer, id_of, write_answer
from machjudge.codec.document.notation import NotRead, Said
from machjudge.language.orders.sweeps import read_pieces
from machjudge.language.vocabulary.lexicon import lexicon_of
from machjudge.language.vocabulary.numbered import numbers_of
from machjudge.language.vocabulary.said import Ambiguous, Parsed, Problem, in_words
from machjudge.language.vocabulary.words import fold
from machjudge.language.vocabulary.write import unit_text, write
from machjudge.sentence import Sentence
from machjudge.settings import Settings

_HEADED = re.compile(r"\s*(?P<name>[^:]{3,30}?)\s?:\s*(?P<rest>\S.*)", re.DOTALL)
"""A line that begins with the name of a power, as results are written."""
_MOST_KNOWN = 10_000
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
            told = answer(line, shelf, spoken)
        except Exception as fault:  # the lines after it have a right to their answers
            traceback.print_exc()
            sound, told = False, our_fault(line, fault)
        print(explained(told) if explain else write_answer(told), flush=True)
    if not sound:
        raise click.exceptions.Exit(WRONG)


class Spoken:
    """The language as the codec asks for it; what comes again is not worked out again."""

    def __init__(self) -> None:
        self._read = lru_cache(_MOST_KNOWN)(_read)
        self._write = lru_cache(_MOST_KNOWN)(_write)

    def read(self, scenario: Scenario, stage: Stage, power: PowerId, text: str) -> Sequence[Said]:
        """Everything that a line of a power says for a phase of *stage*; nothing for a remark."""
        said = self._read(text, scenario, stage)
        headed = _HEADED.fullmatch(text) if any(isinstance(e, NotRead) for e in said) else None
        named = lexicon_of(scenario).power(fold(headed["name"])) if headed else None
        if headed is None or not isinstance(named, str):
            return said
        if named != power:
            return (NotRead(say(Sentence("language.for_another", found=headed["name"]))),)
        return self._read(headed["rest"], scenario, stage)

    def nobody_there(self, scenario: Scenario, named: Named) -> NotRead:
        """Why an order for many units says nothing: a unit that it leaves out is not there."""
        unit = unit_text(named, lexicon_of(scenario))
        return NotRead(say(Sentence("orders.no_unit", unit=unit)))

    def in_places(
        self, scenario: Scenario, power: PowerId, units: Iterable[Unit], lines: Sequence[str]
    ) -> Sequence[str | NotRead]:
        """The lines of a sheet with places for the numbers of units, where units have numbers."""
        placed = numbers_of(power, units, (), lexicon_of(scenario)).in_sheet(lines)
        return [NotRead(say(t.reason)) if isinstance(t, Problem) else t for t in placed]

    def write(self, scenario: Scenario, order: Order) -> str:
        """The order in its canonical text."""
        return self._write(order, scenario)


def _read(text: str, scenario: Scenario, stage: Stage) -> tuple[Said, ...]:
    lexicon = lexicon_of(scenario)
    pieces = read_pieces(text, lexicon, stage)
    return tuple(said for each in pieces for said in _said(each.said))


def _said(said: Sweep | Parsed) -> Iterator[Said]:
    if isinstance(said, Sweep):
        yield said
    else:
        yield from map(_understood, said.said)


def _write(order: Order, scenario: Scenario) -> str:
    return write(order, lexicon_of(scenario))


def _understood(said: Order | Problem | Ambiguous) -> Said:
    match said:
        case Problem():
            return NotRead(say(said.reason))
        case Ambiguous():
            names = in_words([candidate.name for candidate in said.candidates])
            return NotRead(f'"{said.text}" may be {names}')
        case _:
            return said


def lines_of(files: Iterable[BinaryIO]) -> Iterator[bytes]:
    """The lines of all files that are not empty."""
    return (line for file in files for line in file if line.strip())


def our_fault(line: bytes, fault: Exception) -> Refusal:
    """What is said of a line on which the program itself failed."""
    says = f"a fault of machjudge, not of the line: {type(fault).__name__}: {fault}"
    return Refusal(id_of(line), WHOLE, says)
