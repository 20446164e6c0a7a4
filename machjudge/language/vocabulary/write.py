"""Orders as canonical text, the inverse of reading: the short notation of receipts and results.

``A avi - wgl - cor``, ``A mon s A tur``, ``expense 1: 12 ducats disband A pad``: letters for types,
the board's abbreviations for places, names for powers.
"""

from collections.abc import Mapping

from machjudge.adjudicator.model.names import AUTONOMOUS, NO_COAST, Coast, PlaceId, PowerId
from machjudge.adjudicator.model.orders import (
    AdjustmentOrder,
    Advance,
    Ally,
    Besiege,
    Borrow,
    Build,
    Burn,
    Cede,
    Convert,
    Disband,
    Excommunicate,
    Expense,
    GiveChit,
    Hold,
    LiftSiege,
    Maintain,
    MoneyOrder,
    Named,
    Order,
    Pay,
    Permit,
    PowerOrder,
    Purpose,
    Remove,
    StrategicMove,
    Support,
    Tax,
    Transport,
    UnitOrder,
    Waive,
)
from machjudge.adjudicator.model.units import Kind
from machjudge.language.vocabulary.lexicon import Lexicon

_WORDS: Mapping[type[UnitOrder], str] = {
    Hold: "h",
    Besiege: "b",
    LiftSiege: "l",
    Disband: "disband",
}
_DEEDS = {
    Purpose.FAMINE_RELIEF: "famine relief",
    Purpose.PACIFY: "pacify rebellion",
    Purpose.COUNTER_BRIBE: "counter-bribe",
    Purpose.DISBAND: "disband",
    Purpose.BUY: "buy",
    Purpose.TO_AUTONOMOUS: "garrison to autonomous",
    Purpose.CAUSE_REBELLION: "cause rebellion",
    Purpose.ASSASSINATE: "assassinate",
}


def write(order: Order, lexicon: Lexicon) -> str:
    """Write an order as a line that reads as the same order.

    :param order: any order of any kind of phase.
    :param lexicon: the names of the game's scenario.
    """
    match order:
        case Ally() | Permit() | Excommunicate() | Cede() | Burn():
            return _dealing(order, lexicon)
        case Borrow() | Pay() | Expense() | GiveChit():
            return _money(order, lexicon)
        case Build() | Maintain() | Remove() | Waive() | Tax():
            return _adjustment(order, lexicon)
        case _:
            return f"{unit_text(order.unit, lexicon)} {_deed_of_unit(order, lexicon)}"


def unit_text(unit: Named, lexicon: Lexicon) -> str:
    """A unit as it is written in an order: ``A mil``, ``F pro/nc``, ``Papal A rme``, ``mil``."""
    owner = "" if unit.owner is None else f"{_owner_text(unit.owner, lexicon)} "
    kind = "" if unit.kind is None else f"{unit.kind.letter} "
    return f"{owner}{kind}{spot_text(unit.place, unit.coast)}"


def spot_text(place: PlaceId, coast: Coast = NO_COAST) -> str:
    """A place with its coast: ``pro/nc``."""
    return f"{place}/{coast}" if coast else place


def ducats_text(ducats: int) -> str:
    """An amount: ``1 ducat``, ``12 ducats``."""
    return f"{ducats} {'ducat' if ducats == 1 else 'ducats'}"


def _deed_of_unit(order: UnitOrder, lexicon: Lexicon) -> str:
    match order:
        case Hold() | Besiege() | LiftSiege() | Disband():
            return _WORDS[type(order)]
        case Advance():
            hops = (*order.via, spot_text(order.to, order.coast))
            return f"{_hops(hops)}{' via' if order.by_sea else ''}"
        case StrategicMove():
            return f"sm {_hops((*order.route[:-1], spot_text(order.route[-1], order.coast)))}"
        case Support():
            return f"s {_supported(order, lexicon)}"
        case Transport():
            to = "anywhere" if order.to is None else _hops((order.to,))
            return f"t {unit_text(order.army, lexicon)} {to}"
        case Convert():
            coast = f"/{order.coast}" if order.coast else ""
            return f"c {order.into.value.lower()}{coast}"


