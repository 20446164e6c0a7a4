"""The position: the start of a phase.

Only ``evolve`` changes a state: it copies it, and has events change the copy.
"""

import dataclasses
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from machjudge.adjudicator.board import Spot
from machjudge.adjudicator.moments import Campaign, Moment
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.units import Unit, unit_order


@dataclass(frozen=True, slots=True)
class Loan:
    """A power's debt to the bank in one campaign (BNK-05): ducats of principal and interest."""

    power: PowerId
    principal: int
    interest: int
    due: Campaign


@dataclass(frozen=True, slots=True)
class Dislodged:
    """A dislodged unit and its retreats (MOV-40)."""

    unit: Unit
    retreats: tuple[Spot, ...]
    convert: bool
    """True if it may become its province's garrison (MOV-44)."""


Owners = dict[PlaceId, PowerId]
"""The controllers; an absent place is nobody's."""

Rebellions = dict[PlaceId, PowerId | None]
"""Rebels and their targets; None for a power that is gone (REB-37)."""


Sides = tuple[tuple[PowerId, ...], ...]
"""Each player's powers, if some lead several from the beginning; else empty."""


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
    """The home country of each province now (HOM-01)."""
    home_holders: dict[PowerId, PowerId] = dataclasses.field(default_factory=dict)
    """The power in control of each home country, where conquest takes two campaigns (HOM-02)."""
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
        """Return the powers of one player, itself included."""
        return next((side for side in self.sides if power in side), (power,))

    def units(self) -> list[Unit]:
        """Return all units on the map, without dislodged ones, unordered."""
        return [*self.field.values(), *self.garrisons.values()]

    def units_of(self, power: PowerId) -> list[Unit]:
        """Return a power's units on the map, sorted."""
        afield = [unit for unit in self.field.values() if unit.owner == power]
        return sorted(
            [*afield, *(unit for unit in self.garrisons.values() if unit.owner == power)],
            key=unit_order,
        )

    def units_at(self, place: PlaceId) -> list[Unit]:
        """Return the units in a province and its city."""
        there = (self.field.get(place), self.garrisons.get(place))
        return [unit for unit in there if unit is not None]

    def has_rebels(self, place: PlaceId) -> bool:
        """Return whether rebels are in a province or its city."""
        return place in self.province_rebellions or place in self.city_rebellions

    def standing_at(self, unit: Unit) -> Unit | None:
        """Return the unit in *unit*'s space: the city for a garrison, else the field."""
        return self._space_of(unit).get(unit.place)

    def copy(self) -> "State":
        """Return a copy with mappings of its own."""
        parts: Any = [dict(each) if isinstance(each, dict) else each for each in _content(self)]
        return State(*parts)

    def place(self, unit: Unit) -> None:
        """Put a unit in its place, replacing another."""
        self._space_of(unit)[unit.place] = unit

    def take_off(self, unit: Unit) -> None:
        """Remove the unit in *unit*'s space."""
        del self._space_of(unit)[unit.place]

    def move_ducats(self, power: PowerId, ducats: int) -> None:
        """Change a treasury, which is empty if money came into the game later."""
        self.treasuries[power] = self.treasuries.get(power, 0) + ducats

    def _space_of(self, unit: Unit) -> dict[PlaceId, Unit]:
        return self.garrisons if unit.is_garrison else self.field


@dataclass(slots=True)
class View(State):
    """A position as one reader sees it, for messages and checks of orders.

    ``Sight`` alone makes one; only from a view follows another one.
    """

    in_fog: bool = False
    """True if hidden units may exist (FOG-01)."""

    @classmethod
    def of(cls, state: State, *, in_fog: bool = False) -> "View":
        """Return the view of *state*, which has only what the reader may see."""
        return cls(*(*_content(state), in_fog))


_content = attrgetter(*(each.name for each in dataclasses.fields(State)))
