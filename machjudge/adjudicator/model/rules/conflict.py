"""Conflicts between units: supports, what cuts them, and how strengths count (area MOV)."""

from dataclasses import dataclass
from enum import Enum

from machjudge.adjudicator.model.rules.option import option


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
