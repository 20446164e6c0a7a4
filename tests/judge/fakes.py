# ruff: noqa: D101, D102  what each method does is said by the port that it implements
"""The ports of the desk in memory: transactions that last only when committed, and no database."""

import copy
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from machjudge.adjudicator.names import PowerId
from machjudge.judge.credentials import PendingAct, Token, TokenScope, code_of, hash_of
from machjudge.judge.faults import FollowsFailed, MustWait, SenderNotKnownYet, Stale
from machjudge.judge.game_settings import Ratings
from machjudge.judge.mails import (
    Fate,
    KeptMail,
    MailEnd,
    MailOutcome,
    OutboxId,
    Outgoing,
    QueuedMessage,
    WaitingDigest,
)
from machjudge.judge.ratings import RatedGame, finish_of
from machjudge.judge.records import (
    Bounce,
    Game,
    GameId,
    Holding,
    MailId,
    Note,
    NoteKind,
    Notice,
    OrderSet,
    Person,
    PersonId,
    Plan,
    PressItem,
    Status,
    StoredPhase,
    Substitute,
    is_same_name,
    with_bounce,
)
from machjudge.judge.records import End as Ended
from machjudge.judge.secret import fixed
from machjudge.judge.setup import is_asking

SECRET = fixed(bytes(range(32)))
"""The judge's own."""
LEASE = timedelta(minutes=10)
MADE = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
"""When letters are made before any mail has come."""


@dataclass
class Row:
    """A kept mail and how it stands with it."""

    mail: KeptMail
    not_before: datetime
    claimed_until: datetime | None = None
    in_doubt: bool = True
    game: GameId | None = None
    outcome: MailOutcome | None = None
    aside: str | None = None
    why: str = ""
    tries: int = 0
    deaths: int = 0
    ended: datetime | None = None
    fault: str = ""
    writer: PersonId | None = None

    @property
    def unfinished(self) -> bool:
        return self.outcome is None and self.aside is None

    def may_be_for(self, game: GameId) -> bool:
        return self.unfinished and (self.in_doubt or self.game == game)


@dataclass
class Tables:
    """Everything that is kept."""

    persons: dict[PersonId, Person] = field(default_factory=dict)
    games: dict[GameId, Game] = field(default_factory=dict)
    rests: dict[GameId, datetime | None] = field(default_factory=dict)
    order_sets: list[OrderSet] = field(default_factory=list)
    plans: list[Plan] = field(default_factory=list)
    phases: list[StoredPhase] = field(default_factory=list)
    holdings: dict[tuple[GameId, int], tuple[Holding, ...]] = field(default_factory=dict)
    press: list[PressItem] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    inbox: list[Row] = field(default_factory=list)
    outbox: list[Outgoing] = field(default_factory=list)
    held: list[QueuedMessage] = field(default_factory=list)
    posted: list[tuple[str, QueuedMessage]] = field(default_factory=list)
    now: datetime | None = None
    """When letters are made; None: when the last mail came in."""
    heartbeat: datetime | None = None
    usual: timedelta | None = None
    missed: timedelta = timedelta(0)
    tokens: dict[str, Token] = field(default_factory=dict)
    substitutes: list[Substitute] = field(default_factory=list)
    acts: dict[str, PendingAct] = field(default_factory=dict)
    reply_tokens: dict[str, TokenScope] = field(default_factory=dict)
    counts: list[tuple[str, datetime]] = field(default_factory=list)

    def copied(self) -> "Tables":
        """A copy that shares the values, which are not changed in place, and nothing else."""
        return Tables(**{name: copy.copy(kept) for name, kept in vars(self).items()})


class _OnTables:
    def __init__(self, tables: Tables) -> None:
        self.tables = tables


