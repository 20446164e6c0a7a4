"""Load, check and list boards and scenarios from files in given folders."""

from machjudge.map_files.board import load_board
from machjudge.map_files.folders import Atlas, places_text
from machjudge.map_files.scenario import varied_id
from machjudge.map_files.shapes import Shapes, load_shapes
from machjudge.map_files.toml_reader import BrokenMap, FileFault

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
