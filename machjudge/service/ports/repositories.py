"""What the service keeps of people and games, and reads again, within one transaction."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Protocol

from machjudge.adjudicator.model.names import PowerId
from machjudge.service.credentials.mailed_tokens import Token
from machjudge.service.model.ends import End
from machjudge.service.model.notes import Note, NoteKind
from machjudge.service.model.plans import Plan
from machjudge.service.model.ratings import RatedGame
from machjudge.service.model.records import (
    Game,
    GameId,
    Holding,
    Notice,
    Person,
    PersonId,
    PressItem,
    Sheet,
    StoredPhase,
)


class Persons(Protocol):
    """The people."""

    def get(self, person: PersonId) -> Person | None:
        """The person with that token."""
        ...

    def of(self, people: Collection[PersonId]) -> Mapping[PersonId, Person]:
        """Several people at once; those who are not there are left out."""
        ...

    def held(self, people: Collection[PersonId]) -> Mapping[PersonId, Person]:
        """The same, as they are now; nobody else changes them until the transaction ends."""
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

    def unfinished(self) -> Sequence[Game]:
        """The games that form or run, by name."""
        ...

    def finished(self) -> Sequence[GameId]:
        """The finished games that are listed, by name."""
        ...

    def attended_by(self, person: PersonId) -> Sequence[Game]:
        """The games with somebody in their attendance, by name."""
        ...

    def ends(self) -> Mapping[End, int]:
        """How many games ended in which way here."""
        ...

    def finishes(self, of: Collection[PersonId] | None = None) -> Sequence[RatedGame]:
        """How the games for ratings points ended, by name; with *of*, those that they played."""
        ...

    def seated(self, people: Collection[PersonId]) -> Collection[PersonId]:
        """Those of some people who sit at a game, whatever its state."""
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

    def save(self, game: Game, read: Game | None = None, *, adds_only_sheets: bool = False) -> None:
        """Replace the game whose stored version is ``game.version - 1``.  Raises Stale.

        *read* is that version, if it is at hand: what has not changed is not written again.
        With *adds_only_sheets* nothing of the game changes but its version and its order sets,
        and whoever knows the one before reads those alone.
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

    def now(self, games: Iterable[Game]) -> Mapping[GameId, str]:
        """The code of the phase in which each of some games is; without those that form."""
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

    def to_all(self) -> Mapping[GameId, int]:
        """How many messages to everybody there are in each game that has any."""
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


class Heartbeat(Protocol):
    """When the judge last looked at its clock, so that a jump of it is noticed."""

    def last(self) -> datetime | None:
        """When it was; None before the first."""
        ...

    def usual(self) -> timedelta | None:
        """How long is usually between looks; None as long as nothing is known."""
        ...

    def missed(self) -> timedelta:
        """Unusual silences between looks that nobody has made up for yet."""
        ...

    def beat(
        self, now: datetime, usual: timedelta | None = None, missed: timedelta = timedelta(0)
    ) -> None:
        """Note that it is *now*, how long is usually between looks, what was missed.

        Raises Stale.
        """
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


class Traces(Protocol):
    """What stands in the database of somebody, beside their name and addresses."""

    def of(self, person: Person) -> Mapping[str, Sequence[Mapping[str, object]]]:
        """By what they are about: a row for each, its fields by their names; the newest first."""
        ...

    def games(self, person: Person) -> Sequence[GameId]:
        """The games in which somebody has a seat, or had one; by name."""
        ...

    def erase(self, person: Person, called: str) -> None:
        """Remove what tells who somebody is; where a name must stand they are *called* so.

        Their seats, and mails and letters that still wait, stay as they are.
        """
        ...
