"""Names of phases."""

import pytest

from machjudge.language import read_phase
from tests.cases import cases


@cases
def test_phase_is_read(text: str, code: str) -> None:
    """A code, or season, year and kind in any order; beginnings suffice."""
    phase = read_phase(text.split())

    assert phase is not None
    assert phase.code == code


@pytest.mark.parametrize(
    "text",
    [
        "",
        "S1455",
        "spring",
        "winter",
        "winter 1455 spring retreats",
        "1455 1456 spring",
        "x 1455 y",
        "spring fall 1455",
    ],
)
def test_other_words_are_no_phase(text: str) -> None:
    """Not even when a part is missing."""
    assert read_phase(text.split()) is None
