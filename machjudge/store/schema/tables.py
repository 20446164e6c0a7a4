"""The tables.  Rows are rows: no record of the desk is mapped onto one.

Whoever changes something here writes a migration; a test compares the two.
"""

from datetime import datetime
from enum import StrEnum
from typing import Any, ClassVar

from sqlalchemy import JSON, Enum, ForeignKey, ForeignKeyConstraint, Index, LargeBinary, MetaData
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from machjudge.store.schema.columns import Instant, Prose

Json = Any  # what the json module reads and writes; `documents` knows what it means


class Base(DeclarativeBase):
    """The root of all tables."""

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


def _belongs_to(column: str) -> ForeignKey:
    """A reference that is checked when the transaction is committed."""
    return ForeignKey(column, deferrable=True, initially="DEFERRED")


class MailState(StrEnum):
    """Where a mail is in its life."""

    WAITING = "waiting"
    FINISHED = "finished"
    ASIDE = "aside"
    DROPPED = "dropped"


class LetterState(StrEnum):
    """Where a letter is in its life."""

    WAITING = "waiting"
    SENT = "sent"
    GIVEN_UP = "given up"
    DROPPED = "dropped"


def _choice(of: type[StrEnum]) -> Enum:
    return Enum(
        of, native_enum=False, length=16, values_callable=lambda each: [one.value for one in each]
    )


