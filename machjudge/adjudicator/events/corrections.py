"""What a master corrects in a position, each with the reason that he gives."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.units import Unit


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


CorrectionEvent = TreasuryCorrected | UnitCorrected | OwnerCorrected | MarkerCorrected


def is_correction(events: Sequence[object]) -> bool:
    """Whether these are the events of a master's correction, which nobody played."""
    return bool(events) and all(isinstance(event, CorrectionEvent) for event in events)
