"""Passwords as argon2id hashes (RFC 9106): the desk's port `Passwords`."""

import hmac
import math
import secrets
import threading
import time
from collections.abc import Callable

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

AT_ONCE = 2
"""How many passwords are hashed at the same time."""

REMEMBERED_SECONDS = 600
"""How long a right password is remembered."""

# OWASP's recommendation for argon2id: enough, also on the small machines that judges run on.
_MEMORY_KIB = 19 * 1024
_PASSES = 2
_LANES = 1


class Argon2Passwords:
    """Hashes that cost whoever guesses 19 MiB of memory and two passes each.

    Slow by design, so never called from an event loop.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._right = RightPasswords(clock)
        self._hasher = PasswordHasher(
            time_cost=_PASSES, memory_cost=_MEMORY_KIB, parallelism=_LANES
        )
        self._places = threading.BoundedSemaphore(AT_ONCE)
        # Whoever guesses the name of a seat that has no password learns nothing from the time.
        self._nobodys = self.hash("nobody has this password")

    def hash(self, password: str) -> str:
        """The hash to be stored; it says how it was made."""
        with self._places:
            return self._hasher.hash(password)

    def is_right(self, hashed: str | None, password: str) -> bool:
        """Whether the password is the one; without a hash it is not, and that takes as long."""
        if hashed and self.remembers(hashed, password):
            return True
        with self._places:
            try:
                self._hasher.verify(hashed or self._nobodys, password)
            except (VerificationError, InvalidHashError):
                return False
        if hashed:
            self._right.add(hashed, password)
        return bool(hashed)

    def remembers(self, hashed: str, password: str) -> bool:
        """Whether the password was found to be the one in the last ten minutes."""
        return self._right.has(hashed, password)


class RightPasswords:
    """Passwords that were right in the last ten minutes, so that they are not hashed again.

    Kept in memory only, and only as keyed hashes (HMAC, RFC 2104) under a key of the process.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._key = secrets.token_bytes(32)
        self._until: dict[bytes, float] = {}
        self._lock = threading.Lock()

    def add(self, hashed: str, password: str) -> None:
        """Remember a password of a hash from now on."""
        now = self._clock()
        with self._lock:
            # The oldest come first.
            while self._until and (until := next(iter(self._until.items())))[1] <= now:
                del self._until[until[0]]
            self._until.pop(mark := self._mark(hashed, password), None)
            self._until[mark] = now + REMEMBERED_SECONDS

    def has(self, hashed: str, password: str) -> bool:
        """Whether the password of a hash is remembered."""
        return self._clock() < self._until.get(self._mark(hashed, password), -math.inf)

    def _mark(self, hashed: str, password: str) -> bytes:
        text = f"{hashed}\0{password}".encode("utf-8", "surrogatepass")
        return hmac.digest(self._key, text, "sha256")
