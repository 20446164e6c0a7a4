"""The records of games, people, phases and press that the judge stores."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import Enum
from fnmatch import fnmatchcase
from typing import NewType, Protocol, TypeAlias

from machjudge.adjudicator.dice import shared_key
from machjudge.adjudicator.events import ChitGiven, Event
from machjudge.adjudicator.moments import Moment, Season, Stage, read_moment
from machjudge.adjudicator.money.assassins import is_interlude
from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.rules import Rules
from machjudge.adjudicator.state import State
from machjudge.adjudicator.world import World
from machjudge.formats.game_file import SealedSet
from machjudge.judge.game_settings import GameSettings
from machjudge.judge.tick_times import DIGEST_HOUR
from machjudge.messages.calendar import ALARMS
from machjudge.messages.receipt import cities_that_count
from machjudge.messages.wording import Words
from machjudge.translatable import Message, Name

PersonId = NewType("PersonId", str)
"""A random token, independent of the person's addresses."""

GameId = NewType("GameId", str)
"""A game's name in lower case, which is unique."""

MailId = NewType("MailId", int)
"""The number of a kept mail; a higher number was received later."""


FORGOTTEN_AFTER = timedelta(days=8)
"""The score ends this long after the last bounce: a week, and a day for the mail to return.

So bounces of a game with one phase a week are counted together.
"""
OUT_OF_REACH = 2
"""The score, in halves, from which an address counts as out of reach."""


class Bounce(Enum):
    """The weight of one bounce, in halves."""

    SOFT = 1
    """Temporary: a full mailbox, a server that did not answer."""
    HARD = 2
    """There is no such address."""


@dataclass(frozen=True, slots=True)
class Bounces:
    """The bounces of one address since its owner wrote last."""

    address: str
    since: datetime
    last: datetime
    halves: int
    today: int
    """The part of the score from the day (UTC) of the last bounce."""

    @property
    def is_out_of_reach(self) -> bool:
        """True after one hard bounce, or soft ones on two days."""
        return self.halves >= OUT_OF_REACH

    def counts(self, began: datetime, now: datetime) -> bool:
        """Return True if the score still counts in a phase that *began* then.

        Bounces during the phase count however long it is, as nothing else was sent since.
        """
        return self.is_out_of_reach and self.last >= min(now - FORGOTTEN_AFTER, began)


def with_bounce(known: Bounces | None, address: str, bounce: Bounce, now: datetime) -> Bounces:
    """Return the score with one more bounce; a day counts as much as its worst one."""
    if known is None or now - known.last >= FORGOTTEN_AFTER:
        return Bounces(address, now, now, bounce.value, bounce.value)
    today = known.today if known.last.date() == now.date() else 0
    more = max(0, bounce.value - today)
    return replace(known, last=now, halves=known.halves + more, today=today + more)


