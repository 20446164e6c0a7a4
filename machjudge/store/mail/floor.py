"""From which number on rows of a queue may wait.

PostgreSQL keeps earlier versions of rows for as long as any transaction may want to see them: one
that stays open somewhere, for a backup or a report.  Looking for the first row that waits, it
would pass all of these again each time.  So it is told where to begin.
"""

import time
from collections.abc import Callable

from sqlalchemy import Connection, func, select

from machjudge.store.schema.engine import is_sqlite
from machjudge.store.schema.tables import InboxRow, OutboxRow, waits

SECONDS = 5.0
"""How long it is enough to have looked."""


class Floor:
    """The lowest number of a row of *table* that waited at the last look; 0 on SQLite.

    The highest of all where none waited.  What waits below it since then, because the judge
    keeper has put it back, is found at the next look.  *seconds* tells the time that passes,
    whatever the clock says.
    """

    def __init__(
        self, table: type[InboxRow | OutboxRow], seconds: Callable[[], float] = time.monotonic
    ) -> None:
        lowest = select(func.min(table.id)).where(waits(table)).scalar_subquery()
        highest = select(func.max(table.id)).scalar_subquery()
        self._look = select(func.coalesce(lowest, highest, 0))
        self._seconds = seconds
        self._number = 0
        self._ends: float | None = None

    def number(self, connection: Connection) -> int:
        """The number, after a look if the last one was long ago."""
        if is_sqlite(connection):
            return 0
        now = self._seconds()
        if self._ends is None or now >= self._ends:
            self._number = connection.scalars(self._look).one()
            self._ends = now + SECONDS
        return self._number