def _hops(places: tuple[str, ...]) -> str:
    return " ".join(f"- {place}" for place in places)


def _supported(order: Support, lexicon: Lexicon) -> str:
    """The unit that is helped and its move; a garrison's, into its own province, is ``c``.

    ``c a`` and ``c f`` are the same support (CNV-15), so neither is written.
    """
    unit = unit_text(order.supported, lexicon)
    if order.to is None:
        return unit
    converts = order.supported.kind is Kind.GARRISON and order.to == order.supported.place
    if converts and not order.coast:
        return f"{unit} c"
    return f"{unit} {_hops((spot_text(order.to, order.coast),))}"


def _owner_text(owner: PowerId, lexicon: Lexicon) -> str:
    """The adjective of a power, or another name of it if the adjective is a place too."""
    if owner == AUTONOMOUS:
        return "autonomous"
    power = lexicon.powers[owner]
    names = (power.adjective, power.name, *power.aliases)
    clear = (name for name in names if name and not isinstance(lexicon.place(name), str))
    return next(clear, power.name)


def _dealing(order: PowerOrder, lexicon: Lexicon) -> str:
    match order:
        case Ally():
            return f"{'ally' if order.allowed else 'unally'} {_name(order.power, lexicon)}"
        case Cede(place, None):
            return f"not cede {place}"
        case Cede(place, to):
            return f"cede {place} to {_name(to, lexicon)}"
        case Burn():
            return f"{'burn' if order.burnt else 'not burn'} {order.place}"
        case Permit():
            return f"{'permit' if order.allowed else 'not permit'} {_name(order.power, lexicon)}"
        case Excommunicate():
            verb = "excommunicate" if order.banned else "not excommunicate"
            return f"{verb} {_name(order.power, lexicon)}"


def _money(order: MoneyOrder | GiveChit, lexicon: Lexicon) -> str:
    match order:
        case Borrow():
            term = "1 year" if order.years == 1 else f"{order.years} years"
            return f"borrow {ducats_text(order.ducats)} for {term}"
        case Pay():
            to = "bank" if order.to is None else _name(order.to, lexicon)
            return f"pay {ducats_text(order.ducats)} to {to}"
        case Expense():
            return f"expense {order.number}: {_expense(order, lexicon)}"
        case GiveChit():
            return f"give {_name(order.of, lexicon)} to {_name(order.to, lexicon)}"


def _expense(order: Expense, lexicon: Lexicon) -> str:
    if order.purpose is None:
        return "none"
    amount = "" if order.ducats is None else f"{ducats_text(order.ducats)} "
    return f"{amount}{_DEEDS[order.purpose]} {_target(order, lexicon)}"


def _target(order: Expense, lexicon: Lexicon) -> str:
    if order.unit is not None:
        return unit_text(order.unit, lexicon)
    if order.place is not None:
        return order.place
    faces = f" on {' '.join(map(str, order.faces))}" if order.faces else ""
    return f"{_name(order.power, lexicon)}{faces}"


def _name(power: PowerId | None, lexicon: Lexicon) -> str:
    return "" if power is None else lexicon.powers[power].name


def _adjustment(order: AdjustmentOrder, lexicon: Lexicon) -> str:
    match order:
        case Build():
            quality = f"{order.quality.value} " if order.quality.value else ""
            return f"build {quality}{order.kind.value} {spot_text(order.place, order.coast)}"
        case Maintain():
            return f"maintain {unit_text(order.unit, lexicon)}"
        case Remove():
            return f"remove {unit_text(order.unit, lexicon)}"
        case Waive():
            return "waive"
        case Tax():
            return f"tax {order.place}"
