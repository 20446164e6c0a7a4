"""What docs/export.md says of the format is true, and nothing is missing from it."""

import dataclasses
import json
import re
from pathlib import Path

from machjudge.adjudicator.state import State
from machjudge.formats.game_file import FORMAT, VERSION, chronicle_lines
from tests.games.chronicles import chronicle_of
from tests.games.game import Deal
from tests.games.variations import with_everything

PAGE = (Path(__file__).parents[2] / "docs" / "export.md").read_text(encoding="utf-8")
GAME = Deal("1454", 4, chosen=with_everything())
DOCUMENT = json.loads("\n".join(chronicle_lines(chronicle_of(GAME, 3))))


def named(names: list[str]) -> list[str]:
    """Those that no row of a table is about."""
    heads = re.findall(r"^\| (`[^|]+`) \|", PAGE, re.MULTILINE)
    rows = {name for head in heads for name in re.findall(r"`(\w+)`", head)}
    return [name for name in names if name not in rows]


def test_every_field_of_the_file_stands_there() -> None:
    """Of the game, of a phase, and of a position."""
    assert named(list(DOCUMENT)) == []
    assert named(list(DOCUMENT["phases"][0])) == []
    assert named([field.name for field in dataclasses.fields(State)]) == []


def test_fields_within_fields_stand_there() -> None:
    """Of orders, throws, loans and dislodged units."""
    line = next(iter(DOCUMENT["phases"][1]["orders"].values()))[0]
    for name in (*line, *DOCUMENT["phases"][0]["dice"][0], "principal", "retreats", "convert"):
        assert f"`{name}`" in PAGE


def test_format_and_version_stand_there() -> None:
    """As they are written."""
    assert f'`"{FORMAT}"`' in PAGE
    assert f"| `version` | `{VERSION}`" in PAGE


def test_each_field_and_each_phase_has_a_line() -> None:
    """So that a fault is found again in a file of megabytes."""
    lines = list(chronicle_lines(chronicle_of(GAME, 3)))

    assert len(lines) == len(DOCUMENT) - 1 + 3 + 4
    assert all(line.isascii() for line in lines)
    assert [json.loads(line.rstrip(","))["number"] for line in lines[-5:-2]] == [0, 1, 2]
