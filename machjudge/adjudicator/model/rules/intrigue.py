"""What is stirred up for ducats: bribes and rebellions (areas EXP, REB)."""

from dataclasses import dataclass
from enum import Enum

from machjudge.adjudicator.model.rules.option import Limits, option


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


class Liberation(Enum):
    """When rebels are freed by units of other powers (REB-29 to REB-31)."""

    IMMEDIATE = "immediate"
    TURN_END = "turn_end"


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
        presets={"karttunen": Liberation.TURN_END},
    )