class End(Enum):
    """How a game ended."""

    VICTORY = "victory"
    """Recognised by the master, or by the judge itself."""
    DRAW = "draw"
    """A shared win: by votes, by the master, or of equals who have won at once."""
    CONCESSION = "concession"
    """All others have given the game to one."""
    TERMINATED = "terminated"
    """Broken off by the master."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """The origin of an imported game, with which its record is sealed."""

    judge: str
    game: str


@dataclass(frozen=True, slots=True)
class Ending:
    """How and when a game ended."""

    end: End
    winners: tuple[PowerId, ...]
    """In the order of the scenario; empty if the game was broken off."""
    at: datetime
    by_vote: bool = False
    origin: Provenance | None = None
    """None for a game that was played here."""


DAY = timedelta(hours=24)
HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class JudgeLimits:
    """The limits of one judge, per 24 hours or per hour."""

    answers_a_day: int = 5
    """Messages to one address for mails without a proof; 0: no limit, no proof is needed."""
    games_a_day: int = 3
    """New games of one person; here and below 0: no limit."""
    seats_a_day: int = 10
    observers: int = 40
    press_an_hour: int = 60
    what_ifs_a_day: int = 20
    """Trials of one seat."""


class Counts(Protocol):
    """Counters of events; old entries are removed automatically."""

    def lock(self, keys: Collection[str]) -> None:
        """Keep others from counting these keys until the transaction ends (writing ones only)."""

    def all_lately(
        self, keys: Collection[str], since: datetime
    ) -> Mapping[str, Sequence[datetime]]:
        """Return the instants after *since* under each key, oldest first."""

    def numbers(self, keys: Collection[str], since: datetime, until: datetime) -> Mapping[str, int]:
        """Return how many instants after *since* and up to *until* each key has."""

    def add(self, keys: Collection[str], at: datetime) -> None:
        """Count once more under each key."""

    def take_back(self, keys: Collection[str], at: datetime) -> None:
        """Remove one entry of that instant under each key, if there is one."""

    def forget(self, keys: Collection[str]) -> None:
        """Remove all entries of some keys."""


_AHEAD = timedelta(minutes=10)
"""The longest time for which a process holds a mail: others may have counted this much later."""


def that_count(instants: Iterable[datetime], now: datetime) -> list[datetime]:
    """Return the entries without future ones, which a clock that was set back has left."""
    return [at for at in instants if at <= now + _AHEAD]


def used(
    counts: Counts, keys: Collection[str], within: timedelta, now: datetime
) -> Mapping[str, int]:
    """Return how many entries each key has in the time before *now*."""
    return counts.numbers(keys, now - within, now + _AHEAD)


@dataclass(frozen=True, slots=True)
class Limit:
    """The most events under a key within a time; 0: no limit."""

    key: str
    most: int
    within: timedelta = DAY

    def used(self, counts: Counts, now: datetime) -> int:
        """Return how many events there were."""
        return used(counts, [self.key], self.within, now)[self.key]


@dataclass(frozen=True, slots=True)
class Jump:
    """A leap of the judge's clock, or an outage, and how the times were moved."""

    since: datetime
    """The judge's previous look at its clock."""
    by: timedelta
    """The length of the leap, and the delay of the game's end."""
    deadline: timedelta | None = None
    """The delay of the deadline, rounded to an allowed one; None: *by*."""
    grace: timedelta | None = None
    """The delay of the end of the grace; None: *by*."""
    start: timedelta | None = None
    """The delay of the earliest instant of play; None: *by*."""


@dataclass(frozen=True, slots=True)
class SeatWarning:
    """A player was told when their seat will be opened if orders stay missing."""

    seat: int
    person: PersonId
    opens: datetime
    """The instant that the message names; the seat is not opened before it."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The times of the current phase."""

    began: datetime
    deadline: datetime
    late_told: datetime | None = None
    """The last late notice, or the last message to the master."""
    start: datetime | None = None
    """Nothing is played before it."""
    grace: datetime | None = None
    """The end of the grace; None: there is no grace."""
    warned: tuple[int, ...] = ()
    """The reminders already sent, in hours before the deadline."""
    out_of_reach: tuple[int, ...] = ()
    """The seats reported to the masters as out of reach."""
    opened: bool = False
    turned_out: tuple[tuple[int, PersonId], ...] = ()
    """The seats opened for silence, and their players, who get the results."""
    vacant: tuple[PowerId, ...] = ()
    """The powers whose seats were open when the phase began."""
    paused: datetime | None = None
    """Since when the clock stands."""
    jump: Jump | None = None
    ends: datetime | None = None
    """The final end of a game that is won or broken off; its clock stands until then."""
    entered: int | None = None
    """The sequence number of calendar entries; None: not known."""
    won: bool = False
    """It ends by a victory, not because its master has broken it off."""
    resumes: datetime | None = None
    """When a pause ends by itself; None: at a master's word."""
    briefed: bool = False
    """The masters have read who is still missing before this deadline."""
    cautioned: tuple[SeatWarning, ...] = ()
    """The players who know when they lose their seats."""
    reminded: tuple[PowerId, ...] = ()
    """The powers whose orders were missing at a reminder of this phase."""
    excused: bool = False
    """The deadline was moved for a player who is excused; once a phase."""


