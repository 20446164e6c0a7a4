"""SAME AS BEFORE gives units the orders of the last campaign again, where they still can."""

import pytest

from tests.judge.house import House, built_once, started
from tests.judge.letters_in import answer, reply, write
from tests.judge.year import OPENING, SPRING, order, play
from tests.messages.test_html import parts
from tests.results_told import tells_results

ANNA = "anna@player.example"


@pytest.fixture
@built_once
def house() -> House:
    """1454 after its first Spring: Florence has moved to Siena and Piombino, Arezzo held."""
    house = started("nodice")
    play(house, OPENING)
    return house


@pytest.mark.parametrize("line", ["SAME AS BEFORE", "same", "Same as last time", "same as last"])
def test_orders_that_can_be_followed_again_are_on_file(house, line) -> None:
    """And those of units that have gone are named."""
    play(house, SPRING)

    told = answer(order(house, "L", line), ANNA)

    assert house.on_file() == ["A are h"]
    assert "cannot be given now: A Florence - Siena; F Pisa - Piombino." in " ".join(told.split())
    assert "NOT TAKEN" not in told


def test_lines_below_change_single_orders(house) -> None:
    """What is written later counts, as always."""
    play(house, SPRING)

    order(house, "L", "SAME", "A are - per", "A sie b")

    assert house.on_file() == ["A are - per", "A sie b"]


def test_last_phase_of_the_kind_counts_across_others(house) -> None:
    """Between two adjustments lie three campaigns; nothing is paid again."""
    holds = dict.fromkeys("IVLPNTAF", ("hold all",))
    play(house, holds, without="L")
    order(house, "L", "hold all", "expense 1: 3 ducats famine relief are")
    play(house, holds)
    play(house, holds)
    assert house.view().state.moment.code == "F1454B"

    order(house, "L", "SAME AS BEFORE")

    assert house.on_file() == ["maintain A are", "maintain A flo", "maintain F psa"]


def test_expenses_are_not_repeated(house) -> None:
    """A bribe is paid where it is written, and nowhere else."""
    holds = dict.fromkeys("IVLPNTAF", ("hold all",))
    play(house, holds, without="L")
    order(house, "L", "hold all", "expense 1: 3 ducats famine relief are")

    order(house, "L", "SAME AS BEFORE")

    assert sorted(house.on_file()) == ["A are h", "A flo h", "F psa h"]


def test_there_is_nothing_before_the_first_phase(house) -> None:
    """It is said so, and nothing is ordered."""
    told = answer(order(house, "L", "SAME AS BEFORE"), ANNA)

    assert house.on_file() == []
    assert "No phase of this kind has been played yet." in told


def test_results_have_a_button_for_it(house) -> None:
    """From the second campaign on; it opens the seat as any answer does."""
    (first,) = [each for each in play(started("nodice"), OPENING) if is_result(each)]
    (results,) = [each for each in play(house, SPRING) if is_result(each)]

    assert "SAME AS BEFORE" not in first.body
    assert "SAME AS BEFORE" in results.body
    assert "body=SAME%20AS%20BEFORE" in parts(results)[1]

    reply(house, results, "SAME AS BEFORE")

    assert house.on_file() == ["A are h"]


def is_result(letter) -> bool:
    """True if Anna reads results in it."""
    return letter.to == ANNA and tells_results(letter.body)


def test_a_spectator_orders_nothing(house) -> None:
    """Only who leads a power may."""
    told = answer(write(house, "nina@player.example", "SAME AS BEFORE"), "nina@player.example")

    assert "SIGNON" in told.upper()
