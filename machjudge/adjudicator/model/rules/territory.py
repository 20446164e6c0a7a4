"""Control, home countries, elimination and victory (areas CTL, HOM, ELI, VIC)."""

from dataclasses import dataclass
from enum import Enum

from machjudge.adjudicator.model.rules.option import option


class Timing(Enum):
    """When control is counted (CTL-01)."""

    CONTINUOUS = "continuous"
    FALL = "fall"


class CityControl(Enum):
    """Whose a city is while another power has the province around it (CTL-09)."""

    SPLIT = "split"
    BOTH_NEEDED = "both_needed"
    NOBODY = "nobody"
    """Nor is the province anybody's, where two players have the units."""


class BothLost(Enum):
    """Whose a place is when field unit and garrison go at the same moment (CTL-07)."""

    UNCHANGED = "unchanged"
    UNOWNED = "unowned"
    LAST_SOLE = "last_sole"


class EliminationTiming(Enum):
    """When elimination is checked (ELI-05)."""

    CAMPAIGN_END = "campaign_end"
    FALL = "fall"


class EliminationTest(Enum):
    """What eliminates a power (ELI-01)."""

    NO_HOME_CITY = "no_home_city"
    MULTI = "no_home_city_or_province_multi"
    NOTHING_HELD = "no_home_city_or_province"
    HELD_BY_OTHERS = "all_home_cities_enemy"
    NOTHING_LEFT = "nothing_left"


class HomeLoss(Enum):
    """When a conquered home country is lost again (HOM-03)."""

    CONQUERED_ONLY = "conquered_only"
    ALL_LOST = "all_lost"
    CITIES_LOST = "cities_lost"


class Conquest(Enum):
    """How long one controls all of a home country to conquer it (HOM-02)."""

    CAMPAIGN_END = "campaign_end"
    FULL_CAMPAIGN = "full_campaign"


class Level(Enum):
    """The victory conditions (VIC-02 to VIC-06)."""

    BASIC = "basic"
    ADVANCED = "advanced"
    ULTIMATE = "ultimate"
    CUSTOM = "custom"


class BasicTest(Enum):
    """What the basic victory asks for besides twelve cities (VIC-02)."""

    ALL_OWN_AND_SIX = "all_home_plus6"
    PROVINCES_AND_ONE_OWN = "home_city1_with_provinces"


class OwnHome(Enum):
    """How much of the first home country a winner must hold (VIC-07)."""

    NO = "no"
    ONE_CITY = "one_city"
    ALL = "all"


class HomesCounted(Enum):
    """Which home countries count for a victory: any, or those of others beside one's own (VIC-07).

    Where others' are asked for, the own one counts also when somebody else has it.
    """

    OWNED = "owned"
    OTHERS = "others"


class HomeFormula(Enum):
    """How the homes needed follow from the cities needed (VIC-05)."""

    UP = "ceil"
    DOWN = "floor"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class ControlRules:
    """Control, home countries, elimination (areas CTL, HOM, ELI)."""

    timing: Timing = option(
        Timing.CONTINUOUS, "control_timing", "CTL-01", presets={"mach2": Timing.FALL}
    )
    city: CityControl = option(
        CityControl.SPLIT,
        "city_control",
        "CTL-02",
        "CTL-09",
        presets={
            "battleline_basic": CityControl.BOTH_NEEDED,
            "mach2_book": CityControl.NOBODY,
        },
    )
    both_lost: BothLost = option(
        BothLost.UNCHANGED,
        "simultaneous_loss",
        "CTL-07",
        presets={"battleline": BothLost.LAST_SOLE, "article": BothLost.UNOWNED},
    )
    bought_at_once: bool = option(True, "buy_gives_province", "CTL-04")
    conquest: Conquest = option(
        Conquest.CAMPAIGN_END,
        "conquest_when",
        "HOM-02",
        presets={"article": Conquest.FULL_CAMPAIGN},
    )
    elimination: EliminationTiming = option(
        EliminationTiming.CAMPAIGN_END,
        "elimination_timing",
        "ELI-05",
        presets={"mach2": EliminationTiming.FALL},
    )
    elimination_test: EliminationTest = option(
        EliminationTest.NO_HOME_CITY,
        "elimination",
        "ELI-01",
        presets={
            "battleline": EliminationTest.MULTI,
            "karttunen": EliminationTest.HELD_BY_OTHERS,
            "article": EliminationTest.NOTHING_HELD,
            "diplomacy": EliminationTest.NOTHING_LEFT,
        },
    )
    home_loss: HomeLoss = option(
        HomeLoss.CONQUERED_ONLY, "home_loss", "HOM-03", presets={"judge2009": HomeLoss.ALL_LOST}
    )
    swap_survives: bool = option(False, "swap_home_survives", "ELI-04", presets={"karttunen": True})
    ownerless_home: bool = option(True, "non_player_country", "HOM-05")
    conquered_is_home: bool = option(True, "conquered_home_counts_home", "EXP-14")


@dataclass(frozen=True, slots=True)
class VictoryRules:
    """What wins (area VIC)."""

    level: Level = option(
        Level.ADVANCED,
        "victory_level",
        "VIC-02",
        "VIC-03",
        "VIC-04",
        "VIC-06",
        presets={
            "battleline_basic": Level.BASIC,
            "karttunen": Level.BASIC,
            "judge_basic": Level.BASIC,
            "diplomacy": Level.CUSTOM,
        },
    )
    basic_test: BasicTest = option(
        BasicTest.ALL_OWN_AND_SIX,
        "victory_basic_kind",
        "VIC-02",
        presets={"karttunen": BasicTest.PROVINCES_AND_ONE_OWN},
    )
    end_die: bool = option(False, "endgame_die", "VIC-10", presets={"karttunen": True})
    more_for_few: bool = option(
        False, "victory_small_game_18", "VIC-03", presets={"battleline": True}
    )
    own_home: OwnHome = option(
        OwnHome.NO,
        "victory_own_home",
        "VIC-07",
        presets={"battleline_basic": OwnHome.ALL, "karttunen": OwnHome.ONE_CITY},
    )
    cities: int = option(15, "victory_cities", "VIC-06", "SET-22", presets={"diplomacy": 18})
    homes_counted: HomesCounted = option(
        HomesCounted.OWNED,
        "victory_homes_counted",
        "VIC-03",
        "VIC-04",
        "VIC-07",
        presets={"battleline": HomesCounted.OTHERS},
    )
    homes: int = option(2, "victory_homes", "VIC-06", presets={"diplomacy": 0})
    formula: HomeFormula = option(
        HomeFormula.UP,
        "home_formula",
        "VIC-05",
        presets={
            "judge2009": HomeFormula.DOWN,
            "battleline": HomeFormula.NONE,
            "mach2": HomeFormula.NONE,
        },
    )
