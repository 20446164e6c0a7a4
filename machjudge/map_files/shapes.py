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
        table = json.loads(read_text(file))
    except (ValueError, RecursionError) as error:
        raise BrokenMap([FileFault(str(file), None, "", f"not valid JSON: {error}")]) from error
    if not isinstance(table, dict):
        raise BrokenMap([FileFault(str(file), None, "", "not a JSON object")])
    sheet = FileTable(table, "", Findings(str(file)))
    shapes = _read_shapes(sheet, board)
    sheet.close()
    sheet.findings.raise_if_any()
    return shapes


def _read_shapes(sheet: FileTable, board: Board) -> Shapes:
    sheet.plain("about")
    size = _point(sheet, "size") or Point(1, 1)
    group = sheet.sheet("places")
    places = {}
    for key in group.all_keys():
        if key not in board.places:
            note_unknown(group, key, key, board.places)
        places[PlaceId(key)] = _read_outline(group.sheet(key))
    for place in board.places:
        if place not in places:
            group.note(place, "this place has no outline")
    return Shapes(
        width=size.x,
        height=size.y,
        places=places,
        land=_path(sheet, "land"),
        water=_path(sheet, "water"),
        straits=_points(sheet, "straits"),
        bridges=_points(sheet, "bridges"),
        crossings=_points(sheet, "crossings") if sheet.has("crossings") else (),
    )


def _read_outline(sheet: FileTable) -> Outline:
    unit = _point(sheet, "unit") or Point(0, 0)
    below = sheet.sheet("coasts")
    coasts = {coast: _point(below, coast) for coast in COASTS if below.has(coast)}
    below.close()
    outline = Outline(
        path=_path(sheet, "path"),
        unit=unit,
        label=_point(sheet, "label") or unit,
        marks=(_point(sheet, "marks") if sheet.has("marks") else None) or unit.moved(30, 0),
        city=_point(sheet, "city") if sheet.has("city") else None,
        coasts={coast: point for coast, point in coasts.items() if point is not None},
    )
    sheet.close()
    return outline


def _path(sheet: FileTable, key: str) -> str:
    value = sheet.plain(key)
    if isinstance(value, str) and _PATH.fullmatch(value):
        return value
    sheet.note(key, "SVG path data is needed here")
    return ""


def _point(sheet: FileTable, key: str) -> Point | None:
    before = len(sheet.findings)
    numbers = sheet.numbers(key, most=_WIDEST)
    if len(numbers) == len(Point._fields):
        return Point(*numbers)
    if len(sheet.findings) == before:
        sheet.note(key, "a point is needed here, such as [120, 340]")
    return None


def _points(sheet: FileTable, key: str) -> tuple[Point, ...]:
    items = sheet.items(key)
    points = (_point(items, number) for number in items.all_keys())
    return tuple(point for point in points if point is not None)
