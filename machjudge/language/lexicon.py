"""The names of a board and the words of orders; orders written as text.

Orders of 1978 with numbered units (MOV-03) are translated first: ``A1: A-Capua`` becomes ``A pav:
A-Capua``, ``C-A4(FL)-6d`` becomes ``expense 1: 6 d counter-bribe A bol``.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from typing import TypeAlias

from lark import Lark, Token, Tree, UnexpectedInput
from lark.lexer import Lexer, LexerState, Pattern
from lark.parsers.lalr_interactive_parser import InteractiveParser

from machjudge.adjudicator.board import Board, Power, Scenario
from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.names import AUTONOMOUS, NO_COAST, Coast, PlaceId, PowerId
from machjudge.adjudicator.orders import (
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
from machjudge.adjudicator.units import GARRISON, Kind, Unit
from machjudge.language.words import (
    BY_STAGE,
    OWN_LETTERS,
    OWN_WORDS,
    SMALL_WORDS,
    SYNONYMS,
    Candidate,
    Fault,
    ParseError,
    cut,
    fold,
)
from machjudge.translatable import Message, Name

# The grammar of orders, compiled: classes of words in, a tree or the place of the trouble out.
# Knows words, numbers and signs; no board, no places, no powers. The *shape* of an order is the
# string of the classes of its words, one character a class: ``A mil - pav`` and ``A ven - pad``
# have the same shape, and so each shape is parsed once, whatever the words are.
Shape: TypeAlias = str
"""The classes of an order's words, a character each."""

END = "$END"
"""Lark's name for the end of input."""

_START = {
    Stage.CAMPAIGN: "campaign",
    Stage.RETREATS: "retreat",
    Stage.ADJUSTMENT: "adjustment",
}


@dataclass(frozen=True, slots=True)
class Halt:
    """The word, or the end, at which a shape stops being an order."""

    index: int
    accepts: frozenset[str]
    """The classes that could stand there; :data:`END` if it could end."""


class NoLexer(Lexer):
    """Lark gets classes, no text: ``words.py`` splits it."""

    def __init__(self, conf: object) -> None:
        """There is nothing to configure."""

    def lex(self, lexer_state: LexerState, parser_state: object) -> Iterator[Token]:
        """Return no token: they are fed one by one."""
        yield from ()


@cache
def _grammar() -> Lark:
    return Lark.open_from_package(
        __package__,
        "orders.lark",
        parser="lalr",
        start=list(_START.values()),
        lexer=NoLexer,
    )


@cache
def classes() -> tuple[str, ...]:
    """Return all classes; a class's number gives its character (see `letter`)."""
    return tuple(sorted(terminal.name for terminal in _grammar().terminals))


_FIRST_LETTER = 0x100
"""Above ASCII, so that a class is no word."""


@cache
def letter(name: str) -> str:
    """Return the character of a class in a shape."""
    return chr(_FIRST_LETTER + classes().index(name))


def class_of(character: str) -> str:
    """Return the class of a character of a shape; empty if unknown."""
    number = ord(character) - _FIRST_LETTER
    return classes()[number] if 0 <= number < len(classes()) else ""


@cache
def vocabulary() -> Mapping[str, str]:
    """Every word and sign of the grammar with the name of its class."""
    return word_classes(_grammar(), _OPEN)


_OPEN = ("NAME", "NUMBER", "FRACTION", "__IGNORE_0")


def word_classes(grammar: Lark, without: Collection[str]) -> Mapping[str, str]:
    """Return every word and sign of a grammar with its class; *without* some open classes."""
    return {
        word: terminal.name
        for terminal in grammar.terminals
        if terminal.name not in without
        for word in listed(terminal.pattern)
    }


def listed(pattern: Pattern) -> Iterable[str]:
    """Return a class's words: Lark turns ``"a" | "b"`` into ``(?:a|b)``."""
    if pattern.type == "str":
        return (pattern.value,)
    return pattern.value.removeprefix("(?:").removesuffix(")").replace("\\", "").split("|")


