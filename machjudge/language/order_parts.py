"""Make orders from shapes: a shape's parts are worked out once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from operator import itemgetter
from typing import Any, NamedTuple, NoReturn, TypeAlias

from lark import Token, Tree

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
    Several,
    Shape,
    Unknown,
    letter,
    tree_of,
    vocabulary,
)
from machjudge.language.words import MAX_CHARACTERS, Candidate, Fault, cut_order
from machjudge.translatable import Message, MessageOrText

Index: TypeAlias = int
"""A word's number in its order, from 0; -1 for the end."""


class WrongWordError(Exception):
    """A word that cannot be meant in a readable shape."""

    def __init__(
        self,
        index: Index,
        fault: Fault,
        reason: Message | None = None,
        expected: tuple[MessageOrText, ...] = (),
        candidates: tuple[Candidate, ...] = (),
    ) -> None:
        super().__init__(reason)
        self.index = index
        self.fault = fault
        self.reason = reason
        """None for a wrong name."""
        self.expected = expected
        self.candidates = candidates
        """The meanings of an ambiguous word."""

    @property
    def is_name(self) -> bool:
        """Return whether the word should be a name and is unknown or ambiguous."""
        return self.reason is None


class OrderWords(NamedTuple):
    """The words of one order, and the names of its board."""

    words: Sequence[str]
    lexicon: Lexicon


class PlaceAndCoast(NamedTuple):
    """A place, and the coast if one was named."""

    place: PlaceId
    coast: Coast = NO_COAST


class PlaceOrPower(NamedTuple):
    """A word that names a place, a power, or both."""

    place: PlaceId | None
    power: PowerId | None


class Amount(NamedTuple):
    """A number, or several to be added."""

    indexes: tuple[Index, ...]
    impossible: Message | None = None
    """Why the amount is refused: negative, or only an addition."""


class LoanTerm(NamedTuple):
    """The term of a loan: years, a percentage, or one year in words."""

    number: Amount | None = None
    is_percentage: bool = False


# Orders about money, allies and chits, from the grammar's tree (SYN-05 to SYN-07).
class Deed(NamedTuple):
    """The purpose and target of an expense."""

    purpose: Purpose
    target: str
    """The expense's field for the target."""
    on: Named | PlaceId | PowerId
    faces: Amount | None = None
    trouble: WrongWordError | None = None
    """Why the purpose is unclear."""


Supported: TypeAlias = tuple[Named] | tuple[Named, PlaceId] | tuple[Named, PlaceId, Coast]
"""What stands behind "supports": a unit, and its goal."""
Carried: TypeAlias = tuple[Named, PlaceId | None]
"""What stands behind "convoys"."""

_NO_NUMBER = Message("language.amount")
"""The refusal of a word for a number."""
MAX_DUCATS = 9_999
"""More ducats in one order are a slip: no treasury comes near it."""
_YEARS_BY_PERCENT = {20: 1, 50: 2}
"""The bank's interest names the term too (BNK-02)."""
_TERMS = ("1 year", "2 years")
_NUMBERS = "1234"
"""An expense's numbers (EXP-01)."""


# --- numbers ---------------------------------------------------------------------------------


def _ducats(by: OrderWords, amount: Amount) -> int:
    if amount.impossible:
        raise WrongWordError(amount.indexes[0], Fault.NUMBER, amount.impossible)
    total = sum(_whole(by, index) for index in amount.indexes)
    return total if total <= MAX_DUCATS else _too_much(amount.indexes[0])


def _whole(by: OrderWords, index: Index) -> int:
    """A whole number in digits or in words; its length is tested before it is read."""
    word = by.words[index]
    if word in NUMBER_WORDS:
        return NUMBER_WORDS[word]
    if not word.isdecimal():
        raise WrongWordError(index, Fault.NUMBER, Message("language.whole_numbers"))
    digits = word.lstrip("0") or "0"
    return int(digits) if len(digits) <= len(str(MAX_DUCATS)) else _too_much(index)


def _too_much(index: Index) -> NoReturn:
    raise WrongWordError(index, Fault.NUMBER, Message("language.most_ducats", most=MAX_DUCATS))


