"""What the desk keeps: persons, games, seats, order sheets, stored phases, mails and notices.

All values are frozen; whoever changes one makes a new one and saves it.  Every instant is an
aware ``datetime`` in UTC.  What a field holds as text or number is stored as it stands; rules,
positions and events are stored in the codec's JSON.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum
from typing import NewType

from machjudge.adjudicator.events import ChitGiven, Event
from machjudge.adjudicator.model.dice import shared_key
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.rules import Rules
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.money.chits import is_interlude
from machjudge.service.model.allowances import Allowances
from machjudge.service.model.conduct import Conduct
from machjudge.service.model.ends import Ending

PersonId = NewType("PersonId", str)
"""A random token that never changes, whatever addresses the person has."""

GameId = NewType("GameId", str)
"""A game's name in lower case; no two games have the same."""

MailId = NewType("MailId", int)
"""The number of a kept mail; a higher number was received later."""


class Standing(Enum):
    """What is known of somebody's address."""

    CONFIRMED = "confirmed"
    """Somebody has answered a message that went there."""
    CLAIMED = "claimed"
    """It stood in From, and nobody has answered yet."""
    REGISTERING = "registering"
    """The same, and the mail asked for its name and time zone to be written down."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who plays, keeps or watches games here."""

    id: PersonId
    name: str
    """What others see; one line without control characters."""
    addresses: tuple[str, ...]
    """The mail addresses, lower case, the one of record first; no two persons share one."""
    zone: str
    """The time zone of mails to him, an IANA name such as ``Europe/Rome``."""
    registered: datetime
    standing: Standing = Standing.CONFIRMED

    @property
    def is_confirmed(self) -> bool:
        """Whether somebody has answered from the address; otherwise it is only claimed."""
        return self.standing is Standing.CONFIRMED


def is_same_name(one: str, other: str) -> bool:
    """Whether two names are the same but for case and the number of spaces."""
    return one.casefold().split() == other.casefold().split()


@dataclass(frozen=True, slots=True)
class Absence:
    """Somebody is away: no deadline that is set afterwards falls into this time."""

    start: datetime
    end: datetime
    """After *start*."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What whoever sits at a seat wishes about press and his diary."""

    broadcasts: bool = True
    """Whether broadcasts come to an observer or a master."""
    all_press: bool = False
    """Whether he reads along press to some, as far as he may."""
    open_diary: bool = False
    """Whether his diary is published when the game is over."""


class Role(Enum):
    """As what somebody sits at a game."""

    PLAYER = "player"
    OBSERVER = "observer"
    MASTER = "master"


@dataclass(frozen=True, slots=True)
class Claimed:
    """How somebody came to a seat whose address was not confirmed at first."""

    person: PersonId
    """The provisional person for whom the seat was taken."""
    since: datetime
    reminded: bool = False
    """Whether they were reminded to answer."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at one game, known by its number; a player's seat keeps it through every change."""

    number: int
    role: Role
    person: PersonId | None
    """None: the seat is abandoned and waits for somebody."""
    address: str
    """Where mails of this game go: the address of record."""
    password: str
    """The argon2id hash; never the password."""
    powers: tuple[PowerId, ...] = ()
    """The powers that a player leads; empty until they are dealt, and for the others."""
    preferences: str = ""
    """The preference list in canonical form, such as ``LV[IP]*``."""
    waits: bool = False
    """Whether the phase shall not be processed before its deadline; cleared each phase."""
    absences: tuple[Absence, ...] = ()
    """When whoever sits here is away, by their beginnings."""
    priority: tuple[str, ...] = ()
    """Which units are kept first where the judge has to choose; ``A mil``, ``mil`` or ``A``."""
    draw: tuple[PowerId, ...] | None = None
    """Among whom the game shall end drawn, sorted; none: no such vote.  Cleared each phase."""
    concede: PowerId | None = None
    """To whom the game shall be given; cleared each phase."""
    wishes: Wishes = Wishes()
    approved: bool = True
    """Whether the master has approved whoever sits here, where he does so."""
    public: bool = False
    """Whether others at the game may read the address."""
    generation: int = 0
    """How often its reply tokens were ended; those of earlier generations open nothing."""
    former: PersonId | None = None
    """Of an abandoned seat: who was late and may come back; none where its player has left."""
    claimed: Claimed | None = None
    """None for a seat that was taken with a proof."""


