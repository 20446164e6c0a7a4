"""Parse the conditions of ``if``. Knows names, no position.

Facts are joined with ``and``, ``or``, ``not`` and parentheses; ``and`` binds before ``or``. A fact
is a unit (``[power] [type] place``), an owner (``Florence owns pis``, ``nobody owns city pis``), or
money (``treasury >= 9``, ``treasury Milan < 6``).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.names import AUTONOMOUS, PlaceId, PowerId
from machjudge.adjudicator.orders import Hold
from machjudge.adjudicator.units import Kind
from machjudge.language.lexicon import Lexicon, Several
from machjudge.language.orders import parse_order
from machjudge.language.words import (
    MAX_CHARACTERS,
    Fault,
    ParseError,
    Word,
    ambiguous,
    line_of,
)
from machjudge.translatable import Message, MessageOrText


class Sign(Enum):
    """A comparison of amounts."""

    LEAST = ">="
    MORE = ">"
    MAX = "<="
    LESS = "<"
    EXACTLY = "="


@dataclass(frozen=True, slots=True)
class UnitThere:
    """A unit stands at a place; power and type are optional."""

    place: PlaceId
    kind: Kind | None = None
    owner: PowerId | None = None


@dataclass(frozen=True, slots=True)
class Owned:
    """A power, or nobody, controls a province or a city."""

    place: PlaceId
    by: PowerId | None
    in_city: bool = False


@dataclass(frozen=True, slots=True)
class Treasury:
    """A treasury compared with an amount of ducats."""

    power: PowerId
    sign: Sign
    ducats: int


@dataclass(frozen=True, slots=True)
class Not:
    """The condition does not hold."""

    of: "Condition"


@dataclass(frozen=True, slots=True)
class Both:
    """All conditions hold."""

    parts: "tuple[Condition, ...]"


@dataclass(frozen=True, slots=True)
class Either:
    """At least one condition holds."""

    parts: "tuple[Condition, ...]"


Fact: TypeAlias = UnitThere | Owned | Treasury
Condition: TypeAlias = Fact | Not | Both | Either


def write_condition(condition: Condition, lexicon: Lexicon) -> str:
    """Write a condition as text that reads as the same one, no matter who speaks."""
    match condition:
        case UnitThere(place, kind, owner):
            parts = (_power_text(owner, lexicon), kind.letter if kind is not None else "", place)
            return " ".join(part for part in parts if part)
        case Owned(place, by, in_city):
            whose = _power_text(by, lexicon) or "nobody"
            return f"{whose} owns {'city ' if in_city else ''}{place}"
        case Treasury(power, sign, ducats):
            return f"treasury {_power_text(power, lexicon)} {sign.value} {ducats}"
        case Not(of):
            return f"not {_in_brackets(of, lexicon)}"
        case Both(parts):
            return " and ".join(_in_brackets(part, lexicon) for part in parts)
        case Either(parts):
            return " or ".join(_in_brackets(part, lexicon) for part in parts)


def _in_brackets(part: Condition, lexicon: Lexicon) -> str:
    text = write_condition(part, lexicon)
    return f"({text})" if isinstance(part, Both | Either) else text


def _power_text(power: PowerId | None, lexicon: Lexicon) -> str:
    if power is None:
        return ""
    return "autonomous" if power == AUTONOMOUS else lexicon.powers[power].name


FORMS = ("A mil", "Florence owns pis", "treasury >= 9")
"""An example of each kind of fact."""

_NO_FACT = Message("language.condition.no_fact")
_TOKEN = re.compile(r">=|=>|<=|=<|[()<>=≥≤&]|[^\s()<>=≥≤&]+")
_NUMBER = re.compile(r"[0-9]{1,6}")
_MAX_NESTED = 20
_MAX_WORDS_OF_POWER = 3
_OWNS = frozenset({"own", "owns", "control", "controls"})
_MONEY = frozenset({"treasury", "ducats", "money"})
_MINE = frozenset({"i", "my", "me"})
_NOBODY = frozenset({"nobody", "noone"})
_FILLERS = frozenset({"of", "the", "is", "in", "has", "d", "ducat"})

_SIGNS = {
    **{sign.value: sign for sign in Sign},
    "=>": Sign.LEAST,
    "≥": Sign.LEAST,
    "=<": Sign.MAX,
    "≤": Sign.MAX,
}
_SPELT = {
    ("at", "least"): Sign.LEAST,
    ("at", "most"): Sign.MAX,
    ("more", "than"): Sign.MORE,
    ("less", "than"): Sign.LESS,
}


class _WrongError(Exception):
    """Why a text is no condition; caught in this module."""

    def __init__(self, said: ParseError) -> None:
        super().__init__(said)
        self.said = said


def parse_condition(text: str, lexicon: Lexicon, speaker: PowerId) -> Condition | ParseError:
    """Read what stands between ``if`` and ``then``.

    :param text: anything; problems count its columns.
    :param lexicon: the names of the scenario.
    :param speaker: the power of ``treasury`` and ``I``.
    """
    if len(text) > MAX_CHARACTERS:
        return ParseError(text, 0, Fault.TOO_LONG, Message("language.condition.too_long"))
    try:
        return _Reader(text, lexicon, speaker).whole()
    except _WrongError as wrong:
        return wrong.said


class _Reader:
    def __init__(self, text: str, lexicon: Lexicon, speaker: PowerId) -> None:
        self.text, self.lexicon, self.speaker = text, lexicon, speaker
        line = line_of(text)
        self.words = [
            Word(match.group(), line.column(match.start()), line.column(match.end()))
            for match in _TOKEN.finditer(line.plain)
        ]
        self.at = 0
        self.depth = 0

    def whole(self) -> Condition:
        found = self._either()
        if self.at < len(self.words):
            raise self._wrong(
                self.words[self.at], Message("language.condition.cannot_stand"), ("and", "or")
            )
        return found

    def _either(self) -> Condition:
        parts = [self._both()]
        while self._take("or"):
            parts.append(self._both())
        return parts[0] if len(parts) == 1 else Either(tuple(parts))

    def _both(self) -> Condition:
        parts = [self._one()]
        while self._take("and", "&"):
            parts.append(self._one())
        return parts[0] if len(parts) == 1 else Both(tuple(parts))

    def _one(self) -> Condition:
        self.depth += 1
        if self.depth > _MAX_NESTED:
            raise self._wrong(self._here(), Message("language.condition.too_deep"))
        found = self._deeper()
        self.depth -= 1
        return found

    def _deeper(self) -> Condition:
        if self._take("not"):
            return Not(self._one())
        if not self._take("("):
            return self._fact()
        found = self._either()
        if not self._take(")"):
            raise self._wrong(self._here(), Message("language.condition.not_closed"), (")",))
        return found

    def _take(self, *texts: str) -> bool:
        if self.at < len(self.words) and self.words[self.at].text in texts:
            self.at += 1
            return True
        return False

    def _here(self) -> Word:
        end = len(self.text)
        return self.words[self.at] if self.at < len(self.words) else Word("", end, end)

    # --- facts --------------------------------------------------------------------------------

    def _fact(self) -> Fact:
        start = self.at
        while self._here().text not in ("", "and", "&", "or", "(", ")"):
            self.at += 1
        words = self.words[start : self.at]
        if not words:
            raise self._wrong(self._here(), Message("language.condition.missing"), FORMS)
        said = {word.text for word in words}
        if said & _MONEY:
            return self._treasury(words)
        return self._owned(words) if said & _OWNS else self._unit(words)

    def _treasury(self, words: Sequence[Word]) -> Treasury:
        at, length, sign = self._sign(words)
        whose = [w for w in words[:at] if w.text not in _MONEY | _FILLERS | _MINE]
        amount = [w for w in words[at + length :] if w.text not in _MONEY | _FILLERS]
        if len(amount) != 1 or not _NUMBER.fullmatch(amount[0].text):
            raise self._wrong(
                (amount or [self._here()])[0], Message("language.condition.ducats"), ("9",)
            )
        power = self._power(whose) if whose else self.speaker
        return Treasury(power, sign, int(amount[0].text))

    def _sign(self, words: Sequence[Word]) -> tuple[int, int, Sign]:
        """The place, the length and the kind of the comparison."""
        for at, word in enumerate(words):
            if word.text in _SIGNS:
                return at, 1, _SIGNS[word.text]
            pair = tuple(each.text for each in words[at : at + 2])
            if pair in _SPELT:
                return at, 2, _SPELT[pair]
        raise self._wrong(words[-1], Message("language.condition.compared"), ("treasury >= 9",))

    def _owned(self, words: Sequence[Word]) -> Owned:
        at = next(at for at, word in enumerate(words) if word.text in _OWNS)
        whose, place = words[:at], [word for word in words[at + 1 :] if word.text != "the"]
        in_city = bool(place) and place[0].text == "city"
        place = [word for word in place[int(in_city) :] if word.text != "of"]
        if not place:
            raise self._wrong(
                words[at], Message("language.condition.what_is_owned"), ("Florence owns pis",)
            )
        nobody = len(whose) > 0 and "".join(w.text for w in whose) in _NOBODY
        owner = None if nobody else self._owner(whose)
        return Owned(self._place(place, in_city=in_city), owner, in_city)

    def _owner(self, whose: Sequence[Word]) -> PowerId:
        is_speaker = not whose or {word.text for word in whose} <= _MINE
        return self.speaker if is_speaker else self._power(whose)

    def _place(self, words: Sequence[Word], *, in_city: bool) -> PlaceId:
        found = self.lexicon.place(" ".join(word.text for word in words))
        if isinstance(found, Several):
            raise self._several(words, found)
        if not isinstance(found, str):
            raise self._wrong(words[0], Message("language.condition.no_place"), length_of=words)
        place = self.lexicon.board.places[found]
        if place.is_sea:
            raise self._wrong(words[0], Message("language.condition.sea"), length_of=words)
        if in_city and place.city is None:
            raise self._wrong(words[0], Message("language.condition.no_city"), length_of=words)
        return found

    def _power(self, words: Sequence[Word]) -> PowerId:
        found = self.lexicon.power(" ".join(word.text for word in words))
        if isinstance(found, Several):
            raise self._several(words, found)
        if not isinstance(found, str):
            raise self._wrong(words[0], Message("language.condition.no_power"), length_of=words)
        return found

    def _unit(self, words: Sequence[Word]) -> UnitThere:
        whole = None if words[0].text in _MINE else self._named(words)
        if isinstance(whole, UnitThere):
            return whole
        for count in range(1, min(_MAX_WORDS_OF_POWER, len(words) - 1) + 1):
            owner = self._owner_of_unit(words[:count])
            if owner is None:
                continue
            unit = self._named(words[count:])
            if isinstance(unit, UnitThere):
                return UnitThere(unit.place, unit.kind, owner)
            whole = unit
        if isinstance(whole, ParseError) and whole.candidates:
            raise _WrongError(ambiguous(self.text, words[0].start, whole.found, whole.candidates))
        is_name = isinstance(whole, ParseError) and whole.fault is Fault.NO_PLACE
        reason = whole.reason if whole is not None and is_name else _NO_FACT
        raise self._wrong(words[0], reason, FORMS, length_of=words)

    def _owner_of_unit(self, words: Sequence[Word]) -> PowerId | None:
        text = " ".join(word.text for word in words)
        if text in _MINE or text == "own":
            return self.speaker
        if text == "autonomous":
            return AUTONOMOUS
        found = self.lexicon.power(text)
        return found if isinstance(found, str) else None

    def _named(self, words: Sequence[Word]) -> UnitThere | ParseError | None:
        """The unit that words name, without its owner, or the problem."""
        text = self.text[words[0].start : words[-1].end]
        said = parse_order(f"{text} h", self.lexicon, Stage.CAMPAIGN).said
        if len(said) != 1:
            return None
        if isinstance(said[0], Hold) and not said[0].unit.coast:
            return UnitThere(said[0].unit.place, said[0].unit.kind)
        return said[0] if isinstance(said[0], ParseError) else None

    # --- what is wrong ------------------------------------------------------------------------

    def _several(self, words: Sequence[Word], found: Several) -> _WrongError:
        text = self.text[words[0].start : words[-1].end]
        return _WrongError(ambiguous(self.text, words[0].start, text, found.candidates))

    def _wrong(
        self,
        word: Word,
        reason: MessageOrText,
        expected: tuple[str, ...] = (),
        length_of: Sequence[Word] = (),
    ) -> _WrongError:
        end = length_of[-1].end if length_of else word.end
        found = self.text[word.start : end]
        fault = Fault.UNEXPECTED if found else Fault.INCOMPLETE
        return _WrongError(ParseError(self.text, word.start, fault, reason, found, expected))