def _one_of(
    by: OrderWords, index: Index, numbers: Sequence[int], key: str, expected: Sequence[str]
) -> int:
    try:
        value = _whole(by, index)
    except WrongWordError:
        value = -1
    if value not in numbers:
        raise WrongWordError(index, Fault.NUMBER, Message(f"language.{key}"), tuple(expected))
    return value


def _expense_number(by: OrderWords, nth: Amount) -> int:
    return _one_of(by, nth.indexes[0], range(1, 5), "expense_numbers", _NUMBERS)


def _faces(by: OrderWords, faces: Amount) -> tuple[int, ...]:
    """The numbers of the die on which an assassin kills, without repetition (ASN-03)."""
    sides = range(1, SIDES + 1)
    numbers = [
        _one_of(by, index, sides, "die_numbers", [*map(str, sides)]) for index in faces.indexes
    ]
    return tuple(dict.fromkeys(numbers))


def _years(by: OrderWords, term: LoanTerm) -> int:
    """One year or two (BNK-02)."""
    if term.number is None:
        return 1
    years = _YEARS_BY_PERCENT if term.is_percentage else {1: 1, 2: 2}
    return years[_one_of(by, term.number.indexes[0], [*years], "bank_terms", _TERMS)]


# --- what rules of the grammar make ----------------------------------------------------------

_FIXED: Mapping[str, object] = {
    "army": Kind.ARMY,
    "fleet": Kind.FLEET,
    "garrison": Kind.GARRISON,
    "north": Coast("nc"),
    "south": Coast("sc"),
    "east": Coast("ec"),
    "west": Coast("wc"),
    "plain": Quality.PLAIN,
    "militia": Quality.MILITIA,
    "mercenary": Quality.MERCENARY,
    "professional": Quality.PROFESSIONAL,
    "cavalry": Quality.CAVALRY,
    "one_year": LoanTerm(),
}
"""Rules with constant values."""


def _total(*numbers: Amount) -> Amount:
    return Amount(tuple(index for number in numbers for index in number.indexes))


_BY_SHAPE: Mapping[str, Callable[..., object]] = {
    "coast": Coast,
    "into": lambda kind, coast=NO_COAST: (kind, coast),
    "number": lambda index: Amount((index,)),
    "nth": _total,
    "total": _total,
    "faces": _total,
    "negative": lambda of: of._replace(impossible=Message("language.less_than_nothing")),
    "surcharge": lambda of: of._replace(impossible=Message("language.whole_amount")),
    "wordy": lambda index: Amount((index,), _NO_NUMBER),
    "years": LoanTerm,
    "percent": partial(LoanTerm, is_percentage=True),
}
"""Rules that depend on the places of words only."""

_place_of = itemgetter(0)


def _unit(*parts: Any) -> Named:  # noqa: ANN401 (a kind, if there is one, a place and a coast)
    return Named(*parts) if isinstance(parts[0], Kind) else Named(None, *parts)


def _owned(owner: PowerId, kind: Kind, place: PlaceId, coast: Coast = NO_COAST) -> Named:
    return Named(kind, place, coast, owner)


def _by_way(*seas: PlaceId) -> tuple[PlaceAndCoast, ...]:
    return tuple(map(PlaceAndCoast, seas))


def _advance(unit: Named, *route: PlaceAndCoast, by_sea: bool = False) -> Advance:
    place, coast = route[-1]
    return Advance(unit, place, coast, tuple(map(_place_of, route[:-1])), by_sea)


def _advance_via(unit: Named, *parts: PlaceAndCoast | tuple[PlaceAndCoast, ...]) -> Advance:
    route = [part for part in parts if isinstance(part, PlaceAndCoast)]
    seas = [sea for part in parts if not isinstance(part, PlaceAndCoast) for sea in part]
    return _advance(unit, *route[:-1], *seas, route[-1])


def _besiege_at(by: OrderWords, unit: Named, *rest: Kind | PlaceId) -> Besiege:
    """``A pad b g pad``: the place may be named: its own, or Venice's Lagoon."""
    city = rest[-1]
    if city != unit.place and (unit.place, city) not in by.lexicon.off_venice:
        reason = Message("language.own_city")
        raise WrongWordError(len(by.words) - 1, Fault.CONTRADICTION, reason)
    return Besiege(unit)


