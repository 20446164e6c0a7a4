"""Outlines as polygons, and frames: the shown parts of a board."""

import re
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import ceil
from typing import NamedTuple

from machjudge.adjudicator.names import PlaceId
from machjudge.map_files.shapes import Point, Shapes

_TOKEN = re.compile(r"[MmLlHhVvZz]|-?(?:\d+\.?\d*|\.\d+)")


class Pixel(NamedTuple):
    """A point of a picture in pixels; y grows downwards."""

    x: float
    y: float

    def moved(self, x: float, y: float) -> "Pixel":
        """Return the point moved right and down."""
        return Pixel(self.x + x, self.y + y)

    def towards(self, other: "Pixel", share: float) -> "Pixel":
        """Return the point at a *share* of the way to another."""
        return Pixel(self.x + (other.x - self.x) * share, self.y + (other.y - self.y) * share)


class Box(NamedTuple):
    """An upright rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """Return right minus left."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Return bottom minus top."""
        return self.bottom - self.top

    @property
    def middle(self) -> Pixel:
        """Return its centre."""
        return Pixel((self.left + self.right) / 2, (self.top + self.bottom) / 2)

    def grown(self, by: float) -> "Box":
        """Return the box with a margin all around."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def overlaps(self, other: "Box") -> bool:
        """Return whether they share more than an edge."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom


def box_around(middle: Pixel, width: float, height: float) -> Box:
    """Return the box of a size around a point."""
    return Box(
        middle.x - width / 2, middle.y - height / 2, middle.x + width / 2, middle.y + height / 2
    )


def box_of(points: Sequence[Pixel]) -> Box:
    """Return the least box of some points, at least one."""
    across, down = [x for x, _ in points], [y for _, y in points]
    return Box(min(across), min(down), max(across), max(down))


Ring = tuple[Pixel, ...]


@lru_cache(maxsize=1024)
def extent_of(path: str) -> Box | None:
    """Return the box of SVG path data, or None without rings."""
    spots = [spot for ring in rings_of(path) for spot in ring]
    return box_of(spots) if spots else None


@lru_cache(maxsize=1024)
def rings_of(path: str) -> tuple[Ring, ...]:
    """Return the closed rings of SVG path data, without repeated points."""
    rings: list[Ring] = []
    ring: list[Pixel] = []
    here, letter = Pixel(0, 0), ""
    pieces = deque(_TOKEN.findall(path))
    while pieces:
        if pieces[0].isalpha():
            letter = pieces.popleft()
            if letter in "MmZz" and ring:
                rings.append(tuple(ring))
                here, ring = ring[0] if letter in "Zz" else here, []
            continue
        here = _next(letter, here, pieces)
        ring.append(here)
        letter = {"M": "L", "m": "l"}.get(letter, letter)
    return tuple(each for each in (*rings, tuple(ring)) if len(each) > 1)


def _next(letter: str, here: Pixel, pieces: deque[str]) -> Pixel:
    own, value = letter.islower(), float(pieces.popleft())
    if letter in "Hh":
        return Pixel(value + own * here.x, here.y)
    if letter in "Vv":
        return Pixel(here.x, value + own * here.y)
    return Pixel(value + own * here.x, float(pieces.popleft()) + own * here.y)


def crossings(rings: Sequence[Ring], high: float, rows: int) -> dict[int, list[float]]:
    """Return where rows' middle lines cross an outline; rows are so *high*."""
    found: dict[int, list[float]] = {}
    for ring in rings:
        before = ring[-1]
        for spot in ring:
            above, below = (before, spot) if before.y < spot.y else (spot, before)
            first = max(0, ceil(above.y / high - 0.5))
            last = min(rows, ceil(below.y / high - 0.5))
            for row in range(first, last):
                share = ((row + 0.5) * high - above.y) / (below.y - above.y)
                found.setdefault(row, []).append(above.x + share * (below.x - above.x))
            before = spot
    return found


WIDTH = 648
"""The width of a message's picture in pixels, which is the widest that it is shown."""
WHOLE = 800
"""The same of a whole board."""
SHOWN = 358
"""The pixels that a telephone of 390 gives it."""
LEAST_NAME = 11
"""The least readable height of letters there."""
SMALL = 600
"""The same in pictures drawn often."""
_SCALES = (0.9375, 0.81, 0.7, 0.6, 0.5)
"""The pixels of a unit of a board 2000 wide: few, as a board is kept in each scale."""
_FLATTEST, _HIGHEST = 0.72, 1.25
_MARGIN = 70.0
_SIZED = 816
"""The width in pixels at which symbols have their natural size."""
_USUAL = 2000


