"""The rules of a game: a field for each option, grouped by area."""

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from enum import Enum
from functools import cached_property
from typing import Any, Generic, TypeVar

# What stands on each field of the rules: its option's name, values, flag and catalogue numbers.
# What is played with each value is said in the catalogue of messages, under the option's name.
T = TypeVar("T")
V = TypeVar("V")


class Table(Mapping[str, V], Generic[V]):
    """An immutable map for frozen rules, such as a price list."""

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, V]) -> None:
        self._values = dict(sorted(values.items()))

    def __getitem__(self, key: str) -> V:
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __hash__(self) -> int:
        return hash(tuple(self._values.items()))

    def __repr__(self) -> str:
        return f"Table({self._values})"


@dataclass(frozen=True, slots=True, eq=False)
class Flag:
    """A word that switches an option, off with *no* in front."""

    name: str
    also: tuple[str, ...] = ()
    """Synonyms."""
    on: Any = True
    """The value of the word."""
    off: Any = False
    needs: tuple[str, ...] = ()
    """Required flags: switched on with it, and it off with them."""
    ends_with: tuple[str, ...] = ()
    """Flags that switch it off with them, but not on."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of an option's numbers and words."""

    most: int = 999
    """The largest number; the least is 0."""
    among: tuple[str, ...] = ()
    """The words of a list, in order, or the keys of a map that may be empty."""


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """Metadata of an option."""

    name: str
    """Its name in settings, presets and documents."""
    numbers: tuple[str, ...]
    """Its rules in the catalogue."""
    flag: Flag | str
    """Its flag, or another option's flag that switches it; empty if none does."""
    limits: Limits
    presets: Mapping[str, Any]
    """Its value in each named set that differs from its base."""


FACTS = "option"
"""The metadata key of a field's facts."""


_NONE: Mapping[str, Any] = {}


def option(
    default: T,
    name: str,
    *numbers: str,
    flag: Flag | str = "",
    limits: Limits = Limits(),
    presets: Mapping[str, T] = _NONE,
) -> T:
    """A field of the rules: its default, and its facts as metadata.

    :param numbers: its rules in the catalogue, such as ``SIE-07``.
    :param presets: its value in the named sets of rules that differ.
    """
    facts = Facts(name, numbers, flag, limits, presets)
    found: T = dataclasses.field(default=default, metadata={FACTS: facts})
    return found


class Opening(Enum):
    """How the game opens: in the adjustment before its first campaign, or in that (INC-16)."""

    ADJUSTMENT = "full"
    UPKEEP = "maintain_only"
    FIXED_MONEY = "fixed_money"
    CAMPAIGN = "none"


class OrderNotation(Enum):
    """How orders may name units: by type and place, or by type and number as well (MOV-03)."""

    PLACES = "judge"
    NUMBERS = "serial"


class AdjustmentSeason(Enum):
    """In which season the adjustment is said to be; its content is the same (MOV-02)."""

    FALL = "fall"
    SPRING = "spring"


class SideUnits(Enum):
    """The units of a player of several powers: of each power, or one set (SET-24)."""

    APART = "apart"
    ONE = "one"


@dataclass(frozen=True, slots=True)
class GameRules:
    """What is in use at all (area SET)."""

    money: bool = option(
        True,
        "money",
        "SET-03",
        "ADJ-15",
        flag=Flag("money"),
        presets={"battleline_basic": False, "judge_basic": False, "diplomacy": False},
    )
    dice: bool = option(
        True,
        "dice",
        "SET-04",
        "INC-14",
        flag=Flag("dice"),
        presets={"battleline_basic": False, "judge_basic": False, "diplomacy": False},
    )
    garrisons: bool = option(
        True,
        "garrisons",
        "SET-10",
        flag=Flag("garrisons", also=("garrison",)),
        presets={"diplomacy": False},
    )
    forts: bool = option(
        False,
        "forts",
        "SET-12",
        "MAP-07",
        flag=Flag("forts", also=("fort", "fortress", "fortresses")),
    )
    summer: bool = option(
        True, "summer", "SET-02", "MOV-02", flag=Flag("summer"), presets={"diplomacy": False}
    )
    adjustment_season: AdjustmentSeason = option(
        AdjustmentSeason.FALL,
        "adjustment_season",
        "MOV-02",
        presets={"battleline": AdjustmentSeason.SPRING},
    )
    special: bool = option(
        True,
        "special",
        "SET-11",
        "SPC-01",
        flag=Flag("special", ends_with=("money",)),
        presets={
            "battleline": False,
            "battleline_optional": True,
            "judge_basic": False,
            "diplomacy": False,
        },
    )
    neutral_impassable: bool = option(True, "neutral_impassable", "MAP-30")
    notation: OrderNotation = option(
        OrderNotation.PLACES,
        "notation",
        "MOV-03",
        presets={"battleline": OrderNotation.NUMBERS},
    )
    side_units: SideUnits = option(
        SideUnits.APART,
        "side_units",
        "SET-24",
        "VIC-09",
        presets={"battleline": SideUnits.ONE, "battleline_optional": SideUnits.APART},
    )
    opening: Opening = option(
        Opening.ADJUSTMENT,
        "initial_adjustment",
        "INC-16",
        flag="money",
        presets={
            "battleline": Opening.UPKEEP,
            "mach2": Opening.FIXED_MONEY,
            "judge_basic": Opening.CAMPAIGN,
            "diplomacy": Opening.CAMPAIGN,
        },
    )


