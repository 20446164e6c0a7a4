"""The public keys of DKIM signers, asked of the name server of this machine, and remembered.

A key is a TXT record (RFC 6376, 3.6.2).  That there is none is remembered as well.  Whoever writes
mails decides whose name servers are asked.  So the waiting for those of one domain is bounded, and
costs no other domain its answer; the waiting for all of them together becomes short, not nothing.
"""

import time
from collections import defaultdict
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from machjudge.service.ports.stale import SenderNotKnownYet

if TYPE_CHECKING:
    import dns.resolver

SECONDS = 2.0
"""Nobody waits longer for a stranger's name server."""
MOST_WAITED, A_WHILE = 4.0, 60.0
"""How many seconds of so many are waited for one domain; then only what is remembered counts."""
MOST_FOR_ALL, BRIEF = 10.0, 0.25
"""After so many seconds for all domains a question waits only briefly, as most need no longer."""
LONGEST = 3600.0
"""For how many seconds an answer is remembered at most, whatever its owner says."""
_MOST_ANSWERS = 1000


class NoAnswerInTime(SenderNotKnownYet):
    """Nobody has said in time whether there is a key."""


class KeyFinder:
    """Finds the TXT record of a name.

    *made* makes the resolver that asks; without it, the one that this machine is set up for.
    *clock* counts seconds.
    """

    def __init__(
        self,
        made: "Callable[[], dns.resolver.Resolver] | None" = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._made = made
        self._clock = clock
        self._waited: dict[bytes, float] = defaultdict(float)
        self._since = clock()

    def __call__(self, name: bytes, timeout: float = SECONDS) -> bytes | None:
        """The record, its strings put together; None if there is none.  Raises NoAnswerInTime."""
        from dns.exception import DNSException, Timeout  # noqa: PLC0415  as below
        from dns.resolver import NXDOMAIN, NoAnswer  # noqa: PLC0415

        began = self._clock()
        if began - self._since > A_WHILE:
            self._since = began
            self._waited.clear()
        owner = _owner(name)
        try:
            found = self._resolver.resolve(
                name.decode("ascii"), "TXT", lifetime=self._patience(owner, timeout), search=False
            )
        except (NXDOMAIN, NoAnswer):
            return None
        except Timeout as silence:
            raise NoAnswerInTime from silence
        except (DNSException, UnicodeError, OSError):
            return None
        finally:
            self._waited[owner] += self._clock() - began
        return next((b"".join(each.strings) for each in found), None)

    def _patience(self, owner: bytes, timeout: float) -> float:
        """How many seconds an answer may take; what is remembered takes none."""
        if self._waited[owner] >= MOST_WAITED:
            return 0.0
        return min(timeout, BRIEF) if sum(self._waited.values()) >= MOST_FOR_ALL else timeout

    @cached_property
    def _resolver(self) -> "dns.resolver.Resolver":
        from dns import resolver  # noqa: PLC0415  takes long to load, and few mails are signed

        made = self._made() if self._made is not None else resolver.Resolver()
        made.cache = _short_memory()
        return made


def _owner(name: bytes) -> bytes:
    """The domain whose owner has made a name: its last two labels, or three below ``co.uk``.

    A name server's owner makes as many names below it as they like.
    """
    labels = name.lower().rstrip(b".").split(b".")
    *_, second, top = [b"", *labels]
    is_below_country = len(top) == _COUNTRY and len(second) <= _OF_COUNTRY
    return b".".join(labels[-3 if is_below_country else -2 :])


_COUNTRY, _OF_COUNTRY = 2, 3
"""Signs of a country's domain, and of those below it that belong to many: ``co.uk``, ``com.br``."""


def _short_memory() -> "dns.resolver.LRUCache":
    from dns import resolver  # noqa: PLC0415  as above

    class ShortMemory(resolver.LRUCache):
        """Answers of the last hour at most."""

        def put(self, key: "dns.resolver.CacheKey", value: "dns.resolver.Answer") -> None:
            value.expiration = min(value.expiration, time.time() + LONGEST)
            super().put(key, value)

    return ShortMemory(_MOST_ANSWERS)
