"""The rules in force: one field per variation, grouped by the room that reads it, and the presets.

A variation that another room than its reader would have to know does not belong here.  The names
of options in presets and settings are flat; ``OPTIONS`` says where each of them lives.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum

from machjudge.adjudicator.names import MachjudgeError


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
    """How a fleet from the Lagoon may retreat to Venice (MAP-34)."""

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


Value = bool | int | str
"""An option's value as presets and settings write it."""


@dataclass(frozen=True, slots=True)
class Option:
    """Where an option lives, and what it is about in one line."""

    group: str
    field: str
    about: str


OPTIONS: Mapping[str, Option] = {
    "money": Option("game", "money", "ducats in use"),
    "dice": Option("game", "dice", "random events and incomes"),
    "garrisons": Option("game", "garrisons", "garrison units"),
    "forts": Option("game", "forts", "fortresses in use"),
    "summer": Option("game", "summer", "a Summer campaign"),
    "special": Option("game", "special", "special units"),
    "neutral_impassable": Option("game", "neutral_impassable", "neutral countries closed"),
    "initial_adjustment": Option("game", "opening", "an adjustment before the first campaign"),
    "coastal_convoys": Option("movement", "coastal_convoys", "fleets on coasts convoy"),
    "convoy_route": Option("movement", "convoy_route", "an army's order lists its sea route"),
    "coast_support": Option("movement", "coast_support", "support into a two-coast province"),
    "disband_order": Option("movement", "disband_order", "disband as a campaign's order"),
    "retreat_to_garrison": Option("retreat", "to_city", "retreat into the own city"),
    "convoyed_attacker_origin": Option(
        "retreat", "convoyed_origin", "retreat to where a convoyed attacker came from"
    ),
    "piombino_dislodged_retreat": Option("retreat", "piombino", "a fleet driven from Piombino"),
    "lagoon_retreat_to_venice": Option("retreat", "lagoon", "retreat from the Lagoon to Venice"),
    "siege_other_order": Option("siege", "other_order", "another order in a siege's second half"),
    "strait_enter_blocks": Option("strait", "entry", "a fleet that enters closes the strait"),
    "strait_leaver_blocks": Option("strait", "leaver_blocks", "a fleet that leaves still closes"),
    "strait_convert_in_blocks": Option(
        "strait", "convert_in_blocks", "a fleet turning garrison still closes"
    ),
    "strait_convert_out_blocks": Option(
        "strait", "convert_out_blocks", "a garrison turning fleet closes"
    ),
    "control_timing": Option("control", "timing", "when control changes"),
    "elimination_timing": Option("control", "elimination", "when elimination is checked"),
    "home_loss": Option("control", "home_loss", "loss of a conquered home country"),
    "victory_level": Option("victory", "level", "the victory condition"),
    "victory_cities": Option("victory", "cities", "cities needed (custom)"),
    "victory_homes": Option("victory", "homes", "home countries needed (custom)"),
    "home_formula": Option("victory", "formula", "homes that follow from the cities needed"),
    "nodice_rolls": Option("income", "fixed_rolls", "the fixed die of games without dice"),
    "besieged_income": Option("income", "besieged_pays", "a besieged city pays"),
    "fort_income": Option("income", "fort_income", "ducats of a fortress"),
    "var_city_needs_province": Option(
        "income", "city_roll_needs_province", "a city's roll needs its province too"
    ),
    "var_keep": Option("income", "home_roll", "how long a home country's roll is kept"),
    "fort_builds": Option("adjustment", "fort_builds", "builds in a fortress's province"),
    "auto_disband": Option("adjustment", "unpaid", "which unit goes when one cannot be kept"),
    "special_limit": Option("adjustment", "special_limit", "special units in play per power"),
    "famine": Option("disaster", "famine", "famine"),
    "plague": Option("disaster", "plague", "plague"),
    "storm": Option("disaster", "storm", "storms"),
    "disaster_rolls": Option("disaster", "severity", "rolls 4 to 7 of a disaster"),
    "loans": Option("money", "loans", "the bank lends"),
    "adjacency": Option("money", "adjacency", "expenses need a unit next to their target"),
    "assassinations": Option("money", "assassinations", "assassins for hire"),
    "self_bribe": Option("money", "self_bribe", "bribes against oneself"),
}

