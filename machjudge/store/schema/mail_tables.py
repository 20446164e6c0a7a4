"""The tables of mails that come in and go out."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from sqlalchemy import JSON, ColumnElement, Index, literal_column
from sqlalchemy.orm import Mapped, mapped_column

from machjudge.store.schema.base import Base, Json, choice


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
    """How many processes ended while they held it; none of them is a try."""
    holder: Mapped[str | None]
    claimed_until: Mapped[datetime | None]
    not_before: Mapped[datetime | None]
    in_doubt: Mapped[bool] = mapped_column(default=True)
    game: Mapped[str | None]
    outcome: Mapped[str | None]
    why: Mapped[str | None]
    """Why it was set aside or got no answer; of a mail that waits, what its last try failed with.
    """
    writer: Mapped[str | None]
    """Who has proved to have written a mail whose last try failed."""
    ended: Mapped[datetime | None]
    repeats: Mapped[int] = mapped_column(default=0)


class OutboxRow(Base):
    """A letter that was put into the outbox."""

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
    """None: the letter has no HTML part."""
    files: Mapped[bytes | None] = mapped_column(deferred=True)
    """What goes along with it, as `store/mail/files.py` writes it.

    In the letter's own row: an answer with its picture is one statement to keep and one to claim.
    """
    held_for: Mapped[str | None]
    """For whose digest it waits, or waited; of a letter that waits to be sent, that its reader is
    forgotten and it is to be emptied once it has gone."""
    digest_of: Mapped[str | None]
    state: Mapped[LetterState] = mapped_column(choice(LetterState), default=LetterState.WAITING)
    due: Mapped[datetime]
    tries: Mapped[int] = mapped_column(default=0)
    deaths: Mapped[int] = mapped_column(default=0)
    holder: Mapped[str | None]
    claimed_until: Mapped[datetime | None]
    why: Mapped[str | None]
    ended: Mapped[datetime | None]


EMPTIED: Mapping[str, object] = {
    "recipient": "",
    "subject": "",
    "body": "",
    "answers": None,
    "thread": [],
    "files": None,
}
"""What is left of a letter to somebody who is forgotten."""


class ReplyTokenRow(Base):
    """What a token in one of the judge's messages speaks for; only its hash is kept."""

    __tablename__ = "reply_tokens"

    hashed: Mapped[str] = mapped_column(primary_key=True)
    speaks: Mapped[Json]
    made: Mapped[datetime]


def waits(table: type[InboxRow | OutboxRow]) -> ColumnElement[bool]:
    """Whether a row waits; not with a parameter, which would hide from PostgreSQL how few do."""
    return table.state == literal_column("'waiting'", table.state.type)
