"""What is in use at all (area SET)."""

from dataclasses import dataclass
from enum import Enum

from machjudge.adjudicator.model.rules.option import Flag, option


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
    """Whether a player of several powers has units for each, or one set for all (SET-24)."""

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
