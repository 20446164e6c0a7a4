"""The games without their positions: the port `Games`, read once a transaction."""

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import lru_cache
from threading import Lock
from typing import Any, TypeVar

from sqlalchemy import (
    Column,
    ColumnElement,
    Row,
    Table,
    bindparam,
    delete,
    func,
    null,
    select,
    update,
)
from sqlalchemy.orm import Session

from machjudge.adjudicator.land.victory import cities_needed
from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.options import nearest
from machjudge.adjudicator.rules import VictoryRules
from machjudge.db.engine import Prepared, is_sqlite
from machjudge.db.people import COLUMNS, IN_ORDER, StoredPersons
from machjudge.db.rows import (
    BrokenDocument,
    FieldForms,
    add_rows,
    document_form,
    read_lines,
    read_rules,
    read_settings,
    rows,
    write_lines,
    write_rules,
    write_settings,
)
from machjudge.db.tables import (
    AddressRow,
    AttendedRow,
    Base,
    GameRow,
    HeartbeatRow,
    HoldingRow,
    Instant,
    Json,
    NoteRow,
    NoticeRow,
    OrderSetRow,
    PendingActRow,
    PersonRow,
    PhaseRow,
    PressRow,
    SeatRow,
    TokenRow,
)
from machjudge.formats.values import Form, form_of
from machjudge.judge.faults import Stale
from machjudge.judge.game_settings import Ratings
from machjudge.judge.mails import LEASE
from machjudge.judge.ratings import Led, RatedGame, of_seats
from machjudge.judge.records import (
    Clock,
    End,
    Ending,
    Game,
    GameId,
    OrderSet,
    PersonId,
    Role,
    Seat,
    Seating,
    Status,
)

# What is decoded of games, kept for the next transaction that reads them. A game's version goes
# up with everything that changes of it, so what was decoded of one version stays right as long as
# that is the version in the database. Each transaction reads the version first; other processes
# may have changed the game since.
T = TypeVar("T")
Key = tuple[str] | tuple[str, int]
"""The name of a part of a game, and its number where there are several."""

GAME: Key = ("game",)
DOCUMENTS: Key = ("documents",)
"""The rules and settings of the game, as they are stored."""
LAST_PHASE: Key = ("last phase",)
NOTES: Key = ("notes",)
PLANS: Key = ("plans",)
PHASE, SHEETS = "phase", "sheets"

MAX_GAMES = 64
"""The most games in memory; the ones read longest ago go first."""


@dataclass(frozen=True, slots=True)
class Known:
    """The decoded, immutable parts of one version of a game."""

    version: int
    secret: bytes
    """Tells a game from a later one of the same name."""
    parts: dict[Key, Any] = field(default_factory=dict)

    @property
    def people(self) -> Collection[PersonId]:
        """The people at the game."""
        game: Game = self.parts[GAME]
        return game.people

    def is_of(self, version: int, secret: bytes) -> bool:
        """Return whether it is that version of that game."""
        return (self.version, self.secret) == (version, secret)

    def lacks_only_order_sets(self, version: int, since: int | None, secret: bytes) -> bool:
        """Return whether it is that version but for order sets added *since* a version."""
        start = version if since is None else since
        return self.secret == secret and start <= self.version <= version

    def without_order_sets(self, version: int) -> "Known":
        """A later version to which only order sets were added; those have to be read."""
        parts = {key: part for key, part in self.parts.copy().items() if key[0] != SHEETS}
        parts[GAME] = replace(parts[GAME], version=version)
        return Known(version, self.secret, parts)


class GameCache:
    """The games that were read or written last, for all threads of a process."""

    def __init__(self, most: int = MAX_GAMES) -> None:
        self._most = most
        self._lock = Lock()
        self._known: OrderedDict[GameId, Known] = OrderedDict()

    def get(self, game: GameId) -> Known | None:
        """The newest version that was kept."""
        with self._lock:
            if game in self._known:
                self._known.move_to_end(game)
            return self._known.get(game)

    def put(self, game: GameId, known: Known) -> None:
        """Keep a version, unless a newer one is kept already."""
        with self._lock:
            kept = self._known.get(game)
            if kept is not None and kept.secret == known.secret and kept.version > known.version:
                return
            self._known[game] = known
            self._known.move_to_end(game)
            if len(self._known) > self._most:
                self._known.popitem(last=False)

    def drop(self, game: GameId) -> None:
        """Keep nothing of a game."""
        with self._lock:
            self._known.pop(game, None)


