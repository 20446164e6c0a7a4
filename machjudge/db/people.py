"""People, their tokens, counts for limits, and personal data."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import fields
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from threading import Lock
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Executable,
    LargeBinary,
    Row,
    Text,
    UpdateBase,
    and_,
    bindparam,
    delete,
    false,
    func,
    insert,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import InstrumentedAttribute, Session

from machjudge.db.engine import Prepared, is_sqlite
from machjudge.db.rows import FieldForms, add_rows, row, rows
from machjudge.db.tables import (
    EMPTIED,
    AddressRow,
    AttendedRow,
    CountRow,
    GameRow,
    InboxRow,
    Json,
    MailState,
    NoteRow,
    NoticeRow,
    OutboxRow,
    OutboxState,
    PendingActRow,
    PersonRow,
    PressRow,
    ReplyTokenRow,
    SeatRow,
    SubstituteRow,
    TokenRow,
)
from machjudge.formats.values import Form
from machjudge.judge.credentials import (
    ActToken,
    AddressToken,
    OfferToken,
    PendingAct,
    PressToken,
    SeatToken,
    SubstituteToken,
    Token,
    TokenScope,
    code_of,
    hash_of,
)
from machjudge.judge.faults import Stale
from machjudge.judge.records import (
    AddressStanding,
    Bounce,
    Bounces,
    GameId,
    Person,
    PersonId,
    Status,
    Substitute,
    is_same_name,
    with_bounce,
)
from machjudge.judge.secret import JudgeSecret

BOUNCE_COLUMNS = (
    AddressRow.bounced_since,
    AddressRow.bounced_last,
    AddressRow.bounce_halves,
    AddressRow.bounce_today,
)
_AT = AddressRow.address == bindparam("at")
_OWNER = (
    select(PersonRow.id)
    .where(PersonRow.id.in_(select(AddressRow.person).where(_AT)))
    .with_for_update()
)
_KNOWN = select(AddressRow.address, *BOUNCE_COLUMNS).where(_AT)
_IS_SEAT = GameRow.id.in_(select(SeatRow.game).where(SeatRow.address == bindparam("at")))
_WAKE = (
    update(GameRow)
    .where(GameRow.status == Status.RUNNING.value, _IS_SEAT)
    .values(next_look=GameRow.created)
)


def count_bounce(connection: Connection, address: str, bounce: Bounce, now: datetime) -> None:
    """Count a bounce of an address; its person's games are looked at soon.

    Unknown and unconfirmed addresses are not counted.
    """
    at = {"at": address.lower()}
    # First the games, then the people, as handling a mail locks them.
    connection.execute(_WAKE, at)
    if not is_sqlite(connection):
        connection.execute(_OWNER, at)
    row = connection.execute(_KNOWN, at).one_or_none()
    if row is not None:
        score = with_bounce(read_bounces(row), row.address, bounce, now)
        connection.execute(update(AddressRow).where(_AT).values(**bounce_columns(score)), at)


def read_bounces(row: Row[*tuple[Any, ...]]) -> Bounces | None:
    """The score in a row with `COLUMNS` and the address; None where nothing came back."""
    if row.bounced_since is None:
        return None
    return Bounces(
        row.address, row.bounced_since, row.bounced_last, row.bounce_halves, row.bounce_today
    )


def bounce_columns(score: Bounces | None) -> dict[str, object]:
    """The inverse of `read_bounces`."""
    if score is None:
        return dict.fromkeys(each.key for each in BOUNCE_COLUMNS)
    return {
        "bounced_since": score.since,
        "bounced_last": score.last,
        "bounce_halves": score.halves,
        "bounce_today": score.today,
    }


_KEPT = timedelta(days=8)
"""Longer than any limit looks back."""
_LOCK = 0x6D616A75
"""The namespace of our advisory locks on PostgreSQL."""


_ADD = Prepared(insert(CountRow))


_SINCE = CountRow.at > bindparam("since", type_=CountRow.at.type)
_UNTIL = CountRow.at <= bindparam("until", type_=CountRow.at.type)


@lru_cache
def _turn(keys: int) -> Prepared:
    """Wait for other transactions that count these keys."""
    hashed = (func.hashtext(bindparam(f"key{n}", type_=CountRow.key.type)) for n in range(keys))
    return Prepared(select(*(func.pg_advisory_xact_lock(_LOCK, each) for each in hashed)))


@lru_cache
def _lately(keys: int) -> Prepared:
    found = select(CountRow.key, CountRow.at).where(_of(keys), _SINCE)
    return Prepared(found.order_by(CountRow.at))


@lru_cache
def _numbers(keys: int) -> Prepared:
    found = select(CountRow.key, func.count()).where(_of(keys), _SINCE, _UNTIL)
    return Prepared(found.group_by(CountRow.key))


def _of(keys: int) -> ColumnElement[bool]:
    return CountRow.key.in_([bindparam(f"key{n}") for n in range(keys)])


def _asked(keys: Iterable[str]) -> dict[str, object]:
    return {f"key{n}": key for n, key in enumerate(keys)}


class StoredCounts:
    """Counted instants in one transaction."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def lock(self, keys: Collection[str]) -> None:
        # On SQLite a writing transaction is alone anyway.
        if keys and not is_sqlite(self._session.connection()):
            # In one order, so that no two transactions wait for each other.
            _turn(len(keys)).run(self._session.connection(), _asked(sorted(keys)))

    def all_lately(
        self, keys: Collection[str], since: datetime
    ) -> Mapping[str, Sequence[datetime]]:
        found: dict[str, list[datetime]] = {key: [] for key in keys}
        asked = _asked(found)
        lately = _lately(len(asked))
        for key, at in lately.rows(self._session.connection(), {"since": since, **asked}):
            found[key].append(at)
        return found

    def numbers(self, keys: Collection[str], since: datetime, until: datetime) -> Mapping[str, int]:
        found = dict.fromkeys(keys, 0)
        asked = {**_asked(found), "since": since, "until": until}
        return found | dict(_numbers(len(found)).rows(self._session.connection(), asked))

    def add(self, keys: Collection[str], at: datetime) -> None:
        if keys:
            counted = [{"key": key, "at": at} for key in keys]
            _ADD.run(self._session.connection(), *counted)

    def take_back(self, keys: Collection[str], at: datetime) -> None:
        if not keys:
            return
        of_then = (CountRow.key.in_(list(keys)), CountRow.at == at)
        first = select(func.min(CountRow.id)).where(*of_then).group_by(CountRow.key)
        self._delete(CountRow.id.in_(first.scalar_subquery()))

    def forget(self, keys: Collection[str]) -> None:
        if keys:
            self._delete(CountRow.key.in_(list(keys)))

    def _delete(self, which: ColumnElement[bool]) -> None:
        gone = delete(CountRow).where(which)
        self._session.execute(gone, execution_options={"synchronize_session": False})


