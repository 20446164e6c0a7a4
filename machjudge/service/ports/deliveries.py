"""What became of letters that were put into the outbox."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from machjudge.service.model.records import GameId, MailId, PersonId


class Fate(Enum):
    """Where a letter is in its life."""

    WAITING = "waiting"
    SENT = "sent"
    """The relay has taken it."""
    FAILED = "failed"
    """Given up, or dropped by the judge keeper."""
    HELD = "held"
    """It waits for the digest of its reader."""


@dataclass(frozen=True, slots=True)
class Returned:
    """A letter that was sent and could not be delivered."""

    to: str
    subject: str
    game: GameId | None
    """The game that it is about."""


@dataclass(frozen=True, slots=True)
class Posted:
    """A letter that was put into the outbox, without its text."""

    made: datetime
    subject: str
    fate: Fate
    ended: datetime | None = None
    """When it was sent or given up."""
    tries: int = 0
    game: GameId | None = None
    phase: str = ""
    """The code of the phase that it is about; empty if it is about none."""
    to: str = ""
    observer: int | None = None
    """The number of the observer's seat to which it went."""
    digest_of: PersonId | None = None
    """Whose digest it was."""


@dataclass(frozen=True, slots=True)
class Unheard:
    """A mail that came in and was not answered, or only because nobody was sure about it."""

    received: datetime
    why: str
    """Why it was taken for automatic mail."""
    held: bool
    """Whether it may have been a person's."""


@dataclass(frozen=True, slots=True)
class SetAside:
    """A mail that was set aside, without its text."""

    mail: MailId
    received: datetime
    sender: str
    why: str
    ended: datetime
    """When it was set aside."""
