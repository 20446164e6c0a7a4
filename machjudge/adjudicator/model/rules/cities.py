"""Between city and province: conversions and sieges (areas CNV, SIE)."""

from dataclasses import dataclass
from enum import Enum

from machjudge.adjudicator.model.rules.option import option


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
