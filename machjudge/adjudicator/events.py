"""All events, each with its reason and its change of the position.

Events marked "tells only" change nothing. Ducats are whole numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Literal

from machjudge.adjudicator.board import Spot
from machjudge.adjudicator.moments import Campaign, Moment
from machjudge.adjudicator.names import NO_COAST, Coast, PlaceId, PowerId
from machjudge.adjudicator.orders import Expense, Order
from machjudge.adjudicator.reasons import (
    Failure,
    HeldInstead,
    NotMatched,
    Objection,
    RebellionEnd,
    Removal,
    SiegeEnd,
    SupportFailure,
)
from machjudge.adjudicator.state import Dislodged, Loan, State
from machjudge.adjudicator.units import GARRISON, Kind, Unit


class Change:
    """An event that changes the position."""

    __slots__ = ()

    def apply(self, state: State) -> None:
        """Apply the change to *state*, a copy."""


def _set_owner(owners: dict[PlaceId, PowerId], place: PlaceId, by: PowerId | None) -> None:
    if by is None:
        owners.pop(place, None)
    else:
        owners[place] = by


def _without(chits: tuple[PowerId, ...], victim: PowerId) -> tuple[PowerId, ...]:
    index = chits.index(victim)
    return chits[:index] + chits[index + 1 :]


@dataclass(frozen=True, slots=True)
class Held:
    """A unit stayed, as ordered, or instead of its order, or without one.  Tells only."""

    unit: Unit
    because: HeldInstead | None = None


@dataclass(frozen=True, slots=True)
class Advanced(Change):
    """A unit moved to another place."""

    unit: Unit
    to: PlaceId
    coast: Coast
    strength: int
    left_empty: bool
    """True if the place that it left stays empty."""
    via: tuple[PlaceId, ...] = ()

    def apply(self, state: State) -> None:
        if self.left_empty:
            del state.field[self.unit.place]
        state.place(self.unit.at(self.to, self.coast))


@dataclass(frozen=True, slots=True)
class Marched(Change):
    """A unit moved strategically, as far as it got; *to* may be where it was (MOV-34)."""

    unit: Unit
    to: PlaceId
    coast: Coast
    ordered: PlaceId
    left_empty: bool
    """True if the place that it left stays empty."""

    def apply(self, state: State) -> None:
        if self.left_empty:
            del state.field[self.unit.place]
        state.place(self.unit.at(self.to, self.coast))


@dataclass(frozen=True, slots=True)
class AdvanceFailed:
    """A unit did not get where it was ordered.  Tells only."""

    unit: Unit
    to: PlaceId
    because: Failure
    coast: Coast = NO_COAST
    via: tuple[PlaceId, ...] = ()


@dataclass(frozen=True, slots=True)
class SupportGiven:
    """A unit supported another, to hold or, with *to*, to move there.  Tells only."""

    unit: Unit
    supported: Unit
    to: PlaceId | None


@dataclass(frozen=True, slots=True)
class SupportFailed:
    """A support did not count.  Tells only."""

    unit: Unit
    because: SupportFailure


@dataclass(frozen=True, slots=True)
class RebelsSupported:
    """Rebels supported a unit's way into their province (REB-11).  Tells only."""

    unit: Unit
    place: PlaceId


@dataclass(frozen=True, slots=True)
class Transported:
    """A fleet did its part of a convoy.  Tells only."""

    unit: Unit
    army: Unit
    to: PlaceId


@dataclass(frozen=True, slots=True)
class TransportFailed:
    """A fleet's convoy order came to nothing.  Tells only."""

    unit: Unit
    because: NotMatched | Failure


@dataclass(frozen=True, slots=True)
class Converted(Change):
    """A unit changed between the city and its province."""

    unit: Unit
    into: Kind
    coast: Coast
    strength: int
    left_empty: bool
    """True if the space that it left stays empty."""

    def apply(self, state: State) -> None:
        if self.left_empty:
            state.take_off(self.unit)
        state.place(self.unit.converted(self.into, self.coast))


@dataclass(frozen=True, slots=True)
class ConversionFailed:
    """A conversion did not succeed.  Tells only."""

    unit: Unit
    into: Kind
    because: Failure


@dataclass(frozen=True, slots=True)
class TieBroken:
    """Orders waited for each other without one answer; the named rule decided.  Tells only."""

    rule: Literal["transports fail", "moves first", "guards stay", "all advance", "all fail"]
    units: tuple[Unit, ...]


