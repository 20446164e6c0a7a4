"""Board and scenario: places, borders, straits, printed tables, starting powers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from itertools import permutations
from typing import NamedTuple

from machjudge.adjudicator.names import NO_COAST, Coast, PlaceId, PowerId
from machjudge.adjudicator.options import OPTIONS, Value, value_text
from machjudge.adjudicator.rules import Rules
from machjudge.adjudicator.units import Quality, Unit


# The board: places with their cities and coasts, borders, straits and the tables printed on it. A
# board is a fact that never changes during a game. Who owns what is the state's affair, which
# powers play is the scenario's.
class Terrain(Enum):
    """The kind of a place."""

    SEA = "sea"
    COASTAL = "coastal"
    INLAND = "inland"


@dataclass(frozen=True, slots=True)
class City:
    """The city or fortress of a province (MAP-01, MAP-02, MAP-07)."""

    income: int
    """Ducats a year; 0 for a fortress (MAP-08)."""
    fortified: bool
    """True if a garrison can stand in it."""
    port: bool
    fortress: bool = False
    anchors: tuple[Coast, ...] = ()
    """The port's coasts, if limited to some of several; else empty (MOV-30)."""

    @property
    def is_major(self) -> bool:
        """Return whether it pays more than a ducat; bribes on its garrison cost double (EXP-17)."""
        return self.income > 1


@dataclass(frozen=True, slots=True)
class Place:
    """A province or a sea, with all its names."""

    id: PlaceId
    name: str
    terrain: Terrain
    aliases: tuple[str, ...] = ()
    city: City | None = None
    coasts: tuple[Coast, ...] = ()
    """The separate coasts, if several; else empty (MAP-04)."""
    venice: bool = False
    """True where the rules of Venice hold: one unit in all (MAP-20 to MAP-28)."""
    afloat: bool = False
    """True for a city in the water: fleets and garrisons only, no siege (MAP-37)."""

    @property
    def is_sea(self) -> bool:
        """Return whether only fleets can be here and control does not exist (CTL-13)."""
        return self.terrain is Terrain.SEA


class Spot(NamedTuple):
    """A fleet's position: a place, and one of its several coasts."""

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
    """The option of the rules that it depends on (MAP-12)."""


@dataclass(frozen=True, slots=True)
class Patch:
    """A border that an option of the rules opens or closes."""

    option: str
    values: tuple[str, ...]
    """The values of the option that change the border."""
    between: frozenset[PlaceId]
    army: bool | None
    """True if armies may cross it then; None if unchanged."""
    fleet: bool | None
    """The same for fleets."""


Table = Mapping[tuple[int, int], PlaceId]
"""A disaster table: (row, column), each 2 to 12, to the place that is struck."""


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """Everything printed on the board; compared by identity, since it is loaded once."""

    id: str
    title: str
    places: Mapping[PlaceId, Place]
    army: Mapping[PlaceId, frozenset[PlaceId]]
    """Borders for armies; every province is a key."""
    fleet: Mapping[Spot, frozenset[Spot]]
    """Borders for fleets; every sea and every coast is a key."""
    straits: tuple[Strait, ...]
    famine: Table
    plague: Table
    storm: Table
    income_lines: Mapping[str, tuple[int, ...]]
    """Variable income: the line's name to the ducats for a die of 1 to 6 (INC-10)."""
    ambiguous: Mapping[str, tuple[PlaceId, ...]]
    """Abbreviations that are refused, and their possible meanings (SYN-09)."""
    province_order: tuple[PlaceId, ...]
    """The order of provinces in reports."""
    rules: Mapping[str, Value]
    """Options of the rules set by the board."""
    patches: tuple[Patch, ...] = ()
    """Borders changed by options."""
    city_order: tuple[PlaceId, ...] = ()
    """The order of places with a city or fortress in reports."""
    names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Translated names by language."""

    def spots(self, place: PlaceId) -> tuple[Spot, ...]:
        """Return a place's spots for fleets; none inland."""
        coasts = self.places[place].coasts or (NO_COAST,)
        return tuple(Spot(place, coast) for coast in coasts if Spot(place, coast) in self.fleet)

    def is_impassable(self, place: PlaceId) -> bool:
        """Return whether a place has no borders."""
        return not any((self.army.get(place), *(self.fleet[spot] for spot in self.spots(place))))


Armies = Mapping[PlaceId, frozenset[PlaceId]]
Fleets = Mapping[Spot, frozenset[Spot]]


