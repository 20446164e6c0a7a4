"""Orders about money, allies and chits, from the grammar's tree to recipes (SYN-05 to SYN-07)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.orders import (
    Ally,
    Borrow,
    Excommunicate,
    Expense,
    GiveChit,
    Named,
    Pay,
    Purpose,
)
from machjudge.adjudicator.model.units import Kind
from machjudge.language.orders.forms import (
    Meanings,
    NumberForm,
    Outcome,
    PlaceForm,
    PowerForm,
    Recipe,
    Slots,
    SpotForm,
    Trouble,
    UnitForm,
    one_order,
)
from machjudge.language.orders.parts import NO_NUMBER, Parts, by_parts
from machjudge.language.vocabulary.lexicon import NUMBER_WORDS
from machjudge.language.vocabulary.said import Fault
from machjudge.sentence import Sentence

MOST_DUCATS = 9_999
"""More than this in one order is a slip of the hand: no treasury of any game comes near it."""

_YEARS_BY_PERCENT = {20: 1, 50: 2}
"""The bank's interest names the term too (BNK-02)."""
_TERMS = ("1 year", "2 years")
_NUMBERS = "1234"
"""An expense's numbers (EXP-01)."""

Target: TypeAlias = Named | PlaceId | PowerId


@dataclass(frozen=True, slots=True)
class NthForm:
    """The number of an expense."""

    index: int

    def meant(self, by: Meanings) -> int | Trouble:
        """The number from 1 to 4, or why it is none."""
        value = _whole(by, self.index)
        if not isinstance(value, int) or str(value) not in _NUMBERS:
            reason = Sentence("language.expense_numbers")
            return Trouble(self.index, Fault.NUMBER, reason, tuple(_NUMBERS))
        return value


@dataclass(frozen=True, slots=True)
class TermForm:
    """For how long money is borrowed: a number of years, a percentage, or one year in words."""

    number: NumberForm | None
    percent: bool = False

    def meant(self, by: Meanings) -> int | Trouble:
        """One year or two, or why it is neither (BNK-02)."""
        if self.number is None:
            return 1
        (index,) = self.number.indexes
        value = _whole(by, index)
        years = _YEARS_BY_PERCENT.get(value) if self.percent and isinstance(value, int) else value
        if years in (1, 2) and isinstance(years, int):
            return years
        reason = Sentence("language.bank_terms")
        return Trouble(index, Fault.NUMBER, reason, _TERMS)


@dataclass(frozen=True, slots=True)
class Deed:
    """What an expense is for, and on whom or what it is spent."""

    purpose: Purpose
    on: UnitForm | PlaceForm | PowerForm

    def expense(self, by: Meanings, number: int, ducats: int | None) -> Expense:
        """The expense."""
        match self.on:
            case UnitForm():
                return Expense(number, self.purpose, ducats, unit=self.on.named(by))
            case PlaceForm():
                return Expense(number, self.purpose, ducats, place=self.on.meant(by))
            case PowerForm():
                return Expense(number, self.purpose, ducats, power=self.on.meant(by))


