"""What wakes the tasks of a process that stays, and what ends them."""

import asyncio
import signal
from collections.abc import Sequence
from dataclasses import dataclass, field

_SIGNALS = (signal.SIGTERM, signal.SIGINT)


@dataclass(slots=True)
class Wakeups:
    """Set and waited for in one event loop."""

    mail: asyncio.Event = field(default_factory=asyncio.Event)
    """Mails may have come in."""
    letter: asyncio.Event = field(default_factory=asyncio.Event)
    """Messages may be due."""
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    """It is time to come to an end."""

    async def wait(self, wakeup: asyncio.Event, seconds: float) -> bool:
        """Return when *wakeup* or the end is set, or after *seconds*; the event is cleared.

        Whether *wakeup* was set.
        """
        await self._first_of((wakeup, self.stop), seconds)
        was_set = wakeup.is_set()
        wakeup.clear()
        return was_set

    async def rest(self, seconds: float) -> None:
        """Return after *seconds*, or when the end is set."""
        await self._first_of((self.stop,), seconds)

    async def _first_of(self, wakeups: Sequence[asyncio.Event], seconds: float) -> None:
        waiting = [asyncio.create_task(each.wait()) for each in wakeups]
        await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        for each in waiting:
            each.cancel()


def wakeups_of_process() -> Wakeups:
    """New events, of which the last one is set by SIGTERM and SIGINT.

    A second signal ends the process at once.
    """
    wakeups = Wakeups()
    loop = asyncio.get_running_loop()

    def stop() -> None:
        wakeups.stop.set()
        for each in _SIGNALS:
            loop.remove_signal_handler(each)

    for each in _SIGNALS:
        loop.add_signal_handler(each, stop)
    return wakeups