def borders_of(board: Board, rules: Rules) -> tuple[Armies, Fleets]:
    """Return the borders for armies and fleets, with the patches of *rules*."""
    army, fleet = dict(board.army), dict(board.fleet)
    for patch in board.patches:
        if value_text(OPTIONS[patch.option].of(rules)) not in patch.values:
            continue
        for start, end in permutations(sorted(patch.between)):
            if patch.army is not None:
                army[start] = army[start] | {end} if patch.army else army[start] - {end}
            if patch.fleet is not None:
                ends = set(board.spots(end))
                for spot in board.spots(start):
                    fleet[spot] = fleet[spot] | ends if patch.fleet else fleet[spot] - ends
    return army, fleet


def straits_of(board: Board, rules: Rules) -> Mapping[frozenset[PlaceId], Strait]:
    """The straits by the border that they close, without those that *rules* leave out (MAP-10)."""
    return {
        strait.edge: strait
        for strait in board.straits
        if not strait.option or OPTIONS[strait.option].of(rules)
    }


@dataclass(frozen=True, slots=True)
class Power:
    """A power of the scenario with its home country and its set-up."""

    id: PowerId
    name: str
    adjective: str
    aliases: tuple[str, ...]
    """Further names, such as Turks for Turkey."""
    home: tuple[PlaceId, ...]
    """The provinces of its home country; empty for a power without one (HOM-01)."""
    provinces: tuple[PlaceId, ...]
    """The provinces controlled at the start."""
    cities: tuple[PlaceId, ...]
    """The places of cities controlled at the start."""
    units: tuple[Unit, ...]
    income_line: str | None
    """Its line of the board's variable income table."""
    income_dice: int
    """The number of its dice on that line (INC-10)."""
    initial_ducats: int = 0
    """The opening treasury where a scenario fixes one (INC-16)."""
    special: tuple[Quality, ...] | None = None
    """Its special kinds where the rules heed that; None: all (SET-20)."""
    papal: bool = False
    """True for the Papacy, which may excommunicate (BNK-22)."""
    conquerable_only: bool = False
    """True for a power without player whose home can be conquered (ELI-01)."""


@dataclass(frozen=True, slots=True)
class CityIncome:
    """A variable income of the controller of a city (INC-13)."""

    city: PlaceId
    line: str
    dice: int


@dataclass(frozen=True, slots=True)
class Side:
    """A player's powers in a variant for fewer people."""

    powers: tuple[PowerId, ...]


@dataclass(frozen=True, slots=True)
class Variant:
    """A variant of the scenario for a number of players, as its book offers it."""

    players: int
    option: int
    suits_basic_victory: bool
    each_chooses: int = 0
    """The number of powers that each player chooses; 0 if *sides* says it."""
    sides: tuple[Side, ...] = ()
    then_choose: tuple[PowerId, ...] = ()
    """Powers of which each player takes one more."""
    dropped: tuple[PowerId, ...] = ()
    """Powers out of the game; their provinces are neutral unless *dropped_open*."""
    dropped_names: tuple[str, ...] = ()
    """Their names: the scenario as the variant plays it has none of them."""
    dropped_open: bool = False
    added_power: Power | None = None
    added_units: tuple[Unit, ...] = ()
    removed_garrisons: tuple[PlaceId, ...] = ()
    """Autonomous garrisons left out."""
    added_garrisons: tuple[Unit, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Scenario:
    """Powers, set-up and start of a game; compared by identity."""

    id: str
    title: str
    board: Board
    year: int
    """The year of the first Spring."""
    powers: Mapping[PowerId, Power]
    autonomous: tuple[Unit, ...]
    neutral: frozenset[PlaceId]
    """Provinces closed to all (MAP-30)."""
    city_incomes: tuple[CityIncome, ...]
    forts: bool
    """The default for fortresses (MAP-07)."""
    variants: tuple[Variant, ...]
    notes: tuple[str, ...] = ()
    rules: Mapping[str, Value] | None = None
    """Options of the rules set by the scenario."""
    preset: str = ""
    """The named set of rules that it is meant for; empty for the default."""
    bare: str = ""
    """The named set that the rules of 1995 become without their features; empty: none (SET-23)."""
    variant: Variant | None = None
    """The number of players of a variant; None for the scenario as in its file."""

    @property
    def in_play(self) -> tuple[PowerId, ...]:
        """Return the powers with players, in the scenario's order (ELI-01)."""
        return tuple([p.id for p in self.powers.values() if not p.conquerable_only])

    @property
    def players(self) -> int:
        """Return the number of people; fewer than powers if some lead several."""
        return len(self.in_play) if self.variant is None else self.variant.players

    def home_of(self, place: PlaceId) -> PowerId | None:
        """Return the power of a province's original home country (HOM-01)."""
        return next((p.id for p in self.powers.values() if place in p.home), None)
