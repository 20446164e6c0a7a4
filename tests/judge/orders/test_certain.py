"""Receipts and forms warn of what is certain when they are written, and name the rule."""

import pytest

from tests.cases import cases
from tests.judge.house import House, built_once
from tests.judge.letters_in import answer
from tests.judge.phases.test_mastering import master, ruled
from tests.judge.year import OPENING, SPRING, address_of, order, play

FAMINE = "FIX MARKER FAMINE {} BECAUSE of the test"


def told(house: House, power: str, *lines: str) -> str:
    """The receipt for orders, in one line."""
    return " ".join(answer(order(house, power, *lines), address_of(house, power)).split())


@pytest.fixture
@built_once
def hungry() -> House:
    """The first Spring of 1454, with famine in Florence and Siena."""
    house = ruled("famine")
    play(house, OPENING)
    master(house, FAMINE.format("flo"), FAMINE.format("sie"))
    return house


# --- famine ----------------------------------------------------------------------------------


@cases
def test_a_unit_that_starves_is_warned_of(hungry: House, lines: list[str], warned: str) -> None:
    """FAM-07: by an order to stay, by none, and by one that leads there."""
    said = told(hungry, "L", *lines)

    assert warned in said
    assert "dies after Spring [FAM-07]" in said


@pytest.mark.parametrize("lines", [["A flo - pst"], ["A flo h", "E 1: 3 d relief flo"]])
def test_a_unit_that_leaves_or_gets_relief_is_not_warned_of(
    hungry: House, lines: list[str]
) -> None:
    """FAM-08: what the power pays for itself counts."""
    assert "FAM-07" not in told(hungry, "L", *lines)


def test_the_form_says_who_starves_by_holding(hungry: House) -> None:
    """It offers to hold for every unit; that of one in famine is named below the lines."""
    house = ruled("famine")
    master(house, FAMINE.format("flo"))
    sent = play(house, OPENING)
    form = [x.body for x in sent if x.to == address_of(house, "L")][-1]
    assert "A Florence H" in form

    assert "Famine: A Florence dies after Spring by staying there [FAM-07]" in " ".join(
        form.split()
    )


def test_famine_in_other_seasons_costs_no_unit() -> None:
    """FAM-09: all of it is over after Spring."""
    house = ruled("famine")
    play(house, OPENING)
    play(house, SPRING)
    master(house, FAMINE.format("are"))

    assert "FAM-07" not in told(house, "L", "A are h")


# --- moves that must bounce ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "warned"),
    [
        (["A are - flo", "A flo h"], "bounce: A Florence stays there [MOV-15]"),
        (["A are - flo", "A flo s F psa"], "A Arezzo - Florence will bounce"),
        (["A are - flo", "A flo - sie"], None),
        (["A are - flo"], None),
        (["A are - sie", "A flo h"], None),
    ],
)  # fmt: skip
def test_a_move_to_an_own_unit_that_stays_is_warned_of(
    lines: list[str], warned: str | None
) -> None:
    """MOV-15: nobody dislodges their own unit."""
    house = ruled("nomoney")
    said = told(house, "L", *lines)

    assert ("will bounce" in said) is (warned is not None)
    assert (warned or "") in said
    assert "bribes" not in said


def test_nobody_gets_into_venice_while_a_garrison_is_there() -> None:
    """MAP-20, MAP-24: whatever it does, unless a bribe takes it away."""
    house = ruled()
    play(house, OPENING)
    master(house, "FIX UNIT nobody F dal BECAUSE x", "FIX UNIT Venice F lag BECAUSE x")
    said = told(house, "V", "F lag - ven", "G ven h")

    assert "F Venice Lagoon - Venice will bounce: G Venice stays there [MAP-20]" in said
    assert "unless somebody bribes it away" in said


# --- money -----------------------------------------------------------------------------------


def test_ducats_of_an_expense_that_fails_are_gone() -> None:
    """EXP-01: the receipt says so, with the sum."""
    house = ruled()
    play(house, OPENING)
    said = told(house, "L", "E 1: 6 d disband G are")

    assert "E1 will fail" in said
    assert "6 ducats are gone all the same [EXP-01]" in said


def test_a_debt_that_is_due_stands_in_the_receipt_and_in_the_form() -> None:
    """BNK-06: the bank takes it before the expenses."""
    house = ruled()
    play(house, OPENING)
    master(
        house, "FIX TREASURY Florence 20 BECAUSE x", "FIX LOAN Florence 10 2 Summer 1454 BECAUSE x"
    )
    assert "due now" not in told(house, "L", *SPRING["L"])
    sent = play(house, SPRING)
    form = [x.body for x in sent if x.to == address_of(house, "L")][-1]
    said = told(house, "L", "A are h")

    assert "12 ducats" in form.partition("due")[2]
    assert "A debt is due now: the bank takes 12 ducats of your treasury before" in said
    assert "[BNK-06]" in said


# --- orders that contradict each other -------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "warned"),
    [
        ("en", "A Florence S A Arezzo - Siena does nothing: A Arezzo is ordered something else."),
        ("es", "E Florencia S E Arezzo - Siena no sirve de nada: E Arezzo tiene otra orden."),
        ("it", "A Firenze S A Arezzo - Siena non serve a nulla: A Arezzo ha un altro ordine."),
    ],
)
def test_a_support_that_another_order_of_the_mail_contradicts_is_warned_of(
    language: str, warned: str
) -> None:
    """In the order in which they come to be on file; the order that fits ends the warning."""
    house = ruled()
    play(house, OPENING)
    order(house, "L", f"SET LANGUAGE {language}")

    assert warned not in told(house, "L", "A flo s A are - sie")
    assert warned in told(house, "L", "A are - urb")
    assert warned not in told(house, "L", "A are - sie")
