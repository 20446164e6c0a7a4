"""What the writer of a refused order may have meant, and what the unit could do instead."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from machjudge.adjudicator.legality.lawful import read_order
from machjudge.adjudicator.legality.naming import unit_named
from machjudge.adjudicator.model.moments import Stage
from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.orders import (
    Advance,
    Convert,
    Expense,
    Hold,
    Maintain,
    Named,
    Order,
    Purpose,
    Remove,
    Support,
    UnitOrder,
)
from machjudge.adjudicator.model.reasons import Flaw, Objection
from machjudge.adjudicator.model.units import Kind, Unit
from machjudge.adjudicator.model.world import World
from machjudge.language.orders.parse import parse_order
from machjudge.language.vocabulary.said import Ambiguous, Candidate, Problem
from machjudge.language.vocabulary.words import cut, fold
from machjudge.letters.receipt.todo import retreat_lines
from machjudge.letters.wording.notation import order_text
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence, joined
from machjudge.service.game.view import SeenGame

_ALIKE = 3
"""So many letters at the beginning of two names are a slip."""
_OUT_OF_REACH = (Flaw.NOT_ADJACENT, Flaw.CANNOT_REACH)


def only_meaning(situation: SeenGame, power: PowerId, said: Ambiguous) -> str | None:
    """The order that a line must mean, whatever its abbreviation may mean besides (SYN-09).

    It is the only one that the power may give; of several, the only one within one step.
    """
    world, state = situation.world, situation.state
    meant = [order for each in said.candidates for order in _with(situation, said, each)]
    read = [read_order(world, state, power, order) for order in meant]
    lawful = [order for order in read if not isinstance(order, Objection)]
    near = [order for order in lawful if _is_near(situation, power, order)]
    only = lawful if len(lawful) == 1 and isinstance(lawful[0], Advance) else near
    return order_text(situation.words, only[0]) if len(only) == 1 else None


def meant_by_words(
    situation: SeenGame, power: PowerId, line: str, nearest: str | None
) -> str | None:
    """The order that a line with words around it means, or the nearest one that can be read.

    Only one that may be given as things stand, and that says what the line says: a line that takes
    something back is answered with what does that.
    """
    found = _TAKES_BACK.match(fold(line))
    if found is not None:
        back = _taken_back(situation, power, line[found.end() :])
        return order_text(situation.words, back) if back is not None else None
    behind = _CORRECTS.match(fold(line))
    rest = line[behind.end() :] if behind is not None else ""
    if nearest is not None and _NEGATES.match(fold(line)) and not _NEGATES.match(fold(nearest)):
        nearest = None
    spent = _spent(situation, power, line)
    candidates = (_read(situation, rest), spent, _read(situation, nearest or ""))
    lawful = (_lawful(situation, power, each) for each in candidates)
    return next(filter(None, lawful), None)


_CORRECTS = re.compile(
    r"(?:(?:no(?=[,;:.!]| (?:wait|espera|aspetta)\b)|wait|sorry|oops|correction|actually|rather"
    r"|instead|i mean|scratch that|make that"
    r"|espera|mejor|perdon|correccion|mejor dicho|quiero decir"
    r"|anzi|aspetta|scusa|scusate|correzione|cioe|piuttosto|voglio dire)\b[\s,;:.!-]*)+(?=\w)"
)
"""With what somebody begins who puts an order right."""
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
"""Verbs of expenses for units inside a sentence."""
_UNITS = {
    Kind.ARMY: re.compile(r"\b(?:a|army|ejercito|esercito|armata)\b"),
    Kind.FLEET: re.compile(r"\b(?:f|fleet|flota|flotta)\b"),
    Kind.GARRISON: re.compile(r"\b(?:g|garrison|guarnicion|guarnigione)\b"),
}
_MOST_EXPENSES = 4


def _taken_back(situation: SeenGame, power: PowerId, text: str) -> Order | None:
    """The order by which one that is on file counts no more; None where no order does that."""
    stage = situation.state.moment.stage
    said = parse_order(text, situation.lexicon, stage).said
    if len(said) != 1 or said[0] not in situation.orders_of(power):
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


def left_when_dropped(situation: SeenGame, power: PowerId, line: str) -> tuple[str, ...] | None:
    """The orders to send again behind CLEAR for a line that takes back one that is on file.

    None where it takes back none, or where another order does.
    """
    found = _TAKES_BACK.match(fold(line))
    if found is None:
        return None
    said = parse_order(line[found.end() :], situation.lexicon, situation.state.moment.stage).said
    filed = situation.orders_of(power)
    if len(said) != 1 or said[0] not in filed:
        return None
    if _taken_back(situation, power, line[found.end() :]) is not None:
        return None
    return tuple(order_text(situation.words, each) for each in filed if each != said[0])


def _spent(situation: SeenGame, power: PowerId, line: str) -> tuple[Order, ...]:
    """The expense that a sentence with a verb, a unit in a place and an amount means."""
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
    places = [each for each in map(situation.lexicon.place, names) if isinstance(each, str)]
    taken = {one.number for one in situation.orders_of(power) if isinstance(one, Expense)}
    number = next((n for n in range(1, _MOST_EXPENSES + 1) if n not in taken), _MOST_EXPENSES)
    return tuple(
        Expense(number, purpose, int(amount[1]), Named(kind, place)) for place in places[:1]
    )


def _read(situation: SeenGame, text: str) -> tuple[Order, ...]:
    """The orders of a text; none if not all of it is an order."""
    said = parse_order(text, situation.lexicon, situation.state.moment.stage).said
    orders = tuple(one for one in said if not isinstance(one, Problem | Ambiguous))
    return orders if len(orders) == len(said) else ()


def _lawful(situation: SeenGame, power: PowerId, orders: Sequence[Order]) -> str:
    """Orders in their words, if all of them may be given now; empty if not."""
    world, state = situation.world, situation.state
    read = [read_order(world, state, power, each) for each in orders]
    lawful = [each for each in read if not isinstance(each, Objection)]
    words = [order_text(situation.words, each) for each in lawful]
    return joined(", ", words) if len(lawful) == len(read) else ""


def _with(situation: SeenGame, said: Ambiguous, candidate: Candidate) -> Iterator[Order]:
    """The order that the line says if the abbreviation means the candidate."""
    begin, end = said.column, said.column + len(said.text)
    text = f"{said.line[:begin]}{candidate.name}{said.line[end:]}"
    parsed = parse_order(text, situation.lexicon, situation.state.moment.stage)
    for order, part in parsed.parts():
        first, last = part or (0, len(text))
        if first <= begin < last and not isinstance(order, Problem | Ambiguous):
            yield order


def _is_near(situation: SeenGame, power: PowerId, order: Order) -> bool:
    """Whether the unit that an order moves or supports could make that move in one step."""
    world, state = situation.world, situation.state
    match order:
        case Advance(unit=named, to=to):
            unit = unit_named(world, state, power, named)
        case Support(supported=named, to=to) if to is not None:
            unit = unit_named(world, state, power, named)
        case _:
            return True
    return unit is not None and world.reaches(unit, to)


def instead(
    situation: SeenGame, power: PowerId, order: Order, because: Objection
) -> Sentence | None:
    """What the unit of a refused order can do, as half a sentence; None where that is no help."""
    if because.flaw is Flaw.NO_RETREAT_THERE:
        return _ways_out(situation, order)
    if because.flaw not in _OUT_OF_REACH or not isinstance(order, Advance | Support):
        return None
    unit = unit_named(situation.world, situation.state, power, order.unit)
    return _ways(situation.world, unit) if unit is not None else None


def same_of_own(
    situation: SeenGame, power: PowerId, order: Order, because: Objection
) -> str | None:
    """The same order for a unit of the power, as far as it may be given; None if none is meant.

    One of that type in a place whose name begins alike, else one of another type in that place.
    """
    if because.flaw is not Flaw.NO_UNIT or not isinstance(order, UnitOrder | Maintain | Remove):
        return None
    world, state = situation.world, situation.state
    named, own, begin = order.unit, state.units_of(power), _begin(world, order.unit.place)
    alike = [unit for unit in own if unit.kind is named.kind and _begin(world, unit.place) == begin]
    for units in (alike, [unit for unit in own if unit.place == named.place]):
        read = [read_order(world, state, power, _given_to(unit, order)) for unit in units]
        lawful = [each for each in read if not isinstance(each, Objection)]
        if len(lawful) == 1:
            return order_text(Words(world), lawful[0])
    return None


def _given_to(unit: Unit, order: UnitOrder | Maintain | Remove) -> Order:
    return replace(order, unit=Named(unit.kind, unit.place, unit.coast))


def _begin(world: World, place: PlaceId) -> str:
    return world.place(place).name[:_ALIKE].lower()


def _ways(world: World, unit: Unit) -> Sentence | None:
    near = [place for place in world.board.places if world.reaches(unit, place)]
    words = Words(world)
    names = sorted(words.place(place) for place in near if place not in world.closed)
    told = Sentence("orders.can_reach", unit=words.unit(unit.made_plain()), places=tuple(names))
    return told if names else None


def _ways_out(situation: SeenGame, order: Order) -> Sentence | None:
    if not isinstance(order, Advance | Convert):
        return None
    waiting = [each for each in situation.state.dislodged if each.unit.place == order.unit.place]
    lines = [line for each in waiting for line in retreat_lines(situation.words, each)]
    return Sentence("orders.ways_out", orders=tuple(lines)) if lines else None
