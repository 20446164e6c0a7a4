"""Pictures for messages in pixels, without drawing a board anew for each.

A board is kept in a few scales as two sheets: whose pixel it is, and what ink of a border lies on
it. A part is cut out of them, and the places that somebody controls are pasted on it. Symbols and
names are drawn once by resvg, and pasted as well; so are lines, drawn four times as large and
reduced. What is kept shows a place, a symbol or a line, never a position. All of it is done with
whole numbers, so that every machine makes the same bytes.
"""

import io
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from math import ceil, floor
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL._imaging import ImagingCore

import resvg_py
from PIL import Image, ImageChops, ImageColor, ImageDraw

from machjudge.adjudicator.board import Scenario
from machjudge.adjudicator.names import PlaceId
from machjudge.drawing import marks
from machjudge.drawing.board import BORDER, STRIPE, STRIPE_INK, Picture, draw_part, lettered
from machjudge.drawing.geometry import Box, Frame, Pixel, box_of, extent_of, rings_of
from machjudge.drawing.labels import Label, Placed, font_files
from machjudge.drawing.marks import (
    BEYOND,
    NOBODY,
    SEA,
    STYLE,
    Colours,
    Stamp,
    Stroke,
    Trail,
    bounce_of,
    dashed,
    strokes_of,
)
from machjudge.drawing.png import png_of, written
from machjudge.drawing.scene import Scene
from machjudge.map_files.shapes import Shapes

_MAX_PLACES = 250
"""The places of which a sheet can tell whose a pixel is."""
_MAX_PIXELS = 16_000_000
"""The pixels of the largest sheet; a shipped board has 6.2 million in the largest scale."""


def picture_of(
    shapes: Shapes,
    scene: Scene,
    scenario: Scenario,
    frame: Frame,
    first: Collection[PlaceId] = (),
) -> bytes:
    """Return a part of the board as PNG of the frame's size; names of *first* come first.

    It is what `draw_part` gives as SVG.
    """
    pixels = shapes.width * shapes.height * frame.scale**2
    looks = tuple(marks.colours_of(scenario.powers).values())
    is_small = len(shapes.places) <= _MAX_PLACES and pixels <= _MAX_PIXELS
    if not is_small or not _colouring(looks).is_possible:
        return png_of(draw_part(shapes, scene, scenario, frame, first), frame.width)
    image = Painting(shapes, scene, scenario, frame, first).painted()
    made = b""
    for share, colours, level in _EFFORTS:
        size = round(image.width * share), round(image.height * share)
        less = image if share == 1 else image.resize(size, Image.Resampling.BOX)
        few = less.quantize(palette=_palette(looks, colours), dither=Image.Dither.NONE)
        made = written(few, level)
        if len(made) <= MAX_BYTES:
            break
    return made


MAX_BYTES = 70_000
_EFFORTS = (
    (1, 256, 3),
    (1, 256, 6),
    (1, 256, 8),
    (0.85, 256, 8),
    (0.7, 256, 8),
    (0.55, 64, 8),
    (0.4, 64, 8),
)
"""The share of its width, the most colours, and the level of compression, until it is small."""


Colour = tuple[int, int, int]


def _rgb(colour: str) -> Colour:
    red, green, blue, *_ = ImageColor.getrgb(colour)
    return red, green, blue


def _mixed(below: Colour, above: Colour, share: float) -> Colour:
    """Two colours, the upper one with a *share* of it all."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(below, above, strict=True))
    return red, green, blue


# ---------------------------------------------------------------- the sheets of a board

_INKS = (
    (_rgb(marks.LAND_INK), 0.0),
    *((_rgb(ink), share / 3) for ink in (marks.LAND_INK, marks.WATER_INK) for share in (1, 2, 3)),
)
"""What each level of a border's ink adds to its ground, and how much of it."""
_FEW_INKS = (_INKS[0], (_rgb(marks.LAND_INK), 0.5), _INKS[3], _INKS[6])
_TO_FEW_INKS = (0, 1, 1, 2, 0, 3, 3)
"""The same with harder edges, for games with very many powers."""
_ON_LAND, _ON_WATER = 0, 3
"""The level below the least one of each ink."""
_VALUES = 256
"""The numbers that a pixel can be."""
_FINE = 4
"""How many times as large lines are drawn before they are reduced."""
_BAND = 128
"""The rows of a sheet that are drawn at once."""
_FIRST, _BEYOND, _LAKE = 1, 254, 255
"""The number of the first place, of land beyond the board, and of water that is no sea."""
_ANY = [0, *[255] * 255]
_MAX_PAINTED = 256
"""The places that are kept as painted, of each board and scale."""
_SEA_FILL, _BEYOND_FILL, _FREE_FILL = range(3)
"""The first fills of all pictures."""


