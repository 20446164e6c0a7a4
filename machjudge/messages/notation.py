"""Write orders with full place names, in the reader's notation, so that they can be sent back."""

from collections.abc import Mapping
from dataclasses import replace

from machjudge.adjudicator import orders as ordered
from machjudge.adjudicator.board import Spot
from machjudge.adjudicator.names import AUTONOMOUS, PlaceId
from machjudge.adjudicator.orders import (
    AdjustmentOrder,
    Expense,
    MoneyOrder,
    Named,
    Order,
    PowerOrder,
    Purpose,
    UnitOrder,
)
from machjudge.adjudicator.prices import price_of
from machjudge.adjudicator.rules import SupportTarget
from machjudge.adjudicator.state import View
from machjudge.adjudicator.units import Kind, Unit
from machjudge.messages.wording import Words, counted, ducats
from machjudge.translatable import Message, joined, phrase

# Orders in the letters of the book of 1978, with the places of their units beside the numbers.
# ``A1 Bari: A-Capua``, ``A2 Milan: S-Pavia-(Florence)``, ``expense 1: C-A1(Florence)-6d``: each
# line can be sent back as it stands.
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
"""The ducats from which a rebellion has the letter of one in a home country (EXP-37)."""


def printed_order(words: Words, unit: str, order: UnitOrder) -> str | None:
    """Return a unit's order in the notation of the book; None if the book has no letters for it."""
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
    """Return an expense by its letter of the price list, or None."""
    if order.ducats is None or order.faces:
        return None
    deed = _at_unit(words, order, order.unit) if order.unit is not None else _at(words, order)
    parts = str(order.number), deed or "", str(order.ducats)
    return phrase("expense {}: {}-{}d", *parts) if deed else None


def _at(words: Words, order: Expense) -> str | None:
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
    """Return ``A1(Florence)``, or "" for a unit without a number."""
    unit = (words.numbers or {}).get((named.kind, named.place))
    if unit is None:
        return ""
    return phrase("{}{}({})", unit.kind.letter, str(unit.number), words.power(unit.owner))


def order_text(words: Words, order: Order) -> str:
    """An order such as ``A Arezzo S A Florence - Bologna``."""
    if isinstance(order, UnitOrder):
        unit = named_text(words, order.unit)
        printed = printed_order(words, unit, order) if words.in_letters else None
        return printed if printed is not None else _unit_order(words, unit, order)
    if isinstance(order, PowerOrder):
        return _power_order(words, order)
    if isinstance(order, MoneyOrder):
        return _money_order(words, order)
    if isinstance(order, ordered.GiveChit):
        return phrase("give {} to {}", words.power(order.of), words.power(order.to))
    return _adjustment_order(words, order)


def named_text(words: Words, named: Named) -> str:
    """Return ``A Arezzo``, or ``Arezzo`` where no type was written."""
    place, coast = words.place(named.place), named.coast
    spot = phrase("{}/{}", place, coast) if coast else place
    unit = words.numbers.get((named.kind, named.place)) if words.numbers else None
    number = str(unit.number) if unit is not None else ""
    return phrase("{}{} {}", words.letter(named.kind), number, spot) if named.kind else spot


def _supported(words: Words, named: Named) -> str:
    """A unit as a support names it, with its power where the rules ask for it (MOV-13)."""
    by_power = words.world.rules.conflict.support_target is SupportTarget.PLACE
    return _with_owner(words, named) if by_power else named_text(words, named)


def _with_owner(words: Words, named: Named) -> str:
    """A unit with the power that an order gives it, if any: ``Venetian A Ferrara``."""
    text = named_text(words, named)
    if named.owner is None:
        return text
    autonomous = named.owner == AUTONOMOUS
    whose = "autonomous" if autonomous else words.world.scenario.powers[named.owner].adjective
    return phrase("{} {}", whose, text)


def _unit_order(words: Words, unit: str, order: UnitOrder) -> str:
    match order:
        case ordered.Hold():
            return phrase("{} H", unit)
        case ordered.Advance():
            end = words.spot(Spot(order.to, order.coast))
            way = joined(" - ", [unit, *map(words.place, order.via), end])
            return phrase("{} via convoy", way) if order.by_sea else way
        case ordered.StrategicMove(_, route, coast):
            stops = [words.place(place) for place in route[:-1]]
            return joined(
                " - ", [phrase("{} SM", unit), *stops, words.spot(Spot(route[-1], coast))]
            )
        case ordered.Support(_, supported, to, coast):
            whom = _supported(words, supported)
            move = phrase(" - {}", words.spot(Spot(to, coast))) if to is not None else ""
            return phrase("{} S {}{}", unit, whom, move)
        case ordered.Transport(_, army, to):
            goal = "anywhere" if to is None else phrase("- {}", words.place(to))
            return phrase("{} T {} {}", unit, named_text(words, army), goal)
        case ordered.Convert(_, into, coast):
            return phrase("{} C {}{}", unit, words.letter(into), f"/{coast}" if coast else "")
        case ordered.Besiege() | ordered.LiftSiege() | ordered.Disband():
            return phrase("{} {}", unit, _WORDS[type(order)])


