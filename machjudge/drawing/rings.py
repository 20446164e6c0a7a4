"""Outlines as polygons: the rings of SVG path data, their boxes, and what lies inside them."""

import re
from collections import deque
from collections.abc import Sequence
from functools import lru_cache
from math import ceil
from typing import NamedTuple

_TOKEN = re.compile(r"[MmLlHhVvZz]|-?(?:\d+\.?\d*|\.\d+)")


class Pixel(NamedTuple):
    """A point of a picture in its pixels; y grows downwards."""

    x: float
    y: float

    def moved(self, x: float, y: float) -> "Pixel":
        """The point so much further right and down."""
        return Pixel(self.x + x, self.y + y)

    def towards(self, other: "Pixel", share: float) -> "Pixel":
        """The point at a *share* of the way to another."""
        return Pixel(self.x + (other.x - self.x) * share, self.y + (other.y - self.y) * share)


class Box(NamedTuple):
    """An upright rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """How wide it is."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """How high it is."""
        return self.bottom - self.top

    @property
    def middle(self) -> Pixel:
        """Its middle."""
        return Pixel((self.left + self.right) / 2, (self.top + self.bottom) / 2)

    def grown(self, by: float) -> "Box":
        """The same with a margin all around."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def overlaps(self, other: "Box") -> bool:
        """Whether the two have more than an edge in common."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom


def box_around(middle: Pixel, width: float, height: float) -> Box:
    """The box of that size around a point."""
    return Box(
        middle.x - width / 2, middle.y - height / 2, middle.x + width / 2, middle.y + height / 2
    )


def box_of(points: Sequence[Pixel]) -> Box:
    """The least box that holds some points, of which there is one at least."""
    across, down = [x for x, _ in points], [y for _, y in points]
    return Box(min(across), min(down), max(across), max(down))


Ring = tuple[Pixel, ...]


@lru_cache(maxsize=1024)
def rings_of(path: str) -> tuple[Ring, ...]:
    """The closed rings of SVG path data, without the point that closes each."""
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
    """Where the middle lines of rows cross an outline, by the row; rows are so *high*."""
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
