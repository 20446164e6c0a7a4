"""The position: everything that a phase starts from, and nothing else.

Only ``evolve`` changes a state: it copies it, and has events change the copy.
"""

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

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


Owners = dict[PlaceId, PowerId]
"""Who controls what; an absent place is nobody's."""

Rebellions = dict[PlaceId, PowerId | None]
"""Where rebels stand, and against whom; None when that power is gone (REB-37)."""


Sides = tuple[tuple[PowerId, ...], ...]
"""The powers of each player where somebody leads several since the beginning; else empty."""


@dataclass(slots=True)
class State:
    """The position at the start of a phase, or within it."""

    moment: Moment
    field: dict[PlaceId, Unit] = dataclasses.field(default_factory=dict)
    """Armies and fleets by their province or sea: at most one in each (MOV-04)."""
    garrisons: dict[PlaceId, Unit] = dataclasses.field(default_factory=dict)
    """Garrisons by the place of their city: at most one in each (MOV-04)."""
    dislodged: tuple[Dislodged, ...] = ()
    provinces: Owners = dataclasses.field(default_factory=dict)
    cities: Owners = dataclasses.field(default_factory=dict)
    homes: Owners = dataclasses.field(default_factory=dict)
    """To whose home country each province belongs now (HOM-01)."""
    home_holders: dict[PowerId, PowerId] = dataclasses.field(default_factory=dict)
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
    treasuries: dict[PowerId, int] = dataclasses.field(default_factory=dict)
    """Ducats; empty in games without money."""
    loans: tuple[Loan, ...] = ()
    defaulted: frozenset[PowerId] = frozenset()
    """Powers that may never borrow again (BNK-10)."""
    chits: dict[PowerId, tuple[PowerId, ...]] = dataclasses.field(default_factory=dict)
    """The assassination chits that each power holds, by victim, sorted (ASN-01)."""
    excommunicated: dict[PowerId, Campaign] = dataclasses.field(default_factory=dict)
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

    def units_at(self, place: PlaceId) -> list[Unit]:
        """The units in a province and its city."""
        there = (self.field.get(place), self.garrisons.get(place))
        return [unit for unit in there if unit is not None]

    def has_rebels(self, place: PlaceId) -> bool:
        """Whether rebels stand in a province or its city."""
        return place in self.province_rebellions or place in self.city_rebellions

    def standing_at(self, unit: Unit) -> Unit | None:
        """Whoever stands where *unit* stands: in the city for a garrison, else in the field."""
        return self._space_of(unit).get(unit.place)

    def copy(self) -> "State":
        """The same position, whose mappings are its own."""
        parts: Any = (dict(each) if isinstance(each, dict) else each for each in _content(self))
        return State(*parts)

    def place(self, unit: Unit) -> None:
        """Put a unit where it stands, in place of another one."""
        self._space_of(unit)[unit.place] = unit

    def take_off(self, unit: Unit) -> None:
        """Take off the map what stands where *unit* stands."""
        del self._space_of(unit)[unit.place]

    def move_ducats(self, power: PowerId, ducats: int) -> None:
        """Into a treasury, or out of it; one is empty where money came into the game later."""
        self.treasuries[power] = self.treasuries.get(power, 0) + ducats

    def _space_of(self, unit: Unit) -> dict[PlaceId, Unit]:
        return self.garrisons if unit.is_garrison else self.field


@dataclass(slots=True)
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
