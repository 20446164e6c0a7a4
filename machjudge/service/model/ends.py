"""How games end."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from machjudge.adjudicator.model.names import PowerId


class End(Enum):
    """How a game ended."""

    VICTORY = "victory"
    """The master has recognised it."""
    DRAW = "draw"
    """The players, or the master, have agreed that some share the win."""
    CONCESSION = "concession"
    """All others have given the game to one."""
    TERMINATED = "terminated"
    """The master has broken it off."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How and when a game ended."""

    end: End
    winners: tuple[PowerId, ...]
    """In the order of the scenario; nobody where the game was broken off."""
    at: datetime
    by_vote: bool = False
    """Whether the votes of the players ended it, not the master."""