class Route(Enum):
    """The sea route in an army's order (MOV-09)."""

    EXPLICIT = "explicit"
    IMPLICIT = "implicit"


class CoastSupport(Enum):
    """The coasts that a supporting fleet must reach (MOV-29)."""

    ANY = "any_coast"
    SAME = "same_coast"


class StraitEntry(Enum):
    """When a fleet that enters the guarding province closes the strait (MAP-13)."""

    ALWAYS = "always"
    IF_NO_FLEET = "if_no_fleet"
    NEVER = "never"


class Crossing(Enum):
    """Which units may cross a water that the board shows no border over."""

    NONE = "none"
    FLEET = "fleet"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class MovementRules:
    """Advance, support and convoy (area MOV)."""

    coastal_convoys: bool = option(
        True,
        "coastal_convoys",
        "SET-14",
        "MOV-07",
        flag=Flag("coastalconvoys", also=("coastalconvoy",)),
        presets={"karttunen": False, "mach2": False},
    )
    convoy_route: Route = option(
        Route.EXPLICIT,
        "convoy_route",
        "MOV-09",
        presets={"battleline": Route.IMPLICIT, "diplomacy": Route.IMPLICIT},
    )
    coast_support: CoastSupport = option(
        CoastSupport.ANY, "coast_support", "MOV-29", presets={"judge2009": CoastSupport.SAME}
    )
    disband_order: bool = option(
        False,
        "disband_order",
        "SET-15",
        "MOV-31",
        flag=Flag("disband"),
        presets={"battleline": True, "judge_basic": True},
    )


@dataclass(frozen=True, slots=True)
class StraitRules:
    """Which fleets close a strait (MAP-13 to MAP-16, MAP-36)."""

    entry: StraitEntry = option(
        StraitEntry.ALWAYS,
        "strait_enter_blocks",
        "MAP-13",
        "MAP-36",
        presets={"mach2": StraitEntry.NEVER, "judge2009": StraitEntry.IF_NO_FLEET},
    )
    leaver_blocks: bool = option(
        False, "strait_leaver_blocks", "MAP-16", "MAP-36", presets={"judge2009": True}
    )
    convert_in_blocks: bool = option(
        False,
        "strait_convert_in_blocks",
        "MAP-15",
        presets={"judge2009": True, "battleline": True, "karttunen": False},
    )
    convert_out_blocks: bool = option(
        True, "strait_convert_out_blocks", "MAP-14", presets={"mach2": False}
    )
    supports: bool = option(
        True,
        "strait_blocks_support",
        "MAP-10",
        presets={"judge1991": False, "battleline": False, "karttunen": True},
    )
    piombino: bool = option(
        True, "strait_piombino", "MAP-10", presets={"mach2": False, "diplomacy": True}
    )


@dataclass(frozen=True, slots=True)
class BorderRules:
    """Which borders are otherwise than the board shows them."""

    lagoon: bool = option(False, "map_patch_lagoon", "MOV-06", presets={"karttunen": True})
    upper_adriatic: bool = option(False, "map_patch_uas", "MOV-06", presets={"karttunen": True})
    messina: Crossing = option(
        Crossing.NONE,
        "map_messina_otranto",
        "MOV-06",
        presets={
            "karttunen": Crossing.FLEET,
            "mach2": Crossing.BOTH,
            "diplomacy": Crossing.NONE,
        },
    )
    corsica: Crossing = option(
        Crossing.NONE,
        "map_corsica_sardinia",
        "MOV-06",
        presets={
            "karttunen": Crossing.FLEET,
            "mach2": Crossing.BOTH,
            "diplomacy": Crossing.NONE,
        },
    )
    istria: bool = option(
        True,
        "map_istria_dalmatia_land",
        "MAP-05",
        presets={"battleline": False, "karttunen": True},
    )


class SupportTarget(Enum):
    """What a support names (MOV-13)."""

    UNIT = "unit"
    PLACE = "place_power"


class OwnConflict(Enum):
    """What becomes of units of one power that go to one place (MOV-16)."""

    STRONGEST = "diplomacy"
    ALL_HOLD = "hold_all"


class EliteBounce(Enum):
    """What becomes of one's own elite and normal unit that go to one place (MOV-17)."""

    ELITE_WINS = "elite_wins"
    ALL_HOLD = "all_hold"


class SupportCut(Enum):
    """Which attacks cut a support (MOV-14)."""

    ANY = "any_attack"
    EQUAL = "equal_force"


class EliteCut(Enum):
    """What an attack takes of an elite's support (MOV-28)."""

    WHOLE = "whole"
    POINT = "point"
    EQUAL_ONLY = "equal_only"


