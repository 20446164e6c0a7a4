"""The rules in force: one field per variation, grouped by the room that reads it.

A variation that another room than its reader would have to know does not belong here.  By which
names presets and settings call them, ``presets`` says.
"""

from dataclasses import dataclass
from enum import Enum


class Route(Enum):
    """Whether an army's order lists its sea route (MOV-09)."""

    EXPLICIT = "explicit"
    IMPLICIT = "implicit"


class CoastSupport(Enum):
    """Whether a fleet must reach the very coast that it supports into (MOV-29)."""

    ANY = "any_coast"
    SAME = "same_coast"


class CityRetreat(Enum):
    """When a unit may retreat into the city of its province (MOV-44)."""

    LAST_RESORT = "last_resort"
    ALWAYS = "always"


class Origin(Enum):
    """Whether the place a convoyed attacker came from is open to retreats (MOV-40)."""

    CLOSED = "closed"
    OPEN = "open"


class Piombino(Enum):
    """What a fleet that a fleet drove from Piombino may do (MAP-17)."""

    NORMAL = "normal"
    DESTROYED = "destroyed"


class Lagoon(Enum):
    """How a fleet from the Lagoon may retreat to Venice (MAP-34).

    As a fleet, or as the garrison and only where there is no other way out.
    """

    FLEET = "fleet"
    GARRISON_LAST = "garrison_last"


class OtherOrder(Enum):
    """What another order than besiege does to a half-done siege (SIE-04, SIE-07)."""

    HOLD_KEEPS = "hold_keeps"
    HOLD_ABORTS = "hold_aborts"
    FREE_MOVE = "free_move"


class StraitEntry(Enum):
    """Whether a fleet that enters the guarding province closes the strait at once (MAP-13)."""

    ALWAYS = "always"
    IF_NO_FLEET = "if_no_fleet"
    NEVER = "never"


class Timing(Enum):
    """When control is counted (CTL-01)."""

    CONTINUOUS = "continuous"
    FALL = "fall"


class EliminationTiming(Enum):
    """When elimination is checked (ELI-05)."""

    CAMPAIGN_END = "campaign_end"
    FALL = "fall"


class EliminationTest(Enum):
    """What eliminates a power (ELI-01)."""

    NO_HOME_CITY = "no_home_city"
    NOTHING_LEFT = "nothing_left"
    """Neither city nor unit, as in Diplomacy."""


class HomeLoss(Enum):
    """When a conquered home country is lost again (HOM-03)."""

    CONQUERED_ONLY = "conquered_only"
    ALL_LOST = "all_lost"


class Level(Enum):
    """The victory conditions (VIC-02 to VIC-06)."""

    BASIC = "basic"
    ADVANCED = "advanced"
    ULTIMATE = "ultimate"
    CUSTOM = "custom"


class HomeFormula(Enum):
    """How the homes needed follow from the cities needed (VIC-05)."""

    UP = "ceil"
    DOWN = "floor"
    NONE = "none"


class FixedRolls(Enum):
    """The fixed die of games without dice, by the year (INC-14)."""

    ODD_FOUR = "odd4_even3"
    ODD_THREE = "odd3_even4"


class HomeIncome(Enum):
    """How long a home country's variable income is paid (INC-11)."""

    UNTIL_CONQUERED = "until_conquered"
    FOOTHOLD = "foothold"


class FortBuilds(Enum):
    """What may be built where the only city is a fortress (MAP-07)."""

    FIELD = "army_fleet"
    NONE = "none"


class FleetBuilds(Enum):
    """Where fleets are built: in ports, or wherever a city's province has a coast (ADJ-04)."""

    PORTS = "ports"
    COASTS = "coasts"


class Unpaid(Enum):
    """Which units go when they cannot be kept (ADJ-12; DATC 4.D.8)."""

    OLDEST_OUTSIDE_CITIES = "nonsupply_oldest"
    DISTANCE = "distance_2023"


class Severity(Enum):
    """Which rolls strike a row and which a column (FAM-01)."""

    JUDGE = "judge"
    BOOK = "book"


class Storms(Enum):
    """Whether storms strike, by the board's table (STM-02)."""

    OFF = "off"
    TABLE = "table"


class Adjacency(Enum):
    """What brings an expense's target within reach (EXP-27)."""

    UNITS = "units"
    NONE = "none"


