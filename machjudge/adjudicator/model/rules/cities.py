"""Between city and province: conversions and sieges (areas CNV, SIE)."""

from dataclasses import dataclass
from enum import Enum

from machjudge.adjudicator.model.rules.option import option


class OtherOrder(Enum):
    """What another order than besiege does to a half-done siege (SIE-04, SIE-07)."""

    HOLD_KEEPS = "hold_keeps"
    HOLD_ABORTS = "hold_aborts"
    FREE_MOVE = "free_move"


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
