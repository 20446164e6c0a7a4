"""The judge's own secret, and values that only the judge can compute.

The secret is never in the database: a stolen copy of the database opens no seat.
"""

import hmac
import json
from base64 import b32encode
from collections.abc import Callable
from functools import cached_property, lru_cache

from machjudge.adjudicator.names import MachjudgeError

LEAST_BYTES = 32
_MAX_CODES = 4096
_WRITTEN = json.JSONEncoder().encode


class SecretUnusable(MachjudgeError):
    """The judge's secret cannot be read, or is invalid."""


class JudgeSecret:
    """The key of all values that only this judge can compute, by their purpose.

    *read* gives the bytes; it is called once, at the first use, and raises SecretUnusable.
    """

    def __init__(self, read: Callable[[], bytes]) -> None:
        self._read = read

    @cached_property
    def _key(self) -> bytes:
        key = self._read()
        if len(key) < LEAST_BYTES:
            msg = f"the judge's secret has less than {LEAST_BYTES} bytes"
            raise SecretUnusable(msg)
        return key

    def check(self) -> None:
        """Raise SecretUnusable if the secret cannot be read."""
        len(self._key)

    def code(self, purpose: str, *parts: str | int, length: int = 16) -> str:
        """Return a code of *length* bytes in base32, lower case, for *parts* under a *purpose*.

        HMAC-SHA-256 (RFC 2104) over the purpose and the parts as JSON, which is injective.
        """
        return self._codes(purpose, parts, length)

    @property
    def fingerprint(self) -> str:
        """Return a code by which the database recognises this secret, without revealing it."""
        return self.code("fingerprint")

    @cached_property
    def _codes(self) -> Callable[[str, tuple[str | int, ...], int], str]:
        """The cached function; a message and its answer ask for the same codes."""

        @lru_cache(maxsize=_MAX_CODES, typed=True)
        def code(purpose: str, parts: tuple[str | int, ...], length: int) -> str:
            digest = hmac.digest(self._key, _WRITTEN([purpose, *parts]).encode(), "sha256")
            return b32encode(digest[:length]).decode("ascii").rstrip("=").lower()

        return code


def fixed(key: bytes) -> JudgeSecret:
    """Return the secret with that key."""
    return JudgeSecret(lambda: key)
