"""What happens when a deadline is over or the clock lies, by SMTP: nobody gains or loses by it."""

from datetime import timedelta

import pytest

from tests.journeys.test_deadlines import ORDERS, PHASES, say

pytestmark = pytest.mark.slow


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