class ConvoyCut(Enum):
    """When the attack of a convoyed army cuts a support (MOV-21)."""

    CONSISTENT = "consistent"
    IF_IT_DISLODGES = "only_if_dislodges"


class StrengthScope(Enum):
    """Where the strength of two units counts that try to change places (MOV-18)."""

    HEAD_TO_HEAD = "head_to_head"
    TARGET = "target_area"


@dataclass(frozen=True, slots=True)
class ConflictRules:
    """Who supports whom, what cuts a support, and whose strength counts where."""

    support_target: SupportTarget = option(
        SupportTarget.UNIT,
        "support_target",
        "MOV-13",
        presets={"battleline": SupportTarget.PLACE},
    )
    own_conflict: OwnConflict = option(
        OwnConflict.STRONGEST,
        "own_conflict",
        "MOV-16",
        presets={"karttunen": OwnConflict.ALL_HOLD},
    )
    elite_bounce: EliteBounce = option(
        EliteBounce.ELITE_WINS,
        "elite_self_bounce",
        "MOV-17",
        presets={"karttunen": EliteBounce.ALL_HOLD},
    )
    support_cut: SupportCut = option(
        SupportCut.ANY,
        "support_cut",
        "MOV-14",
        presets={"battleline": SupportCut.EQUAL, "karttunen": SupportCut.ANY},
    )
    elite_cut: EliteCut = option(
        EliteCut.WHOLE,
        "elite_support_cut",
        "MOV-28",
        presets={"battleline": EliteCut.EQUAL_ONLY, "karttunen": EliteCut.POINT},
    )
    chained_support: bool = option(True, "chained_support", "MOV-13", presets={"karttunen": False})
    convoy_cut: ConvoyCut = option(
        ConvoyCut.CONSISTENT,
        "convoy_cut",
        "MOV-21",
        presets={"article": ConvoyCut.IF_IT_DISLODGES},
    )
    strength_scope: StrengthScope = option(
        StrengthScope.HEAD_TO_HEAD,
        "strength_scope",
        "MOV-18",
        presets={"karttunen": StrengthScope.TARGET},
    )
    dislodged_acts: bool = option(
        True, "dislodged_still_acts", "MOV-18", presets={"battleline": False}
    )
    inland_siege: bool = option(True, "fleet_supports_inland_siege", "SIE-01", "MOV-13")


class OtherOrder(Enum):
    """What another order than besiege does to a half-done siege (SIE-04, SIE-07)."""

    HOLD_KEEPS = "hold_keeps"
    HOLD_ABORTS = "hold_aborts"
    FREE_MOVE = "free_move"


class GarrisonLoss(Enum):
    """What becomes of a siege whose garrison leaves the map otherwise (SIE-10)."""

    LAPSE = "lapse"
    SUCCESS = "success"


class Besieged(Enum):
    """What becomes of the conversion of a garrison whose siege is half done (CNV-14)."""

    NEVER = "never"
    AS_ATTACK = "as_attack"


class PortCoasts(Enum):
    """On which coasts a port of several coasts can be used (MOV-30)."""

    ALL = "all"
    ANCHORED = "anchored"
    ONE = "single_anchored"


class Overrun(Enum):
    """What becomes of a conversion out of a city against a stronger attack (CNV-09)."""

    FAIL = "fail"
    THEN_RETREAT = "then_retreat"


@dataclass(frozen=True, slots=True)
class ConversionRules:
    """Who may change between city and province (area CNV)."""

    locked: bool = option(
        True,
        "rebel_city_locked",
        "CNV-06",
        "MOV-42",
        "REB-08",
        presets={"judge1991": False, "battleline": False, "karttunen": True},
    )
    third_party: bool = option(
        True, "rebel_city_third_party", "CNV-06", "REB-08", presets={"karttunen": False}
    )
    against_first_siege: bool = option(
        True, "convert_vs_first_siege", "CNV-12", presets={"battleline": False}
    )
    besieged: Besieged = option(
        Besieged.NEVER,
        "besieged_convert",
        "CNV-14",
        presets={"mach2": Besieged.AS_ATTACK, "diplomacy": Besieged.NEVER},
    )
    besieged_elite_stays: bool = option(
        True,
        "elite_second_siege_block",
        "SPC-08",
        "CNV-13",
        presets={"judge1991": False, "battleline": False, "mach2": False, "diplomacy": True},
    )
    in_holds: bool = option(
        False,
        "convert_in_holds_province",
        "CNV-03",
        "CNV-05",
        presets={"battleline": True, "karttunen": False},
    )
    overrun: Overrun = option(
        Overrun.FAIL,
        "convert_out_vs_stronger",
        "CNV-09",
        presets={"battleline": Overrun.THEN_RETREAT},
    )
    follows_leaver: bool = option(
        True,
        "convert_out_follows_leaver",
        "CNV-16",
        presets={"battleline": False, "karttunen": True},
    )
    port_coasts: PortCoasts = option(PortCoasts.ALL, "multi_coast_port", "MOV-30")


