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
    games_a_day: int = 3
    """Games that one person may make; here and below 0: no limit."""
    seats_a_day: int = 10
    """Seats that one person may take, those of observers included."""
    observers: int = 40
    """Observers of one game at the same time."""
    press_an_hour: int = 60
    """Texts that one seat may send to others."""
