"""What docs/maps.md shows and lists is what the program reads."""

import re
from pathlib import Path

import pytest

from machjudge.adjudicator.options import OPTIONS
from machjudge.map_files.board import is_board, load_board
from machjudge.map_files.folders import Atlas
from machjudge.map_files.shapes import load_shapes
from machjudge.map_files.toml_reader import open_table
from tests.map_files.small import scenario_of

DOCS = Path(__file__).parents[2] / "docs" / "maps.md"


@pytest.fixture
def text() -> str:
    """The page."""
    return DOCS.read_text(encoding="utf-8")


@pytest.fixture
def examples(text: str, tmp_path: Path) -> Path:
    """A folder with the board and the scenario of the page."""
    board, scenario = re.findall(r"```toml\n(.*?)```", text, flags=re.DOTALL)
    (tmp_path / "small.toml").write_text(board, encoding="utf-8")
    (tmp_path / "duel.toml").write_text(scenario, encoding="utf-8")
    return tmp_path


def test_the_examples_of_the_page_are_sound(examples: Path) -> None:
    """The board and the scenario can be loaded as they stand there."""
    scenario = Atlas([]).scenario_file(examples / "duel.toml")

    assert is_board(open_table(examples / "small.toml"))
    assert len(load_board(examples / "small.toml").places) == 9
    assert scenario.in_play == ("N", "S")


def test_every_map_that_comes_along_is_listed(text: str, atlas: Atlas) -> None:
    """Each with its title, further ids and powers."""
    rows = [[cell.strip() for cell in line.split("|")] for line in text.split("\n")]
    letters = {row[2].strip("`"): row[4] for row in rows if len(row) == 6}
    boards = {row[2].strip("`") for row in rows if len(row) == 5}

    assert {scenario_of(atlas, name).board.id for name in atlas.scenario_ids()} <= boards
    for name in atlas.scenario_ids():
        assert letters[name] == " ".join(scenario_of(atlas, name).in_play)


def test_every_key_of_the_files_is_explained(text: str, maps: Path) -> None:
    """No key in the files that come along is missing from the page."""
    texts = [file.read_text(encoding="utf-8") for file in maps.glob("*/*.toml")]
    files = [*maps.glob("boards/*.toml"), maps / "new" / "board.toml"]
    keys = {
        key for file in texts for key in re.findall(r"(?:^|[{,] )([a-z_]+) += ", file, re.MULTILINE)
    }
    boards = [load_board(file) for file in files]
    places = {place for board in boards for place in board.places}
    lines = {"austria", "este", "cremona", "england", "germany", "italy", "russia", "spain"}
    lines |= {"florence", "france", "genoa", "milan", "naples", "papacy", "sweden", "turkey"}
    lines |= {"venice", "verona", "durazzo", "marseille", "palermo", "pavia", "pisa", "tunis"}
    lines |= {"shore", "power", "bari", "turin", "rome", "rom", "sal", "tre"}

    missing = {
        key for key in keys - places - lines - OPTIONS.keys() if not re.search(rf"\b{key}\b", text)
    }

    assert not missing


def test_the_keys_of_drawings_are_explained(text: str, maps: Path) -> None:
    """The classic board's drawing uses only what the page lists."""
    file = maps / "boards" / "classic.shapes.json"
    keys = set(re.findall(r'"([a-z]{3,})":', file.read_text(encoding="utf-8")))
    board = load_board(maps / "boards" / "classic.toml")

    assert load_shapes(file, board).width == 2000
    assert {key for key in keys - set(board.places) if f"`{key}`" not in text} == set()