class CachedGames:
    """The cache as one transaction sees it.

    Only a reading transaction takes from it; what a writing one changed gets in at the commit.
    """

    def __init__(self, cache: GameCache, *, is_reading: bool) -> None:
        self._cache = cache
        self._is_reading = is_reading
        self._read: dict[GameId, Known] = {}
        self._earlier: dict[GameId, Known] = {}
        self._fewer_sheets: dict[GameId, Known] = {}
        self._written: dict[GameId, Known | None] = {}

    def kept(self, game: GameId) -> Known | None:
        """Return what is kept of a game; valid only if its version is still stored."""
        known = self._cache.get(game) if self._is_reading else None
        return known if known is not None and GAME in known.parts else None

    def use(self, game: GameId, known: Known, version: int) -> Game:
        """Take from what is kept; to the *version* that is stored only order sets were added."""
        if known.version != version:
            self._fewer_sheets[game] = known
            known = known.without_order_sets(version)
            self._cache.put(game, known)
        self._read[game] = known
        return self._game_of(known)

    def found(self, game: Game, documents: object) -> None:
        """Keep a game that was read as it is stored, with its documents."""
        if not self._is_reading:
            return
        kept = self._cache.get(game.id)
        is_it = kept is not None and kept.is_of(game.version, game.secret)
        if kept is not None and kept.secret == game.secret:
            self._earlier[game.id] = kept
        known = kept if kept is not None and is_it else Known(game.version, game.secret)
        known.parts.update({GAME: game, DOCUMENTS: documents})
        self._read[game.id] = known
        self._cache.put(game.id, known)

    def part(self, game: GameId, key: Key, read: Callable[[], T]) -> T:
        """A part of a game; *read* it where it is not kept."""
        known = self._read.get(game)
        if known is None:
            return read()
        if key not in known.parts:
            known.parts[key] = read()
        part: T = known.parts[key]
        return part

    def earlier(self, game: GameId, key: Key) -> Any:  # noqa: ANN401 - a part is of any type
        """A part of another version of a game that is being read; None if there is none."""
        known = self._earlier.get(game)
        return None if known is None else known.parts.get(key)

    def order_sets_before(self, game: GameId, after: int) -> Mapping[PowerId, OrderSet]:
        """The order sets for the phase following *after* to which others were only added."""
        known = self._fewer_sheets.get(game)
        return {} if known is None else known.parts.get((SHEETS, after), {})

    def saved(self, game: Game, read: Game | None) -> None:
        """Note that a version was written in place of the one *read*."""
        known = self._cache.get(game.id)
        if read is None or known is None or not known.is_of(read.version, read.secret):
            self._written[game.id] = None
            return
        parts = dict(known.parts)
        if GAME in parts and replace(game, version=read.version) == read:
            # As it was decoded, whatever the database makes of a new value.
            parts[GAME] = replace(self._game_of(known), version=game.version)
        else:
            parts.pop(GAME, None)
        self._written[game.id] = Known(game.version, game.secret, parts)

    def removed(self, game: GameId) -> None:
        """Note that a game was removed."""
        self._written[game] = None

    def changed(self, game: GameId, *names: str) -> None:
        """Note parts that were written and must be read again."""
        known = self._written.setdefault(game, None)
        if known is not None:
            for key in [key for key in known.parts if key[0] in names]:
                del known.parts[key]

    def change(self, game: GameId, key: Key, change: Callable[[T], T]) -> None:
        """Note a written part by its new value."""
        known = self._written.setdefault(game, None)
        if known is not None and key in known.parts:
            known.parts[key] = change(known.parts[key])

    def committed(self) -> None:
        """Put what was written into the cache."""
        for game, known in self._written.items():
            if known is None:
                self._cache.drop(game)
            else:
                self._cache.put(game, known)

    def _game_of(self, known: Known) -> Game:
        game: Game = known.parts[GAME]
        return game


@lru_cache
def stamp_of(people: int) -> Prepared:
    """Which version of a game is stored, and its people, who change without it."""
    at_it = PersonRow.id.in_([bindparam(f"person{n}") for n in range(people)])
    return Prepared(
        select(GameRow.version, GameRow.only_sheets_since, GameRow.secret, *COLUMNS)
        .select_from(GameRow)
        .outerjoin(PersonRow, at_it)
        .outerjoin(AddressRow, AddressRow.person == PersonRow.id)
        .where(GameRow.id == bindparam("wanted"))
        .order_by(*IN_ORDER)
    )


