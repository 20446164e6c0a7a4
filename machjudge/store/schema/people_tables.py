"""The tables of people, and of what they may do."""

from datetime import datetime

from sqlalchemy import Index
from sqlalchemy.orm import Mapped, mapped_column

from machjudge.store.schema.base import Base, Json, belongs_to


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
    calendar: Mapped[str | None]
    """None: as for everybody who has not said anything."""
    language: Mapped[str | None]
    """None for the judge's own."""
    html: Mapped[bool | None]
    pictures: Mapped[bool | None]
    json: Mapped[bool | None]
    """None: as for everybody who has not said anything."""
    notify: Mapped[str | None]
    digest_hour: Mapped[int | None]


class AddressRow(Base):
    """A mail address of somebody; no two people share one."""

    __tablename__ = "addresses"

    address: Mapped[str] = mapped_column(primary_key=True)
    person: Mapped[str] = mapped_column(belongs_to("persons.id"), index=True)
    rank: Mapped[int]
    bounced_since: Mapped[datetime | None]
    bounced_last: Mapped[datetime | None]
    bounce_halves: Mapped[int | None]
    bounce_today: Mapped[int | None]
    """None in these four: nothing came back from it since its owner was heard."""


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
