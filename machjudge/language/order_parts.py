"""From the shape of an order to its recipe, once for each shape."""

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import NamedTuple, TypeAlias

from lark import Token, Transformer, v_args

from machjudge.adjudicator.dice import SIDES
from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.names import AUTONOMOUS, NO_COAST, Coast, PlaceId, PowerId
from machjudge.adjudicator.orders import (
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
    Named,
    Order,
    Pay,
    Permit,
    Purpose,
    Remove,
    StrategicMove,
    Support,
    Tax,
    Transport,
    Waive,
)
from machjudge.adjudicator.units import Kind, Quality
from machjudge.language.lexicon import (
    HEAD,
    NUMBER_WORDS,
    Halt,
    Lexicon,
    Shape,
    letter,
    tree_of,
    vocabulary,
)
from machjudge.language.words import Fault, bare, cut
from machjudge.translatable import Message, MessageOrText

Index: TypeAlias = int
"""The number of a word within its order, counted from 0."""


class Meanings(NamedTuple):
    """What the words of one order mean: places and powers by the number of their word."""

    words: Sequence[str]
    places: Mapping[Index, PlaceId]
    powers: Mapping[Index, PowerId]
    off_venice: Container[tuple[PlaceId, PlaceId]]
    """Each sea with the city that may be besieged from it, where the rules allow it (SIE-02)."""


@dataclass(frozen=True, slots=True)
class OrderTrouble:
    """A complete order that cannot be meant so, and the word that makes it impossible."""

    index: Index
    fault: Fault
    reason: Message
    expected: tuple[MessageOrText, ...] = ()


Outcome: TypeAlias = Order | OrderTrouble


@dataclass(frozen=True, slots=True)
class Slots:
    """The words of an order that name something, by what they name."""

    places: tuple[Index, ...] = ()
    powers: tuple[Index, ...] = ()
    either: tuple[Index, ...] = ()
    """Words that are a power or a place, as their meaning decides."""

    def __add__(self, other: "Slots") -> "Slots":
        return Slots(
            self.places + other.places, self.powers + other.powers, self.either + other.either
        )


@dataclass(frozen=True, slots=True)
class OrderPattern:
    """How to make the orders of one shape from the words of a line."""

    slots: Slots
    make: Callable[[Meanings], tuple[Outcome, ...]]


def one_order(slots: Slots, make: Callable[[Meanings], Outcome]) -> OrderPattern:
    """The recipe of a single order."""
    return OrderPattern(slots, lambda by: (make(by),))


@dataclass(frozen=True, slots=True)
class PlaceForm:
    """A word that names a place."""

    index: Index

    def meant(self, by: Meanings) -> PlaceId:
        """The place."""
        return by.places[self.index]

    @property
    def slots(self) -> Slots:
        """The one word."""
        return Slots(places=(self.index,))


@dataclass(frozen=True, slots=True)
class PowerForm:
    """A word that names a power; without a word, nobody (the autonomous garrisons)."""

    index: Index | None

    def meant(self, by: Meanings) -> PowerId:
        """The power."""
        return AUTONOMOUS if self.index is None else by.powers[self.index]

    @property
    def slots(self) -> Slots:
        """The one word, if there is one."""
        return Slots() if self.index is None else Slots(powers=(self.index,))


@dataclass(frozen=True, slots=True)
class SpotForm:
    """A place, with the coast if one was named."""

    place: PlaceForm
    coast: Coast = NO_COAST

    @property
    def slots(self) -> Slots:
        """The place."""
        return self.place.slots


@dataclass(frozen=True, slots=True)
class UnitForm:
    """A unit as it was named."""

    kind: Kind | None
    spot: SpotForm
    owner: PowerForm | None = None

    def named(self, by: Meanings) -> Named:
        """The unit with its place."""
        owner = self.owner.meant(by) if self.owner else None
        return Named(self.kind, by.places[self.spot.place.index], self.spot.coast, owner)

    @property
    def slots(self) -> Slots:
        """The place and the power, if one was named."""
        return self.spot.slots + (self.owner.slots if self.owner else Slots())


@dataclass(frozen=True, slots=True)
class RouteForm:
    """The places behind a unit that moves: seas, and at last where it goes."""

    spots: tuple[SpotForm, ...]

    @property
    def slots(self) -> Slots:
        """All its places."""
        return sum((spot.slots for spot in self.spots), Slots())

    @property
    def last(self) -> SpotForm:
        """Where it goes."""
        return self.spots[-1]

    def seas(self, by: Meanings) -> tuple[PlaceId, ...]:
        """What lies between."""
        return tuple(spot.place.meant(by) for spot in self.spots[:-1])


@dataclass(frozen=True, slots=True)
class IntoForm:
    """What a unit converts into."""

    kind: Kind
    coast: Coast = NO_COAST


@dataclass(frozen=True, slots=True)
class NumberForm:
    """A number, or several to be added up, as they stand."""

    indexes: tuple[Index, ...]
    impossible: Message | None = None
    """Why the amount is refused whatever it is: negative, or only an addition."""


