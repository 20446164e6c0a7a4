"""Games without their positions."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from machjudge.adjudicator.model.dice import shared_key
from machjudge.adjudicator.model.rules import Rules
from machjudge.service.model.conduct import Conduct
from machjudge.service.model.ends import Ending
from machjudge.service.model.records.clocks import Clock
from machjudge.service.model.records.ids import GameId, PersonId
from machjudge.service.model.records.people import Attendance
from machjudge.service.model.records.seats import Seat


class Status(Enum):
    """Where a game is in its life."""

    FORMING = "forming"
    RUNNING = "running"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class RandomWord:
    """A random word that a player has mailed, and the number of their seat."""

    seat: int
    text: str
    """One line, without a break."""


@dataclass(frozen=True, slots=True)
class SharedDice:
    """Dice that follow from the secret and from the words of the players."""

    words: tuple[RandomWord, ...] = ()
    """In the order of their receipt, one of each player at most."""
    until: datetime | None = None
    """The opening deadline; None as long as not all seats are taken."""
    published: bool = False
    """Whether the words have gone out; none is taken any more."""


@dataclass(frozen=True, slots=True)
class Game:
    """One game without its positions; loaded and saved whole.

    *version* goes up by one with every save; a save that was made from another version than the
    stored one is refused.
    """

    id: GameId
    name: str
    """As its creator wrote it."""
    version: int
    status: Status
    scenario: str
    rules: Rules
    conduct: Conduct
    secret: bytes
    """The 32 bytes from which the dice follow; never in a mail before the game's end."""
    created: datetime
    master: PersonId
    seats: tuple[Seat, ...]
    position: int | None = None
    """The number of the stored phase whose outcome is the position now; None while forming.

    A rollback sets it to an earlier phase."""
    clock: Clock | None = None
    """None while forming and after the end."""
    ending: Ending | None = None
    """Only of a finished game."""
    shared: SharedDice | None = None
    """None: the dice follow from the secret alone."""
    attendance: tuple[Attendance, ...] = ()
    """Of everybody who has had a phase to order, also after they have left."""
    heard: datetime | None = None
    """When the master opened a seat of theirs, to the hour; None since the game was created."""
    warned: datetime | None = None
    """When its silent master was last told that a co-master is about to take over."""
    claims: tuple[Seat, ...] = ()
    """Seats that are nobody's yet: each waits until somebody answers from its address.

    They count for nothing: no game begins with them, nothing is sent to them.  Of a seat that
    somebody else has left, a claim names its powers and has a number of its own.
    """

    @property
    def is_confirmed(self) -> bool:
        """Whether the address of whoever created it is confirmed; until then nobody sees it."""
        return bool(self.seats)

    @property
    def is_imported(self) -> bool:
        """Whether it was played at another judge, with its people and its times."""
        return self.ending is not None and self.ending.origin is not None

    @property
    def people(self) -> frozenset[PersonId]:
        """The people at its seats, its master, and those who just lost a seat."""
        sitting = {seat.person for seat in self.seats if seat.person is not None}
        turned_out = {who for _, who in self.clock.turned_out} if self.clock is not None else set()
        return frozenset(sitting | turned_out | {self.master})

    @property
    def words(self) -> tuple[str, ...] | None:
        """The players' words in the order of their receipt; None if dice are not shared."""
        return None if self.shared is None else tuple(word.text for word in self.shared.words)

    @property
    def key(self) -> bytes:
        """What all chance of the game follows from; with shared dice from the words, too."""
        return self.secret if self.words is None else shared_key(self.secret, self.words)
