"""Orders from a mail: what was understood, what is refused and why, what is on file afterwards.

A line never costs another one: each is read and judged by itself, a later one for the same unit
replaces an earlier one, and a refused one leaves what was on file in force (SYN-10).  Of a line
with several orders all are taken, or none.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from machjudge.adjudicator.events import ChitGiven
from machjudge.adjudicator.legality.naming import unit_named
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.orders import GiveChit, Maintain, Order, Remove, UnitOrder
from machjudge.adjudicator.model.reasons import Objection
from machjudge.language.vocabulary.said import Ambiguous, Fault, Problem
from machjudge.letters.wording.notation import order_text
from machjudge.letters.wording.trouble import Trouble
from machjudge.letters.wording.words import Words
from machjudge.reading import Line
from machjudge.sentence import Sentence
from machjudge.service.game.stored_orders import write_order
from machjudge.service.game.view import GameView, SeenGame
from machjudge.service.model.records import MailId, Sheet, SheetLine
from machjudge.service.orders.advice import left_when_dropped, meant_by_words, only_meaning
from machjudge.service.orders.merged_orders import MergedOrder, merge
from machjudge.service.orders.order_lines import (
    Comment,
    Heard,
    part_of,
    read_lines,
    spelt_out,
    statement_of,
)
from machjudge.service.orders.order_refusals import (
    Refused,
    means_nothing,
    noted,
    once_each,
    refused_by,
    trouble_of,
)
from machjudge.service.session.between_phases import chits_given
from machjudge.service.session.incoming import SaidLines
from machjudge.service.session.outgoing import as_led


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
    said: SaidLines = field(default_factory=SaidLines, compare=False, repr=False)
    """What the lines say, as far as they have been read already."""


@dataclass(frozen=True, slots=True)
class SubmittedOrders:
    """What became of them."""

    sheet: Sheet | None
    """The whole order set as it is on file now; None if the mail only gave chits away."""
    troubles: tuple[Trouble, ...]
    ignored: tuple[Comment, ...]
    """Comments that were not read, unless a sign announces them."""
    chits: tuple[ChitGiven, ...] = ()
    """What takes effect at once (ASN-02)."""
    notices: tuple[Sentence, ...] = ()
    """Which lines of the mail replace others of it."""
    cut: int | None = None
    """The number of the first line that was not read, because too many above it are wrong."""


def submit(everything: GameView, given: Given) -> SubmittedOrders:
    """Put the orders of a mail on file, beside what is there, and see which chits it gives away.

    They are judged by what whoever leads the power sees.
    """
    situation = as_led(everything, given.power)
    read = read_lines(situation, given.power, given.lines, given.said)
    ignored, sweeps = tuple(read.ignored), read.sweeps
    heard = spelt_out(situation, given.power, read.heard, sweeps)
    chits, refused = _chits(situation, given, heard)
    others = [(line, said) for line, said in heard if not isinstance(said, GiveChit)]
    if chits and not refused and not others:
        return SubmittedOrders(None, (), ignored, chits)
    more, entries = _first_look(situation, given, others)
    merged = merge(situation, given.power, entries)
    more = [_for_another(situation, given, each) for each in more + merged.refused]
    refused += once_each(more, sweeps)
    swept = {each.line.number for each in sweeps}
    spoilt = {_fate(each.line, swept) for each in refused}
    taken = [each for each in heard if _fate(each[0], swept) not in spoilt]
    if any(line.part is not None or sweeps for line, _ in heard) and len(taken) < len(heard):
        fates = ((each, each.source and _fate(each.source, swept)) for each in entries)
        merged = merge(situation, given.power, [each for each, fate in fates if fate not in spoilt])
        chits, _ = _chits(situation, given, taken)
        refused = list(_with_the_rest(situation, refused, heard, swept))
    is_flawed = given.flawed or not all(means_nothing(situation, each) for each in refused)
    sheet = _sheet(situation, given, merged.lines, is_flawed=is_flawed)
    filed = replace(situation, sheets={**situation.sheets, given.power: sheet})
    troubles = tuple(noted(filed, given.power, refused, read.written))
    return SubmittedOrders(sheet, troubles, ignored, chits, merged.notices, read.cut)


def _fate(line: Line, swept: Collection[int]) -> tuple[int, int]:
    """By what orders are known that are taken together or not at all: those up to a semicolon.

    :param swept: numbers of the lines with an order for many units: all of such a line is one.
    """
    return line.number, 0 if line.number in swept else statement_of(line.text, line.part)


def _with_the_rest(
    situation: SeenGame,
    refused: Sequence[Refused],
    heard: Sequence[Heard],
    swept: Collection[int],
) -> Iterator[Refused]:
    """What is refused, each line of several orders with these as they can be sent again.

    One that was refused stands there as it was probably meant, or not at all.
    """
    told: set[tuple[int, int]] = set()
    for each in refused:
        here = _fate(each.line, swept)
        of_line = [(line, said) for line, said in heard if _fate(line, swept) == here]
        if here in told or len(of_line) < 2:  # noqa: PLR2004  one order has no rest
            yield each
            continue
        told.add(here)
        wrong = {id(one.said): one for one in refused if _fate(one.line, swept) == here}
        part = part_of(each.line.text, here[1]) if each.line.number not in swept else ""
        yield replace(each, rest=tuple(_left_of(situation, of_line, wrong)), of=part)


def _left_of(
    situation: SeenGame, of_line: Sequence[Heard], wrong: Mapping[int, Refused]
) -> Iterator[str]:
    """The orders of a line without those that are wrong; of these what was meant, if that is known.

    Nothing where the whole line is known as it was meant.
    """
    unread = [each for each in wrong.values() if isinstance(each.said, Problem)]
    if len(unread) == len(wrong) and any(isinstance(each.trouble.instead, str) for each in unread):
        return
    for _, said in of_line:
        flawed = wrong.get(id(said))
        if flawed is None and not isinstance(said, Problem | Ambiguous):
            yield order_text(situation.words, said)
        elif flawed is not None and flawed not in unread:
            meant = flawed.trouble.instead
            yield from [meant] if isinstance(meant, str) else []


def _sheet(
    situation: SeenGame, given: Given, lines: tuple[SheetLine, ...], *, is_flawed: bool
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
    situation: SeenGame, given: Given, heard: Sequence[Heard]
) -> tuple[tuple[ChitGiven, ...], list[Refused]]:
    """The chits that the mail gives away, and the gifts that the rules forbid."""
    gifts = [(line, said) for line, said in heard if isinstance(said, GiveChit)]
    results = chits_given(situation, given.power, [order for _, order in gifts])
    refused = [
        refused_by(situation, given.power, line, order, result)
        for (line, order), result in zip(gifts, results, strict=True)
        if isinstance(result, Objection)
    ]
    return tuple(result for result in results if isinstance(result, ChitGiven)), refused


def _first_look(
    situation: SeenGame, given: Given, heard: Sequence[Heard]
) -> tuple[list[Refused], list[MergedOrder]]:
    """What cannot be taken whatever else is on file, and the orders that may."""
    refused: list[Refused] = []
    entries: list[MergedOrder] = []
    for line, said in heard:
        trouble = trouble_of(line, said)
        if trouble is not None:
            trouble = _with_advice(situation, given.power, line, said, trouble)
            refused.append(Refused(line, said, trouble))
        elif not isinstance(said, Problem | Ambiguous):
            entries.append(MergedOrder(said, _filed(situation, said, line, given), line))
    return refused, entries


def _with_advice(
    situation: SeenGame,
    power: PowerId,
    line: Line,
    said: Order | Problem | Ambiguous,
    trouble: Trouble,
) -> Trouble:
    """The trouble with the order that its writer must have meant, as far as that may be given."""
    if isinstance(said, Ambiguous):
        return replace(trouble, instead=only_meaning(situation, power, said))
    if not isinstance(said, Problem) or said.fault is Fault.PHASE:
        return trouble
    left = left_when_dropped(situation, power, line.text)
    if left is not None:
        return replace(trouble, reason=Sentence("orders.clear_and", orders=left))
    return replace(trouble, instead=meant_by_words(situation, power, line.text, said.nearest))


def _filed(situation: SeenGame, order: Order, line: Line, given: Given) -> SheetLine:
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


def _for_another(situation: SeenGame, given: Given, refused: Refused) -> Refused:
    """Where the unit is one of another power of the writer, say how orders for that are written."""
    said = refused.said
    if not isinstance(said, UnitOrder | Maintain | Remove):
        return refused
    unit = unit_named(situation.world, situation.state, given.power, said.unit)
    if unit is None or unit.owner not in given.also:
        return refused
    name = Words(situation.world).power(unit.owner)
    reason = Sentence("orders.not_yours", power=name)
    return replace(refused, trouble=replace(refused.trouble, reason=reason))