_CLOCK = FieldForms(Clock, ("began", "deadline", "late_told"), is_document=True)
_ENDING = document_form(Ending)
_SEAT = FieldForms(Seat, ("draw", "concede"))
_SEATING = document_form(Seating)
_GAME_FIELDS = FieldForms(
    Game,
    ("rules", "settings", "seats", "claims", "clock"),
    forms={
        "seating": Form(
            lambda seating: None if seating == Seating() else _SEATING.write(seating), _SEATING.read
        )
    },
)


def read_grace(times: Json) -> datetime | None:
    """When the grace of the phase ends; None without a clock or a grace."""
    grace = None if times is None else times["grace"]
    return None if grace is None else datetime.fromisoformat(grace)


# What a clock that was ahead has noted, brought back when it is set right. Everything that has
# happened happened until now: an instant in the future is the old clock's. Instants that are
# meant to come (deadlines, ends) belong to people or to the phase; `leaps` moves those.
PLANNED = frozenset({"deadline", "until", "expires"})
"""Columns with instants that are meant to come."""
NAMED_BY = frozenset({("outbox", "made")})
"""Instants in the Message-ID: a message sent again must be the same mail."""


def bring_back(session: Session, now: datetime) -> None:
    """Bring instants in the future that happened, wait or are held back to now.

    What waits for another try is due at once; a claim lasts a lease from now at most.
    """
    _shorten_tokens(session, now)
    _bring_lines_back(session, now)
    for table in Base.metadata.sorted_tables:
        for column in instants(table):
            limit = now + LEASE if column.name == "claimed_until" else now
            session.execute(update(table).where(column > limit).values({column.name: limit}))
    # What was decoded of games, in whatever process, counts no more.
    later = {"version": GameRow.version + 1, "only_sheets_since": None}
    session.execute(update(GameRow).values(**later))


def instants(table: Table) -> list[Column[datetime]]:
    """The columns of a table with instants that are brought back."""
    return [
        column
        for column in table.columns
        if isinstance(column.type, Instant)
        and column.name not in PLANNED
        and (table.name, column.name) not in NAMED_BY
    ]


def _shorten_tokens(session: Session, now: datetime) -> None:
    """Keep the remaining life of tokens."""
    for token in session.scalars(select(TokenRow).where(TokenRow.made > now)):
        token.until -= token.made - now
    session.flush()


def _bring_lines_back(session: Session, now: datetime) -> None:
    """Bring back the instants in the documents of order sets."""
    for order_set in session.scalars(select(OrderSetRow).where(OrderSetRow.received > now)):
        # Of a document that cannot be read somebody else complains.
        with suppress(BrokenDocument):
            lines = read_lines(order_set.lines, f"sheet {order_set.number} of {order_set.power}")
            order_set.lines = write_lines(
                [replace(x, received=min(x.received, now)) for x in lines]
            )
    session.flush()


_OVER = GameRow.status == Status.FINISHED.value
_RATINGS = GameRow.settings["ratings"].as_string()
_RATED = (_OVER, _RATINGS.in_([each.value for each in Ratings if each is not Ratings.OFF]))
_IS_PLAYED = GameRow.settings["practice"].as_boolean().isnot(True)
_PLAYS = (SeatRow.role == Role.PLAYER.value, SeatRow.is_claim.is_(False))
_VICTORY = form_of(VictoryRules)
_ELIMINATED = PhaseRow.document["after"]["eliminated"]


