"""How often something has happened lately: instants under a key."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
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
from machjudge.judge.game_settings import GameSettings
from machjudge.judge.tick_times import DIGEST_HOUR
from machjudge.messages.receipt import cities_that_count
from machjudge.messages.wording import Words
from machjudge.translatable import Message

PersonId = NewType("PersonId", str)
"""A random token that never changes, whatever addresses the person has."""

GameId = NewType("GameId", str)
"""A game's name in lower case; no two games have the same."""

MailId = NewType("MailId", int)
"""The number of a kept mail; a higher number was received later."""


FORGOTTEN_AFTER = timedelta(days=8)
"""After so long without another bounce the score ends: a week, and a day for the mail to return.

So the bounces of a game follow each other that plays one phase a week.
"""
OUT_OF_REACH = 2
"""From which score on, in halves, an address counts as out of reach."""


class Bounce(Enum):
    """How much one message that came back counts, in halves."""

    SOFT = 1
    """It was tried for long: a full mailbox, a server that did not answer."""
    HARD = 2
    """There is no such address."""


@dataclass(frozen=True, slots=True)
class Bounces:
    """What came back from one address since its owner was heard."""

    address: str
    since: datetime
    """When the first of these messages came back."""
    last: datetime
    halves: int
    """The score, in halves."""
    today: int
    """How many of them the day of the last one has brought, in UTC."""

    @property
    def is_out_of_reach(self) -> bool:
        """Whether the address counts as out of reach: one hard bounce, or soft ones of two days."""
        return self.halves >= OUT_OF_REACH

    def counts(self, began: datetime, now: datetime) -> bool:
        """Whether it still says something in a phase that *began* then.

        What came back in the phase does, however long the phase is: nothing else was sent since.
        """
        return self.is_out_of_reach and self.last >= min(now - FORGOTTEN_AFTER, began)


def with_bounce(known: Bounces | None, address: str, bounce: Bounce, now: datetime) -> Bounces:
    """The score of an address with one more; a day counts as much as the worst of its bounces."""
    if known is None or now - known.last >= FORGOTTEN_AFTER:
        return Bounces(address, now, now, bounce.value, bounce.value)
    today = known.today if known.last.date() == now.date() else 0
    more = max(0, bounce.value - today)
    return replace(known, last=now, halves=known.halves + more, today=today + more)


class End(Enum):
    """How a game ended."""

    VICTORY = "victory"
    """The master has recognised it, or the game has ended by itself."""
    DRAW = "draw"
    """Some share the win: the players or the master say so, or equals have won at once."""
    CONCESSION = "concession"
    """All others have given the game to one."""
    TERMINATED = "terminated"
    """The master has broken it off."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a game was played that has been imported: its record is sealed with these."""

    judge: str
    """The code of that judge."""
    game: str
    """What it was called there."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How and when a game ended."""

    end: End
    winners: tuple[PowerId, ...]
    """In the order of the scenario; nobody where the game was broken off."""
    at: datetime
    by_vote: bool = False
    """Whether the votes of the players ended it, not the master."""
    origin: Provenance | None = None
    """None for a game that was played here."""


DAY = timedelta(hours=24)
HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class JudgeLimits:
    """The limits of one judge; every number counts for the 24 hours, or the hour, that is past."""

    answers_a_day: int = 5
    """Messages to one address that mails without a proof may cause; 0: no limit, and no proof is
    asked for."""
    games_a_day: int = 3
    """Games that one person may make; here and below 0: no limit."""
    seats_a_day: int = 10
    """Seats that one person may take, those of observers included."""
    observers: int = 40
    """Observers of one game at the same time."""
    press_an_hour: int = 60
    """Texts that one seat may send to others."""


class Counts(Protocol):
    """What was counted.  Old entries go by themselves."""

    def lock(self, keys: Collection[str]) -> None:
        """Until the transaction ends, nobody else counts for these keys (writing ones only)."""

    def all_lately(
        self, keys: Collection[str], since: datetime
    ) -> Mapping[str, Sequence[datetime]]:
        """When it happened after *since* under each key, oldest first; empty where never."""

    def numbers(self, keys: Collection[str], since: datetime, until: datetime) -> Mapping[str, int]:
        """How often it happened after *since* and up to *until* under each key."""

    def add(self, keys: Collection[str], at: datetime) -> None:
        """Count once more under each key."""

    def take_back(self, keys: Collection[str], at: datetime) -> None:
        """Uncount one of the entries of that instant under each key, if there is one."""

    def forget(self, keys: Collection[str]) -> None:
        """Uncount everything under some keys."""


_AHEAD = timedelta(minutes=10)
"""As long as a process may hold a mail: others may have counted so much later than its instant."""


