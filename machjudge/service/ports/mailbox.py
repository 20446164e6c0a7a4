"""What crosses the judge's mail room: mails that arrive, letters that leave.

The mail room speaks to the store through these ports and never meets it.  Each call is a
transaction of its own, and committed when it returns.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NewType, Protocol

from machjudge.service.model.records import Bounce, PersonId
from machjudge.service.ports.mails import Outgoing

LEASE = timedelta(minutes=2)
"""When a claim ends that nobody makes longer: its holder, or its machine, is gone."""
LetterId = NewType("LetterId", int)
"""The number of a letter in the outbox."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """A mail as a mail server handed it over; every text in it is one line, valid Unicode."""

    raw: bytes
    """The mail, byte for byte as it came."""
    envelope_sender: str
    """``MAIL FROM``; empty for bounces (RFC 5321, 4.5.5)."""
    recipients: tuple[str, ...]
    """All ``RCPT TO`` that are the judge's; at least one."""
    sender: str
    """By whom mails are kept in order, lower case; empty for bounces."""
    message_id: str
    """With its brackets; empty if it has none."""
    key: str
    """What repeated deliveries of the same mail share."""


class ArrivalStore(Protocol):
    """Where arriving mails are kept; what has returned is durable."""

    def keep(self, arrivals: Sequence[Arrival]) -> None:
        """Keep mails in this order; one whose *key* is known already is not kept again.

        All of them or, with an exception, none.
        """
        ...


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter that the caller has claimed and that nobody else sends now."""

    id: LetterId
    made: datetime
    """When it was put into the outbox, UTC."""
    tries: int
    """How often it has been claimed, this time included; claims of the dead are none."""
    outgoing: Outgoing
    deaths: int = 0
    """How many processes ended while they sent it."""
    is_alone: bool = False
    """Whether no other letter waited when it was claimed."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """That letters wait for a digest."""

    person: PersonId
    address: str
    since: datetime
    """When the oldest of them was made."""


@dataclass(frozen=True, slots=True)
class HeldLetter:
    """A letter that waits for a digest."""

    id: LetterId
    made: datetime
    outgoing: Outgoing


class PostBag(Protocol):
    """The letters that wait to be sent, oldest first."""

    def claim(self, now: datetime, until: datetime) -> Letter | None:
        """Claim the oldest letter that is due and that nobody holds; the claim ends at *until*."""
        ...

    def sent(self, letter: LetterId, now: datetime) -> None:
        """The relay has taken it."""
        ...

    def later(self, letter: LetterId, due: datetime, why: str, *, counts: bool) -> None:
        """It could not be sent; try again at *due*.  Without *counts* it was no try at all."""
        ...

    def give_up(
        self, letter: LetterId, now: datetime, why: str, bounce: Bounce | None = None
    ) -> None:
        """It will not be sent; the keeper can see it and why.

        *bounce* is what it counts against its address; None: nothing.
        """
        ...
