"""Armies, fleets and garrisons: kind and quality, what they cost and how strong they are."""

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
"""The three types under names of their own: to look one up in its Enum takes Python 3.11 longer
than all else that one asks of a unit, and the adjudicator asks it of every unit all the time."""


class Quality(Enum):
    """Plain units, the three special kinds (SPC-01 to SPC-04), and cavalry (SPC-11)."""

    PLAIN = ""
    MILITIA = "cm"
    MERCENARY = "em"
    PROFESSIONAL = "ep"
    CAVALRY = "cav"

    def __init__(self, letters: str) -> None:
        self.strength = 2 if letters in ("em", "ep") else 1
        """What the unit counts in movement (SPC-01 to SPC-04, MOV-27)."""

    @property
    def price(self) -> int:
        """Ducats to build it, and ducats a year to maintain it (SPC-01 to SPC-04, SPC-11)."""
        return {"": 3, "cm": 6, "em": 6, "ep": 9, "cav": 6}[self.value]

    @property
    def bribe_factor(self) -> int:
        """By what a bribe's least price is multiplied (SPC-02, SPC-04)."""
        return 2 if self in (Quality.MILITIA, Quality.PROFESSIONAL) else 1


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit where it stands: a garrison in the city of its place, others in the field."""

    owner: PowerId
    kind: Kind
    place: PlaceId
    coast: Coast = NO_COAST
    quality: Quality = Quality.PLAIN
    since: Campaign | None = None
    """The campaign in which it was built; None means with the set-up."""
    number: int = 0
    """Its number among its power's units of its type, where units have numbers (MOV-03); else 0."""

    @property
    def is_garrison(self) -> bool:
        """Whether it stands in a city."""
        return self.kind is GARRISON

    def at(self, place: PlaceId, coast: Coast = NO_COAST) -> "Unit":
        """The same unit in another place."""
        return Unit(self.owner, self.kind, place, coast, self.quality, self.since, self.number)

    def converted(self, kind: Kind, coast: Coast = NO_COAST) -> "Unit":
        """The same unit after a conversion, still without a number; the quality stays (SPC-05)."""
        return Unit(self.owner, kind, self.place, coast, self.quality, self.since)

    def owned_by(self, owner: PowerId) -> "Unit":
        """The same unit in other hands, still without a number of theirs."""
        return Unit(owner, self.kind, self.place, self.coast, self.quality, self.since)

    def made_plain(self) -> "Unit":
        """The same unit with nothing special about it."""
        plain = Quality.PLAIN
        return Unit(self.owner, self.kind, self.place, self.coast, plain, self.since, self.number)

    def numbered(self, number: int) -> "Unit":
        """The same unit with a number."""
        here = self.owner, self.kind, self.place
        return Unit(*here, self.coast, self.quality, self.since, number)


def unit_order(unit: Unit) -> tuple[str, str, str, str]:
    """A key that sorts units by owner, kind and place, in any list a reader sees."""
    return (unit.owner, unit.kind.letter, unit.place, unit.coast)
