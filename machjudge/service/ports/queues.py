"""The mails that come in and go out, within one transaction."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Protocol

from machjudge.service.model.records import (
    Bounce,
    GameId,
    MailId,
    PersonId,
)
from machjudge.service.ports.deliveries import Posted, Returned, SetAside, Unheard
from machjudge.service.ports.mailbox import HeldLetter, LetterId, Waiting
from machjudge.service.ports.mails import KeptMail, MailEnd, Outgoing


class Inbox(Protocol):
    """The kept mails.  The listener adds to it; the worker takes from it.

    An unfinished mail is one that is neither finished nor set aside.
    """

    def claim(
        self, now: datetime, *, before: datetime | None = None, unless_overdue: bool = False
    ) -> KeptMail | None:
        """Take up the oldest unfinished mail that nobody else has claimed.

        Passed over are mails put back until later than *now*, mails whose sender has an older
        unfinished one that has not failed yet, mails known to be for a game for which they
        `must_wait`, and, with *before*, those received at or after that instant; with
        *unless_overdue* all of them where the deadline of a game is over.  Mails with which
        several processes died come last.  The claim ends by itself after a `LEASE`; *tries* goes
        up by one, or *deaths* where the claim is taken over from a dead process.
        """
        ...

    def concerns(self, mail: MailId, game: GameId | None) -> bool:
        """Note for which game a mail is, or that it is for none; until then it is in doubt.

        Whether an older unfinished mail is for the game, or still in doubt.
        """
        ...

    def has_come_before(self, mail: KeptMail) -> bool:
        """Whether an older mail has the same Message-ID, whatever else it says."""
        ...

    def must_wait(self, mail: MailId, game: GameId) -> bool:
        """Whether an older unfinished mail is for the game, or still in doubt."""
        ...

    def is_read_elsewhere(self, mail: MailId, now: datetime) -> bool:
        """Whether somebody finds out at *now* for which game an older mail is."""
        ...

    def any_before(self, instant: datetime, game: GameId) -> bool:
        """Whether a mail received before *instant*, for the game or in doubt, is unfinished."""
        ...

    def newest(self, game: GameId) -> datetime | None:
        """When the newest unfinished mail was received that is for the game or in doubt."""
        ...

    def put_back(
        self,
        mail: MailId,
        until: datetime,
        *,
        counts: bool,
        fault: str = "",
        writer: PersonId | None = None,
    ) -> None:
        """End the claim; take the mail up again at *until*.

        *counts*: the try was a failure of the mail's own.  With a *fault*, nobody waits for it any
        more but later mails of *writer*, who has proved to have written it, for the same game.
        """
        ...

    def finish(
        self,
        mail: KeptMail,
        end: MailEnd,
        redacted: bytes,
        now: datetime,
        game: GameId | None = None,
        writer: PersonId | None = None,
    ) -> None:
        """The mail is handled; *redacted* replaces what was kept: every password in it is out.

        Raises Stale if it is finished already, so that no mail takes effect twice; MustWait if an
        older unfinished mail is for *game*, or still in doubt; FollowsFailed if an older mail of
        *writer* for *game* has failed and is tried again.
        """
        ...

    def set_aside(self, mail: MailId, why: str, now: datetime) -> None:
        """Keep the mail for the judge keeper; *why* is one line."""
        ...

    def finish_aside(self, mail: MailId, end: MailEnd, redacted: bytes, now: datetime) -> None:
        """A mail that was set aside is done with; *redacted* replaces what was kept."""
        ...

    def all_aside(self, since: datetime) -> Sequence[SetAside]:
        """The mails set aside at or after *since*, in the order in which that was done."""
        ...

    def raw_of(self, mail: MailId) -> bytes:
        """What is kept of a mail.  Raises KeyError if there is none of that number."""
        ...

    def set_aside_since(self, address: str, since: datetime) -> int:
        """How many mails from an address were set aside at or after *since*."""
        ...

    def unheard(self, address: str, since: datetime, most: int) -> Sequence[Unheard]:
        """The newest mails from an address that were taken for automatic ones."""
        ...


class Outbox(Protocol):
    """Letters that are sent after the transaction is committed."""

    def put(self, letter: Outgoing) -> None:
        """Add a letter."""
        ...

    def lately(self, address: str, since: datetime, most: int) -> Sequence[Posted]:
        """The newest letters to an address made at or after *since*, at most *most* of them."""
        ...

    def posted(self, letter: LetterId) -> Posted | None:
        """The letter of that number; None if there is none."""
        ...

    def bodies(self, address: str, since: datetime, most: int) -> Sequence[tuple[datetime, str]]:
        """When the newest letters to an address were made, not before *since*, and their texts."""
        ...

    def held(self) -> Sequence[Waiting]:
        """Whose letters wait for a digest, by person and address."""
        ...

    def held_for(self, person: PersonId, address: str) -> Sequence[HeldLetter]:
        """The letters that wait for somebody's digest to an address, oldest first."""
        ...

    def gather(self, letters: Collection[LetterId], now: datetime) -> None:
        """Note that letters are in a digest.  Raises Stale if one of them waits no more."""
        ...

    def came_back(
        self, letter: LetterId, now: datetime, why: str, bounce: Bounce | None
    ) -> Returned | None:
        """Note that a letter could not be delivered; None if no such letter was sent.

        *bounce* is what it counts against its address; None: nothing.
        """
        ...