def words_of(name: str) -> tuple[str, ...]:
    """The words of a class, the shortest first."""
    return tuple(sorted((w for w, c in vocabulary().items() if c == name), key=len))


def tree_of(stage: Stage, shape: Shape) -> Tree[Token] | Halt:
    """Parse the shape of one order of a kind of phase.

    Each token's ``start_pos`` is the number of its word.
    """
    parser = _parser(stage)
    for index, character in enumerate(shape):
        try:
            parser.feed_token(_token(class_of(character), index))
        except UnexpectedInput:
            return Halt(index, _accepted(parser))
    try:
        tree: Tree[Token] = parser.feed_token(_token(END, len(shape)))
    except UnexpectedInput:
        return Halt(len(shape), _accepted(parser))
    return tree


def _parser(stage: Stage) -> InteractiveParser:
    return _grammar().parse_interactive(start=_START[stage])


def _token(name: str, index: int) -> Token:
    return Token(name, name, start_pos=index)


def _accepted(parser: InteractiveParser) -> frozenset[str]:
    accepts: Callable[[], set[str]] = parser.accepts
    return frozenset(accepts())


@cache
def openings(stage: Stage) -> frozenset[str]:
    """Return the characters of the classes that begin an order."""
    return frozenset(letter(name) for name in _accepted(_parser(stage)))


# The names of a board and of the powers of a scenario, and what an abbreviation means (SYN-09).
# Exact names and listed abbreviations come first, then beginnings of three letters or more (two
# for powers) if only one place or power begins so. Knows nothing of sentences.
SEPARATOR = "\x01"
"""The class of separators of orders."""
STOP = "\x02"
"""The class of a full stop, which ends an abbreviation or an order."""
FILLER = "\x03"
"""The class of words that say nothing."""
HEAD = "\x04"
"""The class of words that begin a longer name on this board."""
JUNK = "\x05"
"""The class of signs outside orders."""

_OUTSIDE_GRAMMAR = {
    ",": SEPARATOR,
    ";": SEPARATOR,
    "&": SEPARATOR,
    "and": SEPARATOR,
    ".": STOP,
    "the": FILLER,
}

_SPELT = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen", "twenty"),
)
NUMBER_WORDS = {word: value for value, word in enumerate(_SPELT, start=1)}
"""Numbers that players spell out."""

_LEAST_OF_PLACE = 3
_LEAST_OF_POWER = 2

