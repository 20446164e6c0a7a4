"""What came back from a mail address, as a score: from when on it counts as out of reach."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import Enum

FORGOTTEN_AFTER = timedelta(days=8)
"""After so long without another bounce the score ends: a week, and a day for the mail to return.

So the bounces of a game follow each other that plays one phase a week.
"""
OUT_OF_REACH = 2
"""From which score on, in halves, an address counts as out of reach."""


class Bounce(Enum):
    """How much one message that came back counts, in halves."""

    SOFT = 1
    """It was tried for long: a full mailbox, a server that did not answer."""
    HARD = 2
    """There is no such address."""


@dataclass(frozen=True, slots=True)
class Bounces:
    """What came back from one address since its owner was heard."""

    address: str
    since: datetime
    """When the first of these messages came back."""
    last: datetime
    halves: int
    """The score, in halves."""
    today: int
    """How many of them the day of the last one has brought, in UTC."""

    @property
    def is_out_of_reach(self) -> bool:
        """Whether the address counts as out of reach: one hard bounce, or soft ones of two days."""
        return self.halves >= OUT_OF_REACH

    def counts(self, began: datetime, now: datetime) -> bool:
        """Whether it still says something in a phase that *began* then.

        What came back in the phase does, however long the phase is: nothing else was sent since.
        """
        return self.is_out_of_reach and self.last >= min(now - FORGOTTEN_AFTER, began)


def with_bounce(known: Bounces | None, address: str, bounce: Bounce, now: datetime) -> Bounces:
    """The score of an address with one more; a day counts as much as the worst of its bounces."""
    if known is None or now - known.last >= FORGOTTEN_AFTER:
        return Bounces(address, now, now, bounce.value, bounce.value)
    today = known.today if known.last.date() == now.date() else 0
    more = max(0, bounce.value - today)
    return replace(known, last=now, halves=known.halves + more, today=today + more)
