"""What is shown of a line that was not taken: always the order that it is about."""

from hypothesis import given
from hypothesis import strategies as st

from machjudge.messages.layout import KINDS, clean_body, laid
from machjudge.messages.wording import LineError
from tests.judge.house import message_renderer

SAY = message_renderer().say

LONG = (
    "Maintain A Padua; maintain A Verona; maintain F Dalmatia; maintain G Venice; "
    "build F Venice; build citizens' militia A Treviso"
)


def shown(trouble: LineError) -> list[str]:
    """The lines of the receipt, without their marks."""
    return clean_body("\n".join(trouble.lines(SAY))).splitlines()


def test_a_long_line_shows_the_order_that_is_refused() -> None:
    """With signs that more stands around it."""
    start = LONG.index("build F Venice")
    first, reason = shown(LineError(2, LONG, "no room", part=(start, start + 14)))

    assert first == "line 2: … build F Venice …"
    assert reason == "No room."


def test_a_long_order_is_shown_whole() -> None:
    """Where nothing in it is marked, it is broken and not cut."""
    line = "F Western Mediterranean convoys the army of Naples from Sardinia to the city of Tunis"
    *rows, _ = shown(LineError(2, line, "there is no such unit"))

    assert " ".join(row.strip() for row in rows) == f"line 2: {line}"


def test_the_trouble_is_named_once() -> None:
    """A word that the reason has already is not said again."""
    said = LineError(2, "A flo - psaa", 'no place is called "psaa"', column=8, length=4)
    unsaid = LineError(2, "A flo - psaa", "the two places do not touch", column=8, length=4)

    assert len(shown(said)) == 2
    assert shown(unsaid)[-1] == "The trouble is here: psaa"


@given(st.integers(0, 300), st.integers(1, 60), st.integers(0, 300), st.integers(0, 59))
def test_what_is_meant_is_always_seen(before: int, length: int, after: int, offset: int) -> None:
    """Whatever stands around it, the part is shown, and the trouble in it."""
    part = "x" * length
    line = "a" * before + part + "b" * after
    column = before + min(offset, length - 1)
    first, *_ = shown(LineError(1, line, "no", column=column, part=(before, before + length)))

    assert part in first
    assert "a" not in first


def test_only_a_whole_line_is_a_button() -> None:
    """How a line is written has words that are to be filled in, or brackets."""
    usage = LineError(2, "unset wait", "no", instead="SET [NO]WAIT", is_usage=True)
    filled = LineError(2, "set comment", "no", instead="SET COMMENT text", is_usage=True)
    line = LineError(2, "A flo - bo", "no", instead="A Florence - Bologna")
    alone = LineError(2, "redy", "no", instead="READY", is_usage=True)

    assert [_has_button(each) for each in (usage, filled, line, alone)] == [
        False,
        False,
        True,
        True,
    ]


def _has_button(trouble: LineError) -> bool:
    return KINDS["button"] in laid("\n".join(trouble.lines(SAY))).kinds
