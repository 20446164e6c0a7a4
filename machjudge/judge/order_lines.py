"""Reads and files the order lines of mails; ``set wait``, ``ready`` and the error flag."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TypeAlias

from machjudge.adjudicator.board import Spot
from machjudge.adjudicator.events import ChitGiven, OrderRefused
from machjudge.adjudicator.legality import (
    Slot,
    Sorted,
    fleets_at_sea,
    objection_to,
    order_as_meant,
    orders_for_many,
    slot_of,
    sort_out,
    touches,
    unit_named,
    without_order,
)
from machjudge.adjudicator.moments import Moment, Stage
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.orders import (
    Advance,
    Besiege,
    BulkOrder,
    Convert,
    Disband,
    Expense,
    GiveChit,
    Hold,
    Maintain,
    Named,
    Order,
    Purpose,
    Remove,
    Support,
    UnitOrder,
)
from machjudge.adjudicator.reasons import Flaw, Objection
from machjudge.adjudicator.rules import OrderNotation, Route
from machjudge.adjudicator.units import Kind, Unit
from machjudge.adjudicator.world import World
from machjudge.judge.commands import NOT_PLAYED, PLAYERS, command
from machjudge.judge.credentials import Act
from machjudge.judge.game_view import GameView, SeenGame, condition_flaw, holds, write_order
from machjudge.judge.mail_context import LineParser, MailContext, chits_given, is_player, too_old
from machjudge.judge.outgoing import answered, as_it_was, view_for_power
from machjudge.judge.records import FiledOrder, MailId, OrderSet, StoredPhase, Target
from machjudge.language.commands import If, PlainCommand
from machjudge.language.conditions import Condition, parse_condition, write_condition
from machjudge.language.lexicon import UnitNumbers, lexicon_of, numbers_of, unit_text, write
from machjudge.language.orders import (
    RetreatText,
    may_wait,
    parse_order,
    read_line,
    read_order,
    split_retreats,
    standing_part,
)
from machjudge.language.words import (
    BranchPart,
    Candidate,
    Fault,
    Mark,
    ParseError,
    begins_branch,
    cut,
    ends_branch,
    fold,
    is_talk,
    plain_request,
    split_branches,
)
from machjudge.mail_parser.lines import Line
from machjudge.messages.notation import order_text
from machjudge.messages.receipt import retreat_lines
from machjudge.messages.render import MAX_TROUBLES
from machjudge.messages.wording import LineError, Words, objection_words
from machjudge.translatable import Message, MessageOrText, joined

_MAX_WRONG = 100
"""Bad lines per mail; the rest is not read, as noise costs time."""


Comment: TypeAlias = tuple[int, str]
"""A line number, and the unread part of the line."""


ParsedLine: TypeAlias = tuple[Line, Order | ParseError]
"""A line, and one of its orders."""


@dataclass(slots=True)
class OrderLines:
    """The order lines of a mail, as far as they are read."""

    parsed: list[tuple[Line, Order | BulkOrder | ParseError]] = field(default_factory=list)
    ignored: list[Comment] = field(default_factory=list)
    cut: int | None = None
    """The number of the first unread line, after too many wrong ones."""
    written: dict[int, str] = field(default_factory=dict)
    """The lines with unit numbers, as they were written."""


def read_lines(
    view: SeenGame, power: PowerId, lines: Sequence[Line], said: LineParser
) -> OrderLines:
    """Read a power's lines as orders for the current phase."""
    lexicon, stage = view.lexicon, view.state.moment.stage
    found = OrderLines()
    wrong = 0
    numbers = unit_numbers(view, power)
    if numbers is not None:
        lines = _in_places(numbers, lines, found)
    for line in lines:
        if wrong >= _MAX_WRONG:
            found.cut = line.number
            break
        for text, each, _ in said.advised(line.text, lexicon, stage):
            if isinstance(each, BulkOrder):
                found.parsed.append((line, each))
                continue
            for one, part in zip(each.said, each.spans or (None,) * len(each.said), strict=True):
                wrong += isinstance(one, ParseError)
                is_line = line.text == text and line.part == part
                found.parsed.append((line if is_line else replace(line, text=text, part=part), one))
            if each.ignored and each.overlooked:
                found.ignored.append((line.number, each.overlooked))
    return found


def statement_of(text: str, part: tuple[int, int] | None) -> int:
    """Return the range of the statement around a part of a line; a semicolon ends one."""
    return text.count(";", 0, part[0]) if part is not None else 0


def part_of(text: str, statement: int) -> str:
    """Return the text up to the next semicolon; empty if that is the whole line."""
    parts = [each.strip() for each in text.split(";")]
    return parts[statement] if sum(map(bool, parts)) > 1 else ""


def unit_numbers(view: SeenGame, power: PowerId) -> UnitNumbers | None:
    """Return the unit numbers that a power may write; None without numbers (MOV-03)."""
    if view.world.rules.game.notation is OrderNotation.PLACES:
        return None
    state = view.state
    units = (*state.units(), *(each.unit for each in state.dislodged))
    return numbers_of(power, units, view.orders_of(power), view.lexicon)


def _in_places(numbers: UnitNumbers, lines: Sequence[Line], found: OrderLines) -> list[Line]:
    """The lines with unit numbers replaced by places; expenses are numbered in order."""
    placed: list[Line] = []
    texts = numbers.in_sheet([line.text for line in lines])
    for line, text in zip(lines, texts, strict=True):
        if isinstance(text, ParseError):
            found.parsed.append((line, text))
        else:
            placed.append(replace(line, text=text))
            if text != line.text:
                found.written[line.number] = line.text
    return placed


def expand_bulk_orders(view: SeenGame, power: PowerId, read: OrderLines) -> list[ParsedLine]:
    """Replace each bulk order by a line for each unit, in its place (ADJ-12)."""
    given = [said for _, said in read.parsed if not isinstance(said, BulkOrder | ParseError)]
    found: list[ParsedLine] = []
    for line, said in read.parsed:
        if not isinstance(said, BulkOrder):
            found.append((line, said))
            continue
        before = [*given, *(view.orders_of(power) if said.rest else ())]
        orders = orders_for_many(view.world, view.state, power, said, before)
        if isinstance(orders, Named):
            text = unit_text(orders, view.lexicon)
            no_unit = Message("orders.no_unit", unit=text)
            found.append((line, ParseError(text, 0, Fault.NO_PLACE, no_unit, text)))
        else:
            given += orders
            found += [(line, each) for each in orders]
    return found


