"""Orders about money, allies and chits, from the grammar's tree to recipes (SYN-05 to SYN-07)."""

from dataclasses import dataclass
from typing import TypeAlias

from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.orders import (
    Ally,
    Borrow,
    Burn,
    Cede,
    Excommunicate,
    Expense,
    GiveChit,
    Named,
    Pay,
    Permit,
    Purpose,
)
from machjudge.adjudicator.model.units import Kind
from machjudge.language.orders.amounts import (
    TERMS,
    FacesForm,
    NthForm,
    TermForm,
    ducats_meant,
    with_ducats,
)
from machjudge.language.orders.forms import (
    Meanings,
    NumberForm,
    OrderTrouble,
    Outcome,
    PlaceForm,
    PowerForm,
    Recipe,
    Slots,
    SpotForm,
    UnitForm,
    one_order,
)
from machjudge.language.orders.parts import NO_NUMBER, OrderParts, by_parts
from machjudge.language.vocabulary.said import Fault
from machjudge.sentence import Sentence

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

    def ally(self, power: PowerForm) -> Recipe:
        """``ally Milan``."""
        return one_order(power.slots, lambda by: Ally(power.meant(by)))

    def cede(self, place: PlaceForm, to: PowerForm) -> Recipe:
        """``cede Perugia to Florence``."""
        return one_order(place.slots + to.slots, lambda by: Cede(place.meant(by), to.meant(by)))

    def burn(self, place: PlaceForm) -> Recipe:
        """``burn Perugia``."""
        return one_order(place.slots, lambda by: Burn(place.meant(by)))

    def burn_under(self, unit: UnitForm) -> Recipe:
        """``A Perugia burns``: the province that the unit stands in."""
        return one_order(unit.slots, lambda by: Burn(unit.named(by).place))

    def permit(self, power: PowerForm) -> Recipe:
        """``permit Milan``."""
        return one_order(power.slots, lambda by: Permit(power.meant(by)))

    def excommunicate(self, power: PowerForm) -> Recipe:
        """``excommunicate Milan``."""
        return one_order(power.slots, lambda by: Excommunicate(power.meant(by)))

    def unexcommunicate(self, power: PowerForm) -> Recipe:
        """``not excommunicate Milan``."""
        return one_order(power.slots, lambda by: Excommunicate(power.meant(by), banned=False))

    def keep(self, place: PlaceForm, *_: PowerForm) -> Recipe:
        """``not cede Perugia``, to whomever."""
        return one_order(place.slots, lambda by: Cede(place.meant(by), None))

    def unburn(self, place: PlaceForm) -> Recipe:
        """``not burn Perugia``."""
        return one_order(place.slots, lambda by: Burn(place.meant(by), burnt=False))

    def unpermit(self, power: PowerForm) -> Recipe:
        """``not permit Milan``."""
        return one_order(power.slots, lambda by: Permit(power.meant(by), allowed=False))

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
            if isinstance(years, OrderTrouble):
                return years
            return with_ducats(by, amount, lambda ducats: Borrow(ducats, years))

        return one_order(Slots(), make)

    def borrow_nothing(self, amount: NumberForm) -> Recipe:
        """``borrow 0``, which withdraws the loans of both terms (BNK-04)."""
        reason = Sentence("language.for_how_long")
        missing = OrderTrouble(-1, Fault.INCOMPLETE, reason, tuple(f"for {term}" for term in TERMS))

        def make(by: Meanings) -> tuple[Outcome, ...]:
            ducats = ducats_meant(by, amount)
            if isinstance(ducats, OrderTrouble):
                return (ducats,)
            return (missing,) if ducats else (Borrow(0, 1), Borrow(0, 2))

        return Recipe(Slots(), make)

    def pay(self, *parts: NumberForm | PowerForm) -> Recipe:
        """``pay 3 ducats to Milan``, ``give Milan 3 ducats``."""
        power = next(part for part in parts if isinstance(part, PowerForm))
        amount = next(part for part in parts if isinstance(part, NumberForm))

        def make(by: Meanings) -> Outcome:
            return with_ducats(by, amount, lambda ducats: Pay(ducats, power.meant(by)))

        return one_order(power.slots, make)

    def pay_bank(self, amount: NumberForm) -> Recipe:
        """``pay 3 ducats to bank``."""
        return one_order(
            Slots(), lambda by: with_ducats(by, amount, lambda ducats: Pay(ducats, None))
        )

    def pay_wordy(self, word: PowerForm, *_: PowerForm) -> Recipe:
        """``pay much to Milan``: the word stands where only an amount or a power can."""
        trouble = OrderTrouble(word.index or 0, Fault.NUMBER, NO_NUMBER)
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
            if isinstance(number, OrderTrouble):
                return number
            if amount is None:
                return deed.expense(by, number, None)
            return with_ducats(by, amount, lambda ducats: deed.expense(by, number, ducats))

        return one_order(deed.on.slots, make)

    def expense_none(self, nth: NthForm) -> Recipe:
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
        reason, ways = Sentence("language.bribe_unsaid"), ("buy", "disband")
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
