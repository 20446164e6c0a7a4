"""The board: places with their cities and coasts, borders, straits and the tables printed on it.

A board is a fact that never changes during a game.  Who owns what is the state's affair, which
powers play is the scenario's.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from machjudge.adjudicator.model.names import NO_COAST, Coast, PlaceId
from machjudge.adjudicator.model.options import Value


class Terrain(Enum):
    """What kind of space a place is."""

    SEA = "sea"
    COASTAL = "coastal"
    INLAND = "inland"


@dataclass(frozen=True, slots=True)
class City:
    """The city or fortress of a province (MAP-01, MAP-02, MAP-07)."""

    income: int
    """Ducats a year; 0 for a fortress (MAP-08)."""
    fortified: bool
    """Whether a garrison can stand in it."""
    port: bool
    fortress: bool = False
    anchors: tuple[Coast, ...] = ()
    """The coasts of a port that has its anchor on some of several; otherwise empty (MOV-30)."""

    @property
    def is_major(self) -> bool:
        """A city that pays more than one ducat; bribes on its garrison cost double (EXP-17)."""
        return self.income > 1


@dataclass(frozen=True, slots=True)
class Place:
    """A province or a sea, with every name under which players know it."""

    id: PlaceId
    name: str
    terrain: Terrain
    aliases: tuple[str, ...] = ()
    city: City | None = None
    coasts: tuple[Coast, ...] = ()
    """The separate coasts of a province that has several; otherwise empty (MAP-04)."""
    venice: bool = False
    """Whether the rules of Venice hold here: one unit in all (MAP-20 to MAP-28)."""
    afloat: bool = False
    """Whether it is a city in the water: fleets and garrisons only, and no siege (MAP-37)."""

    @property
    def is_sea(self) -> bool:
        """Whether only fleets can be here, and nobody owns it (CTL-13)."""
        return self.terrain is Terrain.SEA


class Spot(NamedTuple):
    """Where a fleet can stand: a place, and the coast where it has several."""

    place: PlaceId
    coast: Coast = NO_COAST

    def __str__(self) -> str:
        return f"{self.place}/{self.coast}" if self.coast else self.place


@dataclass(frozen=True, slots=True)
class Strait:
    """A fleet border that a fleet in *guard* closes to hostile fleets (MAP-10)."""

    edge: frozenset[PlaceId]
    guard: PlaceId
    option: str = ""
    """The option of the rules without which it is not there (MAP-12)."""


@dataclass(frozen=True, slots=True)
class Patch:
    """A border that an option of the rules opens or closes."""

    option: str
    values: tuple[str, ...]
    """The values of the option with which the border is otherwise than on the board."""
    between: frozenset[PlaceId]
    army: bool | None
    """Whether armies may cross it then; none where nothing changes for them."""
    fleet: bool | None
    """The same for fleets."""


Table = Mapping[tuple[int, int], PlaceId]
"""A disaster table: (row, column), each 2 to 12, to the place that is struck."""


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """Everything printed on the board; compared by identity, for a program loads it once."""

    id: str
    title: str
    places: Mapping[PlaceId, Place]
    army: Mapping[PlaceId, frozenset[PlaceId]]
    """Where an army may go from each province; every province is a key."""
    fleet: Mapping[Spot, frozenset[Spot]]
    """Where a fleet may go from each spot; every sea and every coast is a key."""
    straits: tuple[Strait, ...]
    famine: Table
    plague: Table
    storm: Table
    income_lines: Mapping[str, tuple[int, ...]]
    """Variable income: the line's name to the ducats for a die of 1 to 6 (INC-10)."""
    ambiguous: Mapping[str, tuple[PlaceId, ...]]
    """Abbreviations that are refused with a hint, and what they might mean (SYN-09)."""
    province_order: tuple[PlaceId, ...]
    """The provinces in the order in which reports list them."""
    rules: Mapping[str, Value]
    """Options of the rules that this board itself decides, by their names in the presets."""
    patches: tuple[Patch, ...] = ()
    """Borders that are otherwise where an option asks for it."""
    city_order: tuple[PlaceId, ...] = ()
    """The places with a city or fortress in the order in which reports list them."""
    names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By language what places and powers are called there, by their names."""

    def spots(self, place: PlaceId) -> tuple[Spot, ...]:
        """The spots where a fleet can stand in a place; none inland."""
        coasts = self.places[place].coasts or (NO_COAST,)
        return tuple(Spot(place, coast) for coast in coasts if Spot(place, coast) in self.fleet)

    def is_impassable(self, place: PlaceId) -> bool:
        """Whether nobody can ever be in a place, for it has no borders."""
        return not any((self.army.get(place), *(self.fleet[spot] for spot in self.spots(place))))