@dataclass(frozen=True, slots=True)
class Frame:
    """The drawn part of a board."""

    box: Box
    """The part, in units of the board."""
    width: int
    size: float
    """The factor of the symbols' size."""
    name_size: int
    """The height of names in pixels."""
    in_full: bool
    """True for full names, False for abbreviations."""
    tagged: bool = False
    """True for letters of owners beside the names of provinces."""
    scale: float = field(init=False)
    """The pixels of a unit of the board, the same for all boxes of a width."""
    height: int = field(init=False)
    """The height in pixels."""
    corner: tuple[int, int] = field(init=False)
    """The upper left pixel, in the whole board at this scale."""

    def __post_init__(self) -> None:
        """Work out what is asked for most."""
        scale = round(self.width / self.box.width, 6)
        object.__setattr__(self, "scale", scale)
        object.__setattr__(self, "height", round(self.box.height * scale))
        corner = round(self.box.left * scale), round(self.box.top * scale)
        object.__setattr__(self, "corner", corner)

    def at(self, point: Point | Pixel) -> Pixel:
        """Return the pixel of a point of the board."""
        scale = self.scale
        return Pixel((point.x - self.box.left) * scale, (point.y - self.box.top) * scale)

    def shows(self, at: Pixel) -> bool:
        """Return whether a pixel is in the picture."""
        return 0 <= at.x <= self.width and 0 <= at.y <= self.height


def whole(shapes: Shapes) -> Frame:
    """Return a frame of the whole board, for a scalable picture."""
    return Frame(_board(shapes), shapes.width, 1.0, 22, in_full=False, tagged=True)


def for_message(shapes: Shapes) -> Frame:
    """Return a frame of the whole board as wide as a message, with abbreviations."""
    return replace(whole(shapes), width=WHOLE, size=0.6, name_size=17, tagged=False)


def half(shapes: Shapes, *, east: bool) -> Frame:
    """Return a frame of a little more than half a board, with names readable on a telephone."""
    across, scale = 560, _SCALES[-1] * _USUAL / shapes.width
    wide = min(across / scale, float(shapes.width))
    left = shapes.width - wide if east else 0.0
    box = _on_pixels(Box(left, 0, left + wide, shapes.height), across / wide)
    return Frame(box, across, across / _SIZED, -(-LEAST_NAME * across // SHOWN), in_full=True)


def near(shapes: Shapes, places: Iterable[PlaceId], across: int = WIDTH) -> Frame:
    """Return a frame of these places, with names readable on a telephone.

    If they are too far apart, of most of them. *across* in pixels.
    """
    boxes = [_box(shapes, place) for place in places if place in shapes.places]
    if not boxes:
        return for_message(shapes)
    points = [box.middle for box in boxes]
    unit = shapes.width / _USUAL
    corners = [Pixel(box.left, box.top) for box in boxes]
    corners += [Pixel(box.right, box.bottom) for box in boxes]
    around = box_of(corners).grown(_MARGIN * unit)
    wanted = max(around.width, around.height / _HIGHEST)
    widths = [across / scale * unit for scale in _SCALES]
    width = min(next((each for each in widths if each >= wanted), widths[-1]), float(shapes.width))
    height = min(max(around.height, width * _FLATTEST), width * _HIGHEST, float(shapes.height))
    is_cut = around.width > width or around.height > height
    middle = _densest(points, width, height) if is_cut else around.middle
    box = _on_pixels(_within(middle, width, height, _board(shapes)), across / width)
    return Frame(box, across, across / _SIZED, -(-LEAST_NAME * across // SHOWN), in_full=True)


def _on_pixels(box: Box, scale: float) -> Box:
    """The box moved to whole pixels of the board at a scale."""
    left, top = int(box.left * scale) / scale, int(box.top * scale) / scale
    return Box(left, top, left + box.width, top + int(box.height * scale) / scale)


def _board(shapes: Shapes) -> Box:
    return Box(0, 0, shapes.width, shapes.height)


def _box(shapes: Shapes, place: PlaceId) -> Box:
    """The box of a place; of a wide one, as a sea, only its middle."""
    outline = shapes.places[place]
    box = extent_of(outline.path) or box_of([Pixel(*outline.unit)])
    most = shapes.width / _USUAL * 150
    x, y = outline.unit
    return Box(
        max(box.left, x - most),
        max(box.top, y - most),
        min(box.right, x + most),
        min(box.bottom, y + most),
    )


def _densest(points: list[Pixel], width: float, height: float) -> Pixel:
    """The middle of a part with the most places, the first of several."""

    def held(middle: Pixel) -> list[Pixel]:
        return [
            each
            for each in points
            if abs(each.x - middle.x) * 2 < width * 0.8
            and abs(each.y - middle.y) * 2 < height * 0.8
        ]

    best = max((held(Pixel(one.x, other.y)) for one in points for other in points), key=len)
    return box_of(best or points).middle


def _within(middle: Pixel, width: float, height: float, board: Box) -> Box:
    """The box around a middle, moved into the board."""
    left = min(max(middle.x - width / 2, board.left), board.right - width)
    top = min(max(middle.y - height / 2, board.top), board.bottom - height)
    return Box(left, top, left + width, top + height)
