"""Press, and the log of a game."""

from dataclasses import dataclass
from datetime import datetime

from machjudge.service.model.records.ids import GameId, PersonId


@dataclass(frozen=True, slots=True)
class PressItem:
    """A message between the people of a game, as it was sent."""

    game: GameId
    at: datetime
    after: int | None
    """The stored phase after which it was written; None while the game forms."""
    sender: int
    """The number of the seat."""
    readers: tuple[int, ...]
    """The seats that got it; empty: everybody."""
    text: str
    anonymous: bool = False
    author: str = ""
    """The name of its writer when they wrote it."""
    aim: str = ""
    """To whom it went, in words."""
    shown: str | None = None
    """To whom it says that it went; None: it says the truth, empty: it does not say."""
    shown_to_all: bool = False
    """Whether it says that it went to everybody."""
    people: tuple[PersonId, ...] = ()
    """Its writer, and everybody to whom it was sent."""
    postal: bool = False
    """Whether it was published with results."""


@dataclass(frozen=True, slots=True)
class Notice:
    """An entry in the log of a game: a setting changed, somebody came or went, a phase ran."""

    game: GameId
    at: datetime
    by: PersonId | None
    """None for the judge itself."""
    kind: str
    """One word, such as ``joined`` or ``deadline``."""
    text: str