_ALIKE = 3
"""Names that share this many first letters are taken for slips."""
_OUT_OF_REACH = (Flaw.NOT_ADJACENT, Flaw.CANNOT_REACH)


def only_meaning(view: SeenGame, power: PowerId, said: ParseError) -> str | None:
    """Return the only lawful order, or only one within one step, of an ambiguous line (SYN-09)."""
    world, state = view.world, view.state
    meant = [order for each in said.candidates for order in _with_candidate(view, said, each)]
    read = [order_as_meant(world, state, power, order) for order in meant]
    lawful = [order for order in read if not isinstance(order, Objection)]
    near = [order for order in lawful if _is_near(view, power, order)]
    only = lawful if len(lawful) == 1 and isinstance(lawful[0], Advance) else near
    return order_text(view.words, only[0]) if len(only) == 1 else None


def meant_by_words(view: SeenGame, power: PowerId, line: str, nearest: str | None) -> str | None:
    """Return the order that a line with extra words means, or the nearest readable one.

    Only a lawful one that says what the line says; a retraction gives the order that retracts.
    """
    found = _TAKES_BACK.match(fold(line))
    if found is not None:
        back = _taken_back(view, power, line[found.end() :])
        return order_text(view.words, back) if back is not None else None
    behind = _CORRECTS.match(fold(line))
    rest = line[behind.end() :] if behind is not None else ""
    if nearest is not None and _NEGATES.match(fold(line)) and not _NEGATES.match(fold(nearest)):
        nearest = None
    spent = _expense_meant(view, power, line)
    candidates = (_read(view, rest), spent, _read(view, nearest or ""))
    lawful = (_lawful(view, power, each) for each in candidates)
    return next(filter(None, lawful), None)


_CORRECTS = re.compile(
    r"(?:(?:no(?=[,;:.!]| (?:wait|espera|aspetta)\b)|wait|sorry|oops|correction|actually|rather"
    r"|instead|i mean|scratch that|make that"
    r"|espera|mejor|perdon|correccion|mejor dicho|quiero decir"
    r"|anzi|aspetta|scusa|scusate|correzione|cioe|piuttosto|voglio dire)\b[\s,;:.!-]*)+(?=\w)"
)
_TAKES_BACK = re.compile(
    r"(?:please |por favor |per favore )?(?:cancel|ignore|disregard|withdraw|take back|scratch|drop"
    r"|forget|undo|cancela|cancelar|anula|anular|olvida|annulla|annullare|ritira|dimentica)"
    r"(?: (?:my|the|that|mi|la|el|il|lo|le))?\s+(?=\w)"
)
_NEGATES = re.compile(r"(?:no|not|don't|dont|never|non|nunca|mai|nie)\b")
_AMOUNT = re.compile(r"\b(\d{1,3}) ?(?:d|ducats?|ducados?|ducati?o?)\b")
_SPENDS = {
    Purpose.BUY: re.compile(r"\b(?:buy|buying|purchase|compr\w+|acquist\w+)\b"),
    Purpose.DISBAND: re.compile(r"\b(?:disband\w*|disuelv\w+|disolver|sciolg\w+|sciogl\w+)\b"),
}
_UNITS = {
    Kind.ARMY: re.compile(r"\b(?:a|army|ejercito|esercito|armata)\b"),
    Kind.FLEET: re.compile(r"\b(?:f|fleet|flota|flotta)\b"),
    Kind.GARRISON: re.compile(r"\b(?:g|garrison|guarnicion|guarnigione)\b"),
}
_MAX_EXPENSES = 4


def _taken_back(view: SeenGame, power: PowerId, text: str) -> Order | None:
    """The order that cancels one on file; None if no order does."""
    stage = view.state.moment.stage
    said = parse_order(text, view.lexicon, stage).said
    if len(said) != 1 or said[0] not in view.orders_of(power):
        return None
    match said[0]:
        case Maintain(unit=unit):
            return Remove(unit)
        case Remove(unit=unit):
            return Maintain(unit)
        case Expense(number=number):
            return Expense(number, None)
        case _:
            pass
    one = said[0]
    if stage is not Stage.CAMPAIGN or not isinstance(one, UnitOrder) or isinstance(one, Hold):
        return None
    return Hold(one.unit)


def left_after_dropping(view: SeenGame, power: PowerId, line: str) -> tuple[str, ...] | None:
    """Return the orders to send again behind CLEAR for a line that retracts one on file.

    None if it retracts none, or if an order does that.
    """
    found = _TAKES_BACK.match(fold(line))
    if found is None:
        return None
    said = parse_order(line[found.end() :], view.lexicon, view.state.moment.stage).said
    filed = view.orders_of(power)
    if len(said) != 1 or said[0] not in filed:
        return None
    if _taken_back(view, power, line[found.end() :]) is not None:
        return None
    return tuple(order_text(view.words, each) for each in filed if each != said[0])


def _expense_meant(view: SeenGame, power: PowerId, line: str) -> tuple[Order, ...]:
    """The expense in a sentence with a verb, a unit in a place and an amount."""
    plain = fold(line)
    amount = _AMOUNT.search(plain)
    purpose = next((each for each, words in _SPENDS.items() if words.search(plain)), None)
    if amount is None or purpose is None:
        return ()
    after = _SPENDS[purpose].split(plain, maxsplit=1)[1]
    unit = next(((each, found) for each, w in _UNITS.items() if (found := w.search(after))), None)
    if unit is None:
        return ()
    kind, found = unit
    names = [word for word in cut(after[found.end() :]) if len(word) >= _ALIKE]
    places = [each for each in map(view.lexicon.place, names) if isinstance(each, str)]
    taken = {one.number for one in view.orders_of(power) if isinstance(one, Expense)}
    number = next((n for n in range(1, _MAX_EXPENSES + 1) if n not in taken), _MAX_EXPENSES)
    return tuple(
        Expense(number, purpose, int(amount[1]), Named(kind, place)) for place in places[:1]
    )


