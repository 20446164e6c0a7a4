"""``machjudge what-if``: other orders in a phase of an exported game."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from machjudge.cli import main
from tests.cli.test_verify import file, game

__all__ = ["file"]


def run(*arguments: object, orders: str = "") -> Result:
    """Call the command with orders on its standard input."""
    return CliRunner().invoke(main, ["what-if", *map(str, arguments)], input=orders)


def campaign() -> str:
    """The code of a campaign in that game."""
    return next(each.moment for each in game().phases if each.moment.endswith("M") and each.orders)


def test_other_orders_are_played_beside_those_of_the_game(file: Path) -> None:
    """What is tried is told first, then what would have happened."""
    result = run(file, campaign(), orders="Venice:\nG ven h\n")

    assert result.exit_code == 0, result.output
    assert "ORDERS TRIED\n  Venice\n    G Venice H\n" in result.output
    assert "As on file: " in result.output
    assert "MOVEMENT" in result.output


def test_a_file_of_orders_is_read(file: Path, tmp_path: Path) -> None:
    """Lines that are no orders are named, and the others tried."""
    orders = tmp_path / "orders"
    orders.write_text("Venice: G ven h\nwhat nonsense\n")

    result = run(file, campaign(), orders)

    assert "line 2, what nonsense: this is no order" in result.output


@pytest.mark.parametrize("phase", ["F1999M", "nonsense"])
def test_a_phase_that_was_not_played_is_refused_with_those_that_were(
    file: Path, phase: str
) -> None:
    """In one line."""
    result = run(file, phase)

    assert result.exit_code == 2
    assert f"there is no phase {phase} in the game; there are " in result.output
    assert campaign() in result.output


def test_a_file_that_is_no_game_is_refused(tmp_path: Path) -> None:
    """As verify says it."""
    (tmp_path / "game").write_text("Dear Lucia")

    result = run(tmp_path / "game", "S1454M")

    assert result.exit_code == 2
    assert "is broken" in result.output
