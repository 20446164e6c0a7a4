"""Famine, plague and storms (areas FAM, PLG, STM)."""

from dataclasses import dataclass
from enum import Enum

from machjudge.adjudicator.model.rules.option import Flag, option


class Severity(Enum):
    """Which rolls strike a row and which a column (FAM-01)."""

    JUDGE = "judge"
    BOOK = "book"


class Storms(Enum):
    """Whether storms strike, by the board's table or by a die for each sea (STM-02)."""

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
