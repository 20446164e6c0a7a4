"""What opens a seat besides its password: tokens that were mailed; and how often one has tried.

Plain values; where they are kept is the affair of the port `Keys`.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import Enum
from hashlib import sha256

from machjudge.service.records import GameId, PersonId

_FREE = 5
"""So many wrong passwords cost nothing."""
_FIRST_WAIT = timedelta(minutes=1)
_LONGEST_WAIT = timedelta(hours=1)
_FORGOTTEN = timedelta(hours=24)
"""Wrong passwords that are older count no more."""


class Purpose(Enum):
    """What a token is for."""

    WAY_IN = "way in"
    """It opens a seat once instead of its password."""
    UNDO = "undo"
    """The same, and the mails of the seat go to the old address again."""
    LINK = "link"
    """It makes an address one of somebody's."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token that was mailed; only its hash is kept."""

    hashed: str
    purpose: Purpose
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


@dataclass(frozen=True, slots=True)
class Tries:
    """How often somebody was wrong, lately."""

    key: str
    """Whom or what the tries are counted for."""
    count: int
    last: datetime

    def blocked_until(self, now: datetime) -> datetime | None:
        """Until when nothing is tried any more; none if one may try.

        After five wrong passwords a minute, then twice as long each time, an hour at most.
        """
        if self.count < _FREE or now - self.last >= _FORGOTTEN:
            return None
        wait = min(_FIRST_WAIT * 2 ** min(self.count - _FREE, 10), _LONGEST_WAIT)
        return self.last + wait if now < self.last + wait else None


def one_more(old: Tries | None, key: str, now: datetime) -> Tries:
    """The tries with another wrong one."""
    if old is None or now - old.last >= _FORGOTTEN:
        return Tries(key, 1, now)
    return replace(old, count=old.count + 1, last=max(now, old.last))
