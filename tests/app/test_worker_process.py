"""`serve` takes mails in and has them handled by a process beside it, whatever becomes of that."""

import asyncio
import os
import re
import signal
import sqlite3
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest

from machjudge.app.serving import Pauses
from machjudge.app.working import Wakeups, listen_to
from tests.app.processes import Installation, letters, mail
from tests.patience import SECONDS, wait_until

FORKS = False
"""Its processes begin as a keeper's do."""

_STARTED = re.compile(r'event="worker started" pid=(\d+)')


def workers(judge: Installation) -> list[int]:
    """The numbers of all workers that `serve` has started, the newest last."""
    return [int(each) for each in _STARTED.findall(judge.log())]


def is_there(pid: int) -> bool:
    """True if a process lives; a dead one that nobody has looked after does not."""
    with suppress(OSError):
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
        return stat.rpartition(")")[2].split()[0] not in {"Z", "X"}
    return False


def stands_still(pid: int) -> bool:
    """True if every thread of a process stands still: the signal takes a moment."""
    threads = Path(f"/proc/{pid}/task").glob("*/stat")
    return all(
        each.read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "T" for each in threads
    )


def freeze(judge: Installation, pid: int) -> None:
    """Stop a worker between two transactions."""
    while True:
        os.kill(pid, signal.SIGSTOP)
        wait_until(lambda: stands_still(pid), "the worker to stand still")
        connection = sqlite3.connect(judge.folder / "judge.db", timeout=0.1)
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            os.kill(pid, signal.SIGCONT)
        else:
            return
        finally:
            connection.close()


def test_mails_are_taken_in_while_the_worker_does_nothing(judge, relay) -> None:
    """They get their 250 however long it takes, and are handled as soon as it goes on."""
    judge.serve()
    judge.send(mail("lucia", "help"))
    wait_until(lambda: len(relay.taken) == 1, "the answer")
    (worker,) = workers(judge)
    freeze(judge, worker)
    judge.send(*(mail("lucia", "help", n) for n in range(1, 9)))
    waiting = judge.rows("SELECT count(*) FROM inbox WHERE state = 'waiting'")
    os.kill(worker, signal.SIGCONT)
    wait_until(lambda: len(relay.taken) == 9, "all answers")

    assert waiting == [(8,)]


def test_a_worker_that_is_killed_is_replaced(judge, relay) -> None:
    """Again and again, with mails in hand: each is answered once, and the log says what happened.

    Nobody who hands mails over notices.
    """
    process = judge.serve()
    sent = [f"<{author}.{n}@example.com>" for n in range(6) for author in ("lucia", "otto")]
    for killed in range(2):
        judge.send(
            *(
                mail(a, "help", n)
                for n in range(3 * killed, 3 * killed + 3)
                for a in ("lucia", "otto")
            )
        )
        wait_until(lambda times=killed: len(workers(judge)) > times, "a worker")
        os.kill(workers(judge)[killed], signal.SIGKILL)
    wait_until(lambda: len({str(each["In-Reply-To"]) for each in letters(relay)}) == 12, "answers")

    by_id = {str(each["Message-ID"]): str(each["In-Reply-To"]) for each in letters(relay)}
    assert Counter(by_id.values()) == Counter(sent)
    assert process.poll() is None
    assert judge.log().count('event="worker ended" why="signal 9"') == 2
    assert len(workers(judge)) == 3


def test_no_worker_outlives_serve(judge) -> None:
    """Killed, it can tell nobody: the worker notices by itself, and ends."""
    process = judge.serve()
    wait_until(lambda: len(workers(judge)) == 1, "the worker")
    process.kill()
    process.wait()

    wait_until(lambda: not is_there(workers(judge)[0]), "the end of the worker")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_serve_takes_its_worker_with_it(judge, number) -> None:
    """When `serve` has ended in order, nothing of it is left; what was kept stays."""
    process = judge.serve()
    judge.send(*(mail("lucia", "help", n) for n in range(4)))
    process.send_signal(number)
    code = process.wait(SECONDS)

    assert code == 0
    assert [each for each in workers(judge) if is_there(each)] == []
    assert judge.rows("SELECT count(*) FROM inbox") == [(4,)]
    assert 'event="worker ended"' not in judge.log()


def test_a_worker_has_the_settings_of_serve(judge, relay) -> None:
    """Those with which `serve` began, whatever stands in the file when the worker is replaced."""
    file = judge.folder / "own.toml"
    file.write_text('code = "MINE"\n')
    judge.more["MACHJUDGE_CONFIG"] = str(file)
    judge.serve()
    wait_until(lambda: len(workers(judge)) == 1, "the worker")
    file.write_text('code = "LATER"\n')
    os.kill(workers(judge)[0], signal.SIGKILL)
    judge.send(mail("lucia", "help"))
    wait_until(lambda: len(relay.taken) == 1, "the answer")

    (answer,) = letters(relay)
    assert ":: Judge: MINE" in answer.get_body(["plain"]).get_content()


def test_pauses_grow_and_begin_anew() -> None:
    """A worker that cannot begin is tried ever more seldom; one that has worked, soon."""
    pauses = Pauses()

    assert [pauses.after(0.5) for _ in range(8)] == [1, 2, 4, 8, 16, 32, 60, 60]
    assert pauses.after(3600) == 1
    assert pauses.after(0.5) == 2


def test_a_call_wakes_the_worker_and_the_end_of_calls_ends_it() -> None:
    """A byte in the pipe of `serve` is a call; when nobody holds its other end, it is over."""

    async def listen() -> tuple[bool, bool]:
        wakeups = Wakeups()
        here, there = os.pipe()
        await listen_to(os.fdopen(here, "rb"), wakeups)
        os.write(there, b"\n")
        await asyncio.wait_for(wakeups.mail.wait(), SECONDS)
        is_over = wakeups.stop.is_set()
        os.close(there)
        await asyncio.wait_for(wakeups.stop.wait(), SECONDS)
        return is_over, wakeups.stop.is_set()

    assert asyncio.run(listen()) == (False, True)