Names = Mapping[str, tuple[str, ...]]
"""Plain names without spaces, with the ids that they may mean."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """A name is unknown."""


@dataclass(frozen=True, slots=True)
class Several:
    """A name is ambiguous."""

    candidates: tuple[Candidate, ...]


_LEAST_INSIDE = 4
"""The fewest letters of a word for which names are looked through."""


class _NameIndex:
    def __init__(self, names: Names, least: int) -> None:
        self.exact = names
        self._sorted = sorted(names)
        self._least = least

    def ids(self, text: str) -> tuple[str, ...]:
        name = text if text in self.exact else squash(text)
        exact = self.exact.get(name)
        if exact is not None:
            return exact
        if len(name) < self._least:
            return ()
        start = bisect_left(self._sorted, name)
        end = bisect_left(self._sorted, name + "\U0010ffff", lo=start)
        return tuple(sorted({i for longer in self._sorted[start:end] for i in self.exact[longer]}))


class Lexicon:
    """All names of a scenario on its board, ready for the parser.

    :param board: the board with its places.
    :param powers: the powers.
    :param language: the writer's, whose names and words are read beside the usual ones; a name with
        two meanings is ambiguous.
    """

    def __init__(self, board: Board, powers: Mapping[PowerId, Power], language: str = "") -> None:
        self.board = board
        self.powers = powers
        self._own = board.names.get(language, {})
        places = [(place.name, str(place.id)) for place in board.places.values()]
        called = [(power.name, str(power.id)) for power in powers.values()]
        self._places = _NameIndex(
            _besides(_names_of_places(board), self._translated(places)), _LEAST_OF_PLACE
        )
        self._powers = _NameIndex(
            _besides(_names_of_powers(powers), _in_all_languages(board, called)), _LEAST_OF_POWER
        )
        self.heads = _heads(_long_names((*self.place_names(), *self.power_names())))
        self.classes = self._classes(OWN_WORDS.get(language, {}))
        self.by_stage = BY_STAGE.get(language, {})
        """Words whose meaning depends on the kind of phase."""
        self.small_words = SMALL_WORDS.get(language, {})
        """Prepositions of the language, by the class that they mean behind a verb."""
        self.letters = {
            word: kind
            for word, kind in OWN_LETTERS.get(language, {}).items()
            if PowerId(word.upper()) not in powers
        }
        """The language's letters for kinds of units, with the usual ones."""
        self.exact: Mapping[str, PlaceId] = {
            name: PlaceId(ids[0]) for name, ids in self._places.exact.items() if len(ids) == 1
        }
        """Places by unambiguous names."""
        self.names_anywhere = frozenset(
            fold(name) for own in board.names.values() for name in own.values()
        )
        """Places and powers in all languages, which the writer may not read."""
        self.off_venice = frozenset(
            (sea.place, spot.place)
            for spot, near in board.fleet.items()
            for sea in near
            if board.places[spot.place].venice and board.places[sea.place].is_sea
        )
        """Each sea with the Venice-like city in it."""

    def place(self, text: str) -> PlaceId | Several | Unknown:
        """Return the place that words mean."""
        exact = self.exact.get(text)
        if exact is not None:
            return exact
        ids = self._places.ids(text.removesuffix("'s"))
        if len(ids) == 1:
            return PlaceId(ids[0])
        return Several(tuple(map(self._place_candidate, ids))) if ids else Unknown()

    def places_with(self, text: str) -> tuple[Candidate, ...]:
        """Return the places with these words, or their beginnings, anywhere in their name.

        So "Tyrrhenian Sea" is two of them; such words are no name, and may only be asked about.
        """
        words = [word for word in fold(text).split() if len(word) > 1]
        if not any(len(word) >= _LEAST_INSIDE for word in words):
            return ()
        places = self.board.places.values()
        named = (
            (place.id, fold(f"{place.name} {self._own.get(place.name, '')}")) for place in places
        )
        found = ((id_, name.split()) for id_, name in named)
        return tuple(
            self._place_candidate(id_)
            for id_, name in found
            if all(any(part.startswith(word) for part in name) for word in words)
        )

    def power(self, text: str) -> PowerId | Several | Unknown:
        """Return the power of a name, adjective, initial or beginning of two letters."""
        ids = self._powers.ids(text.removesuffix("'s"))
        if len(ids) == 1:
            return PowerId(ids[0])
        if not ids:
            return Unknown()
        names = ((power, self.powers[PowerId(power)].name) for power in ids)
        return Several(
            tuple(Candidate(power, Name(name, self.board.names)) for power, name in names)
        )

    def kind_of(self, word: str) -> str:
        """Return the class of a word, number or sign, as a character of a shape."""
        known = self.classes.get(word)
        if known is not None:
            return known
        if word[0].isalpha():
            return letter("NAME")
        if word[0].isdecimal():
            return letter("NUMBER" if word.isdecimal() else "FRACTION")
        return letter("MOVE") if word[0] == "-" or word[-1] == ">" else JUNK

    def is_place_too(self, word: str) -> bool:
        """Return whether an order word, such as "for", also is a place's exact name."""
        return word in self._places.exact

    def is_exact(self, word: str) -> bool:
        """Return whether a word is a listed name or abbreviation of a place or power."""
        return word in self._places.exact or word in self._powers.exact

    def coasts_of(self, text: str) -> tuple[Coast, ...]:
        """Return the separate coasts of a place; None if the word means no such place."""
        place = self.place(text)
        return self.board.places[place].coasts if isinstance(place, str) else ()

    def is_beginning_of_another(self, text: str, name: str) -> bool:
        """Return whether *text* also begins the name of a place other than *name*."""
        return bool({*self._places.ids(text)} - {*self._places.ids(name)})

    def is_power(self, word: str) -> bool:
        """Return whether a word is a power's exact name, adjective or initial."""
        return squash(word) in self._powers.exact

    def means_something(self, word: str) -> bool:
        """Return whether a word is a place, power or order word, and so no comment."""
        if word in vocabulary() or word in NUMBER_WORDS:
            return True
        long_enough = len(word) >= _LEAST_OF_PLACE
        exact = word in self._places.exact or word in self._powers.exact
        return exact or (long_enough and bool(self._places.ids(word) or self._powers.ids(word)))

    def place_names(self) -> Iterable[str]:
        """Every name and abbreviation of a place, in plain letters."""
        for place in self.board.places.values():
            yield from (fold(name) for name in (place.id, place.name, *place.aliases) if name)
            yield from self._own_name(place.name)

    def power_names(self) -> Iterable[str]:
        """Every name and adjective of a power, in plain letters."""
        for power in self.powers.values():
            yield from map(fold, _called(power))
            yield from self._own_name(power.name)

    def _own_name(self, name: str) -> Iterable[str]:
        return (fold(self._own[name]),) if name in self._own else ()

    def _translated(self, named: Iterable[tuple[str, str]]) -> Names:
        return _all_bearers((self._own[name], owner) for name, owner in named if name in self._own)

    def _classes(self, own: Mapping[str, str]) -> Mapping[str, str]:
        numbers = dict.fromkeys([*NUMBER_WORDS, *map(str, range(100))], letter("NUMBER"))
        names = dict.fromkeys([*self._places.exact, *self._powers.exact], letter("NAME"))
        words = {word: letter(name) for word, name in {**own, **SYNONYMS, **vocabulary()}.items()}
        return names | numbers | words | _OUTSIDE_GRAMMAR | dict.fromkeys(self.heads, HEAD)

    def _place_candidate(self, place: str) -> Candidate:
        name = self.board.places[PlaceId(place)].name
        return Candidate(place, Name(name, self.board.names))