class FakePersons(_OnTables):
    def get(self, person: PersonId) -> Person | None:
        return self.tables.persons.get(person)

    def of(self, people: Collection[PersonId]) -> Mapping[PersonId, Person]:
        return {each: self.tables.persons[each] for each in people if each in self.tables.persons}

    def held(self, people: Collection[PersonId]) -> Mapping[PersonId, Person]:
        return self.of(people)

    def by_address(self, address: str) -> Person | None:
        return next(
            (
                p
                for p in self.tables.persons.values()
                if p.is_confirmed and address.lower() in p.addresses
            ),
            None,
        )

    def names(self, besides: Collection[PersonId] = ()) -> Sequence[str]:
        known = (p for p in self.tables.persons.values() if p.is_confirmed)
        return [p.name for p in known if p.id not in besides]

    def by_name(self, name: str) -> Sequence[Person]:
        everybody = self.tables.persons.values()
        return [p for p in everybody if p.is_confirmed and is_same_name(p.name, name)]

    def confirmed(self) -> Sequence[Person]:
        return [p for p in self.tables.persons.values() if p.is_confirmed]

    def unconfirmed(self, until: datetime) -> Sequence[Person]:
        waiting = [p for p in self.tables.persons.values() if not p.is_confirmed]
        return [p for p in waiting if p.registered < until]

    def remove(self, person: PersonId) -> None:
        del self.tables.persons[person]

    def save(self, person: Person) -> None:
        for address in person.addresses if person.is_confirmed else ():
            other = self.by_address(address)
            if other is not None and other.id != person.id:
                raise Stale
        self.tables.persons[person.id] = person


class FakeGames(_OnTables):
    def get(self, game: GameId) -> Game | None:
        return self.tables.games.get(game)

    def lock(self, game: GameId) -> None:
        """Nobody else is there."""

    def all(self) -> Sequence[Game]:
        return [self.tables.games[key] for key in sorted(self.tables.games)]

    def unfinished(self) -> Sequence[Game]:
        return [game for game in self.all() if game.status is not Status.FINISHED]

    def finished(self) -> Sequence[GameId]:
        over = (game for game in self.all() if game.status is Status.FINISHED)
        return [game.id for game in over if game.settings.listed]

    def attended_by(self, person: PersonId) -> Sequence[Game]:
        return [g for g in self.all() if any(each.person == person for each in g.attendance)]

    def ends(self) -> Mapping[Ended, int]:
        here = (game for game in self.all() if not game.is_imported)
        return Counter(game.ending.end for game in here if game.ending is not None)

    def finishes(
        self,
        of: Collection[PersonId] | None = None,
        *,
        scenario: str | None = None,
        is_rated: bool = True,
    ) -> Sequence[RatedGame]:
        found = []
        for game in self.all():
            finish = finish_of(game, _by_power(self.tables, game.id, game.position))
            if finish is None or (is_rated and finish.ratings is Ratings.OFF):
                continue
            if game.settings.practice and not is_rated:
                continue
            if scenario is not None and not (game.scenario == scenario and game.settings.listed):
                continue
            if of is None or any(seat.person in of for seat in finish.seats):
                found.append(replace(finish, eliminated=self._eliminated(game)))
        return found

    def _eliminated(self, game: Game) -> frozenset[PowerId]:
        at_end = [p for p in self.tables.phases if (p.game, p.number) == (game.id, game.position)]
        return at_end[0].after.eliminated if at_end else frozenset()

    def seated(self, people: Collection[PersonId]) -> Collection[PersonId]:
        every = {seat.person for game in self.all() for seat in game.seats}
        return [each for each in people if each in every]

    def claimed(self) -> Sequence[GameId]:
        return [game.id for game in self.all() if game.claims]

    def due(self, now: datetime) -> Sequence[GameId]:
        """All that are played or ask for words: none of them rests."""
        return [game.id for game in self.all() if game.status is Status.RUNNING or is_asking(game)]

    def rest(self, game: Game, until: datetime | None) -> None:
        stored = self.tables.games.get(game.id)
        if stored is not None and stored.version == game.version:
            self.tables.rests[game.id] = until

    def add(self, game: Game) -> None:
        if game.id in self.tables.games:
            raise Stale
        assert game.version == 1
        self.tables.games[game.id] = game

    def remove(self, game: GameId) -> None:
        del self.tables.games[game]
        self.tables.notices = [each for each in self.tables.notices if each.game != game]

    def save(self, game: Game, read: Game | None = None, *, adds_only_sheets: bool = False) -> None:
        stored = self.tables.games.get(game.id)
        if stored is None or stored.version != game.version - 1:
            raise Stale
        self.tables.games[game.id] = game


