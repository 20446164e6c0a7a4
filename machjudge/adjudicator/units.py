"""Armies, fleets and garrisons: kind, quality, cost and strength."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from machjudge.adjudicator.moments import Campaign
from machjudge.adjudicator.names import NO_COAST, Coast, PlaceId, PowerId


class Kind(Enum):
    """The three types of unit (MOV-03)."""

    ARMY = "A"
    FLEET = "F"
    GARRISON = "G"

    # That of all enumerations is made in Python each time.
    __hash__ = object.__hash__

    def __init__(self, letter: str) -> None:
        self.letter = letter


ARMY: Final = Kind.ARMY
FLEET: Final = Kind.FLEET
GARRISON: Final = Kind.GARRISON
"""Plain constants, since an Enum look-up in Python 3.11 is slow and frequent here."""


class Quality(Enum):
    """Plain units, the three special kinds (SPC-01 to SPC-04), and cavalry (SPC-11)."""

    PLAIN = ""
    MILITIA = "cm"
    MERCENARY = "em"
    PROFESSIONAL = "ep"
    CAVALRY = "cav"

    __hash__ = object.__hash__

    def __init__(self, letters: str) -> None:
        self.strength = 2 if letters in ("em", "ep") else 1
        """The strength in movement (SPC-01 to SPC-04, MOV-27)."""

    @property
    def price(self) -> int:
        """Return the ducats to build it, and to maintain it a year (SPC-01 to SPC-04, SPC-11)."""
        return {"": 3, "cm": 6, "em": 6, "ep": 9, "cav": 6}[self.value]

    @property
    def bribe_factor(self) -> int:
        """Return the factor of a bribe's least price (SPC-02, SPC-04)."""
        return 2 if self in (Quality.MILITIA, Quality.PROFESSIONAL) else 1


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit in its place: a garrison in the city, others in the field."""

    owner: PowerId
    kind: Kind
    place: PlaceId
    coast: Coast = NO_COAST
    quality: Quality = Quality.PLAIN
    since: Campaign | None = None
    """The campaign of its building; None for the set-up."""
    number: int = 0
    """Its number among its power's units of the type, if numbered (MOV-03); else 0."""

    @property
    def is_garrison(self) -> bool:
        """Return whether it is in a city."""
        return self.kind is GARRISON

    def at(self, place: PlaceId, coast: Coast = NO_COAST) -> "Unit":
        """Return the unit in another place."""
        return Unit(self.owner, self.kind, place, coast, self.quality, self.since, self.number)

    def converted(self, kind: Kind, coast: Coast = NO_COAST) -> "Unit":
        """Return the unit after a conversion, without a number; the quality stays (SPC-05)."""
        return Unit(self.owner, kind, self.place, coast, self.quality, self.since)

    def owned_by(self, owner: PowerId) -> "Unit":
        """Return the unit with another owner, without a number."""
        return Unit(owner, self.kind, self.place, self.coast, self.quality, self.since)

    def made_plain(self) -> "Unit":
        """Return the unit as a plain one."""
        plain = Quality.PLAIN
        return Unit(self.owner, self.kind, self.place, self.coast, plain, self.since, self.number)

    def numbered(self, number: int) -> "Unit":
        """Return the unit with a number."""
        here = self.owner, self.kind, self.place
        return Unit(*here, self.coast, self.quality, self.since, number)


def unit_order(unit: Unit) -> tuple[str, str, str, str]:
    """Return a key that sorts units by owner, kind and place."""
    return (unit.owner, unit.kind.letter, unit.place, unit.coast)
