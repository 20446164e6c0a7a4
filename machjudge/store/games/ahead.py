"""What a clock that was ahead has noted, brought back when it is set right.

Everything that has happened happened until now: an instant in the future is the old clock's.
Instants that are meant to come (deadlines, ends) belong to people or to the phase; `leaps` moves
those.
"""

from contextlib import suppress
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Column, Table, select, update
from sqlalchemy.orm import Session

from machjudge.service.ports.mailbox import LEASE
from machjudge.store.schema.columns import Instant
from machjudge.store.schema.documents import BrokenDocument, read_lines, write_lines
from machjudge.store.schema.tables import Base, GameRow, SheetRow, TokenRow

PLANNED = frozenset({"deadline", "until"})
"""Columns with instants that are meant to come."""
NAMED_BY = frozenset({("outbox", "made")})
"""Instants that stand in the Message-ID: a letter that goes out again must be the same mail."""


def bring_back(session: Session, now: datetime) -> None:
    """Leave nothing in the future that happened, waits for its time, or is held.

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
    """A token lives as long as it was to, from now on."""
    for token in session.scalars(select(TokenRow).where(TokenRow.made > now)):
        token.until -= token.made - now
    session.flush()


def _bring_lines_back(session: Session, now: datetime) -> None:
    """The lines of order sets, which keep their instants in a document."""
    for sheet in session.scalars(select(SheetRow).where(SheetRow.received > now)):
        # Of a document that cannot be read somebody else complains.
        with suppress(BrokenDocument):
            lines = read_lines(sheet.lines, f"sheet {sheet.number} of {sheet.power}")
            sheet.lines = write_lines([replace(x, received=min(x.received, now)) for x in lines])
    session.flush()
