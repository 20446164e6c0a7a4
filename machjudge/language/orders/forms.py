"""The parts of an order before its words are known: which word names the unit, which the place.

A form is made once for a shape of order; :class:`Meanings` brings the words of one line.
"""

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from machjudge.adjudicator.model.names import AUTONOMOUS, NO_COAST, Coast, PlaceId, PowerId
from machjudge.adjudicator.model.orders import Named, Order
from machjudge.adjudicator.model.units import Kind
from machjudge.language.vocabulary.said import Fault
from machjudge.sentence import Sentence, Wording

Index: TypeAlias = int
"""The number of a word within its order, counted from 0."""


class Meanings(NamedTuple):
    """What the words of one order mean: places and powers by the number of their word."""

    words: Sequence[str]
    places: Mapping[Index, PlaceId]
    powers: Mapping[Index, PowerId]
    off_venice: Container[tuple[PlaceId, PlaceId]]
    """Each sea with the city that may be besieged from it, where the rules allow it (SIE-02)."""


@dataclass(frozen=True, slots=True)
class OrderTrouble:
    """A complete order that cannot be meant so, and the word that makes it impossible."""

    index: Index
    fault: Fault
    reason: Sentence
    expected: tuple[Wording, ...] = ()


Outcome: TypeAlias = Order | OrderTrouble


@dataclass(frozen=True, slots=True)
class Slots:
    """The words of an order that name something, by what they name."""

    places: tuple[Index, ...] = ()
    powers: tuple[Index, ...] = ()
    either: tuple[Index, ...] = ()
    """Words that are a power or a place, as their meaning decides."""

    def __add__(self, other: "Slots") -> "Slots":
        return Slots(
            self.places + other.places, self.powers + other.powers, self.either + other.either
        )


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to make the orders of one shape from the words of a line."""

    slots: Slots
    make: Callable[[Meanings], tuple[Outcome, ...]]


def one_order(slots: Slots, make: Callable[[Meanings], Outcome]) -> Recipe:
    """The recipe of a single order."""
    return Recipe(slots, lambda by: (make(by),))


@dataclass(frozen=True, slots=True)
class PlaceForm:
    """A word that names a place."""

    index: Index

    def meant(self, by: Meanings) -> PlaceId:
        """The place."""
        return by.places[self.index]

    @property
    def slots(self) -> Slots:
        """The one word."""
        return Slots(places=(self.index,))


@dataclass(frozen=True, slots=True)
class PowerForm:
    """A word that names a power; without a word, nobody (the autonomous garrisons)."""

    index: Index | None

    def meant(self, by: Meanings) -> PowerId:
        """The power."""
        return AUTONOMOUS if self.index is None else by.powers[self.index]

    @property
    def slots(self) -> Slots:
        """The one word, if there is one."""
        return Slots() if self.index is None else Slots(powers=(self.index,))


@dataclass(frozen=True, slots=True)
class SpotForm:
    """A place, with the coast if one was named."""

    place: PlaceForm
    coast: Coast = NO_COAST

    @property
    def slots(self) -> Slots:
        """The place."""
        return self.place.slots


@dataclass(frozen=True, slots=True)
class UnitForm:
    """A unit as it was named."""

    kind: Kind | None
    spot: SpotForm
    owner: PowerForm | None = None

    def named(self, by: Meanings) -> Named:
        """The unit with its place."""
        owner = self.owner.meant(by) if self.owner else None
        return Named(self.kind, by.places[self.spot.place.index], self.spot.coast, owner)

    @property
    def slots(self) -> Slots:
        """The place and the power, if one was named."""
        return self.spot.slots + (self.owner.slots if self.owner else Slots())


@dataclass(frozen=True, slots=True)
class RouteForm:
    """The places behind a unit that moves: seas, and at last where it goes."""

    spots: tuple[SpotForm, ...]

    @property
    def slots(self) -> Slots:
        """All its places."""
        return sum((spot.slots for spot in self.spots), Slots())

    @property
    def last(self) -> SpotForm:
        """Where it goes."""
        return self.spots[-1]

    def seas(self, by: Meanings) -> tuple[PlaceId, ...]:
        """What lies between."""
        return tuple(spot.place.meant(by) for spot in self.spots[:-1])


@dataclass(frozen=True, slots=True)
class IntoForm:
    """What a unit converts into."""

    kind: Kind
    coast: Coast = NO_COAST


@dataclass(frozen=True, slots=True)
class NumberForm:
    """A number, or several to be added up, as they stand."""

    indexes: tuple[Index, ...]
    impossible: Sentence | None = None
    """Why the amount is refused whatever it is: negative, or only an addition."""
