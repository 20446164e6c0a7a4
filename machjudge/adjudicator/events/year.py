"""What happens at the year's end: disasters, income, adjustments."""

from dataclasses import dataclass
from typing import Literal

from machjudge.adjudicator.model.names import Coast, PlaceId, PowerId
from machjudge.adjudicator.model.orders import Order
from machjudge.adjudicator.model.reasons import Objection
from machjudge.adjudicator.model.units import Unit


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
class DrivenAshore:
    """A storm drove a fleet from its sea to a coast (STM-02)."""

    unit: Unit
    to: PlaceId
    coast: Coast


@dataclass(frozen=True, slots=True)
class FamineForestalled:
    """Relief was bought for a province before famine came (FAM-08)."""

    place: PlaceId


@dataclass(frozen=True, slots=True)
class ReliefUsed:
    """The relief bought before was there when famine was thrown for, needed or not (FAM-08)."""

    place: PlaceId
    needed: bool


@dataclass(frozen=True, slots=True)
class FamineBegan:
    """Famine came over a province (FAM-02)."""

    place: PlaceId


@dataclass(frozen=True, slots=True)
class FamineEnded:
    """Relief or the end of Spring took the famine from a province (FAM-08, FAM-09)."""

    place: PlaceId
    relieved: bool


@dataclass(frozen=True, slots=True)
class RollPaid:
    """What one variable income brought (INC-10).  Tells only: it is part of ``IncomePaid``."""

    power: PowerId
    line: str
    dice: tuple[int, ...]
    """The dice; of a game without dice the fixed ones (INC-14)."""
    ducats: int
    fixed: bool


@dataclass(frozen=True, slots=True)
class IncomePaid:
    """A power's income of the year, by source (INC-01)."""

    power: PowerId
    seas: int
    provinces: int
    cities: int
    variable: int


@dataclass(frozen=True, slots=True)
class TaxesForced:
    """A province and its city paid their fixed income once more, by force (INC-19)."""

    power: PowerId
    place: PlaceId
    ducats: int
    exhausts: bool
    """Whether they pay nothing in the next income."""


@dataclass(frozen=True, slots=True)
class ProvinceBurnt:
    """A power laid its own province waste, which pays nothing in the next income (INC-20)."""

    place: PlaceId
    power: PowerId


@dataclass(frozen=True, slots=True)
class ProvinceRecovered:
    """An income passed over a province that had been taxed by force or burnt (INC-19, INC-20)."""

    place: PlaceId


@dataclass(frozen=True, slots=True)
class Maintained:
    """A unit's upkeep for the year was paid (ADJ-01)."""

    unit: Unit
    ducats: int


@dataclass(frozen=True, slots=True)
class UnitBuilt:
    """A new unit was raised and paid for (ADJ-03)."""

    unit: Unit
    ducats: int


@dataclass(frozen=True, slots=True)
class AdjustmentFailed:
    """A build, removal or upkeep could not be carried out."""

    power: PowerId
    order: Order
    because: Objection
    lost: int = 0
    """Ducats spent on it all the same (SPC-06)."""


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