class FakeOrderSets(_OnTables):
    def on_file(self, game: GameId, after: int) -> Mapping[PowerId, OrderSet]:
        found = [s for s in self.tables.order_sets if (s.game, s.after) == (game, after)]
        return {s.power: s for s in sorted(found, key=lambda s: s.number)}

    def history(self, game: GameId, after: int, power: PowerId) -> Sequence[OrderSet]:
        key = (game, after, power)
        found = [s for s in self.tables.order_sets if (s.game, s.after, s.power) == key]
        return sorted(found, key=lambda s: s.number)

    def add(self, order_set: OrderSet) -> None:
        if any(
            s.number == order_set.number
            for s in self.history(order_set.game, order_set.after, order_set.power)
        ):
            raise Stale
        self.tables.order_sets.append(order_set)


class FakePlans(_OnTables):
    def on_file(self, game: GameId) -> Mapping[PowerId, Plan]:
        found = [plan for plan in self.tables.plans if plan.game == game]
        return {plan.power: plan for plan in sorted(found, key=lambda plan: plan.number)}

    def history(self, game: GameId, power: PowerId) -> Sequence[Plan]:
        found = [p for p in self.tables.plans if (p.game, p.power) == (game, power)]
        return sorted(found, key=lambda plan: plan.number)

    def add(self, plan: Plan) -> None:
        if any(p.number == plan.number for p in self.history(plan.game, plan.power)):
            raise Stale
        self.tables.plans.append(plan)


class FakePhases(_OnTables):
    def get(self, game: GameId, number: int) -> StoredPhase:
        for phase in self.tables.phases:
            if (phase.game, phase.number) == (game, number):
                return phase
        raise KeyError(number)

    def all_of(self, game: GameId) -> Sequence[StoredPhase]:
        return sorted((p for p in self.tables.phases if p.game == game), key=lambda p: p.number)

    def add(self, phase: StoredPhase, holdings: Sequence[Holding]) -> None:
        if any((p.game, p.number) == (phase.game, phase.number) for p in self.tables.phases):
            raise Stale
        self.tables.phases.append(phase)
        self.tables.holdings[phase.game, phase.number] = tuple(holdings)

    def now(self, games: Iterable[Game]) -> Mapping[GameId, str]:
        played = [game for game in games if game.position is not None]
        return {game.id: self.get(game.id, game.position).after.moment.code for game in played}

    def last_number(self, game: GameId) -> int:
        return max((p.number for p in self.tables.phases if p.game == game), default=-1)

    def holdings(self, game: GameId, number: int) -> Sequence[Holding]:
        return _by_power(self.tables, game, number)


def _by_power(tables: Tables, game: GameId, number: int) -> Sequence[Holding]:
    return sorted(tables.holdings.get((game, number), ()), key=lambda each: each.power)


class FakeLog:
    """Press and notices: lists by game."""

    def __init__(self, items: list) -> None:
        self.items = items

    def add(self, item) -> None:
        self.items.append(item)

    def all_of(self, game: GameId) -> list:
        return [item for item in self.items if item.game == game]


class FakePress(FakeLog):
    """Press, counted."""

    def to_all(self) -> dict[GameId, int]:
        return Counter(item.game for item in self.items if not item.readers)


class FakeNotes(_OnTables):
    """Notes by game, kind, person and number."""

    def add(self, note: Note) -> None:
        if any(_key(each) == _key(note) for each in self.tables.notes):
            raise Stale
        self.tables.notes.append(note)

    def remove(self, note: Note) -> None:
        self.tables.notes = [each for each in self.tables.notes if _key(each) != _key(note)]

    def all_of(self, game: GameId, kind: NoteKind) -> Sequence[Note]:
        found = [n for n in self.tables.notes if (n.game, n.kind) == (game, kind)]
        return sorted(found, key=lambda note: (note.at, note.seat, note.number))


def _key(note: Note) -> tuple[object, ...]:
    return note.game, note.kind, note.person, note.number


