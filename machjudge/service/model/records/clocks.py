"""The times of a game."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from machjudge.adjudicator.model.names import PowerId
from machjudge.service.model.records.ids import PersonId


@dataclass(frozen=True, slots=True)
class Jump:
    """The judge's clock leapt forward, or stood still with the judge, and the times were moved."""

    since: datetime
    """When the judge had looked at its clock before."""
    by: timedelta
    """By how much the judge's clock leapt, and the end of the game was put off."""
    deadline: timedelta | None = None
    """By how much the deadline was, to land where deadlines are; None: by as much."""
    grace: timedelta | None = None
    """By how much the end of the grace was; None: by as much."""
    start: timedelta | None = None
    """By how much the instant was before which nothing is played; None: by as much."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The times of the phase that is being played."""

    began: datetime
    deadline: datetime
    late_told: datetime | None = None
    """When the last late notice, or the last word to the master, went out."""
    start: datetime | None = None
    """Nothing is played before it."""
    grace: datetime | None = None
    """The end of the grace; None: the deadline itself has none to follow."""
    warned: tuple[int, ...] = ()
    """The hours before the deadline of which the missing have been warned."""
    out_of_reach: tuple[int, ...] = ()
    """The seats of which the masters have been told that they cannot be reached."""
    opened: bool = False
    """Whether the seats of the missing have been opened to others."""
    turned_out: tuple[tuple[int, PersonId], ...] = ()
    """The seats that were opened because nothing came, and who sat there: they get the results."""
    vacant: tuple[PowerId, ...] = ()
    """The powers whose seats were open when the phase began."""
    paused: datetime | None = None
    """Since when the clock stands."""
    jump: Jump | None = None
    ends: datetime | None = None
    """When a game ends for good that is won, or broken off; its clock stands until then."""
    entered: int | None = None
    """How often calendars were told of another deadline or another player; None: not known."""
    won: bool = False
    """Whether it ends because somebody has won, and not because its master has broken it off."""