NO_NUMBER = Message("language.amount")
"""What a player is told who writes a word for it."""

Part: TypeAlias = (
    Kind | Coast | Quality | PlaceForm | PowerForm | SpotForm | UnitForm | RouteForm | IntoForm
)


def _meaningful(
    method: Callable[..., object], _rule: str, children: Sequence[object], _meta: object
) -> object:
    """Give a method what its children mean; their bare words only where there is nothing else."""
    parts = [child for child in children if not isinstance(child, Token)]
    return method(*(parts or children))


by_parts = v_args(wrapper=_meaningful)
"""The decorator of all classes that read the grammar's trees: see :func:`_meaningful`."""


@by_parts
class OrderParts(Transformer[Token, OrderPattern]):
    """Names the parts of orders; the methods are the rules of the grammar."""

    def army(self, *_: Token) -> Kind:
        """``a``."""
        return Kind.ARMY

    def fleet(self, *_: Token) -> Kind:
        """``f``."""
        return Kind.FLEET

    def garrison(self, *_: Token) -> Kind:
        """``g``."""
        return Kind.GARRISON

    def north(self, *_: Token) -> Coast:
        """``nc``."""
        return Coast("nc")

    def south(self, *_: Token) -> Coast:
        """``sc``."""
        return Coast("sc")

    def east(self, *_: Token) -> Coast:
        """``ec``."""
        return Coast("ec")

    def west(self, *_: Token) -> Coast:
        """``wc``."""
        return Coast("wc")

    def coast(self, compass: Coast) -> Coast:
        """``/nc`` or ``(nc)``."""
        return compass

    def plain(self, *_: Token) -> Quality:
        """``normal``."""
        return Quality.PLAIN

    def militia(self, *_: Token) -> Quality:
        """``citizen's militia``."""
        return Quality.MILITIA

    def mercenary(self, *_: Token) -> Quality:
        """``elite mercenary``."""
        return Quality.MERCENARY

    def professional(self, *_: Token) -> Quality:
        """``elite professional``."""
        return Quality.PROFESSIONAL

    def cavalry(self, *_: Token) -> Quality:
        """``cavalry``."""
        return Quality.CAVALRY

    def place(self, name: Token) -> PlaceForm:
        """A place by its name."""
        return PlaceForm(_index(name))

    def power(self, name: Token) -> PowerForm:
        """A power by its name or initial."""
        return PowerForm(_index(name))

    def owner(self, name: Token) -> PowerForm:
        """Whose unit it is."""
        return PowerForm(None if name.type == "AUTONOMOUS" else _index(name))

    def number(self, digits: Token) -> NumberForm:
        """A number."""
        return NumberForm((_index(digits),))

    def total(self, *numbers: NumberForm) -> NumberForm:
        """``6+3``."""
        return NumberForm(tuple(index for number in numbers for index in number.indexes))

    def negative(self, number: NumberForm) -> NumberForm:
        """``-3``."""
        return NumberForm(number.indexes, Message("language.less_than_nothing"))

    def surcharge(self, number: NumberForm) -> NumberForm:
        """``+3``, which other judges read as the list price and three more."""
        return NumberForm(number.indexes, Message("language.whole_amount"))

    def wordy(self, name: Token) -> NumberForm:
        """``many``, which is no amount."""
        return NumberForm((_index(name),), NO_NUMBER)

    def spot(self, place: PlaceForm, coast: Coast = NO_COAST) -> SpotForm:
        """A place with its coast."""
        return SpotForm(place, coast)

    def unit(self, first: Kind | PlaceForm, *rest: Part) -> UnitForm:
        """A unit, with or without its type."""
        if isinstance(first, PlaceForm):
            return UnitForm(None, _spot(first, *rest))
        return UnitForm(first, _spot(*rest))

    def typed(self, kind: Kind, *spot: Part) -> UnitForm:
        """A unit with its type."""
        return UnitForm(kind, _spot(*spot))

    def owned(self, owner: PowerForm, kind: Kind, *spot: Part) -> UnitForm:
        """A unit with the power that it belongs to."""
        return UnitForm(kind, _spot(*spot), owner)

    def owned_army(self, owner: PowerForm, place: PlaceForm) -> UnitForm:
        """An army with the power that it belongs to."""
        return UnitForm(Kind.ARMY, SpotForm(place), owner)

    def route(self, *spots: SpotForm) -> RouteForm:
        """Where a unit goes, by which seas."""
        return RouteForm(spots)

    def into(self, kind: Kind, coast: Coast = NO_COAST) -> IntoForm:
        """What a unit converts into."""
        return IntoForm(kind, coast)


def _index(token: Token) -> int:
    """The number of a word, which `tree_of` hides in the token's position."""
    return token.start_pos or 0