class AddressStanding(Enum):
    """How far a person's address is confirmed."""

    CONFIRMED = "confirmed"
    """A message to it was answered."""
    CLAIMED = "claimed"
    """It stood in From, and was not answered yet."""
    REGISTERING = "registering"
    """The same, in a mail that registers name and time zone."""


class Calendar(Enum):
    """How deadlines come to a person's calendar."""

    ON = "on"
    """As a file with the messages that set them."""
    OFF = "off"
    INVITE = "invite"
    """As an invitation, which many calendars enter automatically."""
    LINK = "link"
    """Only in the calendar file beside the web pages."""


class Notify(Enum):
    """How often a person wants mails about their games."""

    EACH = "each"
    """Every message singly."""
    DAILY = "daily"
    """One digest a day, except for urgent messages."""
    IMPORTANT = "important"
    """Important messages singly, all others in the digest."""


@dataclass(frozen=True, slots=True)
class Person:
    """A player, master or observer of games here."""

    id: PersonId
    name: str
    addresses: tuple[str, ...]
    """Mail addresses in lower case, the one of record first; no two persons share one."""
    zone: str
    """An IANA name such as ``Europe/Rome``."""
    registered: datetime
    standing: AddressStanding = AddressStanding.CONFIRMED
    calendar: Calendar = Calendar.ON
    language: str = ""
    """A folder of the templates; empty for the judge's own."""
    html: bool = True
    pictures: bool = True
    json: bool = False
    notify: Notify = Notify.EACH
    digest_hour: int = DIGEST_HOUR
    """The hour of the digest in their zone, 0 to 23."""
    alarms: tuple[int, ...] = ALARMS
    """The hours before a deadline at which their calendar reminds them."""
    bounces: tuple[Bounces, ...] = ()

    @property
    def is_confirmed(self) -> bool:
        """True if the address has answered; otherwise it is only claimed."""
        return self.standing is AddressStanding.CONFIRMED


def is_same_name(one: str, other: str) -> bool:
    """Return True if two names differ only in case and the number of spaces."""
    return one.casefold().split() == other.casefold().split()


@dataclass(frozen=True, slots=True)
class Attendance:
    """How a person kept the deadlines of one game."""

    person: PersonId
    on_time: int = 0
    """Phases with complete orders at the deadline."""
    late: int = 0
    """Phases without."""
    left: int = 0
    """Seats given up, or opened to others in their absence."""
    reminded: int = 0
    """Of the phases on time, those whose orders came after a reminder."""
    missed: int = 0
    """Of the late phases, those that were played without an order of theirs."""
    excused: int = 0
    """Deadlines that were moved for them."""


class Role(Enum):
    """The role of a seat at a game."""

    PLAYER = "player"
    OBSERVER = "observer"
    MASTER = "master"

    # That of all enumerations is made in Python each time.
    __hash__ = object.__hash__


@dataclass(frozen=True, slots=True)
class Absence:
    """A person is away: no deadline set afterwards falls into this time."""

    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class Wishes:
    """A seat's settings for press, diary and mails."""

    broadcasts: bool = True
    """Send broadcasts to an observer or a master."""
    all_press: bool = False
    """Send copies of press to some, as far as allowed."""
    open_diary: bool = False
    """Publish the diary when the game is over."""
    plain_subject: bool = False
    """Subjects of results have the code of the phase instead of the news."""
    in_letters: bool = False
    """Show orders in the letters of the book of 1978, where units have numbers."""
    newspaper: bool = False
    """Send the newspaper of each year."""


