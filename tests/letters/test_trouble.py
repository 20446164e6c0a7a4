"""What is shown of a line that was not taken: always the order that it is about."""

from hypothesis import given
from hypothesis import strategies as st

from machjudge.letters.wording.trouble import Trouble
from tests.service.house import stationery

SAY = stationery().say

LONG = (
    "Maintain A Padua; maintain A Verona; maintain F Dalmatia; maintain G Venice; "
    "build F Venice; build citizens' militia A Treviso"
)


def shown(trouble: Trouble) -> tuple[str, ...]:
    """The rows between the line's number and the reason."""
    return trouble.lines(SAY)[1:-1]


def test_a_long_line_shows_the_order_that_is_refused() -> None:
    """With a caret below all of it."""
    start = LONG.index("build F Venice")
    piece, caret = shown(Trouble(2, LONG, "no room", part=(start, start + 14)))

    assert piece.startswith("  … ")
    assert piece[caret.index("^") : caret.rindex("^") + 1] == "build F Venice"


def test_a_long_order_is_shown_whole() -> None:
    """Where nothing in it is marked, it is broken and not cut."""
    line = "F Western Mediterranean convoys the army of Naples from Sardinia to the city of Tunis"
    rows = shown(Trouble(2, line, "there is no such unit"))

    assert " ".join(row.strip() for row in rows) == line
    assert all(len(row) <= 62 for row in rows)


def test_a_line_of_one_order_needs_no_caret() -> None:
    """It is plain what is meant."""
    assert shown(Trouble(2, "A flo - ven", "the two places do not touch")) == ("  A flo - ven",)


@given(st.integers(0, 300), st.integers(1, 60), st.integers(0, 300), st.integers(0, 59))
def test_what_is_meant_is_always_seen(before: int, length: int, after: int, offset: int) -> None:
    """Whatever stands around it, the part and the trouble in it are in the piece, and marked."""
    part = "x" * length
    line = "a" * before + part + "b" * after
    column = before + min(offset, length - 1)
    piece, caret = shown(Trouble(1, line, "no", column=column, part=(before, before + length)))

    assert part in piece
    assert piece[caret.index("^")] == "x"