def _read(view: SeenGame, text: str) -> tuple[Order, ...]:
    said = parse_order(text, view.lexicon, view.state.moment.stage).said
    orders = tuple(one for one in said if not isinstance(one, ParseError))
    return orders if len(orders) == len(said) else ()


def _lawful(view: SeenGame, power: PowerId, orders: Sequence[Order]) -> str:
    world, state = view.world, view.state
    read = [order_as_meant(world, state, power, each) for each in orders]
    lawful = [each for each in read if not isinstance(each, Objection)]
    words = [order_text(view.words, each) for each in lawful]
    return joined(", ", words) if len(lawful) == len(read) else ""


def _with_candidate(view: SeenGame, said: ParseError, candidate: Candidate) -> Iterator[Order]:
    begin, end = said.column, said.column + len(said.found)
    text = f"{said.line[:begin]}{candidate.name}{said.line[end:]}"
    parsed = parse_order(text, view.lexicon, view.state.moment.stage)
    for order, part in parsed.parts():
        first, last = part or (0, len(text))
        if first <= begin < last and not isinstance(order, ParseError):
            yield order


def _is_near(view: SeenGame, power: PowerId, order: Order) -> bool:
    """Return True if the moved or supported unit could make that move in one step."""
    world, state = view.world, view.state
    match order:
        case Advance(unit=named, to=to):
            unit = unit_named(world, state, power, named)
        case Support(supported=named, to=to) if to is not None:
            unit = unit_named(world, state, power, named)
        case _:
            return True
    return unit is not None and world.reaches(unit, to)


def instead(view: SeenGame, power: PowerId, order: Order, because: Objection) -> Message | None:
    """Return what the unit of a refused order can do, as half a sentence, or None."""
    if because.flaw is Flaw.NO_RETREAT_THERE:
        return _retreat_options(view, order)
    if because.flaw not in _OUT_OF_REACH or not isinstance(order, Advance | Support):
        return None
    unit = unit_named(view.world, view.state, power, order.unit)
    if unit is None:
        return None
    near = reachable(view.world, unit)
    if near is None or not isinstance(order, Advance) or not (seas := _ferry(view, unit, order)):
        return near
    way = order_text(view.words, replace(order, via=seas))
    return Message("orders.advised", reason=near, advice=Message("orders.by_sea", order=way))


def _ferry(view: SeenGame, unit: Unit, order: Advance) -> tuple[PlaceId, ...]:
    """The shortest way of an army over fleets that stand there, where a way has to be written."""
    world, fleets = view.world, fleets_at_sea(view.world, view.state)
    is_asked = world.rules.movement.convoy_route is Route.EXPLICIT and not order.via
    if unit.kind is not Kind.ARMY or not is_asked or view.state.moment.stage is not Stage.CAMPAIGN:
        return ()
    ways: list[tuple[Spot, ...]] = [
        (spot,) for spot in sorted(fleets) if touches(world, spot, unit.place)
    ]
    seen = {spot for way in ways for spot in way}
    for way in ways:  # which grows
        if touches(world, way[-1], order.to):
            return tuple(spot.place for spot in way)
        onward = sorted((world.fleet[way[-1]] & fleets) - seen)
        seen.update(onward)
        ways += [(*way, spot) for spot in onward]
    return ()


def same_of_own(view: SeenGame, power: PowerId, order: Order, because: Objection) -> str | None:
    """Return the same lawful order for a similar unit of the power, or None."""
    if because.flaw is not Flaw.NO_UNIT or not isinstance(order, UnitOrder | Maintain | Remove):
        return None
    world, state = view.world, view.state
    named, own, begin = order.unit, state.units_of(power), _begin(world, order.unit.place)
    alike = [unit for unit in own if unit.kind is named.kind and _begin(world, unit.place) == begin]
    for units in (alike, [unit for unit in own if unit.place == named.place]):
        given = (replace(order, unit=Named.of(unit)) for unit in units)
        read = [order_as_meant(world, state, power, each) for each in given]
        lawful = [each for each in read if not isinstance(each, Objection)]
        if len(lawful) == 1:
            return order_text(Words(world), lawful[0])
    return None


def _begin(world: World, place: PlaceId) -> str:
    return world.place(place).name[:_ALIKE].lower()


def reachable(world: World, unit: Unit) -> Message | None:
    """Return where a unit can go in one step, as a sentence; None if nowhere."""
    near = [place for place in world.board.places if world.reaches(unit, place)]
    words = Words(world)
    names = sorted(words.place(place) for place in near if place not in world.closed)
    message = Message("orders.can_reach", unit=words.unit(unit.made_plain()), places=tuple(names))
    return message if names else None


def _retreat_options(view: SeenGame, order: Order) -> Message | None:
    if not isinstance(order, Advance | Convert):
        return None
    waiting = [each for each in view.state.dislodged if each.unit.place == order.unit.place]
    lines = [line for each in waiting for line in retreat_lines(view.words, each)]
    return Message("orders.ways_out", orders=tuple(lines)) if lines else None


@command("ready", act=Act.PLAY, who=PLAYERS, is_dry=True, refused_in=NOT_PLAYED)
def ready(context: MailContext, line: Line, _: PlainCommand) -> None:
    """Clear the wish to wait and the error flag."""
    wait_or_not(context, line, waits=False)


def wait_or_not(context: MailContext, line: Line, *, waits: bool) -> None:
    """Set or clear the wait for this phase's deadline; not waiting clears the error flag."""
    view, (_, seat) = context.playing(), context.sitting()
    if waits and view.is_overdue(context.received):
        context.refuse(line, Message("orders.wait.too_late"))
        return
    if not waits and view.is_overdue(context.received) and not seat.waits:
        context.done(Message("orders.wait.plays_on"))
    else:
        context.set_seat(replace(seat, waits=waits))
        context.done(wait_told(context, Message("orders.wait.this_phase"), waits=waits))
    if not waits:
        _clear_flags(context)


