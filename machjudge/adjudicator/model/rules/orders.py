"""Orders that only some editions know."""

from dataclasses import dataclass
from enum import Enum

from machjudge.adjudicator.model.rules.option import option


class Ban(Enum):
    """Whether the Papacy may excommunicate, and what that keeps from a power (BNK-22)."""

    OFF = "off"
    NO_MONEY = "no_money"
    NO_TALK = "no_talk"


@dataclass(frozen=True, slots=True)
class OrderRules:
    """Excommunication, and other orders of some editions."""

    ban: Ban = option(Ban.OFF, "excommunication", "BNK-22", presets={"karttunen": Ban.NO_MONEY})
