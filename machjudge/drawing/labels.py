"""Place names: inside their places, beside units, arrows and each other.

Taken cells of four pixels are bits, a row of them a number, so that every name can try some hundred
places.
"""

from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, dist, inf, sqrt

from machjudge.drawing.geometry import Box, Pixel, Ring, box_around, box_of, crossings, rings_of

UPRIGHT, SLANTED = "RobotoCondensed-Bold.ttf", "RobotoCondensed-BoldItalic.ttf"
_MEASURED = 100
"""The size at which letters are measured."""


@cache
def font_files() -> tuple[str, ...]:
    """Return the paths of the fonts."""
    return tuple(str(_file(name)) for name in (UPRIGHT, SLANTED))


@lru_cache(maxsize=4096)
def width_of(text: str, size: float, font: str = UPRIGHT) -> float:
    """Return the width of a text in pixels, at a *size* in pixels."""
    return _font(font).getlength(text) * size / _MEASURED


@cache
def _font(name: str) -> "FreeTypeFont":
    from PIL import ImageFont  # noqa: PLC0415 - not loaded where nothing is drawn

    return ImageFont.truetype(_file(name), _MEASURED, layout_engine=ImageFont.Layout.BASIC)


def _file(name: str) -> Path:
    return Path(__file__).with_name("fonts") / name


CELL = 4
_TRIES = 260
"""The most points tried in a place."""
_LINE = 1.04
"""The line height, in sizes of letters."""


