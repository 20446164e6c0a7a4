"""Comments behind orders: ignored where they are harmless, and only there."""

import pytest

from machjudge.adjudicator.moments import Stage
from machjudge.language import Fault
from tests.cases import cases


@cases
def test_harmless_remark_is_ignored_and_shown(read, text: str, ignored: str) -> None:
    """The order stands, and the answer can say what was not read."""
    parsed = read(text)

    assert len(parsed.understood) == 1
    assert (parsed.refused, parsed.ignored) == ((), ignored)


@cases
def test_remark_that_might_be_an_order_is_not_ignored(read, text: str) -> None:
    """A place, a power or an order word in it makes the line a problem."""
    (problem,) = read(text).said

    assert problem.fault in (Fault.LEFT_OVER, Fault.UNEXPECTED)


@pytest.mark.parametrize("text", ["# A per h", "// A per h", "  # anything, and A bol h"])
def test_whole_line_may_be_a_remark(read, text: str) -> None:
    """Nothing is cut in half when nothing stands before the sign."""
    parsed = read(text)

    assert (parsed.said, parsed.ignored) == ((), text.strip())


def test_announced_remark_does_not_hide_a_problem(read) -> None:
    """The order before it is read as if the remark were not there."""
    parsed = read("A Pergia h # note")

    assert [one.found for one in parsed.refused] == ["Pergia"]
    assert parsed.ignored == "# note"


def test_remark_alone_without_announcement_is_a_problem(read) -> None:
    """Brackets around prose are no comment line, for nobody says so."""
    assert read("please (do it)").refused


def test_only_the_first_signs_are_tried(read) -> None:
    """A line of brackets costs no more than eight attempts."""
    assert read("A per h" + " (per" * 9 + " (x").refused


def test_unit_with_a_remark_is_maintained(canonical) -> None:
    """A bare unit is an order in the adjustment."""
    assert canonical("A par (the good one)", Stage.ADJUSTMENT) == ["maintain A par"]


@pytest.mark.parametrize(
    "text", ["A per h, suport", "A per h, Urbno", "A per - urb - Napls", "A per h, bol"]
)
def test_a_slip_behind_an_order_is_no_name(read, text: str) -> None:
    """What looks like a word of orders or a place is never passed over."""
    assert read(text).refused