def forget_old_counts(connection: Connection, now: datetime) -> None:
    """Uncount what happened so long ago that no limit looks back to it."""
    connection.execute(delete(CountRow).where(CountRow.at < now - _KEPT))


_TOKENS_KEPT = timedelta(days=7)
"""How long expired tokens are kept."""


_TOKEN = FieldForms(Token)


class StoredTokens:
    """Tokens in one transaction."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def token(self, hashed: str) -> Token | None:
        found = row(self._session, select(TokenRow).where(TokenRow.hashed == hashed))
        return None if found is None else _TOKEN.read(found)

    def made_since(self, person: PersonId, since: datetime) -> Sequence[Token]:
        wanted = select(TokenRow).where(TokenRow.person == person, TokenRow.made >= since)
        return [_TOKEN.read(each) for each in rows(self._session, wanted.order_by(TokenRow.made))]

    def add(self, token: Token) -> None:
        old = token.made - _TOKENS_KEPT
        self._session.execute(delete(TokenRow).where(TokenRow.until < old))
        add_rows(self._session, TokenRow, [_TOKEN.write(token)], "that token is there already")

    def drop(self, hashed: str) -> None:
        self._session.execute(delete(TokenRow).where(TokenRow.hashed == hashed))


_OFFER = FieldForms(Substitute)


class StoredSubstitutes:
    """The offers of substitutes in one transaction."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def all(self) -> Sequence[Substitute]:
        in_order = (SubstituteRow.since, SubstituteRow.person, SubstituteRow.game)
        found = rows(self._session, select(SubstituteRow).order_by(*in_order))
        return [_OFFER.read(each) for each in found]

    def add(self, offer: Substitute) -> None:
        self.remove(offer.person, offer.game)
        add_rows(self._session, SubstituteRow, [_OFFER.write(offer)], "that offer is there already")

    def remove(self, person: PersonId, game: str | None) -> int:
        wanted = [SubstituteRow.person == person]
        if game is not None:
            wanted.append(SubstituteRow.game == game)
        gone = delete(SubstituteRow).where(*wanted).returning(SubstituteRow.game)
        return len(self._session.execute(gone).all())