class Canvas:
    """The taken cells of a picture."""

    def __init__(self, width: float, height: float) -> None:
        self.box = Box(0, 0, width, height)
        self._rows = [0] * (ceil(height / CELL) + 1)

    def cover(self, box: Box) -> None:
        """Mark a box as taken."""
        bits = _bits(box.left, box.right)
        for row in self._span(box):
            self._rows[row] |= bits

    def cover_line(self, line: Sequence[Pixel], thick: float) -> None:
        """Mark a line as taken, as a square of its thickness moves along it."""
        half = thick / 2
        for start, end in pairwise(line):
            upper, lower = (start, end) if start.y < end.y else (end, start)
            slope = (lower.x - upper.x) / ((lower.y - upper.y) or 1)
            for row in self._span(Box(0, upper.y - half, 0, lower.y + half)):
                top = max(upper.y, row * CELL - half)
                bottom = min(lower.y, (row + 1) * CELL + half)
                ends = (upper.x + (top - upper.y) * slope, upper.x + (bottom - upper.y) * slope)
                if upper.y == lower.y:
                    ends = (upper.x, lower.x)
                self._rows[row] |= _bits(min(ends) - half, max(ends) + half)

    def cover_area(self, rings: Sequence[Ring]) -> None:
        """Mark an outline as taken."""
        for row, edges in crossings(rings, CELL, len(self._rows)).items():
            edges.sort()
            for left, right in zip(edges[::2], edges[1::2], strict=False):
                self._rows[row] |= _bits(left, right)

    def taken(self, box: Box) -> int:
        """Return the number of taken cells in a box."""
        bits, span = _bits(box.left, box.right), self._span(box)
        return sum([(row & bits).bit_count() for row in self._rows[span.start : span.stop]])

    def has_room(self, around: Box, corner: tuple[int, int], wide: float, high: float) -> bool:
        """Return whether a box about a spot in *around*, moved by its corner, can be inside."""
        (left, top), half, rise = corner, wide / 2, high / 2
        return (
            around.left <= left + self.box.right - half
            and around.right >= left + half
            and around.top <= top + self.box.bottom - rise
            and around.bottom >= top + rise
        )

    def first_free(
        self, spots: Iterable["Priced"], corner: tuple[int, int], wide: float, high: float
    ) -> "Spot | None":
        """Return the first spot where a box in the picture covers nothing, or None.

        The spot is moved by the picture's corner. As nothing else is asked so often, this asks
        nobody.
        """
        (left, top), half, rise, rows = corner, wide / 2, high / 2, self._rows
        first_x, last_x = left + half, left + self.box.right - half
        first_y, last_y = top + rise, top + self.box.bottom - rise
        for cost, (x, y) in spots:
            if x < first_x or x > last_x or y < first_y or y > last_y:
                continue
            if rows[int(y - top) // CELL] >> int(x - left) // CELL & 1:
                continue
            start = int(x - first_x) // CELL
            bits = ((2 << int(x - left + half) // CELL - start) - 1) << start
            for row in rows[int(y - first_y) // CELL : int(y - top + rise) // CELL + 1]:
                if row & bits:
                    break
            else:
                return cost, Pixel(x - left, y - top)
        return None

    def least_covering(
        self, spots: Iterable["Priced"], corner: tuple[int, int], wide: float, high: float
    ) -> "Spot | None":
        """Return the spot where a box in the picture costs least, and what it costs, or None.

        Spots with the least costs come first; each cell that it covers costs more than any
        distance, and the middle lies on a free one.
        """
        (left, top), half, rise, rows = corner, wide / 2, high / 2, self._rows
        first_x, last_x = left + half, left + self.box.right - half
        first_y, last_y = top + rise, top + self.box.bottom - rise
        least, best = inf, None
        for cost, (x, y) in spots:
            if cost >= least:
                break
            if x < first_x or x > last_x or y < first_y or y > last_y:
                continue
            if rows[int(y - top) // CELL] >> int(x - left) // CELL & 1:
                continue
            start = int(x - first_x) // CELL
            bits = ((2 << int(x - left + half) // CELL - start) - 1) << start
            for row in rows[int(y - first_y) // CELL : int(y - top + rise) // CELL + 1]:
                cost += (row & bits).bit_count() * _BLOCKED  # noqa: PLW2901 - it is its cost
            if cost < least:
                least, best = cost, Pixel(x - left, y - top)
        return None if best is None else (least, best)

    def is_taken(self, spot: Pixel) -> bool:
        """Return whether the cell of a pixel is taken."""
        return bool(self._rows[int(spot.y // CELL)] >> int(spot.x // CELL) & 1)

    def shows(self, spot: Pixel) -> bool:
        """Return whether a point is in the picture."""
        return 0 <= spot.x <= self.box.right and 0 <= spot.y <= self.box.bottom

    def has(self, box: Box) -> bool:
        """Return whether a whole box is in the picture."""
        across = self.box.left <= box.left and box.right <= self.box.right
        return across and self.box.top <= box.top and box.bottom <= self.box.bottom

    def _span(self, box: Box) -> range:
        top = int(box.top) // CELL if box.top > 0 else 0
        return range(top, max(top, min(len(self._rows), int(box.bottom // CELL) + 1)))


def _bits(left: float, right: float) -> int:
    first, last = int(left) // CELL if left > 0 else 0, int(right // CELL)
    return ((2 << (last - first)) - 1) << first if last >= first else 0


_BLOCKED = 1000.0
"""The cost of a covered cell: more than any distance."""
Spot = tuple[float, Pixel]
Priced = tuple[float, tuple[float, float]]
"""A cost and a point, which may be a `Pixel`."""
_Columns = tuple["array[float]", "array[float]", "array[float]"]
"""Costs and points, each number in its column: objects of their own take five times the memory."""


class Label:
    """The name of a place at a scale, and what it may stand on: worked out once for all pictures.

    All in pixels of the whole board, whatever part of it a picture shows.
    """

    def __init__(
        self, texts: Sequence[str], path: str, best: Pixel, scale: float, how: "Lettering"
    ) -> None:
        """Take the texts, the longest first, a place's outline and its name's best point."""
        self.size, self.font, self.over, self.must = how
        self.texts = tuple((text, *self._extent(text)) for text in texts)
        """The texts with their widths and heights, the longest first."""
        self.best = best
        rings = [tuple(Pixel(x * scale, y * scale) for x, y in ring) for ring in rings_of(path)]
        self.around = around = box_of([best, *(spot for ring in rings for spot in ring)])
        self._left, self._top = (int(edge // CELL * CELL) for edge in around[:2])
        self._own = Canvas(around.right - self._left, around.bottom - self._top)
        moved = [tuple(each.moved(-self._left, -self._top) for each in ring) for ring in rings]
        self._own.cover_area(moved)
        inside = filter(self._holds, (best, *_spread(around)))
        spots = (*inside, *_beside(around, self.size))
        self._spots = _columns([(min(dist(spot, best), 600) * 0.5, spot) for spot in spots])
        self.spread = box_of(spots)
        """The box of all points that its name may stand on."""
        self._ranked: dict[int, _Columns] = {}

    def spots(self, text: int) -> Iterator[Priced]:
        """Return the points for a text, by number, with the least costs first.

        They lie in the place and, if it is small, beside it; their distance costs, and what hangs
        over the border.  Only the shortest text, the last one, has points where too much does.
        """
        if text not in self._ranked:
            _, wide, high = self.texts[text]
            most = inf if text == len(self.texts) - 1 else _BLOCKED
            priced = (
                (way + self._border(spot, wide, high), spot) for way, spot in _rows(self._spots)
            )
            self._ranked[text] = _columns(sorted(each for each in priced if each[0] < most))
        return _rows(self._ranked[text])

    def _border(self, spot: tuple[float, float], wide: float, high: float) -> float:
        """What it costs that a text hangs over the border."""
        box = box_around(Pixel(spot[0] - self._left, spot[1] - self._top), wide, high)
        over = max(0.0, 1 - self._own.taken(box) / max(1.0, wide * high / CELL / CELL))
        return over * 300 + (8 * _BLOCKED if over > self.over else 0)

    def _holds(self, spot: Pixel) -> bool:
        return self._own.is_taken(spot.moved(-self._left, -self._top))

    def _extent(self, text: str) -> tuple[float, float]:
        lines = text.split("\n")
        wide = max(width_of(line, self.size, self.font) for line in lines)
        return wide + 4, self.size * (0.86 + _LINE * (len(lines) - 1))


def _columns(rows: Sequence[Priced]) -> _Columns:
    return (
        array("d", [cost for cost, _ in rows]),
        array("d", [x for _, (x, _) in rows]),
        array("d", [y for _, (_, y) in rows]),
    )


def _rows(columns: _Columns) -> Iterator[Priced]:
    costs, across, down = columns
    return zip(costs, zip(across, down, strict=True), strict=True)


class Lettering(NamedTuple):
    """How a name is written."""

    size: int
    font: str = UPRIGHT
    over: float = 0.35
    """How much may hang over the border of its place."""
    must: bool = False
    """True if it is written even without room."""


def _spread(around: Box) -> Iterator[Pixel]:
    """Points all over a box."""
    step = max(7.0, sqrt(around.width * around.height / _TRIES))
    for down in range(int(around.height / step)):
        for across in range(int(around.width / step)):
            yield Pixel(around.left + step * (across + 0.5), around.top + step * (down + 0.5))


def _beside(around: Box, size: int) -> list[Pixel]:
    """Points around a small place; none around a large one."""
    if min(around.width, around.height) > 5 * size:
        return []
    room, middle = around.grown(size * 0.8), around.middle
    across = (room.left, middle.x, room.right)
    return [Pixel(x, y) for y in (room.top, middle.y, room.bottom) for x in across]


@dataclass(frozen=True, slots=True)
class Placed:
    """A placed text, in pixels of the picture."""

    name: Label
    text: str
    middle: Pixel
    width: float
    height: float

    @property
    def box(self) -> Box:
        """Return its box."""
        return box_around(self.middle, self.width, self.height)

    def lines(self) -> list[tuple[str, Pixel]]:
        """Return each line with the middle of its base."""
        lines = self.text.split("\n")
        size = self.name.size
        top = self.middle.y - size * _LINE * (len(lines) - 1) / 2
        return [
            (line, Pixel(self.middle.x, top + size * (0.355 + _LINE * number)))
            for number, line in enumerate(lines)
        ]


def place_names(sheet: Canvas, names: Iterable[Label], corner: tuple[int, int]) -> list[Placed]:
    """Return the placed names, earlier ones first.

    *sheet* has the taken cells of a picture, *corner* is its upper left pixel in the whole board.
    """
    placed = []
    for name in names:
        one = _place(sheet, name, corner)
        if one is not None:
            sheet.cover(one.box)
            placed.append(one)
    return placed


def _place(sheet: Canvas, name: Label, corner: tuple[int, int]) -> Placed | None:
    """The longest text that fits; else the shortest where it covers least.

    A place of which only a rim is in the picture has no name that does not fit.
    """
    found: Placed | None = None
    for number, (text, wide, high) in enumerate(name.texts):
        cost, spot = _cheapest(sheet, name, number, corner)
        if spot is not None:
            found = Placed(name, text, spot, wide, high)
            if cost < _BLOCKED:
                return found
    best = name.best.moved(-corner[0], -corner[1])
    if name.must:
        return found or Placed(name, name.texts[-1][0], best, *name.texts[-1][1:])
    return found if sheet.shows(best) else None


def _cheapest(
    sheet: Canvas, name: Label, text: int, corner: tuple[int, int]
) -> tuple[float, Pixel | None]:
    """The cheapest spot in the picture for a text, by number, and its cost.

    Covered cells cost more than any distance. Only the shortest text, the last one, may cover any.
    """
    _, wide, high = name.texts[text]
    if not sheet.has_room(name.spread, corner, wide, high):
        return inf, None
    find = sheet.least_covering if text == len(name.texts) - 1 else sheet.first_free
    return find(name.spots(text), corner, wide, high) or (inf, None)


@cache
def split_in_two(text: str) -> str:
    """Return the text on two lines of similar length; a single word as it is."""
    words = text.split()
    if len(words) == 1:
        return text
    cuts = range(1, len(words))
    cut = min(cuts, key=lambda n: max(len(" ".join(words[:n])), len(" ".join(words[n:]))))
    return " ".join(words[:cut]) + "\n" + " ".join(words[cut:])