def finishes(
    session: Session,
    of: Collection[PersonId] | None,
    scenario: str | None,
    *,
    is_rated: bool,
) -> Sequence[RatedGame]:
    """How games ended: a statement for each table, and one where there are none."""
    wanted = list(_RATED if is_rated else (_OVER, _IS_PLAYED))
    if scenario is not None:
        wanted += (GameRow.scenario == scenario, GameRow.settings["listed"].as_boolean())
    if of is not None:
        plays = select(SeatRow.game).where(*_PLAYS, SeatRow.person.in_(sorted(of)))
        wanted.append(GameRow.id.in_(plays))
    settings = GameRow.settings
    # Points depend on no rules, and not on who was eliminated.
    no_more = (null().label("rules"), null().label("eliminated"))
    columns = (
        GameRow.id,
        GameRow.ending,
        GameRow.scenario,
        GameRow.rules["victory"].label("victory"),
        _RATINGS.label("ratings"),
        settings["anonymous"].as_boolean().label("anonymous"),
        settings["reveal"].as_boolean().label("reveal"),
        *(no_more if is_rated else (GameRow.rules, _ELIMINATED.label("eliminated"))),
    )
    over = select(*columns).where(*wanted).order_by(GameRow.id)
    if not is_rated:
        at_end = (PhaseRow.game == GameRow.id) & (PhaseRow.number == GameRow.position)
        over = over.outerjoin(PhaseRow, at_end)
    found = session.execute(over).all()
    if not found:
        return ()
    seats, cities = _seats(session, wanted), _cities(session, wanted)
    return [
        _finish(each, _ENDING.read(each.ending), seats[each.id], cities[each.id])
        for each in found
        if each.ending is not None
    ]


def _seats(session: Session, wanted: Iterable[ColumnElement[bool]]) -> Mapping[str, Sequence[Led]]:
    seats: dict[str, list[Led]] = defaultdict(list)
    columns = select(SeatRow.game, SeatRow.person, SeatRow.powers)
    of_them = columns.join(GameRow, GameRow.id == SeatRow.game).where(*_PLAYS, *wanted)
    for game, person, powers in session.execute(of_them.order_by(SeatRow.number)):
        sits = None if person is None else PersonId(person)
        seats[game].append(Led(sits, tuple(PowerId(power) for power in powers)))
    return seats


def _cities(
    session: Session, wanted: Iterable[ColumnElement[bool]]
) -> Mapping[str, Mapping[PowerId, int]]:
    cities: dict[str, dict[PowerId, int]] = defaultdict(dict)
    at_end = (GameRow.id == HoldingRow.game) & (GameRow.position == HoldingRow.phase)
    columns = select(HoldingRow.game, HoldingRow.power, HoldingRow.cities)
    of_them = columns.join(GameRow, at_end).where(*wanted).order_by(HoldingRow.power)
    for game, power, number in session.execute(of_them):
        cities[game][PowerId(power)] = number
    return cities


# Any: mypy cannot know the types of parts of JSON.
def _finish(
    found: Row[Any], ending: Ending, seats: Sequence[Led], cities: Mapping[PowerId, int]
) -> RatedGame:
    return RatedGame(
        ratings=Ratings(found.ratings or Ratings.OFF.value),
        end=ending.end,
        winners=ending.winners,
        cities=of_seats(seats, cities),
        seats=tuple(seats),
        wins_with=cities_needed(_VICTORY.read(found.victory), len(seats)),
        is_named=not found.anonymous or found.reveal,
        scenario=found.scenario,
        edition=nearest(read_rules(found.rules, "rules")) if found.rules is not None else "",
        eliminated=frozenset(map(PowerId, found.eliminated or ())),
    )


def _seat_columns(game: GameId, seat: Seat, *, is_claim: bool = False) -> dict[str, object]:
    has_voted = seat.draw is not None or seat.concede is not None
    draw = None if seat.draw is None else list(seat.draw)
    votes = {"draw": draw, "concede": seat.concede} if has_voted else None
    return {"game": game, "votes": votes, "is_claim": is_claim, **_SEAT.write(seat)}


def _seat(found: SeatRow | Row[Any]) -> Seat:
    votes = found.votes or {"draw": None, "concede": None}
    draw = None if votes["draw"] is None else tuple(votes["draw"])
    return _SEAT.read(found, draw=draw, concede=votes["concede"])


_ONLY = 1
_NOTE = update(HeartbeatRow).where(HeartbeatRow.id == _ONLY).returning(HeartbeatRow.id)