def that_count(instants: Iterable[datetime], now: datetime) -> list[datetime]:
    """Without those from the future, which a clock that was set back has left."""
    return [at for at in instants if at <= now + _AHEAD]


def used(
    counts: Counts, keys: Collection[str], within: timedelta, now: datetime
) -> Mapping[str, int]:
    """How often something has happened under each key in the time before *now*."""
    return counts.numbers(keys, now - within, now + _AHEAD)


@dataclass(frozen=True, slots=True)
class Limit:
    """How often something may happen under a key within a time; 0: as often as one likes."""

    key: str
    most: int
    within: timedelta = DAY

    def used(self, counts: Counts, now: datetime) -> int:
        """How often it has happened."""
        return used(counts, [self.key], self.within, now)[self.key]


@dataclass(frozen=True, slots=True)
class Jump:
    """The judge's clock leapt forward, or stood still with the judge, and the times were moved."""

    since: datetime
    """When the judge had looked at its clock before."""
    by: timedelta
    """By how much the judge's clock leapt, and the end of the game was put off."""
    deadline: timedelta | None = None
    """By how much the deadline was, to land where deadlines are; None: by as much."""
    grace: timedelta | None = None
    """By how much the end of the grace was; None: by as much."""
    start: timedelta | None = None
    """By how much the instant was before which nothing is played; None: by as much."""


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
    """The end of the grace; None: the deadline itself has none to follow."""
    warned: tuple[int, ...] = ()
    """The hours before the deadline of which the missing have been warned."""
    out_of_reach: tuple[int, ...] = ()
    """The seats of which the masters have been told that they cannot be reached."""
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
    """When a game ends for good that is won, or broken off; its clock stands until then."""
    entered: int | None = None
    """How often calendars were told of another deadline or another player; None: not known."""
    won: bool = False
    """Whether it ends because somebody has won, and not because its master has broken it off."""


class AddressStanding(Enum):
    """What is known of somebody's address."""

    CONFIRMED = "confirmed"
    """Somebody has answered a message that went there."""
    CLAIMED = "claimed"
    """It stood in From, and nobody has answered yet."""
    REGISTERING = "registering"
    """The same, and the mail asked for its name and time zone to be written down."""


class Calendar(Enum):
    """How the deadlines of games come to somebody's calendar."""

    ON = "on"
    """As a file with the messages that set them."""
    OFF = "off"
    INVITE = "invite"
    """As an invitation, which many calendars enter by themselves."""


class Notify(Enum):
    """How often somebody wants mails about their games."""

    EACH = "each"
    """Every message by itself."""
    DAILY = "daily"
    """One digest a day, but for what cannot wait."""
    IMPORTANT = "important"
    """What matters by itself, everything else in the digest."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who plays, keeps or watches games here."""

    id: PersonId
    name: str
    """What others see; one line without control characters."""
    addresses: tuple[str, ...]
    """The mail addresses, lower case, the one of record first; no two persons share one."""
    zone: str
    """The time zone of mails to them, an IANA name such as ``Europe/Rome``."""
    registered: datetime
    standing: AddressStanding = AddressStanding.CONFIRMED
    calendar: Calendar = Calendar.ON
    language: str = ""
    """The language of mails to them, a folder of the templates; empty for the judge's own."""
    html: bool = True
    """Whether mails to them have an HTML part beside the text."""
    pictures: bool = True
    """Whether messages to them show maps."""
    json: bool = False
    """Whether results bring what happened as a JSON file, too."""
    notify: Notify = Notify.EACH
    digest_hour: int = DIGEST_HOUR
    """At which hour in their zone the digest goes out, 0 to 23."""
    bounces: tuple[Bounces, ...] = ()
    """What came back from their addresses since they were heard."""

    @property
    def is_confirmed(self) -> bool:
        """Whether somebody has answered from the address; otherwise it is only claimed."""
        return self.standing is AddressStanding.CONFIRMED


def is_same_name(one: str, other: str) -> bool:
    """Whether two names are the same but for case and the number of spaces."""
    return one.casefold().split() == other.casefold().split()


@dataclass(frozen=True, slots=True)
class Attendance:
    """How somebody kept the deadlines of one game."""

    person: PersonId
    on_time: int = 0
    """Phases for which their orders were there at the deadline."""
    late: int = 0
    """Phases for which they were not."""
    left: int = 0
    """Seats that they gave up, or that were opened to others in their absence."""


class Role(Enum):
    """As what somebody sits at a game."""

    PLAYER = "player"
    OBSERVER = "observer"
    MASTER = "master"