class FakeInbox:
    def __init__(self, tables: Tables) -> None:
        self.rows = tables.inbox

    def claim(
        self, now: datetime, *, before: datetime | None = None, unless_overdue: bool = False
    ) -> KeptMail | None:
        for each in self.rows:
            if self._is_free(each, now) and (before is None or each.mail.received < before):
                row = self._row(each.mail.id)
                died = row.claimed_until is not None
                row.claimed_until = now + LEASE
                row.tries += 0 if died else 1
                row.deaths += 1 if died else 0
                return replace(
                    row.mail, tries=row.tries, deaths=row.deaths, game=row.game, why=row.fault
                )
        return None

    def _is_free(self, row: Row, now: datetime) -> bool:
        if not row.unfinished or row.not_before > now:
            return False
        if row.claimed_until is not None and row.claimed_until > now:
            return False
        if row.game is not None and self.must_wait(row.mail.id, row.game):
            return False
        older = (r for r in self.rows if r.mail.id < row.mail.id and r.unfinished)
        return not any(r.mail.sender == row.mail.sender and not r.fault for r in older)

    def _row(self, mail: MailId) -> Row:
        """A row of this transaction alone, which may be changed."""
        index = next(n for n, row in enumerate(self.rows) if row.mail.id == mail)
        self.rows[index] = copy.copy(self.rows[index])
        return self.rows[index]

    def concerns(self, mail: MailId, game: GameId | None) -> bool:
        row = self._row(mail)
        row.in_doubt, row.game = False, game
        return game is not None and self.must_wait(mail, game)

    def has_come_before(self, mail: KeptMail) -> bool:
        older = (row.mail for row in self.rows if row.mail.id < mail.id)
        return bool(mail.message_id) and any(m.message_id == mail.message_id for m in older)

    def must_wait(self, mail: MailId, game: GameId) -> bool:
        return any(r.mail.id < mail and r.may_be_for(game) and not r.fault for r in self.rows)

    def is_read_elsewhere(self, mail: MailId, now: datetime) -> bool:
        return any(
            r.mail.id < mail and r.unfinished and r.in_doubt and (r.claimed_until or now) > now
            for r in self.rows
            if not r.fault
        )

    def any_before(self, instant: datetime, game: GameId) -> bool:
        return any(r.mail.received < instant and r.may_be_for(game) for r in self.rows)

    def newest(self, game: GameId) -> datetime | None:
        return max((r.mail.received for r in self.rows if r.may_be_for(game)), default=None)

    def oldest_untried(self, game: GameId) -> datetime | None:
        fresh = (r for r in self.rows if r.may_be_for(game) and not r.tries)
        return min((r.mail.received for r in fresh), default=None)

    def put_back(
        self,
        mail: MailId,
        until: datetime,
        *,
        counts: bool,
        fault: str = "",
        writer: PersonId | None = None,
    ) -> None:
        row = self._row(mail)
        if not row.unfinished:
            raise Stale
        row.claimed_until, row.not_before = None, until
        row.tries -= 0 if counts else 1
        if fault:
            row.fault, row.writer = fault, writer

    def finish(
        self,
        mail: KeptMail,
        end: MailEnd,
        redacted: bytes,
        now: datetime,
        game: GameId | None = None,
        writer: PersonId | None = None,
    ) -> None:
        row = self._row(mail.id)
        if not row.unfinished:
            raise Stale
        if game is not None and self.must_wait(mail.id, game):
            raise MustWait
        older = (r for r in self.rows if r.mail.id < mail.id and r.unfinished)
        own = (r for r in older if r.game == game and r.writer == writer)
        if None not in {game, writer} and any(own):
            raise FollowsFailed
        row.outcome, row.mail, row.why = end.outcome, replace(row.mail, raw=redacted), end.why

    def unheard(self, address: str, since: datetime, most: int) -> Sequence[KeptMail]:
        found = [
            replace(row.mail, raw=b"", why=row.why, outcome=row.outcome)
            for row in self.rows
            if row.mail.sender == address
            and row.mail.received >= since
            and row.outcome in (MailOutcome.SILENT, MailOutcome.HELD)
        ]
        return found[::-1][:most]

    def set_aside(self, mail: MailId, why: str, now: datetime) -> None:
        row = self._row(mail)
        if not row.unfinished:
            raise Stale
        row.aside, row.ended = why, now

    def finish_aside(self, mail: MailId, end: MailEnd, redacted: bytes, now: datetime) -> None:
        row = self._row(mail)
        row.outcome, row.aside, row.why = end.outcome, None, end.why
        row.mail, row.ended = replace(row.mail, raw=redacted), now

    def all_aside(self, since: datetime) -> Sequence[KeptMail]:
        return [
            replace(row.mail, raw=b"", why=row.aside, ended=row.ended)
            for row in self.rows
            if row.aside and row.ended is not None and row.ended >= since
        ]

    def raw_of(self, mail: MailId) -> bytes:
        return next(row.mail.raw for row in self.rows if row.mail.id == mail)

    def set_aside_since(self, address: str, since: datetime) -> int:
        ended = [row.ended for row in self.rows if row.aside and row.mail.sender == address]
        return sum(each is not None and each >= since for each in ended)