_WORDS: dict[type[Order], str] = {
    ordered.Besiege: "B",
    ordered.LiftSiege: "L",
    ordered.Disband: "disband",
}


def _power_order(words: Words, order: PowerOrder) -> str:
    match order:
        case ordered.Ally(power, allowed):
            return phrase("{} {}", "ally" if allowed else "unally", words.power(power))
        case ordered.Cede(place, None):
            return phrase("not cede {}", words.place(place))
        case ordered.Cede(place, to):
            return phrase("cede {} to {}", words.place(place), words.power(to))
        case ordered.Burn(place, burnt):
            return phrase("{} {}", "burn" if burnt else "not burn", words.place(place))
        case ordered.Permit(power, allowed):
            return phrase("{} {}", "permit" if allowed else "not permit", words.power(power))
        case ordered.Excommunicate(power, banned):
            verb = "excommunicate" if banned else "not excommunicate"
            return phrase("{} {}", verb, words.power(power))


def _money_order(words: Words, order: MoneyOrder) -> str:
    match order:
        case ordered.Borrow(amount, years):
            return f"borrow {ducats(amount)} for {counted(years, 'year')}"
        case ordered.Pay(amount, to):
            return phrase("pay {} to {}", ducats(amount), words.power(to) if to else "bank")
        case ordered.Expense():
            printed = printed_expense(words, order) if words.in_letters else None
            return printed or phrase("expense {}: {}", str(order.number), _expense(words, order))


def _expense(words: Words, order: ordered.Expense) -> str:
    if order.purpose is None:
        return "none"
    price = [ducats(order.ducats)] if order.ducats is not None else []
    faces = [f"on {' '.join(map(str, order.faces))}"] if order.faces else []
    target = [each] if (each := _target(words, order)) else []
    return joined(" ", [*price, PURPOSES[order.purpose], *target, *faces])


def _target(words: Words, order: Expense) -> str:
    if order.unit is not None:
        return _with_owner(words, order.unit)
    if order.place is not None:
        return words.place(order.place)
    return words.power(order.power) if order.power is not None else ""


def deed_words(words: Words, order: Expense, unit: Unit | None = None) -> Message | None:
    """Return what an expense is for, and on whom; *unit* is the one that it names, if known."""
    if order.purpose is None:
        return None
    target = words.whose(unit) if unit is not None else _target(words, order)
    return Message(f"text.deed.{order.purpose.name.lower()}", target=target)


PURPOSES = {
    ordered.Purpose.FAMINE_RELIEF: "famine relief",
    ordered.Purpose.PACIFY: "pacify rebellion",
    ordered.Purpose.COUNTER_BRIBE: "counter-bribe",
    ordered.Purpose.DISBAND: "disband",
    ordered.Purpose.BUY: "buy",
    ordered.Purpose.TO_AUTONOMOUS: "garrison to autonomous",
    ordered.Purpose.CAUSE_REBELLION: "cause rebellion",
    ordered.Purpose.ASSASSINATE: "assassinate",
}
"""The purposes of expenses, in words of orders."""


def _adjustment_order(words: Words, order: AdjustmentOrder) -> str:
    match order:
        case ordered.Build(kind, place, coast, quality):
            special = f"{quality.value} " if quality.value else ""
            return phrase(
                "build {}{} {}", special, words.letter(kind), words.spot(Spot(place, coast))
            )
        case ordered.Maintain(unit):
            return phrase("maintain {}", named_text(words, unit))
        case ordered.Remove(unit):
            return phrase("remove {}", named_text(words, unit))
        case ordered.Waive():
            return "waive"
        case ordered.Tax(place):
            return phrase("tax {}", words.place(place))


def paid_line(words: Words, state: View, purpose: Purpose, place: PlaceId) -> str:
    """Return the first expense of a mail for that place, with its price in ducats."""
    asked = Expense(1, purpose, place=place)
    return order_text(words, replace(asked, ducats=price_of(words.world, state, asked).ducats))