@dataclass(frozen=True, slots=True)
class Claimed:
    """How a seat was taken whose address was not confirmed at first."""

    person: PersonId
    """The provisional person for whom the seat was taken."""
    since: datetime
    reminded: bool = False


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at one game, known by its number; a player's seat keeps it through every change."""

    number: int
    role: Role
    person: PersonId | None
    """None: the seat is abandoned."""
    address: str
    """The address of record, for mails of this game."""
    password: str
    """The argon2id hash; never the password."""
    powers: tuple[PowerId, ...] = ()
    """Those of a player; empty until they are dealt, and for others."""
    preferences: str = ""
    """In canonical form, such as ``LV[IP]*``."""
    waits: bool = False
    """The phase shall not be played before its deadline; cleared each phase."""
    absences: tuple[Absence, ...] = ()
    priority: tuple[str, ...] = ()
    """Units to keep first where the judge has to choose; ``A mil``, ``mil`` or ``A``."""
    draw: tuple[PowerId, ...] | None = None
    """The vote for a draw among these, sorted; None: no vote.  Cleared each phase."""
    concede: PowerId | None = None
    """The vote to give the game to a power; cleared each phase."""
    wishes: Wishes = Wishes()
    approved: bool = True
    """By the master, in games where they approve players."""
    public: bool = False
    generation: int = 0
    """Counts the ends of reply tokens; those of earlier generations open nothing."""
    former: PersonId | None = None
    """The late player of an opened seat, who may come back; None if they left."""
    claimed: Claimed | None = None
    """None for a seat that was taken with a proof."""

    @property
    def holder(self) -> PersonId | None:
        """The person who has it, or may come back to it."""
        return self.person or self.former


BOT = "bot"
"""What stands in place of the written text of an order that a bot gives."""


@dataclass(frozen=True, slots=True)
class FiledOrder:
    """One order on file: as written, as understood, and when it was received."""

    written: str
    canonical: str
    """In canonical notation, which parses to the same order on the game's board."""
    received: datetime
    mail: MailId | None
    """None for an order that the judge wrote in place of a silent player."""
    by_master: bool = False
    """A master wrote it in the player's name (``BECOME``)."""


@dataclass(frozen=True, slots=True)
class OrderSet:
    """The whole order set of one power on file; a new one has the next number.

    *after* is the number of the stored phase that the orders start from, by which they are found
    again after a rollback.
    """

    game: GameId
    after: int
    power: PowerId
    number: int
    """From 1 for each power and phase."""
    lines: tuple[FiledOrder, ...]
    """In the order of receipt; a correction stands in the place of what it replaces."""
    flawed: bool
    """The last mail had refused lines; such a set is not complete."""
    received: datetime
    mail: MailId | None


@dataclass(frozen=True, slots=True)
class StoredPhase:
    """A played phase, with all that is needed to rebuild it; or an interlude.

    An interlude is a change of the position while a phase waited for its orders.  Number 0 is the
    opening: its *before* is the set-up, its events bring the income with which a game with money
    starts.  Numbers are never used twice; *parent* is the phase that this one follows, which after
    a rollback is not number - 1.
    """

    game: GameId
    number: int
    parent: int | None
    moment: str
    """The code of the phase, such as ``S1454M``."""
    before: State
    after: State
    orders: Mapping[PowerId, tuple[FiledOrder, ...]]
    rules: Rules
    events: tuple[Event, ...]
    """Including dice (``DiceThrown``)."""
    adjudicator: str
    """The version of the adjudicator that made it."""
    processed: datetime
    sealed: Mapping[PowerId, SealedSet] = field(default_factory=dict)
    """The order sets in force, as they are told to have been; nothing in old phases."""
    agreements: Mapping[str, SealedSet] = field(default_factory=dict)
    """What was agreed and carried out, by number, as both sides were told."""

    @property
    def is_interlude(self) -> bool:
        """True if it is a change during a phase, which goes on after it (ASN-02)."""
        return self.parent is not None and is_interlude(self.events)

    @property
    def is_secret(self) -> bool:
        """True if it only handed chits over, which is announced to nobody."""
        return bool(self.events) and all(isinstance(event, ChitGiven) for event in self.events)


@dataclass(frozen=True, slots=True)
class Holding:
    """An index row: what a power held after a phase."""

    power: PowerId
    cities: int
    treasury: int | None
    """Ducats; None in games without money."""


@dataclass(frozen=True, slots=True)
class Judge:
    """The judge's identity and settings."""

    code: str
    address: str
    keeper: str | None
    version: str
    zone: str = "UTC"
    """The time zone for unregistered people."""
    max_lines: int = field(default=1000)
    """The most lines of a mail that are read."""
    limits: JudgeLimits = field(default_factory=JudgeLimits)
    confirm: bool = True
    """An address counts only after it has answered."""
    plus: bool = True
    """Its address may be written with ``+anything`` before the ``@``."""
    plain_envelope: bool = False
    """Messages go out in its bare name, and delivery reports are known by what they return."""
    web: str | None = None
    """The address of the web pages, ending in a slash; "": not known; None: there are none."""


