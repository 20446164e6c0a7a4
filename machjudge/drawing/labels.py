"""Place names: inside their places, beside units, arrows and each other.

Taken cells of four pixels are bits, a row of them a number, so that every name can try some hundred
places.
"""

from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, dist, inf, sqrt

from machjudge.drawing.geometry import Box, Pixel, Ring, box_around, box_of, crossings

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
        """Mark a line as taken."""
        for start, end in pairwise(line):
            steps = max(1, ceil(dist(start, end) / CELL))
            for step in range(steps + 1):
                self.cover(box_around(start.towards(end, step / steps), thick, thick))

    def cover_area(self, rings: Sequence[Ring]) -> None:
        """Mark an outline as taken."""
        for row, edges in crossings(rings, CELL, len(self._rows)).items():
            edges.sort()
            for left, right in zip(edges[::2], edges[1::2], strict=False):
                self._rows[row] |= _bits(left, right)

    def taken(self, box: Box) -> int:
        """Return the number of taken cells in a box."""
        bits, taken = _bits(box.left, box.right), 0
        for row in self._span(box):
            taken += (self._rows[row] & bits).bit_count()
        return taken

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
        top = max(0, int(box.top // CELL))
        return range(top, min(len(self._rows), int(box.bottom // CELL) + 1))


def _bits(left: float, right: float) -> int:
    first, last = max(0, int(left // CELL)), int(right // CELL)
    return ((1 << (last - first + 1)) - 1) << first if last >= first else 0


@dataclass(frozen=True, slots=True)
class Label:
    """A text to be placed."""

    texts: tuple[str, ...]
    """The longest text first; a line end divides its lines."""
    rings: tuple[Ring, ...]
    """The outline of its place in pixels."""
    best: Pixel
    """Its point if nothing is in the way."""
    size: int
    font: str = UPRIGHT
    outside: float = 0.35
    """How much may hang over the border of its place."""
    must: bool = False
    """True if it is written even without room."""

    def box(self, text: str, middle: Pixel) -> Box:
        """Return the box of a text."""
        return box_around(middle, *self.extent(text))

    def extent(self, text: str) -> tuple[float, float]:
        """Return width and height of a text."""
        lines = text.split("\n")
        wide = max(width_of(line, self.size, self.font) for line in lines)
        return wide + 4, self.size * (0.86 + _LINE * (len(lines) - 1))


@dataclass(frozen=True, slots=True)
class Placed:
    """A placed text."""

    name: Label
    text: str
    middle: Pixel

    @property
    def box(self) -> Box:
        """Return its box."""
        return self.name.box(self.text, self.middle)

    def lines(self) -> list[tuple[str, Pixel]]:
        """Return each line with the middle of its base."""
        lines = self.text.split("\n")
        size = self.name.size
        top = self.middle.y - size * _LINE * (len(lines) - 1) / 2
        return [
            (line, Pixel(self.middle.x, top + size * (0.355 + _LINE * number)))
            for number, line in enumerate(lines)
        ]


def place_names(sheet: Canvas, names: Iterable[Label]) -> list[Placed]:
    """Return the placed names, earlier ones first; *sheet* has the taken cells."""
    placed = []
    for name in names:
        one = _place(sheet, name)
        if one is not None:
            sheet.cover(one.box)
            placed.append(one)
    return placed


def _place(sheet: Canvas, name: Label) -> Placed | None:
    """The longest text that fits; else the shortest where it covers least.

    A place of which only a rim is in the picture has no name that does not fit.
    """
    own = Canvas(sheet.box.right, sheet.box.bottom)
    own.cover_area(name.rings)
    spots = _spots(sheet, name, own)
    found: Placed | None = None
    for text in name.texts:
        cost, spot = _cheapest(sheet, own, name, text, spots)
        if spot is not None:
            found = Placed(name, text, spot)
            if cost < _BLOCKED:
                return found
    if name.must:
        return found or Placed(name, name.texts[-1], name.best)
    return found if sheet.shows(name.best) else None


_BLOCKED = 1000.0
"""The cost of a covered cell: more than any distance."""


def _cheapest(
    sheet: Canvas, own: Canvas, name: Label, text: str, spots: Iterable[tuple[float, Pixel]]
) -> tuple[float, Pixel | None]:
    """The cheapest spot and its cost; *spots* are sorted by distance.

    Covered cells, parts over the border, and the distance cost.
    """
    wide, high = name.extent(text)
    cells = max(1.0, wide * high / CELL / CELL)
    least, best = inf, None
    for way, spot in spots:
        if way >= least:
            break
        box = box_around(spot, wide, high)
        if not sheet.has(box):
            continue
        cost = sheet.taken(box) * _BLOCKED + way
        if cost >= least:
            continue
        outside = max(0.0, 1 - own.taken(box) / cells)
        cost += outside * 300 + (8 * _BLOCKED if outside > name.outside else 0)
        if cost < least:
            least, best = cost, spot
    return least, best


def _spots(sheet: Canvas, name: Label, own: Canvas) -> list[tuple[float, Pixel]]:
    """Points spread in a place, the best one included, by distance."""
    around = box_of([spot for ring in name.rings for spot in ring])
    left, right = max(around.left, 0.0), min(around.right, sheet.box.right)
    top, bottom = max(around.top, 0.0), min(around.bottom, sheet.box.bottom)
    if left >= right or top >= bottom:
        return []
    step = max(7.0, sqrt((right - left) * (bottom - top) / _TRIES))
    spots = [
        Pixel(left + step * (across + 0.5), top + step * (down + 0.5))
        for down in range(int((bottom - top) / step) + 1)
        for across in range(int((right - left) / step) + 1)
    ]
    seen = (spot for spot in (name.best, *spots) if sheet.shows(spot))
    free = [spot for spot in seen if own.is_taken(spot) and not sheet.is_taken(spot)]
    return sorted(
        (min(dist(spot, name.best), 600) * 0.5, spot) for spot in (*free, *_beside(name, around))
    )


def _beside(name: Label, around: Box) -> list[Pixel]:
    """Points around a small place; none around a large one."""
    if min(around.width, around.height) > 5 * name.size:
        return []
    room, middle = around.grown(name.size * 0.8), around.middle
    across = (room.left, middle.x, room.right)
    return [Pixel(x, y) for y in (room.top, middle.y, room.bottom) for x in across]


def split_in_two(text: str) -> str:
    """Return the text on two lines of similar length; a single word as it is."""
    words = text.split()
    if len(words) == 1:
        return text
    cuts = range(1, len(words))
    cut = min(cuts, key=lambda n: max(len(" ".join(words[:n])), len(" ".join(words[n:]))))
    return " ".join(words[:cut]) + "\n" + " ".join(words[cut:])