@dataclass(frozen=True, slots=True)
class UnitDislodged(Change):
    """A unit was driven out; it waits beside the map for its retreat (MOV-40)."""

    unit: Unit
    by: Unit
    """The attacker, at its place before the campaign."""
    strength: int
    rival: int
    """The strength of the resistance."""
    retreats: tuple[Spot, ...]
    convert: bool

    def apply(self, state: State) -> None:
        del state.field[self.unit.place]
        state.dislodged += (Dislodged(self.unit, self.retreats, self.convert),)


@dataclass(frozen=True, slots=True)
class UnitRemoved(Change):
    """A unit left the map for good, from its place or from among the dislodged."""

    unit: Unit
    because: Removal

    def apply(self, state: State) -> None:
        waiting = tuple(d for d in state.dislodged if d.unit != self.unit)
        if len(waiting) < len(state.dislodged):
            state.dislodged = waiting
        else:
            state.take_off(self.unit)


@dataclass(frozen=True, slots=True)
class UnitChangedOwner(Change):
    """A unit passed into other hands (EXP-09, EXP-10, EXP-13)."""

    unit: Unit
    to: PowerId

    def apply(self, state: State) -> None:
        state.place(self.unit.owned_by(self.to))


@dataclass(frozen=True, slots=True)
class UnitMadePlain(Change):
    """A special unit became a plain one in other hands (SPC-06, EXP-33)."""

    unit: Unit

    def apply(self, state: State) -> None:
        state.place(self.unit.made_plain())


@dataclass(frozen=True, slots=True)
class UnitNumbered(Change):
    """A unit got its number (MOV-03)."""

    unit: Unit
    """The unit in its place, without a number."""
    number: int

    def apply(self, state: State) -> None:
        state.place(self.unit.numbered(self.number))


@dataclass(frozen=True, slots=True)
class Retreated(Change):
    """A dislodged unit went to another place, or into the city where *into_city* says so.

    *instead_of* is the ordered place, if another retreat took that.
    """

    unit: Unit
    to: PlaceId
    coast: Coast
    into_city: bool = False
    instead_of: PlaceId | None = None

    def apply(self, state: State) -> None:
        state.dislodged = tuple(d for d in state.dislodged if d.unit != self.unit)
        after = self.unit.at(self.to, self.coast)
        state.place(after.converted(GARRISON) if self.into_city else after)


MovementEvent = (
    Held
    | Advanced
    | Marched
    | AdvanceFailed
    | SupportGiven
    | SupportFailed
    | RebelsSupported
    | Transported
    | TransportFailed
    | Converted
    | ConversionFailed
    | TieBroken
    | UnitDislodged
    | UnitRemoved
    | UnitChangedOwner
    | UnitMadePlain
    | UnitNumbered
    | Retreated
)


@dataclass(frozen=True, slots=True)
class _OfBesieger:
    """An event of a besieger."""

    unit: Unit
    city: PlaceId | None = None
    """The besieged city, if not in the unit's own place (SIE-02)."""

    @property
    def besieged(self) -> PlaceId:
        """Return the besieged city."""
        return self.unit.place if self.city is None else self.city


@dataclass(frozen=True, slots=True)
class SiegeBegun(_OfBesieger, Change):
    """The first half of a siege is done (SIE-01)."""

    def apply(self, state: State) -> None:
        state.sieges |= {self.besieged}


@dataclass(frozen=True, slots=True)
class SiegeKept(_OfBesieger):
    """The siege stays half done (SIE-07).  Tells only."""


@dataclass(frozen=True, slots=True)
class SiegeCompleted(_OfBesieger, Change):
    """The city fell to the besieger (SIE-05, SIE-13)."""

    def apply(self, state: State) -> None:
        state.sieges -= {self.besieged}


@dataclass(frozen=True, slots=True)
class SiegeEnded(Change):
    """A siege ended without its last order (SIE-08 to SIE-10)."""

    city: PlaceId
    because: SiegeEnd

    def apply(self, state: State) -> None:
        state.sieges -= {self.city}


@dataclass(frozen=True, slots=True)
class RebellionStarted(Change):
    """Rebels rose in a province, and in its city where *in_city* says so (REB-03)."""

    place: PlaceId
    against: PowerId | None
    in_province: bool
    in_city: bool

    def apply(self, state: State) -> None:
        if self.in_province:
            state.province_rebellions[self.place] = self.against
        if self.in_city:
            state.city_rebellions[self.place] = self.against


