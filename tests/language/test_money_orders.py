"""Orders about money, allies and chits: SYN-05 to SYN-07, with every synonym and default."""

import tomllib
from pathlib import Path

import pytest

from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.names import AUTONOMOUS, PlaceId, PowerId
from machjudge.adjudicator.orders import (
    Ally,
    Borrow,
    Burn,
    Cede,
    Excommunicate,
    Expense,
    GiveChit,
    Named,
    Order,
    Pay,
    Permit,
    Purpose,
)
from machjudge.adjudicator.units import Kind
from machjudge.language import Fault, Lexicon, ParseError, parse_order
from tests.cases import cases
from tests.messages.said import say

CASES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))

FER, SIE, PER = PlaceId("fer"), PlaceId("sie"), PlaceId("per")
MILAN, VENICE = PowerId("I"), PowerId("V")


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("borrow 10 ducats for 1 year", Borrow(10, 1)),
        ("pay 3 ducats to Milan", Pay(3, MILAN)),
        ("pay 3 ducats to bank", Pay(3, None)),
        ("give Turkey to Naples", GiveChit(PowerId("T"), PowerId("N"))),
        ("ally Milan", Ally(MILAN)),
        ("excommunicate Milan", Excommunicate(MILAN)),
        ("cede Perugia to Milan", Cede(PlaceId("per"), MILAN)),
        ("burn Perugia", Burn(PlaceId("per"))),
        ("permit Milan", Permit(MILAN)),
        ("unally Milan", Ally(MILAN, allowed=False)),
        ("not excommunicate Milan", Excommunicate(MILAN, banned=False)),
        ("not cede per", Cede(PER, None)),
        ("not burn per", Burn(PER, burnt=False)),
        ("not permit Milan", Permit(MILAN, allowed=False)),
        ("expense 1: 3 ducats famine relief fer", Expense(1, Purpose.FAMINE_RELIEF, 3, place=FER)),
        ("expense 2: 12 ducats pacify rebellion fer", Expense(2, Purpose.PACIFY, 12, place=FER)),
        (
            "expense 3: 6 ducats counter-bribe A per",
            Expense(3, Purpose.COUNTER_BRIBE, 6, unit=Named(Kind.ARMY, PER)),
        ),
        ("expense 4: disband fer", Expense(4, Purpose.DISBAND, unit=Named(None, FER))),
        (
            "expense 1: 9 ducats buy G sie",
            Expense(1, Purpose.BUY, 9, unit=Named(Kind.GARRISON, SIE)),
        ),
        (
            "expense 1: 9 ducats garrison to autonomous sie",
            Expense(1, Purpose.TO_AUTONOMOUS, 9, unit=Named(Kind.GARRISON, SIE)),
        ),
        (
            "expense 1: 9 ducats cause rebellion fer",
            Expense(1, Purpose.CAUSE_REBELLION, 9, place=FER),
        ),
        (
            "expense 1: 12 ducats assassinate Venice",
            Expense(1, Purpose.ASSASSINATE, 12, power=VENICE),
        ),
        ("expense 1: none", Expense(1, None)),
        (
            "expense 1: 6 ducats disband autonomous garrison fer",
            Expense(1, Purpose.DISBAND, 6, unit=Named(Kind.GARRISON, FER, owner=AUTONOMOUS)),
        ),
        (
            "expense 1: 12 ducats disband Venetian army fer",
            Expense(1, Purpose.DISBAND, 12, unit=Named(Kind.ARMY, FER, owner=VENICE)),
        ),
    ],
)
def test_money_order_is_read(classic: Lexicon, text: str, order: Order) -> None:
    """Each kind of expense has its own kind of target."""
    assert parse_order(text, classic, Stage.CAMPAIGN).said == (order,)


@cases
def test_many_forms_say_the_same(canonical, short: str, text: str) -> None:
    """Amounts before or behind, words or letters, with or without "ducats"."""
    assert canonical(short) == canonical(text) == [short]


def test_borrow_nothing_withdraws_both_terms(read) -> None:
    """One order of each term may stand, so both are withdrawn (BNK-04)."""
    assert read("borrow 0").said == (Borrow(0, 1), Borrow(0, 2))


@pytest.mark.parametrize("stage", list(Stage))
def test_chit_may_be_given_in_any_phase(read, stage: Stage) -> None:
    """ASN-02: chits can be given at any time."""
    assert read("give v to f", stage).said == (GiveChit(VENICE, PowerId("F")),)


@pytest.mark.parametrize(
    ("text", "found", "sentence"),
    [
        *CASES["impossible_number_gets_one_sentence"],
        (f"pay {'9' * 400} to bank", "9" * 400, "one order moves at most 9999 ducats"),
    ],
)
def test_impossible_number_gets_one_sentence(read, text: str, found: str, sentence: str) -> None:
    """The number is shown, and what a number may be."""
    (problem,) = read(text).said

    assert isinstance(problem, ParseError)
    assert (problem.fault, problem.found, say(problem.reason)) == (Fault.NUMBER, found, sentence)
    assert text[problem.column :].startswith(found)


def test_zeros_in_front_do_not_make_a_number_long(read) -> None:
    """00000000003 is 3, however many zeros there are."""
    assert read(f"pay {'0' * 300}3 to bank").said == (Pay(3, None),)
    assert read("pay 000 to bank").said == (Pay(0, None),)


def test_borrowing_without_a_term_is_incomplete(read) -> None:
    """Only the withdrawal needs none."""
    (problem,) = read("borrow 3").said

    assert (problem.fault, say(problem.reason)) == (Fault.INCOMPLETE, "for how long is missing")
    assert problem.expected == ("for 1 year", "for 2 years")


@pytest.mark.parametrize(
    "text", ["pay 3 ducats to genoa", "ally xyz", "e1: a genoa", "give v to x"]
)
def test_unknown_power_is_named(read, text: str) -> None:
    """Paying an unknown power is no order."""
    (problem,) = read(text).said

    assert problem.fault is Fault.NO_POWER
    assert text.endswith(problem.found)
