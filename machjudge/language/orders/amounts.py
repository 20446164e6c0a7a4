"""The numbers of orders about money: amounts, terms, the numbers of expenses and of dice."""

from collections.abc import Callable
from dataclasses import dataclass

from machjudge.adjudicator.model.dice import SIDES
from machjudge.language.orders.forms import Meanings, NumberForm, OrderTrouble, Outcome
from machjudge.language.vocabulary.lexicon import NUMBER_WORDS
from machjudge.language.vocabulary.said import Fault
from machjudge.sentence import Sentence

MOST_DUCATS = 9_999
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
            reason = Sentence("language.expense_numbers")
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
                reason = Sentence("language.die_numbers")
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
        reason = Sentence("language.bank_terms")
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
    return total if total <= MOST_DUCATS else _too_much(amount.indexes[0])


def _whole(by: Meanings, index: int) -> int | OrderTrouble:
    """A whole number in digits or in words; its length is tested before it is read."""
    word = by.words[index]
    if word in NUMBER_WORDS:
        return NUMBER_WORDS[word]
    if not word.isdecimal():
        return OrderTrouble(index, Fault.NUMBER, Sentence("language.whole_numbers"))
    digits = word.lstrip("0") or "0"
    return int(digits) if len(digits) <= len(str(MOST_DUCATS)) else _too_much(index)


def _too_much(index: int) -> OrderTrouble:
    return OrderTrouble(index, Fault.NUMBER, Sentence("language.most_ducats", most=MOST_DUCATS))
