"""Whatever somebody does to a map file: it loads, or BrokenMap says why not."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from machjudge.map_files.board import load_board
from machjudge.map_files.folders import Atlas
from machjudge.map_files.toml_reader import BrokenMap, FileFault
from tests.map_files.small import BOARD, MAPS, SCENARIO

SNIPPETS = [
    "", " ", '"', "'", "=", "[", "]", "{", "}", "[[", "]]", ",", "#", "\n", "/", "nc", ".", "-1",
    "0", "7", "99999999999999999999", "1.5", "true", "nan", "inf", "1979-05-27", "07:32:00",
    "[]", "{}", '""', '"hil"', '"A hil"', '["N"]', "bay", "cap/nc", "oce", "xyz", "N", "S", "&",
    "[board]", "[scenario]", "[powers.N]", "[[variants]]", "[[strait]]", "[income]", "a = 1",
    "\x00", "\u202e", "é", "\U0001f3f0", "name = 3", 'home = "hil"', 'units = "G hil"',
]  # fmt: skip


@st.composite
def mutated(draw: st.DrawFn, text: str) -> str:
    """The text after one to four changes: pieces or whole lines replaced, moved, doubled, lost."""
    for _ in range(draw(st.integers(1, 4))):
        if draw(st.booleans()):
            start = draw(st.integers(0, len(text)))
            length = draw(st.integers(0, 12))
            text = text[:start] + draw(st.sampled_from(SNIPPETS)) + text[start + length :]
        else:
            lines = text.split("\n")
            source, goal = (draw(st.integers(0, len(lines) - 1)) for _ in range(2))
            moved = lines[source] if draw(st.booleans()) else lines.pop(source)
            lines[goal:goal] = [moved] * draw(st.integers(0, 2))
            text = "\n".join(lines)
    return text


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the small board, for files that are written again and again."""
    folder = tmp_path_factory.mktemp("mutated")
    (folder / "small.toml").write_text(BOARD, encoding="utf-8")
    return folder


def faults(load: Callable[[Path], object], file: Path, text: str) -> tuple[FileFault, ...] | None:
    """What is wrong with a file of that text; None if it loads."""
    file.write_text(text, encoding="utf-8")
    try:
        load(file)
    except BrokenMap as broken:
        return broken.faults
    return None


@given(text=mutated(BOARD))
def test_a_mutated_board_never_raises_anything_else(folder: Path, text: str) -> None:
    """Every fault of a board file is a BrokenMap, and names at least one fault."""
    assert faults(load_board, folder / "board.toml", text) != ()


@given(text=mutated(SCENARIO))
def test_a_mutated_scenario_never_raises_anything_else(folder: Path, text: str) -> None:
    """Every fault of a scenario file is a BrokenMap, and names at least one fault."""
    assert faults(Atlas([]).scenario_file, folder / "scenario.toml", text) != ()


@settings(max_examples=20)
@given(text=mutated((MAPS / "scenarios" / "1454.toml").read_text(encoding="utf-8")))
def test_a_mutated_1454_never_raises_anything_else(atlas: Atlas, folder: Path, text: str) -> None:
    """The same with a file as it is really used, on a real board."""
    assert faults(atlas.scenario_file, folder / "lodi.toml", text) != ()