_KEPT_PENDING_ACTS = timedelta(days=7)
"""How long expired acts are kept."""


_ACT = FieldForms(PendingAct)


class StoredPendingActs:
    """The pending acts in one transaction."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def get(self, name: str) -> PendingAct | None:
        found = row(self._session, select(PendingActRow).where(PendingActRow.name == name))
        return None if found is None else _ACT.read(found)

    def of(self, game: GameId, seat: int) -> Sequence[PendingAct]:
        wanted = select(PendingActRow).where(PendingActRow.game == game, PendingActRow.seat == seat)
        found = rows(self._session, wanted.order_by(PendingActRow.made, PendingActRow.name))
        return [_ACT.read(each) for each in found]

    def add(self, act: PendingAct) -> None:
        self._session.execute(
            delete(PendingActRow).where(PendingActRow.until < act.made - _KEPT_PENDING_ACTS)
        )
        add_rows(self._session, PendingActRow, [_ACT.write(act)], "that act waits already")

    def drop(self, name: str) -> None:
        gone = delete(PendingActRow).where(PendingActRow.name == name).returning(PendingActRow.name)
        if self._session.scalar(gone) is None:
            message = "that act does not wait any more"
            raise Stale(message)


_KINDS: dict[str, type[TokenScope]] = {
    "seat": SeatToken,
    "press": PressToken,
    "offer": OfferToken,
    "address": AddressToken,
    "act": ActToken,
    "substitute": SubstituteToken,
}
_NAMES = {kind: name for name, kind in _KINDS.items()}
_FIELDS = {kind: [field.name for field in fields(kind)] for kind in _NAMES}


MAX_KEPT = 10_000
"""How many tokens are kept in memory."""

_MEANINGS = select(ReplyTokenRow.hashed, ReplyTokenRow.speaks).where(
    ReplyTokenRow.hashed.in_(bindparam("hashes", expanding=True))
)


class ReplyTokenCache:
    """Immutable tokens surely stored, for all threads; the seat says which still opens it."""

    def __init__(self, most: int = MAX_KEPT) -> None:
        self._most = most
        self._lock = Lock()
        self._known: dict[str, TokenScope] = {}

    def get(self, hashed: str) -> TokenScope | None:
        """What a token speaks for; None if that is not known here."""
        return self._known.get(hashed)

    def add(self, found: Mapping[str, TokenScope]) -> None:
        """Keep read tokens; those read longest ago go."""
        with self._lock:
            self._known.update(found)
            for oldest in list(self._known)[: max(0, len(self._known) - self._most)]:
                del self._known[oldest]


class StoredReplyTokens:
    """The reply tokens in one transaction."""

    def __init__(self, session: Session, cache: ReplyTokenCache, *, is_reading: bool) -> None:
        self._session = session
        self._cache = cache
        self._is_reading = is_reading
        self._unknown: set[str] = set()

    def meanings(self, hashes: Collection[str]) -> Mapping[str, TokenScope]:
        found = {each: token for each in hashes if (token := self._cache.get(each)) is not None}
        asked = [each for each in hashes if each not in found and each not in self._unknown]
        if asked:
            rows = self._session.connection().execute(_MEANINGS, {"hashes": asked})
            read = {row.hashed: read_token(row.speaks) for row in rows}
            found |= read
            self._unknown.update(each for each in asked if each not in read)
            if self._is_reading:
                self._cache.add(read)
        return found


_KEEP_TOKEN = {
    own: Prepared(
        insert(ReplyTokenRow).on_conflict_do_nothing(index_elements=[ReplyTokenRow.hashed])
    )
    for own, insert in ((True, sqlite.insert), (False, postgresql.insert))
}


def keep_token(
    session: Session,
    cache: ReplyTokenCache,
    secret: JudgeSecret,
    token: TokenScope,
    now: datetime,
) -> None:
    """Keep the hash of a token, if new."""
    hashed = hash_of(code_of(secret, token))
    if cache.get(hashed) == token:
        return
    connection = session.connection()
    keep = _KEEP_TOKEN[is_sqlite(connection)]
    keep.run(connection, {"hashed": hashed, "speaks": write_token(token), "made": now})


def write_token(token: TokenScope | None) -> Json:
    """What a token speaks for, as JSON."""
    if token is None:
        return None
    kind = type(token)
    return {"kind": _NAMES[kind], **{name: getattr(token, name) for name in _FIELDS[kind]}}


def read_token(document: Json) -> TokenScope:
    """What a token speaks for, from JSON."""
    values = {name: value for name, value in document.items() if name != "kind"}
    return _KINDS[document["kind"]](**values)


_MAX = 10_000
_NO_ZONE = "UTC"


_TextRow = InboxRow | OutboxRow | PressRow | NoteRow
_TEXTS: Sequence[
    tuple[type[_TextRow], Sequence[InstrumentedAttribute[Any]], ColumnElement[bool]]
] = (
    (
        OutboxRow,
        (OutboxRow.subject, OutboxRow.body, OutboxRow.layout, OutboxRow.why),
        OutboxRow.state != OutboxState.WAITING,
    ),
    (
        InboxRow,
        (InboxRow.raw, InboxRow.why),
        InboxRow.state.not_in([MailState.WAITING, MailState.ASIDE]),
    ),
    (PressRow, (PressRow.text,), true()),
    (NoteRow, (NoteRow.text,), true()),
)
"""Where the name of somebody may stand in what others have written and read."""


class StoredPersonalData:
    """The traces of people in one transaction."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def of(self, person: Person) -> Mapping[str, Sequence[Mapping[str, object]]]:
        return {
            kind: [dict(row) for row in self._session.execute(found).mappings()]
            for kind, found in _kinds(person).items()
        }

    def games(self, person: Person) -> Sequence[GameId]:
        own = (SeatRow.person == person.id) | (SeatRow.former == person.id)
        own |= SeatRow.person.is_(None) & SeatRow.address.in_(person.addresses)
        found = set(self._session.scalars(select(SeatRow.game).where(own)))
        named = GameRow.ejected.cast(Text).contains(person.id, autoescape=True)
        for address in person.addresses:
            named |= GameRow.settings.cast(Text).contains(address, autoescape=True)
        found.update(self._session.scalars(select(GameRow.id).where(named)))
        return sorted(map(GameId, found))

    def erase(
        self,
        person: Person,
        games: Sequence[GameId],
        called: str,
        translations: Mapping[str, str],
    ) -> None:
        attended = select(AttendedRow.game).where(AttendedRow.person == person.id)
        led = select(GameRow.id).where(GameRow.master == person.id)
        theirs = {*games, *self._session.scalars(attended.union(led))}
        self._erase_mails(person)
        self._erase_from_logs(person, theirs, called, translations)
        self._erase_from_texts(person, theirs, called)
        for owner in (NoteRow.person, TokenRow.person, SubstituteRow.person):
            self._change(delete(owner.class_).where(owner == person.id))
        for kept in (CountRow.key, ReplyTokenRow.speaks, PendingActRow.lines):
            named = self._holds(kept, person.addresses)
            self._change(delete(kept.class_).where(named))
        self._change(delete(AddressRow).where(AddressRow.person == person.id))
        unknown = {"name": called, "zone": _NO_ZONE, "claimed": None}
        self._change(update(PersonRow).where(PersonRow.id == person.id).values(**unknown))

    def _erase_mails(self, person: Person) -> None:
        nothing: dict[str, object] = {"sender": "", "envelope_sender": "", "message_id": ""}
        mails = InboxRow.sender.in_(person.addresses) & (InboxRow.state != MailState.WAITING)
        self._change(update(InboxRow).where(mails).values(**nothing, recipients=[], raw=b""))
        held = (OutboxRow.held_for == person.id) & (OutboxRow.state == OutboxState.HELD)
        self._change(update(OutboxRow).where(held).values(state=OutboxState.DROPPED))
        theirs = OutboxRow.recipient.in_(person.addresses)
        waiting = theirs & (OutboxRow.state == OutboxState.WAITING)
        self._change(update(OutboxRow).where(waiting).values(held_for=person.id))
        messages = theirs & (OutboxRow.state != OutboxState.WAITING)
        self._change(update(OutboxRow).where(messages).values(**EMPTIED))

    def _erase_from_logs(
        self, person: Person, games: Set[str], called: str, translations: Mapping[str, str]
    ) -> None:
        """Take the name and the addresses out of what was noted about games."""
        pattern = re.compile(f"{_addresses_of(person)}|(?i:{_name_of(person)})")
        theirs = (NoticeRow.by == person.id) | NoticeRow.game.in_(games)
        found = select(NoticeRow.id, NoticeRow.text, NoticeRow.translations).where(theirs)
        for number, text, others in self._session.execute(found).all():
            told = {
                language: pattern.sub(translations.get(language, called), other)
                for language, other in (others or {}).items()
            }
            new = {"text": pattern.sub(called, text), "translations": told or None}
            if new != {"text": text, "translations": others}:
                self._change(update(NoticeRow).where(NoticeRow.id == number).values(**new))

    def _erase_from_texts(self, person: Person, games: Set[str], called: str) -> None:
        """Take the name and the addresses out of what others have written and read.

        A name stays if it is one word, or written without capitals: it may be a place's, or stand
        in any sentence. Others go from games of the person and from what is about no game, so that
        nobody can spoil the games of others by a name. Messages that wait go out as they are, and
        are emptied then.
        """
        parts = person.name.split()
        is_full = len(parts) > 1 and all(len(each) > 1 and not each[0].islower() for each in parts)
        word = max(parts, key=len) if is_full else ""
        addresses = re.compile(_addresses_of(person))
        full = re.compile(f"{_addresses_of(person)}|{_name_of(person)}")
        waiting = (OutboxRow.state == OutboxState.WAITING) & OutboxRow.held_for.is_(None)

        def may_name(
            table: type[_TextRow], column: InstrumentedAttribute[Any]
        ) -> ColumnElement[bool]:
            named = self._holds(column, [word]) if word else false()
            near = table.game.is_(None) | table.game.in_(games)
            return self._holds(column, person.addresses) | (named & near)

        named = may_name(OutboxRow, OutboxRow.body)
        self._change(update(OutboxRow).where(waiting, named).values(held_for=person.id))
        for table, columns, condition in _TEXTS:
            key = table.__table__.primary_key
            for column in columns:
                named = may_name(table, column)
                found = select(*key, table.game, column).where(condition, named)
                for *own, game, text in self._session.execute(found).all():
                    is_named = is_full and (game is None or game in games)
                    new = _without(full if is_named else addresses, text, called)
                    if new != text:
                        at = and_(*(each == one for each, one in zip(key, own, strict=True)))
                        self._change(update(table).where(at).values({column.key: new}))

    def _holds(
        self, column: InstrumentedAttribute[Any], words: Iterable[str]
    ) -> ColumnElement[bool]:
        """Return whether a column may hold one of some words."""
        text = column.cast(Text)
        if isinstance(column.type, LargeBinary) and not is_sqlite(self._session.connection()):
            text = func.encode(column, "escape")  # signs beyond ASCII are numbers there
            words = [max(_ASCII.findall(each), key=len) for each in words]
        return or_(false(), *(text.icontains(each, autoescape=True) for each in words))

    def _change(self, statement: UpdateBase) -> None:
        self._session.execute(statement, execution_options={"synchronize_session": False})