@dataclass(frozen=True, slots=True)
class RebellionEnded(Change):
    """Rebels left the province, the city, or both (REB-25 to REB-33)."""

    place: PlaceId
    in_province: bool
    in_city: bool
    because: RebellionEnd
    by: PowerId | None

    def apply(self, state: State) -> None:
        if self.in_province:
            state.province_rebellions.pop(self.place, None)
        if self.in_city:
            state.city_rebellions.pop(self.place, None)


@dataclass(frozen=True, slots=True)
class ProvinceTaken(Change):
    """Control of a province changed; *by* is the new power or None (CTL-03)."""

    place: PlaceId
    by: PowerId | None
    before: PowerId | None

    def apply(self, state: State) -> None:
        _set_owner(state.provinces, self.place, self.by)


@dataclass(frozen=True, slots=True)
class CityTaken(Change):
    """Control of a city changed; *by* is the new power or None (CTL-03)."""

    place: PlaceId
    by: PowerId | None
    before: PowerId | None

    def apply(self, state: State) -> None:
        _set_owner(state.cities, self.place, self.by)


@dataclass(frozen=True, slots=True)
class HomeConquered(Change):
    """Another's home country was conquered as a whole (HOM-02); *by* None: by nobody now."""

    home: PowerId
    """The power whose original home country it is."""
    places: tuple[PlaceId, ...]
    by: PowerId | None
    before: PowerId | None

    def apply(self, state: State) -> None:
        for place in self.places:
            _set_owner(state.homes, place, self.by)


@dataclass(frozen=True, slots=True)
class HomeHeld(Change):
    """The power in control of all of another's home country changed to *by*, or None (HOM-02)."""

    home: PowerId
    by: PowerId | None

    def apply(self, state: State) -> None:
        if self.by is None:
            del state.home_holders[self.home]
        else:
            state.home_holders[self.home] = self.by


@dataclass(frozen=True, slots=True)
class PowerEliminated(Change):
    """A power controls no city of any home country of its own (ELI-01)."""

    power: PowerId

    def apply(self, state: State) -> None:
        """All its property goes; rebellions against it stay, against nobody (ELI-02, REB-37)."""
        gone = self.power
        state.eliminated |= {gone}
        state.treasuries.pop(gone, None)
        state.chits.pop(gone, None)
        state.defaulted -= {gone}
        state.loans = tuple(loan for loan in state.loans if loan.power != gone)
        for rebellions in (state.province_rebellions, state.city_rebellions):
            for place in [place for place, against in rebellions.items() if against == gone]:
                rebellions[place] = None


@dataclass(frozen=True, slots=True)
class VictoryReached:
    """A power fulfils the victory condition; the master recognises it (VIC-01).  Tells only."""

    power: PowerId
    cities: int
    homes: int


@dataclass(frozen=True, slots=True)
class SideWon:
    """The powers of one player together fulfil the victory condition (VIC-09).  Tells only."""

    powers: tuple[PowerId, ...]
    cities: int
    homes: int


@dataclass(frozen=True, slots=True)
class EndThrown:
    """A die was thrown for the end of the game (VIC-10).  Tells only.

    It ends at *limit* and below; the leaders, with most cities and more than ten, win.
    """

    leaders: tuple[PowerId, ...]
    cities: int
    die: int
    limit: int

    @property
    def is_end(self) -> bool:
        """Return whether the game is over."""
        return self.die <= self.limit


SiegeEvent = SiegeBegun | SiegeKept | SiegeCompleted | SiegeEnded

RebellionEvent = RebellionStarted | RebellionEnded

ControlEvent = (
    ProvinceTaken
    | CityTaken
    | HomeConquered
    | HomeHeld
    | PowerEliminated
    | VictoryReached
    | SideWon
    | EndThrown
)


@dataclass(frozen=True, slots=True)
class PhaseEnded(Change):
    """The phase is over; *after* is the next one."""

    after: Moment

    def apply(self, state: State) -> None:
        state.moment = self.after


@dataclass(frozen=True, slots=True)
class DiceThrown:
    """Dice were thrown for a purpose.  Tells only."""

    purpose: str
    dice: tuple[int, ...]
    n: int = 1


