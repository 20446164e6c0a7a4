"""Long work tells a terminal how far it has come, and a file or a pipe nothing."""

import io
import sys

import pytest

from machjudge.cli.games import with_progress


class Terminal(io.StringIO):
    """What is shown, and whether it is a terminal."""

    def __init__(self, *, is_terminal: bool) -> None:
        super().__init__()
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        """Whether somebody looks at it."""
        return self._is_terminal


def test_a_terminal_shows_how_much_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the whole; every piece comes out as it went in."""
    shown = Terminal(is_terminal=True)
    monkeypatch.setattr(sys, "stderr", shown)

    assert [*with_progress(iter("abcd"), 4, "Letters")] == ["a", "b", "c", "d"]
    assert "Letters" in shown.getvalue()
    assert "100%" in shown.getvalue()


@pytest.mark.parametrize("stream", [Terminal(is_terminal=False), None])
def test_elsewhere_nothing_is_shown(monkeypatch, stream) -> None:
    """A log holds results, no bars; and without a stream the work goes on."""
    monkeypatch.setattr(sys, "stderr", stream)

    assert [*with_progress(iter("abcd"), 4, "Letters")] == ["a", "b", "c", "d"]
    assert stream is None or stream.getvalue() == ""