def wait_told(context: MailContext, phase: MessageOrText, *, waits: bool) -> Message:
    """Return the sentence whether the seat's powers wait for the deadline of a phase."""
    game, seat = context.sitting()
    names = tuple(map(Words(context.services.world(game)).power, seat.powers))
    return Message("orders.wait.wish", powers=names, waits=waits, phase=phase)


def _clear_flags(context: MailContext) -> None:
    """Clear the error flags of the seat's powers, unless a newer mail of theirs set them."""
    view, (_, seat) = context.playing(), context.sitting()
    if too_old(context):
        return
    for power in seat.powers:
        order_set = view.order_sets.get(power)
        if order_set is None or not order_set.flawed or order_set.received > context.received:
            continue
        context.file(view.next_order_set(power, order_set.lines, context.received, context.mail_id))
        name = Words(view.world).power(power)
        context.done(Message("orders.wait.cleared", power=name))


@dataclass(frozen=True, slots=True)
class RejectedLine:
    """An order line, or part of one, that is not taken."""

    line: Line
    said: Order | ParseError
    trouble: LineError
    flaw: Flaw | None = None
    """Why it may not be ordered now; None for an unreadable line."""
    rest: tuple[str, ...] | None = None
    """The other orders of its line that can be taken, as text; None if there are none."""
    of: str = ""
    """What else of its line is not taken, up to a semicolon."""


def refused_by(
    view: SeenGame, power: PowerId, line: Line, order: Order, because: Objection
) -> RejectedLine:
    """Return a refused order with the reason and advice."""
    reason: MessageOrText = objection_words(Words(view.world), because)
    advice = instead(view, power, order, because)
    if advice is not None:
        reason = Message("orders.advised", reason=reason, advice=advice)
    meant = same_of_own(view, power, order, because)
    trouble = LineError(line.number, line.text, reason, instead=meant, part=line.part)
    return RejectedLine(line, order, trouble, because.flaw)


def means_nothing(view: SeenGame, refused: RejectedLine) -> bool:
    """Return True if a line has no meaning in this phase, so that no phase waits for it."""
    if not isinstance(refused.said, ParseError):
        return refused.flaw in (Flaw.WRONG_PHASE, Flaw.NOT_DISLODGED)
    if refused.said.fault is not Fault.PHASE:
        return False
    lexicon, line = view.lexicon, refused.said.line
    return any(
        not any(piece.refused for piece in read_line(line, lexicon, stage)) for stage in Stage
    )


def _once_per_bulk_order(refused: list[RejectedLine], swept: Collection[int]) -> list[RejectedLine]:
    found: list[RejectedLine] = []
    for each in refused:
        number = each.line.number
        if number not in swept or number not in {other.line.number for other in found}:
            found.append(each)
    return found


def noted(
    view: SeenGame, power: PowerId, refused: list[RejectedLine], written: Mapping[int, str]
) -> Iterator[LineError]:
    """Return the troubles by line, with what stays in force for those that are shown.

    :param written: lines with unit numbers, as they are to be shown.
    """
    refused.sort(key=lambda each: each.line.number)
    for each in refused[:MAX_TROUBLES]:
        trouble = _as_written(each.trouble, written)
        note = _in_force_for(view, power, each)
        if each.rest is not None:
            note = Message("orders.none_of_line", part=each.of, in_force=note)
            trouble = replace(trouble, instead=joined(", ", each.rest) or trouble.instead)
        yield replace(trouble, note=note)
    yield from (_as_written(each.trouble, written) for each in refused[MAX_TROUBLES:])


def _as_written(trouble: LineError, written: Mapping[int, str]) -> LineError:
    """A trouble with its line, and its word, as the player wrote them."""
    line = written.get(trouble.number)
    if line is None:
        return trouble
    column = trouble.column
    word = trouble.line[column : column + trouble.length] if column is not None else ""
    at = line.find(word) if word.strip() else -1
    return replace(trouble, line=line, column=at if at >= 0 else None, part=None)


def trouble_of(line: Line, said: ParseError) -> LineError:
    """Return why a line cannot be an order."""
    wish = plain_request(said.line) if not said.candidates else None
    if wish is not None:
        # Its wrong word is of no use if no order was meant.
        reason = Message(f"orders.wish.{wish.value}")
        return LineError(line.number, said.line, reason, part=line.part)
    expected = Message("lines.expected", reason=said.reason, expected=said.expected)
    return LineError(
        line.number,
        said.line,
        said.reason if said.candidates else expected,
        column=said.column,
        length=len(said.found) or 1,
        instead=said.nearest,
        part=line.part,
    )


def _in_force_for(view: SeenGame, power: PowerId, refused: RejectedLine) -> MessageOrText:
    if not isinstance(refused.said, ParseError):
        return _in_force(view, power, refused.said)
    words = refused.line.text.split()
    lexicon, stage = view.lexicon, view.state.moment.stage
    for count in (2, 1, 3):
        read = read_order(f"{' '.join(words[:count])} h", lexicon, stage).said
        if len(read) == 1 and isinstance(read[0], Hold):
            return _in_force(view, power, read[0])
    return ""


def _in_force(view: SeenGame, power: PowerId, order: Order) -> MessageOrText:
    slot = slot_of(view.world, view.state, power, order)
    for old in view.orders_of(power):
        if slot_of(view.world, view.state, power, old) == slot:
            return Message("orders.in_force", order=order_text(view.words, old))
    return ""


@dataclass(frozen=True, slots=True)
class MergedOrder:
    """An order with the line that goes on file for it."""

    order: Order
    filed: FiledOrder
    source: Line | None = None
    """The line of the mail; None for an order that was on file before."""


@dataclass(frozen=True, slots=True)
class VoidOrders:
    """Orders of a power on file that have become void."""

    order_set: OrderSet
    """The new order set; the phase waits, as the power may want other orders."""
    refused: tuple[tuple[Order, Objection], ...]


def revalidate(before: GameView, after: GameView) -> Iterator[VoidOrders]:
    """Return the powers whose orders on file were valid *before* and are not *after* a change."""
    for power, order_set in after.order_sets.items():
        was, now = view_for_power(before, power), view_for_power(after, power)
        orders = now.orders_of(power)
        stood = {each.line for each in _refused(was, power, orders)}
        void = [each for each in _refused(now, power, orders) if each.line not in stood]
        if void:
            gone = {each.line for each in void}
            lines = tuple(line for n, line in enumerate(order_set.lines) if n not in gone)
            changed = replace(order_set, number=order_set.number + 1, lines=lines, flawed=True)
            yield VoidOrders(changed, tuple((each.order, each.because) for each in void))


