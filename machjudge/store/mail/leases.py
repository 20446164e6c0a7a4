"""Claims are short and are made longer while their holder lives.

So what a machine has in hand that goes down is free for the others soon, and a mail that takes
long is nobody else's meanwhile.
"""

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime, timedelta

from sqlalchemy import Engine, select, update

from machjudge.service.ports.mailbox import LEASE
from machjudge.service.ports.stale import Stale
from machjudge.store.schema.engine import reading, writing
from machjudge.store.schema.tables import InboxRow, OutboxRow, waits

LONGEST = timedelta(minutes=10)
"""How long a claim is made longer: whoever still holds it then hangs."""

_Claim = tuple[type[InboxRow | OutboxRow], int]


class Leases:
    """The claims of *holder*; *clock* says when they end, *seconds* the time that passes."""

    def __init__(
        self,
        engine: Engine,
        holder: str,
        clock: Callable[[], datetime],
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._engine = engine
        self._holder = holder
        self._clock = clock
        self._seconds = seconds
        self._since: dict[_Claim, float] = {}

    def renew(self) -> int:
        """Make the claims longer that are held and do not hang; how many there were."""
        now = self._seconds()
        self._since = {each: self._since.get(each, now) for each in self._held()}
        longest = LONGEST.total_seconds()
        alive = [each for each, since in self._since.items() if now - since < longest]
        with suppress(Stale):  # whoever is in the way has them in hand, and lives
            return sum(self._renewed(alive))
        return 0

    def _held(self) -> list[_Claim]:
        with reading(self._engine) as connection:
            return [
                (table, number)
                for table in (InboxRow, OutboxRow)
                for number in connection.scalars(
                    select(table.id).where(waits(table), table.holder == self._holder)
                )
            ]

    def _renewed(self, claims: Iterable[_Claim]) -> Iterable[int]:
        until = self._clock() + LEASE
        for table, number in claims:
            longer = update(table).where(table.id == number, table.holder == self._holder)
            with writing(self._engine, single=True) as connection:
                changed = connection.execute(longer.values(claimed_until=until))
                connection.commit()
            yield changed.rowcount
