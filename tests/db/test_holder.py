"""A claim says whose it is, and whether that process still lives."""

import os
import signal
import subprocess
import sys
from dataclasses import replace

from machjudge.db.mail_queues import Holder, is_gone, myself


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
