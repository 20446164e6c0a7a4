"""Corrections in words get the line that does them; no suggestion is one that is refused."""

import pytest

from tests.cases import cases
from tests.judge.house import House, built_once, started
from tests.judge.letters_in import answer, write
from tests.judge.year import OPENING, order, play

MARCO = "marco@player.example"
MASTER = "lucia@player.example"


@pytest.fixture
@built_once
def spring() -> House:
    """1454 in its first Spring, with money; Marco leads Venice."""
    house = started("nodice")
    play(house, OPENING)
    house.mails_out()
    return house


@pytest.fixture
def adjustment() -> House:
    """The adjustment before it."""
    return started("nodice")


def refused(house: House, *lines: str) -> str:
    """What of a mail of Venice is not taken, in one line."""
    body = answer(order(house, "V", *lines), MARCO)
    return " ".join(body.partition("NOT TAKEN")[2].partition("ORDERS ON FILE")[0].split())


@cases
def test_a_correction_gets_the_order_behind_it(spring: House, line: str) -> None:
    """Ready to be sent, and never a command that says something else."""
    told = refused(spring, line)

    assert "Did you mean: A Padua - Vicenza" in told
    assert "WAIT" not in told


@pytest.mark.parametrize("line", ["no A pad - vic", "not A pad - vic", "don't A pad - vic"])
def test_what_is_denied_is_never_suggested(spring: House, line: str) -> None:
    """It would say the opposite."""
    assert "Did you mean: A Padua - Vicenza" not in refused(spring, line)


@pytest.mark.parametrize(
    "line", ["A bar - Atlantis", "A pad - Atlantis", "no wait, A pad - Rome", "A ver - Atlantic"]
)
def test_no_suggestion_is_a_move_that_is_refused(spring: House, line: str) -> None:
    """Each is judged like an order first."""
    assert "Did you mean" not in refused(spring, line)


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("with that I buy the army in Mantua (18d)", "expense 1: 18 ducats buy A Mantua"),
        ("and I disband the army in Bologna for 12 ducats", "12 ducats disband A Bologna"),
    ],
)
def test_an_expense_in_a_sentence_gets_its_line(spring: House, line: str, meant: str) -> None:
    """With the amount, the unit and the next free number."""
    assert meant in refused(spring, line)
    order(spring, "V", meant if meant.startswith("expense") else f"expense 1: {meant}")
    assert "expense 2: " in refused(spring, line)


@pytest.mark.parametrize("line", ["cancel A pad - vic", "annulla A pad - vic", "anula A pad - vic"])
def test_an_order_that_is_taken_back_in_a_campaign_is_told_to_hold(spring: House, line) -> None:
    """That is what a unit without an order does; for one that is not on file nothing is told."""
    assert "Did you mean: A Padua H" not in refused(spring, line)
    order(spring, "V", "A pad - vic")

    assert "Did you mean: A Padua H" in refused(spring, line)


def test_a_build_that_is_taken_back_is_told_what_to_send_again(adjustment: House) -> None:
    """Only CLEAR drops it; the others are named, so that none is lost."""
    order(adjustment, "V", "maintain A pad, A ver", "build G Padua", "build G Treviso")
    told = refused(adjustment, "cancel build G Padua")

    assert "send CLEAR, and below it maintain A Padua, maintain A Verona, build G Treviso" in told
    order(adjustment, "V", "CLEAR", "maintain A Padua, maintain A Verona, build G Treviso")
    on_file = [line.canonical for line in adjustment.view().order_sets["V"].lines]
    assert on_file == ["maintain A pad", "maintain A ver", "build G trv"]


def test_a_unit_that_is_kept_is_taken_back_by_removing_it(adjustment: House) -> None:
    """And the other way round."""
    order(adjustment, "V", "maintain A pad", "remove A ver")

    assert "Did you mean: remove A Padua" in refused(adjustment, "cancel maintain A pad")
    assert "Did you mean: maintain A Verona" in refused(adjustment, "cancel remove A ver")


def test_uneject_is_not_answered_with_eject(spring: House) -> None:
    """It is the other name of REINSTATE, and says that nobody was ejected."""
    sent = write(spring, MASTER, "SIGNON Mborgia masterkey", "UNEJECT Venice")
    told = " ".join(answer(sent, MASTER).split())

    assert "Nobody who was ejected is meant by 'Venice'" in told
    assert "EJECT Venice" not in told.partition("NOT TAKEN")[2].replace("UNEJECT Venice", "")
