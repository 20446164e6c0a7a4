"""Lines are cut into words whatever the typography."""

import pytest

from machjudge.language.words import cut, cut_order, fold, line_of
from tests.cases import cases


@cases
def test_line_is_cut_into_plain_words(text: str, words: list[str]) -> None:
    """Dashes, arrows, quotes, accents and wide letters become plain ones."""
    assert [word.text for word in line_of(text).words()] == words
    assert cut(fold(text)) == words


@pytest.mark.parametrize(
    "text", ["* a", "- a", "• a", "1. a", "12) a", "(3) a", "a) a", "  * a", "‣ a", "*a"]
)
def test_bullet_is_no_word(text: str) -> None:
    """Bullets and numbers in front of a line are not read."""
    assert [word.text for word in line_of(text).words()] == ["a"]


@pytest.mark.parametrize("text", ["*", "- ", "1. "])
def test_bullet_alone_stays(text: str) -> None:
    """A line of nothing but a bullet is not taken for an empty one."""
    assert line_of(text).words()


def test_quick_way_drops_bullets_too() -> None:
    """Lines of ASCII lose case and bullet without columns being counted."""
    assert cut_order("A Per h") == ["a", "per", "h"]
    assert cut_order("1. A Per h") == ["a", "per", "h"]


def test_columns_are_those_of_the_original() -> None:
    """A ligature or a letter with accent does not shift what follows."""
    line = line_of("ﬁ à urb")
    last = line.words()[-1]

    assert line.plain == "fi a urb"
    assert line.column(last.start) == 4
    assert line.between(last.start, last.end) == "urb"
    assert line.column(99) == 7


def test_columns_of_plain_lines_are_their_own() -> None:
    """Without typography nothing is shifted; behind the end is the end."""
    assert line_of("abc").column(2) == 2
    assert line_of("abc").column(9) == 3
