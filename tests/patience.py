"""How long tests wait: never for a time to pass, always for something to happen."""

import time
from collections.abc import Callable

SECONDS = 900.0
"""How long anything may take on the slowest machine; nothing is measured by it."""


def wait_until(done: Callable[[], bool], what: str, seconds: float = SECONDS) -> None:
    """Return as soon as *done* says so; fail if it takes too long."""
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(0.02)