def _refused(view: SeenGame, power: PowerId, orders: tuple[Order, ...]) -> tuple[OrderRefused, ...]:
    return sort_out(view.world, view.state, {power: orders}).refused


@dataclass(frozen=True, slots=True)
class Merged:
    """Old and new orders together."""

    lines: tuple[FiledOrder, ...]
    refused: "list[RejectedLine]"
    notices: tuple[Message, ...]


def merge(view: SeenGame, power: PowerId, new: Sequence[MergedOrder]) -> Merged:
    """Merge old and new lines by receipt; refused new ones are taken out first."""
    old = view.order_sets.get(power)
    lines = old.lines if old is not None else ()
    before = [MergedOrder(*pair) for pair in zip(view.orders_of(power), lines, strict=True)]
    entries = [*before, *new]
    ages = [(entry.filed.received, entry.filed.mail or 0) for entry in entries]
    entries = [entries[at] for at in sorted(range(len(ages)), key=ages.__getitem__)]
    sorted_out = _sorted(view, power, entries)
    no = {each.line: each.because for each in sorted_out.refused}
    refused = [
        refused_by(view, power, entry.source, entry.order, no[number])
        for number, entry in enumerate(entries)
        if number in no and entry.source is not None
    ]
    left = [entry for number, entry in enumerate(entries) if number not in no]
    if no:
        sorted_out = _sorted(view, power, left)
    twice = [(left[each.line], left[each.by]) for each in sorted_out.replaced]
    notes = [
        Message(
            "orders.replaces",
            old=old.source.number,
            new=new.source.number,
            order=order_text(view.words, old.order),
        )
        for old, new in twice
        if old.source is not None and new.source is not None
    ]
    standing = _standing(view, power, left, sorted_out)
    added = [entry for entry in left if entry.source is not None]
    places = _places(view, power, [*before, *added])
    ranks = [places.get(slot, len(places)) for slot, _ in standing]
    lines = tuple([standing[at][1] for at in sorted(range(len(ranks)), key=ranks.__getitem__)])
    return Merged(lines, refused, tuple(_shortened(notes)))


def _places(view: SeenGame, power: PowerId, entries: Sequence[MergedOrder]) -> dict[Slot, int]:
    """The first index per subject of the orders, so that a correction keeps its place."""
    places: dict[Slot, int] = {}
    world, state = view.world, view.state
    for place, entry in enumerate(entries):
        places.setdefault(slot_of(world, state, power, entry.order), place)
    return places


def _shortened(notices: list[Message]) -> list[Message]:
    more = len(notices) - MAX_TROUBLES
    if more <= 0:
        return notices
    return [*notices[:MAX_TROUBLES], Message("orders.more_replaced", n=more)]


def _sorted(view: SeenGame, power: PowerId, entries: Sequence[MergedOrder]) -> Sorted:
    orders = tuple([entry.order for entry in entries])
    return sort_out(view.world, view.state, {power: orders})


def _standing(
    view: SeenGame, power: PowerId, entries: Sequence[MergedOrder], sorted_out: Sorted
) -> list[tuple[Slot, FiledOrder]]:
    """The lines that no later one replaces, with their subjects, without cancelled builds."""
    gone = {each.line for each in sorted_out.replaced}
    left = [entry for number, entry in enumerate(entries) if number not in gone]
    world, state = view.world, view.state
    return [
        (
            slot_of(world, state, power, order),
            entry.filed
            if order == entry.order
            else replace(entry.filed, canonical=write_order(world, order)),
        )
        for entry, order in zip(left, sorted_out.standing[power], strict=True)
        # What cancels a build may itself be for no unit; all others were just read.
        if not isinstance(order, Remove | Disband)
        or objection_to(world, state, power, order) is None
    ]


_MAX_NESTED = 10
# The order lines of a mail, sorted by the phase that they are for, with their conditions.
# Conditions of the phase that is being played are judged at once, as its position is known; those
# of later phases are kept.
_NO_IF = Message("orders.condition.no_if")
_LOST = Message("orders.condition.lost")


@dataclass(slots=True)
class DraftCase:
    """A condition (None for ``else``) and its orders."""

    condition: Condition | None
    items: "list[Drafted]" = field(default_factory=list)


@dataclass(slots=True)
class Block:
    """``if … endif`` in a mail; *line* is its first."""

    line: Line
    cases: list[DraftCase] = field(default_factory=list)
    is_lost: bool = False
    """Something in it is wrong, so that none of it counts."""

    def lines(self) -> "Iterator[Line]":
        """Return the lines of the orders in it."""
        for item in (item for case in self.cases for item in case.items):
            yield from (item,) if isinstance(item, Line) else item.lines()


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits beside the orders of a line: a unit's retreats, or a standing order."""

    line: Line
    of_campaign: bool
    """True for retreats that were given with the orders of the campaign."""

    def lines(self) -> "Iterator[Line]":
        """Return its line."""
        yield self.line


Drafted: TypeAlias = Line | Block | Waiting


