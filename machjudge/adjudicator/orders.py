"""Orders of players: one frozen value for each kind.

An order names its unit by type and place (MOV-03); the type may be left out. Ducats are whole.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from machjudge.adjudicator.names import NO_COAST, Coast, PlaceId, PowerId
from machjudge.adjudicator.units import Kind, Quality, Unit


@dataclass(frozen=True, slots=True)
class Named:
    """A unit as an order names it."""

    kind: Kind | None
    """None without a type: their A/F there, else their garrison, else any unit."""
    place: PlaceId
    coast: Coast = NO_COAST
    owner: PowerId | None = None
    """The owner, as in ``S Papal A rme``; it matters only in support of places (MOV-13)."""

    @classmethod
    def of(cls, unit: Unit) -> "Named":
        """Return a unit as its owner's order names it."""
        return cls(unit.kind, unit.place, unit.coast)


@dataclass(frozen=True, slots=True)
class Hold:
    """Stay; puts down a rebellion in the province (REB-25)."""

    unit: Named


@dataclass(frozen=True, slots=True)
class Advance:
    """Move to a place, by the seas and coasts of *via* in that order when convoyed (MOV-09).

    In the retreat phase the same order is a retreat (MOV-47).
    """

    unit: Named
    to: PlaceId
    coast: Coast = NO_COAST
    via: tuple[PlaceId, ...] = ()
    by_sea: bool = False
    """``via convoy`` without a route."""


@dataclass(frozen=True, slots=True)
class Support:
    """Support a unit to hold, or, with *to*, its move there (MOV-13).

    Support of a garrison's conversion has its own place as ``to`` (CNV-15).
    """

    unit: Named
    supported: Named
    to: PlaceId | None = None
    coast: Coast = NO_COAST


@dataclass(frozen=True, slots=True)
class Transport:
    """Convoy an army from its place to *to* (MOV-09).

    Without *to*, in the notation of 1978, to wherever it is ordered.
    """

    unit: Named
    army: Named
    to: PlaceId | None


@dataclass(frozen=True, slots=True)
class Convert:
    """Convert between garrison and army or fleet (CNV-01); as a retreat, into the city (SYN-08)."""

    unit: Named
    into: Kind
    coast: Coast = NO_COAST


@dataclass(frozen=True, slots=True)
class Besiege:
    """Besiege the city of the own province (SIE-01)."""

    unit: Named


@dataclass(frozen=True, slots=True)
class LiftSiege:
    """End the siege that the unit conducts (SIE-08)."""

    unit: Named


@dataclass(frozen=True, slots=True)
class Disband:
    """Leave the map: in a campaign where the rules allow it (MOV-31), in retreats always."""

    unit: Named


@dataclass(frozen=True, slots=True)
class StrategicMove:
    """March through all places of *route* after the conflicts, to the last one (MOV-34)."""

    unit: Named
    route: tuple[PlaceId, ...]
    coast: Coast = NO_COAST


@dataclass(frozen=True, slots=True)
class Ally:
    """Let a power's fleets through one's own straits this campaign, or no longer (MAP-11)."""

    power: PowerId
    allowed: bool = True


@dataclass(frozen=True, slots=True)
class Permit:
    """Let a power bribe what is near one's own units in this campaign, or no longer (EXP-29)."""

    power: PowerId
    allowed: bool = True


@dataclass(frozen=True, slots=True)
class Excommunicate:
    """Cut a power off from the others in the next campaign, or no longer (BNK-22)."""

    power: PowerId
    banned: bool = True


@dataclass(frozen=True, slots=True)
class Cede:
    """Leave a province with its city to another power; to nobody withdraws the order (CTL-17)."""

    place: PlaceId
    to: PowerId | None


@dataclass(frozen=True, slots=True)
class Burn:
    """Lay one's own province waste, or no longer: it pays nobody in the next income (INC-20)."""

    place: PlaceId
    burnt: bool = True


@dataclass(frozen=True, slots=True)
class Borrow:
    """Borrow from the bank for one or two years; 0 ducats withdraw the order (BNK-04)."""

    ducats: int
    years: int


@dataclass(frozen=True, slots=True)
class Pay:
    """Pay the bank (*to* is none) or a power; 0 ducats withdraw the order (BNK-05, SYN-10)."""

    ducats: int
    to: PowerId | None
    agreement: int = 0
    """The number of the agreement that it is a part of; such gifts stand beside others."""


class Purpose(Enum):
    """The purpose of an expense, by the letter of the price list (EXP-37)."""

    FAMINE_RELIEF = "a"
    PACIFY = "b"
    COUNTER_BRIBE = "c"
    DISBAND = "d/g/h"
    """Letters d, g and h: owner and kind of the unit decide."""
    BUY = "e/i"
    TO_AUTONOMOUS = "f"
    CAUSE_REBELLION = "j/k"
    ASSASSINATE = "l"

    # That of all enumerations is made in Python each time.
    __hash__ = object.__hash__


@dataclass(frozen=True, slots=True)
class Expense:
    """An expenditure, numbered 1 to 4; without *purpose* it deletes that number (EXP-01, EXP-03).

    *ducats* is None for the price of the list. The target is a unit, place or power by purpose.
    """

    number: int
    purpose: Purpose | None
    ducats: int | None = None
    unit: Named | None = None
    place: PlaceId | None = None
    power: PowerId | None = None
    faces: tuple[int, ...] = ()
    """The assassin's numbers of the die, if named (ASN-03)."""


@dataclass(frozen=True, slots=True)
class Build:
    """Raise a new unit in the adjustment (ADJ-03)."""

    kind: Kind
    place: PlaceId
    coast: Coast = NO_COAST
    quality: Quality = Quality.PLAIN


@dataclass(frozen=True, slots=True)
class Maintain:
    """Pay a unit's upkeep for the year (ADJ-02)."""

    unit: Named


@dataclass(frozen=True, slots=True)
class Remove:
    """Take a unit off the map in the adjustment (ADJ-02)."""

    unit: Named


@dataclass(frozen=True, slots=True)
class Waive:
    """Leave a build unused, in games without money (ADJ-15)."""


@dataclass(frozen=True, slots=True)
class Tax:
    """Tax a province by force in the adjustment (INC-19)."""

    place: PlaceId


@dataclass(frozen=True, slots=True)
class GiveChit:
    """Hand the assassination chit of one power to another: at once and for good (ASN-02)."""

    of: PowerId
    to: PowerId


UnitOrder = (
    Hold | Advance | Support | Transport | Convert | Besiege | LiftSiege | Disband | StrategicMove
)
MoneyOrder = Borrow | Pay | Expense
PowerOrder = Ally | Permit | Excommunicate | Cede | Burn
CampaignOrder = UnitOrder | PowerOrder | MoneyOrder
AdjustmentOrder = Build | Maintain | Remove | Waive | Tax
Order = CampaignOrder | AdjustmentOrder | GiveChit


class Verb(Enum):
    """The action of many units."""

    HOLD = "hold"
    MAINTAIN = "maintain"


@dataclass(frozen=True, slots=True)
class BulkOrder:
    """An order for many units at once."""

    verb: Verb
    rest: bool
    """True if units with an order keep it."""
    excepted: tuple[Named, ...] = ()
    kind: Kind | None = None
    """The type of the units; None for all."""


Orders = Mapping[PowerId, tuple[Order, ...]]
"""Each power's orders as written; ``legality`` replaces earlier ones."""
