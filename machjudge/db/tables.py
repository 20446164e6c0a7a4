"""The tables of the database."""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, ClassVar

from sqlalchemy import (
    JSON,
    BigInteger,
    BindParameter,
    ColumnElement,
    DateTime,
    Dialect,
    Enum,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    LargeBinary,
    MetaData,
    Text,
    and_,
    bindparam,
    literal_column,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import TypeDecorator

_NOT_KEPT = re.compile(r"[\x00\ud800-\udfff]")


def _in_utc(value: datetime | None) -> datetime | None:
    if value is None:
        return None
    if value.tzinfo is None:
        message = "an instant without a time zone"
        raise ValueError(message)
    return value.astimezone(UTC)


def _for_sqlite(value: datetime | None) -> str | None:
    utc = _in_utc(value)
    return None if utc is None else utc.replace(tzinfo=None).isoformat(" ", "microseconds")


class Instant(TypeDecorator[datetime]):
    """An instant in UTC: aware in the program, without its zone in a SQLite file."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def bind_processor(self, dialect: Dialect) -> Callable[[datetime | None], Any]:
        """Return how an instant is given to the driver, in SQLite as its types write it."""
        return _for_sqlite if dialect.name == "sqlite" else _in_utc

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """The instant as the program knows it."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Prose(TypeDecorator[str]):
    """Text of people; NUL and halves of characters become replacement characters."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """The text as the database takes it."""
        return None if value is None else _NOT_KEPT.sub("\N{REPLACEMENT CHARACTER}", value)


Json = Any  # what the json module reads and writes; `documents` knows what it means


class Base(DeclarativeBase):
    """The base class of all tables, which names their constraints."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        datetime: Instant,
        str: Prose,
        bytes: LargeBinary,
        Json: JSON,
    }


def belongs_to(column: str) -> ForeignKey:
    """A reference that is checked when the transaction is committed."""
    return ForeignKey(column, deferrable=True, initially="DEFERRED")


def choice(of: type[StrEnum]) -> Enum:
    """One of the values of an enumeration, as text."""
    return Enum(
        of, native_enum=False, length=16, values_callable=lambda each: [one.value for one in each]
    )


class GameRow(Base):
    """A game without its positions."""

    __tablename__ = "games"

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    version: Mapped[int]
    only_sheets_since: Mapped[int | None]
    """The version since which only order sets were added, or None."""
    status: Mapped[str] = mapped_column(index=True)
    scenario: Mapped[str]
    rules: Mapped[Json]
    settings: Mapped[Json] = mapped_column("conduct", key="settings")
    secret: Mapped[bytes]
    created: Mapped[datetime]
    master: Mapped[str] = mapped_column(belongs_to("persons.id"))
    position: Mapped[int | None]
    began: Mapped[datetime | None]
    deadline: Mapped[datetime | None]
    late_told: Mapped[datetime | None]
    times: Mapped[Json] = mapped_column(JSON(none_as_null=True), nullable=True)
    ending: Mapped[Json] = mapped_column(JSON(none_as_null=True), nullable=True)
    shared: Mapped[Json] = mapped_column(JSON(none_as_null=True), nullable=True)
    attendance: Mapped[Json]
    ejected: Mapped[Json] = mapped_column(JSON(none_as_null=True), nullable=True)
    agreements: Mapped[Json] = mapped_column(JSON(none_as_null=True), nullable=True)
    seating: Mapped[Json] = mapped_column(JSON(none_as_null=True), nullable=True)
    """None: no seat has changed hands, and no deadline was moved for anybody."""
    heard: Mapped[datetime | None]
    warned: Mapped[datetime | None]
    next_look: Mapped[datetime | None] = mapped_column(index=True)
    """The instant before which there is nothing to do; None if it is not played."""