@dataclass(frozen=True, slots=True)
class SiegeRules:
    """Sieges (area SIE)."""

    other_order: OtherOrder = option(
        OtherOrder.HOLD_KEEPS,
        "siege_other_order",
        "SIE-04",
        "SIE-07",
        presets={"judge2009": OtherOrder.HOLD_ABORTS, "mach2": OtherOrder.FREE_MOVE},
    )
    garrison_loss: GarrisonLoss = option(
        GarrisonLoss.LAPSE,
        "siege_on_garrison_loss",
        "SIE-10",
        presets={"karttunen": GarrisonLoss.SUCCESS},
    )
    from_lagoon: bool = option(
        False,
        "venice_lagoon_siege",
        "SIE-02",
        "MAP-25",
        "CTL-03",
        presets={"karttunen": True},
    )


# Retreats (MOV-40 to MOV-48).
class CityRetreat(Enum):
    """When a unit may retreat into the city of its province (MOV-44)."""

    LAST_RESORT = "last_resort"
    ALWAYS = "always"


class Origin(Enum):
    """Retreats to the place that a convoyed attacker came from (MOV-40)."""

    CLOSED = "closed"
    OPEN = "open"


class Piombino(Enum):
    """What a fleet that a fleet drove from Piombino may do (MAP-17)."""

    NORMAL = "normal"
    NO_SEA = "no_sea"
    DESTROYED = "destroyed"


class Lagoon(Enum):
    """How a fleet from the Lagoon may retreat to Venice (MAP-34)."""

    FLEET = "fleet"
    GARRISON_LAST = "garrison_last"


class Chooser(Enum):
    """Who says where a dislodged unit goes: its owner, or the judge (MOV-47)."""

    PLAYER = "player"
    RANKED = "judge_ranked"
    LUMPED = "judge_lumped"


class RetreatTiming(Enum):
    """Retreats together, or one after another as orders are read out (MOV-41)."""

    TOGETHER = "phase"
    READING_ORDER = "reading_order"


class Meeting(Enum):
    """What becomes of units of equal strength that retreat to one place (MOV-41)."""

    DESTROY = "destroy"
    FIRST_READ = "first_read"
    DIE = "strong_then_die"


class RetreatStrength(Enum):
    """What special units count for when retreats meet (MOV-41)."""

    FLAT = "flat"
    REAL = "real"


@dataclass(frozen=True, slots=True)
class RetreatRules:
    """Where dislodged units may go (MOV-40 to MOV-48)."""

    to_city: CityRetreat = option(
        CityRetreat.LAST_RESORT,
        "retreat_to_garrison",
        "MOV-44",
        presets={"mach2": CityRetreat.ALWAYS, "diplomacy": CityRetreat.LAST_RESORT},
    )
    convoyed_origin: Origin = option(
        Origin.CLOSED, "convoyed_attacker_origin", "MOV-40", presets={"diplomacy": Origin.OPEN}
    )
    piombino: Piombino = option(
        Piombino.NORMAL,
        "piombino_dislodged_retreat",
        "MAP-17",
        presets={"judge2009": Piombino.DESTROYED, "article": Piombino.NO_SEA},
    )
    lagoon: Lagoon = option(
        Lagoon.FLEET,
        "lagoon_retreat_to_venice",
        "MAP-34",
        presets={"judge2009": Lagoon.GARRISON_LAST},
    )
    of_victims: bool = option(True, "assassinated_may_retreat", "MOV-47")
    liberates: bool = option(
        True,
        "retreat_liberates",
        "MOV-46",
        "REB-31",
        presets={"judge1991": False, "battleline": False, "karttunen": True},
    )
    chooser: Chooser = option(
        Chooser.PLAYER, "retreat_choice", "MOV-47", presets={"karttunen": Chooser.RANKED}
    )
    timing: RetreatTiming = option(
        RetreatTiming.TOGETHER,
        "retreat_timing",
        "MOV-41",
        presets={
            "battleline": RetreatTiming.READING_ORDER,
            "karttunen": RetreatTiming.TOGETHER,
        },
    )
    meeting: Meeting = option(
        Meeting.DESTROY,
        "retreat_conflict",
        "MOV-41",
        presets={"battleline": Meeting.FIRST_READ, "karttunen": Meeting.DIE},
    )
    strength: RetreatStrength = option(
        RetreatStrength.FLAT,
        "retreat_strength",
        "MOV-41",
        "SPC-04",
        presets={"karttunen": RetreatStrength.REAL},
    )


class Timing(Enum):
    """When control is counted (CTL-01)."""

    CONTINUOUS = "continuous"
    FALL = "fall"


