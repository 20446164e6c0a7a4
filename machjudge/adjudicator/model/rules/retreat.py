"""Retreats (MOV-40 to MOV-48)."""

from dataclasses import dataclass
from enum import Enum

from machjudge.adjudicator.model.rules.option import option


class CityRetreat(Enum):
    """When a unit may retreat into the city of its province (MOV-44)."""

    LAST_RESORT = "last_resort"
    ALWAYS = "always"


class Origin(Enum):
    """Whether the place a convoyed attacker came from is open to retreats (MOV-40)."""

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
    """Whether retreats happen together or one after another, as orders are read out (MOV-41)."""

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
