"""The bank and gifts (area BNK), each rule in a position of its own."""

import pytest

from machjudge.adjudicator.events import (
    GiftRefused,
    LoanDefaulted,
    LoanRefused,
    LoanRepaid,
    PaymentNotNeeded,
)
from machjudge.adjudicator.money.bank import interest_on, settle_loans
from machjudge.adjudicator.reasons import Flaw
from tests.adjudicator.scene import borrow, bribe_away, pay, places, scene

NO_REBELS = {f"rebellion {place}": [6] for place in places("are flo psa pst swi avi mar pro")}
"""Dice by which neither Florence nor France rebels."""


def loan(power: str, principal: int, interest: int, due: str) -> dict[str, object]:
    """A line of the bank's book."""
    return {"power": power, "principal": principal, "interest": interest, "due": due}


def test_bnk_01_principal_never_exceeds_25() -> None:
    """Interest does not count for the limit; a loan is given whole or not at all."""
    book = [loan("V", 20, 10, "F1456")]
    fits = scene(treasury={}, loans=book).play({"V": [borrow(5, 1)]})
    too_much = scene(treasury={}, loans=book).play({"V": [borrow(6, 1)]})

    assert fits.treasury("V") == 5
    assert too_much.treasury("V") == 0
    assert [refused.because for refused in too_much.told(LoanRefused)] == ["limit"]


@pytest.mark.parametrize(
    ("ducats", "years", "interest"),
    [(15, 2, 8), (25, 2, 13), (25, 1, 5), (1, 1, 1), (6, 1, 2), (10, 1, 2), (4, 2, 2)],
)
def test_bnk_02_interest_is_a_fifth_or_half_rounded_up(
    ducats: int, years: int, interest: int
) -> None:
    """Twenty per cent for one year, fifty for two, of each loan alone."""
    assert interest_on(ducats, years) == interest


def test_bnk_03_the_bank_collects_in_the_campaign_of_the_due_date_only() -> None:
    """A loan of next campaign is left alone, one of this is taken."""
    book = [loan("V", 4, 1, "S1455"), loan("V", 3, 1, "U1455")]
    outcome = scene(treasury={"V": 9}, loans=book).play()

    assert outcome.treasury("V") == 4
    assert outcome.debts("V") == ["3+1 due U1455"]
    assert [repaid.collected for repaid in outcome.told(LoanRepaid)] == [True]


def test_bnk_05_loans_due_together_are_one_line() -> None:
    """Principals and rounded interests are added, and the interest of both is paid first."""
    outcome = scene(loans=[loan("V", 6, 3, "S1456")]).play({"V": [borrow(6, 1)]})
    repaid = scene(
        treasury={"V": 4}, loans=[loan("V", 6, 3, "F1456"), loan("V", 6, 2, "F1456")]
    ).play({"V": [pay(4)]})

    assert outcome.debts("V") == ["12+5 due S1456"]
    assert sum(line.principal for line in repaid.state.loans) == 12
    assert sum(line.interest for line in repaid.state.loans) == 1


def test_bnk_06_gifts_come_before_loans() -> None:
    """Borrowed money cannot be given away in the same campaign (BNK-E4)."""
    outcome = scene().play({"V": [borrow(25, 1), pay(25, "I")]})

    assert outcome.treasury("V") == 25
    assert outcome.treasury("I") == 0


def test_bnk_09_who_owes_nothing_may_give_and_then_borrow() -> None:
    """The loan comes after the gift (BNK-E5)."""
    outcome = scene(treasury={"V": 25}).play({"V": [pay(25, "I"), borrow(25, 2)]})

    assert outcome.treasury("I") == 25
    assert outcome.treasury("V") == 25


def test_bnk_10_a_defaulter_never_borrows_again_but_may_give() -> None:
    """His order is refused when it is read."""
    position = scene(treasury={"V": 5}, defaulted=["V"])
    outcome = position.play({"V": [pay(5, "I")]})

    objection = position.objection("V", borrow(1, 1))
    assert objection is not None
    assert objection.flaw is Flaw.NO_CREDIT
    assert outcome.treasury("I") == 5


def test_bnk_13_without_loans_gifts_still_work() -> None:
    """The flag stops borrowing only."""
    position = scene(treasury={"V": 5}, options={"loans": False})
    objection = position.objection("V", borrow(5, 1))
    outcome = position.play({"V": [borrow(5, 1), pay(5, "I")]})

    assert objection is not None
    assert objection.flaw is Flaw.FLAG_OFF
    assert outcome.treasury("I") == 5
    assert outcome.debts("V") == []


def test_bnk_15_a_loan_above_the_limit_leads_to_default() -> None:
    """Treasury 20, 25+13 due: 18 more are refused, and the bank is not paid (BNK-E2a)."""
    book = [loan("F", 25, 13, "S1455")]
    outcome = scene(treasury={"F": 20}, loans=book).play({"F": [borrow(18, 1)]}, NO_REBELS)

    assert outcome.state.defaulted == {"F"}