def _spot(*parts: Part) -> SpotForm:
    """A place and perhaps a coast, which the grammar gives in this order."""
    place, *coast = parts
    assert isinstance(place, PlaceForm)  # noqa: S101 (the grammar's promise, for mypy)
    return SpotForm(place, *(Coast(str(one)) for one in coast))


MAX_DUCATS = 9_999
"""More than this in one order is a slip of the hand: no treasury of any game comes near it."""

_YEARS_BY_PERCENT = {20: 1, 50: 2}
"""The bank's interest names the term too (BNK-02)."""
TERMS = ("1 year", "2 years")
_NUMBERS = "1234"
"""An expense's numbers (EXP-01)."""


@dataclass(frozen=True, slots=True)
class NthForm:
    """The number of an expense."""

    index: int

    def meant(self, by: Meanings) -> int | OrderTrouble:
        """The number from 1 to 4, or why it is none."""
        value = _whole(by, self.index)
        if not isinstance(value, int) or str(value) not in _NUMBERS:
            reason = Message("language.expense_numbers")
            return OrderTrouble(self.index, Fault.NUMBER, reason, tuple(_NUMBERS))
        return value


@dataclass(frozen=True, slots=True)
class FacesForm:
    """The numbers of the die on which an assassin kills (ASN-03)."""

    indexes: tuple[int, ...]

    def meant(self, by: Meanings) -> tuple[int, ...] | OrderTrouble:
        """The numbers without repetition, or why they are none of a die."""
        faces: list[int] = []
        for index in self.indexes:
            value = _whole(by, index)
            if not isinstance(value, int) or not 1 <= value <= SIDES:
                reason = Message("language.die_numbers")
                return OrderTrouble(
                    index, Fault.NUMBER, reason, tuple(map(str, range(1, SIDES + 1)))
                )
            faces.append(value)
        return tuple(dict.fromkeys(faces))


@dataclass(frozen=True, slots=True)
class TermForm:
    """For how long money is borrowed: a number of years, a percentage, or one year in words."""

    number: NumberForm | None
    percent: bool = False

    def meant(self, by: Meanings) -> int | OrderTrouble:
        """One year or two, or why it is neither (BNK-02)."""
        if self.number is None:
            return 1
        (index,) = self.number.indexes
        value = _whole(by, index)
        years = _YEARS_BY_PERCENT.get(value) if self.percent and isinstance(value, int) else value
        if years in (1, 2) and isinstance(years, int):
            return years
        reason = Message("language.bank_terms")
        return OrderTrouble(index, Fault.NUMBER, reason, TERMS)


# --- amounts ---------------------------------------------------------------------------------


def with_ducats(by: Meanings, amount: NumberForm, make: Callable[[int], Outcome]) -> Outcome:
    """What *make* makes of an amount, or why it cannot be one."""
    ducats = ducats_meant(by, amount)
    return ducats if isinstance(ducats, OrderTrouble) else make(ducats)


def ducats_meant(by: Meanings, amount: NumberForm) -> int | OrderTrouble:
    """The sum of the numbers, or why it cannot be an amount."""
    if amount.impossible:
        return OrderTrouble(amount.indexes[0], Fault.NUMBER, amount.impossible)
    total = 0
    for index in amount.indexes:
        value = _whole(by, index)
        if isinstance(value, OrderTrouble):
            return value
        total += value
    return total if total <= MAX_DUCATS else _too_much(amount.indexes[0])


def _whole(by: Meanings, index: int) -> int | OrderTrouble:
    """A whole number in digits or in words; its length is tested before it is read."""
    word = by.words[index]
    if word in NUMBER_WORDS:
        return NUMBER_WORDS[word]
    if not word.isdecimal():
        return OrderTrouble(index, Fault.NUMBER, Message("language.whole_numbers"))
    digits = word.lstrip("0") or "0"
    return int(digits) if len(digits) <= len(str(MAX_DUCATS)) else _too_much(index)


def _too_much(index: int) -> OrderTrouble:
    return OrderTrouble(index, Fault.NUMBER, Message("language.most_ducats", most=MAX_DUCATS))


Target: TypeAlias = Named | PlaceId | PowerId


@dataclass(frozen=True, slots=True)
class Deed:
    """What an expense is for, and on whom or what it is spent."""

    purpose: Purpose
    on: UnitForm | PlaceForm | PowerForm
    faces: FacesForm | None = None
    trouble: OrderTrouble | None = None
    """Why nobody can tell what it is for."""

    def expense(self, by: Meanings, number: int, ducats: int | None) -> Outcome:
        """The expense, or what is wrong with it or with the numbers of its die."""
        if self.trouble is not None:
            return self.trouble
        faces = () if self.faces is None else self.faces.meant(by)
        if isinstance(faces, OrderTrouble):
            return faces
        match self.on:
            case UnitForm():
                return Expense(number, self.purpose, ducats, unit=self.on.named(by))
            case PlaceForm():
                return Expense(number, self.purpose, ducats, place=self.on.meant(by))
            case PowerForm():
                power = self.on.meant(by)
                return Expense(number, self.purpose, ducats, power=power, faces=faces)


