"""What a process does beside handling mails: it sends, hears other machines, keeps its claims."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from threading import Event

import pytest
from sqlalchemy import Engine

from machjudge.app import working
from machjudge.app.machine import now
from machjudge.app.working import Rounds, renewed
from machjudge.db.engine import open_engine
from machjudge.db.mail_queues import Arrivals, listen_for_arrivals
from machjudge.judge.mails import Arrival
from tests.databases import Server
from tests.patience import SECONDS

MAIL = Arrival(b"help\r\n", "a@x.example", ("judge@mach.example",), "a@x.example", "<1@x>", "1")


@pytest.fixture
def engine(server: Server) -> Iterator[Engine]:
    """An engine for a database of a judge on a PostgreSQL server."""
    with server.database() as url:
        engine = open_engine(url)
        yield engine
        engine.dispose()


@pytest.mark.postgresql
def test_workers_on_other_machines_are_called_when_a_mail_comes_in(engine: Engine) -> None:
    """With the commit; once more at the beginning, for what came in before."""

    async def calls() -> int:
        rung: asyncio.Queue[int] = asyncio.Queue()
        hearing = asyncio.create_task(listen_for_arrivals(engine, lambda: rung.put_nowait(1)))
        count = await asyncio.wait_for(rung.get(), SECONDS)
        await asyncio.to_thread(Arrivals(engine, now).keep, [MAIL])
        count += await asyncio.wait_for(rung.get(), SECONDS)
        hearing.cancel()
        return count

    assert asyncio.run(calls()) == 2


def test_a_message_that_the_relay_does_not_answer_holds_up_no_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Another connection takes them, and a third one, until all is sent."""
    monkeypatch.setattr(working, "SLOW_SECONDS", 0.01)
    others_are_sent, begun = Event(), []

    def send() -> bool:
        begun.append(len(begun))
        if len(begun) == 1:
            assert others_are_sent.wait(SECONDS)
        else:
            others_are_sent.set()
        return True

    with ThreadPoolExecutor(working.MAX_SENDERS) as threads:
        is_there = asyncio.run(working.send_all(send, threads))

    assert is_there
    assert len(begun) > 1


def test_a_relay_that_is_away_is_told() -> None:
    """So that it is left alone for a while."""
    with ThreadPoolExecutor(working.MAX_SENDERS) as threads:
        assert not asyncio.run(working.send_all(lambda: False, threads))


class Failing:
    """Leases on a database that is away the first time."""

    def __init__(self) -> None:
        self.asked = 0
        self.renewed = Event()

    def renew(self) -> int:
        """Fail, and succeed the next time."""
        self.asked += 1
        if self.asked == 1:
            raise OSError
        self.renewed.set()
        return 0


def test_claims_are_made_longer_beside_the_work_whatever_happens() -> None:
    """A database that was away is asked again."""
    leases = Failing()

    with renewed(leases, seconds=0.01):
        assert leases.renewed.wait(SECONDS)


# A process that stays looks at the clock again and again, but not before each mail.


NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


@dataclass
class Judge:
    """As much of an application as a look at the clock needs."""

    now: datetime = NOON
    services: None = None
    looks: list[datetime] = field(default_factory=list)

    def clock(self) -> datetime:
        """Tell the time."""
        return self.now


@pytest.mark.parametrize(
    ("later", "looks"),
    [
        (timedelta(seconds=0), 1),
        (timedelta(seconds=9), 1),
        (timedelta(seconds=10), 2),
        (timedelta(days=1), 2),
        (timedelta(seconds=-1), 2),
    ],
)
def test_the_clock_is_looked_at_again_after_some_seconds(monkeypatch, later, looks) -> None:
    """At once where it has leapt, in whichever direction."""
    judge, rounds = Judge(), Rounds()
    monkeypatch.setattr(working, "check_clock", lambda _, clock: judge.looks.append(clock()))
    rounds.watch(judge)
    judge.now += later
    rounds.watch(judge)

    assert len(judge.looks) == looks
