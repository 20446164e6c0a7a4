"""What wakes the tasks of a process that stays, and what ends them."""

import asyncio
import signal
from collections.abc import Sequence
from dataclasses import dataclass, field

_SIGNALS = (signal.SIGTERM, signal.SIGINT)


@dataclass(slots=True)
class Bells:
    """Rung and heard in one event loop."""

    mail: asyncio.Event = field(default_factory=asyncio.Event)
    """Mails may have come in."""
    letter: asyncio.Event = field(default_factory=asyncio.Event)
    """Messages may be due."""
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    """It is time to come to an end."""

    async def wait(self, bell: asyncio.Event, seconds: float) -> bool:
        """Return when *bell* or the end rings, or after *seconds*; the bell is quiet again.

        Whether *bell* rang.
        """
        await self._first_of((bell, self.stop), seconds)
        rang = bell.is_set()
        bell.clear()
        return rang

    async def rest(self, seconds: float) -> None:
        """Return after *seconds*, or when the end rings."""
        await self._first_of((self.stop,), seconds)

    async def _first_of(self, bells: Sequence[asyncio.Event], seconds: float) -> None:
        waiting = [asyncio.create_task(each.wait()) for each in bells]
        await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        for each in waiting:
            each.cancel()


def bells_of_process() -> Bells:
    """New bells, of which the last one is rung by SIGTERM and SIGINT.

    A second signal ends the process at once.
    """
    bells = Bells()
    loop = asyncio.get_running_loop()

    def stop() -> None:
        bells.stop.set()
        for each in _SIGNALS:
            loop.remove_signal_handler(each)

    for each in _SIGNALS:
        loop.add_signal_handler(each, stop)
    return bells
