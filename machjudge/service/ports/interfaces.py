"""What the desk needs from outside: repositories, transactions, passwords and chance.

Written by the one who needs them; the store and the wiring implement them, tests have fakes in
memory.  Instants come in as arguments: nothing here looks at a clock.
"""

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from typing import Protocol

from machjudge.adjudicator.model.names import PowerId
from machjudge.service.credentials.mailed_tokens import Token
from machjudge.service.credentials.pending_acts import PendingActs
from machjudge.service.credentials.reply_tokens import ReplyTokens
from machjudge.service.model.counts import Counts
from machjudge.service.model.notes import Note, NoteKind
from machjudge.service.model.plans import Plan
from machjudge.service.model.records import (
    Game,
    GameId,
    Holding,
    MailId,
    Notice,
    Person,
    PersonId,
    PressItem,
    Sheet,
    StoredPhase,
)
from machjudge.service.ports.deliveries import Posted, Returned, Unheard
from machjudge.service.ports.mailbox import LetterId
from machjudge.service.ports.mails import KeptMail, Outcome, Outgoing
from machjudge.service.ports.stale import Stale as Stale  # noqa: PLC0414  exported


class Persons(Protocol):
    """The people."""

    def get(self, person: PersonId) -> Person | None:
        """The person with that token."""
        ...

    def of(self, people: Collection[PersonId]) -> Mapping[PersonId, Person]:
        """Several people at once; those who are not there are left out."""
        ...

    def by_address(self, address: str) -> Person | None:
        """Whose confirmed address it is (compared in lower case)."""
        ...

    def names(self, besides: Collection[PersonId] = ()) -> Sequence[str]:
        """The names of everybody else; several people may have the same."""
        ...

    def by_name(self, name: str) -> Sequence[Person]:
        """Everybody confirmed of that name; case and the number of spaces do not count."""
        ...

    def unconfirmed(self, until: datetime) -> Sequence[Person]:
        """Everybody who came before an instant and whose address is only claimed, oldest first."""
        ...

    def remove(self, person: PersonId) -> None:
        """Forget somebody whose address nobody has confirmed."""
        ...

    def save(self, person: Person) -> None:
        """Add or replace a person.  Raises Stale if an address belongs to another person."""
        ...


class Games(Protocol):
    """The games, without their positions."""

    def get(self, game: GameId) -> Game | None:
        """The game of that name."""
        ...

    def lock(self, game: GameId) -> None:
        """Let nobody else change a game until the transaction ends (writing transactions only)."""
        ...

    def all(self) -> Sequence[Game]:
        """All games, by name."""
        ...

    def claimed(self) -> Sequence[GameId]:
        """The games with seats that wait for an answer, by name."""
        ...

    def due(self, now: datetime) -> Sequence[GameId]:
        """The games to be looked at by *now*, by name: changed ones, and those that are due."""
        ...

    def rest(self, game: Game, until: datetime | None) -> None:
        """Nothing is to be done with a game before *until* (never, if None), unless it changes.

        Does nothing if it has changed since it was read.
        """
        ...

    def add(self, game: Game) -> None:
        """Add a game with version 1.  Raises Stale if the name is taken."""
        ...

    def remove(self, game: GameId) -> None:
        """Forget a game that nobody has confirmed, with what was noted about it."""
        ...

    def save(self, game: Game, read: Game | None = None) -> None:
        """Replace the game whose stored version is ``game.version - 1``.  Raises Stale.

        *read* is that version, if it is at hand: what has not changed is not written again.
        """
        ...


class Sheets(Protocol):
    """The order sets of all powers, with their history."""

    def on_file(self, game: GameId, after: int) -> Mapping[PowerId, Sheet]:
        """The newest sheet of each power that has one for the phase following *after*."""
        ...

    def history(self, game: GameId, after: int, power: PowerId) -> Sequence[Sheet]:
        """All sheets of a power for that phase, oldest first."""
        ...

    def add(self, sheet: Sheet) -> None:
        """Add a sheet.  Raises Stale if its number is taken."""
        ...


class Plans(Protocol):
    """What the powers have on file ahead, with its history."""

    def on_file(self, game: GameId) -> Mapping[PowerId, Plan]:
        """The newest plan of each power that has one."""
        ...

    def history(self, game: GameId, power: PowerId) -> Sequence[Plan]:
        """All plans of a power, oldest first."""
        ...

    def add(self, plan: Plan) -> None:
        """Add a plan.  Raises Stale if its number is taken."""
        ...


