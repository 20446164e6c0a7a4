"""The tables of games."""

from datetime import datetime

from sqlalchemy import JSON, ForeignKeyConstraint
from sqlalchemy.orm import Mapped, mapped_column

from machjudge.store.schema.base import Base, Json, belongs_to


class GameRow(Base):
    """A game without its positions."""

    __tablename__ = "games"

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    version: Mapped[int]
    only_sheets_since: Mapped[int | None]
    """The version since which nothing but order sets was added; None if that is not known."""
    status: Mapped[str] = mapped_column(index=True)
    scenario: Mapped[str]
    rules: Mapped[Json]
    conduct: Mapped[Json]
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
    heard: Mapped[datetime | None]
    warned: Mapped[datetime | None]
    next_look: Mapped[datetime | None] = mapped_column(index=True)
    """Before this nothing is to be done, unless the game changes; None if it is not played."""


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


class SheetRow(Base):
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
    """That somebody stands in the attendance of a game; can be rebuilt from the games."""

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
    """What somebody has written that nobody else reads yet."""

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


class JudgeRow(Base):
    """What the database knows of the judge itself: one row."""

    __tablename__ = "judge"

    id: Mapped[int] = mapped_column(primary_key=True)
    secret: Mapped[str]
    """A code that only the judge's secret gives; it tells nothing of the secret."""


class HeartbeatRow(Base):
    """When the judge last looked at its clock: one row."""

    __tablename__ = "heartbeat"

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    usual: Mapped[int | None]
    """Seconds."""
    missed: Mapped[int | None]
    """Seconds of silence that nobody has made up for yet."""
