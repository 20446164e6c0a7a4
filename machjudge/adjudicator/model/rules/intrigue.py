"""What is stirred up for ducats: bribes, rebellions, assassins, special units (EXP to SPC)."""

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
    """Whether a player names the numbers on which an assassin kills (ASN-03)."""

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
    """Whether the scenario says which special units a power may have."""

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
