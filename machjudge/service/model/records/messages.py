"""Press, and the log of a game."""

from dataclasses import dataclass
from datetime import datetime

from machjudge.adjudicator.model.names import PowerId
from machjudge.service.model.records.ids import GameId, PersonId
from machjudge.service.model.records.seats import Role


@dataclass(frozen=True, slots=True)
class Author:
    """As whom somebody wrote."""

    role: Role | None = None
    """None where only words were kept: *name* has them all."""
    powers: tuple[PowerId, ...] = ()
    """The powers that they led then."""
    name: str = ""
    """What they are called, where no power and no office stands for them."""


@dataclass(frozen=True, slots=True)
class Readership:
    """To whom a message goes, or says that it goes."""

    named: tuple[str, ...] = ()
    """The letters of powers, M for the master, O for observers; words where only these were kept.

    Without *all_but* and empty: it does not say.
    """
    all_but: bool = False
    """Whether it goes to everybody but these."""

    @property
    def to_all(self) -> bool:
        """Whether that is everybody."""
        return self.all_but and not self.named


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
    author: Author = Author()
    aim: Readership = Readership(all_but=True)
    """To whom it went."""
    shown: Readership | None = None
    """To whom it says that it went; None: it says the truth."""
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
