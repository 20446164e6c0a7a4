"""Whether a condition holds in a position, and whether a power may ask it at all."""

from collections.abc import Iterator

from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.state import View
from machjudge.adjudicator.model.units import Unit
from machjudge.language.orders.conditions import (
    Both,
    Condition,
    Either,
    Not,
    Owned,
    Sign,
    Treasury,
    UnitThere,
)
from machjudge.sentence import Sentence
from machjudge.service.model.records import Game


def holds(condition: Condition, state: View) -> bool:
    """Whether a condition holds in a position, as far as whoever asks it can see."""
    match condition:
        case UnitThere():
            return any(_is_meant(condition, unit) for unit in _units_at(condition, state))
        case Owned(place, by, in_city):
            return (state.cities if in_city else state.provinces).get(place) == by
        case Treasury(power, sign, ducats):
            return _compares(state.treasuries.get(power, 0), sign, ducats)
        case Not(of):
            return not holds(of, state)
        case Both(parts):
            return all(holds(part, state) for part in parts)
        case Either(parts):
            return any(holds(part, state) for part in parts)


def flaw_of(condition: Condition, game: Game, power: PowerId) -> Sentence | None:
    """Why this power may not ask so in this game; None if it may."""
    asked = {fact.power for fact in _treasuries(condition)}
    if asked and not game.rules.game.money:
        return Sentence("game.condition.no_money")
    is_hidden = game.conduct.hidden_money and asked - {power}
    return Sentence("game.condition.hidden") if is_hidden else None


def _units_at(wanted: UnitThere, state: View) -> Iterator[Unit]:
    """Who stands there; a dislodged unit stands nowhere."""
    for units in (state.field, state.garrisons):
        unit = units.get(wanted.place)
        if unit is not None:
            yield unit


def _is_meant(wanted: UnitThere, unit: Unit) -> bool:
    return wanted.kind in (None, unit.kind) and wanted.owner in (None, unit.owner)


def _compares(has: int, sign: Sign, ducats: int) -> bool:
    match sign:
        case Sign.LEAST:
            return has >= ducats
        case Sign.MORE:
            return has > ducats
        case Sign.MOST:
            return has <= ducats
        case Sign.LESS:
            return has < ducats
        case Sign.EXACTLY:
            return has == ducats


def _treasuries(condition: Condition) -> Iterator[Treasury]:
    match condition:
        case Treasury():
            yield condition
        case Not(of):
            yield from _treasuries(of)
        case Both(parts) | Either(parts):
            for part in parts:
                yield from _treasuries(part)
        case UnitThere() | Owned():
            return
