"""Movement, straits and borders (areas MOV, MAP)."""

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
        False,
        "strait_convert_in_blocks",
        "MAP-15",
        presets={"judge2009": True, "battleline": True, "karttunen": False},
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
