"""Boards and scenarios from files: loading, checking and listing them.

Folders come in as arguments; where a program's own maps lie, the settings know.
"""

from machjudge.atlas.boardfile import load_board
from machjudge.atlas.faults import BrokenMap, FileFault
from machjudge.atlas.folders import Atlas
from machjudge.atlas.listing import places_text
from machjudge.atlas.shapes import Shapes, load_shapes
from machjudge.atlas.variants import varied_id

__all__ = [
    "Atlas",
    "BrokenMap",
    "FileFault",
    "Shapes",
    "load_board",
    "load_shapes",
    "places_text",
    "varied_id",
]