class Sheets:
    """A board at a scale without any owners.

    ``places`` has the number of the place at each pixel; ``ground`` the number of a fill times that
    of inks, plus the ink that lies on it.
    """

    def __init__(self, shapes: Shapes, seas: frozenset[PlaceId], scale: float) -> None:
        self.scale = scale
        self._size = round(shapes.width * scale), round(shapes.height * scale)
        lands = [place for place in shapes.places if place not in seas]
        waters = [place for place in shapes.places if place in seas]
        self.numbers: Mapping[PlaceId, int] = {
            place: number for number, place in enumerate((*waters, *lands), _FIRST)
        }
        paths = {number: shapes.places[place].path for place, number in self.numbers.items()}
        self.boxes = {number: self._box(path) for number, path in paths.items()}
        """The box of each place in pixels."""
        paths = {_BEYOND: shapes.land, **paths, _LAKE: shapes.water}
        self.places = self._filled(paths)
        self._areas: dict[int, ImagingCore] = {}
        self._painted: dict[tuple[int, _Fill, _Colouring], ImagingCore] = {}
        own = [self.numbers[place] for place in lands]
        table = [_SEA_FILL] * _VALUES
        for number in own:
            table[number] = _FREE_FILL
        table[_BEYOND] = _BEYOND_FILL
        self.ground = ImageChops.add(
            self.places.point([fill * len(_INKS) for fill in table]),
            self._inked(
                paths,
                ((_BEYOND,), _ON_LAND),
                ([self.numbers[place] for place in waters], _ON_WATER),
                (own, _ON_LAND),
                ((_LAKE,), _ON_WATER),
            ),
        )

    def area(self, number: int) -> "ImagingCore":
        """Return which pixels of a place's box are its own."""
        if number not in self._areas:
            own = self.places.crop(self.boxes[number])
            self._areas[number] = own.point(_among((number,))).im
        return self._areas[number]

    def painted(self, number: int, fill: "_Fill", colouring: "_Colouring") -> "ImagingCore":
        """Return the box of a place in a fill, with the ink on it; the last ones are kept."""
        key = number, fill, colouring
        made = self._painted.pop(key, None) or self._paint(*key).im
        self._painted[key] = made
        if len(self._painted) > _MAX_PAINTED:
            del self._painted[next(iter(self._painted))]
        return made

    def _paint(self, number: int, fill: "_Fill", colouring: "_Colouring") -> Image.Image:
        box, numbers = self.boxes[number], colouring.numbers(fill)
        ink = colouring.ink(self.ground.crop(box))
        if not fill.hatch:
            return ImageChops.add(Image.new("L", ink.size, numbers[0]), ink)
        tile = _tile(fill.hatch, fill.tile, max(1, round(fill.tile * self.scale)))
        return ImageChops.add(_tiled(tile, box, numbers), ink)

    def _inked(self, paths: Mapping[int, str], *layers: tuple[Collection[int], int]) -> Image.Image:
        """The levels of ink of some areas, by number; later ones cover earlier ones."""
        ink = Image.new("L", self._size)
        for numbers, least in layers:
            ink.paste(0, mask=self.places.point(_among(numbers)))
            lines = self._lines([paths[number] for number in numbers], least)
            ink.paste(lines, mask=lines.point(_ANY))
        return ink

    def _box(self, path: str) -> tuple[int, int, int, int]:
        box = extent_of(path) or Box(0, 0, 0, 0)
        left, top, right, bottom = (edge * self.scale for edge in box)
        return int(left), int(top), ceil(right) + 1, ceil(bottom) + 1

    def _filled(self, paths: Mapping[int, str]) -> Image.Image:
        """All areas by number, later ones above earlier ones."""
        double = self._size[0] * 2, self._size[1] * 2
        sheet = Image.new("L", double)
        pen = ImageDraw.Draw(sheet)
        for number, path in paths.items():
            rings = sorted(self._rings(path, 2), key=lambda ring: -abs(_area(ring)))
            holes = [_area(ring) * _area(rings[0]) < 0 for ring in rings]
            if not any(holes):
                for ring in rings:
                    pen.polygon(ring, fill=number)
                continue
            left, top, right, bottom = (2 * edge for edge in self._box(path))
            mask = Image.new("1", (right - left, bottom - top))
            for ring, is_hole in zip(rings, holes, strict=True):
                moved = [(x - left, y - top) for x, y in ring]
                ImageDraw.Draw(mask).polygon(moved, fill=not is_hole)
            sheet.paste(number, (left, top), mask)
        return sheet.resize(self._size, Image.Resampling.NEAREST)

    def _lines(self, paths: Iterable[str], least: int) -> Image.Image:
        """The outlines of some areas as levels above the *least* one."""
        (width, height), thick = self._size, round(BORDER * _FINE)
        rings = [
            (min(y for _, y in ring) - thick, max(y for _, y in ring) + thick, ring)
            for path in paths
            for ring in self._rings(path, _FINE)
        ]
        lines = Image.new("L", self._size)
        for top in range(0, height, _BAND):
            high = min(_BAND, height - top)
            rows = top * _FINE, (top + high) * _FINE
            here = [
                ring for least_y, most_y, ring in rings if least_y < rows[1] and rows[0] < most_y
            ]
            if here:
                fine = Image.new("L", (width * _FINE, high * _FINE))
                for ring in here:
                    _outline(ImageDraw.Draw(fine), ring, thick, rows)
                lines.paste(fine.reduce(_FINE), (0, top))
        levels = [round(taken * 3 / 255) for taken in range(256)]
        return lines.point([level + least if level else 0 for level in levels])

    def _rings(self, path: str, times: int) -> Iterator[list[tuple[int, int]]]:
        """The outline of an area, so many times as large, in whole pixels."""
        by = self.scale * times
        for ring in rings_of(path):
            yield [(round(x * by), round(y * by)) for x, y in ring]