class SeatRow(Base):
    """A place at a game."""

    __tablename__ = "seats"

    game: Mapped[str] = mapped_column(belongs_to("games.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    role: Mapped[str]
    person: Mapped[str | None] = mapped_column(belongs_to("persons.id"), index=True)
    address: Mapped[str]
    password: Mapped[str]
    powers: Mapped[Json]
    preferences: Mapped[str]
    waits: Mapped[bool]
    absences: Mapped[Json]
    priority: Mapped[Json]
    votes: Mapped[Json] = mapped_column(JSON(none_as_null=True), nullable=True)
    wishes: Mapped[Json]
    approved: Mapped[bool]
    public: Mapped[bool]
    former: Mapped[str | None]
    generation: Mapped[int]
    claimed: Mapped[Json] = mapped_column(JSON(none_as_null=True), nullable=True)
    is_claim: Mapped[bool]


class OrderSetRow(Base):
    """The whole order set of one power, as it stood after one mail."""

    __tablename__ = "sheets"

    game: Mapped[str] = mapped_column(belongs_to("games.id"), primary_key=True)
    after: Mapped[int] = mapped_column(primary_key=True)
    power: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    lines: Mapped[Json]
    flawed: Mapped[bool]
    received: Mapped[datetime]
    mail: Mapped[int | None] = mapped_column(belongs_to("inbox.id"))


class PlanRow(Base):
    """What one power has on file ahead, as it stood after one mail."""

    __tablename__ = "plans"

    game: Mapped[str] = mapped_column(belongs_to("games.id"), primary_key=True)
    power: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    parts: Mapped[Json]
    received: Mapped[datetime]
    mail: Mapped[int | None] = mapped_column(belongs_to("inbox.id"))


class PhaseRow(Base):
    """A phase as it was processed: positions, orders, rules and events are one document."""

    __tablename__ = "phases"

    game: Mapped[str] = mapped_column(belongs_to("games.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    parent: Mapped[int | None]
    moment: Mapped[str]
    adjudicator: Mapped[str]
    processed: Mapped[datetime]
    document: Mapped[Json]


class AttendedRow(Base):
    """Attendance of a person in a game; can be rebuilt."""

    __tablename__ = "attended"

    person: Mapped[str] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(belongs_to("games.id"), primary_key=True)


class HoldingRow(Base):
    """What a power held after a phase; can be rebuilt from the documents."""

    __tablename__ = "holdings"
    __table_args__ = (
        ForeignKeyConstraint(
            ["game", "phase"],
            ["phases.game", "phases.number"],
            deferrable=True,
            initially="DEFERRED",
        ),
    )

    game: Mapped[str] = mapped_column(primary_key=True)
    phase: Mapped[int] = mapped_column(primary_key=True)
    power: Mapped[str] = mapped_column(primary_key=True)
    cities: Mapped[int]
    treasury: Mapped[int | None]


class PressRow(Base):
    """A message between the people of a game."""

    __tablename__ = "press"
    __table_args__ = ({"sqlite_autoincrement": True},)

    id: Mapped[int] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(belongs_to("games.id"), index=True)
    at: Mapped[datetime]
    after: Mapped[int | None]
    sender: Mapped[int]
    readers: Mapped[Json]
    text: Mapped[str]
    manner: Mapped[Json]


class NoteRow(Base):
    """A private note of a player."""

    __tablename__ = "notes"

    game: Mapped[str] = mapped_column(belongs_to("games.id"), primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)
    person: Mapped[str] = mapped_column(belongs_to("persons.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    seat: Mapped[int]
    author: Mapped[str]
    at: Mapped[datetime]
    phase: Mapped[str]
    text: Mapped[str]


class NoticeRow(Base):
    """An entry in the log of a game."""

    __tablename__ = "notices"
    __table_args__ = ({"sqlite_autoincrement": True},)

    id: Mapped[int] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(belongs_to("games.id"), index=True)
    at: Mapped[datetime]
    by: Mapped[str | None] = mapped_column(belongs_to("persons.id"))
    kind: Mapped[str]
    text: Mapped[str]
    translations: Mapped[Json] = mapped_column(JSON(none_as_null=True), nullable=True)


class JudgeRow(Base):
    """What the database knows of the judge itself: one row."""

    __tablename__ = "judge"

    id: Mapped[int] = mapped_column(primary_key=True)
    secret: Mapped[str]
    """A code derived from the judge's secret, which it does not reveal."""


class HeartbeatRow(Base):
    """When the judge last looked at its clock: one row."""

    __tablename__ = "heartbeat"

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    usual: Mapped[int | None]
    """Seconds."""
    missed: Mapped[int | None]
    """Seconds of silence not yet made up for."""


class MailState(StrEnum):
    """Where a mail is in its life."""

    WAITING = "waiting"
    FINISHED = "finished"
    ASIDE = "aside"
    DROPPED = "dropped"


class OutboxState(StrEnum):
    """Where a message is in its life."""

    WAITING = "waiting"
    SENT = "sent"
    GIVEN_UP = "given up"
    DROPPED = "dropped"
    HELD = "held"
    GATHERED = "gathered"


class InboxRow(Base):
    """A mail that was kept; its raw bytes are redacted once it is finished."""

    __tablename__ = "inbox"
    __table_args__ = (
        Index("ix_inbox_state_id", "state", "id"),
        Index("ix_inbox_sender_state", "sender", "state"),
        Index("ix_inbox_message_id", "message_id"),
        # A number is never given twice, so that the numbers are the order of receipt.
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    received: Mapped[datetime]
    key: Mapped[str] = mapped_column(unique=True)
    message_id: Mapped[str]
    sender: Mapped[str]
    envelope_sender: Mapped[str]
    recipients: Mapped[Json]
    raw: Mapped[bytes]
    state: Mapped[MailState] = mapped_column(choice(MailState), default=MailState.WAITING)
    tries: Mapped[int] = mapped_column(default=0)
    deaths: Mapped[int] = mapped_column(default=0)
    """How many processes ended while they held it; these are no tries."""
    holder: Mapped[str | None]
    claimed_until: Mapped[datetime | None]
    not_before: Mapped[datetime | None]
    in_doubt: Mapped[bool] = mapped_column(default=True)
    game: Mapped[str | None]
    outcome: Mapped[str | None]
    why: Mapped[str | None]
    """Why it was set aside or unanswered; of a waiting mail, its last failure."""
    writer: Mapped[str | None]
    """The proved writer of a mail whose last try failed."""
    ended: Mapped[datetime | None]
    repeats: Mapped[int] = mapped_column(default=0)


class MailboxRow(Base):
    """A mailbox from which mails are taken."""

    __tablename__ = "mailboxes"

    name: Mapped[str] = mapped_column(primary_key=True)
    """User, host and folder."""
    looked: Mapped[datetime]
    """All mails received before this instant are kept."""
    failed: Mapped[datetime | None]
    """Since when it cannot be looked at; None if it can."""
    polled: Mapped[datetime | None]
    """The last look, also one that has left mails."""
    waiting: Mapped[int] = mapped_column(server_default="0")
    """How many mails the last look has left, because the server did not give them."""
    connected: Mapped[datetime | None]
    """Since when the connection stands; None if there is none."""
    connections: Mapped[int] = mapped_column(server_default="0")
    """How often it has been opened."""
    faulted: Mapped[datetime | None]
    """When it could not be looked at last."""
    why: Mapped[str | None]
    """Why not, on that occasion."""
    holder: Mapped[str | None]
    claimed_until: Mapped[datetime | None]


class MailboxMailRow(Base):
    """A mail that was taken from a mailbox, and may still be in it."""

    __tablename__ = "mailbox_mails"

    mailbox: Mapped[str] = mapped_column(belongs_to("mailboxes.name"), primary_key=True)
    validity: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    number: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    refused: Mapped[bool]


class OutboxRow(Base):
    """A message that was put into the outbox."""

    __tablename__ = "outbox"
    __table_args__ = (
        Index("ix_outbox_state_id", "state", "id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    made: Mapped[datetime]
    recipient: Mapped[str]
    subject: Mapped[str]
    body: Mapped[str]
    game: Mapped[str | None]
    phase: Mapped[str]
    answers: Mapped[str | None]
    thread: Mapped[Json]
    reply: Mapped[Json] = mapped_column(JSON(none_as_null=True), nullable=True)
    observer: Mapped[int | None]
    layout: Mapped[str | None]
    """None: the message has no HTML part."""
    files: Mapped[bytes | None] = mapped_column(deferred=True)
    """The files with it, as `db/mail_queues.py` writes them: one row, so one statement."""
    held_for: Mapped[str | None]
    """The digest it waits or waited for; or the forgotten reader, to empty it once sent."""
    digest_of: Mapped[str | None]
    state: Mapped[OutboxState] = mapped_column(choice(OutboxState), default=OutboxState.WAITING)
    due: Mapped[datetime]
    tries: Mapped[int] = mapped_column(default=0)
    deaths: Mapped[int] = mapped_column(default=0)
    holder: Mapped[str | None]
    claimed_until: Mapped[datetime | None]
    why: Mapped[str | None]
    ended: Mapped[datetime | None]
    yields_until: Mapped[datetime | None]
    """Until then more urgent messages go first; None: it is urgent itself."""
    expires: Mapped[datetime | None]


class RelayRow(Base):
    """How it stands with a relay that refuses us: one row, none before the first time."""

    __tablename__ = "relay"

    id: Mapped[int] = mapped_column(primary_key=True)
    paused_until: Mapped[datetime | None]
    """No message is offered before."""
    pauses: Mapped[int]
    """Since it has taken the last message."""
    since: Mapped[datetime | None]
    """When the first of them began."""
    why: Mapped[str]
    is_untold: Mapped[bool]
    """The keeper has to hear of it."""
    told: Mapped[datetime | None]
    """When the keeper last heard of such a thing."""


EMPTIED: Mapping[str, object] = {
    "recipient": "",
    "subject": "",
    "body": "",
    "answers": None,
    "thread": [],
    "files": None,
}
"""What is left of a message to a forgotten person."""


class ReplyTokenRow(Base):
    """What a token in one of the judge's messages speaks for; only its hash is kept."""

    __tablename__ = "reply_tokens"

    hashed: Mapped[str] = mapped_column(primary_key=True)
    speaks: Mapped[Json]
    made: Mapped[datetime]


def waits(table: type[InboxRow | OutboxRow]) -> ColumnElement[bool]:
    """Return whether a row waits; a parameter would hide from PostgreSQL how few rows do."""
    return table.state == literal_column("'waiting'", table.state.type)


class PersonRow(Base):
    """A person who plays, keeps or watches games."""

    __tablename__ = "persons"

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    zone: Mapped[str]
    registered: Mapped[datetime]
    standing: Mapped[str]
    claimed: Mapped[str | None]
    """The unconfirmed address."""
    calendar: Mapped[str | None]
    """None: the default."""
    language: Mapped[str | None]
    """None for the judge's own."""
    html: Mapped[bool | None]
    pictures: Mapped[bool | None]
    json: Mapped[bool | None]
    """None: the default."""
    notify: Mapped[str | None]
    digest_hour: Mapped[int | None]
    alarms: Mapped[str | None]
    """Hours, with spaces between them; None: the default."""


class BanRow(Base):
    """An address, or a domain with an @ before it, whose mails the judge does not take."""

    __tablename__ = "bans"

    entry: Mapped[str] = mapped_column(primary_key=True)
    since: Mapped[datetime]


class AddressRow(Base):
    """A mail address, of one person only."""

    __tablename__ = "addresses"

    address: Mapped[str] = mapped_column(primary_key=True)
    person: Mapped[str] = mapped_column(belongs_to("persons.id"), index=True)
    rank: Mapped[int]
    bounced_since: Mapped[datetime | None]
    bounced_last: Mapped[datetime | None]
    bounce_halves: Mapped[int | None]
    bounce_today: Mapped[int | None]
    """None in these four: no bounce since the owner was heard."""


class TokenRow(Base):
    """A token that was mailed, without its text."""

    __tablename__ = "tokens"

    hashed: Mapped[str] = mapped_column(primary_key=True)
    purpose: Mapped[str]
    person: Mapped[str] = mapped_column(belongs_to("persons.id"), index=True)
    made: Mapped[datetime]
    until: Mapped[datetime]
    game: Mapped[str | None] = mapped_column(belongs_to("games.id"))
    seat: Mapped[int | None]
    address: Mapped[str]


class SubstituteRow(Base):
    """Who would lead a seat that has lost its player."""

    __tablename__ = "substitutes"

    person: Mapped[str] = mapped_column(belongs_to("persons.id"), primary_key=True)
    game: Mapped[str] = mapped_column(primary_key=True)
    """Empty for every game."""
    since: Mapped[datetime]
    notice: Mapped[int]


class PendingActRow(Base):
    """An act that waits for the answer from the address on file."""

    __tablename__ = "pending_acts"

    name: Mapped[str] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(belongs_to("games.id"), index=True)
    seat: Mapped[int]
    generation: Mapped[int]
    lines: Mapped[Json]
    made: Mapped[datetime]
    until: Mapped[datetime]


class CountRow(Base):
    """Something that happened once and is counted for a limit."""

    __tablename__ = "counts"
    __table_args__ = (Index("ix_counts_key_at", "key", "at"), Index("ix_counts_at", "at"))

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str]
    at: Mapped[datetime]


NOW: BindParameter[datetime] = bindparam("now", type_=Instant())
"""The instant at which a statement asks."""


def is_overdue() -> ColumnElement[bool]:
    """Return whether the deadline passed by ``now`` and the game does not rest."""
    return and_(GameRow.deadline <= NOW, GameRow.next_look <= NOW)
