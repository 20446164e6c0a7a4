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
from dataclasses import dataclass
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
    if len(shapes.places) > _MAX_PLACES or pixels > _MAX_PIXELS:
        return png_of(draw_part(shapes, scene, scenario, frame, first), frame.width)
    painting = Painting(shapes, scene, scenario, frame, first)
    image = painting.painted()
    made = b""
    for share, colours, level in _EFFORTS:
        if share < 1:
            size = round(frame.width * share), round(frame.height * share)
            less = painting.painted().convert("RGB").resize(size, Image.Resampling.BOX)
            image = painting.colouring.in_numbers(less, colours)
        made = written(image, level)
        if len(made) <= MAX_BYTES:
            break
    return made


MAX_BYTES = 70_000
_EFFORTS = (
    (1.0, 256, 3),
    (1.0, 256, 6),
    (1.0, 256, 8),
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
        inks = self._inked(
            paths,
            ((_BEYOND,), _ON_LAND),
            ([self.numbers[place] for place in waters], _ON_WATER),
            (own, _ON_LAND),
            ((_LAKE,), _ON_WATER),
        )
        table = [_SEA_FILL] * _VALUES
        for number in own:
            table[number] = _FREE_FILL
        table[_BEYOND] = _BEYOND_FILL
        fills = self.places.point([fill * len(_INKS) for fill in table])
        self.ground = ImageChops.add(fills, inks)

    def area(self, number: int) -> "ImagingCore":
        """Return which pixels of a place's box are its own."""
        if number not in self._areas:
            own = self.places.crop(self.boxes[number])
            self._areas[number] = own.im.point(_among((number,)), "1")
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
        box = self.boxes[number]
        ink = self.ground.crop(box).point([value % len(_INKS) for value in range(_VALUES)])
        if fill.hatch:
            tile = _tile(fill.hatch, fill.tile, max(1, round(fill.tile * self.scale)))
            ink = ImageChops.add(_tiled(tile, box), ink)
        return ink.point(colouring.table((fill,)))

    def _inked(self, paths: Mapping[int, str], *layers: tuple[Collection[int], int]) -> Image.Image:
        """The levels of ink of some areas, by number; later ones cover earlier ones."""
        ink = Image.new("L", self._size)
        for numbers, least in layers:
            ink.paste(0, mask=self.places.point(_among(numbers)))
            self._line(ink, [paths[number] for number in numbers], least)
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

    def _line(self, ink: Image.Image, paths: Iterable[str], least: int) -> None:
        """Draw the outlines of some areas as levels above the *least* one, a band at a time."""
        shares = [round(taken * 3 / 255) for taken in range(256)]
        levels = [share + least if share else 0 for share in shares]
        (width, height), thick = self._size, round(BORDER * _FINE)
        rings = [
            (min(y for _, y in ring) - thick, max(y for _, y in ring) + thick, ring)
            for path in paths
            for ring in self._rings(path, _FINE)
        ]
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
                lines = fine.reduce(_FINE).point(levels)
                ink.paste(lines, (0, top), lines.point(_ANY))

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


@dataclass(frozen=True, slots=True, eq=False)
class _Fill:
    """What an area is painted with; each equals itself alone, so that it is found quickly."""

    ground: Colour
    hatch: str = ""
    """SVG of the lines in a tile."""
    tile: int = 24
    """The tile's width, in units of the board."""
    ink: Colour = (0, 0, 0)
    share: float = 0.0
    """How much of its ink a line of the hatching has."""

    @property
    def colours(self) -> list[Colour]:
        """Return the ground, then the hatching's colours, the weaker one first."""
        shares = (self.share / 2, self.share) if self.hatch else ()
        return [self.ground, *(_mixed(self.ground, self.ink, share) for share in shares)]


_FREE = _Fill(_rgb(NOBODY))
_NEUTRAL = _Fill(_rgb(BEYOND), STRIPE, 14, _rgb(STRIPE_INK), 1.0)


_PLAIN = [_Fill(_rgb(each)) for each in (SEA, BEYOND, NOBODY)]
"""The first fills of all pictures, by number."""


class _Colouring:
    """The colours of all pictures with some powers, by number.

    Those of areas come first, mixed ones last.
    """

    def __init__(self, looks: tuple[Colours, ...]) -> None:
        white, land, water = map(_rgb, (marks.WHITE, marks.LAND_INK, marks.WATER_INK))
        fills = [*_PLAIN, *map(_fill_of, looks), _NEUTRAL]
        symbols = [_rgb(look.symbol) for look in looks]
        kept = [white, *(each for fill in fills for each in fill.colours), land, water, *symbols]
        kept += map(_rgb, _COLOUR.findall(STYLE + _SYMBOLS))
        kept += [_mixed(fill.ground, land, share / 3) for fill in fills for share in (1, 2)]
        kept += [_mixed(_rgb(SEA), water, share / 3) for share in (1, 2)]
        for below, above in (("#fff", "#111"), ("#e8f2f8", "#24506b"), ("#fff", marks.RED)):
            kept += [_mixed(_rgb(below), _rgb(above), share / 4) for share in (1, 2, 3)]
        kept += [_mixed(white, symbol, share / 3) for symbol in symbols for share in (1, 2)]
        kept += [_mixed(fill.ground, white, 0.5) for fill in fills]
        self.colours = [*dict.fromkeys(kept)][:_VALUES]
        self.bare = self.table(_PLAIN)
        """The number of each value of a sheet's ground."""
        self.lighter = self.numbers(_mixed(each, white, 0.5) for each in self.colours)
        """The number of each colour of the ground below the soft edge of a white rim."""

    def palette(self, most: int = _VALUES) -> bytes:
        """Return the first colours as bytes."""
        return bytes(part for colour in self.colours[:most] for part in colour)

    def in_numbers(self, image: Image.Image, most: int = _VALUES) -> Image.Image:
        """Return an image in the nearest of these colours, or of the first ones."""
        palette = Image.new("P", (1, 1))
        palette.putpalette(self.palette(most))
        return image.quantize(palette=palette, dither=Image.Dither.NONE)

    def numbers(self, colours: Iterable[Colour]) -> list[int]:
        """Return a table with the numbers of the nearest colours."""
        parts = bytes(part for colour in colours for part in colour).ljust(3 * _VALUES)
        return [*self.in_numbers(Image.frombytes("RGB", (_VALUES, 1), parts)).tobytes()]

    def table(self, fills: Iterable[_Fill]) -> list[int]:
        """Return the number of each colour of some fills with each level of ink."""
        colours = (colour for fill in fills for colour in fill.colours)
        return self.numbers(_mixed(colour, *ink) for colour in colours for ink in _INKS)


_colouring = lru_cache(maxsize=64)(_Colouring)


@lru_cache(maxsize=256)
def _fill_of(look: Colours) -> _Fill:
    if not look.hatch:
        return _FREE if look.ground == NOBODY else _Fill(_rgb(look.ground))
    lines = f'<path class="hatch" stroke="{look.symbol}" d="{look.hatch}"/>'
    return _Fill(_rgb(look.ground), lines, ink=_rgb(look.symbol), share=marks.HATCH_OPACITY)


@lru_cache(maxsize=128)
def _tile(lines: str, size: int, width: int) -> tuple[bytes, ...]:
    """The rows of a hatching's tile, *width* pixels wide: how much is covered, in steps of inks."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}">'
    style = f"<style>{STYLE}.hatch {{ stroke-opacity: 1; }}</style>"
    drawn = _rendered(f"{head}{style}{lines}</svg>", width).getchannel("A")
    levels = [round(taken * 2 / 255) * len(_INKS) for taken in range(256)]
    rows = drawn.point(levels).tobytes()
    return tuple(rows[row * width : (row + 1) * width] for row in range(width))


def _tiled(tile: tuple[bytes, ...], box: tuple[int, int, int, int]) -> Image.Image:
    """A box of the board covered with a tile."""
    left, top, right, bottom = box
    size, wide, high = len(tile), right - left, bottom - top
    start = left % size
    rows = [(row * (wide // size + 2))[start : start + wide] for row in tile]
    rows = rows[top % size :] + rows[: top % size]
    sheet = b"".join((rows * (high // size + 1))[:high])
    return Image.frombuffer("L", (wide, high), sheet, "raw", "L", 0, 1)


_COLOUR = re.compile("#(?:[0-9a-f]{6}|[0-9a-f]{3})(?![0-9a-f])")
_SYMBOLS = marks.FAMINE_MARK + marks.ARRIVAL_MARK + marks.deal_badge(1)


# ---------------------------------------------------------------- symbols, names and lines

_REACH = 50
"""How far a symbol reaches from its point at most, in units of symbols."""
_Sprite = tuple[tuple["ImagingCore", "ImagingCore", "ImagingCore", int, int], ...]
"""Pieces: colours by number, where they cover, where the rim is soft, their corner from the point.

A slanting line has several, as most of its box is empty.
"""
_STRIP, _LOW = 32, 64
"""The rows of a piece; what has no more than the second number is one."""
_HALF, _LITTLE = 128, 48
"""How much of a pixel of 255 is covered by a symbol, and at least by its soft rim."""
_SOLID = [255 * (taken >= _HALF) for taken in range(256)]
_SOFT = [255 * (_LITTLE <= taken < _HALF) for taken in range(256)]


def _pieces(numbers: "ImagingCore", covers: "ImagingCore", left: int, top: int) -> _Sprite:
    """What *covers*, of 255, as pieces; the upper left pixel is given from its point."""
    pieces, (first, upper, last, lower) = [], covers.getbbox() or (0, 0, 0, 0)
    high = _STRIP if lower - upper > _LOW else _LOW
    for row in range(upper, lower, high):
        inside = covers.crop((first, row, last, min(row + high, lower))).getbbox()
        if inside is not None:
            x, y, right, bottom = inside
            box = first + x, row + y, first + right, row + bottom
            strip = covers.crop(box)
            solid, soft = strip.point(_SOLID, "1"), strip.point(_SOFT, "1")
            pieces.append((numbers.crop(box), solid, soft, left + box[0], top + box[1]))
    return tuple(pieces)


@lru_cache(maxsize=1500)
def _sprite(symbol: str, size: float, wide: int, high: int, colouring: _Colouring) -> _Sprite:
    """A piece of SVG as pixels, which reaches so many pixels to each side.

    What shows through as a whole, the place that a unit has left, lies on white.
    """
    box = f"{-wide / size} {-high / size} {2 * wide / size} {2 * high / size}"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"><style>{STYLE}</style>'
    drawn = _rendered(f"{head}{symbol}</svg>", 2 * wide)
    white = Image.new("RGBA", drawn.size, marks.WHITE)
    numbers = colouring.in_numbers(Image.alpha_composite(white, drawn).convert("RGB"))
    covers = drawn.getchannel("A")
    most = max(covers.tobytes()) or 1
    shares = [taken * 255 // most for taken in range(most + 1)]
    return _pieces(numbers.im, covers.im.point(shares + [255] * (255 - most), "L"), -wide, -high)


def _rendered(svg: str, width: int) -> Image.Image:
    made = resvg_py.svg_to_bytes(
        svg_string=svg, width=width, skip_system_fonts=True, font_files=list(font_files())
    )
    with Image.open(io.BytesIO(made)) as image:
        return image.convert("RGBA")


class Painting(Picture):
    """A picture that is painted in pixels."""

    @property
    def colouring(self) -> _Colouring:
        """Return its colours."""
        return _colouring(tuple(self._colours.values()))

    def painted(self) -> Image.Image:
        """Return it with its palette."""
        image, colouring, size = self._ground_in_pixels(), self.colouring, self.frame.size
        pixels, lighter = image.im, image.im.point(colouring.lighter, "L")

        def paste(sprite: _Sprite, at: Pixel) -> None:
            # What Pillow does around it, a hundred times for a picture, takes twice as long.
            x, y = round(at.x), round(at.y)
            for numbers, solid, soft, left, top in sprite:
                wide, high = solid.size
                box = x + left, y + top, x + left + wide, y + top + high
                pixels.paste(lighter.crop(box), box, soft)
                pixels.paste(numbers, box, solid)

        for piece in self.above():
            match piece:
                case Stamp():
                    paste(_symbol(piece, colouring), piece.at)
                case Trail():
                    x, y = piece.spots[0]
                    paste(_line_of(piece, size, colouring), Pixel(int(x), int(y)))
                    bounce = bounce_of(piece, size)
                    if bounce is not None:
                        paste(_symbol(bounce, colouring), bounce.at)
                case Placed(name, text, middle, width, height):
                    paste(_name(name, text, width, height, colouring), middle)
        image.putpalette(colouring.palette())
        return image

    def _ground_in_pixels(self) -> Image.Image:
        """Sea, land and borders, with the colours and hatchings of controllers, in numbers."""
        places, (left, top) = self._scenario.board.places.values(), self.frame.corner
        seas = frozenset(place.id for place in places if place.is_sea)
        sheets, colouring = sheets_of(self._shapes, seas, self.frame.scale), self.colouring
        part = left, top, left + self.frame.width, top + self.frame.height
        ground = sheets.ground.crop(part).point(colouring.bare)
        for place in self._lands:
            owner = self._state.provinces.get(place.id)
            fill = _NEUTRAL if self._is_closed(place) else _fill_of(self._look(owner))
            if fill is not _FREE:
                number = sheets.numbers[place.id]
                x, y, right, bottom = sheets.boxes[number]
                at = x - left, y - top, right - left, bottom - top
                ground.im.paste(sheets.painted(number, fill, colouring), at, sheets.area(number))
        return ground


def _symbol(one: Stamp, colouring: _Colouring) -> _Sprite:
    reach = ceil(_REACH * one.size)
    return _sprite(one.symbol, one.size, reach, reach, colouring)


_HALO = 5
"""The pixels around a name's box that its white rim may take."""


@lru_cache(maxsize=1024)
def _name(name: Label, text: str, width: float, height: float, colouring: _Colouring) -> _Sprite:
    wide, high = ceil(width / 2) + _HALO, ceil(height / 2) + _HALO
    svg = lettered(Placed(name, text, Pixel(0, 0), width, height))
    return _sprite(svg, 1, wide, high, colouring)


def _sixteenth(part: float) -> float:
    """A part of a pixel in which two pictures at a scale agree, whatever they show."""
    return round(part * 16) / 16


def _line_of(line: Trail, size: float, colouring: _Colouring) -> _Sprite:
    """A line as pixels, from a whole pixel near its start."""
    x, y = (int(part) for part in line.spots[0])
    spots = tuple(Pixel(_sixteenth(at.x - x), _sixteenth(at.y - y)) for at in line.spots)
    return _line(Trail(line.name, spots, line.colour, line.fate, ""), size, colouring)


@lru_cache(maxsize=512)
def _line(line: Trail, size: float, colouring: _Colouring) -> _Sprite:
    """A line with its white rim, drawn large and reduced."""
    strokes = strokes_of(line, size)
    around = box_of([spot for stroke in strokes for spot in stroke.spots])
    around = around.grown(max(stroke.width for stroke in strokes) / 2 + 1)
    left, top = floor(around.left), floor(around.top)
    wide, high = ceil(around.right) - left, ceil(around.bottom) - top
    rim, own = (Image.new("L", (wide * _FINE, high * _FINE)) for _ in "ab")
    rim_pen, own_pen = ImageDraw.Draw(rim), ImageDraw.Draw(own)
    for stroke in strokes:
        if stroke.dashes is None:  # dashes lie on a casing
            _stroke(rim_pen, stroke, (left, top), 255)
        if stroke.css != "casing":
            _stroke(own_pen, stroke, (left, top), 255 * (stroke.colour != marks.WHITE))
    numbers = own.reduce(_FINE).im.point(_inks(line.colour, colouring), "L")
    return _pieces(numbers, rim.reduce(_FINE).im, left, top)


@lru_cache(maxsize=256)
def _inks(colour: str, colouring: _Colouring) -> list[int]:
    """The number of each share, of 255, of a colour on white."""
    white, own = _rgb(marks.WHITE), _rgb(colour)
    numbers = colouring.numbers(_mixed(white, own, share / 3) for share in range(4))
    return [numbers[round(taken * 3 / 255)] for taken in range(256)]


def _stroke(pen: ImageDraw.ImageDraw, stroke: Stroke, corner: tuple[int, int], value: int) -> None:
    """Draw a stroke with a value; *corner* is the upper left pixel of the sheet."""
    thick, radius = round(stroke.width * _FINE), round(stroke.width * _FINE / 2)
    left, top = corner
    for spots in dashed(stroke):
        line = [(round((x - left) * _FINE), round((y - top) * _FINE)) for x, y in spots]
        if stroke.dashes:
            line = [*dict.fromkeys(line)]  # a dot is a dash without length
        is_round = stroke.is_round or stroke.is_filled or len(line) == 1
        if stroke.is_filled:
            pen.polygon(line, fill=value)
            line.append(line[0])
        if thick:
            for one, other in pairwise(line):
                pen.line((one, other), fill=value, width=thick)
            for x, y in line if is_round else line[1:-1]:
                pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=value)