class CityControl(Enum):
    """Whose a city is while another power has the province around it (CTL-09)."""

    SPLIT = "split"
    BOTH_NEEDED = "both_needed"
    NOBODY = "nobody"
    """The province neither, where two players have the units."""


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

    Where others' are asked for, the own one counts also when somebody else has it. Where none
    count, cities alone win (SET-20).
    """

    OWNED = "owned"
    OTHERS = "others"
    NONE = "none"


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
        "SET-20",
        presets={
            "battleline": HomesCounted.OTHERS,
            "mach2": HomesCounted.NONE,
            "diplomacy": HomesCounted.OWNED,
        },
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


class FortBuilds(Enum):
    """What may be built where the only city is a fortress (MAP-07)."""

    FIELD = "army_fleet"
    NONE = "none"


class BuildControl(Enum):
    """What must be controlled where something is built (ADJ-03, CTL-10)."""

    BOTH = "both"
    PROVINCE = "province"


class FleetBuilds(Enum):
    """Where fleets are built: in ports, or wherever a city's province has a coast (ADJ-04)."""

    PORTS = "ports"
    COASTS = "coasts"


class Trades(Enum):
    """Where an old unit cannot be removed for a new one (ADJ-06)."""

    SPACE = "space"
    PROVINCE = "province"


class Unpaid(Enum):
    """Which units go when they cannot be kept (ADJ-12; DATC 4.D.8)."""

    OLDEST_OUTSIDE_CITIES = "nonsupply_oldest"
    DISTANCE = "distance_2023"


class Adjacency(Enum):
    """What brings an expense's target within reach (EXP-27)."""

    UNITS = "units"
    UNITS_OR_CONTROL = "units_or_control"
    NONE = "none"


class Overspend(Enum):
    """What an expense gets that the treasury cannot pay (EXP-02)."""

    USE_REST = "use_rest"
    VOID = "void"


PRICES = Table(
    {"a": 3, "b": 12, "d": 6, "e": 9, "f": 9, "g": 12, "h": 12, "i": 18, "j": 9, "k": 15}
)
"""The price list: the least ducats of an expense, by its letter (EXP-37)."""

NO_CAPS: Table[int] = Table({})
COUNTERS = Table({"A": 12, "F": 8, "G": 6})
"""How many armies, fleets and garrisons each power had as counters (ADJ-09)."""

NEAR = tuple("abcdefghijk")
"""The letters of the expenses that can be bound to the neighbourhood of units (EXP-27)."""


@dataclass(frozen=True, slots=True)
class AdjustmentRules:
    """Builds and upkeep (area ADJ)."""

    fort_builds: FortBuilds = option(
        FortBuilds.FIELD,
        "fort_builds",
        "MAP-07",
        presets={"judge1991": FortBuilds.NONE, "battleline": FortBuilds.NONE},
    )
    fleet_builds: FleetBuilds = option(
        FleetBuilds.PORTS, "fleet_builds", "ADJ-04", presets={"diplomacy": FleetBuilds.COASTS}
    )
    unpaid: Unpaid = option(
        Unpaid.OLDEST_OUTSIDE_CITIES,
        "auto_disband",
        "ADJ-12",
        "ADJ-15",
        presets={"diplomacy": Unpaid.DISTANCE},
    )
    special_limit: int = option(1, "special_limit", "SPC-06", "SPC-10", limits=Limits(most=99))
    caps: Table[int] = option(
        NO_CAPS,
        "unit_caps",
        "ADJ-09",
        limits=Limits(most=99, among=("A", "F", "G")),
        presets={"judge1991": COUNTERS, "battleline": COUNTERS},
    )
    trades: Trades = option(
        Trades.SPACE,
        "trade_scope",
        "ADJ-06",
        presets={
            "judge1991": Trades.PROVINCE,
            "battleline": Trades.PROVINCE,
            "mach2_book": Trades.PROVINCE,
        },
    )
    voluntary: bool = option(
        True, "voluntary_removal", "ADJ-01", "ADJ-15", presets={"battleline_basic": False}
    )
    rebels_bar_builds: bool = option(
        True,
        "no_build_in_rebellion",
        "ADJ-07",
        presets={"judge1991": False},
    )
    build_control: BuildControl = option(
        BuildControl.BOTH,
        "build_control",
        "ADJ-03",
        "CTL-10",
        presets={"judge1991": BuildControl.PROVINCE},
    )


