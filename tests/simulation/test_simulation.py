"""A judge keeps its promises through whatever a seed thinks of; a part of `make simulate`."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from random import Random
from types import SimpleNamespace

import pytest

from machjudge.db.mail_queues import Arrivals
from tests.faults.relay import TakenMail
from tests.patience import SECONDS
from tests.simulation.judge import JUDGE, SimulatedJudge
from tests.simulation.story import Plot, Story
from tests.simulation.watch import Promised, Watch


def tell(seed: int, salt: str) -> "subprocess.CompletedProcess[str]":
    """The tool in a process of its own, whose sets have an order of their own."""
    return subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "tests.simulation", "--seed", str(seed), "--games", "1"],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
        env={**os.environ, "PYTHONHASHSEED": salt},
    )


@pytest.mark.slow
def test_a_story_is_told_again_word_for_word_and_every_promise_holds() -> None:
    """The same seed brings the same mails, byte by byte, in another process."""
    with ThreadPoolExecutor() as pool:
        first, second = pool.map(lambda salt: tell(11, salt), ("1", "2"))

    assert first.returncode == 0, first.stdout + first.stderr
    assert "held" in first.stdout
    assert second.stdout == first.stdout


def test_the_beginning_of_a_story_keeps_every_promise(tmp_path_factory, monkeypatch) -> None:
    """Two phases and the rest after them; told once more, each byte is the same."""
    monkeypatch.setattr(Story, "_is_over", lambda story: story.events >= 160)
    stories = [Story(Plot(11, games=1), tmp_path_factory.mktemp("story")) for _ in range(2)]
    breaches = [story.play() for story in stories]
    first, second = stories

    assert breaches == [[], []]
    assert first.mark() == second.mark()
    assert sum(first.watch.phases.values()) == 2


def test_a_judge_that_loses_a_mail_is_found_out(tmp_path, monkeypatch) -> None:
    """It gives a 250 and keeps nothing: the event at which it does so is named."""
    usual, count = Arrivals.keep, iter(range(1000))

    def forgetful(self, arrivals) -> None:
        if next(count) < 12:
            usual(self, arrivals)

    monkeypatch.setattr(Arrivals, "keep", forgetful)
    breaches = Story(Plot(11, games=1), tmp_path).play()

    assert len(breaches) == 1
    assert "got its 250 and is there 0 times" in breaches[0]


def test_orders_that_do_not_count_are_found_out(tmp_path) -> None:
    """The mail came before the deadline, the phase was played after it, nothing is on file."""
    judge = SimulatedJudge(tmp_path, Random(1))  # noqa: S311 - no secret
    assert judge.receive(b"Message-ID: <1@a.example>\r\n\r\nA flo h\r\n", "a@a.example", JUDGE)
    mail = Promised("<1@a.example>", "gameaa", 0, judge.now + timedelta(hours=1))
    played = [
        SimpleNamespace(game="gameaa", moment="S1385M", processed=judge.now + timedelta(hours=wait))
        for wait in (0, 2)
    ]
    early, due = ([*Watch(judge, {})._counts(mail, phase)] for phase in played)
    judge.close()

    assert early == []
    assert due == [f"<1@a.example> of {judge.now} does not count in gameaa S1385M"]


def test_a_secret_in_a_message_is_found_out(tmp_path) -> None:
    """A password, and the code that somebody else got."""
    judge = SimulatedJudge(tmp_path, Random(1))  # noqa: S311 - no secret
    judge.close()
    code = "r.abcdefghijklmnopqrstuvwxyz"
    for to, body in (("a@players.example", code), ("b@players.example", f"{code} parolapagameaa")):
        judge.taken.append(TakenMail(f"<{to}>", to, "hello", "", "", body))

    assert [*Watch(judge, {})._letters()] == [
        "<b@players.example> shows parolapagameaa",
        "<b@players.example> shows b@players.example the code of a@players.example",
    ]