@by_parts
class MoneyOrders(OrderParts):
    """Reads what ducats and words of honour do; the methods are the rules of the grammar."""

    def ally(self, power: PowerForm) -> OrderPattern:
        """``ally Milan``."""
        return one_order(power.slots, lambda by: Ally(power.meant(by)))

    def cede(self, place: PlaceForm, to: PowerForm) -> OrderPattern:
        """``cede Perugia to Florence``."""
        return one_order(place.slots + to.slots, lambda by: Cede(place.meant(by), to.meant(by)))

    def burn(self, place: PlaceForm) -> OrderPattern:
        """``burn Perugia``."""
        return one_order(place.slots, lambda by: Burn(place.meant(by)))

    def burn_under(self, unit: UnitForm) -> OrderPattern:
        """``A Perugia burns``: the province that the unit stands in."""
        return one_order(unit.slots, lambda by: Burn(unit.named(by).place))

    def permit(self, power: PowerForm) -> OrderPattern:
        """``permit Milan``."""
        return one_order(power.slots, lambda by: Permit(power.meant(by)))

    def excommunicate(self, power: PowerForm) -> OrderPattern:
        """``excommunicate Milan``."""
        return one_order(power.slots, lambda by: Excommunicate(power.meant(by)))

    def unexcommunicate(self, power: PowerForm) -> OrderPattern:
        """``not excommunicate Milan``."""
        return one_order(power.slots, lambda by: Excommunicate(power.meant(by), banned=False))

    def keep(self, place: PlaceForm, *_: PowerForm) -> OrderPattern:
        """``not cede Perugia``, to whomever."""
        return one_order(place.slots, lambda by: Cede(place.meant(by), None))

    def unburn(self, place: PlaceForm) -> OrderPattern:
        """``not burn Perugia``."""
        return one_order(place.slots, lambda by: Burn(place.meant(by), burnt=False))

    def unpermit(self, power: PowerForm) -> OrderPattern:
        """``not permit Milan``."""
        return one_order(power.slots, lambda by: Permit(power.meant(by), allowed=False))

    def unally(self, power: PowerForm) -> OrderPattern:
        """``unally Milan``."""
        return one_order(power.slots, lambda by: Ally(power.meant(by), allowed=False))

    def years(self, number: NumberForm) -> TermForm:
        """``for 2 years``."""
        return TermForm(number)

    def one_year(self, *_: object) -> TermForm:
        """``for a year``."""
        return TermForm(None)

    def percent(self, number: NumberForm) -> TermForm:
        """``at 20%``."""
        return TermForm(number, percent=True)

    def borrow(self, amount: NumberForm, term: TermForm) -> OrderPattern:
        """``borrow 10 ducats for 1 year``."""

        def make(by: Meanings) -> Outcome:
            years = term.meant(by)
            if isinstance(years, OrderTrouble):
                return years
            return with_ducats(by, amount, lambda ducats: Borrow(ducats, years))

        return one_order(Slots(), make)

    def borrow_nothing(self, amount: NumberForm) -> OrderPattern:
        """``borrow 0``, which withdraws the loans of both terms (BNK-04)."""
        reason = Message("language.for_how_long")
        missing = OrderTrouble(-1, Fault.INCOMPLETE, reason, tuple(f"for {term}" for term in TERMS))

        def make(by: Meanings) -> tuple[Outcome, ...]:
            ducats = ducats_meant(by, amount)
            if isinstance(ducats, OrderTrouble):
                return (ducats,)
            return (missing,) if ducats else (Borrow(0, 1), Borrow(0, 2))

        return OrderPattern(Slots(), make)

    def pay(self, *parts: NumberForm | PowerForm) -> OrderPattern:
        """``pay 3 ducats to Milan``, ``give Milan 3 ducats``."""
        power = next(part for part in parts if isinstance(part, PowerForm))
        amount = next(part for part in parts if isinstance(part, NumberForm))

        def make(by: Meanings) -> Outcome:
            return with_ducats(by, amount, lambda ducats: Pay(ducats, power.meant(by)))

        return one_order(power.slots, make)

    def pay_bank(self, amount: NumberForm) -> OrderPattern:
        """``pay 3 ducats to bank``."""
        return one_order(
            Slots(), lambda by: with_ducats(by, amount, lambda ducats: Pay(ducats, None))
        )

    def pay_wordy(self, word: PowerForm, *_: PowerForm) -> OrderPattern:
        """``pay much to Milan``: the word stands where only an amount or a power can."""
        trouble = OrderTrouble(word.index or 0, Fault.NUMBER, NO_NUMBER)
        return one_order(Slots(), lambda _: trouble)

    def chit(self, of: PowerForm, to: PowerForm) -> OrderPattern:
        """``give Turkey to Naples``."""
        return one_order(of.slots + to.slots, lambda by: GiveChit(of.meant(by), to.meant(by)))

    def nth(self, number: NumberForm) -> NthForm:
        """``expense 1``."""
        return NthForm(number.indexes[0])

    def expense(self, nth: NthForm, *rest: Deed | NumberForm) -> OrderPattern:
        """``expense 1: 12 ducats disband A pad``."""
        deed = next(part for part in rest if isinstance(part, Deed))
        amount = next((part for part in rest if isinstance(part, NumberForm)), None)

        def make(by: Meanings) -> Outcome:
            number = nth.meant(by)
            if isinstance(number, OrderTrouble):
                return number
            if amount is None:
                return deed.expense(by, number, None)
            return with_ducats(by, amount, lambda ducats: deed.expense(by, number, ducats))

        return one_order(deed.on.slots, make)

    def expense_none(self, nth: NthForm) -> OrderPattern:
        """``expense 1: none`` (EXP-03)."""

        def make(by: Meanings) -> Outcome:
            number = nth.meant(by)
            return number if isinstance(number, OrderTrouble) else Expense(number, None)

        return one_order(Slots(), make)

    def after_d(self, spot: SpotForm) -> Deed:
        """``fer`` behind ``12 d``, which is no ducat then."""
        return Deed(Purpose.DISBAND, UnitForm(None, spot))

    def after_d_fleet(self, spot: SpotForm) -> Deed:
        """``F fer`` behind ``12 d``."""
        return Deed(Purpose.DISBAND, UnitForm(Kind.FLEET, spot))

    def relieve(self, place: PlaceForm) -> Deed:
        """``famine relief bol``."""
        return Deed(Purpose.FAMINE_RELIEF, place)

    def pacify(self, place: PlaceForm) -> Deed:
        """``pacify rebellion bol``."""
        return Deed(Purpose.PACIFY, place)

    def counter_bribe(self, unit: UnitForm) -> Deed:
        """``counter-bribe A per``."""
        return Deed(Purpose.COUNTER_BRIBE, unit)

    def disband_unit(self, unit: UnitForm) -> Deed:
        """``disband A fer``."""
        return Deed(Purpose.DISBAND, unit)

    def buy(self, unit: UnitForm) -> Deed:
        """``buy G sie``."""
        return Deed(Purpose.BUY, unit)

    def bribe_unsaid(self, unit: UnitForm) -> Deed:
        """``bribe G sie``, which may buy the unit or disband it."""
        reason, ways = Message("language.bribe_unsaid"), ("buy", "disband")
        trouble = OrderTrouble(unit.spot.place.index, Fault.UNCLEAR, reason, ways)
        return Deed(Purpose.BUY, unit, trouble=trouble)

    def to_autonomous(self, *parts: Kind | PlaceForm) -> Deed:
        """``garrison to autonomous G sie``."""
        place = next(part for part in parts if isinstance(part, PlaceForm))
        return Deed(Purpose.TO_AUTONOMOUS, UnitForm(Kind.GARRISON, SpotForm(place)))

    def cause_rebellion(self, place: PlaceForm) -> Deed:
        """``cause rebellion fer``."""
        return Deed(Purpose.CAUSE_REBELLION, place)

    def assassinate(self, power: PowerForm) -> Deed:
        """``assassinate Milan``."""
        return Deed(Purpose.ASSASSINATE, power)

    def slaying(self, power: PowerForm, faces: FacesForm) -> Deed:
        """``assassinate Milan on 2 5``."""
        return Deed(Purpose.ASSASSINATE, power, faces)

    def faces(self, *numbers: NumberForm) -> FacesForm:
        """``2 5``."""
        return FacesForm(tuple(index for number in numbers for index in number.indexes))


