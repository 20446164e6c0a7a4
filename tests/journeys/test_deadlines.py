"""Grace, the error flag and answers to old messages, by SMTP and with cron calling."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

import pytest

from tests.journeys.conftest import SMALL
from tests.journeys.judge import Judge, QueuedMessage
from tests.journeys.pens import Pen, plain, reply
from tests.patience import wait_until
from tests.results_told import tells_results

PHASES = "SELECT count(*) FROM phases WHERE number > 0"
ORDERS = {step["from"]: step["text"].strip().split("\n") for step in SMALL.act("S1385M").steps}
LORENZA = SMALL.people["L"].address


def say(
    judge: Judge, seat: str, *lines: str, pen: Pen = plain, to: Sequence[QueuedMessage] = ()
) -> QueuedMessage:
    """Somebody writes from a seat and waits for the answer."""
    writer = SMALL.people[seat]
    mail = pen(writer, [SMALL.signon(seat, seat), *lines, "SIGNOFF"], to)
    judge.send(*mail.copies, sender=writer.address)
    return judge.answer_to(mail.id)


def results(judge: Judge, phase: str) -> list[QueuedMessage]:
    """The results of a phase that have come."""
    return [each for each in judge.letters() if tells_results(each.text, phase)]


@pytest.mark.parametrize("policy", ["HOLD", "CIVIL DISORDER"])
def test_phase_is_played_when_its_grace_ends(judge, policy: str) -> None:
    """Not a day before; the silent player reads when, and gets the results."""
    judge.serve()
    say(judge, "M", f"SET NMR {policy}")
    for seat in "IVN":
        say(judge, seat, *ORDERS[seat])
    clock = judge.game("borgia").clock
    grace = clock.grace
    judge.let_pass(grace - timedelta(minutes=1))
    judge.rest()
    before = judge.rows(PHASES)
    late = [m for m in judge.letters() if "you are late" in m.subject and m.to == LORENZA]
    judge.let_pass(grace + timedelta(minutes=1))
    judge.rest()
    played = results(judge, "S1385M")

    assert (before, judge.rows(PHASES)) == ([(0,)], [(1,)])
    assert sorted(m.to for m in played) == sorted(p.address for p in SMALL.people.values())
    assert f"{grace:%H:%M} UTC" in late[0].text.partition("Grace ends")[2]
    assert all(grace <= parsedate_to_datetime(m.mail["Date"]) for m in played)
    assert all("No orders came from Florence." in m.text for m in played)


def test_flag_is_shown_to_everybody_and_cleared_by_ready(judge) -> None:
    """All orders are there; one line of Florence was not taken."""
    judge.serve()
    first = say(judge, "L", *ORDERS["L"], "A flo - Atlantis")
    for seat in "IVN":
        say(judge, seat, *ORDERS[seat])
    master = say(judge, "M", "WHO LATE", "LIST", "NUDGE")
    asked = say(judge, "V", "LIST")
    held = judge.rows(PHASES)
    cleared = say(judge, "L", "READY")
    wait_until(lambda: judge.rows(PHASES) == [(1,)], "the phase")
    flag = "ERROR FLAG of Florence: lines of its last orders not taken."

    assert held == [(0,)]
    assert flag in first.text
    assert master.text.count(flag) >= 4
    assert "1 power holds the phase up until its deadline." in asked.text
    assert "All orders are in" not in master.text + asked.text
    assert "COMPLETE: all orders of Florence are on file." in cleared.text


def test_answer_to_an_old_message_is_told_first_and_refused_where_it_fits_that(judge) -> None:
    """Florence sends the orders of Spring again, by answering the receipt of Spring."""
    judge.serve()
    receipt = say(judge, "L", *ORDERS["L"])
    for seat in "IVN":
        say(judge, seat, *ORDERS[seat])
    wait_until(lambda: len(results(judge, "S1385M")) == len(SMALL.people), "the results")
    old = say(judge, "L", *ORDERS["L"], pen=reply, to=[receipt])
    (opened,) = [m for m in results(judge, "S1385M") if m.to == LORENZA]
    new = say(judge, "L", "A are H", pen=reply, to=[opened])

    assert old.subject.startswith("Re: [Errors] borgia: ")
    assert old.subject.endswith("(answers S1385M) (U1385M)")
    assert old.text.startswith(
        "Your mail answers a message about S1385M.\nThe game is at U1385M.\n"
    )
    assert "so none of these orders was taken." in " ".join(old.text.split())
    assert "A Pistoia: no order" in old.text
    assert "answers" not in new.subject
    assert "A Arezzo H" in new.part("ORDERS ON FILE")


def test_cron_that_calls_twice_a_day_moves_no_deadline(judge) -> None:
    """Nor does it tell anybody of a leap."""
    judge.clock.set(datetime(2026, 11, 20, 19, 20, tzinfo=UTC))
    deadline = judge.game("borgia").clock.deadline
    for _ in range(12):
        judge.clock.set(judge.clock() + timedelta(hours=12))
        judge.tick()

    assert judge.game("borgia").clock.deadline == deadline
    assert not [m for m in judge.letters() if "clock" in m.text or "Clock" in m.subject]


def test_serve_looks_at_the_clock_by_itself(judge) -> None:
    """However seldom cron calls, no silence of days is taken for one of the judge."""
    judge.serve()
    last = "SELECT max(at) FROM heartbeat"
    before = judge.rows(last)
    judge.clock.set(judge.clock() + timedelta(hours=2))

    wait_until(lambda: judge.rows(last) != before, "a look of serve")