class FakeOutbox(_OnTables):
    """The letters, and a log of them that is not emptied; nothing is ever sent."""

    def put(self, letter: Outgoing) -> None:
        number = OutboxId(len(self.tables.posted) + 1)
        if letter.held_for is None:
            self.tables.outbox.append(letter)
        made = max((row.mail.received for row in self.tables.inbox), default=MADE)
        fate = Fate.WAITING if letter.held_for is None else Fate.HELD
        posted = QueuedMessage(number, made, 0, letter, fate=fate)
        self.tables.posted.append((letter.to, posted))
        if letter.held_for is not None:
            self.tables.held.append(replace(posted, made=self.tables.now or made))
        if letter.reply is not None:
            hashed = hash_of(code_of(SECRET, letter.reply))
            self.tables.reply_tokens[hashed] = letter.reply

    def unreported_refusal(self) -> str:
        return ""

    def note_reported(self, now: datetime) -> None:
        """There is no relay that refuses anything."""

    def posted(self, letter: OutboxId) -> QueuedMessage | None:
        return self._posted().get(letter)

    def lately(self, address: str, since: datetime, most: int) -> Sequence[QueuedMessage]:
        found = [p for p in self._posted().values() if p.outgoing.to == address and p.made >= since]
        return found[::-1][:most]

    def _posted(self) -> dict[OutboxId, QueuedMessage]:
        """What was put in, by number: handed on as soon as a test has taken it out."""
        found = {OutboxId(n): posted for n, (_, posted) in enumerate(self.tables.posted, 1)}
        waiting = [n for n, posted in found.items() if posted.fate is Fate.WAITING]
        for n in waiting[: len(waiting) - len(self.tables.outbox)]:
            found[n] = replace(found[n], fate=Fate.SENT, ended=found[n].made)
        return found

    def bodies(self, address: str, since: datetime, most: int) -> Sequence[tuple[datetime, str]]:
        found = [
            (posted.made, posted.outgoing.body)
            for to, posted in self.tables.posted
            if to == address and posted.made >= since
        ]
        return found[::-1][:most]

    def held(self) -> Sequence[WaitingDigest]:
        since: dict[tuple[PersonId, str], datetime] = {}
        for each in self.tables.held:
            assert each.outgoing.held_for is not None
            key = (each.outgoing.held_for, each.outgoing.to)
            since[key] = min(since.get(key, each.made), each.made)
        return [WaitingDigest(*key, made) for key, made in sorted(since.items())]

    def held_for(self, person: PersonId, address: str) -> Sequence[QueuedMessage]:
        wanted = (person, address)
        return [
            replace(each, outgoing=replace(each.outgoing, held_for=None))
            for each in self.tables.held
            if (each.outgoing.held_for, each.outgoing.to) == wanted
        ]

    def gather(self, letters: Collection[OutboxId], now: datetime) -> None:
        left = [each for each in self.tables.held if each.id not in letters]
        if len(self.tables.held) - len(left) != len(letters):
            raise Stale
        self.tables.held = left

    def came_back(
        self, letter: OutboxId, now: datetime, why: str, bounce: Bounce | None
    ) -> QueuedMessage | None:
        to, posted = self.tables.posted[letter - 1]
        if posted.fate is Fate.FAILED:
            return None
        self.tables.posted[letter - 1] = (to, replace(posted, fate=Fate.FAILED, ended=now))
        if bounce is not None:
            self._count(to, bounce, now)
        return posted

    def _count(self, address: str, bounce: Bounce, now: datetime) -> None:
        for person in self.tables.persons.values():
            if person.is_confirmed and address in person.addresses:
                known = {each.address: each for each in person.bounces}
                known[address] = with_bounce(known.get(address), address, bounce, now)
                counted = replace(person, bounces=tuple(known.values()))
                self.tables.persons[person.id] = counted


