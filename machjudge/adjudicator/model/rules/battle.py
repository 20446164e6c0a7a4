"""Movement, retreats, sieges and straits (areas MOV, SIE, MAP)."""

from dataclasses import dataclass
from enum import Enum

from machjudge.adjudicator.model.rules.option import Flag, option


class Route(Enum):
    """Whether an army's order lists its sea route (MOV-09)."""

    EXPLICIT = "explicit"
    IMPLICIT = "implicit"


class CoastSupport(Enum):
    """Whether a fleet must reach the very coast that it supports into (MOV-29)."""

    ANY = "any_coast"
    SAME = "same_coast"


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
    DESTROYED = "destroyed"


class Lagoon(Enum):
    """How a fleet from the Lagoon may retreat to Venice (MAP-34)."""

    FLEET = "fleet"
    GARRISON_LAST = "garrison_last"


class OtherOrder(Enum):
    """What another order than besiege does to a half-done siege (SIE-04, SIE-07)."""

    HOLD_KEEPS = "hold_keeps"
    HOLD_ABORTS = "hold_aborts"
    FREE_MOVE = "free_move"


class StraitEntry(Enum):
    """Whether a fleet that enters the guarding province closes the strait at once (MAP-13)."""

    ALWAYS = "always"
    IF_NO_FLEET = "if_no_fleet"
    NEVER = "never"


class Crossing(Enum):
    """Which units may cross a water that the board shows no border over."""

    NONE = "none"
    FLEET = "fleet"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class MovementRules:
    """Advance, support and convoy (area MOV)."""

    coastal_convoys: bool = option(
        True,
        "coastal_convoys",
        "SET-14",
        "MOV-07",
        flag=Flag("coastalconvoys", also=("coastalconvoy",)),
        presets={"karttunen": False, "mach2": False},
    )
    convoy_route: Route = option(
        Route.EXPLICIT,
        "convoy_route",
        "MOV-09",
        presets={"battleline": Route.IMPLICIT, "diplomacy": Route.IMPLICIT},
    )
    coast_support: CoastSupport = option(
        CoastSupport.ANY, "coast_support", "MOV-29", presets={"judge2009": CoastSupport.SAME}
    )
    disband_order: bool = option(
        False,
        "disband_order",
        "SET-15",
        "MOV-31",
        flag=Flag("disband"),
        presets={"battleline": True, "judge_basic": True},
    )


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
        presets={"judge2009": Piombino.DESTROYED},
    )
    lagoon: Lagoon = option(
        Lagoon.FLEET,
        "lagoon_retreat_to_venice",
        "MAP-34",
        presets={"judge2009": Lagoon.GARRISON_LAST},
    )


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


@dataclass(frozen=True, slots=True)
class StraitRules:
    """Which fleets close a strait (MAP-13 to MAP-16, MAP-36)."""

    entry: StraitEntry = option(
        StraitEntry.ALWAYS,
        "strait_enter_blocks",
        "MAP-13",
        "MAP-36",
        presets={"mach2": StraitEntry.NEVER, "judge2009": StraitEntry.IF_NO_FLEET},
    )
    leaver_blocks: bool = option(
        False, "strait_leaver_blocks", "MAP-16", "MAP-36", presets={"judge2009": True}
    )
    convert_in_blocks: bool = option(
        False, "strait_convert_in_blocks", "MAP-15", presets={"judge2009": True}
    )
    convert_out_blocks: bool = option(
        True, "strait_convert_out_blocks", "MAP-14", presets={"mach2": False}
    )
    supports: bool = option(
        True,
        "strait_blocks_support",
        "MAP-10",
        presets={"judge1991": False, "battleline": False, "karttunen": True},
    )
    piombino: bool = option(
        True, "strait_piombino", "MAP-10", presets={"mach2": False, "diplomacy": True}
    )


@dataclass(frozen=True, slots=True)
class BorderRules:
    """Which borders are otherwise than the board shows them."""

    lagoon: bool = option(False, "map_patch_lagoon", "MOV-06", presets={"karttunen": True})
    upper_adriatic: bool = option(False, "map_patch_uas", "MOV-06", presets={"karttunen": True})
    messina: Crossing = option(
        Crossing.NONE,
        "map_messina_otranto",
        "MOV-06",
        presets={
            "karttunen": Crossing.FLEET,
            "mach2": Crossing.BOTH,
            "diplomacy": Crossing.NONE,
        },
    )
    corsica: Crossing = option(
        Crossing.NONE,
        "map_corsica_sardinia",
        "MOV-06",
        presets={
            "karttunen": Crossing.FLEET,
            "mach2": Crossing.BOTH,
            "diplomacy": Crossing.NONE,
        },
    )
    istria: bool = option(
        True,
        "map_istria_dalmatia_land",
        "MAP-05",
        presets={"battleline": False, "karttunen": True},
    )