_POWER = (Message("language.expected.power_in_brackets"),)
_PLACE = (Message("language.expected.dash_and_place"),)
_WAYS = (Message("language.expected.army_alone"), Message("language.expected.move_with_dash"))


@dataclass(frozen=True, slots=True)
class Helped:
    """What stands behind "supports" or "convoys": the rest of the order, given its unit."""

    slots: Slots
    make: Callable[[Meanings, Named], Outcome]


@by_parts
class UnitOrders(OrderParts):
    """Reads the orders of campaigns and retreats; the methods are the rules of the grammar."""

    def hold(self, unit: UnitForm) -> OrderPattern:
        """``A mil h``."""
        return one_order(unit.slots, lambda by: Hold(unit.named(by)))

    def advance(self, unit: UnitForm, route: RouteForm) -> OrderPattern:
        """``A mil - pav``, ``A avi - wgl - cor``."""
        return _advance(unit, route)

    def advance_by_sea(self, unit: UnitForm, route: RouteForm) -> OrderPattern:
        """``A nor - swe via``."""
        return _advance(unit, route, by_sea=True)

    def by_way(self, *seas: PlaceForm) -> tuple[SpotForm, ...]:
        """``via uas - las``."""
        return tuple(map(SpotForm, seas))

    def by_way_to(self, *places: PlaceForm) -> RouteForm:
        """``via uas - las - bar``."""
        return RouteForm(tuple(map(SpotForm, places)))

    def advance_via(
        self, unit: UnitForm, route: RouteForm, seas: tuple[SpotForm, ...]
    ) -> OrderPattern:
        """``A ven - bar via uas - las``."""
        *before, goal = route.spots
        return _advance(unit, RouteForm((*before, *seas, goal)))

    def advance_by_way(self, unit: UnitForm, route: RouteForm) -> OrderPattern:
        """``A ven via uas - las - bar``."""
        return _advance(unit, route)

    def march(self, unit: UnitForm, spot: SpotForm) -> OrderPattern:
        """``A mil A pav``, ``A mil: A-pav``, the notation of 1978."""
        return _advance(unit, RouteForm((spot,)))

    def strategic(self, unit: UnitForm, *way: SpotForm | RouteForm) -> OrderPattern:
        """``A mil sm - pav - cre``, ``A mil sm pav - cre``."""
        spots = tuple(s for w in way for s in (w.spots if isinstance(w, RouteForm) else (w,)))
        route = RouteForm(spots)

        def make(by: Meanings) -> Outcome:
            places = tuple(spot.place.meant(by) for spot in route.spots)
            return StrategicMove(unit.named(by), places, route.last.coast)

        return one_order(unit.slots + route.slots, make)

    def retreat_to(self, unit: UnitForm, spot: SpotForm) -> OrderPattern:
        """``A pad - fer`` of a dislodged unit."""
        return _advance(unit, RouteForm((spot,)))

    def besiege(self, unit: UnitForm, *_: Kind) -> OrderPattern:
        """``A pad b``, ``A pad b g``."""
        return one_order(unit.slots, lambda by: Besiege(unit.named(by)))

    def besiege_at(self, unit: UnitForm, *rest: Kind | PlaceForm) -> OrderPattern:
        """``A pad b g pad``: the place may be said; it is the unit's own, or Venice's Lagoon."""
        city = rest[-1]
        assert isinstance(city, PlaceForm)  # noqa: S101 (the grammar's promise, for mypy)

        def make(by: Meanings) -> Outcome:
            place = unit.spot.place.meant(by)
            if city.meant(by) != place and (place, city.meant(by)) not in by.off_venice:
                reason = Message("language.own_city")
                return OrderTrouble(city.index, Fault.CONTRADICTION, reason)
            return Besiege(unit.named(by))

        return one_order(unit.slots + city.slots, make)

    def lift(self, unit: UnitForm) -> OrderPattern:
        """``A pad l``."""
        return one_order(unit.slots, lambda by: LiftSiege(unit.named(by)))

    def disband(self, unit: UnitForm) -> OrderPattern:
        """``A mil disband``."""
        return one_order(unit.slots, lambda by: Disband(unit.named(by)))

    def disband_zero(self, unit: UnitForm, number: NumberForm) -> OrderPattern:
        """``A mil 0``, the notation of 1978."""
        (index,) = number.indexes

        def make(by: Meanings) -> Outcome:
            if by.words[index] != "0":
                reason = Message("language.number_for_unit")
                return OrderTrouble(index, Fault.UNEXPECTED, reason)
            return Disband(unit.named(by))

        return one_order(unit.slots, make)

    def convert(self, unit: UnitForm, into: IntoForm | None = None) -> OrderPattern:
        """``A per c g``; an army or fleet can only become a garrison, and need not say so."""
        if into is None and unit.kind is Kind.GARRISON:
            reason = Message("language.garrison_becomes")
            trouble = OrderTrouble(-1, Fault.INCOMPLETE, reason, ("a", "f"))
            return one_order(unit.slots, lambda _: trouble)
        form = into or IntoForm(Kind.GARRISON)
        return one_order(unit.slots, lambda by: Convert(unit.named(by), form.kind, form.coast))

    def convert_into(self, unit: UnitForm, kind: Kind, coast: Coast = NO_COAST) -> OrderPattern:
        """``A per - G``, ``A per: G``."""
        return self.convert(unit, IntoForm(kind, coast))

    def support(self, unit: UnitForm, helped: Helped) -> OrderPattern:
        """``A per s …``."""
        return one_order(unit.slots + helped.slots, lambda by: helped.make(by, unit.named(by)))

    def transport(self, unit: UnitForm, helped: Helped) -> OrderPattern:
        """``F ion t …``."""
        return one_order(unit.slots + helped.slots, lambda by: helped.make(by, unit.named(by)))

    def back(self, other: UnitForm) -> Helped:
        """``s A bol``."""
        return Helped(other.slots, lambda by, unit: Support(unit, other.named(by)))

    def back_move(self, other: UnitForm, to: RouteForm | SpotForm, *_seas: object) -> Helped:
        """``s A bol - fer``; of a route only the end counts."""
        goal = _goal(to)

        def make(by: Meanings, unit: Named) -> Outcome:
            return Support(unit, other.named(by), goal.place.meant(by), goal.coast)

        return Helped(other.slots + to.slots, make)

    def back_move_from(self, to: SpotForm, other: UnitForm) -> Helped:
        """``s move to fer from A bol``."""
        return self.back_move(other, to)

    def back_conversion(self, other: UnitForm, into: IntoForm | None = None) -> Helped:
        """``s G gen c a`` (CNV-15)."""
        if other.kind in (Kind.ARMY, Kind.FLEET) or (into and into.kind is Kind.GARRISON):
            reason = Message("language.only_garrison_supported")
            trouble = OrderTrouble(other.spot.place.index, Fault.CONTRADICTION, reason)
            return Helped(other.slots, lambda _by, _unit: trouble)
        garrison = replace(other, kind=Kind.GARRISON)
        coast = into.coast if into else NO_COAST

        def make(by: Meanings, unit: Named) -> Outcome:
            return Support(unit, garrison.named(by), other.spot.place.meant(by), coast)

        return Helped(other.slots, make)

    def back_either(self, first: PowerForm, second: PlaceForm) -> Helped:
        """``s Papal A rme`` to hold, or ``s bol A fer``, a move in the notation of 1978."""
        owned = self.back(UnitForm(Kind.ARMY, SpotForm(second), first))
        return _either(
            first, owned, lambda at: self.back_move(UnitForm(None, SpotForm(at)), SpotForm(second))
        )

    def back_power(self, power: PowerForm, place: PlaceForm) -> Helped:
        """``s Papal rme``: whatever that power has there (`support_target place_power`)."""
        return self.back(UnitForm(None, SpotForm(place), power))

    def back_into(self, place: PlaceForm, power: PowerForm) -> Helped:
        """``S-Arezz-(A)``, the notation of 1978 for the same."""
        return self.back_power(power, place)

    def back_unsaid(self, place: PlaceForm) -> Helped:
        """``S-Arezz``, which does not say for whom."""
        reason = Message("language.support_for_whom")
        trouble = OrderTrouble(-1, Fault.INCOMPLETE, reason, _POWER)
        return Helped(place.slots, lambda _by, _unit: trouble)

    def carry(self, army: UnitForm, to: RouteForm | SpotForm, *_seas: object) -> Helped:
        """``t A rag - pal``; of a route only the end counts."""
        goal = _goal(to)

        def make(by: Meanings, unit: Named) -> Outcome:
            return Transport(unit, army.named(by), goal.place.meant(by))

        return Helped(army.slots + to.slots, make)

    def carry_from(self, to: SpotForm, army: UnitForm) -> Helped:
        """``t to pal from A rag``."""
        return self.carry(army, to)

    def carry_anywhere(self, army: UnitForm) -> Helped:
        """``t A rag anywhere``: to wherever that army is ordered."""
        return Helped(army.slots, lambda by, unit: Transport(unit, army.named(by), None))

    def carry_either(self, first: PowerForm, second: PlaceForm) -> Helped:
        """``t rag A pal``, a move in the notation of 1978; with a power it is incomplete."""
        reason = Message("language.where_to")
        trouble = OrderTrouble(-1, Fault.INCOMPLETE, reason, _PLACE)
        owned = Helped(Slots(), lambda _by, _unit: trouble)
        return _either(
            first, owned, lambda at: self.carry(UnitForm(None, SpotForm(at)), SpotForm(second))
        )

    def build(self, *parts: Part) -> OrderPattern:
        """``build cm A pad``; the special kind may stand behind, and so may the word."""
        if isinstance(parts[0], UnitForm):
            typed = parts[0]
            parts = typed.kind or Kind.ARMY, typed.spot.place, typed.spot.coast
        quality = next((part for part in parts if isinstance(part, Quality)), Quality.PLAIN)
        kind = next(part for part in parts if isinstance(part, Kind))
        place = next(part for part in parts if isinstance(part, PlaceForm))
        coast = next((Coast(part) for part in parts if isinstance(part, str)), NO_COAST)
        return one_order(place.slots, lambda by: Build(kind, place.meant(by), coast, quality))

    def remove(self, *parts: UnitForm | Quality) -> OrderPattern:
        """``remove A pad``."""
        unit = _unit(parts)
        return one_order(unit.slots, lambda by: Remove(unit.named(by)))

    def maintain(self, *parts: UnitForm | Quality) -> OrderPattern:
        """``maintain A pad``, or only ``A pad``."""
        unit = _unit(parts)
        return one_order(unit.slots, lambda by: Maintain(unit.named(by)))

    def tax(self, place: PlaceForm) -> OrderPattern:
        """``tax Perugia``."""
        return one_order(place.slots, lambda by: Tax(place.meant(by)))

    def waive(self, *_: object) -> OrderPattern:
        """``waive``."""
        return one_order(Slots(), lambda _: Waive())