class FakeHeartbeat(_OnTables):
    def last(self) -> datetime | None:
        return self.tables.heartbeat

    def usual(self) -> timedelta | None:
        return self.tables.usual

    def missed(self) -> timedelta:
        return self.tables.missed

    def beat(
        self, now: datetime, usual: timedelta | None = None, missed: timedelta = timedelta(0)
    ) -> None:
        self.tables.heartbeat, self.tables.usual, self.tables.missed = now, usual, missed

    def set_back(self, now: datetime) -> None:
        rows = self.tables.inbox
        rows[:] = [replace(row, not_before=min(row.not_before, now)) for row in rows]


class FakeTokens(_OnTables):
    def token(self, hashed: str) -> Token | None:
        return self.tables.tokens.get(hashed)

    def made_since(self, person: PersonId, since: datetime) -> Sequence[Token]:
        found = (t for t in self.tables.tokens.values() if t.person == person and t.made >= since)
        return sorted(found, key=lambda token: token.made)

    def add(self, token: Token) -> None:
        if token.hashed in self.tables.tokens:
            raise Stale
        self.tables.tokens[token.hashed] = token

    def drop(self, hashed: str) -> None:
        self.tables.tokens.pop(hashed, None)


class FakeSubstitutes(_OnTables):
    def all(self) -> Sequence[Substitute]:
        every = self.tables.substitutes
        return sorted(every, key=lambda each: (each.since, each.person, each.game))

    def add(self, offer: Substitute) -> None:
        self.remove(offer.person, offer.game)
        self.tables.substitutes.append(offer)

    def remove(self, person: PersonId, game: str | None) -> int:
        def is_gone(each: Substitute) -> bool:
            return each.person == person and game in (None, each.game)

        kept = [each for each in self.tables.substitutes if not is_gone(each)]
        gone = len(self.tables.substitutes) - len(kept)
        self.tables.substitutes[:] = kept
        return gone


class FakeActs(_OnTables):
    def get(self, name: str) -> PendingAct | None:
        return self.tables.acts.get(name)

    def of(self, game: GameId, seat: int) -> Sequence[PendingAct]:
        return [a for a in self.tables.acts.values() if (a.game, a.seat) == (game, seat)]

    def add(self, act: PendingAct) -> None:
        self.tables.acts[act.name] = act

    def drop(self, name: str) -> None:
        if self.tables.acts.pop(name, None) is None:
            raise Stale


class FakeReplyTokens(_OnTables):
    def meanings(self, hashes: Collection[str]) -> Mapping[str, TokenScope]:
        found = ((each, self.tables.reply_tokens.get(each)) for each in hashes)
        return {hashed: token_scopes for hashed, token_scopes in found if token_scopes is not None}


class FakePersonalData(_OnTables):
    def of(self, person: Person) -> Mapping[str, Sequence[Mapping[str, object]]]:
        seats = [(g.name, s) for g in self.tables.games.values() for s in g.seats]
        return {
            "seats": [
                {"game": game, "number": seat.number}
                for game, seat in seats
                if seat.person == person.id
            ]
        }

    def games(self, person: Person) -> Sequence[GameId]:
        return sorted(
            game.id
            for game in self.tables.games.values()
            if any(
                person.id in (s.person, s.former) or s.address in person.addresses
                for s in (*game.seats, *game.ejected)
            )
        )

    def erase(
        self,
        person: Person,
        games: Sequence[GameId],
        called: str,
        translations: Mapping[str, str],
    ) -> None:
        FakeSubstitutes(self.tables).remove(person.id, None)
        gone = replace(person, name=called, addresses=(), zone="UTC")
        self.tables.persons[person.id] = gone


class FakeCounts(_OnTables):
    def lock(self, keys: Collection[str]) -> None:
        """Nobody else is there."""

    def all_lately(
        self, keys: Collection[str], since: datetime
    ) -> Mapping[str, Sequence[datetime]]:
        return {
            key: sorted(at for name, at in self.tables.counts if name == key and at > since)
            for key in keys
        }

    def numbers(self, keys: Collection[str], since: datetime, until: datetime) -> Mapping[str, int]:
        lately = self.all_lately(keys, since)
        return {key: sum(at <= until for at in found) for key, found in lately.items()}

    def add(self, keys: Collection[str], at: datetime) -> None:
        self.tables.counts += [(key, at) for key in keys]

    def take_back(self, keys: Collection[str], at: datetime) -> None:
        for key in keys:
            if (key, at) in self.tables.counts:
                self.tables.counts.remove((key, at))

    def forget(self, keys: Collection[str]) -> None:
        self.tables.counts[:] = [each for each in self.tables.counts if each[0] not in keys]


