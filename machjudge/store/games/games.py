"""The games without their positions: the port `Games`.

A game that was read once in a transaction is not read again.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, bindparam, delete, select, update
from sqlalchemy.orm import Session

from machjudge.service.model.ends import End
from machjudge.service.model.ratings import RatedGame
from machjudge.service.model.records import (
    Clock,
    Game,
    GameId,
    PersonId,
    Status,
)
from machjudge.service.ports.interfaces import Stale
from machjudge.store.games.attendance import read_attendance, write_attendance
from machjudge.store.games.cache import DOCUMENTS, GAME, CachedGames, Known
from machjudge.store.games.clocks import read_clock, write_times
from machjudge.store.games.endings import read_ending, write_ending
from machjudge.store.games.finished import ends, finished, finishes
from machjudge.store.games.seats import read_seat, seat_columns
from machjudge.store.games.shared_dice import read_shared, write_shared
from machjudge.store.games.stamp import stamp_of
from machjudge.store.people.persons import StoredPersons
from machjudge.store.schema.documents import read_conduct, read_rules, write_conduct, write_rules
from machjudge.store.schema.engine import is_sqlite
from machjudge.store.schema.prepared import Prepared
from machjudge.store.schema.rows import add_rows, rows
from machjudge.store.schema.tables import (
    AttendedRow,
    GameRow,
    NoteRow,
    NoticeRow,
    PendingActRow,
    PressRow,
    SeatRow,
    TokenRow,
)

_GAME = select(GameRow.__table__).where(GameRow.id == bindparam("wanted"))
_SEATS = (
    select(SeatRow.__table__).where(SeatRow.game == bindparam("wanted")).order_by(SeatRow.number)
)
_LOCK = Prepared(select(GameRow.id).where(GameRow.id == bindparam("wanted")).with_for_update())
_SAVE = Prepared(
    update(GameRow)
    .where(GameRow.id == bindparam("wanted"), GameRow.version == bindparam("read_version"))
    .returning(GameRow.id)
)

_BELONG = (SeatRow, NoticeRow, AttendedRow, PressRow, NoteRow, TokenRow, PendingActRow)
"""What may belong to a game that has not begun."""


class StoredGames:
    """The games in one transaction."""

    def __init__(self, session: Session, cached: CachedGames, persons: StoredPersons) -> None:
        self._session = session
        self._cached = cached
        self._persons = persons
        self._known: dict[GameId, Game | None] = {}

    def get(self, game: GameId) -> Game | None:
        """The game of that name."""
        if game not in self._known:
            self._known[game] = self._found(game)
        return self._known[game]

    def lock(self, game: GameId) -> None:
        """Let nobody else change a game until the transaction ends; on SQLite it is alone."""
        if not is_sqlite(self._session.connection()):
            self._known.pop(game, None)
            _LOCK.run(self._session.connection(), {"wanted": game})

    def unfinished(self) -> Sequence[Game]:
        """The games that form or run, by name."""
        return self._games(GameRow.status.in_([Status.FORMING.value, Status.RUNNING.value]))

    def attended_by(self, person: PersonId) -> Sequence[Game]:
        """The games with somebody in their attendance, by name."""
        attended = select(AttendedRow.game).where(AttendedRow.person == person)
        return self._games(GameRow.id.in_(attended))

    def finished(self) -> Sequence[GameId]:
        """The finished games that are listed, by name."""
        return finished(self._session)

    def ends(self) -> Mapping[End, int]:
        """How many games ended in which way here."""
        return ends(self._session)

    def finishes(self, of: Collection[PersonId] | None = None) -> Sequence[RatedGame]:
        """How the games for ratings points ended, by name; all, or those of some people."""
        return finishes(self._session, of)

    def seated(self, people: Collection[PersonId]) -> Collection[PersonId]:
        """Those of some people who sit at a game, whatever its state."""
        sits = (SeatRow.person.in_(list(people)), SeatRow.is_claim.is_(False))
        found = select(SeatRow.person).where(*sits).distinct().order_by(SeatRow.person)
        return [PersonId(each) for each in rows(self._session, found) if each is not None]

    def _games(self, wanted: ColumnElement[bool]) -> Sequence[Game]:
        """Some games with their seats: a statement for each table."""
        found = rows(self._session, select(GameRow).where(wanted))
        of_them = SeatRow.game.in_(select(GameRow.id).where(wanted))
        seats: dict[str, list[SeatRow]] = defaultdict(list)
        for seat in rows(self._session, select(SeatRow).where(of_them).order_by(SeatRow.number)):
            seats[seat.game].append(seat)
        return [_game(each, seats[each.id]) for each in sorted(found, key=lambda each: each.id)]

    def claimed(self) -> Sequence[GameId]:
        """The games with seats that wait for an answer, by name."""
        found = (
            select(SeatRow.game).where(SeatRow.is_claim.is_(True)).distinct().order_by(SeatRow.game)
        )
        return [GameId(game) for game in self._session.scalars(found)]

    def due(self, now: datetime) -> Sequence[GameId]:
        """The games that have to be looked at by *now*, by name."""
        # Sorted here: asked for an order, SQLite reads all games in it, and not those that are due.
        found = select(GameRow.id).where(GameRow.next_look <= now)
        return [GameId(game) for game in sorted(self._session.scalars(found))]

    def rest(self, game: Game, until: datetime | None) -> None:
        """Nothing is to be done with a game before *until*, unless it changes."""
        unchanged = (GameRow.id == game.id, GameRow.version == game.version)
        resting = update(GameRow).where(*unchanged).values(next_look=until)
        self._session.execute(resting.execution_options(synchronize_session=False))

    def add(self, game: Game) -> None:
        """Add a game with version 1.  Raises Stale if the name is taken."""
        self._known.pop(game.id, None)
        since = {"only_sheets_since": game.version}
        values = {"id": game.id, **_columns(game), **since, **_at_once(game)}
        add_rows(self._session, GameRow, [values], f"there is a game {game.id} already")
        self._add_seats(game)
        self._note_attendance(game, None)
        self._cached.saved(game, None)

    def save(self, game: Game, read: Game | None = None, *, adds_only_sheets: bool = False) -> None:
        """Replace the game whose stored version is ``game.version - 1``.  Raises Stale."""
        self._known.pop(game.id, None)
        of = {"wanted": game.id, "read_version": game.version - 1}
        since = {} if adds_only_sheets else {"only_sheets_since": game.version}
        values = {**of, **_changed(game, read), **since, **_at_once(game)}
        if _SAVE.scalar(self._session.connection(), values) is None:
            message = f"the game {game.id} is not at version {game.version - 1}"
            raise Stale(message)
        if read is None or (game.seats, game.claims) != (read.seats, read.claims):
            self._session.execute(delete(SeatRow).where(SeatRow.game == game.id))
            self._add_seats(game)
        self._note_attendance(game, read)
        self._cached.saved(game, read)

    def _note_attendance(self, game: Game, read: Game | None) -> None:
        """Note who stands in the attendance of a game now."""
        people = {each.person for each in game.attendance}
        if read is not None and people == {each.person for each in read.attendance}:
            return
        self._session.execute(delete(AttendedRow).where(AttendedRow.game == game.id))
        attended = [{"person": each, "game": game.id} for each in sorted(people)]
        add_rows(self._session, AttendedRow, attended, f"the attendance of {game.id} is noted")

    def _add_seats(self, game: Game) -> None:
        seats = [
            *(seat_columns(game.id, seat) for seat in game.seats),
            *({**seat_columns(game.id, seat), "is_claim": True} for seat in game.claims),
        ]
        add_rows(self._session, SeatRow, seats, f"two seats of {game.id} have the same number")

    def _found(self, game: GameId) -> Game | None:
        kept = self._cached.kept(game)
        read = self._unchanged(game, kept) if kept is not None else None
        return self._read(game, kept) if read is None else read

    def _unchanged(self, game: GameId, kept: Known) -> Game | None:
        """The game as it is kept, if only order sets were added; with it its people are read."""
        people = {f"person{n}": each for n, each in enumerate(sorted(kept.people))}
        stamp = stamp_of(len(people))
        found = stamp.rows(self._session.connection(), {"wanted": game, **people})
        if not found or not kept.lacks_only_sheets(*found[0][:3]):
            return None
        self._persons.take((row for row in found if row.person is not None), kept.people)
        return self._cached.use(game, kept, found[0].version)

    def _read(self, game: GameId, kept: Known | None) -> Game | None:
        connection = self._session.connection()
        found = connection.execute(_GAME, {"wanted": game}).one_or_none()
        if found is None:
            return None
        documents = (found.rules, found.conduct)
        as_kept = None if kept is None or kept.parts[DOCUMENTS] != documents else kept.parts[GAME]
        read = _game(found, connection.execute(_SEATS, {"wanted": game}).all(), as_kept)
        self._cached.found(read, documents)
        return read

    def remove(self, game: GameId) -> None:
        """Forget a game that nobody has confirmed, with what was noted about it."""
        self._known.pop(game, None)
        self._cached.removed(game)
        for table in _BELONG:
            self._session.execute(delete(table).where(table.game == game))
        self._session.execute(delete(GameRow).where(GameRow.id == game))


def _game(
    found: GameRow | Row[Any], seats: Iterable[SeatRow | Row[Any]], as_kept: Game | None = None
) -> Game:
    """A game from its row and those of its seats and claims, by number.

    Rules and conduct are those of the game *as_kept*, if it is known that they are the same.
    """
    name = f"game {found.id}"
    every = [(read_seat(each), each.is_claim) for each in seats]
    return Game(
        id=GameId(found.id),
        name=found.name,
        version=found.version,
        status=Status(found.status),
        scenario=found.scenario,
        rules=as_kept.rules if as_kept else read_rules(found.rules, f"{name}, rules"),
        conduct=as_kept.conduct if as_kept else read_conduct(found.conduct, f"{name}, conduct"),
        secret=found.secret,
        created=found.created,
        master=PersonId(found.master),
        seats=tuple(seat for seat, is_claim in every if not is_claim),
        claims=tuple(seat for seat, is_claim in every if is_claim),
        position=found.position,
        clock=_clock(found),
        ending=read_ending(found.ending),
        shared=read_shared(found.shared),
        attendance=read_attendance(found.attendance),
        heard=found.heard,
        warned=found.warned,
    )


def _changed(game: Game, read: Game | None) -> dict[str, object]:
    """What is to be written of a game: all, or its version where only seats have changed."""
    if read is not None:
        as_read = replace(game, version=read.version, seats=read.seats, claims=read.claims)
        if as_read == read:
            return {"version": game.version}
    return _columns(game)


def _at_once(game: Game) -> dict[str, object]:
    """A game that has changed is to be looked at as soon as somebody does."""
    return {"next_look": game.created}


def _columns(game: Game) -> dict[str, object]:
    """What is stored of a game beside its name and its seats."""
    clock = game.clock
    return {
        "name": game.name,
        "version": game.version,
        "status": game.status.value,
        "scenario": game.scenario,
        "rules": write_rules(game.rules),
        "conduct": write_conduct(game.conduct),
        "secret": game.secret,
        "created": game.created,
        "master": game.master,
        "position": game.position,
        "began": None if clock is None else clock.began,
        "deadline": None if clock is None else clock.deadline,
        "late_told": None if clock is None else clock.late_told,
        "times": None if clock is None else write_times(clock),
        "ending": write_ending(game.ending),
        "shared": write_shared(game.shared),
        "attendance": write_attendance(game.attendance),
        "heard": game.heard,
        "warned": game.warned,
    }


def _clock(found: GameRow | Row[Any]) -> Clock | None:
    if found.began is None or found.deadline is None:
        return None
    return read_clock(found.began, found.deadline, found.late_told, found.times)