def _disband_zero(by: OrderWords, unit: Named, number: Amount) -> Disband:
    """``A mil 0``, the notation of 1978."""
    (index,) = number.indexes
    if by.words[index] != "0":
        raise WrongWordError(index, Fault.UNEXPECTED, Message("language.number_for_unit"))
    return Disband(unit)


def _convert(unit: Named, into: tuple[Kind, Coast] | None = None) -> Convert:
    """``A per c g``; for an army or fleet the garrison need not be named."""
    if into is None and unit.kind is Kind.GARRISON:
        reason = Message("language.garrison_becomes")
        raise WrongWordError(-1, Fault.INCOMPLETE, reason, ("a", "f"))
    return Convert(unit, *(into or (Kind.GARRISON,)))


def _convert_into(unit: Named, kind: Kind, coast: Coast = NO_COAST) -> Convert:
    return Convert(unit, kind, coast)


def _support(unit: Named, supported: Supported) -> Support:
    return Support(unit, *supported)


def _back(other: Named) -> Supported:
    return (other,)


def _back_move(other: Named, *route: PlaceAndCoast | tuple[PlaceAndCoast, ...]) -> Supported:
    """``s A bol - fer``; only the end of a route counts."""
    return other, *_end_of(route)


def _back_conversion(
    at: Index, other: Named, into: tuple[Kind, Coast] = (Kind.ARMY, NO_COAST)
) -> Supported:
    """``s G gen c a`` (CNV-15)."""
    kind, coast = into
    if other.kind in (Kind.ARMY, Kind.FLEET) or kind is Kind.GARRISON:
        reason = Message("language.only_garrison_supported")
        raise WrongWordError(at, Fault.CONTRADICTION, reason)
    return replace(other, kind=Kind.GARRISON), other.place, coast


def _back_power(power: PowerId, place: PlaceId) -> Supported:
    """``s Papal rme``: any unit of that power there (`support_target place_power`)."""
    return (Named(None, place, NO_COAST, power),)


def _back_unsaid(_place: PlaceId) -> Supported:
    """``S-Arezz``, without a power."""
    expected = (Message("language.expected.power_in_brackets"),)
    reason = Message("language.support_for_whom")
    raise WrongWordError(-1, Fault.INCOMPLETE, reason, expected)


def _back_either(by: OrderWords, first: PlaceOrPower, second: PlaceId) -> Supported:
    """``s Papal A rme`` to hold, or ``s bol A fer``, a move in the notation of 1978."""
    if (place := _moving_from(by, first)) is not None:
        return Named(None, place), second
    return (Named(Kind.ARMY, second, NO_COAST, first.power),)


def _carry(army: Named, *route: PlaceAndCoast | tuple[PlaceAndCoast, ...]) -> Carried:
    """``t A rag - pal``; only the end of a route counts."""
    return army, _end_of(route).place


def _end_of(route: Sequence[PlaceAndCoast | tuple[PlaceAndCoast, ...]]) -> PlaceAndCoast:
    end = route[-1] if isinstance(route[-1], PlaceAndCoast) else route[-2]
    return PlaceAndCoast(*end)


def _carry_either(by: OrderWords, first: PlaceOrPower, second: PlaceId) -> Carried:
    """``t rag A pal``, a move of 1978; incomplete with a power."""
    if (place := _moving_from(by, first)) is not None:
        return Named(None, place), second
    expected = (Message("language.expected.dash_and_place"),)
    raise WrongWordError(-1, Fault.INCOMPLETE, Message("language.where_to"), expected)


def _moving_from(by: OrderWords, first: PlaceOrPower) -> PlaceId | None:
    """The origin of a move; None if the word is the power of an army."""
    if first.place is not None and first.power is not None:
        ways = (
            Message("language.expected.army_alone"),
            Message("language.expected.move_with_dash"),
        )
        index = len(by.words) - len(("Papal", "A", "rme"))
        raise WrongWordError(index, Fault.UNCLEAR, Message("language.army_or_move"), ways)
    return first.place


def _transport(unit: Named, carried: Carried) -> Transport:
    return Transport(unit, *carried)


def _build(*parts: Named | Kind | Quality | PlaceId | Coast) -> Build:
    """``build cm A pad``; the special kind may follow."""
    unit = parts[0]
    if isinstance(unit, Named):
        return Build(unit.kind or Kind.ARMY, unit.place, unit.coast)
    quality = next((part for part in parts if isinstance(part, Quality)), Quality.PLAIN)
    kind = next(part for part in parts if isinstance(part, Kind))
    place, coast, *_ = (*(part for part in parts if isinstance(part, str)), NO_COAST)
    return Build(kind, PlaceId(place), Coast(coast), quality)