JUDGE = Rules()
"""The judge rules v2.4c with their default flags (SET-16)."""

_BASIC: Mapping[str, Value] = {
    "money": False,
    "dice": False,
    "famine": False,
    "loans": False,
    "assassinations": False,
    "special": False,
    "adjacency": "none",
    "disband_order": True,
    "victory_level": "basic",
    "initial_adjustment": "none",
}
_JUDGE_2009: Mapping[str, Value] = {
    "coast_support": "same_coast",
    "piombino_dislodged_retreat": "destroyed",
    "lagoon_retreat_to_venice": "garrison_last",
    "siege_other_order": "hold_aborts",
    "home_loss": "all_lost",
    "home_formula": "floor",
    "strait_enter_blocks": "if_no_fleet",
    "strait_leaver_blocks": True,
    "strait_convert_in_blocks": True,
    "var_keep": "foothold",
    "self_bribe": True,
}
_DIPLOMACY: Mapping[str, Value] = {
    "money": False,
    "dice": False,
    "garrisons": False,
    "summer": False,
    "special": False,
    "famine": False,
    "plague": False,
    "storm": "off",
    "loans": False,
    "assassinations": False,
    "adjacency": "none",
    "coastal_convoys": False,
    "disband_order": False,
    "forts": False,
    "convoy_route": "implicit",
    "retreat_to_garrison": "last_resort",
    "convoyed_attacker_origin": "open",
    "siege_other_order": "free_move",
    "control_timing": "fall",
    "elimination_timing": "fall",
    "strait_enter_blocks": "never",
    "strait_convert_out_blocks": False,
    "home_formula": "none",
    "victory_level": "custom",
    "victory_cities": 18,
    "victory_homes": 0,
    "auto_disband": "distance_2023",
    "initial_adjustment": "none",
}

PRESETS: Mapping[str, Mapping[str, Value]] = {
    "judge": {},
    "judge_basic": _BASIC,
    "judge2009": _JUDGE_2009,
    "diplomacy": _DIPLOMACY,
}
"""The named sets of rules: what each of them changes in the judge rules v2.4c."""


class UnknownRule(MachjudgeError):
    """A preset, option or value that is not known; the text says which and what would be."""


def preset(name: str) -> Rules:
    """The rules of a named preset.  Raises UnknownRule."""
    if name not in PRESETS:
        raise UnknownRule(f"there is no preset {name!r}; known are {', '.join(PRESETS)}")
    rules = JUDGE
    for option, value in PRESETS[name].items():
        rules = with_option(rules, option, value)
    return rules


def option_value(rules: Rules, name: str) -> Value:
    """An option's value as settings write it.  Raises UnknownRule."""
    option = _option(name)
    value = getattr(getattr(rules, option.group), option.field)
    plain: Value = value.value if isinstance(value, Enum) else value
    return plain


def with_option(rules: Rules, name: str, value: Value) -> Rules:
    """The rules with one option set.  Raises UnknownRule for a name or value that is not known."""
    option = _option(name)
    group = getattr(rules, option.group)
    old = getattr(group, option.field)
    changed = replace(group, **{option.field: _typed(name, old, value)})
    return replace(rules, **{option.group: changed})


def _option(name: str) -> Option:
    if name not in OPTIONS:
        raise UnknownRule(f"there is no option {name!r}")
    return OPTIONS[name]


def _typed(name: str, old: object, value: Value) -> object:
    if isinstance(old, Enum):
        known = {member.value: member for member in type(old)}
        if not isinstance(value, str) or value not in known:
            raise UnknownRule(f"{name} cannot be {value!r}; it is one of {', '.join(known)}")
        return known[value]
    if type(value) is not type(old):
        kind = "true or false" if isinstance(old, bool) else "a whole number"
        raise UnknownRule(f"{name} cannot be {value!r}; it is {kind}")
    if type(value) is int and value < 0:
        raise UnknownRule(f"{name} cannot be {value!r}; it is not negative")
    return value