def _addresses_of(person: Person) -> str:
    """The pattern of a person's addresses in a text."""
    found = [rf"(?<![\w.+])(?<!\w-){re.escape(each)}(?![\w-]|\.\w)" for each in person.addresses]
    return f"(?i:{'|'.join(found) or '$^'})"


def _name_of(person: Person) -> str:
    """The pattern of a person's name in rows of any width."""
    name = r"\s+".join(map(re.escape, person.name.split()))
    return rf"(?<!\w){name or '$^'}(?!\w)"


_ASCII = re.compile(r"[\x20-\x5b\x5d-\x7e]*")


def _without(pattern: re.Pattern[str], text: str | bytes, called: str) -> str | bytes:
    if isinstance(text, str):
        return pattern.sub(called, text)
    read = text.decode("utf-8", "surrogateescape")
    return pattern.sub(called, read).encode("utf-8", "surrogateescape")


def _kinds(person: Person) -> dict[str, Executable]:
    return {
        "seats": select(
            GameRow.name.label("game"),
            GameRow.status,
            SeatRow.number,
            SeatRow.role,
            SeatRow.powers,
            SeatRow.address,
        )
        .join(GameRow, GameRow.id == SeatRow.game)
        .where(SeatRow.person == person.id)
        .order_by(GameRow.created.desc(), SeatRow.number)
        .limit(_MAX),
        "notes": select(NoteRow.game, NoteRow.kind, NoteRow.at, NoteRow.text)
        .where(NoteRow.person == person.id)
        .order_by(NoteRow.at.desc())
        .limit(_MAX),
        "offers": select(SubstituteRow.game, SubstituteRow.since, SubstituteRow.notice)
        .where(SubstituteRow.person == person.id)
        .order_by(SubstituteRow.since.desc())
        .limit(_MAX),
        "mails": select(
            InboxRow.received,
            InboxRow.message_id,
            InboxRow.sender.label("from"),
            InboxRow.game,
            InboxRow.state,
        )
        .where(InboxRow.sender.in_(person.addresses))
        .order_by(InboxRow.id.desc())
        .limit(_MAX),
        "messages": select(
            OutboxRow.made,
            OutboxRow.recipient.label("to"),
            OutboxRow.subject,
            OutboxRow.game,
            OutboxRow.state,
        )
        .where(OutboxRow.recipient.in_(person.addresses))
        .order_by(OutboxRow.id.desc())
        .limit(_MAX),
    }


