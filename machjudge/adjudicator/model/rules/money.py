"""Adjustment, bank and expenses (areas ADJ, BNK, EXP, ASN)."""

from dataclasses import dataclass
from enum import Enum

from machjudge.adjudicator.model.rules.option import Flag, Limits, Table, option


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