@dataclass(frozen=True, slots=True)
class OrderRefused:
    """A written order may not be given; *line* counts the power's orders from 0.  Tells only."""

    power: PowerId
    line: int
    order: Order
    because: Objection


@dataclass(frozen=True, slots=True)
class OrderReplaced:
    """A later line for the same unit or number took an order's place.  Tells only."""

    power: PowerId
    line: int
    by: int


@dataclass(frozen=True, slots=True)
class OrderIgnored:
    """An order for a unit that the power did not come to own (SYN-12).  Tells only."""

    power: PowerId
    order: Order


PhaseEvent = PhaseEnded | DiceThrown | OrderRefused | OrderReplaced | OrderIgnored


@dataclass(frozen=True, slots=True)
class LoanRepaid(Change):
    """Ducats went to the bank for the loans due in one campaign (BNK-05)."""

    power: PowerId
    due: Campaign
    principal: int
    interest: int
    collected: bool
    """True if the bank collected it, False if the power paid."""

    def apply(self, state: State) -> None:
        """Take interest off all loans of the line before any principal (BNK-05)."""
        state.move_ducats(self.power, -(self.principal + self.interest))
        interest, principal = self.interest, self.principal
        left: list[Loan] = []
        for loan in state.loans:
            if (loan.power, loan.due) != (self.power, self.due):
                left.append(loan)
                continue
            off_interest = min(loan.interest, interest)
            off_principal = min(loan.principal, principal)
            interest -= off_interest
            principal -= off_principal
            rest = replace(
                loan,
                interest=loan.interest - off_interest,
                principal=loan.principal - off_principal,
            )
            if rest.principal or rest.interest:
                left.append(rest)
        state.loans = tuple(left)


@dataclass(frozen=True, slots=True)
class PaymentNotNeeded:
    """More was offered to the bank than was owed or in the treasury (BNK-19).  Tells only."""

    power: PowerId
    asked: int
    paid: int


@dataclass(frozen=True, slots=True)
class GiftGiven(Change):
    """Ducats passed from one power to another (BNK-11); *asked* is what the order said."""

    giver: PowerId
    receiver: PowerId
    ducats: int
    asked: int

    def apply(self, state: State) -> None:
        state.move_ducats(self.giver, -self.ducats)
        state.move_ducats(self.receiver, self.ducats)


@dataclass(frozen=True, slots=True)
class GiftRefused:
    """A gift did not take place (BNK-07, BNK-18, BNK-21).  Tells only."""

    giver: PowerId
    receiver: PowerId
    ducats: int
    because: Literal["in debt", "eliminated", "excommunicated", "too few ducats"]


@dataclass(frozen=True, slots=True)
class Excommunicated(Change):
    """The Papacy cut a power off from the others for a campaign (BNK-22)."""

    victim: PowerId
    by: PowerId
    during: Campaign

    def apply(self, state: State) -> None:
        state.excommunicated[self.victim] = self.during


@dataclass(frozen=True, slots=True)
class LoanTaken(Change):
    """A power borrowed (BNK-02)."""

    power: PowerId
    principal: int
    interest: int
    due: Campaign

    def apply(self, state: State) -> None:
        """Loans of one power due in the same campaign are one line (BNK-05)."""
        state.move_ducats(self.power, self.principal)
        same = [ln for ln in state.loans if (ln.power, ln.due) == (self.power, self.due)]
        others = tuple(ln for ln in state.loans if ln not in same)
        joined = Loan(
            self.power,
            self.principal + sum(ln.principal for ln in same),
            self.interest + sum(ln.interest for ln in same),
            self.due,
        )
        state.loans = (*others, joined)


@dataclass(frozen=True, slots=True)
class LoanRefused:
    """The bank did not lend (BNK-01, BNK-10, BNK-20).  Tells only."""

    power: PowerId
    ducats: int
    because: Literal["limit", "defaulted"]


@dataclass(frozen=True, slots=True)
class LoanDefaulted(Change):
    """A power could not pay; the bank takes the treasury and cancels the debt (BNK-10)."""

    power: PowerId
    owed: int
    seized: int

    def apply(self, state: State) -> None:
        state.move_ducats(self.power, -self.seized)
        state.loans = tuple(loan for loan in state.loans if loan.power != self.power)
        state.defaulted |= {self.power}


@dataclass(frozen=True, slots=True)
class ExpensePaid(Change):
    """Ducats for an expense left the treasury (EXP-01, EXP-02)."""

    power: PowerId
    number: int
    asked: int
    paid: int

    def apply(self, state: State) -> None:
        state.move_ducats(self.power, -self.paid)