# What came back from an address, in the columns of its row, all of them empty where nothing did.
# It is counted in the transaction that notes the end of the message, and stands with its owner.
COLUMNS = (*PersonRow.__table__.columns, AddressRow.address, *BOUNCE_COLUMNS)
"""What is read of people, and of their addresses."""
IN_ORDER = (PersonRow.registered, PersonRow.id, AddressRow.rank)
"""How the rows of people are ordered: as they came, with the first address first."""
PEOPLE = PersonRow.id.in_(bindparam("people", expanding=True))
"""The condition that a person is among the ``people`` of a statement."""

_EVERYBODY = (
    select(*COLUMNS).outerjoin(AddressRow, AddressRow.person == PersonRow.id).order_by(*IN_ORDER)
)
_OWNER_PERSONS = select(AddressRow.person).where(AddressRow.address == bindparam("at"))
_OF = _EVERYBODY.where(PEOPLE)
_AT_PERSONS = _EVERYBODY.where(PersonRow.id == _OWNER_PERSONS.scalar_subquery())


class StoredPersons:
    """The people in one transaction."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._known: dict[PersonId, Person | None] = {}
        self._strange: set[str] = set()
        """Addresses without a person."""

    def get(self, person: PersonId) -> Person | None:
        if person not in self._known:
            self.of((person,))
        return self._known[person]

    def of(self, people: Collection[PersonId]) -> Mapping[PersonId, Person]:
        unknown = [each for each in people if each not in self._known]
        if unknown:
            self._known |= dict.fromkeys(unknown)
            self.take(self._session.connection().execute(_OF, {"people": unknown}))
        found = {each: self._known[each] for each in people}
        return {each: person for each, person in found.items() if person is not None}

    def held(self, people: Collection[PersonId]) -> Mapping[PersonId, Person]:
        self._forget()
        # On SQLite a writing transaction is alone anyway.
        if not is_sqlite(self._session.connection()):
            # In one order, so that no two transactions wait for each other.
            rows = select(PersonRow.id).where(PEOPLE).order_by(PersonRow.id).with_for_update()
            self._session.connection().execute(rows, {"people": list(people)})
        return self.of(people)

    def by_address(self, address: str) -> Person | None:
        wanted = address.lower()
        for person in self._known.values():
            if person is not None and person.is_confirmed and wanted in person.addresses:
                return person
        if wanted in self._strange:
            return None
        for person in self.take(self._session.connection().execute(_AT_PERSONS, {"at": wanted})):
            return person
        self._strange.add(wanted)
        return None

    def names(self, besides: Collection[PersonId] = ()) -> Sequence[str]:
        confirmed = PersonRow.claimed.is_(None)
        others = select(PersonRow.name).where(confirmed, PersonRow.id.not_in(list(besides)))
        return rows(self._session, others)

    def by_name(self, name: str) -> Sequence[Person]:
        # Compared here: not every database knows the small letters beyond ASCII.
        every = select(PersonRow.id, PersonRow.name).where(PersonRow.claimed.is_(None))
        found = self._session.connection().execute(every)
        called = [PersonId(row.id) for row in found if is_same_name(row.name, name)]
        return sorted(self.of(called).values(), key=lambda each: (each.registered, each.id))

    def save(self, person: Person) -> None:
        self._forget()
        self._save_row(person)
        self._session.execute(delete(AddressRow).where(AddressRow.person == person.id))
        if not person.is_confirmed:
            return
        scores = {each.address: each for each in person.bounces}
        addresses = [
            {"address": address, "person": person.id, "rank": rank}
            | bounce_columns(scores.get(address))
            for rank, address in enumerate(map(str.lower, person.addresses))
        ]
        taken = f"an address of {person.id} belongs to somebody else"
        add_rows(self._session, AddressRow, addresses, taken)

    def _save_row(self, person: Person) -> None:
        columns = {
            **_PERSON.write(person),
            "standing": person.standing.value,
            "claimed": None if person.is_confirmed else person.addresses[0],
            "language": person.language or None,
        }
        known = self._session.scalar(
            update(PersonRow)
            .where(PersonRow.id == person.id)
            .values(**columns)
            .returning(PersonRow.id)
        )
        if known is None:
            taken = f"{person.id} has just been added by somebody else"
            add_rows(self._session, PersonRow, [columns], taken)

    def confirmed(self) -> Sequence[Person]:
        return self._read(PersonRow.claimed.is_(None))

    def unconfirmed(self, until: datetime) -> Sequence[Person]:
        waiting = (
            PersonRow.standing != AddressStanding.CONFIRMED.value,
            PersonRow.registered < until,
        )
        return self._read(*waiting)

    def remove(self, person: PersonId) -> None:
        self._forget()
        self._session.execute(delete(PersonRow).where(PersonRow.id == person))

    def _forget(self) -> None:
        self._known.clear()
        self._strange.clear()

    def _read(self, *wanted: ColumnElement[bool]) -> Sequence[Person]:
        return self.take(self._session.connection().execute(_EVERYBODY.where(*wanted)))

    def take(self, found: Iterable[Any], asked: Collection[PersonId] = ()) -> Sequence[Person]:
        """Keep the people of rows with `COLUMNS`, one row an address.

        Of those who were *asked* for it is known as well who is not there.
        """
        self._known |= {each: None for each in asked if each not in self._known}
        people = [_person(list(rows)) for _, rows in groupby(found, attrgetter("id"))]
        self._known |= {each.id: each for each in people}
        return people


_ALARMS = Form(
    lambda hours: " ".join(map(str, hours)),
    lambda text: tuple(map(int, str(text).split())),
)
_PERSON = FieldForms(Person, ("addresses", "standing", "bounces"), forms={"alarms": _ALARMS})


def _person(rows: Sequence[Row[Any]]) -> Person:
    """A person with their addresses or the claimed one."""
    row = rows[0]
    is_confirmed = row.claimed is None
    if is_confirmed and len(rows) == 1 and row.bounced_since is None:  # as nearly everybody
        only = () if row.address is None else (row.address,)
        confirmed = AddressStanding.CONFIRMED
        return _PERSON.read(row, addresses=only, standing=confirmed, bounces=())
    own = [row.claimed] if row.claimed is not None else [each.address for each in rows]
    scores = [read_bounces(each) for each in rows if each.bounced_since is not None]
    return _PERSON.read(
        row,
        addresses=tuple([each for each in own if each is not None]),
        standing=AddressStanding.CONFIRMED if is_confirmed else AddressStanding(row.standing),
        bounces=tuple([score for score in scores if score is not None]),
    )
