"""Claims last while their holder lives and works, and not much longer."""

import os
import signal
import subprocess
import sys
from dataclasses import replace

import pytest

from machjudge.db.mail_queues import LONGEST, Holder, Leases, is_gone, myself
from machjudge.judge.mails import LEASE
from tests.db.test_outbox import plain, put

HALF = LEASE / 2


class Working:
    """A process that has claimed a mail and a message, and others who would like to."""

    def __init__(self, house) -> None:
        self.house = house
        self.passed = 0.0
        self.leases = Leases(house.engine, "a worker", house.clock, lambda: self.passed)
        self.claim("a worker")

    def claim(self, holder: str) -> list[bool]:
        """Claim both; which of them could be claimed."""
        now = self.house.clock.now
        with self.house.store(holder).writing() as uow:
            mail = uow.inbox.claim(now)
            uow.commit()
        letter = self.house.bag(holder).claim(now, now + LEASE)
        return [mail is not None, letter is not None]

    def goes_on(self, seconds: float) -> None:
        """Time passes."""
        self.passed += seconds
        self.house.clock.on(seconds=seconds)


@pytest.fixture
def working(house, arrival) -> Working:
    """A process that works on a mail and on a message."""
    house.arrivals.keep([arrival()])
    put(house, plain("lucia@example.com"))
    return Working(house)


def test_claims_last_as_long_as_they_are_made_longer(working) -> None:
    """Of mails that come in and of messages that go out."""
    for _ in range(4):
        working.goes_on(HALF.total_seconds())
        assert working.leases.renew() == 2

    assert working.claim("another worker") == [False, False]


def test_claims_end_soon_after_their_holder_has_died(working) -> None:
    """Wherever it was: nobody need ask its machine."""
    working.leases.renew()
    working.goes_on(LEASE.total_seconds())

    assert working.claim("another worker") == [True, True]


def test_a_clock_that_leaps_gives_nobody_what_is_still_in_hand(working) -> None:
    """Another thread of the same process would send the message again, and read the mail twice."""
    working.house.clock.on(hours=2)
    put(working.house, plain("lucia@example.com"))

    assert working.claim("a worker") == [False, False]
    assert working.leases.renew() == 2
    assert working.claim("another worker") == [False, False]


def test_what_hangs_may_be_taken_up_by_the_process_itself(working) -> None:
    """A thread that never comes back keeps no mail and no message for ever."""
    while working.leases.renew():
        working.goes_on(HALF.total_seconds())
    assert working.claim("a worker") == [False, False]

    working.goes_on(LEASE.total_seconds())
    assert working.claim("a worker") == [True, True]


def test_claims_of_others_are_not_made_longer(working) -> None:
    """Each process speaks for itself."""
    others = Leases(working.house.engine, "another worker", working.house.clock)

    assert others.renew() == 0


def test_anyone_who_hangs_loses_what_is_claimed(working) -> None:
    """Ten minutes for one mail are too long, though the process lives."""
    while working.leases.renew():
        working.goes_on(HALF.total_seconds())

    assert working.passed >= LONGEST.total_seconds()
    working.goes_on(HALF.total_seconds())
    assert working.claim("another worker") == [True, True]


# A claim says whose it is, and whether that process still lives.


def test_we_live() -> None:
    """This process is not gone."""
    assert is_gone(str(myself())) is False


def test_a_process_that_ended_is_gone() -> None:
    """Its number is no longer in use."""
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()

    assert is_gone(str(replace(myself(), pid=child.pid))) is True


def test_a_number_used_again_is_another_process() -> None:
    """A process that began at another time is not the one that held the claim."""
    assert is_gone(str(replace(myself(), began="1"))) is True


def test_a_killed_process_is_gone_before_its_parent_notices() -> None:
    """One that nobody has waited for yet holds nothing any more."""
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    name = str(Holder(myself().host, child.pid, _began(child.pid)))
    lived = not is_gone(name)
    os.kill(child.pid, signal.SIGKILL)
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)

    assert lived
    assert is_gone(name) is True
    child.communicate()


def _began(pid: int) -> str:
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:  # noqa: PTH123
        return file.read().rpartition(")")[2].split()[19]


def test_of_another_machine_nothing_is_known() -> None:
    """Its claims end by time alone."""
    assert is_gone(str(replace(myself(), host="elsewhere", pid=99999999))) is False


def test_a_name_that_is_none_is_nobody_we_know() -> None:
    """Nothing is concluded from it."""
    assert is_gone("a worker") is False