class OrderDraft:
    """The orders of one mail, line by line."""

    def __init__(self, context: MailContext) -> None:
        self.context = context
        self.ahead: dict[Target, list[Drafted]] = {}
        self.unread: list[Line] = []
        self.is_flawed = False
        """An order for the current phase could not be read."""
        self._open: list[Block] = []

    def takes(self, line: Line, below: Sequence[Line]) -> bool:
        """Return True if a line is part of ``if … endif`` and no talk."""
        if not (begins_branch(line.text) and is_player(self.context.seat)):
            return False
        return not is_talk(line.text) or any(ends_branch(each.text) for each in below)

    def take(self, line: Line) -> None:
        """Take a line that is no command; behind ``if`` it may hold words of that."""
        if self._open:
            self.branch(line)
        else:
            self.add(line)

    def add(self, line: Line) -> None:
        """Take an order into the open case, or for the current phase."""
        ordering = self.context.ordering
        if self._open:
            self._open[-1].cases[-1].items.append(line)
        elif ordering.targets_no_phase:
            self.unread.append(line)
            self.is_flawed |= ordering.is_phase_unread
        elif may_wait(line.text) and self._set_apart(line):
            return
        elif ordering.target is None:
            ordering.lines.append(line)
        else:
            self.ahead.setdefault(ordering.target, []).append(line)

    def _set_apart(self, line: Line) -> bool:
        """Take a line with more than orders for its phase: retreats, or standing orders."""
        everything, power = self.context.view(), self.context.power
        if everything is None or power is None:
            return False
        view, ordering = view_for_power(everything, power), self.context.ordering
        numbers, text = unit_numbers(view, power), line.text
        placed = numbers.in_places(text) if numbers is not None else text
        text = placed if isinstance(placed, str) else text
        target = ordering.target or view.state.moment
        stage = target.stage if isinstance(target, Moment) else target
        standing = standing_part(text, view.lexicon, stage)
        if standing is not None:
            self._stands(replace(line, text=standing.text), standing.stage, view)
            return True
        if stage is not Stage.CAMPAIGN:
            return False
        orders, retreats = split_retreats(text, view.lexicon, self._above())
        for each in retreats:
            self._retreats(line, each, target, view)
        if retreats and orders:
            self.add(replace(line, text=orders))
        return bool(retreats)

    def _above(self) -> str:
        target = self.context.ordering.target
        lines = self.context.ordering.lines if target is None else self.ahead.get(target, ())
        last = lines[-1] if lines else None
        return last.text if isinstance(last, Line) else ""

    def _retreats(self, line: Line, said: RetreatText, target: Target, view: SeenGame) -> None:
        if said.unit is None:
            self._refuse(line, Message("orders.retreats.whose"))
            return
        text = f"{unit_text(said.unit, view.lexicon)} retreat {said.goals}"
        where: Target = Stage.RETREATS
        if isinstance(target, Moment):
            where = Moment(target.campaign, Stage.RETREATS)
        waiting = Waiting(replace(line, text=text), of_campaign=True)
        self.ahead.setdefault(where, []).append(waiting)

    def _stands(self, line: Line, stage: Stage | None, view: SeenGame) -> None:
        """Keep a line for every phase of a kind; a siege begins, or goes on, at once."""
        where = stage or Stage.CAMPAIGN
        self.ahead.setdefault(where, []).append(Waiting(line, of_campaign=False))
        now = self.context.ordering.target is None and view.state.moment.stage is where
        if now and is_siege(self.context.parsed_lines, line, view):
            self.context.ordering.lines.append(line)

    def branch(self, line: Line) -> None:
        """Take a line with words of ``if … endif`` in it."""
        for piece in split_branches(line.text):
            self._take(line, piece)

    def break_off(self) -> None:
        """Drop unclosed blocks at a command or the end of the mail."""
        if self._open and not any(block.is_lost for block in self._open):
            self._refuse(self._open[0].line, Message("orders.condition.no_endif"))
        self.unread += (line for block in self._open for line in block.lines())
        self._open.clear()

    # --- pieces -------------------------------------------------------------------------------

    def _take(self, line: Line, piece: BranchPart) -> None:
        match piece.mark:
            case None:
                self._order(line, piece)
            case Mark.IF:
                self._begin(line, piece)
            case Mark.THEN | Mark.ELSE_IF | Mark.ELSE | Mark.END_IF if not self._open:
                self._without_if(line, piece)
            case Mark.THEN:
                self._order(line, piece)
            case Mark.ELSE_IF:
                self._next_case(line, self._condition(line, piece))
            case Mark.ELSE:
                self._next_case(line, None)
                self._order(line, piece)
            case Mark.END_IF:
                self._close(self._open.pop())
                self._order(line, piece)

    def _without_if(self, line: Line, piece: BranchPart) -> None:
        """Words of a condition without ``if``: what follows is dropped."""
        if piece.mark is Mark.END_IF:
            self._refuse(line, _NO_IF)
        else:
            self._refuse(line, _NO_IF, note=_LOST)
            self._open.append(Block(line, [DraftCase(None)], is_lost=True))

    def _order(self, line: Line, piece: BranchPart) -> None:
        if piece.text:
            self.add(replace(line, text=piece.text))

    def _begin(self, line: Line, piece: BranchPart) -> None:
        block = Block(line)
        self._open.append(block)
        if len(self._open) > _MAX_NESTED:
            self._spoil(line, Message("orders.condition.too_deep"))
        block.cases.append(DraftCase(self._condition(line, piece)))

    def _next_case(self, line: Line, condition: Condition | None) -> None:
        block = self._open[-1]
        if block.cases[-1].condition is None and not block.is_lost:
            self._spoil(line, Message("orders.condition.behind_else"))
        block.cases.append(DraftCase(condition))

    def _close(self, block: Block) -> None:
        if self._open:
            # One that is lost would change the meaning of what it stands in.
            self._open[-1].is_lost |= block.is_lost
            self._open[-1].cases[-1].items.append(block)
        elif block.is_lost:
            return
        elif self.context.ordering.targets_no_phase:
            self.unread.append(block.line)
        elif self.context.ordering.target is None:
            self._judge(block)
        else:
            self.ahead.setdefault(self.context.ordering.target, []).append(block)

    # --- conditions ---------------------------------------------------------------------------

    def _condition(self, line: Line, piece: BranchPart) -> Condition | None:
        view, power = self.context.view(), self.context.power
        if view is None or power is None:
            self._spoil(line, self.context.why_not_played())
            return None
        found = parse_condition(piece.text, view_for_power(view, power).lexicon, power)
        if isinstance(found, ParseError):
            shown = replace(found, line=line.text, column=found.column + piece.column)
            trouble = trouble_of(line, shown)
            self._spoil(line, trouble.reason, trouble)
            return None
        flaw = condition_flaw(found, view.game, power)
        if flaw:
            self._spoil(line, flaw)
        return found

    def _judge(self, block: Block) -> None:
        """Take what counts of a block for the current phase."""
        view, power = self.context.view(), self.context.power
        if view is None or power is None:
            return
        chosen = self._chosen(view_for_power(view, power), block)
        for line in chosen:
            self.add(line)
        number = block.line.number
        if not chosen:
            message = Message("orders.condition.none_true", number=number)
            self.context.answer.notices.append(message)

    def _chosen(self, view: SeenGame, block: Block) -> list[Line]:
        found = _case_that_holds(view, block)
        if found is None:
            return []
        if found.condition is not None:
            text = write_condition(found.condition, view.lexicon)
            number = block.line.number
            message = Message("orders.condition.is_true", number=number, condition=text)
            self.context.answer.notices.append(message)
        lines: list[Line] = []
        for item in found.items:
            if isinstance(item, Block):
                lines += self._chosen(view, item)
            else:
                lines += [item] if isinstance(item, Line) else item.lines()
        return lines

    # --- what is wrong ------------------------------------------------------------------------

    def doubt(self) -> None:
        """Keep the phase open: what is on file may not be what was meant."""
        self.is_flawed |= (
            self.context.ordering.target is None and not self.context.ordering.targets_no_phase
        )

    def _spoil(self, line: Line, reason: MessageOrText, trouble: LineError | None = None) -> None:
        """Make the open block void; the first reason is reported."""
        if not any(block.is_lost for block in self._open):
            self._refuse(line, reason, trouble, _LOST)
        self._open[-1].is_lost = True

    def _refuse(
        self,
        line: Line,
        reason: MessageOrText,
        trouble: LineError | None = None,
        note: MessageOrText = "",
    ) -> None:
        self.doubt()
        shown = trouble or LineError(line.number, line.text, reason)
        self.context.add_error(replace(shown, note=note))


