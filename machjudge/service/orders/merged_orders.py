"""The orders of a mail together with those on file: the later one for the same thing counts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from machjudge.adjudicator.events import OrderRefused
from machjudge.adjudicator.legality.lawful import Sorted, objection_to, sort_out
from machjudge.adjudicator.legality.slots import Slot, slot_of
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.orders import Order
from machjudge.adjudicator.model.reasons import Objection
from machjudge.letters.page.reply import MOST_TROUBLES
from machjudge.letters.wording.notation import order_text
from machjudge.reading import Line
from machjudge.sentence import Sentence
from machjudge.service.game.stored_orders import write_order
from machjudge.service.game.view import GameView, SeenGame
from machjudge.service.model.records import Sheet, SheetLine
from machjudge.service.orders.order_refusals import Refused, refused_by
from machjudge.service.session.outgoing import as_led


@dataclass(frozen=True, slots=True)
class MergedOrder:
    """An order with the line that goes on file for it."""

    order: Order
    filed: SheetLine
    source: Line | None = None
    """The line of the mail; None for an order that was on file before."""


@dataclass(frozen=True, slots=True)
class VoidOrders:
    """Orders of a power that were on file and may not be given any more."""

    sheet: Sheet
    """What is on file from now on; the phase waits, as the power may want other orders."""
    refused: tuple[tuple[Order, Objection], ...]


def judged_anew(before: GameView, after: GameView) -> Iterator[VoidOrders]:
    """The powers with orders on file that stood *before* and are refused *after* a change."""
    for power, sheet in after.sheets.items():
        was, now = as_led(before, power), as_led(after, power)
        orders = now.orders_of(power)
        stood = {each.line for each in _refused(was, power, orders)}
        void = [each for each in _refused(now, power, orders) if each.line not in stood]
        if void:
            gone = {each.line for each in void}
            lines = tuple(line for n, line in enumerate(sheet.lines) if n not in gone)
            changed = replace(sheet, number=sheet.number + 1, lines=lines, flawed=True)
            yield VoidOrders(changed, tuple((each.order, each.because) for each in void))


def _refused(
    situation: SeenGame, power: PowerId, orders: tuple[Order, ...]
) -> tuple[OrderRefused, ...]:
    return sort_out(situation.world, situation.state, {power: orders}).refused


@dataclass(frozen=True, slots=True)
class Merged:
    """Old and new orders together."""

    lines: tuple[SheetLine, ...]
    refused: "list[Refused]"
    notices: tuple[Sentence, ...]


def merge(situation: SeenGame, power: PowerId, new: Sequence[MergedOrder]) -> Merged:
    """Old and new lines in the order of their receipt, and what is refused of the new ones.

    Refused lines are taken out first, so that under all rules they replace nothing.
    """
    old = situation.sheets.get(power)
    lines = old.lines if old is not None else ()
    before = [MergedOrder(*pair) for pair in zip(situation.orders_of(power), lines, strict=True)]
    entries = sorted(
        [*before, *new], key=lambda entry: (entry.filed.received, entry.filed.mail or 0)
    )
    sorted_out = _sorted(situation, power, entries)
    no = {each.line: each.because for each in sorted_out.refused}
    refused = [
        refused_by(situation, power, entry.source, entry.order, no[number])
        for number, entry in enumerate(entries)
        if number in no and entry.source is not None
    ]
    left = [entry for number, entry in enumerate(entries) if number not in no]
    if no:
        sorted_out = _sorted(situation, power, left)
    notices = (_replaced(situation, left[each.line], left[each.by]) for each in sorted_out.replaced)
    told = [line for line in notices if line is not None]
    standing = _standing(situation, power, left, sorted_out)
    added = (entry for entry in left if entry.source is not None)
    places = _places(situation, power, [*before, *added])
    standing.sort(key=lambda each: places.get(each[0], len(places)))
    return Merged(tuple(line for _, line in standing), refused, tuple(_shortened(told)))


def _places(situation: SeenGame, power: PowerId, entries: Sequence[MergedOrder]) -> dict[Slot, int]:
    """Where what an order is about stands first, so that a correction keeps its place."""
    places: dict[Slot, int] = {}
    for place, entry in enumerate(entries):
        places.setdefault(slot_of(situation.world, situation.state, power, entry.order), place)
    return places


def _shortened(notices: list[Sentence]) -> list[Sentence]:
    """The first notices, and how many there are besides."""
    more = len(notices) - MOST_TROUBLES
    if more <= 0:
        return notices
    return [*notices[:MOST_TROUBLES], Sentence("orders.more_replaced", n=more)]


def _replaced(situation: SeenGame, old: MergedOrder, new: MergedOrder) -> Sentence | None:
    """That a line of the mail takes the place of another one of it, which may be a slip."""
    if old.source is None or new.source is None:
        return None
    text = order_text(situation.words, old.order)
    lines = (old.source.number, new.source.number)
    return Sentence("orders.replaces", old=lines[0], new=lines[1], order=text)


def _sorted(situation: SeenGame, power: PowerId, entries: Sequence[MergedOrder]) -> Sorted:
    orders = tuple(entry.order for entry in entries)
    return sort_out(situation.world, situation.state, {power: orders})


def _standing(
    situation: SeenGame, power: PowerId, entries: Sequence[MergedOrder], sorted_out: Sorted
) -> list[tuple[Slot, SheetLine]]:
    """The lines that no later one replaces, in full, with what they are about.

    What only took back a build has done so.
    """
    gone = {each.line for each in sorted_out.replaced}
    left = [entry for number, entry in enumerate(entries) if number not in gone]
    world, state = situation.world, situation.state
    return [
        (
            slot_of(world, state, power, order),
            entry.filed
            if order == entry.order
            else replace(entry.filed, canonical=write_order(world, order)),
        )
        for entry, order in zip(left, sorted_out.standing[power], strict=True)
        if objection_to(world, state, power, order) is None
    ]