class StoredHeartbeat:
    """The last look at the clock, in one transaction."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def last(self) -> datetime | None:
        found = self._session.get(HeartbeatRow, _ONLY)
        return None if found is None else found.at

    def usual(self) -> timedelta | None:
        found = self._session.get(HeartbeatRow, _ONLY)
        if found is None or found.usual is None:
            return None
        return timedelta(seconds=found.usual)

    def missed(self) -> timedelta:
        found = self._session.get(HeartbeatRow, _ONLY)
        return timedelta(seconds=0 if found is None else found.missed or 0)

    def beat(
        self, now: datetime, usual: timedelta | None = None, missed: timedelta = timedelta(0)
    ) -> None:
        columns = {
            "at": now,
            "usual": None if usual is None else round(usual.total_seconds()),
            "missed": round(missed.total_seconds()),
        }
        is_noted = self._session.scalar(_NOTE.values(**columns))
        if is_noted is None:
            taken = "another process has looked at the clock"
            add_rows(self._session, HeartbeatRow, [{"id": _ONLY, **columns}], taken)
        self._session.expire_all()

    def set_back(self, now: datetime) -> None:
        bring_back(self._session, now)
        self._session.expire_all()


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
        if game not in self._known:
            self._known[game] = self._found(game)
        return self._known[game]

    def lock(self, game: GameId) -> None:
        # On SQLite a writing transaction is alone anyway.
        if not is_sqlite(self._session.connection()):
            self._known.pop(game, None)
            _LOCK.run(self._session.connection(), {"wanted": game})

    def unfinished(self) -> Sequence[Game]:
        return self._games(GameRow.status.in_([Status.FORMING.value, Status.RUNNING.value]))

    def attended_by(self, person: PersonId) -> Sequence[Game]:
        attended = select(AttendedRow.game).where(AttendedRow.person == person)
        return self._games(GameRow.id.in_(attended))

    def finished(self) -> Sequence[GameId]:
        listed = GameRow.settings["listed"].as_boolean()
        found = self._session.scalars(select(GameRow.id).where(_OVER, listed).order_by(GameRow.id))
        return [GameId(each) for each in found]

    def ends(self) -> Mapping[End, int]:
        # Those that were imported ended elsewhere.
        here = GameRow.ending["origin", "judge"].as_string().is_(None)
        how = select(GameRow.ending["end"].as_string().label("end")).where(_OVER, here).subquery()
        found = self._session.execute(select(how.c.end, func.count()).group_by(how.c.end))
        return {End(end): number for end, number in found if end is not None}

    def finishes(
        self,
        of: Collection[PersonId] | None = None,
        *,
        scenario: str | None = None,
        is_rated: bool = True,
    ) -> Sequence[RatedGame]:
        return finishes(self._session, of, scenario, is_rated=is_rated)

    def seated(self, people: Collection[PersonId]) -> Collection[PersonId]:
        sits = (SeatRow.person.in_(list(people)), SeatRow.is_claim.is_(False))
        found = select(SeatRow.person).where(*sits).distinct().order_by(SeatRow.person)
        return [PersonId(each) for each in rows(self._session, found) if each is not None]

    def _games(self, wanted: ColumnElement[bool]) -> Sequence[Game]:
        found = rows(self._session, select(GameRow).where(wanted))
        of_them = SeatRow.game.in_(select(GameRow.id).where(wanted))
        seats: dict[str, list[SeatRow]] = defaultdict(list)
        for seat in rows(self._session, select(SeatRow).where(of_them).order_by(SeatRow.number)):
            seats[seat.game].append(seat)
        return [_game(each, seats[each.id]) for each in sorted(found, key=lambda each: each.id)]

    def claimed(self) -> Sequence[GameId]:
        found = (
            select(SeatRow.game).where(SeatRow.is_claim.is_(True)).distinct().order_by(SeatRow.game)
        )
        return [GameId(game) for game in self._session.scalars(found)]

    def due(self, now: datetime) -> Sequence[GameId]:
        # Sorted here: asked for an order, SQLite reads all games in it, and not those that are due.
        found = select(GameRow.id).where(GameRow.next_look <= now)
        return [GameId(game) for game in sorted(self._session.scalars(found))]

    def rest(self, game: Game, until: datetime | None) -> None:
        unchanged = (GameRow.id == game.id, GameRow.version == game.version)
        resting = update(GameRow).where(*unchanged).values(next_look=until)
        self._session.execute(resting.execution_options(synchronize_session=False))

    def add(self, game: Game) -> None:
        self._known.pop(game.id, None)
        since = {"only_sheets_since": game.version}
        values = {**_columns(game), **since, "next_look": game.created}
        add_rows(self._session, GameRow, [values], f"there is a game {game.id} already")
        self._add_seats(game)
        self._note_attendance(game, None)
        self._cached.saved(game, None)

    def save(self, game: Game, read: Game | None = None, *, adds_only_sheets: bool = False) -> None:
        self._known.pop(game.id, None)
        of = {"wanted": game.id, "read_version": game.version - 1}
        since = {} if adds_only_sheets else {"only_sheets_since": game.version}
        # It has changed, and is to be looked at as soon as somebody does.
        values = {**of, **_changed(game, read), **since, "next_look": game.created}
        if _SAVE.scalar(self._session.connection(), values) is None:
            message = f"the game {game.id} is not at version {game.version - 1}"
            raise Stale(message)
        if read is None or (game.seats, game.claims) != (read.seats, read.claims):
            self._session.execute(delete(SeatRow).where(SeatRow.game == game.id))
            self._add_seats(game)
        self._note_attendance(game, read)
        self._cached.saved(game, read)

    def _note_attendance(self, game: Game, read: Game | None) -> None:
        people = {each.person for each in game.attendance}
        if read is not None and people == {each.person for each in read.attendance}:
            return
        self._session.execute(delete(AttendedRow).where(AttendedRow.game == game.id))
        attended = [{"person": each, "game": game.id} for each in sorted(people)]
        add_rows(self._session, AttendedRow, attended, f"the attendance of {game.id} is noted")

    def _add_seats(self, game: Game) -> None:
        seats = [
            *(_seat_columns(game.id, seat) for seat in game.seats),
            *(_seat_columns(game.id, seat, is_claim=True) for seat in game.claims),
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
        if not found or not kept.lacks_only_order_sets(*found[0][:3]):
            return None
        self._persons.take([row for row in found if row.id is not None], kept.people)
        return self._cached.use(game, kept, found[0].version)

    def _read(self, game: GameId, kept: Known | None) -> Game | None:
        connection = self._session.connection()
        found = connection.execute(_GAME, {"wanted": game}).one_or_none()
        if found is None:
            return None
        documents = (found.rules, found.settings)
        as_kept = None if kept is None or kept.parts[DOCUMENTS] != documents else kept.parts[GAME]
        read = _game(found, connection.execute(_SEATS, {"wanted": game}).all(), as_kept)
        self._cached.found(read, documents)
        return read

    def remove(self, game: GameId) -> None:
        self._known.pop(game, None)
        self._cached.removed(game)
        for table in _BELONG:
            self._session.execute(delete(table).where(table.game == game))
        self._session.execute(delete(GameRow).where(GameRow.id == game))


def _game(
    found: GameRow | Row[Any], seats: Iterable[SeatRow | Row[Any]], as_kept: Game | None = None
) -> Game:
    """A game from its row, seats and claims; rules and settings from *as_kept*, if unchanged."""
    name = f"game {found.id}"
    every = [(_seat(each), each.is_claim) for each in seats]
    return _GAME_FIELDS.read(
        found,
        rules=as_kept.rules if as_kept else read_rules(found.rules, f"{name}, rules"),
        settings=as_kept.settings
        if as_kept
        else read_settings(found.settings, f"{name}, settings"),
        seats=tuple(seat for seat, is_claim in every if not is_claim),
        claims=tuple(seat for seat, is_claim in every if is_claim),
        clock=None
        if found.began is None or found.deadline is None
        else _CLOCK.read(
            found.times, began=found.began, deadline=found.deadline, late_told=found.late_told
        ),
    )


def _changed(game: Game, read: Game | None) -> dict[str, object]:
    """What is to be written of a game: all, or its version where only seats have changed."""
    if read is not None:
        as_read = replace(game, version=read.version, seats=read.seats, claims=read.claims)
        if as_read == read:
            return {"version": game.version}
    return _columns(game, read)


def _columns(game: Game, read: Game | None = None) -> dict[str, object]:
    """What is stored of a game, without the documents that are as they were *read*."""
    clock = game.clock
    columns: dict[str, object] = {}
    if read is None or game.rules is not read.rules:
        columns["rules"] = write_rules(game.rules)
    if read is None or game.settings is not read.settings:
        columns["settings"] = write_settings(game.settings)
    return {
        **_GAME_FIELDS.write(game),
        **columns,
        "began": None if clock is None else clock.began,
        "deadline": None if clock is None else clock.deadline,
        "late_told": None if clock is None else clock.late_told,
        "times": None if clock is None else _CLOCK.write(clock),
    }