class Phases(Protocol):
    """The phases as they were processed."""

    def get(self, game: GameId, number: int) -> StoredPhase:
        """One stored phase.  Raises KeyError."""
        ...

    def all_of(self, game: GameId) -> Sequence[StoredPhase]:
        """All stored phases of a game by number, those from before a rollback included."""
        ...

    def add(self, phase: StoredPhase, holdings: Sequence[Holding]) -> None:
        """Add a phase and its rows of the index.  Raises Stale if its number is taken."""
        ...

    def last_number(self, game: GameId) -> int:
        """The highest number used in the game; -1 where there is none."""
        ...

    def holdings(self, game: GameId, number: int) -> Sequence[Holding]:
        """The rows of the index of one phase, by power."""
        ...


class PressFile(Protocol):
    """The messages between players."""

    def add(self, item: PressItem) -> None:
        """Keep a message."""
        ...

    def all_of(self, game: GameId) -> Sequence[PressItem]:
        """All messages of a game, oldest first."""
        ...


class Notes(Protocol):
    """Postal press that waits, and the diaries."""

    def add(self, note: Note) -> None:
        """Keep a note.  Raises Stale if its number is taken."""
        ...

    def remove(self, note: Note) -> None:
        """Throw a note away."""
        ...

    def all_of(self, game: GameId, kind: NoteKind) -> Sequence[Note]:
        """All notes of that kind at a game, oldest first."""
        ...


class Notices(Protocol):
    """The log of each game."""

    def add(self, notice: Notice) -> None:
        """Keep an entry."""
        ...

    def all_of(self, game: GameId) -> Sequence[Notice]:
        """All entries of a game, oldest first."""
        ...


class Inbox(Protocol):
    """The kept mails.  The listener adds to it; the worker takes from it.

    An unfinished mail is one that is neither finished nor set aside.
    """

    def claim(self, now: datetime, *, before: datetime | None = None) -> KeptMail | None:
        """Take up the oldest unfinished mail that nobody else has claimed.

        Passed over are mails put back until later than *now*, mails whose sender has an older
        unfinished one, and, with *before*, those received at or after that instant.  Mails with
        which several processes died come last.  The claim ends by itself after ten minutes;
        *tries* goes up by one, or *deaths* where the claim is taken over from a dead process.
        """
        ...

    def concerns(self, mail: MailId, game: GameId | None) -> None:
        """Note for which game a mail is, or that it is for none; until then it is in doubt."""
        ...

    def must_wait(self, mail: MailId, game: GameId) -> bool:
        """Whether an older unfinished mail is for the game, or still in doubt."""
        ...

    def any_before(self, instant: datetime, game: GameId) -> bool:
        """Whether a mail received before *instant*, for the game or in doubt, is unfinished."""
        ...

    def newest(self, game: GameId) -> datetime | None:
        """When the newest unfinished mail was received that is for the game or in doubt."""
        ...

    def put_back(self, mail: MailId, until: datetime, *, counts: bool) -> None:
        """End the claim; take the mail up again at *until*.  *counts*: the try was a failure."""
        ...

    def finish(
        self, mail: KeptMail, outcome: Outcome, redacted: bytes, now: datetime, why: str = ""
    ) -> None:
        """The mail is handled; *redacted* replaces what was kept: every password in it is out.

        *why* says for what a mail was taken that may not be answered.  Raises Stale if it is
        finished already, so that no mail takes effect twice.
        """
        ...

    def set_aside(self, mail: MailId, why: str, now: datetime) -> None:
        """Keep the mail for the judge keeper; *why* is one line."""
        ...

    def set_aside_since(self, address: str, since: datetime) -> int:
        """How many mails from an address were set aside at or after *since*."""
        ...

    def unheard(self, address: str, since: datetime, most: int) -> Sequence[Unheard]:
        """The newest mails from an address that were taken for automatic ones."""
        ...