def is_siege(said: LineParser, line: Line, view: SeenGame) -> bool:
    """Return True if a line orders sieges and nothing else."""
    pieces = said.orders(line.text, view.lexicon, Stage.CAMPAIGN)
    orders = [order for piece in pieces for order in piece.understood]
    return bool(orders) and all(isinstance(order, Besiege) for order in orders)


def _case_that_holds(view: SeenGame, block: Block) -> DraftCase | None:
    for case in block.cases:
        if case.condition is None or holds(case.condition, view.state):
            return case
    return None


command("if", act=Act.PLAY, who=PLAYERS, kind=If, also=("else if", "else", "endif"), is_dry=True)(
    None
)


@dataclass(frozen=True, slots=True)
class Submission:
    """The order lines of one mail."""

    power: PowerId
    lines: tuple[Line, ...]
    received: datetime
    mail: MailId
    also: frozenset[PowerId] = frozenset()
    flawed: bool = False
    """Other lines of the mail for this phase could not be read."""
    said: LineParser = field(default_factory=LineParser, compare=False, repr=False)


# Orders from a mail: what was understood, what is refused and why, what is on file afterwards. A
# line never costs another one: each is read and judged by itself, a later one for the same unit
# replaces an earlier one, and a refused one leaves what was on file in force (SYN-10). Of a line
# with several orders all are taken, or none.
@dataclass(frozen=True, slots=True)
class SubmittedOrders:
    """The result of a submission."""

    order_set: OrderSet | None
    """The new set on file; None if the mail only gave chits away."""
    troubles: tuple[LineError, ...]
    ignored: tuple[Comment, ...]
    chits: tuple[ChitGiven, ...] = ()
    """Gifts that take effect at once (ASN-02)."""
    notices: tuple[Message, ...] = ()
    cut: int | None = None


def submit(everything: GameView, given: Submission) -> SubmittedOrders:
    """Put the orders of a mail on file beside the old ones, and return its gifts of chits.

    They are checked against what the leader of the power sees.
    """
    view = view_for_power(everything, given.power)
    read = read_lines(view, given.power, given.lines, given.said)
    ignored = tuple(read.ignored)
    swept = {line.number for line, said in read.parsed if isinstance(said, BulkOrder)}
    parsed = expand_bulk_orders(view, given.power, read)
    chits, refused = _chits(view, given, parsed)
    others = [(line, said) for line, said in parsed if not isinstance(said, GiveChit)]
    if chits and not refused and not others:
        return SubmittedOrders(None, (), ignored, chits)
    more, entries = _first_look(view, given, others)
    merged = merge(view, given.power, entries)
    more = [_for_another(view, given, each) for each in more + merged.refused]
    refused += _once_per_bulk_order(more, swept)
    spoilt = {_statement_key(each.line, swept) for each in refused}
    taken = parsed
    if spoilt:
        taken = [each for each in parsed if _statement_key(each[0], swept) not in spoilt]
    if len(taken) < len(parsed) and (swept or any(line.part is not None for line, _ in parsed)):
        fates = ((each, each.source and _statement_key(each.source, swept)) for each in entries)
        merged = merge(view, given.power, [each for each, fate in fates if fate not in spoilt])
        chits, _ = _chits(view, given, taken)
        refused = list(_with_the_rest(view, refused, parsed, swept))
    is_flawed = given.flawed or not all(means_nothing(view, each) for each in refused)
    is_flawed = _is_flawed(view.order_sets.get(given.power), given, is_flawed)
    order_set = view.next_order_set(
        given.power, merged.lines, given.received, given.mail, flawed=is_flawed
    )
    filed = replace(view, order_sets={**view.order_sets, given.power: order_set})
    troubles = tuple(noted(filed, given.power, refused, read.written))
    notices = (*merged.notices, *_let_go(filed, given.power, read))
    return SubmittedOrders(order_set, troubles, ignored, chits, notices, read.cut)


def _let_go(filed: SeenGame, power: PowerId, read: OrderLines) -> Iterator[Message]:
    """The line for each unit that MAINTAIN ALL EXCEPT leaves without an order."""
    sweeps = [each for _, each in read.parsed if isinstance(each, BulkOrder) and each.excepted]
    if not sweeps or filed.state.moment.stage is not Stage.ADJUSTMENT:
        return
    found = (
        unit_named(filed.world, filed.state, power, n) for each in sweeps for n in each.excepted
    )
    units = [unit for unit in found if unit is not None]
    for unit in without_order(filed.world, filed.state, power, units, filed.orders_of(power)):
        line = order_text(filed.words, Remove(Named.of(unit)))
        yield Message("orders.let_go", unit=filed.words.unit(unit), line=line)