@dataclass(frozen=True, slots=True)
class MoneyRules:
    """Bank, expenses and assassination (areas BNK, EXP, ASN)."""

    loans: bool = option(
        True,
        "loans",
        "SET-05",
        "BNK-01",
        flag=Flag(
            "loans",
            also=("bank", "bankers", "loan"),
            needs=("dice",),
            ends_with=("money",),
        ),
        presets={
            "battleline": False,
            "battleline_optional": True,
            "karttunen": False,
            "judge_basic": False,
            "diplomacy": False,
        },
    )
    debtor_may_give: bool = option(False, "debtor_may_give", "BNK-07", presets={"battleline": True})
    adjustment_gifts: bool = option(
        False, "gifts_in_adjustment", "BNK-23", presets={"karttunen": True}
    )
    default_wastes_expenses: bool = option(
        True,
        "default_wastes_expenses",
        "BNK-10",
        "SEQ-06",
        presets={"judge1991": False, "battleline": False},
    )
    overspend: Overspend = option(
        Overspend.USE_REST, "overspend", "EXP-02", "BNK-18", presets={"karttunen": Overspend.VOID}
    )
    adjacency: Adjacency = option(
        Adjacency.UNITS,
        "adjacency",
        "SET-13",
        "EXP-27",
        flag=Flag(
            "adjacency",
            also=("adjacent", "adj"),
            on=Adjacency.UNITS,
            off=Adjacency.NONE,
            ends_with=("money",),
        ),
        presets={
            "judge_basic": Adjacency.NONE,
            "mach2_book": Adjacency.UNITS_OR_CONTROL,
            "karttunen": Adjacency.UNITS_OR_CONTROL,
            "diplomacy": Adjacency.NONE,
        },
    )
    near: tuple[str, ...] = option(
        NEAR,
        "adjacency_kinds",
        "EXP-27",
        "EXP-37",
        limits=Limits(among=NEAR),
        presets={
            "judge1991": tuple("cdefghi"),
            "battleline": tuple("defghi"),
            "karttunen": tuple("cdefghijk"),
        },
    )
    prices: Table[int] = option(PRICES, "expense_prices", "EXP-37", limits=Limits(most=99))
    assassinations: bool = option(
        True,
        "assassinations",
        "SET-09",
        "ASN-12",
        flag=Flag(
            "assassinations",
            also=("assassination", "assassins"),
            needs=("dice",),
            ends_with=("money",),
        ),
        presets={"battleline_basic": False, "judge_basic": False, "diplomacy": False},
    )
    revolts: tuple[int, ...] = option(
        (1, 2, 3, 5), "assassin_rebel_table", "ASN-09", limits=Limits(most=6)
    )
    self_bribe: bool = option(False, "self_bribe", "EXP-26", "REB-02", presets={"judge2009": True})


class FixedRolls(Enum):
    """The fixed die of games without dice, by the year (INC-14)."""

    ODD_FOUR = "odd4_even3"
    ODD_THREE = "odd3_even4"


class HomeIncome(Enum):
    """How long a home country's variable income is paid (INC-11)."""

    UNTIL_CONQUERED = "until_conquered"
    FOOTHOLD = "foothold"


class IncomeTable(Enum):
    """By which table variable incomes are paid, and to which homes and cities (INC-10)."""

    SCENARIO = "scenario"
    KARTTUNEN = "karttunen_9"


class ForcedTaxes(Enum):
    """Taxes by force in the adjustment, and their effects (INC-19)."""

    OFF = "off"
    KARTTUNEN = "karttunen"
    V31 = "v31"


@dataclass(frozen=True, slots=True)
class IncomeRules:
    """The year's income (area INC)."""

    fixed_rolls: FixedRolls = option(
        FixedRolls.ODD_FOUR, "nodice_rolls", "INC-14", presets={"battleline": FixedRolls.ODD_THREE}
    )
    besieged_pays: bool = option(
        False, "besieged_income", "INC-06", "SIE-15", presets={"article": True}
    )
    fort_income: int = option(0, "fort_income", "MAP-08", limits=Limits(most=99))
    city_roll_needs_province: bool = option(
        False, "var_city_needs_province", "INC-13", presets={"karttunen": True}
    )
    home_roll: HomeIncome = option(
        HomeIncome.UNTIL_CONQUERED, "var_keep", "INC-11", presets={"judge2009": HomeIncome.FOOTHOLD}
    )
    table: IncomeTable = option(
        IncomeTable.SCENARIO,
        "var_income_table",
        "INC-10",
        presets={"karttunen": IncomeTable.KARTTUNEN},
    )
    shared_die: bool = option(False, "var_shared_die", "INC-10", presets={"karttunen": True})
    forced: ForcedTaxes = option(
        ForcedTaxes.OFF,
        "forced_taxation",
        "INC-19",
        presets={"karttunen": ForcedTaxes.KARTTUNEN},
    )


class CounterBribes(Enum):
    """How several counter-bribes for one unit count (EXP-22)."""

    SUM = "sum"
    LARGEST = "largest"


class BribeTie(Enum):
    """What decides between equal largest bribes (EXP-21)."""

    ALL_FAIL = "all_fail"
    MARGIN = "margin"
    DIE = "die"


class RebelPlacement(Enum):
    """Where rebels rise in a province with an open fortified city (REB-03)."""

    BOTH = "both"
    CITY_ELSE_PROVINCE = "city_else_province"


class RebelSupport(Enum):
    """Whom rebels help of several who come (REB-13, REB-14)."""

    ONE_OR_NONE = "one_or_none"
    EACH = "each"


class RebelControl(Enum):
    """Who controls a place in which rebels stand (REB-05)."""

    KEPT = "kept"
    SUSPENDED = "suspended"
    NOBODY = "nobody"


class Liberation(Enum):
    """When rebels are freed by units of other powers (REB-29 to REB-31)."""

    IMMEDIATE = "immediate"
    ENTRY = "entry"
    TURN_END = "turn_end"


