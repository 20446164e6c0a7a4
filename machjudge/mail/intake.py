"""Keep arriving mails, several in one commit, away from the event loop."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from machjudge.service.ports.mailbox import Arrival, ArrivalStore

MOST_TOGETHER = 50
"""How many mails are kept in one commit."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    arrival: Arrival
    kept: asyncio.Future[None]


class Intake:
    """Where sessions bring their mails; used from one event loop.

    *store* is called in a thread; *woken* afterwards, in the loop, when mails have been kept.
    """

    def __init__(self, store: ArrivalStore, woken: Callable[[], None]) -> None:
        self._store = store
        self._woken = woken
        self._waiting: list[_Waiting] = []
        self._work: asyncio.Task[None] | None = None
        # One thread of its own: nobody else's slow work delays a 250.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="intake")

    async def keep(self, mail: Arrival) -> None:
        """Return when the mail is durable.  Raises what the store raised."""
        waiting = _Waiting(mail, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        if self._work is None or self._work.done():
            self._work = asyncio.create_task(self._keep_waiting())
        # Whoever hangs up meanwhile has their mail kept all the same.
        await waiting.kept

    async def close(self) -> None:
        """Return when all mails brought so far are kept or refused."""
        if self._work is not None:
            await self._work
        self._thread.shutdown()

    async def _keep_waiting(self) -> None:
        while self._waiting:
            together = self._waiting[:MOST_TOGETHER]
            del self._waiting[:MOST_TOGETHER]
            fault = await self._keep_all(together)
            if fault is not None and len(together) > 1:
                for each in together:
                    _answer(each, await self._keep_all([each]))
            else:
                for each in together:
                    _answer(each, fault)
            self._woken()

    async def _keep_all(self, together: Sequence[_Waiting]) -> Exception | None:
        arrivals = [each.arrival for each in together]
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(self._thread, self._store.keep, arrivals)
        except Exception as fault:  # whatever it was, the sender gets a 451 and comes again
            return fault
        return None


def _answer(waiting: _Waiting, fault: Exception | None) -> None:
    if waiting.kept.done():
        return
    if fault is None:
        waiting.kept.set_result(None)
    else:
        waiting.kept.set_exception(fault)
