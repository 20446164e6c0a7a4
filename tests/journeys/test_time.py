"""What happens when a deadline is over or the clock lies, by SMTP: nobody gains or loses by it."""

from datetime import timedelta

from tests.journeys.conftest import SMALL, at_the_small_game
from tests.journeys.pens import plain
from tests.journeys.test_crashes import READERS, hand_in, orders
from tests.journeys.test_deadlines import LORENZA, ORDERS, PHASES, say
from tests.mail.servers import relaying
from tests.patience import wait_until
from tests.results_told import tells_results


def test_preview_in_the_grace_shows_no_die(judge) -> None:
    """Orders may still change then; the master reads what each result would do."""
    judge.serve()
    say(judge, "M", "SET MONEY", "SET PLAGUE")
    for seat in "IVN":
        say(judge, seat, *ORDERS[seat])
    judge.let_pass(judge.game("borgia").clock.deadline + timedelta(hours=1))
    shown = say(judge, "M", "PREVIEW").text

    assert judge.rows(PHASES) == [(0,)]
    assert "DICE NOT YET THROWN" in shown
    assert "plague severity: 2 dice\n" in shown


def test_orders_kept_in_the_grace_count_though_the_judge_dies_before_it_reads_them(judge) -> None:
    """Ten minutes before its end; when the judge is back, the grace is over."""
    judge.serve()
    say(judge, "M", "SET NMR HOLD")
    for seat in "IVN":
        say(judge, seat, *ORDERS[seat])
    judge.stop()
    grace = judge.game("borgia").clock.grace
    judge.let_pass(grace - timedelta(minutes=10))
    with judge.in_hand("somebody@example.com"):
        judge.serve()
        mail = plain(SMALL.people["L"], [SMALL.signon("L", "L"), *ORDERS["L"]])
        judge.send(*mail.copies, sender=LORENZA)
        judge.kill()
    judge.clock.set(grace + timedelta(minutes=10))
    judge.serve()
    answer = judge.answer_to(mail.id).text
    wait_until(lambda: judge.rows(PHASES) == [(1,)], "the phase")

    assert "COMPLETE: all orders of Florence are on file." in answer
    units = [unit.place for unit in judge.position("borgia").units() if unit.owner == "L"]
    assert sorted(units) == ["are", "psa", "pst"]


def test_a_clock_set_back_after_a_leap_leaves_nothing_waiting(tmp_path, begun) -> None:
    """Orders were played three days ahead of time while the relay was down."""
    judge = at_the_small_game(tmp_path, begun)
    right = judge.clock()
    judge.clock.set(right + timedelta(days=3))
    judge.serve()
    hand_in(judge, orders())
    wait_until(lambda: judge.rows(PHASES) == [(1,)], "the phase")
    judge.stop()
    sent_before = len(judge.letters())
    judge.clock.set(right + timedelta(minutes=5))
    with relaying(judge.post, judge.relay_port):
        judge.serve()
        judge.rest()
        results = [each.to for each in judge.letters() if tells_results(each.text, "S1385M")]
        lorenza = say(judge, "L", "A are H", "A pst H", "F psa H")
        again = say(judge, "L", "A are - flo")
        judge.end()

    assert sent_before == 0
    assert sorted(results) == sorted(READERS)
    assert "COMPLETE: all orders of Florence are on file." in lorenza.text
    assert "A Arezzo - Florence" in again.text.partition("ON FILE")[2]
