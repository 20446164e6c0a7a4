"""Orders in the letters of the book of 1978, with the places of their units beside the numbers.

``A1 Bari: A-Capua``, ``A2 Milan: S-Pavia-(Florence)``, ``expense 1: C-A1(Florence)-6d``: each line
can be sent back as it stands.
"""

from collections.abc import Mapping

from machjudge.adjudicator.model import orders as ordered
from machjudge.adjudicator.model.board import Spot
from machjudge.adjudicator.model.orders import Expense, Named, Order, Purpose, UnitOrder
from machjudge.adjudicator.model.units import Kind
from machjudge.letters.wording.words import Words
from machjudge.sentence import phrase

_LETTERS: Mapping[type[Order], str] = {
    ordered.Hold: "H",
    ordered.Besiege: "B",
    ordered.LiftSiege: "L",
    ordered.Disband: "0",
}
_ON_PLACES: Mapping[Purpose, str] = {
    Purpose.FAMINE_RELIEF: "A",
    Purpose.PACIFY: "B",
}
AT_HOME = 15
"""From so many ducats a rebellion has the letter of one in a home country (EXP-37)."""


def printed_order(words: Words, unit: str, order: UnitOrder) -> str | None:
    """The order of a unit that is named so; None where the book has no letters for it."""
    letters = _printed(words, order)
    return phrase("{}: {}", unit, letters) if letters is not None else None


def _printed(words: Words, order: UnitOrder) -> str | None:
    match order:
        case ordered.Hold() | ordered.Besiege() | ordered.LiftSiege() | ordered.Disband():
            return _LETTERS[type(order)]
        case ordered.Advance(_, to, coast, via=(), by_sea=False):
            return phrase("A-{}", words.spot(Spot(to, coast)))
        case ordered.Support(_, Named(kind=None, place=place, owner=str(owner)), to=None):
            return phrase("S-{}-({})", words.place(place), words.power(owner))
        case ordered.Transport(_, army, to=None):
            number = numbered(words, army)
            return phrase("T-{}", number) if number else None
        case ordered.Convert(_, into, coast=""):
            return into.value
        case _:
            return None


def printed_expense(words: Words, order: Expense) -> str | None:
    """An expense by the letters of the price list; None where the book has none for it."""
    if order.ducats is None or order.faces:
        return None
    deed = _at_unit(words, order, order.unit) if order.unit is not None else _at(words, order)
    told = str(order.number), deed or "", str(order.ducats)
    return phrase("expense {}: {}-{}d", *told) if deed else None


def _at(words: Words, order: Expense) -> str | None:
    """An expense on a place or a power."""
    if order.purpose is Purpose.ASSASSINATE:
        return phrase("L-({})", words.power(order.power))
    if order.purpose is None or order.place is None:
        return None
    at_home = (order.ducats or 0) >= AT_HOME
    letter = _ON_PLACES.get(order.purpose, "K" if at_home else "J")
    return phrase("{}-{}", letter, words.place(order.place))


def _at_unit(words: Words, order: Expense, unit: Named) -> str | None:
    """An expense on a unit, which is named by its number if it has one."""
    number, place = numbered(words, unit), words.place(unit.place)
    match order.purpose:
        case Purpose.COUNTER_BRIBE:
            return phrase("C-{}", number or place)
        case Purpose.TO_AUTONOMOUS:
            return phrase("F-{}", place)
        case Purpose.DISBAND if unit.kind is Kind.GARRISON:
            return phrase("{}-{}", "G" if number else "D", place)
        case Purpose.BUY if unit.kind is Kind.GARRISON and not number:
            return phrase("E-{}", place)
        case Purpose.DISBAND | Purpose.BUY if number:
            return phrase("{}-{}", "H" if order.purpose is Purpose.DISBAND else "I", number)
        case _:
            return None


def numbered(words: Words, named: Named) -> str:
    """A unit by its number and its power, ``A1(Florence)``; empty where it bears none."""
    unit = (words.numbers or {}).get((named.kind, named.place))
    if unit is None:
        return ""
    return phrase("{}{}({})", unit.kind.value, str(unit.number), words.power(unit.owner))
