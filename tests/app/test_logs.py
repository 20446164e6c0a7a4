"""The log tells what happened, and nothing that anybody wrote."""

import pytest
import structlog

from machjudge.app.working import fault_of, log_to_stderr


@pytest.fixture
def said(capsys):
    """What stands in the log; how it is set up is forgotten afterwards."""
    yield lambda: capsys.readouterr().err
    structlog.reset_defaults()


def test_a_line_says_when_how_grave_and_what(said) -> None:
    """As words that people and programs read."""
    log_to_stderr("info")
    structlog.get_logger().info("mail kept", size=7)

    assert 'level=info event="mail kept" size=7' in said()


def test_what_is_less_grave_is_left_out(said) -> None:
    """As the setting says."""
    log_to_stderr("warning")
    structlog.get_logger().info("mail kept")
    structlog.get_logger().error("message given up")

    assert "mail kept" not in said()


def test_a_fault_is_told_by_kind_and_place_alone(said) -> None:
    """What it says may repeat a password; so may the variables at its place."""
    log_to_stderr("debug")
    password = "gioconda77"
    try:
        int(password)
    except ValueError:
        structlog.get_logger().exception("work interrupted")

    line = said()
    assert "ValueError at test_logs.py:" in line
    assert password not in line
    assert line.count("\n") == 1


def test_a_fault_that_was_never_raised_has_no_place() -> None:
    """It is told all the same."""
    assert fault_of(ValueError("x")) == "ValueError at nowhere"
