"""What a master corrects in a position, each with the reason that they give."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from machjudge.adjudicator.model.moments import Campaign
from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.units import Unit


class Marker(Enum):
    """What may lie in a place beside units."""

    FAMINE = "famine"
    SIEGE = "siege"
    REBELLION = "rebellion"
    CITY_REBELLION = "city rebellion"


@dataclass(frozen=True, slots=True)
class TreasuryCorrected:
    """A power has so many *ducats* now."""

    power: PowerId
    ducats: int
    because: str


@dataclass(frozen=True, slots=True)
class UnitCorrected:
    """In the field of a place, or in its city, stands this unit now, or none."""

    place: PlaceId
    in_city: bool
    unit: Unit | None
    because: str


@dataclass(frozen=True, slots=True)
class OwnerCorrected:
    """A province, or a city, is *by*'s now, or nobody's."""

    place: PlaceId
    in_city: bool
    by: PowerId | None
    because: str


@dataclass(frozen=True, slots=True)
class MarkerCorrected:
    """A marker lies in a place now, or no longer; a rebellion is *against* a power or nobody."""

    place: PlaceId
    marker: Marker
    on: bool
    against: PowerId | None
    because: str


@dataclass(frozen=True, slots=True)
class HomeCorrected:
    """The home country that was *home*'s at the start, *places*, is *by*'s now, or nobody's."""

    home: PowerId
    places: tuple[PlaceId, ...]
    by: PowerId | None
    because: str


@dataclass(frozen=True, slots=True)
class LoanCorrected:
    """So many ducats a power owes the bank in one campaign; none at all: nothing is due then."""

    power: PowerId
    due: Campaign
    principal: int
    interest: int
    because: str


@dataclass(frozen=True, slots=True)
class CreditCorrected:
    """The bank lends to a power again, or nothing more, as after a default (BNK-10)."""

    power: PowerId
    defaulted: bool
    because: str


@dataclass(frozen=True, slots=True)
class ChitsCorrected:
    """A power holds so many assassination chits on *victim* now."""

    power: PowerId
    victim: PowerId
    count: int
    because: str


@dataclass(frozen=True, slots=True)
class EliminationCorrected:
    """A power is *out* of the game and all that it had goes (ELI-02), or it is in it again.

    In it again, it has an empty treasury and nothing else.
    """

    power: PowerId
    out: bool
    because: str


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
    """Whether these are the events of a master's correction, which nobody played."""
    return bool(events) and all(isinstance(event, CorrectionEvent) for event in events)
