"""Several orders on a line: all of them are read."""

import pytest

from machjudge.adjudicator.moments import Stage
from machjudge.language import Fault, write
from tests.cases import cases

ADJUSTMENT = Stage.ADJUSTMENT


@cases
def test_every_order_of_a_line_is_read(read, classic, text: str, orders: list[str]) -> None:
    """Commas, semicolons, "and", "&" and full stops part orders; lists go on behind them."""
    assert [write(order, classic) for order in read(text).understood] == orders


@cases
def test_lists_of_adjustments_go_on(canonical, text: str, orders: list[str]) -> None:
    """What is to be removed must not be maintained because of a comma."""
    assert canonical(text, ADJUSTMENT) == orders


def test_one_bad_order_does_not_cost_the_others(read, classic) -> None:
    """The problem stands between the orders."""
    said = read("A per - urb, A bolx - fer; F anc h").said

    assert [getattr(one, "fault", None) for one in said] == [None, Fault.NO_PLACE, None]


@pytest.mark.parametrize(
    "text", ["A per h, s A bol", "A per h, - urb", "A mil h A pav", "A per h, !", "A mil, A pav"]
)
def test_half_an_order_is_worse_than_none(read, text: str) -> None:
    """What cannot begin an order belongs to the one before, which falls with it."""
    parsed = read(text)

    assert parsed.refused
    assert not parsed.understood


def test_sum_of_problems_in_prose_is_one(read) -> None:
    """A sentence with commas is no list of orders; one answer is enough."""
    assert len(read("Dear master, could you tell me, please, when the deadline is").said) == 1


@pytest.mark.parametrize("text", ["", "   ", "\t", ",;,"])
def test_empty_line_says_nothing(read, text: str) -> None:
    """No order and no problem."""
    assert read(text).said == ()