def _advance(unit: UnitForm, route: RouteForm, *, by_sea: bool = False) -> OrderPattern:
    goal = route.last
    to, coast, has_seas = goal.place.index, goal.coast, len(route.spots) > 1

    def make(by: Meanings) -> Outcome:
        seas = route.seas(by) if has_seas else ()
        return Advance(unit.named(by), by.places[to], coast, seas, by_sea)

    return one_order(unit.slots + route.slots, make)


def _goal(to: RouteForm | SpotForm) -> SpotForm:
    return to.last if isinstance(to, RouteForm) else to


def _unit(parts: tuple[UnitForm | Quality, ...]) -> UnitForm:
    """The unit; a special kind is no part of its name and may be said or not."""
    return next(part for part in parts if isinstance(part, UnitForm))


def _either(first: PowerForm, as_owner: Helped, as_place: Callable[[PlaceForm], Helped]) -> Helped:
    """Decide by what the first word means: a power, whose army follows, or a place."""
    if first.index is None:
        return as_owner
    at = PlaceForm(first.index)
    moving = as_place(at)
    slots = Slots(places=tuple(i for i in moving.slots.places if i != at.index))

    def make(by: Meanings, unit: Named) -> Outcome:
        if at.index in by.places and at.index in by.powers:
            reason = Message("language.army_or_move")
            return OrderTrouble(at.index, Fault.UNCLEAR, reason, _WAYS)
        return (moving if at.index in by.places else as_owner).make(by, unit)

    return Helped(slots + Slots(either=(at.index,)), make)


