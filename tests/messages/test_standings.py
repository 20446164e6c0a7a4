"""Tables of money: who has what, and who owes the bank what and until when."""

from dataclasses import replace

from machjudge.adjudicator.events import IncomePaid
from machjudge.adjudicator.moments import Campaign, Season
from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.options import JUDGE
from machjudge.adjudicator.state import Loan, State
from machjudge.adjudicator.world import world_of
from machjudge.judge.opening import set_up
from machjudge.messages import tables
from machjudge.messages.wording import Words
from tests.judge.house import atlas
from tests.messages.said import lines as told

FLORENCE = PowerId("L")
FALL, SPRING = Campaign(1454, Season.FALL), Campaign(1456, Season.SPRING)


def in_debt() -> tuple[Words, State]:
    """The opening of 1454, with two loans of Florence, the later one first."""
    scenario = atlas().scenario("1454")
    assert scenario is not None
    world = world_of(scenario, JUDGE)
    loans = (Loan(FLORENCE, 10, 5, SPRING), Loan(FLORENCE, 5, 1, FALL))
    return Words(world), replace(set_up(world), loans=loans)


def test_debts_stand_below_the_treasury_the_earliest_first() -> None:
    """Each on a line of its own; when it is due, only the income report tells all (BNK-12)."""
    lines = told(tables.treasuries(*in_debt()))

    below = lines.index("Florence: 0 ducats") + 1
    assert lines[below : below + 2] == ("  owes 5+1d", "  owes 10+5d")
    assert len(lines) == 10


def test_debts_stand_below_the_income_of_the_year() -> None:
    """After Fall the income takes the place of the treasuries (BNK-12)."""
    words, state = in_debt()
    paid = [IncomePaid(PowerId("P"), 0, 5, 3, 2), IncomePaid(FLORENCE, 1, 4, 5, 6)]

    lines = told(tables.incomes(words, state, paid))

    assert lines[-3:] == (
        "Florence: seas 1d, provinces 4d, cities 5d, dice 6d, sum 16d, now 0 ducats",
        "  owes 5+1d due Fall 1454",
        "  owes 10+5d due Spring 1456",
    )
