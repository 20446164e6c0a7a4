"""Bribes (area EXP): who gets the unit, what protects it, and what it costs."""

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
