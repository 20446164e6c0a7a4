"""The drawn outlines of a board and places of its symbols, from ``ID.shapes.json``."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from machjudge.adjudicator.board import Board
from machjudge.adjudicator.names import Coast, PlaceId
from machjudge.map_files.board import COASTS, note_unknown
from machjudge.map_files.toml_reader import (
    BrokenMap,
    FileFault,
    FileTable,
    Findings,
    read_text,
)

_PATH = re.compile(r"[MmLlHhVvZz0-9 ,.-]*")
_WIDEST = 9999


class Point(NamedTuple):
    """A point of the drawing; y grows downwards."""

    x: int
    y: int

    def moved(self, x: int, y: int) -> "Point":
        """Return the point moved right and down."""
        return Point(self.x + x, self.y + y)


@dataclass(frozen=True, slots=True)
class Outline:
    """The outline of a place, and the points of its symbols."""

    path: str
    """SVG path data."""
    unit: Point
    """The point of an army or fleet; fleets on a named coast are in *coasts*."""
    label: Point
    marks: Point
    """The point of the first mark, such as a famine's."""
    city: Point | None
    coasts: Mapping[Coast, Point]


@dataclass(frozen=True, slots=True, eq=False)
class Shapes:
    """The drawing of a board; each equals itself alone, so that others may remember it."""

    width: int
    height: int
    places: Mapping[PlaceId, Outline]
    land: str
    """SVG path data of the land beyond the board."""
    water: str
    """SVG path data of waters that are no sea of the board."""
    straits: tuple[Point, ...]
    bridges: tuple[Point, ...]
    """Passages for armies between provinces over water."""
    crossings: tuple[Point, ...] = ()
    """The same for fleets only."""


def load_shapes(file: Path, board: Board) -> Shapes:
    """Return the shapes of a board.  Raises BrokenMap with all faults."""
    try:
        document = json.loads(read_text(file))
    except (ValueError, RecursionError) as error:
        raise BrokenMap([FileFault(str(file), None, "", f"not valid JSON: {error}")]) from error
    if not isinstance(document, dict):
        raise BrokenMap([FileFault(str(file), None, "", "not a JSON object")])
    table = FileTable(document, "", Findings(str(file)))
    shapes = _read_shapes(table, board)
    table.close()
    table.findings.raise_if_any()
    return shapes


def _read_shapes(table: FileTable, board: Board) -> Shapes:
    table.plain("about")
    size = _point(table, "size") or Point(1, 1)
    group = table.table("places")
    places = {}
    for key in group.all_keys():
        if key not in board.places:
            note_unknown(group, key, key, board.places)
        places[PlaceId(key)] = _read_outline(group.table(key))
    for place in board.places:
        if place not in places:
            group.note(place, "this place has no outline")
    return Shapes(
        width=size.x,
        height=size.y,
        places=places,
        land=_path(table, "land"),
        water=_path(table, "water"),
        straits=_points(table, "straits"),
        bridges=_points(table, "bridges"),
        crossings=_points(table, "crossings") if table.has("crossings") else (),
    )


def _read_outline(table: FileTable) -> Outline:
    unit = _point(table, "unit") or Point(0, 0)
    below = table.table("coasts")
    coasts = {coast: _point(below, coast) for coast in COASTS if below.has(coast)}
    below.close()
    outline = Outline(
        path=_path(table, "path"),
        unit=unit,
        label=_point(table, "label") or unit,
        marks=(_point(table, "marks") if table.has("marks") else None) or unit.moved(30, 0),
        city=_point(table, "city") if table.has("city") else None,
        coasts={coast: point for coast, point in coasts.items() if point is not None},
    )
    table.close()
    return outline


def _path(table: FileTable, key: str) -> str:
    value = table.plain(key)
    if isinstance(value, str) and _PATH.fullmatch(value):
        return value
    table.note(key, "SVG path data is needed here")
    return ""


def _point(table: FileTable, key: str) -> Point | None:
    before = len(table.findings)
    numbers = table.numbers(key, most=_WIDEST)
    if len(numbers) == len(Point._fields):
        return Point(*numbers)
    if len(table.findings) == before:
        table.note(key, "a point is needed here, such as [120, 340]")
    return None


def _points(table: FileTable, key: str) -> tuple[Point, ...]:
    items = table.items(key)
    points = (_point(items, number) for number in items.all_keys())
    return tuple(point for point in points if point is not None)
