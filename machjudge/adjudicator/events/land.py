"""What happens to sieges, rebellions and the control of land."""

from dataclasses import dataclass

from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.reasons import RebellionEnd, SiegeEnd
from machjudge.adjudicator.model.units import Unit


@dataclass(frozen=True, slots=True)
class _OfBesieger:
    """What a besieger did."""

    unit: Unit
    city: PlaceId | None = None
    """The besieged city, where it is not in the unit's own place (SIE-02)."""

    @property
    def besieged(self) -> PlaceId:
        """The besieged city."""
        return self.unit.place if self.city is None else self.city


@dataclass(frozen=True, slots=True)
class SiegeBegun(_OfBesieger):
    """The first half of a siege is done (SIE-01)."""


@dataclass(frozen=True, slots=True)
class SiegeKept(_OfBesieger):
    """The siege stays half done (SIE-07).  Tells only."""


@dataclass(frozen=True, slots=True)
class SiegeCompleted(_OfBesieger):
    """The city fell to the besieger (SIE-05, SIE-13)."""


@dataclass(frozen=True, slots=True)
class SiegeEnded:
    """A siege ended without its last order (SIE-08 to SIE-10)."""

    city: PlaceId
    because: SiegeEnd


@dataclass(frozen=True, slots=True)
class RebellionStarted:
    """Rebels rose in a province, and in its city where *in_city* says so (REB-03)."""

    place: PlaceId
    against: PowerId | None
    in_province: bool
    in_city: bool


@dataclass(frozen=True, slots=True)
class RebellionEnded:
    """Rebels left the province, the city, or both (REB-25 to REB-33)."""

    place: PlaceId
    in_province: bool
    in_city: bool
    because: RebellionEnd
    by: PowerId | None


@dataclass(frozen=True, slots=True)
class ProvinceTaken:
    """Control of a province changed; *by* is none where nobody has it now (CTL-03)."""

    place: PlaceId
    by: PowerId | None
    before: PowerId | None


@dataclass(frozen=True, slots=True)
class CityTaken:
    """Control of a city changed; *by* is none where nobody has it now (CTL-03)."""

    place: PlaceId
    by: PowerId | None
    before: PowerId | None


@dataclass(frozen=True, slots=True)
class HomeConquered:
    """A power took another's home country as a whole (HOM-02); *by* none: it is nobody's now."""

    home: PowerId
    """The power whose original home country it is."""
    places: tuple[PlaceId, ...]
    by: PowerId | None
    before: PowerId | None


@dataclass(frozen=True, slots=True)
class HomeHeld:
    """A power controls all of another's home country for the first campaign (HOM-02).

    *by* none: nobody does any more.
    """

    home: PowerId
    by: PowerId | None


@dataclass(frozen=True, slots=True)
class PowerEliminated:
    """A power controls no city of any home country of its own (ELI-01)."""

    power: PowerId


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

    It ends at *limit* and below, and the leaders win: whoever has most cities, more than ten.
    """

    leaders: tuple[PowerId, ...]
    cities: int
    die: int
    limit: int

    @property
    def is_end(self) -> bool:
        """Whether the game is over."""
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