def _unit_of(parts: Sequence[Named | Quality]) -> Named:
    """The unit; its special kind may be said or not."""
    return next(part for part in parts if isinstance(part, Named))


def _borrow(by: OrderWords, amount: Amount, term: LoanTerm) -> Borrow:
    years = _years(by, term)
    return Borrow(_ducats(by, amount), years)


def _borrow_nothing(by: OrderWords, amount: Amount) -> tuple[Borrow, Borrow]:
    """``borrow 0``, which withdraws the loans of both terms (BNK-04)."""
    if _ducats(by, amount):
        expected = tuple(f"for {term}" for term in _TERMS)
        raise WrongWordError(-1, Fault.INCOMPLETE, Message("language.for_how_long"), expected)
    return Borrow(0, 1), Borrow(0, 2)


def _pay(by: OrderWords, *parts: Amount | PowerId) -> Pay:
    """``pay 3 ducats to Milan``, ``give Milan 3 ducats``."""
    amount = next(part for part in parts if isinstance(part, Amount))
    power = next(part for part in parts if isinstance(part, str))
    return Pay(_ducats(by, amount), PowerId(power))


def _pay_wordy() -> Pay:
    """``pay much to Milan``: a word where an amount or power belongs."""
    raise WrongWordError(1, Fault.NUMBER, _NO_NUMBER)


def _expense(by: OrderWords, nth: Amount, *rest: Deed | Amount) -> Expense:
    """``expense 1: 12 ducats disband A pad``."""
    deed = next(part for part in rest if isinstance(part, Deed))
    amount = next((part for part in rest if isinstance(part, Amount)), None)
    number = _expense_number(by, nth)
    ducats = _ducats(by, amount) if amount is not None else None
    if deed.trouble is not None:
        raise deed.trouble
    faces = _faces(by, deed.faces) if deed.faces is not None else ()
    target: Mapping[str, Any] = {deed.target: deed.on}
    return Expense(number, deed.purpose, ducats, faces=faces, **target)


def _bribe_unsaid(at: Index, unit: Named) -> Deed:
    """``bribe G sie``, which may buy or disband."""
    reason = Message("language.bribe_unsaid")
    trouble = WrongWordError(at, Fault.UNCLEAR, reason, ("buy", "disband"))
    return Deed(Purpose.BUY, "unit", unit, trouble=trouble)