class InboxRow(Base):
    """A mail that was kept; its raw bytes are redacted once it is finished."""

    __tablename__ = "inbox"
    __table_args__ = (
        Index("ix_inbox_state_id", "state", "id"),
        Index("ix_inbox_state_sender", "state", "sender"),
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
    state: Mapped[MailState] = mapped_column(_choice(MailState), default=MailState.WAITING)
    tries: Mapped[int] = mapped_column(default=0)
    deaths: Mapped[int] = mapped_column(default=0)
    """How many processes ended while they held it; none of them is a try."""
    holder: Mapped[str | None]
    claimed_until: Mapped[datetime | None]
    not_before: Mapped[datetime | None]
    in_doubt: Mapped[bool] = mapped_column(default=True)
    game: Mapped[str | None]
    outcome: Mapped[str | None]
    why: Mapped[str | None]
    ended: Mapped[datetime | None]
    repeats: Mapped[int] = mapped_column(default=0)


class OutboxRow(Base):
    """A letter that was put into the outbox."""

    __tablename__ = "outbox"
    __table_args__ = (
        Index("ix_outbox_state_due", "state", "due"),
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
    state: Mapped[LetterState] = mapped_column(_choice(LetterState), default=LetterState.WAITING)
    due: Mapped[datetime]
    tries: Mapped[int] = mapped_column(default=0)
    deaths: Mapped[int] = mapped_column(default=0)
    holder: Mapped[str | None]
    claimed_until: Mapped[datetime | None]
    why: Mapped[str | None]
    ended: Mapped[datetime | None]


class AttachmentRow(Base):
    """A file that goes along with a letter."""

    __tablename__ = "attachments"

    letter: Mapped[int] = mapped_column(_belongs_to("outbox.id"), primary_key=True)
    rank: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    media_type: Mapped[str]
    content: Mapped[bytes]


class PersonRow(Base):
    """Somebody who plays, keeps or watches games."""

    __tablename__ = "persons"

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    zone: Mapped[str]
    registered: Mapped[datetime]
    standing: Mapped[str]
    claimed: Mapped[str | None]
    """The address that nobody has confirmed yet."""


class AddressRow(Base):
    """A mail address of somebody; no two people share one."""

    __tablename__ = "addresses"

    address: Mapped[str] = mapped_column(primary_key=True)
    person: Mapped[str] = mapped_column(_belongs_to("persons.id"), index=True)
    rank: Mapped[int]


class GameRow(Base):
    """A game without its positions."""

    __tablename__ = "games"

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    version: Mapped[int]
    status: Mapped[str]
    scenario: Mapped[str]
    rules: Mapped[Json]
    conduct: Mapped[Json]
    secret: Mapped[bytes]
    created: Mapped[datetime]
    master: Mapped[str] = mapped_column(_belongs_to("persons.id"))
    position: Mapped[int | None]
    began: Mapped[datetime | None]
    deadline: Mapped[datetime | None]
    late_told: Mapped[datetime | None]
    times: Mapped[Json] = mapped_column(JSON(none_as_null=True), nullable=True)
    ending: Mapped[Json] = mapped_column(JSON(none_as_null=True), nullable=True)
    shared: Mapped[Json] = mapped_column(JSON(none_as_null=True), nullable=True)
    attendance: Mapped[Json]
    heard: Mapped[datetime | None]
    next_look: Mapped[datetime | None] = mapped_column(index=True)
    """Before this nothing is to be done, unless the game changes; none where it is not played."""


class SeatRow(Base):
    """A place at a game."""

    __tablename__ = "seats"

    game: Mapped[str] = mapped_column(_belongs_to("games.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    role: Mapped[str]
    person: Mapped[str | None] = mapped_column(_belongs_to("persons.id"))
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


class SheetRow(Base):
    """The whole order set of one power, as it stood after one mail."""

    __tablename__ = "sheets"

    game: Mapped[str] = mapped_column(_belongs_to("games.id"), primary_key=True)
    after: Mapped[int] = mapped_column(primary_key=True)
    power: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    lines: Mapped[Json]
    flawed: Mapped[bool]
    received: Mapped[datetime]
    mail: Mapped[int | None] = mapped_column(_belongs_to("inbox.id"))


class PlanRow(Base):
    """What one power has on file ahead, as it stood after one mail."""

    __tablename__ = "plans"

    game: Mapped[str] = mapped_column(_belongs_to("games.id"), primary_key=True)
    power: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    parts: Mapped[Json]
    received: Mapped[datetime]
    mail: Mapped[int | None] = mapped_column(_belongs_to("inbox.id"))


class PhaseRow(Base):
    """A phase as it was processed: positions, orders, rules and events are one document."""

    __tablename__ = "phases"

    game: Mapped[str] = mapped_column(_belongs_to("games.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    parent: Mapped[int | None]
    moment: Mapped[str]
    adjudicator: Mapped[str]
    processed: Mapped[datetime]
    document: Mapped[Json]


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
    game: Mapped[str] = mapped_column(_belongs_to("games.id"), index=True)
    at: Mapped[datetime]
    after: Mapped[int | None]
    sender: Mapped[int]
    readers: Mapped[Json]
    text: Mapped[str]
    manner: Mapped[Json]


class NoteRow(Base):
    """What somebody has written that nobody else reads yet."""

    __tablename__ = "notes"

    game: Mapped[str] = mapped_column(_belongs_to("games.id"), primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)
    person: Mapped[str] = mapped_column(_belongs_to("persons.id"), primary_key=True)
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
    game: Mapped[str] = mapped_column(_belongs_to("games.id"), index=True)
    at: Mapped[datetime]
    by: Mapped[str | None] = mapped_column(_belongs_to("persons.id"))
    kind: Mapped[str]
    text: Mapped[str]


class PulseRow(Base):
    """When the judge last looked at its clock: one row."""

    __tablename__ = "pulse"

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    usual: Mapped[int | None]
    """Seconds."""


class PendingActRow(Base):
    """An act that waits for the answer from the address on file."""

    __tablename__ = "pending_acts"

    name: Mapped[str] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(_belongs_to("games.id"), index=True)
    seat: Mapped[int]
    generation: Mapped[int]
    lines: Mapped[Json]
    made: Mapped[datetime]
    until: Mapped[datetime]


class ReplyTokenRow(Base):
    """What a token in one of the judge's messages speaks for; only its hash is kept."""

    __tablename__ = "reply_tokens"

    hashed: Mapped[str] = mapped_column(primary_key=True)
    speaks: Mapped[Json]
    made: Mapped[datetime]


class TokenRow(Base):
    """A token that was mailed, without its text."""

    __tablename__ = "tokens"

    hashed: Mapped[str] = mapped_column(primary_key=True)
    purpose: Mapped[str]
    person: Mapped[str] = mapped_column(_belongs_to("persons.id"), index=True)
    made: Mapped[datetime]
    until: Mapped[datetime]
    game: Mapped[str | None] = mapped_column(_belongs_to("games.id"))
    seat: Mapped[int | None]
    address: Mapped[str]


class CountRow(Base):
    """Something that happened once and is counted for a limit."""

    __tablename__ = "counts"
    __table_args__ = (Index("ix_counts_key_at", "key", "at"), Index("ix_counts_at", "at"))

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str]
    at: Mapped[datetime]
