"""What opens a seat besides its password: tokens that were mailed.

Plain values; where they are kept is the affair of the port `Keys`.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from hashlib import sha256

from machjudge.service.model.records import GameId, PersonId

WAY_BACK_LASTS = timedelta(days=7)
"""How long a change of a seat's password or address can be undone."""


class TokenPurpose(Enum):
    """What a token is for."""

    WAY_IN = "way_in"
    """It opens a seat once instead of its password."""
    UNDO = "undo"
    """The same, and the mails of the seat go to the old address again."""
    LINK = "link"
    """It makes an address one of somebody's."""
    FORGET = "forget"
    """It has everything removed that tells who somebody is."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token that was mailed; only its hash is kept."""

    hashed: str
    purpose: TokenPurpose
    person: PersonId
    made: datetime
    until: datetime
    """From then on it is worth nothing."""
    game: GameId | None = None
    seat: int | None = None
    address: str = ""
    """The address to which the mails of the seat go again, or that becomes the person's."""


def hash_of(token: str) -> str:
    """The hash under which a token is kept: it has 80 random bits, so a plain one is enough."""
    return sha256(token.strip().lower().encode()).hexdigest()