# What a power has on file ahead: orders for later phases, and for every phase of a kind. All
# values are frozen. A plan is kept whole; every change is a new plan with the next number, so
# that none that was acknowledged is ever lost. It belongs to the power, not to its player:
# it outlasts a rollback and a change of players. A part of a plan whose phase has come stays in
# it, so that the phase finds it again when it comes once more after a rollback.
EVERY = "every "
"""The prefix of parts for every phase of a kind."""

_SEASONS = tuple(Season)
_STAGES = tuple(Stage)

Target: TypeAlias = Moment | Stage
"""One phase, or every phase of a kind."""


@dataclass(frozen=True, slots=True)
class Kept:
    """An order filed ahead: as written, and in canonical notation."""

    written: str
    canonical: str


@dataclass(frozen=True, slots=True)
class Preference:
    """Where a unit goes if it is dislodged: its retreat orders, canonical, the best first."""

    written: str
    orders: tuple[str, ...]
    waits: bool = True
    """It was given with the orders of the campaign, so its phase keeps its deadline."""


@dataclass(frozen=True, slots=True)
class LastingSiege:
    """A besieging order for each campaign until the siege is over."""

    written: str
    canonical: str
    over: str = ""
    """The code of the phase in which it had ended; a rollback to before that goes on with it."""

    def is_over(self, now: Moment) -> bool:
        """Return True if it has ended when the game is at *now*."""
        ended = read_moment(self.over) if self.over else None
        return ended is not None and not now < ended


@dataclass(frozen=True, slots=True)
class Case:
    """A condition in canonical notation and its orders; empty for ``else``."""

    condition: str
    items: "tuple[Item, ...]"


@dataclass(frozen=True, slots=True)
class Choice:
    """``if … else if … else … endif``: the first case that holds counts."""

    cases: tuple[Case, ...]


Item: TypeAlias = Kept | Preference | LastingSiege | Choice


@dataclass(frozen=True, slots=True)
class PlanPart:
    """The part of a plan for one phase, or for every phase of a kind."""

    name: str
    """``S1456M``, or ``every M``."""
    items: tuple[Item, ...] = ()
    waits: bool = False
    """That phase shall not be played before its deadline."""
    flawed: bool = False
    """The last mail about it had refused lines."""

    @property
    def target(self) -> Target:
        """The phase or kind of phase."""
        if self.name.startswith(EVERY):
            return Stage(self.name.removeprefix(EVERY))
        moment = read_moment(self.name)
        if moment is None:
            raise ValueError(self.name)
        return moment

    @property
    def is_empty(self) -> bool:
        """True if it says nothing."""
        return not self.items and not self.waits


@dataclass(frozen=True, slots=True)
class Plan:
    """All that a power has on file ahead."""

    game: GameId
    power: PowerId
    number: int
    """From 1 for each power in this game."""
    parts: tuple[PlanPart, ...]
    """Single phases in their order, then those for every phase of a kind."""
    received: datetime
    mail: MailId | None

    def part(self, target: Target) -> PlanPart:
        """Return the part for a phase or kind of phase, empty if there is none."""
        name = name_of(target)
        return next((part for part in self.parts if part.name == name), PlanPart(name))

    def with_part(self, part: PlanPart) -> "Plan":
        """Return the plan with this part in place of its namesake; an empty one is left out."""
        others = [each for each in self.parts if each.name != part.name]
        parts = others if part.is_empty else [*others, part]
        return replace(self, parts=tuple(sorted(parts, key=_rank)))

    def without(self, drops: Callable[[Target], bool]) -> "Plan":
        """Return the plan without the parts whose target is dropped."""
        return replace(self, parts=tuple(p for p in self.parts if not drops(p.target)))

    def pending(self, now: Moment) -> tuple[PlanPart, ...]:
        """Return the parts that are still to come when the game is at *now*."""
        return tuple(part for part in self.parts if is_ahead(part.target, now))

    def size(self) -> int:
        """The number of orders and conditions."""
        return sum(_size(item) for part in self.parts for item in part.items)


