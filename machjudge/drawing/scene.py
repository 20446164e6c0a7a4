"""What a picture shows: a position, and what units did or shall do.

Whoever makes a scene for a reader makes it of what their `Sight` gives; nothing is hidden here.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from machjudge.adjudicator.model.names import NO_COAST, Coast, PlaceId, PowerId
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.units import Kind, Unit


class Completion(Enum):
    """What became of an act."""

    PLANNED = "planned"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Move:
    """A unit on its way to another place."""

    unit: Unit
    to: PlaceId
    fate: Completion
    coast: Coast = NO_COAST
    via: tuple[PlaceId, ...] = ()
    """The places in between, of a convoy or a march."""
    retreats: bool = False


@dataclass(frozen=True, slots=True)
class Backing:
    """A unit that supports another: to hold, or on its way *to* a place."""

    unit: Unit
    supported: PlaceId
    fate: Completion
    to: PlaceId | None = None


@dataclass(frozen=True, slots=True)
class Convoy:
    """A fleet that carries an army; without *to* to wherever that is ordered."""

    unit: Unit
    army: PlaceId
    fate: Completion
    to: PlaceId | None = None


@dataclass(frozen=True, slots=True)
class Conversion:
    """A unit that changes between a city and its province."""

    unit: Unit
    into: Kind
    fate: Completion
    coast: Coast = NO_COAST


@dataclass(frozen=True, slots=True)
class Siege:
    """A siege of a city: planned, or done when the city fell; what is half done is a position."""

    city: PlaceId
    fate: Completion


@dataclass(frozen=True, slots=True)
class Deal:
    """Ducats at work in a place: a unit bought, a bribe that is planned."""

    place: PlaceId
    ducats: int | None
    """None where the reader is not told how many."""
    power: PowerId


@dataclass(frozen=True, slots=True)
class Loss:
    """A unit that left the map."""

    unit: Unit


@dataclass(frozen=True, slots=True)
class NewUnit:
    """A unit that is new on the map."""

    unit: Unit
    fate: Completion


Act = Move | Backing | Convoy | Conversion | Siege | Deal | Loss | NewUnit


@dataclass(frozen=True, slots=True)
class Scene:
    """A position with the acts that led to it, or that are planned in it."""

    state: State
    acts: tuple[Act, ...] = ()

    def moves(self) -> Iterator[Move]:
        """All moves."""
        return (act for act in self.acts if isinstance(act, Move))


def places_of(scene: Scene, powers: Iterable[PowerId]) -> tuple[PlaceId, ...]:
    """The places where powers have something, or where their units come from or go to; sorted."""
    own = frozenset(powers)
    state = scene.state
    found = {place for place, owner in state.provinces.items() if owner in own}
    found |= {place for place, owner in state.cities.items() if owner in own}
    found |= {unit.place for unit in state.units() if unit.owner in own}
    found |= {lost.unit.place for lost in state.dislodged if lost.unit.owner in own}
    for act in scene.acts:
        if isinstance(act, Deal):
            found |= {act.place} if act.power in own else set()
        elif not isinstance(act, Siege) and act.unit.owner in own:
            found |= {act.unit.place, *_ends(act)}
    return tuple(sorted(found))


def _ends(act: Act) -> tuple[PlaceId, ...]:
    return (act.to,) if isinstance(act, Move) else ()
