"""Passwords as argon2id hashes (RFC 9106): the desk's port `Passwords`."""

import threading

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

AT_ONCE = 2
"""How many passwords are hashed at the same time."""

# OWASP's recommendation for argon2id: enough, also on the small machines that judges run on.
_MEMORY_KIB = 19 * 1024
_PASSES = 2
_LANES = 1


class Argon2Passwords:
    """Hashes that cost whoever guesses 19 MiB of memory and two passes each.

    Slow by design, so never called from an event loop.
    """

    def __init__(self) -> None:
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
        with self._places:
            try:
                self._hasher.verify(hashed or self._nobodys, password)
            except (VerificationError, InvalidHashError):
                return False
        return bool(hashed)
