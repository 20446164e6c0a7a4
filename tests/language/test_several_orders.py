"""Several orders on a line: all of them are read."""

import pytest

from machjudge.adjudicator.model.moments import Stage
from machjudge.language import Fault, write

ADJUSTMENT = Stage.ADJUSTMENT


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("A Per h, A Bol h", ["A per h", "A bol h"]),
        ("A Per h; A Bol h;", ["A per h", "A bol h"]),
        ("A Per h. A Bol h.", ["A per h", "A bol h"]),
        ("A Per h.A Bol h", ["A per h", "A bol h"]),
        ("A Per h & A Bol h", ["A per h", "A bol h"]),
        ("A Per h and A Bol h and ally venice", ["A per h", "A bol h", "ally Venice"]),
        ("A. Per. - Urb. A. Bol. h.", ["A per - urb", "A bol h"]),
        ("G per c a. A bol h", ["G per c a", "A bol h"]),
        ("A per b g. A bol b.", ["A per b", "A bol b"]),
        ("ally milan, venice and pap", ["ally Milan", "ally Venice", "ally Papacy"]),
        ("ally milan, venice. A per h", ["ally Milan", "ally Venice", "A per h"]),
        ("ally milan, A per h, per - urb", ["ally Milan", "A per h", "per - urb"]),
        ("don't allow milan, venice", ["unally Milan", "unally Venice"]),
        ("ally with V, allow I", ["ally Venice", "ally Milan"]),
        ("disband A per, A bol, A mil h", ["A per disband", "A bol disband", "A mil h"]),
        ("A per s A bol, and A bol h", ["A per s A bol", "A bol h"]),
        ("A mil, h", ["A mil h"]),
        ("A ven - bar, via uas - las", ["A ven - uas - las - bar"]),
        ("e1: buy G sie, 9 d, e2: none", ["expense 1: 9 ducats buy G sie", "expense 2: none"]),
        ("e1: 9 d, e2: none", ["expense 2: none"]),
        (", ,A per h,,", ["A per h"]),
    ],
)
def test_every_order_of_a_line_is_read(read, classic, text: str, orders: list[str]) -> None:
    """Commas, semicolons, "and", "&" and full stops part orders; lists go on behind them."""
    assert [write(order, classic) for order in read(text).understood] == orders


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("build A par, F gen, G mil", ["build A par", "build F gen", "build G mil"]),
        ("remove A par, F gen", ["remove A par", "remove F gen"]),
        ("r A par; m F gen", ["remove A par", "maintain F gen"]),
        ("A par, F gen, G mil", ["maintain A par", "maintain F gen", "maintain G mil"]),
        ("A par. F gen.", ["maintain A par", "maintain F gen"]),
        (
            "maintain A par and gen, remove G mil",
            ["maintain A par", "maintain gen", "remove G mil"],
        ),
        ("A par, build F gen, em A mil", ["maintain A par", "build F gen", "build em A mil"]),
        (
            "build A par, F gen, remove A mil, pav",
            [
                "build A par",
                "build F gen",
                "remove A mil",
                "remove pav",
            ],
        ),
    ],
)
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
