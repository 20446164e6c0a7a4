"""What people put around an order makes no difference to it."""

import pytest

from machjudge.adjudicator.moments import Stage
from machjudge.language import parse_order
from tests.cases import cases
from tests.language.boards import lexicon

PLAIN = parse_order("A flo - bol", lexicon("1454"), Stage.CAMPAIGN).said


@cases
def test_an_order_is_read_in_any_dress(line: str) -> None:
    """Quotation marks, emphasis, bars, brackets, exclamation marks, smileys, pictures."""
    parsed = parse_order(line, lexicon("1454"), Stage.CAMPAIGN)

    assert (parsed.said, parsed.ignored) == (PLAIN, "")


def test_each_of_several_orders_may_be_dressed() -> None:
    """A picture behind each of them."""
    parsed = parse_order("A flo - bol 👍, A are h 🛡️, F psa h!", lexicon("1454"), Stage.CAMPAIGN)

    assert (len(parsed.understood), parsed.refused) == (3, ())


def test_a_dress_moves_no_column() -> None:
    """The trouble is where it was written."""
    line = "**👉 A flo - xyzzy**"
    (problem,) = parse_order(line, lexicon("1454"), Stage.CAMPAIGN).refused

    assert line[problem.column :].startswith("xyzzy")


@pytest.mark.parametrize("line", ["build citizens' militia A flo", "remove F flo (sc)"])
def test_signs_that_belong_to_an_order_stay(line: str) -> None:
    """An apostrophe inside it, brackets around a coast."""
    parsed = parse_order(line, lexicon("1454"), Stage.ADJUSTMENT)

    assert not any(problem.found in "'()" for problem in parsed.refused)
