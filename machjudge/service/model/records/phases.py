"""Orders on file, and phases as they were processed."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from machjudge.adjudicator.events import ChitGiven, Event
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.rules import Rules
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.money.chits import is_interlude
from machjudge.service.model.records.ids import GameId, MailId


@dataclass(frozen=True, slots=True)
class SheetLine:
    """One order on file: as it was written, as it was understood, and when it was received."""

    written: str
    canonical: str
    """The order in canonical notation, which parses to the same order on the game's board."""
    received: datetime
    mail: MailId | None
    """None for an order that the judge wrote in place of a silent player."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """The whole order set of one power on file; a new set is a new sheet with the next number.

    *after* is the number of the stored phase whose outcome the orders start from, so that the
    sheets of a phase are found again when the game is rolled back to it.
    """

    game: GameId
    after: int
    power: PowerId
    number: int
    """1 for the first sheet of the power for this phase, then 2, 3, …"""
    lines: tuple[SheetLine, ...]
    """In the order in which they came; a correction stands in the place of what it replaces."""
    flawed: bool
    """Whether the last mail held lines that were refused; such a set is not complete."""
    received: datetime
    mail: MailId | None


@dataclass(frozen=True, slots=True)
class StoredPhase:
    """One phase as it was processed: all that is needed to rebuild it, and what came of it.

    Or an interlude: events that changed the position while a phase waited for its orders.

    Number 0 is the opening: its *before* is the set-up, its events bring the income with which a
    game with money starts.  Further numbers go up and are never used twice; *parent* is the phase
    from whose outcome this one went on, which after a rollback is not number - 1.
    """

    game: GameId
    number: int
    parent: int | None
    moment: str
    """The code of the phase, such as ``S1454M``."""
    before: State
    after: State
    orders: Mapping[PowerId, tuple[SheetLine, ...]]
    rules: Rules
    events: tuple[Event, ...]
    """What happened, dice included (``DiceThrown``)."""
    adjudicator: str
    """The version of the adjudicator that made it."""
    processed: datetime

    @property
    def is_interlude(self) -> bool:
        """Whether it is no phase that was played, but what happened between two (ASN-02).

        The phase that the game was at goes on after it, from the new position.
        """
        return self.parent is not None and is_interlude(self.events)

    @property
    def is_secret(self) -> bool:
        """Whether it only handed chits over, of which nobody is told."""
        return bool(self.events) and all(isinstance(event, ChitGiven) for event in self.events)


@dataclass(frozen=True, slots=True)
class Holding:
    """A row of the index beside the documents: what a power held after a phase."""

    power: PowerId
    cities: int
    treasury: int | None
    """Ducats; None in games without money."""