_RULES: Mapping[str, Callable[..., object]] = {
    "unit": _unit,
    "typed": Named,
    "owned": _owned,
    "owned_army": lambda owner, place: Named(Kind.ARMY, place, NO_COAST, owner),
    "spot": PlaceAndCoast,
    "by_way": _by_way,
    "by_way_to": _by_way,
    # Orders of units.
    "hold": Hold,
    "advance": _advance,
    "advance_by_sea": partial(_advance, by_sea=True),
    "advance_by_way": lambda unit, route: _advance(unit, *route),
    "advance_via": _advance_via,
    "march": _advance,
    "retreat_to": _advance,
    "strategic": lambda unit, *route: StrategicMove(
        unit, tuple(map(_place_of, route)), route[-1].coast
    ),
    "besiege": lambda unit, *_: Besiege(unit),
    "besiege_at": _besiege_at,
    "lift": LiftSiege,
    "disband": Disband,
    "disband_zero": _disband_zero,
    "convert": _convert,
    "convert_into": _convert_into,
    "support": _support,
    "back": _back,
    "back_move": _back_move,
    "back_move_from": lambda to, other: _back_move(other, to),
    "back_conversion": _back_conversion,
    "back_either": _back_either,
    "back_power": _back_power,
    "back_into": lambda place, power: _back_power(power, place),
    "back_unsaid": _back_unsaid,
    "transport": _transport,
    "carry": _carry,
    "carry_from": lambda to, army: _carry(army, to),
    "carry_either": _carry_either,
    "carry_anywhere": lambda army: (army, None),
    # Orders of adjustments.
    "build": _build,
    "remove": lambda *parts: Remove(_unit_of(parts)),
    "maintain": lambda *parts: Maintain(_unit_of(parts)),
    "tax": Tax,
    "waive": Waive,
    # Between powers.
    "ally": Ally,
    "unally": partial(Ally, allowed=False),
    "permit": Permit,
    "unpermit": partial(Permit, allowed=False),
    "excommunicate": Excommunicate,
    "unexcommunicate": partial(Excommunicate, banned=False),
    "burn": Burn,
    "burn_under": lambda unit: Burn(unit.place),
    "unburn": partial(Burn, burnt=False),
    "cede": Cede,
    "keep": lambda place: Cede(place, None),
    "chit": GiveChit,
    # Money.
    "borrow": _borrow,
    "borrow_nothing": _borrow_nothing,
    "pay": _pay,
    "pay_bank": lambda by, amount: Pay(_ducats(by, amount), None),
    "pay_wordy": _pay_wordy,
    "expense": _expense,
    "expense_none": lambda by, nth: Expense(_expense_number(by, nth), None),
    "relieve": partial(Deed, Purpose.FAMINE_RELIEF, "place"),
    "pacify": partial(Deed, Purpose.PACIFY, "place"),
    "cause_rebellion": partial(Deed, Purpose.CAUSE_REBELLION, "place"),
    "counter_bribe": partial(Deed, Purpose.COUNTER_BRIBE, "unit"),
    "disband_unit": partial(Deed, Purpose.DISBAND, "unit"),
    "buy": partial(Deed, Purpose.BUY, "unit"),
    "to_autonomous": lambda *parts: Deed(
        Purpose.TO_AUTONOMOUS, "unit", Named(Kind.GARRISON, parts[-1])
    ),
    "bribe_unsaid": _bribe_unsaid,
    "assassinate": partial(Deed, Purpose.ASSASSINATE, "power"),
    "slaying": partial(Deed, Purpose.ASSASSINATE, "power"),
    "after_d": lambda spot: Deed(Purpose.DISBAND, "unit", Named(None, *spot)),
    "after_d_fleet": lambda spot: Deed(Purpose.DISBAND, "unit", Named(Kind.FLEET, *spot)),
}
_LOOKING_AT_WORDS = frozenset(
    (
        *("besiege_at", "disband_zero", "back_either", "carry_either"),
        *("borrow", "borrow_nothing", "pay", "pay_bank", "expense", "expense_none"),
    )
)
"""Rules called with the words first."""
_LOCATING = frozenset(("back_conversion", "bribe_unsaid"))
"""Rules called with the last name's place first."""
_EITHER = frozenset(("back_either", "carry_either"))
_UNREAD_BEHIND = {"pay_wordy": 0, "keep": 1}
"""The number of parts of a rule after which names do not matter."""


# --- orders ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OrderPattern:
    """How to make the orders of one shape from a line's words.

    Parts are numbered; the first is the `OrderWords`, the last the order.
    """

    parts: tuple[object, ...]
    """The constant parts; None for others."""
    names: tuple[tuple[int, Index, str], ...]
    """Parts named by a word, with the word and its kind: place, power, or either."""
    steps: tuple[tuple[int, Callable[..., object], tuple[int, ...]], ...]
    """Parts made of others, in order."""
    is_ambiguous: bool
    """True if a word may be a place or a power."""

    def orders(self, words: Sequence[str], lexicon: Lexicon) -> tuple[Order, ...]:
        """Return the orders; raises `WrongWordError`."""
        parts = list(self.parts)
        parts[0] = OrderWords(words, lexicon)
        for at, index, what in self.names:
            place = lexicon.exact.get(words[index]) if what == "place" else None
            parts[at] = place or _named(index, words[index], what, lexicon)
        for at, make, of in self.steps:
            parts[at] = make(*map(parts.__getitem__, of))
        made: Any = parts[-1]
        return made if isinstance(made, tuple) else (made,)


def _named(index: Index, text: str, what: str, lexicon: Lexicon) -> object:
    place = lexicon.place(text) if what != "power" else Unknown()
    power = lexicon.power(text) if what != "place" else Unknown()
    if isinstance(place, str) or isinstance(power, str):
        found = (
            place if isinstance(place, str) else None,
            power if isinstance(power, str) else None,
        )
        return PlaceOrPower(*found) if what == "either" else found[0] or found[1]
    meaning = place if isinstance(place, Several) else power
    candidates = meaning.candidates if isinstance(meaning, Several) else ()
    candidates = candidates or (lexicon.places_with(text) if what != "power" else ())
    fault = Fault.NO_POWER if what == "power" else Fault.NO_PLACE
    raise WrongWordError(index, fault, candidates=candidates)