def name_of(target: Target) -> str:
    """Return the name of the part for a phase or a kind of phase."""
    return target.code if isinstance(target, Moment) else f"{EVERY}{target.value}"


def is_ahead(target: Target, now: Moment) -> bool:
    """Return True if a part may still be carried out; one for a kind of phase always may."""
    return isinstance(target, Stage) or now < target


def _rank(part: PlanPart) -> tuple[bool, int, int, int]:
    """Single phases as they follow each other, then kinds of phase."""
    target = part.target
    if isinstance(target, Stage):
        return (True, 0, 0, _STAGES.index(target))
    return (False, target.year, _SEASONS.index(target.season), _STAGES.index(target.stage))


def _size(item: Item) -> int:
    if not isinstance(item, Choice):
        return 1
    return sum(1 + sum(_size(each) for each in case.items) for case in item.cases)


@dataclass(frozen=True, slots=True)
class Tenure:
    """The time in which one person, or a bot, led a seat."""

    seat: int
    person: PersonId | None
    """None: nobody, or a bot."""
    since: int
    """The stored phase after which it began."""
    until: int | None = None
    """The stored phase after which it ended; None: it goes on."""
    bot: bool = False


@dataclass(frozen=True, slots=True)
class SeatRequest:
    """A substitute who was asked to lead an open seat."""

    seat: int
    person: PersonId
    until: datetime
    """When the next one is asked."""
    is_open: bool = True
    """Neither answered nor over."""


@dataclass(frozen=True, slots=True)
class Substitute:
    """Somebody's word that they would lead a seat that has lost its player."""

    person: PersonId
    game: str
    """The game in which; empty for every game."""
    since: datetime
    notice: int = 0
    """The hours that they need before a phase is played."""


@dataclass(frozen=True, slots=True)
class Seating:
    """Who has led the seats of a game, and what was granted to them."""

    tenures: tuple[Tenure, ...] = ()
    """In the order in which they began; empty until a seat has changed hands."""
    excused: tuple[tuple[int, str], ...] = ()
    """The seats for which a deadline was moved, and the codes of the phases."""
    asked: tuple[SeatRequest, ...] = ()
    """The substitutes asked for the seats that are open now."""


class Status(Enum):
    """The state of a game."""

    FORMING = "forming"
    RUNNING = "running"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class RandomWord:
    """A player's random word, and the number of their seat."""

    seat: int
    text: str