@by_parts
class MoneyOrders(Parts):
    """Reads what ducats and words of honour do; the methods are the rules of the grammar."""

    def ally(self, power: PowerForm) -> Recipe:
        """``ally Milan``."""
        return one_order(power.slots, lambda by: Ally(power.meant(by)))

    def excommunicate(self, power: PowerForm) -> Recipe:
        """``excommunicate Milan``."""
        return one_order(power.slots, lambda by: Excommunicate(power.meant(by)))

    def unally(self, power: PowerForm) -> Recipe:
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

    def borrow(self, amount: NumberForm, term: TermForm) -> Recipe:
        """``borrow 10 ducats for 1 year``."""

        def make(by: Meanings) -> Outcome:
            years = term.meant(by)
            if isinstance(years, Trouble):
                return years
            return _with_ducats(by, amount, lambda ducats: Borrow(ducats, years))

        return one_order(Slots(), make)

    def borrow_nothing(self, amount: NumberForm) -> Recipe:
        """``borrow 0``, which withdraws the loans of both terms (BNK-04)."""
        reason = Sentence("language.for_how_long")
        missing = Trouble(-1, Fault.INCOMPLETE, reason, tuple(f"for {term}" for term in _TERMS))

        def make(by: Meanings) -> tuple[Outcome, ...]:
            ducats = _ducats(by, amount)
            if isinstance(ducats, Trouble):
                return (ducats,)
            return (missing,) if ducats else (Borrow(0, 1), Borrow(0, 2))

        return Recipe(Slots(), make)

    def pay(self, *parts: NumberForm | PowerForm) -> Recipe:
        """``pay 3 ducats to Milan``, ``give Milan 3 ducats``."""
        power = next(part for part in parts if isinstance(part, PowerForm))
        amount = next(part for part in parts if isinstance(part, NumberForm))

        def make(by: Meanings) -> Outcome:
            return _with_ducats(by, amount, lambda ducats: Pay(ducats, power.meant(by)))

        return one_order(power.slots, make)

    def pay_bank(self, amount: NumberForm) -> Recipe:
        """``pay 3 ducats to bank``."""
        return one_order(
            Slots(), lambda by: _with_ducats(by, amount, lambda ducats: Pay(ducats, None))
        )

    def pay_wordy(self, word: PowerForm, *_: PowerForm) -> Recipe:
        """``pay much to Milan``: the word stands where only an amount or a power can."""
        trouble = Trouble(word.index or 0, Fault.NUMBER, NO_NUMBER)
        return one_order(Slots(), lambda _: trouble)

    def chit(self, of: PowerForm, to: PowerForm) -> Recipe:
        """``give Turkey to Naples``."""
        return one_order(of.slots + to.slots, lambda by: GiveChit(of.meant(by), to.meant(by)))

    def nth(self, number: NumberForm) -> NthForm:
        """``expense 1``."""
        return NthForm(number.indexes[0])

    def expense(self, nth: NthForm, *rest: Deed | NumberForm) -> Recipe:
        """``expense 1: 12 ducats disband A pad``."""
        deed = next(part for part in rest if isinstance(part, Deed))
        amount = next((part for part in rest if isinstance(part, NumberForm)), None)

        def make(by: Meanings) -> Outcome:
            number = nth.meant(by)
            if isinstance(number, Trouble):
                return number
            if amount is None:
                return deed.expense(by, number, None)
            return _with_ducats(by, amount, lambda ducats: deed.expense(by, number, ducats))

        return one_order(deed.on.slots, make)

    def expense_none(self, nth: NthForm) -> Recipe:
        """``expense 1: none`` (EXP-03)."""

        def make(by: Meanings) -> Outcome:
            number = nth.meant(by)
            return number if isinstance(number, Trouble) else Expense(number, None)

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


def _with_ducats(by: Meanings, amount: NumberForm, make: Callable[[int], Outcome]) -> Outcome:
    ducats = _ducats(by, amount)
    return ducats if isinstance(ducats, Trouble) else make(ducats)


def _ducats(by: Meanings, amount: NumberForm) -> int | Trouble:
    """The sum of the numbers, or why it cannot be an amount."""
    if amount.impossible:
        return Trouble(amount.indexes[0], Fault.NUMBER, amount.impossible)
    total = 0
    for index in amount.indexes:
        value = _whole(by, index)
        if isinstance(value, Trouble):
            return value
        total += value
    return total if total <= MOST_DUCATS else _too_much(amount.indexes[0])


def _whole(by: Meanings, index: int) -> int | Trouble:
    """A whole number in digits or in words; its length is tested before it is read."""
    word = by.words[index]
    if word in NUMBER_WORDS:
        return NUMBER_WORDS[word]
    if not word.isdecimal():
        return Trouble(index, Fault.NUMBER, Sentence("language.whole_numbers"))
    digits = word.lstrip("0") or "0"
    return int(digits) if len(digits) <= len(str(MOST_DUCATS)) else _too_much(index)


def _too_much(index: int) -> Trouble:
    return Trouble(index, Fault.NUMBER, Sentence("language.most_ducats", most=MOST_DUCATS))
