"""The names of a board and of the powers of a scenario, and what an abbreviation means (SYN-09).

Exact names and listed abbreviations come first, then beginnings of three letters or more (two for
powers) if only one place or power begins so.  Knows nothing of sentences.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from machjudge.adjudicator.model.board import Board, Place
from machjudge.adjudicator.model.names import Coast, PlaceId, PowerId
from machjudge.adjudicator.model.scenario import Power, Scenario
from machjudge.language.vocabulary.grammar import letter, vocabulary
from machjudge.language.vocabulary.said import Candidate
from machjudge.language.vocabulary.synonyms import BY_STAGE, OWN_LETTERS, OWN_WORDS, SYNONYMS
from machjudge.language.vocabulary.words import cut, fold
from machjudge.sentence import Name

SEPARATOR = "\x01"
"""The class of what stands between two orders."""
STOP = "\x02"
"""The class of a full stop, which ends an abbreviation or an order."""
FILLER = "\x03"
"""The class of words that say nothing."""
HEAD = "\x04"
"""The class of words with which a name of several words begins on this board."""
JUNK = "\x05"
"""The class of signs that no order contains."""

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
"""Plain names without spaces, and the ids of what bears them: several where nobody can tell."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nothing is called so."""


@dataclass(frozen=True, slots=True)
class Several:
    """More than one place or power may be meant."""

    candidates: tuple[Candidate, ...]


class _Register:
    """The names of places, or of powers: exact ones, and their beginnings."""

    def __init__(self, names: Names, least: int) -> None:
        self.exact = names
        self._sorted = sorted(names)
        self._least = least

    def ids(self, text: str) -> tuple[str, ...]:
        """The ids of everything that *text* may mean."""
        name = text if text in self.exact else squash(text)
        exact = self.exact.get(name)
        if exact is not None:
            return exact
        if len(name) < self._least:
            return ()
        return tuple(sorted({i for longer in self._beginning(name) for i in self.exact[longer]}))

    def _beginning(self, name: str) -> Iterable[str]:
        start = bisect_left(self._sorted, name)
        end = bisect_left(self._sorted, name + "\U0010ffff", lo=start)
        return self._sorted[start:end]


class Lexicon:
    """All names of one scenario on its board, ready for the parser.

    :param board: the board whose places may be named.
    :param powers: the powers that may be named.
    :param language: that of whoever writes; its own names and words of orders are read beside the
        usual ones.  A name that is also the usual one of something else may mean both, so that it
        is asked back.
    """

    def __init__(self, board: Board, powers: Mapping[PowerId, Power], language: str = "") -> None:
        self.board = board
        self.powers = powers
        self._own = board.names.get(language, {})
        places = [(place.name, str(place.id)) for place in board.places.values()]
        called = [(power.name, str(power.id)) for power in powers.values()]
        self._places = _Register(
            _besides(_names_of_places(board), self._translated(places)), _LEAST_OF_PLACE
        )
        self._powers = _Register(
            _besides(_names_of_powers(powers), _in_all_languages(board, called)), _LEAST_OF_POWER
        )
        self.heads = _heads(_long_names((*self.place_names(), *self.power_names())))
        self.classes = self._classes(OWN_WORDS.get(language, {}))
        self.by_stage = BY_STAGE.get(language, {})
        """Words of this language that mean what the kind of phase makes of them."""
        self.letters = {
            word: kind
            for word, kind in OWN_LETTERS.get(language, {}).items()
            if PowerId(word.upper()) not in powers
        }
        """Letters of this language for kinds of units, and the usual ones; none of a power."""
        self.exact: Mapping[str, PlaceId] = {
            name: PlaceId(ids[0]) for name, ids in self._places.exact.items() if len(ids) == 1
        }
        """Places by the names that need no second look."""
        self.names_anywhere = frozenset(
            fold(name) for own in board.names.values() for name in own.values()
        )
        """The names of places and powers in all languages, which whoever writes may not read."""
        self.off_venice = frozenset(
            (sea.place, spot.place)
            for spot, near in board.fleet.items()
            for sea in near
            if board.places[spot.place].venice and board.places[sea.place].is_sea
        )
        """Each sea with the city like Venice that lies in it."""

    def place(self, text: str) -> PlaceId | Several | Unknown:
        """The place that a word or several words mean."""
        exact = self.exact.get(text)
        if exact is not None:
            return exact
        ids = self._places.ids(text.removesuffix("'s"))
        if len(ids) == 1:
            return PlaceId(ids[0])
        return Several(tuple(map(self._place_candidate, ids))) if ids else Unknown()

    def power(self, text: str) -> PowerId | Several | Unknown:
        """The power that a name, an adjective, an initial or a beginning of two letters means."""
        ids = self._powers.ids(text.removesuffix("'s"))
        if len(ids) == 1:
            return PowerId(ids[0])
        return Several(tuple(map(self._power_candidate, ids))) if ids else Unknown()

    def kind_of(self, word: str) -> str:
        """The class of a word, number or sign, as a character of a shape."""
        known = self.classes.get(word)
        if known is not None:
            return known
        if word[0].isalpha():
            return letter("NAME")
        if word[0].isdecimal():
            return letter("NUMBER" if word.isdecimal() else "FRACTION")
        return letter("MOVE") if word[0] == "-" or word[-1] == ">" else JUNK

    def is_place_too(self, word: str) -> bool:
        """Whether an order word, such as "for", also is the exact name of a place here."""
        return word in self._places.exact

    def is_exact(self, word: str) -> bool:
        """Whether a word is a name or abbreviation that is listed, of a place or a power."""
        return word in self._places.exact or word in self._powers.exact

    def coasts_of(self, text: str) -> tuple[Coast, ...]:
        """The separate coasts of the place that a word means; None if it means no such place."""
        place = self.place(text)
        return self.board.places[place].coasts if isinstance(place, str) else ()

    def is_beginning_of_another(self, text: str, name: str) -> bool:
        """Whether *text* also is the beginning of a place that is not the one called *name*."""
        return bool({*self._places.ids(text)} - {*self._places.ids(name)})

    def is_power(self, word: str) -> bool:
        """Whether a word is the exact name, adjective or initial of a power."""
        return squash(word) in self._powers.exact

    def means_something(self, word: str) -> bool:
        """Whether a word is a place, a power or an order word: then it is no comment."""
        if word in vocabulary() or word in NUMBER_WORDS:
            return True
        long_enough = len(word) >= _LEAST_OF_PLACE
        exact = word in self._places.exact or word in self._powers.exact
        return exact or (long_enough and bool(self._places.ids(word) or self._powers.ids(word)))

    def place_names(self) -> Iterable[str]:
        """Every name and abbreviation of a place, in plain letters."""
        for place in self.board.places.values():
            yield from _spellings(place)
            yield from self._own_name(place.name)

    def power_names(self) -> Iterable[str]:
        """Every name and adjective of a power, in plain letters."""
        for power in self.powers.values():
            yield from map(fold, _called(power))
            yield from self._own_name(power.name)

    def _own_name(self, name: str) -> Iterable[str]:
        return (fold(self._own[name]),) if name in self._own else ()

    def _translated(self, named: Iterable[tuple[str, str]]) -> Names:
        return _shared((self._own[name], owner) for name, owner in named if name in self._own)

    def _classes(self, own: Mapping[str, str]) -> Mapping[str, str]:
        numbers = dict.fromkeys([*NUMBER_WORDS, *map(str, range(100))], letter("NUMBER"))
        names = dict.fromkeys([*self._places.exact, *self._powers.exact], letter("NAME"))
        words = {word: letter(name) for word, name in {**own, **SYNONYMS, **vocabulary()}.items()}
        return names | numbers | words | _OUTSIDE_GRAMMAR | dict.fromkeys(self.heads, HEAD)

    def _place_candidate(self, place: str) -> Candidate:
        name = self.board.places[PlaceId(place)].name
        return Candidate(place, Name(name, self.board.names))

    def _power_candidate(self, power: str) -> Candidate:
        return Candidate(power, Name(self.powers[PowerId(power)].name, self.board.names))