Fate = Literal[
    "done",
    "too small",
    "counter-bribed",
    "outbid",
    "tied",
    "out of reach",
    "no such unit",
    "not fitting",
    "special limit",
    "no effect",
    "no chit",
    "no attempt",
    "victim eliminated",
    "void: default",
    "failed",
]
"""The result of an expense."""


@dataclass(frozen=True, slots=True)
class ExpenseSettled:
    """An expense's result, with the price it had to reach and its force.  Tells only."""

    power: PowerId
    expense: Expense
    fate: Fate
    price: int
    force: int
    unit: Unit | None = None
    """The target, before the step."""


@dataclass(frozen=True, slots=True)
class ChitUsed(Change):
    """An attempt used up an assassination chit (ASN-01)."""

    power: PowerId
    victim: PowerId

    def apply(self, state: State) -> None:
        state.chits[self.power] = _without(state.chits[self.power], self.victim)


@dataclass(frozen=True, slots=True)
class ChitGiven(Change):
    """A chit passed to another power, at once and for good (ASN-02)."""

    giver: PowerId
    receiver: PowerId
    victim: PowerId

    def apply(self, state: State) -> None:
        state.chits[self.giver] = _without(state.chits[self.giver], self.victim)
        held = state.chits.get(self.receiver, ())
        state.chits[self.receiver] = tuple(sorted((*held, self.victim)))


@dataclass(frozen=True, slots=True)
class ChitsDrawn(Change):
    """A power drew its chits from the bag of all at the beginning (ASN-01)."""

    power: PowerId
    victims: tuple[PowerId, ...]

    def apply(self, state: State) -> None:
        state.chits[self.power] = self.victims


@dataclass(frozen=True, slots=True)
class PowerAssassinated:
    """A leader was killed, without *by* by the bank (ASN-04 to ASN-11).  Tells only."""

    victim: PowerId
    by: tuple[PowerId, ...]


@dataclass(frozen=True, slots=True)
class RebellionRolled:
    """A province of an assassinated leader was tested for rebellion (ASN-09).  Tells only."""

    place: PlaceId
    die: int
    limit: int
    home: bool
    with_unit: bool


MoneyEvent = (
    LoanRepaid
    | PaymentNotNeeded
    | GiftGiven
    | GiftRefused
    | Excommunicated
    | LoanTaken
    | LoanRefused
    | LoanDefaulted
    | ExpensePaid
    | ExpenseSettled
    | ChitUsed
    | ChitGiven
    | ChitsDrawn
    | PowerAssassinated
    | RebellionRolled
)


@dataclass(frozen=True, slots=True)
class DisasterStruck:
    """Famine, plague or storms were thrown for (FAM-01, PLG-02, STM-02).  Tells only."""

    kind: Literal["famine", "plague", "storm"]
    severity: int
    row: int | None
    column: int | None
    places: tuple[PlaceId, ...]


@dataclass(frozen=True, slots=True)
class StormBroke:
    """A storm broke over a sea with a fleet; the die says what the fleet suffers.  Tells only."""

    place: PlaceId
    die: int


@dataclass(frozen=True, slots=True)
class PlagueSpread:
    """Plague went on to a place beside one that it had struck (PLG-06).  Tells only."""

    place: PlaceId


@dataclass(frozen=True, slots=True)
class DrivenAshore(Change):
    """A storm drove a fleet from its sea to a coast (STM-02)."""

    unit: Unit
    to: PlaceId
    coast: Coast

    def apply(self, state: State) -> None:
        del state.field[self.unit.place]
        state.place(self.unit.at(self.to, self.coast))


@dataclass(frozen=True, slots=True)
class FamineForestalled(Change):
    """Relief was bought for a province before famine came (FAM-08)."""

    place: PlaceId

    def apply(self, state: State) -> None:
        state.relieved |= {self.place}


@dataclass(frozen=True, slots=True)
class ReliefUsed(Change):
    """The relief bought before was there when famine was thrown for, needed or not (FAM-08)."""

    place: PlaceId
    needed: bool

    def apply(self, state: State) -> None:
        state.relieved -= {self.place}


@dataclass(frozen=True, slots=True)
class FamineBegan(Change):
    """Famine came over a province (FAM-02)."""

    place: PlaceId

    def apply(self, state: State) -> None:
        state.famine |= {self.place}


