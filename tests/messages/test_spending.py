"""Expenses, assassinations and their rebellions, as results mails tell them."""

from machjudge.adjudicator.events import (
    ChitUsed,
    DiceThrown,
    Event,
    ExpensePaid,
    ExpenseSettled,
    Fate,
    RebellionRolled,
)
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.orders import Expense, Named, Purpose
from machjudge.adjudicator.prices import Price
from machjudge.adjudicator.units import Kind, Unit
from machjudge.adjudicator.year.forecast import ExpenseEntry, Forecast
from machjudge.messages.receipt import money_forecast
from machjudge.messages.results import expense_lines, rebellion_table
from tests.messages.said import lines
from tests.messages.test_told import WORDS

L, P = PowerId("L"), PowerId("P")
BOL, PER = PlaceId("bol"), PlaceId("per")
OTHER = Unit(P, Kind.ARMY, BOL)
BUY = Expense(1, Purpose.BUY, 18, unit=Named(Kind.ARMY, BOL))
RELIEF = Expense(2, Purpose.FAMINE_RELIEF, 3, place=PER)
GUARD = Expense(2, Purpose.COUNTER_BRIBE, 6, unit=Named(Kind.ARMY, BOL))
MURDER = Expense(3, Purpose.ASSASSINATE, 24, power=P)


def settled(
    expense: Expense, fate: Fate, force: int, unit: Unit | None = None, power: PowerId = L
) -> ExpenseSettled:
    """What became of an expense that had to reach 18 ducats."""
    return ExpenseSettled(power, expense, fate, 18, force, unit)


def told(*events: Event) -> list[str]:
    """The lines of the section, one behind the other."""
    return [line.strip() for line in lines(expense_lines(WORDS, events))]


def test_expenses_stand_below_their_power_by_number() -> None:
    """Also where the attempt of an assassin is settled later than everything else."""
    events = [
        ExpensePaid(L, 1, 24, 24),
        ExpensePaid(P, 2, 6, 6),
        ExpensePaid(L, 2, 3, 3),
        settled(GUARD, "done", 6, OTHER, P),
        settled(RELIEF, "done", 3),
        DiceThrown("assassination L P", (4,)),
        settled(Expense(1, Purpose.ASSASSINATE, 24, power=P), "failed", 24),
    ]

    assert list(lines(expense_lines(WORDS, events))) == [
        "Florence",
        "  E1 assassinate Papacy",
        "    24 ducats: die 4, kills up to 2: failed.",
        "  E2 famine relief Perugia",
        "    3 ducats: done.",
        "Papacy",
        "  E2 counter-bribe A Bologna (Papacy)",
        "    6 ducats: set against bribes.",
    ]


def test_what_decided_is_told_in_figures() -> None:
    """The price that was not reached, the sum that a counter-bribe left."""
    small = told(ExpensePaid(L, 1, 18, 13), settled(BUY, "too small", 12, OTHER))
    countered = told(ExpensePaid(L, 1, 18, 18), settled(BUY, "counter-bribed", 15, OTHER))

    assert small[-1] == "13 ducats (of 18 ordered): too small, the price is 18."
    assert countered[-1] == "18 ducats: counter-bribed to 15, the price is 18."


def test_a_missing_unit_is_named_as_it_was_ordered() -> None:
    """Nobody's owner stands behind a unit that is not there."""
    assert told(ExpensePaid(L, 1, 18, 18), settled(BUY, "no such unit", 18)) == [
        "Florence",
        "E1 buy A Bologna",
        "18 ducats: there is no such unit.",
    ]


def test_a_ruined_power_pays_nothing() -> None:
    """BNK-10: the bank has its money."""
    assert told(settled(MURDER, "void: default", 0))[-1] == "nothing paid: void, the bank took all."


def test_a_die_belongs_to_its_own_attempt() -> None:
    """An attempt without a die does not take that of the one before."""
    events = [
        ExpensePaid(L, 1, 12, 12),
        ExpensePaid(L, 3, 24, 24),
        ChitUsed(L, P),
        DiceThrown("assassination L P", (1,)),
        settled(Expense(1, Purpose.ASSASSINATE, 12, power=P), "done", 12),
        settled(MURDER, "no chit", 24),
    ]

    assert told(*events)[2::2] == [
        "12 ducats: die 1, kills up to 1: killed.",
        "24 ducats: no chit for that leader.",
    ]


def test_the_numbers_that_a_player_named_are_told() -> None:
    """As far as they were paid for, with the lowest others behind them."""
    attempt = Expense(1, Purpose.ASSASSINATE, 24, power=P, faces=(5,))
    events = [
        ExpensePaid(L, 1, 24, 24),
        DiceThrown("assassination L P", (5,)),
        settled(attempt, "done", 24),
    ]

    assert told(*events)[-2:] == [
        "E1 assassinate Papacy",
        "24 ducats: die 5, kills on 1 and 5: killed.",
    ]


def test_the_odds_with_numbers_that_a_player_named_are_told() -> None:
    """Before the die is thrown."""
    attempt = Expense(1, Purpose.ASSASSINATE, 24, power=P, faces=(6,))
    entry = ExpenseEntry(attempt, Price(12), 24, 24, 6, None, within_reach=True, fate="done")
    told_before = lines(money_forecast(WORDS, Forecast(30, 6, (entry,), (), ())))

    assert "    dies on 1 and 6 of 6" in told_before


def test_the_dice_of_rebellions_stand_a_line_each() -> None:
    """With the number up to which the province rises."""
    rolled = [
        RebellionRolled(PER, 2, 3, home=False, with_unit=True),
        RebellionRolled(BOL, 2, 1, home=True, with_unit=True),
    ]

    assert lines(rebellion_table(WORDS, rolled)) == (
        "Dice of rebellion:",
        "  Perugia: die 2, rebels up to 3: rebels",
        "  Bologna: die 2, rebels up to 1",
    )
