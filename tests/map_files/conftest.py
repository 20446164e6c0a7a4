"""The maps that come with the program, loaded once, and a keeper's folder with a small world."""

from pathlib import Path

import pytest

from machjudge.adjudicator.board import Board, Scenario
from machjudge.map_files.folders import Atlas
from tests.map_files.small import BOARD, MAPS, SCENARIO


@pytest.fixture(scope="session")
def maps() -> Path:
    """The folder of the maps that come with the program."""
    return MAPS


@pytest.fixture(scope="session")
def atlas() -> Atlas:
    """The maps that come with the program."""
    return Atlas([MAPS])


@pytest.fixture(scope="session")
def classic(atlas: Atlas) -> Board:
    """The classic board."""
    board = atlas.board("classic")
    assert board is not None
    return board


@pytest.fixture(scope="session")
def standard(atlas: Atlas) -> Board:
    """The board of Diplomacy."""
    board = atlas.board("standard")
    assert board is not None
    return board


@pytest.fixture(scope="session")
def of_1454(atlas: Atlas) -> Scenario:
    """The scenario 1454."""
    scenario = atlas.scenario("1454")
    assert scenario is not None
    return scenario


@pytest.fixture
def keepers_maps(tmp_path: Path) -> Path:
    """A folder as a keeper has it, with the small board and its scenario in it."""
    for kind, name, text in (("boards", "small", BOARD), ("scenarios", "duel", SCENARIO)):
        folder = tmp_path / kind
        folder.mkdir()
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    return tmp_path
