"""Whatever is mailed, the language answers with values."""

import sys
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from machjudge.adjudicator.moments import Stage
from machjudge.language import parse_command, parse_order, write
from machjudge.language.lexicon import vocabulary
from machjudge.language.orders import OrderReader
from tests.cases import cases
from tests.language.boards import lexicon

CLASSIC = lexicon("1454")
STAGES = st.sampled_from(Stage)
SIGNS = ("12", "0", "3.5", ",", ";", ".", "and", "the", "#", "//", "(", ")", "–", "→", "\x00", "  ")
WORDS = st.sampled_from(
    [*sorted({*vocabulary(), *CLASSIC.place_names(), *CLASSIC.power_names()}), *SIGNS]
)
SALAD = st.lists(WORDS, max_size=14).flatmap(
    lambda words: st.sampled_from([" ", "", "  "]).map(lambda gap: gap.join(words))
)


@given(st.text() | SALAD, STAGES)
def test_any_text_gives_orders_or_problems(text: str, stage: Stage) -> None:
    """No exception, and whatever was understood can be written and read again."""
    parsed = parse_order(text, CLASSIC, stage)

    for order in parsed.understood:
        assert parse_order(write(order, CLASSIC), CLASSIC, stage).said == (order,)


@given(st.text() | SALAD, STAGES)
def test_columns_are_within_the_line(text: str, stage: Stage) -> None:
    """A caret never points beyond the end, and what was found is in the line."""
    for one in parse_order(text, CLASSIC, stage).refused:
        assert 0 <= one.column <= len(one.line)
        found = getattr(one, "found", None) or getattr(one, "text", "")
        assert one.line[one.column :].startswith(found)


@given(st.text() | SALAD, st.sampled_from(["", "set ", "press ", "signon ", "history "]))
def test_any_text_gives_a_command_or_not(text: str, front: str) -> None:
    """No exception, whatever stands behind a keyword."""
    parse_command(front + text)


def calls_for(text: str, stage: Stage) -> int:
    """How often reading a line calls functions, which no other work on the machine changes."""
    calls = 0

    def count(_frame: FrameType, event: str, _: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        parse_order(text, CLASSIC, stage)
    finally:
        sys.setprofile(before)
    return calls


@cases
@pytest.mark.parametrize("stage", Stage)
def test_work_is_bounded(text: str, stage: Stage) -> None:
    """A line as bad as one can write it costs no more than a million calls of functions."""
    assert calls_for(text[:1000], stage) < 1_000_000


def test_many_refused_orders_of_a_line_are_advised_together(monkeypatch) -> None:
    """The line is read again as often as for one of them."""
    readings = []
    read = OrderReader.read
    monkeypatch.setattr(
        OrderReader, "read", lambda self, line: readings.append(line) or read(self, line)
    )

    def again(times: int) -> int:
        readings.clear()
        refused = parse_order("maintaI A per;" + "r;" * times, CLASSIC, Stage.RETREATS).refused
        assert len(refused) == times + 1
        return len(readings)

    assert again(18) == again(1)
    assert again(40) == 1
