"""Random bytes of the operating system: the desk's port `Chance`; and the time."""

import base64
import os
from collections.abc import Callable
from datetime import UTC, datetime

_SECRET_BYTES = 32
_TOKEN_BYTES = 10


class SystemChance:
    """Chance that nobody can foresee."""

    def secret(self) -> bytes:
        """32 bytes for the dice of a game."""
        return os.urandom(_SECRET_BYTES)

    def token(self) -> str:
        """Sixteen letters and digits, one of 2^80 such texts."""
        return base64.b32encode(os.urandom(_TOKEN_BYTES)).decode("ascii").lower()


Clock = Callable[[], datetime]
"""What says which instant it is, in UTC."""


def now() -> datetime:
    """This instant, in UTC."""
    return datetime.now(UTC)