class Opening(Enum):
    """Whether the game opens in the adjustment before its first campaign (INC-16)."""

    ADJUSTMENT = "full"
    CAMPAIGN = "none"


@dataclass(frozen=True, slots=True)
class GameRules:
    """What is in use at all (area SET)."""

    money: bool = True
    dice: bool = True
    garrisons: bool = True
    forts: bool = False
    summer: bool = True
    special: bool = True
    neutral_impassable: bool = True
    opening: Opening = Opening.ADJUSTMENT


@dataclass(frozen=True, slots=True)
class MovementRules:
    """Advance, support and convoy (area MOV)."""

    coastal_convoys: bool = True
    convoy_route: Route = Route.EXPLICIT
    coast_support: CoastSupport = CoastSupport.ANY
    disband_order: bool = False


@dataclass(frozen=True, slots=True)
class RetreatRules:
    """Where dislodged units may go (MOV-40 to MOV-48)."""

    to_city: CityRetreat = CityRetreat.LAST_RESORT
    convoyed_origin: Origin = Origin.CLOSED
    piombino: Piombino = Piombino.NORMAL
    lagoon: Lagoon = Lagoon.FLEET


@dataclass(frozen=True, slots=True)
class SiegeRules:
    """Sieges (area SIE)."""

    other_order: OtherOrder = OtherOrder.HOLD_KEEPS


@dataclass(frozen=True, slots=True)
class StraitRules:
    """Which fleets close a strait (MAP-13 to MAP-16, MAP-36)."""

    entry: StraitEntry = StraitEntry.ALWAYS
    leaver_blocks: bool = False
    convert_in_blocks: bool = False
    convert_out_blocks: bool = True


@dataclass(frozen=True, slots=True)
class ControlRules:
    """Control, home countries, elimination (areas CTL, HOM, ELI)."""

    timing: Timing = Timing.CONTINUOUS
    elimination: EliminationTiming = EliminationTiming.CAMPAIGN_END
    elimination_test: EliminationTest = EliminationTest.NO_HOME_CITY
    home_loss: HomeLoss = HomeLoss.CONQUERED_ONLY


@dataclass(frozen=True, slots=True)
class VictoryRules:
    """What wins (area VIC)."""

    level: Level = Level.ADVANCED
    cities: int = 15
    homes: int = 2
    formula: HomeFormula = HomeFormula.UP


@dataclass(frozen=True, slots=True)
class IncomeRules:
    """The year's income (area INC)."""

    fixed_rolls: FixedRolls = FixedRolls.ODD_FOUR
    besieged_pays: bool = False
    fort_income: int = 0
    city_roll_needs_province: bool = False
    home_roll: HomeIncome = HomeIncome.UNTIL_CONQUERED


@dataclass(frozen=True, slots=True)
class AdjustmentRules:
    """Builds and upkeep (area ADJ)."""

    fort_builds: FortBuilds = FortBuilds.FIELD
    fleet_builds: FleetBuilds = FleetBuilds.PORTS
    unpaid: Unpaid = Unpaid.OLDEST_OUTSIDE_CITIES
    special_limit: int = 1


@dataclass(frozen=True, slots=True)
class DisasterRules:
    """Famine, plague and storms (areas FAM, PLG, STM)."""

    famine: bool = True
    plague: bool = False
    storm: Storms = Storms.OFF
    severity: Severity = Severity.JUDGE


@dataclass(frozen=True, slots=True)
class MoneyRules:
    """Bank, expenses and assassination (areas BNK, EXP, ASN)."""

    loans: bool = True
    adjacency: Adjacency = Adjacency.UNITS
    assassinations: bool = True
    self_bribe: bool = False


@dataclass(frozen=True, slots=True)
class Rules:
    """All variations in force in one game."""

    game: GameRules = GameRules()
    movement: MovementRules = MovementRules()
    retreat: RetreatRules = RetreatRules()
    siege: SiegeRules = SiegeRules()
    strait: StraitRules = StraitRules()
    control: ControlRules = ControlRules()
    victory: VictoryRules = VictoryRules()
    income: IncomeRules = IncomeRules()
    adjustment: AdjustmentRules = AdjustmentRules()
    disaster: DisasterRules = DisasterRules()
    money: MoneyRules = MoneyRules()