@dataclass(frozen=True, slots=True)
class FamineEnded(Change):
    """Relief or the end of Spring took the famine from a province (FAM-08, FAM-09)."""

    place: PlaceId
    relieved: bool

    def apply(self, state: State) -> None:
        state.famine -= {self.place}


@dataclass(frozen=True, slots=True)
class RollPaid:
    """What one variable income brought (INC-10).  Tells only: it is part of ``IncomePaid``."""

    power: PowerId
    line: str
    dice: tuple[int, ...]
    """The dice; in a game without dice the fixed ones (INC-14)."""
    ducats: int
    fixed: bool


@dataclass(frozen=True, slots=True)
class IncomePaid(Change):
    """A power's income of the year, by source (INC-01)."""

    power: PowerId
    seas: int
    provinces: int
    cities: int
    variable: int

    def apply(self, state: State) -> None:
        paid = self.seas + self.provinces + self.cities + self.variable
        state.move_ducats(self.power, paid)


@dataclass(frozen=True, slots=True)
class TaxesForced(Change):
    """A province and its city paid their fixed income once more, by force (INC-19)."""

    power: PowerId
    place: PlaceId
    ducats: int
    exhausts: bool
    """True if they pay nothing in the next income."""

    def apply(self, state: State) -> None:
        state.move_ducats(self.power, self.ducats)
        if self.exhausts:
            state.taxed |= {self.place}


@dataclass(frozen=True, slots=True)
class ProvinceBurnt(Change):
    """A power laid its own province waste, which pays nothing in the next income (INC-20)."""

    place: PlaceId
    power: PowerId

    def apply(self, state: State) -> None:
        state.taxed |= {self.place}


@dataclass(frozen=True, slots=True)
class ProvinceRecovered(Change):
    """An income passed over a province that had been taxed by force or burnt (INC-19, INC-20)."""

    place: PlaceId

    def apply(self, state: State) -> None:
        state.taxed -= {self.place}


@dataclass(frozen=True, slots=True)
class Maintained(Change):
    """A unit's upkeep for the year was paid (ADJ-01)."""

    unit: Unit
    ducats: int

    def apply(self, state: State) -> None:
        state.move_ducats(self.unit.owner, -self.ducats)


@dataclass(frozen=True, slots=True)
class UnitBuilt(Change):
    """A new unit was raised and paid for (ADJ-03)."""

    unit: Unit
    ducats: int

    def apply(self, state: State) -> None:
        state.place(self.unit)
        if self.ducats:
            state.move_ducats(self.unit.owner, -self.ducats)


@dataclass(frozen=True, slots=True)
class AdjustmentFailed(Change):
    """A build, removal or upkeep could not be carried out."""

    power: PowerId
    order: Order
    because: Objection
    lost: int = 0
    """Ducats spent in vain (SPC-06)."""

    def apply(self, state: State) -> None:
        if self.lost:
            state.move_ducats(self.power, -self.lost)


@dataclass(frozen=True, slots=True)
class BuildsWaived:
    """A power left builds unused (ADJ-15).  Tells only."""

    power: PowerId
    count: int


YearEvent = (
    DisasterStruck
    | StormBroke
    | PlagueSpread
    | DrivenAshore
    | FamineForestalled
    | ReliefUsed
    | FamineBegan
    | FamineEnded
    | RollPaid
    | IncomePaid
    | TaxesForced
    | ProvinceBurnt
    | ProvinceRecovered
    | Maintained
    | UnitBuilt
    | AdjustmentFailed
    | BuildsWaived
)


class Marker(Enum):
    """A marker beside units."""

    FAMINE = "famine"
    SIEGE = "siege"
    REBELLION = "rebellion"
    CITY_REBELLION = "city rebellion"


@dataclass(frozen=True, slots=True)
class TreasuryCorrected(Change):
    """A treasury was set to *ducats*."""

    power: PowerId
    ducats: int
    because: str

    def apply(self, state: State) -> None:
        state.treasuries[self.power] = self.ducats


@dataclass(frozen=True, slots=True)
class UnitCorrected(Change):
    """A place's field or city was set to a unit or none."""

    place: PlaceId
    in_city: bool
    unit: Unit | None
    because: str

    def apply(self, state: State) -> None:
        space = state.garrisons if self.in_city else state.field
        if self.unit is None:
            space.pop(self.place, None)
        else:
            space[self.place] = self.unit


