"""The map loader: board and scenario files with damage.  They load, or BrokenMap says why not."""

import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

from machjudge.map_files.board import load_board
from machjudge.map_files.folders import Atlas
from machjudge.map_files.toml_reader import BrokenMap
from tests.fuzz.damage import ODD, damaged
from tests.fuzz.trying import Target
from tests.map_files.small import BOARD, MAPS, SCENARIO
from tests.map_files.test_mutated import SNIPPETS

_PIECES = (*(piece.encode() for piece in SNIPPETS), *ODD)
_MARK = b"[board]"


@cache
def _originals() -> tuple[bytes, ...]:
    """The small board and its scenario, and now and then a file as it is really used."""
    real = (MAPS / "scenarios" / "1454.toml", MAPS / "boards" / "classic.toml")
    return (BOARD.encode(), SCENARIO.encode()) * 20 + tuple(each.read_bytes() for each in real)


@cache
def _folder() -> "tempfile.TemporaryDirectory[str]":
    """A folder with the small board, for files that are written again and again."""
    folder = tempfile.TemporaryDirectory()
    (Path(folder.name) / "small.toml").write_text(BOARD, encoding="utf-8")
    return folder


@cache
def _atlas() -> Atlas:
    return Atlas([MAPS])


def make(chance: Random) -> bytes:
    """A damaged file."""
    return damaged(chance.choice(_originals()), chance, _PIECES)


def flaws(raw: bytes) -> Iterator[str]:
    """Whatever is wrong with a file is a BrokenMap, and names at least one fault."""
    file = Path(_folder().name) / "written.toml"
    file.write_bytes(raw)
    for load in (load_board, _atlas().scenario_file):
        try:
            load(file)
        except BrokenMap as broken:
            if not broken.faults:
                yield f"{load.__name__} names no fault"


FILES = Target("maps", 5, make, lambda raw: [*flaws(raw)])
"""The map loader."""
