"""The board and the scenario: places, borders, straits, printed tables, and who starts where."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from itertools import permutations
from typing import NamedTuple

from machjudge.adjudicator.names import NO_COAST, Coast, PlaceId, PowerId
from machjudge.adjudicator.options import OPTIONS, Value, value_text
from machjudge.adjudicator.rules import Rules
from machjudge.adjudicator.units import Quality, Unit


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


Armies = Mapping[PlaceId, frozenset[PlaceId]]
Fleets = Mapping[Spot, frozenset[Spot]]


def borders_of(board: Board, rules: Rules) -> tuple[Armies, Fleets]:
    """Where armies and fleets may go, with the patches that *rules* ask for."""
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
    """Other names that players use, such as Turks for Turkey."""
    home: tuple[PlaceId, ...]
    """The provinces of its home country; empty for a power without one (HOM-01)."""
    provinces: tuple[PlaceId, ...]
    """The provinces that it controls at the start."""
    cities: tuple[PlaceId, ...]
    """The places whose cities it controls at the start."""
    units: tuple[Unit, ...]
    income_line: str | None
    """The line of the board's variable income table that its home pays."""
    income_dice: int
    """How many dice its home throws on that line (INC-10)."""
    initial_ducats: int = 0
    """The opening treasury where a scenario fixes one (INC-16)."""
    special: tuple[Quality, ...] | None = None
    """The special kinds it may have where the rules heed that; None: all (SET-20)."""
    papal: bool = False
    """Whether it is the Papacy, which may excommunicate (BNK-22)."""
    conquerable_only: bool = False
    """A power that nobody plays; its home can be conquered (ELI-01)."""


@dataclass(frozen=True, slots=True)
class CityIncome:
    """A variable income that belongs to whoever controls a city (INC-13)."""

    city: PlaceId
    line: str
    dice: int


@dataclass(frozen=True, slots=True)
class Side:
    """A player of a variant for fewer people: the powers that they lead."""

    powers: tuple[PowerId, ...]


@dataclass(frozen=True, slots=True)
class Variant:
    """A way to play the scenario with a number of players, as its book offers it."""

    players: int
    option: int
    suits_basic_victory: bool
    each_chooses: int = 0
    """How many powers each player chooses; 0 where *sides* says who leads what."""
    sides: tuple[Side, ...] = ()
    then_choose: tuple[PowerId, ...] = ()
    """Powers of which each player takes one more."""
    dropped: tuple[PowerId, ...] = ()
    """Powers out of the game; their provinces are neutral unless *dropped_open*."""
    dropped_open: bool = False
    added_power: Power | None = None
    added_units: tuple[Unit, ...] = ()
    removed_garrisons: tuple[PlaceId, ...] = ()
    """Autonomous garrisons that this variant replaces."""
    added_garrisons: tuple[Unit, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Scenario:
    """Who plays, where, from when; compared by identity."""

    id: str
    title: str
    board: Board
    year: int
    """The year of the first Spring."""
    powers: Mapping[PowerId, Power]
    autonomous: tuple[Unit, ...]
    neutral: frozenset[PlaceId]
    """Provinces that nobody may enter (MAP-30)."""
    city_incomes: tuple[CityIncome, ...]
    forts: bool
    """Whether fortresses are in use unless the master says otherwise (MAP-07)."""
    variants: tuple[Variant, ...]
    notes: tuple[str, ...] = ()
    rules: Mapping[str, Value] | None = None
    """Options of the rules that this scenario itself decides, by their names in the presets."""
    preset: str = ""
    """The named set of rules that it is meant for; empty where the usual one is."""
    bare: str = ""
    """What the rules of 1995 become without money, dice, special units, garrisons and Summer: a
    named set of rules; empty where they stay (SET-23)."""
    variant: Variant | None = None
    """For which number of players this one was made from another; None: as the file has it."""

    @property
    def in_play(self) -> tuple[PowerId, ...]:
        """The powers that somebody plays, in the scenario's order (ELI-01)."""
        return tuple(p.id for p in self.powers.values() if not p.conquerable_only)

    @property
    def players(self) -> int:
        """How many people play it; with fewer people than powers each leads several."""
        return len(self.in_play) if self.variant is None else self.variant.players

    def home_of(self, place: PlaceId) -> PowerId | None:
        """To whose original home country a province belongs (HOM-01)."""
        return next((p.id for p in self.powers.values() if place in p.home), None)
