"""How much stands in a database, in numbers: for whoever watches over a judge from outside."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, select
from sqlalchemy.orm import InstrumentedAttribute

from machjudge.service.model.records import FORGOTTEN_AFTER, OUT_OF_REACH, Status
from machjudge.store.schema.overdue import is_overdue
from machjudge.store.schema.tables import (
    AddressRow,
    GameRow,
    HeartbeatRow,
    InboxRow,
    LetterState,
    MailState,
    OutboxRow,
)


@dataclass(frozen=True, slots=True)
class Figures:
    """What there is at one instant; a time is None where there is nothing."""

    mails: Mapping[str, int]
    """By their state."""
    letters: Mapping[str, int]
    games: Mapping[str, int]
    overdue: int
    """Games whose deadline is over and whose phase is not played."""
    out_of_reach: int
    """Addresses whose messages came back."""
    oldest_mail: datetime | None
    """When the oldest mail came in that waits."""
    oldest_letter: datetime | None
    last_look: datetime | None
    """When a process of the judge last looked at its clock."""


def figures(connection: Connection, now: datetime) -> Figures:
    """The figures at *now*."""

    def oldest(
        made: InstrumentedAttribute[datetime], state: InstrumentedAttribute[Any], waits: Enum
    ) -> datetime | None:
        return connection.scalar(select(func.min(made)).where(state == waits))

    return Figures(
        mails=_by(connection, InboxRow.state, MailState),
        letters=_by(connection, OutboxRow.state, LetterState),
        games=_by(connection, GameRow.status, Status),
        overdue=connection.scalar(select(func.count()).where(is_overdue()), {"now": now}) or 0,
        out_of_reach=connection.scalar(select(func.count()).where(*_out_of_reach(now))) or 0,
        oldest_mail=oldest(InboxRow.received, InboxRow.state, MailState.WAITING),
        oldest_letter=oldest(OutboxRow.made, OutboxRow.state, LetterState.WAITING),
        last_look=connection.scalar(select(HeartbeatRow.at)),
    )


def _out_of_reach(now: datetime) -> tuple[ColumnElement[bool], ...]:
    return (
        AddressRow.bounce_halves >= OUT_OF_REACH,
        AddressRow.bounced_last > now - FORGOTTEN_AFTER,
    )


def _by(
    connection: Connection, state: InstrumentedAttribute[Any], states: type[Enum]
) -> Mapping[str, int]:
    """How many rows are in each state; zero where there is none."""
    rows = connection.execute(select(state, func.count()).group_by(state))
    counted = {getattr(value, "value", value): number for value, number in rows}
    return {each.value: counted.get(each.value, 0) for each in states}