@lru_cache(maxsize=64)
def lexicon_of(scenario: Scenario, language: str = "") -> Lexicon:
    """The lexicon of a scenario for whoever reads in a language, made once."""
    return Lexicon(scenario.board, scenario.powers, language)


def squash(name: str) -> str:
    """A name as it is compared: letters and digits only, in plain lower case."""
    return re.sub(r"[\W_]+", "", fold(name))


def _spellings(place: Place) -> Iterable[str]:
    return (fold(name) for name in (place.id, place.name, *place.aliases) if name)


def _called(power: Power) -> Iterable[str]:
    return (name for name in (power.name, power.adjective, *power.aliases) if name)


def _names_of_places(board: Board) -> Names:
    """The ids first, then full names, then the rest, so that no alias hides an id."""
    places = board.places.values()
    ids: list[tuple[str, str]] = [(place.id, place.id) for place in places]
    names = [(place.name, str(place.id)) for place in places]
    aliases = [(alias, str(place.id)) for place in places for alias in place.aliases if alias]
    refused = {squash(text): tuple(map(str, meant)) for text, meant in board.ambiguous.items()}
    return _shared(aliases) | _first([*ids, *names]) | refused


def _names_of_powers(powers: Mapping[PowerId, Power]) -> Names:
    initials: list[tuple[str, str]] = [(power.id, power.id) for power in powers.values()]
    called = [(name, str(power.id)) for power in powers.values() for name in _called(power)]
    return _shared(called) | _first(initials)


def _first(named: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """Names and ids, where the first to bear a name keeps it."""
    kept: dict[str, tuple[str, ...]] = {}
    for name, owner in named:
        kept.setdefault(squash(name), (owner,))
    return kept


def _shared(named: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """Names and ids, where several may bear one name."""
    kept: dict[str, tuple[str, ...]] = {}
    for name, owner in named:
        key = squash(name)
        kept[key] = tuple(sorted({*kept.get(key, ()), owner}))
    return kept


def _besides(usual: Names, own: Names) -> Names:
    """The usual names, and own ones of a language; what may mean two things means both."""
    return {**usual, **{k: tuple(sorted({*usual.get(k, ()), *ids})) for k, ids in own.items()}}


def _in_all_languages(board: Board, called: Iterable[tuple[str, str]]) -> Names:
    """What each power is called in other languages: everybody may write so to it."""
    return _shared(
        (own[name], owner) for name, owner in called for own in board.names.values() if name in own
    )


def _long_names(names: Iterable[str]) -> Iterable[tuple[str, ...]]:
    for name in names:
        pieces = tuple(piece for piece in cut(name) if piece != ".")
        if len(pieces) > 1:
            yield pieces


def _heads(long_names: Iterable[tuple[str, ...]]) -> Mapping[str, tuple[tuple[str, ...], ...]]:
    """The names of several words by their first word, the longest first."""
    heads: dict[str, set[tuple[str, ...]]] = {}
    for pieces in long_names:
        heads.setdefault(pieces[0], set()).add(pieces)
    return {head: tuple(sorted(names, key=len, reverse=True)) for head, names in heads.items()}