class _PatternBuilder:
    def __init__(self, tree: Tree[Token]) -> None:
        self.parts: list[object] = [None]
        self.names: list[tuple[int, Index, str]] = []
        self.steps: list[tuple[int, Callable[..., object], tuple[int, ...]]] = []
        self._add(tree)

    def _add(self, tree: Tree[Token], *, is_either: bool = False) -> int:
        rule = str(tree.data)
        trees = [child for child in tree.children if isinstance(child, Tree)]
        tokens = [child for child in tree.children if isinstance(child, Token)]
        if rule in _FIXED:
            return self._part(_FIXED[rule])
        if rule in _BY_SHAPE:
            of = [self.parts[self._add(child)] for child in trees] or [*map(_index, tokens)]
            return self._part(_BY_SHAPE[rule](*of))
        if rule in ("place", "power", "owner"):
            usual = "place" if rule == "place" else "power"
            return self._name(tokens[0], "either" if is_either else usual)
        before = [0] if rule in _LOOKING_AT_WORDS else []
        parts = [
            self._add(child, is_either=rule in _EITHER and child is trees[0])
            for child in trees[: _UNREAD_BEHIND.get(rule)]
        ]
        if rule in _LOCATING:
            before = [self._part(self.names[-1][1])]
        at = self._part(None)
        self.steps.append((at, _RULES[rule], (*before, *parts)))
        return at

    def _name(self, token: Token, what: str) -> int:
        if token.type == "AUTONOMOUS":
            return self._part(PlaceOrPower(None, AUTONOMOUS) if what == "either" else AUTONOMOUS)
        at = self._part(None)
        self.names.append((at, _index(token), what))
        return at

    def _part(self, value: object) -> int:
        self.parts.append(value)
        return len(self.parts) - 1


def _index(token: Token) -> Index:
    """A word's number, which `tree_of` puts into the token's position."""
    return token.start_pos or 0


MAX_TERMS = 60
"""The most words of an order."""
_MAX_SHAPES = 12_288
"""The most cached shapes; recorded games have two hundred for each kind of phase."""


@lru_cache(maxsize=_MAX_SHAPES)
def pattern_of(stage: Stage, shape: Shape) -> OrderPattern | Halt:
    """Return how to make an order of a shape, or where it stops being one."""
    tree = tree_of(stage, shape)
    if isinstance(tree, Halt):
        return tree
    built = _PatternBuilder(tree)
    either = any(what == "either" for _, _, what in built.names)
    return OrderPattern(tuple(built.parts), tuple(built.names), tuple(built.steps), either)


def parse_simple(text: str, lexicon: Lexicon, stage: Stage) -> tuple[Order, ...] | None:
    """Read a line of one order with unambiguous names; None for anything else.

    The fast way for almost all orders.
    """
    if not text.isascii() or len(text) > MAX_CHARACTERS:
        return None
    words = cut_order(text)
    if len(words) > MAX_TERMS:
        return None
    try:
        shape = "".join(map(lexicon.classes.__getitem__, words))
    except KeyError:
        classes = [lexicon.classes.get(word) or _of_beginning(word, lexicon) for word in words]
        if not all(classes):
            return None
        shape = "".join(classes)
    if shape.endswith(HEAD):
        # Nothing stands behind the word that could make a longer name of it.
        shape = shape[:-1] + letter(vocabulary().get(words[-1], "NAME"))
    pattern = pattern_of(stage, shape)
    if isinstance(pattern, Halt) or pattern.is_ambiguous:
        return None
    try:
        return pattern.orders(words, lexicon)
    except WrongWordError:
        return None


def _of_beginning(word: str, lexicon: Lexicon) -> str:
    """The class of a word that begins the names of one place, without coasts; else empty."""
    place = lexicon.place(word) if word.isalpha() else None
    if not isinstance(place, str) or lexicon.board.places[place].coasts:
        return ""
    return letter("NAME")
