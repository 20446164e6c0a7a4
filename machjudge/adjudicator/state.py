"""The position: everything that a phase starts from, and nothing else.

A state is never changed; ``evolve`` makes the next one from an event.  The mappings are read-only
by agreement: whoever changes one, copies it first.
"""

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter

from machjudge.adjudicator.board import Spot
from machjudge.adjudicator.moments import Campaign, Moment
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.units import Unit, unit_order


@dataclass(frozen=True, slots=True)
class Loan:
    """What a power owes the bank in one campaign (BNK-05): ducats of principal and interest."""

    power: PowerId
    principal: int
    interest: int
    due: Campaign


@dataclass(frozen=True, slots=True)
class Dislodged:
    """A unit driven out, and where it may retreat (MOV-40)."""

    unit: Unit
    retreats: tuple[Spot, ...]
    convert: bool
    """Whether it may become the garrison of its own province (MOV-44)."""


Owners = Mapping[PlaceId, PowerId]
"""Who controls what; an absent place is nobody's."""

Rebellions = Mapping[PlaceId, PowerId | None]
"""Where rebels stand, and against whom; None when that power is gone (REB-37)."""


Sides = tuple[tuple[PowerId, ...], ...]
"""The powers of each player where somebody leads several since the beginning; else empty."""


@dataclass(frozen=True, slots=True)
class State:
    """The position at the start of a phase."""

    moment: Moment
    field: Mapping[PlaceId, Unit] = dataclasses.field(default_factory=dict)
    """Armies and fleets by their province or sea: at most one in each (MOV-04)."""
    garrisons: Mapping[PlaceId, Unit] = dataclasses.field(default_factory=dict)
    """Garrisons by the place of their city: at most one in each (MOV-04)."""
    dislodged: tuple[Dislodged, ...] = ()
    provinces: Owners = dataclasses.field(default_factory=dict)
    cities: Owners = dataclasses.field(default_factory=dict)
    homes: Owners = dataclasses.field(default_factory=dict)
    """To whose home country each province belongs now (HOM-01)."""
    home_holders: Mapping[PowerId, PowerId] = dataclasses.field(default_factory=dict)
    """Who controlled all of whose home country at the end of the last campaign, where it takes two
    to conquer one (HOM-02)."""
    sieges: frozenset[PlaceId] = frozenset()
    """Places whose siege is half done; the besieger is the A/F in the province (SIE-03)."""
    famine: frozenset[PlaceId] = frozenset()
    relieved: frozenset[PlaceId] = frozenset()
    """Provinces for which relief was bought before the famine (FAM-08)."""
    taxed: frozenset[PlaceId] = frozenset()
    """Provinces that pay nothing in the next income: taxed by force or burnt (INC-19, INC-20)."""
    province_rebellions: Rebellions = dataclasses.field(default_factory=dict)
    city_rebellions: Rebellions = dataclasses.field(default_factory=dict)
    treasuries: Mapping[PowerId, int] = dataclasses.field(default_factory=dict)
    """Ducats; empty in games without money."""
    loans: tuple[Loan, ...] = ()
    defaulted: frozenset[PowerId] = frozenset()
    """Powers that may never borrow again (BNK-10)."""
    chits: Mapping[PowerId, tuple[PowerId, ...]] = dataclasses.field(default_factory=dict)
    """The assassination chits that each power holds, by victim, sorted (ASN-01)."""
    excommunicated: Mapping[PowerId, Campaign] = dataclasses.field(default_factory=dict)
    """The powers that were ever excommunicated, and for which campaign (BNK-22)."""
    eliminated: frozenset[PowerId] = frozenset()
    sides: Sides = ()

    def side_of(self, power: PowerId) -> tuple[PowerId, ...]:
        """The powers that win and lose with a power, itself included."""
        return next((side for side in self.sides if power in side), (power,))

    def units(self) -> Iterator[Unit]:
        """All units on the map, dislodged ones excepted, in no particular order."""
        yield from self.field.values()
        yield from self.garrisons.values()

    def units_of(self, power: PowerId) -> list[Unit]:
        """A power's units on the map, sorted."""
        afield = [unit for unit in self.field.values() if unit.owner == power]
        return sorted(
            [*afield, *(unit for unit in self.garrisons.values() if unit.owner == power)],
            key=unit_order,
        )

    def standing_at(self, unit: Unit) -> Unit | None:
        """Whoever stands where *unit* stands: in the city for a garrison, else in the field."""
        return (self.garrisons if unit.is_garrison else self.field).get(unit.place)


@dataclass(frozen=True, slots=True)
class View(State):
    """A position as one reader sees it: what letters are written of, and orders are judged by.

    ``Sight`` alone makes one of a position; only from a view follows another one.
    """

    in_fog: bool = False
    """Whether units may stand where it shows none (FOG-01)."""

    @classmethod
    def of(cls, state: State, *, in_fog: bool = False) -> "View":
        """What *state* shows, which holds only what the reader may see."""
        return cls(*(*_content(state), in_fog))


_content = attrgetter(*(each.name for each in dataclasses.fields(State)))