@dataclass(frozen=True, slots=True)
class OwnerCorrected(Change):
    """A province or city was given to *by* or nobody."""

    place: PlaceId
    in_city: bool
    by: PowerId | None
    because: str

    def apply(self, state: State) -> None:
        owners = state.cities if self.in_city else state.provinces
        _set_owner(owners, self.place, self.by)


@dataclass(frozen=True, slots=True)
class MarkerCorrected(Change):
    """A marker was put or removed; a rebellion is *against* a power or nobody."""

    place: PlaceId
    marker: Marker
    on: bool
    against: PowerId | None
    because: str

    def apply(self, state: State) -> None:
        place = frozenset({self.place})
        match self.marker:
            case Marker.FAMINE:
                state.famine = state.famine | place if self.on else state.famine - place
            case Marker.SIEGE:
                state.sieges = state.sieges | place if self.on else state.sieges - place
            case Marker.REBELLION | Marker.CITY_REBELLION:
                in_city = self.marker is Marker.CITY_REBELLION
                rebels = state.city_rebellions if in_city else state.province_rebellions
                if self.on:
                    rebels[self.place] = self.against
                else:
                    rebels.pop(self.place, None)


@dataclass(frozen=True, slots=True)
class HomeCorrected(Change):
    """The home country originally *home*'s, *places*, was given to *by* or nobody."""

    home: PowerId
    places: tuple[PlaceId, ...]
    by: PowerId | None
    because: str

    def apply(self, state: State) -> None:
        for place in self.places:
            _set_owner(state.homes, place, self.by)


@dataclass(frozen=True, slots=True)
class LoanCorrected(Change):
    """A debt of one campaign was set; without ducats it is gone."""

    power: PowerId
    due: Campaign
    principal: int
    interest: int
    because: str

    def apply(self, state: State) -> None:
        others = tuple(ln for ln in state.loans if (ln.power, ln.due) != (self.power, self.due))
        loan = Loan(self.power, self.principal, self.interest, self.due)
        state.loans = (*others, loan) if self.principal or self.interest else others


@dataclass(frozen=True, slots=True)
class CreditCorrected(Change):
    """A power's credit was given back or, as after a default, ended (BNK-10)."""

    power: PowerId
    defaulted: bool
    because: str

    def apply(self, state: State) -> None:
        if self.defaulted:
            state.defaulted |= {self.power}
            state.loans = tuple(loan for loan in state.loans if loan.power != self.power)
        else:
            state.defaulted -= {self.power}


@dataclass(frozen=True, slots=True)
class ChitsCorrected(Change):
    """The number of a power's chits on *victim* was set."""

    power: PowerId
    victim: PowerId
    count: int
    because: str

    def apply(self, state: State) -> None:
        others = [victim for victim in state.chits.get(self.power, ()) if victim != self.victim]
        state.chits[self.power] = tuple(sorted([*others, *[self.victim] * self.count]))


@dataclass(frozen=True, slots=True)
class EliminationCorrected(Change):
    """A power was put *out* of the game with all its property (ELI-02), or back, with nothing."""

    power: PowerId
    out: bool
    because: str

    def apply(self, state: State) -> None:
        if not self.out:
            state.eliminated -= {self.power}
            if state.treasuries:
                state.treasuries[self.power] = 0
            return
        PowerEliminated(self.power).apply(state)
        state.dislodged = tuple(each for each in state.dislodged if each.unit.owner != self.power)
        for space in (state.field, state.garrisons):
            for place in [place for place, unit in space.items() if unit.owner == self.power]:
                del space[place]
        for owners in (state.provinces, state.cities, state.homes):
            for place in [place for place, owner in owners.items() if owner == self.power]:
                del owners[place]


CorrectionEvent = (
    TreasuryCorrected
    | UnitCorrected
    | OwnerCorrected
    | MarkerCorrected
    | HomeCorrected
    | LoanCorrected
    | CreditCorrected
    | ChitsCorrected
    | EliminationCorrected
)


def is_correction(events: Sequence[object]) -> bool:
    """Return whether these are the events of a master's correction."""
    return bool(events) and all(isinstance(event, CorrectionEvent) for event in events)


Event = (
    PhaseEvent
    | MovementEvent
    | SiegeEvent
    | RebellionEvent
    | ControlEvent
    | MoneyEvent
    | YearEvent
    | CorrectionEvent
)