@dataclass(frozen=True, slots=True)
class SharedDice:
    """Dice that follow from the secret and from the words of the players."""

    words: tuple[RandomWord, ...] = ()
    """In the order of receipt, at most one per player."""
    until: datetime | None = None
    """The opening deadline; None until all seats are taken."""
    published: bool = False
    """No further word is taken."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """What one power offers another, and what it asks: all of it is carried out, or nothing.

    What became of it follows from the phases that were played, so that a rollback brings it back.
    """

    number: int
    """Random, so that it does not tell how many others there are."""
    giver: PowerId
    to: PowerId
    gives: tuple[str, ...]
    """Orders of *giver*, and votes, in canonical notation."""
    asks: tuple[str, ...]
    """The same of *to*."""
    phase: str
    """The code of the phase with which it is carried out."""
    until: str
    """The code of the last phase in which it can be."""
    made: datetime
    mail: MailId
    expires: datetime | None = None
    """After this it cannot be accepted; None: until that phase is played."""
    accepted: datetime | None = None
    accepted_by: MailId | None = None
    """The mail."""
    withdrawn: datetime | None = None
    withdrawn_by: PowerId | None = None

    def side(self, power: PowerId) -> tuple[str, ...]:
        """Return what a power has to do."""
        return self.gives if power == self.giver else self.asks

    def other(self, power: PowerId) -> PowerId:
        """Return the power with which one deals."""
        return self.to if power == self.giver else self.giver

    def is_of(self, powers: Collection[PowerId]) -> bool:
        """Return True if one of the powers is a side of it."""
        return self.giver in powers or self.to in powers

    def is_open(self, now: Moment, at: datetime) -> bool:
        """Return True if it can still be accepted in a phase, at an instant."""
        is_left = self.expires is None or at <= self.expires
        last = read_moment(self.until)
        is_in_time = is_left and last is not None and not last < now
        return is_in_time and self.accepted is None and self.withdrawn is None

    def stands(self, now: Moment) -> bool:
        """Return True if it is accepted, and its phase is not over."""
        phase = read_moment(self.phase)
        is_ahead = phase is not None and not phase < now
        return is_ahead and self.accepted is not None and self.withdrawn is None


@dataclass(frozen=True, slots=True)
class Game:
    """One game without its positions; loaded and saved whole.

    *version* goes up by one with every save; a save based on another version than the stored one is
    refused.
    """

    id: GameId
    name: str
    version: int
    status: Status
    scenario: str
    rules: Rules
    settings: GameSettings
    secret: bytes
    """The 32 bytes from which the dice follow; never in a mail before the game's end."""
    created: datetime
    master: PersonId
    seats: tuple[Seat, ...]
    position: int | None = None
    """The number of the current stored phase, perhaps rolled back to; None while forming."""
    clock: Clock | None = None
    """None while forming and after the end."""
    ending: Ending | None = None
    """Only of a finished game."""
    shared: SharedDice | None = None
    """None: the dice follow from the secret alone."""
    attendance: tuple[Attendance, ...] = ()
    """Of everybody who has had a phase to order, including those who left."""
    heard: datetime | None = None
    """The master's last signon, to the hour; None since the game was created."""
    warned: datetime | None = None
    """The last warning to a silent master about the takeover."""
    claims: tuple[Seat, ...] = ()
    """Unconfirmed seats.

    No game begins with them, and nothing is sent to them.  A claim of an abandoned seat names its
    powers and has a number of its own.
    """
    ejected: tuple[Seat, ...] = ()
    """The seats that a master took from their holders, as they were, to give them back."""
    agreements: tuple[Agreement, ...] = ()
    """Offered or accepted, oldest first; old ones are left out in time."""
    seating: Seating = Seating()

    @property
    def is_confirmed(self) -> bool:
        """True once its creator's address is confirmed; until then it is hidden."""
        return bool(self.seats)

    @property
    def is_imported(self) -> bool:
        """True if it was played at another judge, with its people and its times."""
        return self.ending is not None and self.ending.origin is not None

    @property
    def people(self) -> frozenset[PersonId]:
        """The people at its seats, its master, and those who have had a seat."""
        sitting = {seat.person for seat in self.seats if seat.person is not None}
        turned_out = {who for _, who in self.clock.turned_out} if self.clock is not None else set()
        if self.seating.tenures:
            turned_out |= {each.person for each in self.seating.tenures if each.person is not None}
        return frozenset(sitting | turned_out | {self.master})

    @property
    def words(self) -> tuple[str, ...] | None:
        """The players' words in the order of receipt; None if dice are not shared."""
        return None if self.shared is None else tuple(word.text for word in self.shared.words)

    @property
    def key(self) -> bytes:
        """The key of all chance of the game; with shared dice it includes the words."""
        return self.secret if self.words is None else shared_key(self.secret, self.words)


@dataclass(frozen=True, slots=True)
class Author:
    """The role of a message's writer."""

    role: Role | None = None
    """None if only words were kept, in *name*."""
    powers: tuple[PowerId, ...] = ()
    name: str = ""
    """Empty where a power or an office stands for them."""


@dataclass(frozen=True, slots=True)
class Readership:
    """The readers of a message, true or pretended."""

    named: tuple[str, ...] = ()
    """The letters of powers, M for the master, O for observers; or words if only these were kept.

    Empty without *all_but*: not stated.
    """
    all_but: bool = False
    """Everybody but these."""

    @property
    def to_all(self) -> bool:
        """True for everybody."""
        return self.all_but and not self.named


