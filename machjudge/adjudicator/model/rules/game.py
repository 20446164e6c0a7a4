"""What is in use at all (area SET), and the disasters (areas FAM, PLG, STM)."""

from dataclasses import dataclass
from enum import Enum

from machjudge.adjudicator.model.rules.option import Flag, option


class Opening(Enum):
    """Whether the game opens in the adjustment before its first campaign (INC-16)."""

    ADJUSTMENT = "full"
    CAMPAIGN = "none"


class Severity(Enum):
    """Which rolls strike a row and which a column (FAM-01)."""

    JUDGE = "judge"
    BOOK = "book"


class Storms(Enum):
    """Whether storms strike, by the board's table (STM-02)."""

    OFF = "off"
    TABLE = "table"


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
    opening: Opening = option(
        Opening.ADJUSTMENT,
        "initial_adjustment",
        "INC-16",
        flag="money",
        presets={"judge_basic": Opening.CAMPAIGN, "diplomacy": Opening.CAMPAIGN},
    )


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
    )
    severity: Severity = option(
        Severity.JUDGE, "disaster_rolls", "FAM-01", presets={"battleline": Severity.BOOK}
    )