def _among(numbers: Collection[int]) -> list[int]:
    """A table with 255 for each of these numbers."""
    table = [0] * _VALUES
    for number in numbers:
        table[number] = 255
    return table


def _area(ring: Sequence[tuple[int, int]]) -> int:
    """Twice the area within a ring, below 0 if it goes round the other way."""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, [*ring[1:], ring[0]], strict=True))


def _outline(
    pen: ImageDraw.ImageDraw, ring: Sequence[tuple[int, int]], thick: int, rows: tuple[int, int]
) -> None:
    """Draw the edges of a ring that reach a band of rows, with round corners."""
    radius, (top, bottom) = thick // 2, rows
    for (x, y), (to_x, to_y) in pairwise([*ring, ring[0]]):
        if max(y, to_y) + thick >= top and min(y, to_y) - thick <= bottom:
            pen.line((x, y - top, to_x, to_y - top), fill=255, width=thick)
            pen.ellipse((x - radius, y - top - radius, x + radius, y - top + radius), fill=255)


sheets_of = lru_cache(maxsize=16)(Sheets)
"""Return the sheets of a board: its shapes, its seas, a scale.  The last sixteen are kept."""


def forget_sheets(most: int) -> None:
    """Forget the sheets that are kept if there are more of them."""
    if sheets_of.cache_info().currsize > most:
        sheets_of.cache_clear()


# ---------------------------------------------------------------- the colours of a part


@dataclass(frozen=True, slots=True)
class _Fill:
    """What an area is painted with."""

    ground: Colour
    hatch: str = ""
    """SVG of the lines in a tile."""
    tile: int = 24
    """The tile's width, in units of the board."""
    ink: Colour = (0, 0, 0)
    share: float = 0.0
    """How much of its ink a line of the hatching has."""
    shades: int = 2
    """The colours of the hatching: without the weaker one its lines have no soft edges."""

    @property
    def colours(self) -> list[Colour]:
        """Return the ground, then the hatching's colours, the weaker one first."""
        shades = range(1, self.shades + 1) if self.hatch else ()
        return [
            self.ground,
            *(_mixed(self.ground, self.ink, self.share * each / self.shades) for each in shades),
        ]


