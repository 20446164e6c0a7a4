"""The public keys of DKIM signers, asked of the name server of this machine, and remembered.

A key is a TXT record (RFC 6376, 3.6.2).  That there is none is remembered as well.  Whoever writes
mails decides whose name servers are asked, so all waiting for them together is bounded.
"""

import time
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from machjudge.service.ports.stale import SenderNotKnownYet

if TYPE_CHECKING:
    import dns.resolver

SECONDS = 2.0
"""Nobody waits longer for a stranger's name server."""
MOST_WAITED, A_WHILE = 10.0, 60.0
"""How many seconds of so many are waited in vain; then only keys that are remembered count."""
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
        self._waited = 0.0
        self._since = clock()

    def __call__(self, name: bytes, timeout: float = SECONDS) -> bytes | None:
        """The record, its strings put together; None if there is none.  Raises NoAnswerInTime."""
        from dns.exception import DNSException, Timeout  # noqa: PLC0415  as below
        from dns.resolver import NXDOMAIN, NoAnswer  # noqa: PLC0415

        began = self._clock()
        if began - self._since > A_WHILE:
            self._since, self._waited = began, 0.0
        lifetime = timeout if self._waited < MOST_WAITED else 0.0
        try:
            found = self._resolver.resolve(
                name.decode("ascii"), "TXT", lifetime=lifetime, search=False
            )
        except (NXDOMAIN, NoAnswer):
            return None
        except Timeout as silence:
            raise NoAnswerInTime from silence
        except (DNSException, UnicodeError, OSError):
            return None
        finally:
            self._waited += self._clock() - began
        return next((b"".join(each.strings) for each in found), None)

    @cached_property
    def _resolver(self) -> "dns.resolver.Resolver":
        from dns import resolver  # noqa: PLC0415  takes long to load, and few mails are signed

        made = self._made() if self._made is not None else resolver.Resolver()
        made.cache = _short_memory()
        return made


def _short_memory() -> "dns.resolver.LRUCache":
    from dns import resolver  # noqa: PLC0415  as above

    class ShortMemory(resolver.LRUCache):
        """Answers of the last hour at most."""

        def put(self, key: "dns.resolver.CacheKey", value: "dns.resolver.Answer") -> None:
            value.expiration = min(value.expiration, time.time() + LONGEST)
            super().put(key, value)

    return ShortMemory(_MOST_ANSWERS)
