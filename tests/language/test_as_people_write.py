"""Lines as people write them: read where they are plain, and refused as a whole where they are not.

``as_people_write.tsv`` has the lines, each with the orders that it says, in the judge's own words.
"""

import csv
from pathlib import Path

import pytest

from machjudge.adjudicator.moments import Stage
from machjudge.language import Fault, parse_order, write
from machjudge.language.lexicon import classes, vocabulary
from machjudge.language.words import SYNONYMS
from tests.cases import cases
from tests.language.boards import lexicon
from tests.messages.said import say

STAGES = {
    "campaign": Stage.CAMPAIGN,
    "retreats": Stage.RETREATS,
    "adjustment": Stage.ADJUSTMENT,
}
with (Path(__file__).parent / "as_people_write.tsv").open(encoding="utf-8") as file:
    LINES = [tuple(row.values()) for row in csv.DictReader(file, delimiter="\t")]
CLASSIC = lexicon("1454")


@pytest.mark.parametrize(("phase", "line", "orders"), LINES)
def test_a_line_is_read_as_it_is_meant(phase: str, line: str, orders: str) -> None:
    """Each of its orders, and nothing else."""
    parsed = parse_order(line, CLASSIC, STAGES[phase])

    assert not parsed.refused
    assert "; ".join(write(order, CLASSIC) for order in parsed.understood) == orders


@cases
def test_half_a_line_is_worse_than_none(phase: str, line: str, found: str) -> None:
    """What is no order by itself takes the whole line with it, and is named."""
    parsed = parse_order(line, CLASSIC, STAGES[phase])

    (problem,) = parsed.refused
    assert not parsed.understood
    assert (problem.fault, problem.found) == (Fault.HALF, found)
    assert "nothing of this line is taken: write every order in full" in say(problem.reason)


def test_the_payment_that_may_be_meant_is_written_out() -> None:
    """One line for each power."""
    (problem,) = parse_order("Pay 5 ducats to Milan and Venice", CLASSIC, Stage.CAMPAIGN).refused

    assert problem.nearest == "Pay 5 ducats to Milan; Pay 5 ducats to Venice"


@pytest.mark.parametrize("removal", ["remove", "removed", "disbanded", "d"])
def test_a_removal_behind_a_list_may_mean_one_or_all(removal: str) -> None:
    """A unit too many kept, or one too many lost: nothing is taken."""
    parsed = parse_order(f"A mil and F gen {removal}", CLASSIC, Stage.ADJUSTMENT)

    (problem,) = parsed.refused
    assert not parsed.understood
    assert problem.fault is Fault.UNCLEAR
    assert problem.found == removal


@cases
def test_a_missing_beginning_is_named(line: str, nearest: str) -> None:
    """An expense without its number, a payment without its verb."""
    (problem,) = parse_order(line, CLASSIC, Stage.CAMPAIGN).refused

    assert problem.nearest == nearest
    assert "the line begins with" in say(problem.reason)


def test_an_unknown_word_is_not_taken_for_another_phase() -> None:
    """``retreat A foo - bar`` has the shape of a campaign's order, but its names are no names."""
    (problem,) = parse_order("xyzzy A bol", CLASSIC, Stage.ADJUSTMENT).refused

    assert problem.fault is not Fault.PHASE


@pytest.mark.parametrize(
    ("name", "coast"),
    [
        *[(name, "nc") for name in ("ProveN", "PROVEN", "proN", "Proven", "ProvenceN", "ProvNC")],
        *[(name, "sc") for name in ("ProveS", "proS", "pro-sc", "pro/s", "pro(s)", "pro/south")],
        *[(name, "nc") for name in ("pro n", "pro north", "pro-n", "pro (n)", "pro (north coast)")],
    ],
)
def test_a_name_with_a_coast_letter_behind_it_is_that_coast(name: str, coast: str) -> None:
    """As in 1978; never the beginning of a longer name."""
    (order,) = parse_order(f"F wgl - {name}", CLASSIC, Stage.CAMPAIGN).understood

    assert write(order, CLASSIC) == f"F wgl - pro/{coast}"


@cases
def test_coast_letters_are_read_on_all_boards(scenario: str, name: str, canonical: str) -> None:
    """For every place with several coasts; a name that is listed stays what it is."""
    board = lexicon(scenario)
    (order,) = parse_order(f"F {name} h", board, Stage.CAMPAIGN).understood

    assert write(order, board) == f"F {canonical} h"


def test_an_s_behind_a_place_with_coasts_is_still_a_support() -> None:
    """Only at the end of a move it is the coast."""
    (support,) = parse_order("F pro s A mar", CLASSIC, Stage.CAMPAIGN).understood
    (move,) = parse_order("F wgl - pro s", CLASSIC, Stage.CAMPAIGN).understood

    assert write(support, CLASSIC) == "F pro s A mar"
    assert write(move, CLASSIC) == "F wgl - pro/sc"


def test_other_words_are_words_of_classes_that_there_are() -> None:
    """None of them is a word of the grammar already."""
    assert set(SYNONYMS.values()) <= set(classes())
    assert not SYNONYMS.keys() & vocabulary().keys()
