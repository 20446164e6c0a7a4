"""Names of phases."""

import pytest

from machjudge.language import read_phase


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("S1455M", "S1455M"),
        ("u1455r", "U1455R"),
        ("spring 1455 movement", "S1455M"),
        ("Fall of 1456, builds", "F1456B"),
        ("autumn 1456 adjustment", "F1456B"),
        ("1455 summer retreats", "U1455R"),
        ("retreat summer 1455", "U1455R"),
        ("s 1455 m", "S1455M"),
        ("u 1455 m", "U1455M"),
        ("su 1455 r", "U1455R"),
        ("the spring 1455 campaign phase", "S1455M"),
    ],
)
def test_phase_is_read(text: str, code: str) -> None:
    """A code, or season, year and kind in any order; beginnings suffice."""
    phase = read_phase(text.split())

    assert phase is not None
    assert phase.code == code


@pytest.mark.parametrize(
    "text",
    ["", "S1455", "spring", "spring 1455", "1455 1456 spring", "x 1455 y", "spring fall 1455"],
)
def test_other_words_are_no_phase(text: str) -> None:
    """Not even when a part is missing."""
    assert read_phase(text.split()) is None
