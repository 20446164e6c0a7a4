"""How often passwords may be tried, and for whom that is counted.

A try is counted in a transaction of its own before the password is checked, so that processes
which work at the same time cannot try more often than one.  A right password takes it back.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from machjudge.service.model.counts import Counts, that_count
from machjudge.service.model.records import MailId
from machjudge.service.ports.interfaces import Store

FREE = 5
"""So many wrong passwords cost nothing, at a seat and from an address."""
FREE_AT_GAME = 20
"""So many cost nothing at all seats of a game together."""
FORGOTTEN = timedelta(hours=24)
"""Wrong passwords that are older count no more."""
_FIRST_WAIT = timedelta(minutes=1)
_LONGEST_WAIT = timedelta(hours=1)
_LONGEST_NAME = 40
_GAME = "tries/game/"
OWNER = "tries/owner/"
"""With this begin the keys of owners."""


def keys_of_stranger(address: str, game: str, seat: str) -> tuple[str, ...]:
    """For a claimed address that is not on file at the seat: sender, seat and game.

    *game* and *seat* are the names that were typed, so that a game which nobody may know of is
    counted like one that does not exist.
    """
    name = game.lower()[:_LONGEST_NAME]
    return (f"tries/from/{address}", key_of_seat(name, seat), f"{_GAME}{name}")


def key_of_seat(game: str, seat: str) -> str:
    """For strangers at a seat."""
    return f"tries/seat/{game}/{seat}"


def key_of_owner(game: str, number: int) -> str:
    """For mails that claim an address on file at a seat.

    It has a counter of its own, which guesses under other addresses cannot fill.  Guesses under
    the owner's own forged address can, so a token opens the seat whatever was counted.
    """
    return f"{OWNER}{game}/{number}"


def waits_until(wrong: Sequence[datetime], now: datetime, free: int = FREE) -> datetime | None:
    """Until when nothing is tried any more; None if one may try.

    After the free tries a minute, then twice as long each time, an hour at most.
    """
    past = [at for at in that_count(wrong, now) if now - FORGOTTEN < at]
    if len(past) < free:
        return None
    wait = min(_FIRST_WAIT * 2 ** min(len(past) - free, 10), _LONGEST_WAIT)
    until = past[-1] + wait
    return until if now < until else None


@dataclass(slots=True)
class Tries:
    """The passwords that one mail tries: counted first, checked then.

    A mail that is handled again, because others were faster or a process died, is counted once.
    """

    store: Store
    mail: MailId
    now: datetime
    number: int = 0
    """How many tries were made so far."""

    def begin(self, keys: Collection[str]) -> datetime | None:
        """Count a try for each key; if one has to wait, count none and return until when."""
        self.number += 1
        own = f"try/{self.number}/{self.mail}"
        with self.store.writing() as uow:
            uow.counts.lock((own, *keys))
            lately = uow.counts.all_lately((own, *keys), self.now - FORGOTTEN)
            if lately[own]:
                return None
            until = _blocked_until({key: lately[key] for key in keys}, self.now)
            if until is None:
                uow.counts.add((own, *keys), self.now)
                uow.commit()
        return until

    def is_free(self, counts: Counts, keys: Collection[str]) -> bool:
        """Whether nothing is counted under any key, so that a try is not to be counted either."""
        is_free = not any(counts.all_lately(keys, self.now - FORGOTTEN).values())
        self.number += is_free
        return is_free

    def was_right(self, keys: Collection[str], ended: Collection[str] = ()) -> None:
        """Take the try back, and forget what was counted under the keys in *ended*."""
        tried = [key for key in keys if key not in ended]
        with self.store.writing(single=not (tried and ended)) as uow:
            uow.counts.lock({*keys, *ended})
            uow.counts.take_back(tried, self.now)
            uow.counts.forget(ended)
            uow.commit()


def blocked_until(counts: Counts, keys: Collection[str], now: datetime) -> datetime | None:
    """Until when no password is tried for these keys; None if one may try."""
    return _blocked_until(counts.all_lately(keys, now - FORGOTTEN), now)


def _blocked_until(wrong: Mapping[str, Sequence[datetime]], now: datetime) -> datetime | None:
    """The same, where it is known when tries were counted under each key."""
    waits = (waits_until(at, now, _free_tries(key)) for key, at in wrong.items())
    return max((until for until in waits if until is not None), default=None)


def _free_tries(key: str) -> int:
    return FREE_AT_GAME if key.startswith(_GAME) else FREE