@dataclass(frozen=True, slots=True)
class Absence:
    """Somebody is away: no deadline that is set afterwards falls into this time."""

    start: datetime
    end: datetime
    """After *start*."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What whoever sits at a seat wishes about press, their diary and their mails."""

    broadcasts: bool = True
    """Whether broadcasts come to an observer or a master."""
    all_press: bool = False
    """Whether they read along press to some, as far as they may."""
    open_diary: bool = False
    """Whether their diary is published when the game is over."""
    plain_subject: bool = False
    """Whether subjects of results have the code of the phase instead of the news."""
    in_letters: bool = False
    """Whether they read orders in the letters of the book of 1978, where units have numbers."""


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
    """Among whom the game shall end drawn, sorted; None: no such vote.  Cleared each phase."""
    concede: PowerId | None = None
    """To whom the game shall be given; cleared each phase."""
    wishes: Wishes = Wishes()
    approved: bool = True
    """Whether the master has approved whoever sits here, where they do so."""
    public: bool = False
    """Whether others at the game may read the address."""
    generation: int = 0
    """How often its reply tokens were ended; those of earlier generations open nothing."""
    former: PersonId | None = None
    """Of an abandoned seat: who was late and may come back; None if its player has left."""
    claimed: Claimed | None = None
    """None for a seat that was taken with a proof."""


@dataclass(frozen=True, slots=True)
class FiledOrder:
    """One order on file: as it was written, as it was understood, and when it was received."""

    written: str
    canonical: str
    """The order in canonical notation, which parses to the same order on the game's board."""
    received: datetime
    mail: MailId | None
    """None for an order that the judge wrote in place of a silent player."""


@dataclass(frozen=True, slots=True)
class OrderSet:
    """The whole order set of one power on file; a new one has the next number.

    *after* is the number of the stored phase whose outcome the orders start from, so that the
    order sets of a phase are found again when the game is rolled back to it.
    """

    game: GameId
    after: int
    power: PowerId
    number: int
    """1 for the first one of the power for this phase, then 2, 3, …"""
    lines: tuple[FiledOrder, ...]
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
    orders: Mapping[PowerId, tuple[FiledOrder, ...]]
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
    limits: JudgeLimits = field(default_factory=JudgeLimits)
    """How much people may do."""
    confirm: bool = True
    """Whether an address counts only after somebody has answered from it."""


EVERY = "every "
"""With what the name of a part begins that is for every phase of a kind."""

_SEASONS = tuple(Season)
_STAGES = tuple(Stage)

Target: TypeAlias = Moment | Stage
"""For what orders are kept: one phase, or every phase of a kind."""


@dataclass(frozen=True, slots=True)
class Kept:
    """One order that is kept: as it was written, and in canonical notation."""

    written: str
    canonical: str


@dataclass(frozen=True, slots=True)
class Case:
    """A condition in canonical notation, and what is ordered if it holds; empty for ``else``."""

    condition: str
    items: "tuple[Item, ...]"


@dataclass(frozen=True, slots=True)
class Choice:
    """``if … else if … else … endif``: the first case that holds counts."""

    cases: tuple[Case, ...]


Item: TypeAlias = Kept | Choice


@dataclass(frozen=True, slots=True)
class PlanPart:
    """The part of a plan for one phase, or for every phase of a kind."""

    name: str
    """``S1456M``, or ``every M``."""
    items: tuple[Item, ...] = ()
    waits: bool = False
    """Whether that phase shall not be played before its deadline."""
    flawed: bool = False
    """Whether the last mail about it held lines that were refused."""

    @property
    def target(self) -> Target:
        """For what it is."""
        if self.name.startswith(EVERY):
            return Stage(self.name.removeprefix(EVERY))
        moment = read_moment(self.name)
        if moment is None:
            raise ValueError(self.name)
        return moment

    @property
    def is_empty(self) -> bool:
        """Whether nothing is said in it."""
        return not self.items and not self.waits


@dataclass(frozen=True, slots=True)
class Plan:
    """All that a power has on file ahead."""

    game: GameId
    power: PowerId
    number: int
    """1 for the first plan of the power in this game, then 2, 3, …"""
    parts: tuple[PlanPart, ...]
    """Single phases in their order, then those for every phase of a kind."""
    received: datetime
    mail: MailId | None

    def part(self, target: Target) -> PlanPart:
        """The part for a phase or kind of phase; an empty one where there is none."""
        name = name_of(target)
        return next((part for part in self.parts if part.name == name), PlanPart(name))

    def with_part(self, part: PlanPart) -> "Plan":
        """The plan with a part in place of the one of that name; an empty one is left out."""
        others = [each for each in self.parts if each.name != part.name]
        parts = others if part.is_empty else [*others, part]
        return replace(self, parts=tuple(sorted(parts, key=_rank)))

    def without(self, drops: Callable[[Target], bool]) -> "Plan":
        """The plan without the parts whose target is dropped."""
        return replace(self, parts=tuple(p for p in self.parts if not drops(p.target)))

    def pending(self, now: Moment) -> tuple[PlanPart, ...]:
        """The parts that are still to come when the game is at *now*."""
        return tuple(part for part in self.parts if is_ahead(part.target, now))

    def size(self) -> int:
        """How many orders and conditions it holds."""
        return sum(_size(item) for part in self.parts for item in part.items)


