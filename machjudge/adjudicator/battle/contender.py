"""A unit in a battle: what it tries, and who has to do with it.  No equations here."""

from dataclasses import dataclass

from machjudge.adjudicator.model.names import PlaceId
from machjudge.adjudicator.model.units import Unit

NOBODY = -1


@dataclass(slots=True)
class Contender:
    """One unit in the campaign: what it tries, and who has to do with it.

    Contenders know each other by their number in the battle; -1 is nobody.
    """

    unit: Unit
    number: int
    force: int
    """What the unit itself counts (MOV-27)."""
    stands_in: PlaceId | None
    """The province or sea that it stands in; None for a garrison, which stands in a city."""
    goal: PlaceId | None = None
    """The province or sea that it tries to enter."""
    leaves: bool = False
    """Whether it tries to leave where it stands, for another place or for the city."""
    supports: PlaceId | None = None
    """The place that it gives support into, where its support is valid."""
    backers: tuple[int, ...] = ()
    """Whose support would count for what it does."""
    held_by: tuple[int, ...] = ()
    """Whose support to hold would count if a strait stops it (MAP-35)."""
    held_anyway: bool = False
    """Whether that support counts whatever keeps it where it stands."""
    yields: bool = False
    """Whether attacks that do not cut its support take a point off it (MOV-28)."""
    bars: tuple[int, ...] = ()
    """Units of its own power on whose account it cannot enter its goal (MOV-16, MOV-17)."""
    by_sea: bool = False
    """Whether it goes by convoy."""
    facing: int = NOBODY
    """The unit that tries to change places with it over land or coast (MOV-18)."""
    follows: bool = True
    """Whether it may enter its goal as another unit leaves that (CNV-16)."""
    leg: frozenset[PlaceId] | None = None
    """The border in a strait that its move or support crosses (MAP-35)."""
    rebels_help: bool = False
    """Whether rebels would support it on its way (REB-11, REB-15)."""


def is_aimed_at(supporter: Contender, attacker: Contender) -> bool:
    """Whether a support goes into the very place that the attack on it comes from (MOV-14)."""
    return attacker.stands_in is not None and attacker.stands_in == supporter.supports