@lru_cache(maxsize=64)
def lexicon_of(scenario: Scenario, language: str | None = None) -> Lexicon:
    """Return the lexicon of a scenario, made once; of a language only if that has own words."""
    if language is None:
        return Lexicon(scenario.board, scenario.powers)
    own = (scenario.board.names, OWN_WORDS, BY_STAGE, OWN_LETTERS)
    if not any(language in each for each in own):
        return lexicon_of(scenario)
    return Lexicon(scenario.board, scenario.powers, language)


def squash(name: str) -> str:
    """Return a name for comparison: letters and digits in plain lower case."""
    return re.sub(r"[\W_]+", "", fold(name))


def _called(power: Power) -> Iterable[str]:
    return (name for name in (power.name, power.adjective, *power.aliases) if name)


def _names_of_places(board: Board) -> Names:
    """The ids first, then full names, then the rest, so that no alias hides an id."""
    places = board.places.values()
    ids: list[tuple[str, str]] = [(place.id, place.id) for place in places]
    names = [(place.name, str(place.id)) for place in places]
    aliases = [(alias, str(place.id)) for place in places for alias in place.aliases if alias]
    refused = {squash(text): tuple(map(str, meant)) for text, meant in board.ambiguous.items()}
    return _all_bearers(aliases) | _first_bearers([*ids, *names]) | refused