@dataclass(frozen=True, slots=True)
class Attendance:
    """How somebody kept the deadlines of one game."""

    person: PersonId
    on_time: int = 0
    """Phases for which his orders were there at the deadline."""
    late: int = 0
    """Phases for which they were not."""
    left: int = 0
    """Seats that he gave up, or that were opened to others in his absence."""


class Status(Enum):
    """Where a game is in its life."""

    FORMING = "forming"
    RUNNING = "running"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Jump:
    """The judge's clock leapt forward, or stood still with the judge, and the times were moved."""

    since: datetime
    """When the judge had looked at his clock before."""
    by: timedelta
    """By how much the judge's clock leapt, and the end of the game was put off."""
    deadline: timedelta | None = None
    """By how much the deadline was, to land where deadlines are; none: by as much."""
    grace: timedelta | None = None
    """By how much the end of the grace was; none: by as much."""
    start: timedelta | None = None
    """By how much the instant was before which nothing is played; none: by as much."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The times of the phase that is being played."""

    began: datetime
    deadline: datetime
    late_told: datetime | None = None
    """When the last late notice, or the last word to the master, went out."""
    start: datetime | None = None
    """Nothing is played before it."""
    grace: datetime | None = None
    """The end of the grace; none: the deadline itself has none to follow."""
    warned: tuple[int, ...] = ()
    """The hours before the deadline of which the missing have been warned."""
    opened: bool = False
    """Whether the seats of the missing have been opened to others."""
    turned_out: tuple[tuple[int, PersonId], ...] = ()
    """The seats that were opened because nothing came, and who sat there: they get the results."""
    vacant: tuple[PowerId, ...] = ()
    """The powers whose seats were open when the phase began."""
    paused: datetime | None = None
    """Since when the clock stands."""
    jump: Jump | None = None
    ends: datetime | None = None
    """When a game that its master has broken off ends for good; its clock stands until then."""


@dataclass(frozen=True, slots=True)
class Word:
    """A random word that a player has mailed, and the number of his seat."""

    seat: int
    text: str
    """One line, without a break."""


@dataclass(frozen=True, slots=True)
class SharedDice:
    """Dice that follow from the secret and from the words of the players."""

    words: tuple[Word, ...] = ()
    """In the order of their receipt, one of each player at most."""
    until: datetime | None = None
    """The opening deadline; none as long as not all seats are taken."""
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
    """The number of the stored phase whose outcome is the position now; none while forming.

    A rollback sets it to an earlier phase."""
    clock: Clock | None = None
    """None while forming and after the end."""
    ending: Ending | None = None
    """Only of a finished game."""
    shared: SharedDice | None = None
    """None: the dice follow from the secret alone."""
    attendance: tuple[Attendance, ...] = ()
    """Of everybody who has had a phase to order, also after he has left."""
    heard: datetime | None = None
    """When the master opened a seat of his, to the hour; none since the game was created."""
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
    def words(self) -> tuple[str, ...] | None:
        """The players' words in the order of their receipt; none where dice are not shared."""
        return None if self.shared is None else tuple(word.text for word in self.shared.words)

    @property
    def key(self) -> bytes:
        """What all chance of the game follows from; with shared dice from the words, too."""
        return self.secret if self.words is None else shared_key(self.secret, self.words)


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
    """Ducats; none in games without money."""


@dataclass(frozen=True, slots=True)
class PressItem:
    """A message between the people of a game, as it was sent."""

    game: GameId
    at: datetime
    after: int | None
    """The stored phase after which it was written; none while the game forms."""
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
    """To whom it says that it went; none: it says the truth, empty: it does not say."""
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


@dataclass(frozen=True, slots=True)
class Judge:
    """Who this judge is in its mails."""

    code: str
    address: str
    keeper: str | None
    """The address of the judge keeper."""
    version: str
    zone: str = "UTC"
    """The time zone for people who are not registered."""
    max_lines: int = field(default=1000)
    """How many lines of a mail are read at most."""
    allowances: Allowances = field(default_factory=Allowances)
    """How much people may do."""
    confirm: bool = True
    """Whether an address counts only after somebody has answered from it."""
