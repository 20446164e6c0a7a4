"""How often something has happened lately: instants under a key."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol


class Counts(Protocol):
    """What was counted.  Old entries go by themselves."""

    def lock(self, keys: Collection[str]) -> None:
        """Until the transaction ends, nobody else counts for these keys (writing ones only)."""
        ...

    def all_lately(
        self, keys: Collection[str], since: datetime
    ) -> Mapping[str, Sequence[datetime]]:
        """When it happened after *since* under each key, oldest first; empty where never."""
        ...

    def numbers(self, keys: Collection[str], since: datetime, until: datetime) -> Mapping[str, int]:
        """How often it happened after *since* and up to *until* under each key."""
        ...

    def add(self, keys: Collection[str], at: datetime) -> None:
        """Count once more under each key."""
        ...

    def take_back(self, keys: Collection[str], at: datetime) -> None:
        """Uncount one of the entries of that instant under each key, if there is one."""
        ...

    def forget(self, keys: Collection[str]) -> None:
        """Uncount everything under some keys."""
        ...


_AHEAD = timedelta(minutes=10)
"""As long as a process may hold a mail: others may have counted so much later than its instant."""


def that_count(instants: Iterable[datetime], now: datetime) -> list[datetime]:
    """Without those from the future, which a clock that was set back has left."""
    return [at for at in instants if at <= now + _AHEAD]


def used(
    counts: Counts, keys: Collection[str], within: timedelta, now: datetime
) -> Mapping[str, int]:
    """How often something has happened under each key in the time before *now*."""
    return counts.numbers(keys, now - within, now + _AHEAD)


@dataclass(frozen=True, slots=True)
class Quota:
    """How often something may happen under a key within a time; 0: as often as one likes."""

    key: str
    most: int
    within: timedelta

    def used(self, counts: Counts, now: datetime) -> int:
        """How often it has happened."""
        return used(counts, [self.key], self.within, now)[self.key]