def _names_of_powers(powers: Mapping[PowerId, Power]) -> Names:
    initials: list[tuple[str, str]] = [(power.id, power.id) for power in powers.values()]
    called = [(name, str(power.id)) for power in powers.values() for name in _called(power)]
    return _all_bearers(called) | _first_bearers(initials)


def _first_bearers(named: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    kept: dict[str, tuple[str, ...]] = {}
    for name, owner in named:
        kept.setdefault(squash(name), (owner,))
    return kept


def _all_bearers(named: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    kept: dict[str, tuple[str, ...]] = {}
    for name, owner in named:
        key = squash(name)
        kept[key] = tuple(sorted({*kept.get(key, ()), owner}))
    return kept


def _besides(usual: Names, own: Names) -> Names:
    """The usual names beside a language's own; names with two meanings are ambiguous."""
    return {**usual, **{k: tuple(sorted({*usual.get(k, ()), *ids})) for k, ids in own.items()}}


def _in_all_languages(board: Board, called: Iterable[tuple[str, str]]) -> Names:
    """The names of powers in all other languages."""
    return _all_bearers(
        (own[name], owner) for name, owner in called for own in board.names.values() if name in own
    )


def _long_names(names: Iterable[str]) -> Iterable[tuple[str, ...]]:
    for name in names:
        pieces = tuple(piece for piece in cut(name) if piece != ".")
        if len(pieces) > 1:
            yield pieces


def _heads(long_names: Iterable[tuple[str, ...]]) -> Mapping[str, tuple[tuple[str, ...], ...]]:
    heads: dict[str, set[tuple[str, ...]]] = {}
    for pieces in long_names:
        heads.setdefault(pieces[0], set()).add(pieces)
    return {head: tuple(sorted(names, key=len, reverse=True)) for head, names in heads.items()}


_DEEDS_OF_UNITS: Mapping[type[UnitOrder], str] = {
    Hold: "h",
    Besiege: "b",
    LiftSiege: "l",
    Disband: "disband",
}
# Orders as canonical text, the inverse of reading: the short notation of receipts and results.
# ``A avi - wgl - cor``, ``A mon s A tur``, ``expense 1: 12 ducats disband A pad``: letters for
# types, the board's abbreviations for places, names for powers.
BY_AGREEMENT = " by agreement "
"""Stands before the number of an agreement; only the judge writes it, and no mail may."""
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
    """Write an order as a line that reads as the same order."""
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
    """Return a unit as orders name it: ``A mil``, ``F pro/nc``, ``Papal A rme``, ``mil``."""
    owner = "" if unit.owner is None else f"{_owner_text(unit.owner, lexicon)} "
    kind = "" if unit.kind is None else f"{unit.kind.letter} "
    return f"{owner}{kind}{spot_text(unit.place, unit.coast)}"


def spot_text(place: PlaceId, coast: Coast = NO_COAST) -> str:
    """Return a place with its coast: ``pro/nc``."""
    return f"{place}/{coast}" if coast else place


def ducats_text(ducats: int) -> str:
    """Return ``1 ducat``, ``12 ducats``."""
    return f"{ducats} {'ducat' if ducats == 1 else 'ducats'}"


def _deed_of_unit(order: UnitOrder, lexicon: Lexicon) -> str:
    match order:
        case Hold() | Besiege() | LiftSiege() | Disband():
            return _DEEDS_OF_UNITS[type(order)]
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
    """The supported unit and its move; a garrison's, into its own province, is ``c``.

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
    """The adjective of a power, or another name if that is a place too."""
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
            by = f"{BY_AGREEMENT}{order.agreement}" if order.agreement else ""
            return f"pay {ducats_text(order.ducats)} to {to}{by}"
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
            return f"build {quality}{order.kind.letter} {spot_text(order.place, order.coast)}"
        case Maintain():
            return f"maintain {unit_text(order.unit, lexicon)}"
        case Remove():
            return f"remove {unit_text(order.unit, lexicon)}"
        case Waive():
            return "waive"
        case Tax():
            return f"tax {order.place}"


_KINDS: Mapping[str, Kind] = {kind.letter.lower(): kind for kind in Kind}
_DASH = r"[-\u2010-\u2015\u2212]"
_UNIT = re.compile(
    rf"(?<!\w)(?P<kind>[afg])(?P<number>[1-9]\d?)(?!\w)"
    rf"(?:\s*{_DASH}?\s*\(\s*(?P<power>[^\W\d_][^()]{{0,20}}?)\s*\))?",
    re.IGNORECASE,
)
_HEAD = re.compile(rf"(?P<bullet>\W*){_UNIT.pattern}(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_INTO = re.compile(
    r"\W*(?:c(?:onverts?)?\b\W*(?:in)?(?:to)?\b\W*)?(?P<kind>[afg])[1-9]\d?\s*[.;]?\s*",
    re.IGNORECASE,
)
_BUILD = re.compile(r"\b(b|builds?|raise)\s+([afg])[1-9]\d?(?!\w)", re.IGNORECASE)
_TRANSPORT = re.compile(
    rf"\b(t|transports?|convoys?)\s*{_DASH}?\s*(A \S+)(\s*[.;]?\s*$)?", re.IGNORECASE
)
_SUPPORT = re.compile(rf"(.*\bs)\s*{_DASH}\s*([^\W\d_][^()-]*?)\s*[.;]?\s*$", re.IGNORECASE)
_LETTER = re.compile(
    rf"(?P<support>\bs\s*{_DASH}.+{_DASH}\s*)\(\s*(?P<letter>[^\W\d_])\s*\)", re.IGNORECASE
)
_EXPENSE = re.compile(
    r"\W*(?:e(?:xp(?:ense)?)?\s*(?P<nth>[1-4])\s*[:.]\s*)?"
    rf"(?P<letter>[a-l])\s*{_DASH}\s*(?P<target>.+?)\s*{_DASH}?\s*"
    r"(?P<ducats>\d{1,4})\s*d(?:ucats?)?\W*",
    re.IGNORECASE,
)
_NEW_NUMBER = re.compile(rf"\s*{_DASH}\s*(?P<kind>[afg])(?P<number>[1-9]\d?)\s*$", re.IGNORECASE)
"""The new number by an expense, behind the present one."""
_BESIEGE = re.compile(rf"^(\W*b)\s*{_DASH}\s*", re.IGNORECASE)
_LAGOON = re.compile(rf"^(\W*[as]\s*{_DASH}\s*)l\b", re.IGNORECASE)
"""The Lagoon's letter on the printed board, an order elsewhere."""
_DEEDS_NUMBERED = {
    "a": "famine relief",
    "b": "pacify rebellion",
    "c": "counter-bribe",
    "d": "disband G",
    "e": "buy G",
    "f": "garrison to autonomous",
    "g": "disband G",
    "h": "disband",
    "i": "buy",
    "j": "cause rebellion",
    "k": "cause rebellion",
    "l": "assassinate",
}
"""The letters of the price list of 1978 (EXP-37)."""
_LONGEST_NAME = 4
"""The most words in a place's name."""


@dataclass(frozen=True)
class UnitNumbers:
    """The numbers that a power may write: its own, bought ones, and others' with the power."""

    power: PowerId
    units: tuple[Unit, ...]
    lexicon: Lexicon
    bought: Mapping[tuple[Kind, PlaceId], int]
    """The units to be bought with their new numbers, 0 if none."""

    @cached_property
    def _by_number(self) -> Mapping[tuple[PowerId, Kind, int], Unit]:
        return {(unit.owner, unit.kind, unit.number): unit for unit in self.units if unit.number}

    def in_sheet(self, lines: Sequence[str]) -> list[str | ParseError]:
        """Return the lines of an order sheet as ``in_places`` has them.

        Expenses are numbered in order; what a line buys has its new number in all lines.
        """
        bought = dict(filter(None, map(self._purchase, lines)))
        numbers = replace(self, bought={**self.bought, **bought})
        placed: list[str | ParseError] = []
        expenses = 0
        for text in lines:
            expenses += _is_numberless_expense(text)
            placed.append(numbers.in_places(text, expenses))
        return placed

    def _purchase(self, text: str) -> tuple[tuple[Kind, PlaceId], int] | None:
        expense = _EXPENSE.fullmatch(text)
        if expense is None or _deed(expense) not in ("buy", "buy G"):
            return None
        new = _NEW_NUMBER.search(expense["target"])
        target = self._placed(_NEW_NUMBER.sub("", expense["target"]))
        if isinstance(target, ParseError):
            return None
        place = self.lexicon.place(fold(re.sub(r"^[afgAFG] ", "", target).partition("/")[0]))
        afield = (unit.kind for unit in self.units if unit.place == place and not unit.is_garrison)
        kind = GARRISON if _deed(expense) == "buy G" else next(afield, None)
        if kind is None or not isinstance(place, str):
            return None
        return (kind, place), int(new["number"]) if new is not None else 0

    def in_places(self, text: str, nth_expense: int = 1) -> str | ParseError:
        """Return a line with places instead of units' numbers.

        :param nth_expense: the number for an unnumbered expense, from 1.
        :returns: the line, or a problem if no unit has the number.
        """
        placed = self._line(text, nth_expense)
        if isinstance(placed, ParseError):
            # It may be about a part of the line; what its writer reads is all of it.
            return replace(placed, line=text, column=max(0, text.rfind(placed.found)))
        return placed

    def _line(self, text: str, nth_expense: int) -> str | ParseError:
        expense = _EXPENSE.fullmatch(text)
        if expense is not None:
            target = self._placed(_NEW_NUMBER.sub("", expense["target"]))
            nth = int(expense["nth"] or nth_expense)
            return (
                target
                if isinstance(target, ParseError)
                else _expense_numbered(expense, nth, target)
            )
        head = _HEAD.fullmatch(_BUILD.sub(r"\1 \2", text))
        if head is None:
            return self._placed(_BUILD.sub(r"\1 \2", text))
        return self._order(text, head)

    def _order(self, text: str, head: re.Match[str]) -> str | ParseError:
        unit = self._meant(head)
        if unit is None:
            return self._nobody(text, head)
        name = f"{head['bullet']}{_name_numbered(unit)}"
        rest = _BESIEGE.sub(r"\1 ", self._without_place(head["rest"], unit))
        rest = _LAGOON.sub(r"\1lagoon", rest)
        into = _INTO.fullmatch(rest)
        if into is not None:
            return f"{name} c {into['kind']}"
        support = _SUPPORT.fullmatch(rest)
        if support is not None:
            own = self.lexicon.powers[self.power].name
            return f"{name}{support[1]}-{support[2]}-({own})"
        placed = self._placed(_LETTER.sub(self._spelled_out, rest))
        if isinstance(placed, ParseError):
            return placed
        carried = _TRANSPORT.sub(_carried, placed.rstrip(" .;"), 1)
        return f"{name}{carried}"

    def _spelled_out(self, match: re.Match[str]) -> str:
        """A power by name, as its letter may be a coast: ``S-Capua-(N)``."""
        power = self.lexicon.powers.get(PowerId(match["letter"].upper()))
        return match[0] if power is None else f"{match['support']}({power.name})"

    def _placed(self, text: str) -> str | ParseError:
        pieces: list[str] = []
        at = 0
        for match in _UNIT.finditer(text):
            unit = self._meant(match)
            if unit is None:
                return self._nobody(text, match)
            pieces += text[at : match.start()], _name_numbered(unit)
            rest = text[match.end() :]
            at = match.end() + len(rest) - len(self._without_place(rest, unit))
        return "".join([*pieces, text[at:]])

    def _meant(self, match: re.Match[str]) -> Unit | None:
        power = self.power
        if match["power"]:
            found = self.lexicon.power(fold(match["power"]))
            power = found if isinstance(found, str) else PowerId("")
        kind, number = _KINDS[match["kind"].lower()], int(match["number"])
        borne = self._by_number.get((power, kind, number))
        return self._meant_to_buy(kind, number) if borne is None and power == self.power else borne

    def _meant_to_buy(self, kind: Kind, number: int) -> Unit | None:
        """The unit to be bought with the number, or the only one without."""
        of_kind = {place: new for (each, place), new in self.bought.items() if each is kind}
        named = [place for place, new in of_kind.items() if new == number]
        places = named or [place for place, new in of_kind.items() if not new]
        if len(places) != 1:
            return None
        there = (unit for unit in self.units if (unit.kind, unit.place) == (kind, places[0]))
        return next(there, Unit(AUTONOMOUS, kind, places[0]))

    def _without_place(self, rest: str, unit: Unit) -> str:
        """The text behind a number, without its unit's place."""
        words = re.match(r"\s+((?:[^\W\d_]+'?\.?\s*){1,4}(?:/\w\w)?)", rest)
        named = words[1].split() if words is not None else []
        for count in range(min(len(named), _LONGEST_NAME), 0, -1):
            name = " ".join(named[:count]).partition("/")[0].rstrip(". ")
            if self.lexicon.place(fold(name)) == unit.place:
                end = re.match(rf"\s+(?:\S+\s+){{{count - 1}}}[^\s:;,-]+", rest)
                return rest[end.end() :] if end is not None else rest
        return rest

    def _nobody(self, text: str, match: re.Match[str]) -> ParseError:
        found = text[match.start("kind") : match.end("power" if match["power"] else "number")]
        reason = Message("language.no_number", unit=match["kind"].upper() + match["number"])
        return ParseError(text, match.start("kind"), Fault.NO_PLACE, reason, found)


def numbers_of(
    power: PowerId, units: Iterable[Unit], orders: Iterable[Order], lexicon: Lexicon
) -> UnitNumbers:
    """Return the numbers that a power may write.

    :param units: all units, dislodged ones included.
    :param orders: the power's orders on file, for purchases.
    """
    known = tuple(units)
    buys = (o for o in orders if isinstance(o, Expense) and o.purpose is Purpose.BUY)
    named = [order.unit for order in buys if order.unit is not None]
    bought = {
        (unit.kind, unit.place): 0
        for unit in known
        for target in named
        if unit.place == target.place and (target.kind or unit.kind) is unit.kind
    }
    return UnitNumbers(power, known, lexicon, bought)


def _is_numberless_expense(text: str) -> bool:
    expense = _EXPENSE.fullmatch(text)
    return expense is not None and expense["nth"] is None


def _deed(expense: re.Match[str]) -> str:
    """The purpose of an expense's letter.

    J buys a garrison by the house rules, with its number; else it is for rebels.
    """
    letter, new = expense["letter"].lower(), _NEW_NUMBER.search(expense["target"])
    if new is not None and (letter == "j" or (letter == "i" and new["kind"].lower() == "g")):
        return "buy G"
    return _DEEDS_NUMBERED[letter]


def _name_numbered(unit: Unit) -> str:
    return f"{unit.kind.letter} {spot_text(unit.place, unit.coast)}"


def _carried(match: re.Match[str]) -> str:
    """``T A rag anywhere`` where nothing follows the army."""
    return f"{match[1]} {match[2]}{' anywhere' if match[3] is not None else ''}"


def _expense_numbered(match: re.Match[str], nth: int, target: str) -> str:
    deed = _deed(match)
    if deed.endswith(" G") and re.match(r"\s*g\s", target, re.IGNORECASE):
        deed = deed[:-2]
    return f"expense {nth}: {match['ducats']} d {deed} {target.strip(' ()')}"