def test_bnk_15_pay_borrow_and_be_given_the_rest() -> None:
    """Pay 20, borrow 7, and 11 from others: the 18 left can be collected (BNK-E2b)."""
    book = [loan("V", 25, 13, "S1455")]
    orders = {"V": [pay(20), borrow(7, 2)], "I": [pay(11, "V")]}
    outcome = scene(treasury={"V": 20, "I": 11}, loans=book).play(orders)

    assert outcome.told(LoanDefaulted) == []
    assert outcome.treasury("V") == 0
    assert outcome.debts("V") == ["7+4 due S1457"]


def test_bnk_16_a_fuller_treasury_borrows_enough() -> None:
    """Treasury 26, 25+13 due: 26 paid leave 12, which a loan covers (BNK-E2c)."""
    book = [loan("V", 25, 13, "S1455")]
    outcome = scene(treasury={"V": 26}, loans=book).play({"V": [pay(26), borrow(12, 1)]})

    assert outcome.told(LoanDefaulted) == []
    assert outcome.debts("V") == ["12+3 due S1456"]


def test_bnk_19_the_bank_takes_at_most_what_is_owed() -> None:
    """Treasury 20, debt 9+2: paying 20 leaves 9 (BNK-E8)."""
    book = [loan("V", 9, 2, "S1456")]
    outcome = scene(treasury={"V": 20}, loans=book).play({"V": [pay(20)]})

    assert outcome.treasury("V") == 9
    assert [(event.asked, event.paid) for event in outcome.told(PaymentNotNeeded)] == [(20, 11)]


def test_bnk_20_the_limit_counts_after_the_payments() -> None:
    """23 owed, 11 of principal repaid, 10 more borrowed (BNK-E9)."""
    book = [loan("V", 14, 3, "S1455"), loan("V", 5, 1, "S1456"), loan("V", 4, 1, "F1456")]
    orders = {"V": [pay(14), borrow(10, 1)]}
    outcome = scene(treasury={"V": 70}, loans=book).play(orders)

    assert outcome.treasury("V") == 63
    assert outcome.debts("V") == ["15+3 due S1456", "4+1 due F1456"]


def test_bnk_21_a_gift_to_the_eliminated_is_refused() -> None:
    """The money stays, and so does the treasury."""
    position = scene(treasury={"V": 9}, eliminated=["I"])
    objection = position.objection("V", pay(9, "I"))
    outcome = position.play({"V": [pay(9, "I")]})

    assert objection is not None
    assert objection.flaw is Flaw.ELIMINATED
    assert outcome.treasury("V") == 9


@pytest.mark.parametrize(
    ("order", "flaw"),
    [
        (borrow(-1, 1), Flaw.BAD_AMOUNT),
        (borrow(5, 3), Flaw.BAD_TERM),
        (pay(-1), Flaw.BAD_AMOUNT),
        (pay(5, "V"), Flaw.YOURSELF),
        (pay(5, "E"), Flaw.UNKNOWN_POWER),
    ],
)
def test_bnk_orders_that_cannot_be_are_refused(order: object, flaw: Flaw) -> None:
    """Each with its own reason."""
    objection = scene(treasury={"V": 9}).objection("V", order)

    assert objection is not None
    assert objection.flaw is flaw


def test_set_03_without_money_there_is_no_bank() -> None:
    """Orders about ducats are refused, and nothing is collected."""
    position = scene(options={"money": False})

    for order in (borrow(5, 1), pay(5), pay(5, "I"), bribe_away(1, "A mil", 12)):
        objection = position.objection("V", order)
        assert objection is not None
        assert objection.flaw is Flaw.FLAG_OFF


def test_bnk_21_a_gift_to_somebody_who_is_gone_leaves_nothing() -> None:
    """Even if it had been written before the receiver's end."""
    position = scene(treasury={"V": 9}, eliminated=["I"])
    outcome = position.take(settle_loans, {"V": [pay(9, "I")]})

    assert [refused.because for refused in outcome.told(GiftRefused)] == ["eliminated"]
    assert outcome.treasury("V") == 9


def test_bnk_10_the_bank_itself_refuses_a_defaulter() -> None:
    """Even if his order had been taken."""
    outcome = scene(treasury={}, defaulted=["V"]).take(settle_loans, {"V": [borrow(5, 1)]})

    assert [refused.because for refused in outcome.told(LoanRefused)] == ["defaulted"]
    assert outcome.treasury("V") == 0


def test_syn_10_paying_nothing_withdraws_a_payment() -> None:
    """`pay 0` is an order, and cancels the one to the same receiver."""
    position = scene(treasury={"V": 9})
    outcome = position.play({"V": [pay(5, "I"), pay(4, "L"), pay(0, "I")]})

    assert position.objection("V", pay(0, "I")) is None
    assert (outcome.treasury("I"), outcome.treasury("L")) == (0, 4)
