"""What the writer of a refused order may have meant, and what the unit could do instead."""

from collections.abc import Iterator
from dataclasses import replace

from machjudge.adjudicator.legality.lawful import read_order
from machjudge.adjudicator.legality.naming import unit_named
from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.orders import (
    Advance,
    Convert,
    Maintain,
    Named,
    Order,
    Remove,
    Support,
    UnitOrder,
)
from machjudge.adjudicator.model.reasons import Flaw, Objection
from machjudge.adjudicator.model.units import Unit
from machjudge.adjudicator.model.world import World
from machjudge.language.orders.parse import parse_order
from machjudge.language.vocabulary.said import Ambiguous, Candidate, Problem
from machjudge.letters.receipt.todo import retreat_lines
from machjudge.letters.wording.notation import order_text
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence
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
