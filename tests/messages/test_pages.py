"""Replays and web pages: what is written on them can be read, by day and by night."""

import re
from pathlib import Path

import pytest

from tests.drawing.seen import contrast

CSS = (Path(__file__).parents[2] / "templates/en/pages.css").read_text(encoding="utf-8")
ON = {
    "ink": ("paper", "desk", "box"),
    "quiet": ("paper", "desk"),
    "brand": ("paper", "desk"),
    "heading": ("paper", "desk"),
}
"""The colours of letters, and what is behind them."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_letters_stand_out(scheme: str) -> None:
    """Contrast 4.5 at least (WCAG 2); the rim of what has the focus 3."""
    light, dark = re.findall(r":root \{(.*?)\}", CSS, re.DOTALL)
    colours = dict(re.findall(r"--(\w+): (#\w{6});", light if scheme == "light" else dark))
    pairs = {(name, ground) for name, grounds in ON.items() for ground in grounds}

    assert {pair for pair in pairs if contrast(colours[pair[0]], colours[pair[1]]) < 4.5} == set()
    assert contrast(colours["edge"], colours["paper"]) >= 3