@dataclass(frozen=True, slots=True)
class PressItem:
    """A message between the people of a game, as it was sent."""

    game: GameId
    at: datetime
    after: int | None
    """The stored phase after which it was written; None while the game forms."""
    sender: int
    readers: tuple[int, ...]
    """The seats that got it; empty: everybody."""
    text: str
    anonymous: bool = False
    author: Author = Author()
    aim: Readership = Readership(all_but=True)
    """The true readers."""
    shown: Readership | None = None
    """The stated readers; None: the true ones."""
    people: tuple[PersonId, ...] = ()
    """Its writer, and everybody to whom it was sent."""
    postal: bool = False
    """It was published with results."""


@dataclass(frozen=True, slots=True)
class Notice:
    """An entry in the log of a game."""

    game: GameId
    at: datetime
    by: PersonId | None
    """None for the judge itself."""
    kind: str
    """One word, such as ``joined`` or ``deadline``."""
    text: str
    """In the judge's usual language."""
    translations: Mapping[str, str] | None = None
    """By language, where it reads otherwise; None in entries of earlier versions."""

    @property
    def words(self) -> str:
        """The text, for a reader of any language."""
        own = self.translations or {}
        return Name(self.text, {language: {self.text: text} for language, text in own.items()})


def holdings(world: World, state: State) -> tuple[Holding, ...]:
    """Return the index rows for a position."""
    words = Words(world)
    return tuple(
        Holding(
            power,
            cities=cities_that_count(words, state, power),
            treasury=state.treasuries.get(power, 0) if world.rules.game.money else None,
        )
        for power in world.scenario.in_play
    )


# Who may take a seat at a game: those invited, or everybody but those kept out. Entries are
# addresses, patterns with ``*`` such as ``*@club.example``, or people. Somebody whom the master
# has ejected or named stays out, by all their addresses, until the master says otherwise.
NOT_INVITED = Message("model.not_invited")
SHUT_OUT = Message("model.shut_out")


def why_not_sit(settings: GameSettings, person: Person) -> Message | None:
    """Return why a person may not join or take over; an invitation beats a pattern."""
    if is_shut_out(settings, person):
        return SHUT_OUT
    if is_by_invitation(settings):
        return None if is_invited(settings, person) else NOT_INVITED
    return NOT_INVITED if is_meant(person, settings.denied) else None


def why_not_watch(settings: GameSettings, person: Person) -> Message | None:
    """Return why a person may not observe; everybody may who is not kept out."""
    if is_shut_out(settings, person):
        return SHUT_OUT
    is_denied = is_meant(person, settings.denied) and not is_invited(settings, person)
    return NOT_INVITED if is_denied else None


def is_by_invitation(settings: GameSettings) -> bool:
    """Return True if only the invited may join."""
    return bool(settings.allowed or settings.invited)


def is_invited(settings: GameSettings, person: Person) -> bool:
    """Return True if a person was invited, by address, pattern or name."""
    return person.id in settings.invited or is_meant(person, settings.allowed)


def is_shut_out(settings: GameSettings, person: Person) -> bool:
    """Return True if the master has ejected a person, or keeps them out by name."""
    return person.id in settings.shut_out


def is_meant(person: Person, entries: Iterable[str]) -> bool:
    """Return True if one of a person's addresses is in a list, or fits a pattern in it."""
    # Only the star is a sign of its own; brackets and question marks stand in addresses.
    return any(
        fnmatchcase(address, entry.replace("[", "[[]").replace("?", "[?]"))
        for entry in entries
        for address in person.addresses
    )


class NoteKind(Enum):
    """The purpose of a note."""

    POSTAL = "postal"
    """Published with the next results."""
    DIARY = "diary"
    """Private; its writer may open it for the end of the game."""


@dataclass(frozen=True, slots=True)
class Note:
    """A note; its number is unique for its kind, person and game."""

    game: GameId
    kind: NoteKind
    person: PersonId
    number: int
    seat: int
    author: Author
    at: datetime
    phase: str
    """The code of the phase in which it was written; empty while the game forms."""
    text: str


def next_number(notes: tuple[Note, ...]) -> int:
    """Return the number for a person's next note of the same kind."""
    return max((note.number for note in notes), default=0) + 1
