"""Acts that wait for an answer from the address on file, because nothing can take them back."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from machjudge.service.model.records import GameId

WAITS = timedelta(days=3)
"""How long an act waits for the answer."""
MOST_WAITING = 5
"""Acts of one seat."""


@dataclass(frozen=True, slots=True)
class PendingAct:
    """An act that somebody asked for with a password alone."""

    name: str
    """A random text that is never given twice."""
    game: GameId
    seat: int
    generation: int
    """The generation of the seat: with another player or password the act is void."""
    lines: tuple[str, ...]
    """What is carried out, as lines of a mail from the seat."""
    made: datetime
    until: datetime
    """From then on it is void."""

    @property
    def what(self) -> str:
        """The line that asks for it."""
        return self.lines[-1]


class PendingActs(Protocol):
    """The acts that wait."""

    def get(self, name: str) -> PendingAct | None:
        """The act of that name; None if it was carried out, was dropped, or never was."""
        ...

    def of(self, game: GameId, seat: int) -> Sequence[PendingAct]:
        """The acts of one seat, oldest first, those whose time is over included."""
        ...

    def add(self, act: PendingAct) -> None:
        """Keep an act."""
        ...

    def drop(self, name: str) -> None:
        """Forget an act.  Raises Stale if it is not there any more."""
        ...