class Chits(Enum):
    """Whom a power may have assassinated, and how often (ASN-01)."""

    ONE_EACH = "one_each"
    DRAWN = "drawn"
    UNLIMITED = "unlimited"


class AssassinNumbers(Enum):
    """How the numbers on which an assassin kills are chosen (ASN-03)."""

    CHANCE = "chance"
    NAMED = "named"


class SiegeKill(Enum):
    """Which besieged garrisons an assassinated leader loses (ASN-07)."""

    PREVIOUS_ONLY = "previous_only"
    ANY_SIEGE = "any_siege"


class OverLimit(Enum):
    """What becomes of a special unit that its buyer may not have (SPC-06)."""

    FAIL = "fail"
    STANDARD = "becomes_standard"


class Nations(Enum):
    """The powers' special units: all, or those of the scenario."""

    NONE = "none"
    TABLE = "table"


class Released(Enum):
    """What becomes of a special unit that is made autonomous (SPC-05)."""

    KEEP = "keep"
    STANDARD = "standard"


@dataclass(frozen=True, slots=True)
class BribeRules:
    """Bribes and counter-bribes (area EXP)."""

    counter: CounterBribes = option(
        CounterBribes.SUM,
        "counter_bribes",
        "EXP-22",
        presets={"karttunen": CounterBribes.LARGEST},
    )
    tie: BribeTie = option(
        BribeTie.ALL_FAIL,
        "bribe_tie",
        "EXP-21",
        presets={"karttunen": BribeTie.MARGIN, "mach2_book": BribeTie.DIE},
    )
    by_permission: bool = option(False, "bribe_permission", "EXP-29")
    committed_garrisons: bool = option(
        True,
        "buy_committed_garrison",
        "EXP-13",
        presets={"judge1991": False, "battleline": False, "karttunen": True},
    )
    major_factor: int = option(2, "major_factor", "EXP-17", limits=Limits(most=9))
    special_major_factor: int = option(
        4, "special_major_factor", "EXP-17", limits=Limits(most=9), presets={"karttunen": 3}
    )


@dataclass(frozen=True, slots=True)
class RebellionRules:
    """Rebels: where they rise, whom they help, what ends them (area REB)."""

    placement: RebelPlacement = option(
        RebelPlacement.BOTH,
        "rebel_placement",
        "REB-03",
        presets={
            "judge1991": RebelPlacement.CITY_ELSE_PROVINCE,
            "battleline": RebelPlacement.CITY_ELSE_PROVINCE,
        },
    )
    control: RebelControl = option(
        RebelControl.KEPT,
        "rebellion_control",
        "REB-05",
        presets={"battleline": RebelControl.SUSPENDED},
    )
    mixed_bar: bool = option(False, "rebel_mixed_bar", "REB-02", presets={"karttunen": True})
    support: RebelSupport = option(
        RebelSupport.ONE_OR_NONE,
        "rebel_support",
        "REB-13",
        "REB-14",
        presets={"mach2_book": RebelSupport.EACH},
    )
    helps_conversions: bool = option(
        True,
        "rebel_support_conversion",
        "REB-15",
        presets={"judge1991": False, "battleline": False},
    )
    garrison_puts_down: bool = option(
        False,
        "garrison_puts_down",
        "REB-25",
        "REB-27",
        presets={"judge1991": True, "battleline": True},
    )
    liberation: Liberation = option(
        Liberation.IMMEDIATE,
        "liberation",
        "REB-30",
        "REB-33",
        presets={"battleline": Liberation.ENTRY, "karttunen": Liberation.TURN_END},
    )
    invalid_puts_down: bool = option(
        False, "invalid_order_puts_down", "REB-26", presets={"battleline": True}
    )


@dataclass(frozen=True, slots=True)
class AssassinRules:
    """Attempts on leaders, and what a dead one loses (area ASN)."""

    chits: Chits = option(
        Chits.ONE_EACH, "assassin_chits", "ASN-01", presets={"karttunen": Chits.UNLIMITED}
    )
    numbers: AssassinNumbers = option(
        AssassinNumbers.CHANCE,
        "assassin_numbers",
        "ASN-03",
        presets={"battleline": AssassinNumbers.NAMED},
    )
    siege_kill: SiegeKill = option(
        SiegeKill.PREVIOUS_ONLY,
        "assassin_siege_kill",
        "ASN-07",
        presets={"judge1991": SiegeKill.ANY_SIEGE},
    )


@dataclass(frozen=True, slots=True)
class SpecialRules:
    """Who may have special units, what they lose in other hands, and nobody's units (SPC)."""

    over_limit: OverLimit = option(
        OverLimit.FAIL, "special_overlimit", "SPC-06", presets={"karttunen": OverLimit.STANDARD}
    )
    first_spring: bool = option(
        True, "special_first_spring", "SPC-06", presets={"karttunen": False}
    )
    nations: Nations = option(
        Nations.NONE,
        "special_nations",
        "SPC-01",
        "SET-20",
        presets={"mach2": Nations.TABLE, "diplomacy": Nations.NONE},
    )
    cavalry: bool = option(False, "cavalry", "SPC-11")
    autonomous_afield: bool = option(False, "autonomous_af", "MOV-25", "EXP-32")
    released: Released = option(
        Released.KEEP,
        "special_autonomous",
        "SPC-05",
        "EXP-33",
        presets={"karttunen": Released.STANDARD},
    )