_FREE = _Fill(_rgb(NOBODY))
_NEUTRAL = _Fill(_rgb(BEYOND), STRIPE, 14, _rgb(STRIPE_INK), 1.0)


class _Colouring:
    """The numbers and colours of all fills in pictures with some powers."""

    def __init__(self, looks: tuple[Colours, ...]) -> None:
        self.inks = _INKS
        plain = [_Fill(_rgb(each)) for each in (SEA, BEYOND, NOBODY)]
        fills = [*plain, _NEUTRAL, *map(_fill_of, looks)]
        self._shades = 2
        if sum(len(fill.colours) for fill in fills) * len(_INKS) > _VALUES:
            self.inks, self._shades = _FEW_INKS, 1
        self._first: dict[_Fill, int] = {}
        self.colours: list[Colour] = []
        for fill in fills:
            self._first.setdefault(fill, len(self.colours))
            self.colours += replace(fill, shades=self._shades).colours
        mixed = (_mixed(colour, *ink) for colour in self.colours for ink in self.inks)
        self.palette = bytes(part for colour in mixed for part in colour)

    @property
    def is_possible(self) -> bool:
        """Return whether all fills have a number."""
        return len(self.palette) <= 3 * _VALUES

    def numbers(self, fill: _Fill) -> bytes:
        """Return the numbers of a fill's ground, and of the weaker and stronger hatching on it."""
        steps = (0, 1, self._shades) if fill.hatch else (0, 0, 0)
        return bytes((self._first[fill] + step) * len(self.inks) for step in steps)

    def bare(self, ground: Image.Image) -> Image.Image:
        """Return a part of a sheet of ground with these inks."""
        if self.inks is _INKS:
            return ground
        fills = (divmod(value, len(_INKS)) for value in range(_VALUES))
        return ground.point(
            [min(fill * len(self.inks) + _TO_FEW_INKS[ink], 255) for fill, ink in fills]
        )

    def ink(self, ground: Image.Image) -> Image.Image:
        """Return the ink alone of a part of a sheet of ground."""
        levels = [value % len(_INKS) for value in range(_VALUES)]
        if self.inks is not _INKS:
            levels = [_TO_FEW_INKS[level] for level in levels]
        return ground.point(levels)


_colouring = lru_cache(maxsize=64)(_Colouring)


@lru_cache(maxsize=256)
def _fill_of(look: Colours) -> _Fill:
    if not look.hatch:
        return _Fill(_rgb(look.ground))
    lines = f'<path class="hatch" stroke="{look.symbol}" d="{look.hatch}"/>'
    return _Fill(_rgb(look.ground), lines, ink=_rgb(look.symbol), share=marks.HATCH_OPACITY)