class FakeUnitOfWork:
    """A transaction on a copy of the tables."""

    def __init__(self, store: "FakeStore", *, writes: bool) -> None:
        self.store, self.writes = store, writes
        self.tables = store.tables.copied()
        self.persons = FakePersons(self.tables)
        self.games = FakeGames(self.tables)
        self.order_sets = FakeOrderSets(self.tables)
        self.plans = FakePlans(self.tables)
        self.phases = FakePhases(self.tables)
        self.press = FakePress(self.tables.press)
        self.notes = FakeNotes(self.tables)
        self.notices = FakeLog(self.tables.notices)
        self.inbox = FakeInbox(self.tables)
        self.outbox = FakeOutbox(self.tables)
        self.heartbeat = FakeHeartbeat(self.tables)
        self.tokens = FakeTokens(self.tables)
        self.substitutes = FakeSubstitutes(self.tables)
        self.reply_tokens = FakeReplyTokens(self.tables)
        self.acts = FakeActs(self.tables)
        self.personal_data = FakePersonalData(self.tables)
        self.counts = FakeCounts(self.tables)

    def commit(self) -> None:
        assert self.writes, "a reading transaction does not write"
        if self.store.before_commit is not None:
            self.store.before_commit()
        self.store.tables = self.tables


class FakeStore:
    """Everything kept in memory."""

    def __init__(self) -> None:
        self.tables = Tables()
        self.banned: frozenset[str] = frozenset()
        self.before_commit = None
        """Called before each commit; raises to play a failing database."""
        self.before_writing = None
        """Called before each writing transaction; plays somebody who was faster."""

    def read_bans(self) -> None:
        """They are what the test says."""

    @contextmanager
    def reading(self) -> Iterator[FakeUnitOfWork]:
        yield FakeUnitOfWork(self, writes=False)

    @contextmanager
    def writing(
        self, *, single: bool = False, outlasts_power: bool = True
    ) -> Iterator[FakeUnitOfWork]:
        if self.before_writing is not None:
            hook, self.before_writing = self.before_writing, None
            hook()
        yield FakeUnitOfWork(self, writes=True)

    def heard_until(self, now: datetime) -> datetime:
        return now

    def die(self) -> None:
        """Go on as another process: claims name none here."""

    def receive(
        self,
        raw: bytes,
        sender: str,
        received: datetime,
        *,
        recipient: str = "judge@mach.example",
    ) -> MailId:
        """What the listener does before the 250."""
        number = MailId(len(self.tables.inbox) + 1)
        envelope = sender.lower()
        mail = KeptMail(number, received, envelope, (recipient,), raw, envelope=envelope)
        self.tables.inbox.append(Row(mail, received))
        return number


class FakePasswords:
    """Readable hashes; right passwords are right."""

    def __init__(self) -> None:
        self.compared: list[str] = []
        """Every password that was compared with one on file, or with nothing."""
        self.remembered: set[str] = set()

    def hash(self, password: str) -> str:
        return f"hash of {password[::-1]}"

    def is_right(self, hashed: str | None, password: str) -> bool:
        self.compared.append(password)
        return hashed == self.hash(password)

    def is_cached(self, hashed: str, password: str) -> bool:
        return password in self.remembered and hashed == self.hash(password)


class FakeSenders:
    """Believes those that a test names."""

    def __init__(self) -> None:
        self.verified: set[str] = set()
        self.is_silent = False
        """True if no name server answers."""

    def is_verified(self, raw: bytes, address: str, received: datetime) -> bool:
        if self.is_silent:
            raise SenderNotKnownYet
        return address in self.verified


class FakeChance:
    """Tokens 1, 2, 3 …, and always the same secret."""

    def __init__(self) -> None:
        self.given = 0

    def secret(self) -> bytes:
        return bytes(range(32))

    def token(self) -> str:
        self.given += 1
        return f"t{self.given}"