class Severity(Enum):
    """Which rolls strike a row and which a column (FAM-01)."""

    JUDGE = "judge"
    BOOK = "book"


class Storms(Enum):
    """Storms: none, by the board's table, or by a die for each sea (STM-02)."""

    OFF = "off"
    TABLE = "table"
    SEA_DIE = "sea_die"


class StormTime(Enum):
    """When storms strike: after the campaign of Fall, or before its orders (STM-01)."""

    AFTER_FALL = "after_fall"
    BEFORE_FALL = "before_fall"


@dataclass(frozen=True, slots=True)
class DisasterRules:
    """Famine, plague and storms (areas FAM, PLG, STM)."""

    famine: bool = option(
        True,
        "famine",
        "SET-06",
        "FAM-01",
        flag=Flag("famine", needs=("dice",)),
        presets={
            "battleline": False,
            "battleline_optional": True,
            "judge_basic": False,
            "diplomacy": False,
        },
    )
    plague: bool = option(
        False,
        "plague",
        "SET-07",
        "PLG-01",
        flag=Flag("plague", needs=("dice",)),
        presets={"battleline_optional": True},
    )
    storm: Storms = option(
        Storms.OFF,
        "storm",
        "SET-08",
        "STM-02",
        flag=Flag("storms", also=("storm",), on=Storms.TABLE, off=Storms.OFF, needs=("dice",)),
        presets={"karttunen": Storms.SEA_DIE},
    )
    storm_time: StormTime = option(
        StormTime.AFTER_FALL,
        "storm_time",
        "STM-01",
        presets={"karttunen": StormTime.BEFORE_FALL},
    )
    severity: Severity = option(
        Severity.JUDGE, "disaster_rolls", "FAM-01", presets={"battleline": Severity.BOOK}
    )
    early_relief: bool = option(
        False, "famine_relief_early", "FAM-08", "EXP-05", presets={"karttunen": True}
    )
    spreading: bool = option(False, "plague_spreads", "PLG-06")


class Ban(Enum):
    """Excommunication by the Papacy, and what it keeps from a power (BNK-22)."""

    OFF = "off"
    NO_MONEY = "no_money"
    NO_TALK = "no_talk"


class Legality(Enum):
    """When an order is legal: what no units could carry out is refused when read (SYN-10)."""

    EVER = "ever"
    AS_UNITS_STAND = "as_units_stand"


class LongMoves(Enum):
    """Marches through own land after the conflicts (MOV-34)."""

    OFF = "off"
    ORDER_ANY = "order_any"
    PHASE_TWO = "phase_two"


@dataclass(frozen=True, slots=True)
class OrderRules:
    """Excommunication, strategic movement, and when an order is legal."""

    ban: Ban = option(Ban.OFF, "excommunication", "BNK-22", presets={"karttunen": Ban.NO_MONEY})
    long_moves: LongMoves = option(
        LongMoves.OFF, "strategic_move", "MOV-34", presets={"karttunen": LongMoves.ORDER_ANY}
    )
    legality: Legality = option(
        Legality.EVER,
        "order_legality",
        "SYN-10",
        "MOV-09",
        "MOV-13",
        presets={"diplomacy": Legality.AS_UNITS_STAND},
    )
    cession: bool = option(False, "trade_provinces", "CTL-17")
    scorched_earth: bool = option(False, "scorched_earth", "INC-20")


# The rules in force: one field per variation, grouped by the room that reads it. Each field
# carries the facts of its option: name, values, what is played with each of them, and numbers of
# the catalogue. Presets, flags, settings, the formats and the documents follow from these.
@dataclass(frozen=True)
class Rules:
    """All variations in force in one game."""

    game: GameRules = GameRules()
    movement: MovementRules = MovementRules()
    conflict: ConflictRules = ConflictRules()
    retreat: RetreatRules = RetreatRules()
    conversion: ConversionRules = ConversionRules()
    siege: SiegeRules = SiegeRules()
    strait: StraitRules = StraitRules()
    borders: BorderRules = BorderRules()
    control: ControlRules = ControlRules()
    victory: VictoryRules = VictoryRules()
    income: IncomeRules = IncomeRules()
    adjustment: AdjustmentRules = AdjustmentRules()
    disaster: DisasterRules = DisasterRules()
    money: MoneyRules = MoneyRules()
    orders: OrderRules = OrderRules()
    bribes: BribeRules = BribeRules()
    rebellion: RebellionRules = RebellionRules()
    assassins: AssassinRules = AssassinRules()
    special: SpecialRules = SpecialRules()

    def __hash__(self) -> int:
        """Return the hash, computed once: each mail looks up its game's world by the rules."""
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(tuple(getattr(self, each.name) for each in fields(self)))
