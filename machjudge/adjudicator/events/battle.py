"""What happens to units in a campaign and on their retreats."""

from dataclasses import dataclass
from typing import Literal

from machjudge.adjudicator.model.board import Spot
from machjudge.adjudicator.model.names import NO_COAST, Coast, PlaceId, PowerId
from machjudge.adjudicator.model.reasons import (
    Failure,
    HeldInstead,
    NotMatched,
    Removal,
    SupportFailure,
)
from machjudge.adjudicator.model.units import Kind, Unit


@dataclass(frozen=True, slots=True)
class Held:
    """A unit stayed, as ordered, or instead of its order, or without one.  Tells only."""

    unit: Unit
    because: HeldInstead | None = None


@dataclass(frozen=True, slots=True)
class Advanced:
    """A unit moved to another place."""

    unit: Unit
    to: PlaceId
    coast: Coast
    strength: int
    left_empty: bool
    """Whether nobody enters the place that it left."""
    via: tuple[PlaceId, ...] = ()


@dataclass(frozen=True, slots=True)
class Marched:
    """A unit moved strategically, as far as it got; *to* may be where it was (MOV-34)."""

    unit: Unit
    to: PlaceId
    coast: Coast
    ordered: PlaceId
    left_empty: bool
    """Whether nobody ends in the place that it left."""


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
class Converted:
    """A unit changed between the city and its province."""

    unit: Unit
    into: Kind
    coast: Coast
    strength: int
    left_empty: bool
    """Whether nobody takes the space that it left."""


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
class UnitDislodged:
    """A unit was driven out; it waits beside the map for its retreat (MOV-40)."""

    unit: Unit
    by: Unit
    """The unit that drove it out, where it stood before the campaign."""
    strength: int
    rival: int
    """The strength with which the unit resisted."""
    retreats: tuple[Spot, ...]
    convert: bool


@dataclass(frozen=True, slots=True)
class UnitRemoved:
    """A unit left the map for good, from its place or from among the dislodged."""

    unit: Unit
    because: Removal


@dataclass(frozen=True, slots=True)
class UnitChangedOwner:
    """A unit passed into other hands (EXP-09, EXP-10, EXP-13)."""

    unit: Unit
    to: PowerId


@dataclass(frozen=True, slots=True)
class UnitMadePlain:
    """A special unit became a plain one in other hands (SPC-06, EXP-33)."""

    unit: Unit


@dataclass(frozen=True, slots=True)
class UnitNumbered:
    """A unit got its number (MOV-03)."""

    unit: Unit
    """The unit as it stood until then, without a number."""
    number: int


@dataclass(frozen=True, slots=True)
class Retreated:
    """A dislodged unit went to another place, or into the city where *into_city* says so.

    *instead_of* is the place where its owner ordered it, if another retreat had taken that before.
    """

    unit: Unit
    to: PlaceId
    coast: Coast
    into_city: bool = False
    instead_of: PlaceId | None = None


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