@lru_cache(maxsize=128)
def _tile(lines: str, size: int, width: int) -> tuple[bytes, ...]:
    """The rows of a hatching's tile, *width* pixels wide: 0, 1 or 2 for how much is covered."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}">'
    style = f"<style>{STYLE}.hatch {{ stroke-opacity: 1; }}</style>"
    drawn = _rendered(f"{head}{style}{lines}</svg>", width).getchannel("A")
    levels = drawn.point([round(taken * 2 / 255) for taken in range(256)]).tobytes()
    return tuple(levels[row * width : (row + 1) * width] for row in range(width))


def _tiled(tile: tuple[bytes, ...], box: tuple[int, int, int, int], numbers: bytes) -> Image.Image:
    """A box of the board covered with a tile, in the numbers of its three levels."""
    left, top, right, bottom = box
    size, wide, high = len(tile), right - left, bottom - top
    table, start = numbers.ljust(256), left % size
    rows = [(row.translate(table) * (wide // size + 2))[start : start + wide] for row in tile]
    rows = rows[top % size :] + rows[: top % size]
    sheet = b"".join((rows * (high // size + 1))[:high])
    return Image.frombuffer("L", (wide, high), sheet, "raw", "L", 0, 1)


@lru_cache(maxsize=64)
def _palette(looks: tuple[Colours, ...], most: int) -> Image.Image:
    """The colours of all pictures with these powers, as an image that has them.

    Those of areas come first, mixed ones last.
    """
    white, land, water = map(_rgb, (marks.WHITE, marks.LAND_INK, marks.WATER_INK))
    fills = [_Fill(_rgb(each)) for each in (SEA, BEYOND, NOBODY)] + [
        *map(_fill_of, looks),
        _NEUTRAL,
    ]
    symbols = [_rgb(look.symbol) for look in looks]
    kept = [white, *(colour for fill in fills for colour in fill.colours), land, water, *symbols]
    kept += map(_rgb, _COLOUR.findall(STYLE + _SYMBOLS))
    kept += [_mixed(fill.ground, land, share / 3) for fill in fills for share in (1, 2)]
    kept += [_mixed(_rgb(SEA), water, share / 3) for share in (1, 2)]
    for below, above in (("#fff", "#111"), ("#e8f2f8", "#24506b"), ("#fff", marks.RED)):
        kept += [_mixed(_rgb(below), _rgb(above), share / 4) for share in (1, 2, 3)]
    kept += [_mixed(white, symbol, share / 3) for symbol in symbols for share in (1, 2)]
    kept += [_mixed(fill.ground, white, 0.5) for fill in fills]
    palette = Image.new("P", (1, 1))
    palette.putpalette(bytes(part for colour in [*dict.fromkeys(kept)][:most] for part in colour))
    return palette


_COLOUR = re.compile("#(?:[0-9a-f]{6}|[0-9a-f]{3})(?![0-9a-f])")
_SYMBOLS = marks.FAMINE_MARK + marks.ARRIVAL_MARK + marks.deal_badge(1)


# ---------------------------------------------------------------- symbols, names and lines

_REACH = 50
"""How far a symbol reaches from its point at most, in units of symbols."""
_Sprite = tuple["ImagingCore", "ImagingCore", int, int]
"""Colours, how much each covers, and its upper left pixel from its point."""


@lru_cache(maxsize=1500)
def _sprite(symbol: str, size: float, wide: int, high: int) -> _Sprite | None:
    """A piece of SVG as pixels, which reaches so many pixels to each side; or None if empty."""
    box = f"{-wide / size} {-high / size} {2 * wide / size} {2 * high / size}"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"><style>{STYLE}</style>'
    drawn = _rendered(f"{head}{symbol}</svg>", 2 * wide)
    inside = drawn.getbbox()
    if inside is None:
        return None
    cut = drawn.crop(inside)
    return cut.convert("RGB").im, cut.getchannel("A").im, inside[0] - wide, inside[1] - high


def _rendered(svg: str, width: int) -> Image.Image:
    made = resvg_py.svg_to_bytes(
        svg_string=svg, width=width, skip_system_fonts=True, font_files=list(font_files())
    )
    with Image.open(io.BytesIO(made)) as image:
        return image.convert("RGBA")


class Painting(Picture):
    """A picture that is painted in pixels."""

    def painted(self) -> Image.Image:
        """Return it in all colours."""
        image = self._ground_in_pixels()
        pixels = image.im
        for piece in self.above():
            match piece:
                case Stamp():
                    self._stamp(pixels, piece)
                case Trail():
                    self._draw(pixels, piece)
                case Placed(name, text, middle, width, height):
                    _paste(pixels, _name(name, text, width, height), middle)
        return image

    def _ground_in_pixels(self) -> Image.Image:
        """Sea, land and borders, with the colours and hatchings of controllers."""
        places, (left, top) = self._scenario.board.places.values(), self.frame.corner
        seas = frozenset(place.id for place in places if place.is_sea)
        sheets = sheets_of(self._shapes, seas, self.frame.scale)
        colouring = _colouring(tuple(self._colours.values()))
        part = left, top, left + self.frame.width, top + self.frame.height
        ground = colouring.bare(sheets.ground.crop(part))
        pixels = ground.im
        for place in self._lands:
            owner = self._state.provinces.get(place.id)
            fill = _NEUTRAL if self._is_closed(place) else _fill_of(self._look(owner))
            if fill != _FREE:
                number = sheets.numbers[place.id]
                x, y, right, bottom = sheets.boxes[number]
                at = x - left, y - top, right - left, bottom - top
                pixels.paste(sheets.painted(number, fill, colouring), at, sheets.area(number))
        ground.putpalette(colouring.palette)
        return ground.convert("RGB")

    def _stamp(self, pixels: "ImagingCore", one: Stamp) -> None:
        reach = ceil(_REACH * one.size)
        _paste(pixels, _sprite(one.symbol, one.size, reach, reach), one.at)

    def _draw(self, pixels: "ImagingCore", line: Trail) -> None:
        """A line with its white rim, and the mark of its failure."""
        size, (x, y) = self.frame.size, (int(part) for part in line.spots[0])
        spots = tuple(Pixel(_sixteenth(at.x - x), _sixteenth(at.y - y)) for at in line.spots)
        left, top, white, own = _line(Trail(line.name, spots, "", line.fate, ""), size)
        at = x + left, y + top, x + left + white.size[0], y + top + white.size[1]
        for colour, covers in ((marks.WHITE, white), (line.colour, own)):
            pixels.paste(_rgb(colour), at, covers)
        bounce = bounce_of(line, size)
        if bounce is not None:
            self._stamp(pixels, bounce)


_HALO = 5
"""The pixels around a name's box that its white rim may take."""


