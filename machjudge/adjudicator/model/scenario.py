"""A scenario as the adjudicator knows it: which powers play on which board, and how they start.

The texts of a scenario and its file are the atlas's affair.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from machjudge.adjudicator.model.board import Board
from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.options import Value
from machjudge.adjudicator.model.units import Quality, Unit


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