def name_of(target: Target) -> str:
    """The name of the part for a phase or a kind of phase."""
    return target.code if isinstance(target, Moment) else f"{EVERY}{target.value}"


def is_ahead(target: Target, now: Moment) -> bool:
    """Whether a part may still be carried out; one for a kind of phase always may."""
    return isinstance(target, Stage) or now < target


def orders_in(items: tuple[Item, ...]) -> Iterator[Kept]:
    """Every order of a part, whatever its conditions."""
    for item in items:
        if isinstance(item, Kept):
            yield item
        else:
            for case in item.cases:
                yield from orders_in(case.items)


def _rank(part: PlanPart) -> tuple[bool, int, int, int]:
    """Single phases as they follow each other, then kinds of phase."""
    target = part.target
    if isinstance(target, Stage):
        return (True, 0, 0, _STAGES.index(target))
    return (False, target.year, _SEASONS.index(target.season), _STAGES.index(target.stage))


def _size(item: Item) -> int:
    if isinstance(item, Kept):
        return 1
    return sum(1 + sum(_size(each) for each in case.items) for case in item.cases)


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
    conduct: GameSettings
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


def holdings(world: World, state: State) -> tuple[Holding, ...]:
    """The rows of the index for a position."""
    words = Words(world)
    return tuple(
        Holding(
            power,
            cities=cities_that_count(words, state, power),
            treasury=state.treasuries.get(power, 0) if world.rules.game.money else None,
        )
        for power in world.scenario.in_play
    )


NOT_INVITED = Message("model.not_invited")
SHUT_OUT = Message("model.shut_out")


def why_not_sit(conduct: GameSettings, person: Person) -> Message | None:
    """Why somebody may not join or take over; an invitation beats a pattern that keeps out."""
    if is_shut_out(conduct, person):
        return SHUT_OUT
    if is_by_invitation(conduct):
        return None if is_invited(conduct, person) else NOT_INVITED
    return NOT_INVITED if is_meant(person, conduct.denied) else None


def why_not_watch(conduct: GameSettings, person: Person) -> Message | None:
    """Why somebody may not observe; everybody may who is not kept out."""
    if is_shut_out(conduct, person):
        return SHUT_OUT
    is_denied = is_meant(person, conduct.denied) and not is_invited(conduct, person)
    return NOT_INVITED if is_denied else None


def is_by_invitation(conduct: GameSettings) -> bool:
    """Whether only the invited may join."""
    return bool(conduct.allowed or conduct.invited)


def is_invited(conduct: GameSettings, person: Person) -> bool:
    """Whether somebody was invited, by address, pattern or name."""
    return person.id in conduct.invited or is_meant(person, conduct.allowed)


def is_shut_out(conduct: GameSettings, person: Person) -> bool:
    """Whether the master has ejected somebody, or has named them as kept out."""
    return person.id in conduct.shut_out


def is_meant(person: Person, entries: Iterable[str]) -> bool:
    """Whether one of somebody's addresses is in a list, or fits a pattern in it."""
    # Only the star is a sign of its own; brackets and question marks stand in addresses.
    return any(
        fnmatchcase(address, entry.replace("[", "[[]").replace("?", "[?]"))
        for entry in entries
        for address in person.addresses
    )


class NoteKind(Enum):
    """What becomes of a note."""

    POSTAL = "postal"
    """It is published with the next results."""
    DIARY = "diary"
    """It stays its writer's; they may open their diary for the end of the game."""


@dataclass(frozen=True, slots=True)
class Note:
    """One note; its number is unique among those of its kind that one person has at a game."""

    game: GameId
    kind: NoteKind
    person: PersonId
    number: int
    """From 1 on."""
    seat: int
    """The number of the seat from which it was written."""
    author: Author
    at: datetime
    phase: str
    """The code of the phase in which it was written; empty while the game forms."""
    text: str


def next_number(notes: tuple[Note, ...]) -> int:
    """The number for one more note of the same kind and person."""
    return max((note.number for note in notes), default=0) + 1