def _statement_key(line: Line, swept: Collection[int]) -> tuple[int, int]:
    """The key of orders that are taken together: those up to a semicolon.

    :param swept: numbers of the lines with a bulk order, each of which is one statement.
    """
    return line.number, 0 if line.number in swept else statement_of(line.text, line.part)


def _with_the_rest(
    view: SeenGame,
    refused: Sequence[RejectedLine],
    parsed: Sequence[ParsedLine],
    swept: Collection[int],
) -> Iterator[RejectedLine]:
    """The refused lines with several orders, each with these as they can be sent again.

    A refused order stands there as it was probably meant, or not at all.
    """
    seen: set[tuple[int, int]] = set()
    for each in refused:
        here = _statement_key(each.line, swept)
        of_line = [(line, said) for line, said in parsed if _statement_key(line, swept) == here]
        if here in seen or len(of_line) < 2:  # noqa: PLR2004  one order has no rest
            yield each
            continue
        seen.add(here)
        wrong = {id(one.said): one for one in refused if _statement_key(one.line, swept) == here}
        part = part_of(each.line.text, here[1]) if each.line.number not in swept else ""
        yield replace(each, rest=tuple(_still_valid(view, of_line, wrong)), of=part)


def _still_valid(
    view: SeenGame, of_line: Sequence[ParsedLine], wrong: Mapping[int, RejectedLine]
) -> Iterator[str]:
    """The valid orders of a line, others as they were probably meant.

    Nothing if the meaning of the whole line is known.
    """
    unread = [
        each
        for each in wrong.values()
        if isinstance(each.said, ParseError) and not each.said.candidates
    ]
    if len(unread) == len(wrong) and any(isinstance(each.trouble.instead, str) for each in unread):
        return
    for _, said in of_line:
        flawed = wrong.get(id(said))
        if flawed is None and not isinstance(said, ParseError):
            yield order_text(view.words, said)
        elif flawed is not None and flawed not in unread:
            meant = flawed.trouble.instead
            yield from [meant] if isinstance(meant, str) else []


def _chits(
    view: SeenGame, given: Submission, parsed: Sequence[ParsedLine]
) -> tuple[tuple[ChitGiven, ...], list[RejectedLine]]:
    """The chits given away, and the gifts that the rules forbid."""
    gifts = [(line, said) for line, said in parsed if isinstance(said, GiveChit)]
    results = chits_given(view, given.power, [order for _, order in gifts])
    refused = [
        refused_by(view, given.power, line, order, result)
        for (line, order), result in zip(gifts, results, strict=True)
        if isinstance(result, Objection)
    ]
    return tuple(result for result in results if isinstance(result, ChitGiven)), refused


def _first_look(
    view: SeenGame, given: Submission, parsed: Sequence[ParsedLine]
) -> tuple[list[RejectedLine], list[MergedOrder]]:
    """The orders that can never be taken, and the others."""
    refused: list[RejectedLine] = []
    entries: list[MergedOrder] = []
    lexicon = lexicon_of(view.world.scenario)
    for line, said in parsed:
        if isinstance(said, ParseError):
            trouble = _with_advice(view, given.power, line, said, trouble_of(line, said))
            refused.append(RejectedLine(line, said, trouble))
        else:
            canonical = write(said, lexicon)
            filed = FiledOrder(line.text, canonical, given.received, given.mail)
            entries.append(MergedOrder(said, filed, line))
    return refused, entries


def _with_advice(
    view: SeenGame,
    power: PowerId,
    line: Line,
    said: ParseError,
    trouble: LineError,
) -> LineError:
    """The trouble with the order that was probably meant, as far as it may be given."""
    if said.fault is Fault.PHASE:
        return trouble
    if said.candidates:
        return replace(trouble, instead=only_meaning(view, power, said))
    left = left_after_dropping(view, power, line.text)
    if left is not None:
        return replace(trouble, reason=Message("orders.clear_and", orders=left))
    return replace(trouble, instead=meant_by_words(view, power, line.text, said.nearest))


def _is_flawed(old: OrderSet | None, given: Submission, has_troubles: bool) -> bool:
    """The newest mail decides, even if an older one is handled after it."""
    if old is not None and old.received > given.received:
        return old.flawed
    if old is not None and old.flawed and old.mail == given.mail:
        return True
    return has_troubles


def _for_another(view: SeenGame, given: Submission, refused: RejectedLine) -> RejectedLine:
    """Explain how to order for the unit of another power of the writer."""
    said = refused.said
    if not isinstance(said, UnitOrder | Maintain | Remove):
        return refused
    unit = unit_named(view.world, view.state, given.power, said.unit)
    if unit is None or unit.owner not in given.also:
        return refused
    name = Words(view.world).power(unit.owner)
    reason = Message("orders.not_yours", power=name)
    return replace(refused, trouble=replace(refused.trouble, reason=reason))


def for_another_phase(context: MailContext, view: GameView, given: Submission) -> LineError | None:
    """Return the line that shows that the orders are for another phase, or None.

    Only if the mail answers a message about another phase and does not name this one: a line that
    could be ordered then and cannot be now.
    """
    about = None if context.ordering.names_phase else answered(context)
    if about is None or not about.is_certain:
        return None
    stored = as_it_was(context, view, about.moment)
    if stored is None:
        return None
    now = _refused_wrong_phase(view, given)
    then = _refused_wrong_phase(_at(view, stored), given) if now else set()
    line = next((each for each in given.lines if each.number in now - then), None)
    if line is None:
        return None
    here, there = view.state.moment.code, about.moment.code
    words = Words(view.world)
    reason = Message("orders.other_phase.reason", here=here, there=words.moment(about.moment))
    note = Message("orders.other_phase.note", here=here, there=there)
    return LineError(line.number, line.text, reason, note=note)


def _at(view: GameView, stored: StoredPhase) -> GameView:
    return replace(view, phase=replace(stored, after=stored.before), order_sets={})


def _refused_wrong_phase(view: GameView, given: Submission) -> set[int]:
    return {trouble.number for trouble in submit(view, given).troubles}
