"""Whatever happens to a judge's processes: orders are not lost, and a phase is played once."""

import signal
import subprocess
from datetime import timedelta

from machjudge.judge.records import GameId
from tests.journeys.conftest import SMALL, at_the_small_game
from tests.journeys.judge import OPENED, Judge
from tests.journeys.pens import Written, plain
from tests.mail.servers import relaying
from tests.patience import SECONDS, wait_until
from tests.results_told import tells_results

ACT = SMALL.act("S1385M")
DEADLINE = OPENED + timedelta(days=7, hours=1)
"""Not before the first deadline of the small game, and not long after it."""
READERS = {person.address for person in SMALL.people.values()}
WAITING = "SELECT count(*) FROM inbox WHERE state = 'waiting'"
HELD = "SELECT count(*) FROM inbox WHERE state = 'waiting' AND holder IS NOT NULL"
PHASES = "SELECT count(*) FROM phases WHERE number > 0"


def orders(*, wait: bool = False) -> list[tuple[str, Written]]:
    """The orders of all four players; Florence may ask to wait for the deadline."""
    found = []
    for step in ACT.steps:
        lines = SMALL.lines(step["from"], step)
        if wait and step["from"] == "L":
            lines.insert(1, "set wait")
        writer = SMALL.people[step["from"]]
        found.append((writer.address, plain(writer, lines)))
    return found


def hand_in(judge: Judge, mails: list[tuple[str, Written]]) -> None:
    """Deliver mails; all have got their 250."""
    for sender, mail in mails:
        judge.send(*mail.copies, sender=sender)


def is_caught(judge: Judge, process: "subprocess.Popen[bytes]") -> bool:
    """True if a process, which stands still from now on, holds a mail; else it goes on."""
    process.send_signal(signal.SIGSTOP)
    if judge.rows(HELD) == [(1,)]:
        return True
    process.send_signal(signal.SIGCONT)
    return False


def assert_played_once(judge: Judge, mails: list[tuple[str, Written]]) -> None:
    """Every mail is answered once, the phase played once, with everybody's orders."""
    wait_until(lambda: judge.rows(PHASES) == [(1,)], "the phase")
    judge.rest()
    results = [each.to for each in judge.letters() if tells_results(each.text, "S1385M")]

    assert [len(judge.answers_to(mail.id)) for _, mail in mails] == [1] * len(mails)
    assert sorted(results) == sorted(READERS)
    units = [unit.place for unit in judge.position("borgia").units() if unit.owner == "L"]
    assert sorted(units) == ["are", "psa", "pst"]


def test_orders_survive_a_judge_killed_after_its_250(judge) -> None:
    """Nobody had handled them; the next `serve` does, and plays the phase."""
    mails = orders()
    with judge.in_hand("somebody@example.com"):
        judge.serve()
        hand_in(judge, mails)
        judge.kill()
        ((left,),) = judge.rows(WAITING)
    judge.serve()

    # No mail for a game is finished before an older one that is in doubt.
    assert left == 1 + len(mails)
    assert_played_once(judge, mails)


def test_orders_survive_a_judge_killed_while_it_handles_them(judge) -> None:
    """What the dead one held is taken up again at once, not when its claim ends."""
    mails = orders()
    # They are taken up and put back again and again, because an older one is in doubt.
    with judge.in_hand("somebody@example.com"):
        process = judge.serve()
        hand_in(judge, mails)
        wait_until(lambda: is_caught(judge, process), "a mail in hand")
        judge.kill()
    judge.serve()

    assert_played_once(judge, mails)


def test_results_survive_a_judge_killed_before_they_are_sent(tmp_path, begun) -> None:
    """They were written down together with the phase; `tick` sends what `serve` has left."""
    judge = at_the_small_game(tmp_path, begun)
    mails = orders()
    judge.serve()
    hand_in(judge, mails)
    wait_until(lambda: judge.rows(PHASES) == [(1,)], "the phase")
    judge.kill()
    sent_before = len(judge.letters())
    with relaying(judge.post, judge.relay_port):
        judge.start("tick").wait(SECONDS)
        judge.clock.set(OPENED + timedelta(hours=3))
        judge.start("tick").wait(SECONDS)
        assert_played_once(judge, mails)
    judge.end()

    assert sent_before == 0


def test_two_ticks_at_the_same_moment_play_a_phase_once(judge) -> None:
    """Florence has asked to wait; at the deadline two processes come at once."""
    mails = orders(wait=True)
    judge.serve()
    hand_in(judge, mails)
    judge.rest()
    judge.stop()
    waited = judge.rows(PHASES)
    judge.let_pass(DEADLINE - timedelta(hours=1))
    judge.clock.set(DEADLINE)
    ticks = [judge.start("tick") for _ in range(2)]
    codes = [tick.wait(SECONDS) for tick in ticks]

    assert (waited, codes) == ([(0,)], [0, 0])
    assert_played_once(judge, mails)


def test_two_workers_share_the_work(judge) -> None:
    """Beside `serve`: each player changes his mind twice, and the last word counts."""
    mails = [mail for _ in range(2) for mail in orders(wait=True)] + orders()
    judge.serve()
    judge.start("worker")
    judge.start("worker")
    hand_in(judge, mails)
    judge.rest()
    with judge.application.store.reading() as work:
        order_sets = {
            power: work.order_sets.history(GameId("borgia"), 0, power) for power in "IVNL"
        }

    assert {power: len(kept) for power, kept in order_sets.items()} == dict.fromkeys("IVNL", 3)
    judge.let_pass(DEADLINE + timedelta(days=1))
    assert_played_once(judge, mails)