class Outbox(Protocol):
    """Letters that are sent after the transaction is committed."""

    def put(self, letter: Outgoing) -> None:
        """Add a letter."""
        ...

    def lately(self, address: str, since: datetime, most: int) -> Sequence[Posted]:
        """The newest letters to an address made at or after *since*, at most *most* of them."""
        ...

    def posted(self, letter: LetterId) -> Posted | None:
        """The letter of that number; none if there is none."""
        ...

    def bodies(self, address: str, since: datetime, most: int) -> Sequence[str]:
        """The texts of the newest letters to an address made at or after *since*."""
        ...

    def came_back(self, letter: LetterId, now: datetime, why: str) -> Returned | None:
        """Note that a letter could not be delivered; None if no such letter was sent."""
        ...


class Pulse(Protocol):
    """When the judge last looked at his clock, so that a jump of it is noticed."""

    def last(self) -> datetime | None:
        """When it was; none before the first."""
        ...

    def usual(self) -> timedelta | None:
        """How long is usually between looks; none as long as nothing is known."""
        ...

    def beat(self, now: datetime, usual: timedelta | None = None) -> None:
        """Note that it is *now*, and how long is usually between looks."""
        ...

    def set_back(self, now: datetime) -> None:
        """The clock was ahead and is right again: nothing that it has noted stays in the future.

        What waits for its time is due, claims end soon, and what happened happened until now.
        """
        ...


class Keys(Protocol):
    """The tokens that were mailed."""

    def token(self, hashed: str) -> Token | None:
        """The token with that hash, whether it is still worth something or not."""
        ...

    def made_since(self, person: PersonId, since: datetime) -> Sequence[Token]:
        """The tokens for somebody that were made at or after an instant, oldest first."""
        ...

    def add(self, token: Token) -> None:
        """Keep a token.  Raises Stale if it is there already."""
        ...

    def drop(self, hashed: str) -> None:
        """Forget a token that was used."""
        ...


class UnitOfWork(Protocol):
    """One transaction: what happens between its opening and its commit happens whole or not."""

    @property
    def persons(self) -> Persons:
        """The people."""
        ...

    @property
    def games(self) -> Games:
        """The games."""
        ...

    @property
    def sheets(self) -> Sheets:
        """The order sets."""
        ...

    @property
    def plans(self) -> Plans:
        """What is on file ahead."""
        ...

    @property
    def phases(self) -> Phases:
        """The stored phases."""
        ...

    @property
    def press(self) -> PressFile:
        """The messages."""
        ...

    @property
    def notes(self) -> Notes:
        """Postal press that waits, and the diaries."""
        ...

    @property
    def notices(self) -> Notices:
        """The log."""
        ...

    @property
    def inbox(self) -> Inbox:
        """The kept mails."""
        ...

    @property
    def outbox(self) -> Outbox:
        """The letters to be sent."""
        ...

    @property
    def pulse(self) -> Pulse:
        """The last look at the clock."""
        ...

    @property
    def keys(self) -> Keys:
        """The tokens."""
        ...

    @property
    def counts(self) -> Counts:
        """What is counted for the limits."""
        ...

    @property
    def reply_tokens(self) -> ReplyTokens:
        """What the tokens in the judge's messages speak for."""
        ...

    @property
    def acts(self) -> PendingActs:
        """The acts that wait for an answer."""
        ...

    def commit(self) -> None:
        """Make it last.  Raises Stale if the database found a conflict."""
        ...


class Store(Protocol):
    """Opens transactions.  Leaving one without a commit undoes it."""

    def reading(self) -> AbstractContextManager[UnitOfWork]:
        """A transaction that reads one consistent state of everything, and never writes."""
        ...

    def writing(self, *, single: bool = False) -> AbstractContextManager[UnitOfWork]:
        """A transaction that writes: short, nothing is parsed, adjudicated or rendered in it.

        *single*: one call of one repository is all that it does; what that writes may last before
        the commit.
        """
        ...


class Passwords(Protocol):
    """Hashing of passwords (argon2id)."""

    def hash(self, password: str) -> str:
        """The hash to be stored."""
        ...

    def is_right(self, hashed: str | None, password: str) -> bool:
        """Whether the password is the one; without a hash it is not, and that takes as long."""
        ...


class SenderChecks(Protocol):
    """What mails prove of their senders."""

    def is_verified(self, raw: bytes, address: str) -> bool:
        """Whether the mail *raw* proves that it comes from *address*, the one in its From."""
        ...


class Chance(Protocol):
    """Random bytes, from outside so that tests can say which."""

    def secret(self) -> bytes:
        """32 bytes for the dice of a game."""
        ...

    def token(self) -> str:
        """A short random text of letters and digits that is never given twice."""
        ...