MAX_TERMS = 60
"""No single order has more words."""
_MAX_SHAPES = 4096
"""How many shapes of each kind of phase are remembered; the recorded games know two hundred."""


class _Orders(UnitOrders, MoneyOrders):
    """Reads whole trees."""


_orders = cache(_Orders)


def recipe_of(stage: Stage, shape: Shape) -> OrderPattern | Halt:
    """How to make the order of a shape, or where the shape stops being an order."""
    # A chain, because the hash of an Enum costs more than the rest of the lookup.
    if stage is Stage.CAMPAIGN:
        return _of_campaign(shape)
    return _of_retreats(shape) if stage is Stage.RETREATS else _of_adjustment(shape)


@lru_cache(maxsize=_MAX_SHAPES)
def _of_campaign(shape: Shape) -> OrderPattern | Halt:
    return _compiled(Stage.CAMPAIGN, shape)


@lru_cache(maxsize=_MAX_SHAPES)
def _of_retreats(shape: Shape) -> OrderPattern | Halt:
    return _compiled(Stage.RETREATS, shape)


@lru_cache(maxsize=_MAX_SHAPES)
def _of_adjustment(shape: Shape) -> OrderPattern | Halt:
    return _compiled(Stage.ADJUSTMENT, shape)


def _compiled(stage: Stage, shape: Shape) -> OrderPattern | Halt:
    tree = tree_of(stage, shape)
    return tree if isinstance(tree, Halt) else _orders().transform(tree)


