"""How much people may do: what the keeper of a judge can set."""

from dataclasses import dataclass
from datetime import timedelta

DAY = timedelta(hours=24)
HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Allowances:
    """The limits of one judge; every number counts for the 24 hours, or the hour, that is past."""

    answers_a_day: int = 5
    """Messages to one address that mails without a proof may cause; 0: no limit, and no proof is
    asked for."""
