"""Orders that only some editions know, and when an order is legal."""

from dataclasses import dataclass
from enum import Enum

from machjudge.adjudicator.model.rules.option import option


class Ban(Enum):
    """Whether the Papacy may excommunicate, and what that keeps from a power (BNK-22)."""

    OFF = "off"
    NO_MONEY = "no_money"
    NO_TALK = "no_talk"


class Legality(Enum):
    """When an order is legal: what no units could carry out is refused when read (SYN-10)."""

    EVER = "ever"
    AS_UNITS_STAND = "as_units_stand"


class LongMoves(Enum):
    """Whether units may march through their own land after the conflicts (MOV-34)."""

    OFF = "off"
    ORDER_ANY = "order_any"
    PHASE_TWO = "phase_two"


@dataclass(frozen=True, slots=True)
class OrderRules:
    """Excommunication, strategic movement, and when an order is legal."""

    ban: Ban = option(Ban.OFF, "excommunication", "BNK-22", presets={"karttunen": Ban.NO_MONEY})
    long_moves: LongMoves = option(
        LongMoves.OFF, "strategic_move", "MOV-34", presets={"karttunen": LongMoves.ORDER_ANY}
    )
    legality: Legality = option(
        Legality.EVER,
        "order_legality",
        "SYN-10",
        "MOV-09",
        "MOV-13",
        presets={"diplomacy": Legality.AS_UNITS_STAND},
    )
    cession: bool = option(False, "trade_provinces", "CTL-17")
    scorched_earth: bool = option(False, "scorched_earth", "INC-20")
