"""The maps that come with the program, as the tests of the atlas have them."""

import pytest

from machjudge.adjudicator.board import Board
from machjudge.map_files.folders import Atlas
from machjudge.map_files.shapes import Shapes
from tests.map_files.conftest import atlas, classic, keepers_maps, of_1454, standard

__all__ = ["atlas", "classic", "keepers_maps", "of_1454", "standard"]


@pytest.fixture(scope="module")
def shapes(atlas: Atlas, classic: Board) -> Shapes:
    """The outlines of the classic board."""
    found = atlas.shapes(classic)
    assert found is not None
    return found
