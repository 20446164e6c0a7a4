"""How games end."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from machjudge.adjudicator.model.names import PowerId


class End(Enum):
    """How a game ended."""

    VICTORY = "victory"
    """The master has recognised it, or the game has ended by itself."""
    DRAW = "draw"
    """Some share the win: the players or the master say so, or equals have won at once."""
    CONCESSION = "concession"
    """All others have given the game to one."""
    TERMINATED = "terminated"
    """The master has broken it off."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a game was played that has been imported: its record is sealed with these."""

    judge: str
    """The code of that judge."""
    game: str
    """What it was called there."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How and when a game ended."""

    end: End
    winners: tuple[PowerId, ...]
    """In the order of the scenario; nobody where the game was broken off."""
    at: datetime
    by_vote: bool = False
    """Whether the votes of the players ended it, not the master."""
    origin: Provenance | None = None
    """None for a game that was played here."""
