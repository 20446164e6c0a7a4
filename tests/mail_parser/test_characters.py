"""The normal form of a line."""

from hypothesis import given
from hypothesis import strategies as st

from machjudge.mail_parser.lines import (
    plain,
    single_line,
    split_lines,
    undecorated,
    visible,
)
from tests.cases import cases


@cases
def test_signs_have_one_normal_form(written: str, normal: str) -> None:
    """Dashes, arrows, quotation marks, spaces and letters as the grammar expects them."""
    assert plain(written) == normal


@given(st.text(max_size=60))
def test_the_normal_form_of_a_normal_form_is_itself(text: str) -> None:
    """Normalising twice changes nothing more, but for the quotation marks that it bares."""
    normal = plain(text)

    if '"' not in normal and "'" not in normal:
        assert plain(normal) == normal


@given(st.text(st.characters(min_codepoint=33, max_codepoint=126, exclude_characters="\"'")))
def test_an_ascii_word_is_never_changed(word: str) -> None:
    """A password of plain characters stays what it is, inside a line."""
    if word and set(word) - set("-=>"):
        assert plain(f"SIGNON Lborgia {word}") == f"SIGNON Lborgia {word}"


@given(st.text(max_size=100))
def test_single_lines_are_single_and_short(text: str) -> None:
    """Any text becomes one line without control characters."""
    line = single_line(text, 20)

    assert len(line) <= 20
    assert len(line.splitlines()) <= 1


@given(st.text(max_size=60))
def test_lines_are_split_without_loss(text: str) -> None:
    """Nothing but line ends goes lost."""
    kept = "".join(split_lines(text))

    assert kept == "".join(char for char in text if char not in "\r\n\x0b\x0c\u2028\u2029")


def test_typography_stays_visible() -> None:
    """What is only to be shown keeps its quotation marks and dashes."""
    assert visible("  “a” — b\u200b\u202e\x07 ") == "  “a” — b"


@cases
def test_bullets_numbers_and_emphasis_are_taken_off(text: str, bare: str) -> None:
    """What is decoration goes, what may be meant stays."""
    assert undecorated(text) == bare
