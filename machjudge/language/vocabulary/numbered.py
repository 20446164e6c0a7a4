"""Orders in the notation of 1978, which names units by numbers, put into names of places (MOV-03).

``A1: A-Capua`` becomes ``A pav: A-Capua``, ``C-A4(FL)-6d`` becomes ``expense 1: 6 d counter-bribe
A bol``.  What is written so is then read as every other order.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from machjudge.adjudicator.model.names import AUTONOMOUS, PlaceId, PowerId
from machjudge.adjudicator.model.orders import Expense, Order, Purpose
from machjudge.adjudicator.model.units import GARRISON, Kind, Unit
from machjudge.language.vocabulary.lexicon import Lexicon
from machjudge.language.vocabulary.said import Fault, Problem
from machjudge.language.vocabulary.words import fold
from machjudge.language.vocabulary.write import spot_text
from machjudge.sentence import Sentence

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
"""The number that a unit gets by an expense, behind what it is now."""
_BESIEGE = re.compile(rf"^(\W*b)\s*{_DASH}\s*", re.IGNORECASE)
_LAGOON = re.compile(rf"^(\W*[as]\s*{_DASH}\s*)l\b", re.IGNORECASE)
"""The printed board calls the Venice Lagoon by a letter that is an order elsewhere."""
_DEEDS = {
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
"""Words in the longest name of a place."""


@dataclass(frozen=True)
class UnitNumbers:
    """The numbers that a power may write: its own, and those of others with the power behind.

    Its own are also those of the units that it means to buy in this campaign.
    """

    power: PowerId
    units: tuple[Unit, ...]
    lexicon: Lexicon
    bought: Mapping[tuple[Kind, PlaceId], int]
    """The units that it means to buy, and the numbers that they shall get; 0: none is said."""

    @cached_property
    def _by_number(self) -> Mapping[tuple[PowerId, Kind, int], Unit]:
        return {(unit.owner, unit.kind, unit.number): unit for unit in self.units if unit.number}

    def in_sheet(self, lines: Sequence[str]) -> list[str | Problem]:
        """The lines of an order sheet, each as ``in_places`` has it.

        Its expenses are numbered in their order, and what one of its lines buys has its new number
        in all of them.
        """
        bought = dict(filter(None, map(self._purchase, lines)))
        numbers = replace(self, bought={**self.bought, **bought})
        placed: list[str | Problem] = []
        expenses = 0
        for text in lines:
            expenses += _is_numberless_expense(text)
            placed.append(numbers.in_places(text, expenses))
        return placed

    def _purchase(self, text: str) -> tuple[tuple[Kind, PlaceId], int] | None:
        """The unit that an expense by letter buys, and the number that it shall get."""
        expense = _EXPENSE.fullmatch(text)
        if expense is None or _deed(expense) not in ("buy", "buy G"):
            return None
        new = _NEW_NUMBER.search(expense["target"])
        target = self._placed(_NEW_NUMBER.sub("", expense["target"]))
        if isinstance(target, Problem):
            return None
        place = self.lexicon.place(fold(re.sub(r"^[afgAFG] ", "", target).partition("/")[0]))
        afield = (unit.kind for unit in self.units if unit.place == place and not unit.is_garrison)
        kind = GARRISON if _deed(expense) == "buy G" else next(afield, None)
        if kind is None or not isinstance(place, str):
            return None
        return (kind, place), int(new["number"]) if new is not None else 0

    def in_places(self, text: str, nth_expense: int = 1) -> str | Problem:
        """A line with the places of the units in place of their numbers.

        :param nth_expense: which number an expense gets that has none, from 1.
        :returns: the line, unchanged where it names no number; a problem where nobody bears one.
        """
        placed = self._line(text, nth_expense)
        if isinstance(placed, Problem):
            # It may be about a part of the line; what its writer reads is all of it.
            return replace(placed, line=text, column=max(0, text.rfind(placed.found)))
        return placed

    def _line(self, text: str, nth_expense: int) -> str | Problem:
        expense = _EXPENSE.fullmatch(text)
        if expense is not None:
            target = self._placed(_NEW_NUMBER.sub("", expense["target"]))
            nth = int(expense["nth"] or nth_expense)
            return target if isinstance(target, Problem) else _expense(expense, nth, target)
        head = _HEAD.fullmatch(_BUILD.sub(r"\1 \2", text))
        if head is None:
            return self._placed(_BUILD.sub(r"\1 \2", text))
        return self._order(text, head)

    def _order(self, text: str, head: re.Match[str]) -> str | Problem:
        unit = self._meant(head)
        if unit is None:
            return self._nobody(text, head)
        name = f"{head['bullet']}{_name(unit)}"
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
        if isinstance(placed, Problem):
            return placed
        carried = _TRANSPORT.sub(_carried, placed.rstrip(" .;"), 1)
        return f"{name}{carried}"

    def _spelled_out(self, match: re.Match[str]) -> str:
        """A power by its name, as its letter could be that of a coast: ``S-Capua-(N)``."""
        power = self.lexicon.powers.get(PowerId(match["letter"].upper()))
        return match[0] if power is None else f"{match['support']}({power.name})"

    def _placed(self, text: str) -> str | Problem:
        """A text in which every number is a place."""
        pieces: list[str] = []
        at = 0
        for match in _UNIT.finditer(text):
            unit = self._meant(match)
            if unit is None:
                return self._nobody(text, match)
            pieces += text[at : match.start()], _name(unit)
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
        """The unit to be bought that shall have the number, or the only one without a number."""
        of_kind = {place: new for (each, place), new in self.bought.items() if each is kind}
        named = [place for place, new in of_kind.items() if new == number]
        places = named or [place for place, new in of_kind.items() if not new]
        if len(places) != 1:
            return None
        there = (unit for unit in self.units if (unit.kind, unit.place) == (kind, places[0]))
        return next(there, Unit(AUTONOMOUS, kind, places[0]))

    def _without_place(self, rest: str, unit: Unit) -> str:
        """What follows a number, without the name of the place where its unit stands."""
        words = re.match(r"\s+((?:[^\W\d_]+'?\.?\s*){1,4}(?:/\w\w)?)", rest)
        named = words[1].split() if words is not None else []
        for count in range(min(len(named), _LONGEST_NAME), 0, -1):
            name = " ".join(named[:count]).partition("/")[0].rstrip(". ")
            if self.lexicon.place(fold(name)) == unit.place:
                end = re.match(rf"\s+(?:\S+\s+){{{count - 1}}}[^\s:;,-]+", rest)
                return rest[end.end() :] if end is not None else rest
        return rest

    def _nobody(self, text: str, match: re.Match[str]) -> Problem:
        found = text[match.start("kind") : match.end("power" if match["power"] else "number")]
        reason = Sentence("language.no_number", unit=match["kind"].upper() + match["number"])
        return Problem(text, match.start("kind"), Fault.NO_PLACE, reason, found)


def numbers_of(
    power: PowerId, units: Iterable[Unit], orders: Iterable[Order], lexicon: Lexicon
) -> UnitNumbers:
    """The numbers that a power may write.

    :param units: all units, those that wait for their retreat too.
    :param orders: what the power has on file, for what it means to buy.
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
    """Whether a line is an expense by a letter of the price list, such as ``A-Capua-3d``."""
    expense = _EXPENSE.fullmatch(text)
    return expense is not None and expense["nth"] is None


def _deed(expense: re.Match[str]) -> str:
    """What the letter of an expense asks for.

    J buys a garrison by the house rules, whose number stands behind it; else it is for rebels.
    """
    letter, new = expense["letter"].lower(), _NEW_NUMBER.search(expense["target"])
    if new is not None and (letter == "j" or (letter == "i" and new["kind"].lower() == "g")):
        return "buy G"
    return _DEEDS[letter]


def _name(unit: Unit) -> str:
    return f"{unit.kind.letter} {spot_text(unit.place, unit.coast)}"


def _carried(match: re.Match[str]) -> str:
    """``T A rag anywhere`` where nothing stands behind the army."""
    return f"{match[1]} {match[2]}{' anywhere' if match[3] is not None else ''}"


def _expense(match: re.Match[str], nth: int, target: str) -> str:
    deed = _deed(match)
    if deed.endswith(" G") and re.match(r"\s*g\s", target, re.IGNORECASE):
        deed = deed[:-2]
    return f"expense {nth}: {match['ducats']} d {deed} {target.strip(' ()')}"