@lru_cache(maxsize=1024)
def _name(name: Label, text: str, width: float, height: float) -> _Sprite | None:
    wide, high = ceil(width / 2) + _HALO, ceil(height / 2) + _HALO
    return _sprite(lettered(Placed(name, text, Pixel(0, 0), width, height)), 1, wide, high)


def _paste(pixels: "ImagingCore", sprite: _Sprite | None, at: Pixel) -> None:
    # What Pillow does around it, a hundred times for a picture, takes twice as long as this.
    if sprite is not None:
        colours, covers, left, top = sprite
        left, top, (wide, high) = round(at.x) + left, round(at.y) + top, covers.size
        pixels.paste(colours, (left, top, left + wide, top + high), covers)


def _sixteenth(part: float) -> float:
    """A part of a pixel in which two pictures at a scale agree, whatever they show."""
    return round(part * 16) / 16


@lru_cache(maxsize=512)
def _line(line: Trail, size: float) -> tuple[int, int, "ImagingCore", "ImagingCore"]:
    """How much a line's rim and the line itself cover, from a pixel near its start.

    Drawn large and reduced.
    """
    strokes = strokes_of(line, size)
    around = box_of([spot for stroke in strokes for spot in stroke.spots])
    around = around.grown(max(stroke.width for stroke in strokes) / 2 + 1)
    left, top = floor(around.left), floor(around.top)
    wide, high = ceil(around.right) - left, ceil(around.bottom) - top
    rim, own = (Image.new("L", (wide * _FINE, high * _FINE)) for _ in "ab")
    for stroke in strokes:
        _stroke(ImageDraw.Draw(rim), stroke, (left, top), 255)
        _stroke(ImageDraw.Draw(own), stroke, (left, top), 0 if stroke.colour else 255)
    return left, top, rim.reduce(_FINE).im, own.reduce(_FINE).im


def _stroke(pen: ImageDraw.ImageDraw, stroke: Stroke, corner: tuple[int, int], value: int) -> None:
    """Draw a stroke with a value; *corner* is the upper left pixel of the sheet."""
    thick, radius = round(stroke.width * _FINE), round(stroke.width * _FINE / 2)
    left, top = corner
    for spots in dashed(stroke):
        line = [(round((spot.x - left) * _FINE), round((spot.y - top) * _FINE)) for spot in spots]
        is_round = stroke.is_round or stroke.is_filled or len(line) == 1
        if stroke.is_filled:
            pen.polygon(line, fill=value)
            line.append(line[0])
        if thick:
            for one, other in pairwise(line):
                pen.line((one, other), fill=value, width=thick)
            for x, y in line if is_round else line[1:-1]:
                pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=value)