def parse_simple(text: str, lexicon: Lexicon, stage: Stage) -> tuple[Order, ...] | None:
    """What a line of one order with nothing but clear names says; nothing if it is anything else.

    This is the way of almost all orders; whatever is unusual is left to the thorough reader.
    """
    if not text.isascii():
        return None
    words = cut(bare(text))
    if len(words) > MAX_TERMS:
        return None
    classes = lexicon.classes
    try:
        shape = "".join([classes.get(word) or _of_beginning(word, lexicon) for word in words])
    except KeyError:
        return None
    if shape.endswith(HEAD):
        # Nothing stands behind the word that could make a longer name of it.
        shape = shape[:-1] + letter(vocabulary().get(words[-1], "NAME"))
    recipe = recipe_of(stage, shape)
    return _build(recipe, words, lexicon) if isinstance(recipe, OrderPattern) else None


def _of_beginning(word: str, lexicon: Lexicon) -> str:
    """The class of a word with which the names of a single place begin.

    Raises KeyError for any other, and where the place has coasts: ``prove`` may be one of them.
    """
    place = lexicon.place(word) if word.isalpha() else None
    if not isinstance(place, str) or lexicon.board.places[place].coasts:
        raise KeyError(word)
    return letter("NAME")


def _build(recipe: OrderPattern, words: list[str], lexicon: Lexicon) -> tuple[Order, ...] | None:
    """The orders of a recipe whose names are all clear, if they make sense."""
    slots = recipe.slots
    if slots.either:
        return None
    places, powers = {}, {}
    for index in slots.places:
        place = lexicon.exact.get(words[index]) or lexicon.place(words[index])
        if not isinstance(place, str):
            return None
        places[index] = place
    for index in slots.powers:
        power = lexicon.power(words[index])
        if not isinstance(power, str):
            return None
        powers[index] = power
    cooked = recipe.make(Meanings(words, places, powers, lexicon.off_venice))
    orders = [one for one in cooked if not isinstance(one, OrderTrouble)]
    return tuple(orders) if len(orders) == len(cooked) else None
