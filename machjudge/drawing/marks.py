"""Symbols on a drawn board: units, arrows, marks and badges, with their colours."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise, product
from math import dist
from typing import NamedTuple
from xml.sax.saxutils import escape

from machjudge.adjudicator.board import City
from machjudge.adjudicator.names import AUTONOMOUS, NO_COAST, Coast, PlaceId, PowerId
from machjudge.adjudicator.units import Kind, Quality, Unit
from machjudge.drawing.geometry import Box, Frame, Pixel, Ring, box_around, rings_of
from machjudge.drawing.labels import Canvas, Spot
from machjudge.drawing.scene import (
    Act,
    Backing,
    Completion,
    Conversion,
    Convoy,
    Deal,
    Loss,
    Move,
    NewUnit,
    Scene,
    Siege,
)
from machjudge.map_files.shapes import Point, Shapes

# The colours and hatchings of the powers on a drawn board. Any two powers of a shipped scenario,
# and a power and what nobody owns, lie at least 15 apart (CIEDE2000) for normal sight, and powers
# at least 11 for eyes without red, green or blue; hatchings and letters say the same once more.
SEA = "#d3e6f2"
NOBODY = "#f7f2e8"
BEYOND = "#e0dcd2"
"""Land outside the board."""
INK = "#222222"
LAND_INK, WATER_INK = "#5d564b", "#8fb4c8"
"""Of borders."""
HATCH_OPACITY = 0.3

_USUAL = {
    "A": ("#62a8fb", "M0 24L24 0"),
    "B": ("#98b760", "M0 0L24 24M0 12h24"),
    "E": ("#3f9068", "M0 12h24M12 0v24"),
    "F": ("#966fb6", "M12 0v24"),
    "G": ("#efd476", "M0 18l12-12 12 12"),
    "I": ("#9a7b23", ""),
    "L": ("#bda19a", "M9 12h6"),
    "N": ("#808087", "M0 0L24 24"),
    "P": ("#43dfff", "M6 12h12M12 6v12"),
    "R": ("#9aac66", "M4 6h5M16 18h5"),
    "S": ("#7479c1", "M12 0v24M0 24L24 0"),
    "T": ("#c4ffc6", "M0 12h24"),
    "V": ("#e488b8", "M0 0L24 24M0 24L24 0"),
}
"""The land's colour by letter, and its hatching: SVG path data in a tile 24 wide."""


@dataclass(frozen=True, slots=True)
class Colours:
    """The two colours of a power, and its hatching."""

    ground: str
    """Of the provinces."""
    symbol: str
    """Of units and cities: darker, for white letters."""
    hatch: str = ""
    """The provinces' hatching: SVG path data, or empty."""
    name: str = ""
    """The id of its pattern."""

    @property
    def over(self) -> str:
        """Return the pattern over a province, or ""."""
        return f"url(#of-{self.name})" if self.hatch else ""

    @property
    def pattern(self) -> str:
        """Return the pattern's definition as SVG, or ""."""
        if not self.hatch:
            return ""
        return (
            f'<pattern id="of-{self.name}" width="24" height="24" patternUnits="userSpaceOnUse">'
            f'<path class="hatch" stroke="{self.symbol}" d="{self.hatch}"/></pattern>'
        )


def colours_of(powers: Iterable[PowerId]) -> Mapping[PowerId, Colours]:
    """Return the colours of each power and the garrisons; unusual letters get free ones."""
    powers = list(powers)
    looks = {power: _USUAL[power] for power in powers if power in _USUAL}
    used = {colour for colour, _ in looks.values()}
    spare = {colour: (colour, hatch) for colour, hatch in _USUAL.values() if colour not in used}
    left = list(spare.values())
    colours = {AUTONOMOUS: Colours(NOBODY, "#555555")}
    for power in powers:
        look = looks.get(power) or (left.pop(0) if left else (NOBODY, ""))
        colours[power] = Colours(look[0], _darkened(look[0]), look[1], power)
    return colours


@cache
def _darkened(colour: str) -> str:
    parts = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return "#" + "".join(f"{round(part * 0.45):02x}" for part in parts)


RED = "#c00018"

STYLE = f"""
text {{ font-family: "Roboto Condensed", "DejaVu Sans Condensed", "Arial Narrow", sans-serif;
  font-weight: bold; text-anchor: middle; }}
.name {{ fill: #111; stroke: #fff; stroke-width: 4px;
  stroke-linejoin: round; paint-order: stroke; }}
.sea {{ font-style: italic; fill: #24506b; stroke: #e8f2f8; }}
.owner {{ font-size: 17px; }}
.letter {{ font-size: 22px; fill: #fff; }}
.quality, .tag {{ font-size: 21px; fill: #111; stroke: #fff; stroke-width: 3px;
  paint-order: stroke; }}
.ducats {{ font-size: 21px; fill: #fff; }}
.mark {{ font-size: 21px; fill: #fff; }}
.price {{ font-size: 21px; fill: #111; }}
.head {{ font-size: 38px; text-anchor: start; }}
.line {{ font-size: 24px; text-anchor: start; }}
.hatch {{ fill: none; stroke-width: 3; stroke-linecap: round; stroke-opacity: {HATCH_OPACITY}; }}
.area {{ stroke: {LAND_INK}; stroke-linejoin: round; }}
.water {{ stroke: {WATER_INK}; stroke-linejoin: round; }}
.city {{ stroke: #fff; stroke-width: 2; }}
.fort {{ fill: #fff; stroke-width: 4; }}
.bow {{ fill: none; stroke: #123a66; stroke-width: 4; }}
.unit {{ stroke: #fff; stroke-width: 2.5; stroke-linejoin: round; }}
.lost {{ stroke: #fff; stroke-width: 2.5; }}
.rim {{ fill: none; stroke: {RED}; stroke-width: 3.5; stroke-dasharray: 7 4; }}
.ghost {{ opacity: .4; }}
.siege {{ fill: none; stroke: {RED}; stroke-width: 4.5; stroke-linecap: round; }}
.wall {{ fill: none; stroke: #fff; stroke-width: 8; }}
.badge {{ stroke: #fff; stroke-width: 2; }}
.strait {{ fill: none; stroke: {RED}; stroke-width: 4; }}
.crossing {{ fill: none; stroke: #123a66; stroke-width: 5; stroke-dasharray: 5 4; }}
.bridge {{ fill: none; stroke: #6b4a1f; stroke-width: 5; }}
.shaft {{ fill: none; stroke-linejoin: round; }}
.casing {{ fill: none; stroke: #fff; stroke-linejoin: round; stroke-linecap: round; }}
.cross {{ fill: none; stroke: {RED}; stroke-width: 5; stroke-linecap: round; }}
.disc {{ fill: #fff; stroke: {RED}; stroke-width: 2.5; }}
"""

_SHAPES = {
    Kind.ARMY: "M-17-17h34v17c0 9-8 15-17 19-9-4-17-10-17-19z",
    Kind.FLEET: "M-25-2h50l-9 21h-32zM-2-5h-17l17-18zM2-5v-18l17 18z",
    Kind.GARRISON: "M-15 15v-20h-3v-11h8v5h6v-5h8v5h6v-5h8v11h-3v20z",
}
_LETTERS = {
    Kind.ARMY: Pixel(0, 8),
    Kind.FLEET: Pixel(0, 15.5),
    Kind.GARRISON: Pixel(0, 12),
}


class Stamp(NamedTuple):
    """A symbol at a point, and the factor of its size."""

    symbol: str
    at: Pixel
    size: float


def placed(symbol: str, at: Pixel, size: float = 1) -> str:
    """Return a symbol at a point, scaled."""
    scale = f" scale({size:g})" if size != 1 else ""
    return f'<g transform="translate({at.x:.1f} {at.y:.1f}){scale}">{symbol}</g>'


def words(css: str, at: Point | Pixel, text: str) -> str:
    """Return text centred on a point or beginning there, by its class."""
    return f'<text class="{css}" x="{at.x:g}" y="{at.y:g}">{escape(text)}</text>'


def unit_symbol(unit: Unit, colour: str, *, dislodged: bool = False, ghost: bool = False) -> str:
    """Return a unit with its owner's letter: a shield, a ship or a tower.

    A dislodged one has a broken red rim; a ghost marks a former place.
    """
    css = "unit lost" if dislodged else "unit ghost" if ghost else "unit"
    shape = f'<path class="{css}" fill="{colour}" d="{_SHAPES[unit.kind]}"/>'
    if ghost:
        return shape
    rim = f'<path class="rim" d="{_SHAPES[unit.kind]}"/>' if dislodged else ""
    special = unit.quality is not Quality.PLAIN
    quality = words("quality", Point(27, 2), unit.quality.value) if special else ""
    small = ' style="font-size:21px"' if unit.kind is not Kind.ARMY else ""
    letter = words("letter", _LETTERS[unit.kind], unit.owner).replace(" x=", f"{small} x=", 1)
    return f"{shape}{rim}{letter}{quality}"


def city_symbol(city: City, colour: str = INK) -> str:
    """Return a city: a square if fortified, else round, a frame for a fortress.

    A major city has its ducats, a port an anchor's bow below it.
    """
    bow = '<path class="bow" d="M-11 10q11 11 22 0"/>' if city.port else ""
    if city.fortress:
        return f'<rect class="fort" x="-7" y="-7" width="14" height="14" stroke="{colour}"/>{bow}'
    if not city.fortified:
        return f'<circle class="city" r="9" fill="{colour}"/>{bow}'
    ducats = words("ducats", Pixel(0, 7.5), str(city.income)) if city.is_major else ""
    square = '<rect class="city" x="-10" y="-10" width="20" height="20"'
    return f'{square} fill="{colour}"/>{ducats}{bow}'


def siege_mark(radius: int = 25, *, done: bool = False, planned: bool = False) -> str:
    """Return a red ring for a siege, half of one for a half-done siege."""
    ground = f'<circle class="wall" r="{radius}"/>'
    if done:
        return f'{ground}<circle class="siege" r="{radius}"/>'
    dots = f'<circle class="siege" r="{radius}" stroke-dasharray="1 9"/>'
    if planned:
        return ground + dots
    half = f'<path class="siege half" d="M0 {-radius}a{radius} {radius} 0 0 1 0 {2 * radius}"/>'
    return ground + dots.replace('class="siege"', 'class="siege rest"') + half


REBELLION_MARK = f'<path class="badge" fill="{RED}" d="M0-18l18 18-18 18-18-18z"/>' + words(
    "mark", Point(0, 7), "R"
)
"""A red diamond with an R."""

FAMINE_MARK = '<circle class="badge" fill="#111" r="14"/>' + words("mark", Point(0, 7), "%")
"""A black disc with the percent sign by which reports mark a famine (FAM-10)."""

_CROSS = "M-15-15L15 15M15-15L-15 15"
LOSS_MARK = (
    f'<path class="casing" stroke-width="11" d="{_CROSS}"/><path class="cross" d="{_CROSS}"/>'
)
"""A red cross over a unit that left the map."""

BOUNCE_MARK = '<circle class="disc" r="13"/><path class="cross" d="M-5-5L5 5M5-5L-5 5"/>'
"""A red cross in a disc, where an order failed."""

ARRIVAL_MARK = (
    '<circle class="badge" fill="#1d6b2f" r="11"/>'
    '<path class="plus" stroke="#fff" stroke-width="4" d="M-6 0h12M0-6v12"/>'
)
"""A green plus beside a new unit."""

STRAIT_MARK = '<circle class="strait" r="10"/>'
"""A red ring over a border that a fleet beside it can close (MAP-10)."""

BRIDGE_MARK = '<path class="bridge" d="M-9-9l13 23M4-14l13 23"/>'
"""Two bars where armies pass over water (MAP-05)."""

CROSSING_MARK = '<path class="crossing" d="M0-14v28"/>'
"""A broken blue line where only fleets pass between provinces over water."""


def convert_mark(colour: str, failed: bool) -> str:
    """Return two arrows between a city and its province, crossed out for a failure."""
    disc = f'<circle fill="#fff" stroke="{colour}" stroke-width="2.5" r="12"/>'
    arrows = f'<path fill="none" stroke="{colour}" stroke-width="3" d="M-6-3h11l-4-4M6 4h-11l4 4"/>'
    cross = '<path class="cross" d="M-8-8L8 8"/>' if failed else ""
    return disc + arrows + cross


def deal_badge(ducats: int | None) -> str:
    """Return a coin with its ducats, if known."""
    coin = '<circle fill="#f2c230" stroke="#7a5b00" stroke-width="2.5" r="10"/>'
    shine = (
        '<path fill="none" stroke="#7a5b00" stroke-width="2.5" d="M-3-5v10M-3-5a5 5 0 0 1 0 10"/>'
    )
    if ducats is None:
        return f'<circle fill="#fff" stroke="#7a5b00" stroke-width="2" r="14"/>{coin}{shine}'
    wide = deal_width(ducats)
    pill = (
        f'<rect fill="#fff" stroke="#7a5b00" stroke-width="2" x="{-wide / 2:g}" y="-15" '
        f'width="{wide:g}" height="30" rx="15"/>'
    )
    left = f'<g transform="translate({15 - wide / 2:g} 0)">{coin}{shine}</g>'
    return pill + left + words("price", Pixel(12, 7.5), str(ducats))


def deal_width(ducats: int | None) -> float:
    """Return the width of a deal's badge."""
    return 32 if ducats is None else 44 + 11 * len(str(ducats))


UNIT = 21.0
"""The distance from a unit's middle to its rim."""
_HEAD = 19.0
_CUT = 0.62
"""The drawn part of a failed move."""


@dataclass(frozen=True, slots=True)
class Trail:
    """A line between two things."""

    name: str
    """What it stands for: ``move``, ``retreat``, ``support``, ``convoy``, ``convert``."""
    spots: tuple[Pixel, ...]
    colour: str
    fate: Completion
    title: str
    """Its caption: ``A mil-trt``."""


def cut_short(spots: Sequence[Pixel], start: float, end: float) -> tuple[Pixel, ...]:
    """Return a line without so many pixels at both ends, at least a third of it."""
    whole = sum(dist(a, b) for a, b in pairwise(spots))
    if whole < 1:
        return tuple(spots)
    most = min(1.0, whole * 0.66 / max(1.0, start + end))
    line = _from(tuple(spots), start * most)
    return tuple(reversed(_from(tuple(reversed(line)), end * most)))


def share_of(spots: Sequence[Pixel], share: float) -> tuple[Pixel, ...]:
    """The first part of a line."""
    whole = sum(dist(a, b) for a, b in pairwise(spots))
    return _until(spots, whole * share)


def _from(spots: tuple[Pixel, ...], far: float) -> tuple[Pixel, ...]:
    """The line from a distance on."""
    start, *rest = spots
    while len(rest) > 1 and dist(start, rest[0]) <= far:
        far -= dist(start, rest[0])
        start = rest.pop(0)
    length = dist(start, rest[0])
    return (start.towards(rest[0], far / length if length else 0), *rest)


def _until(spots: Sequence[Pixel], far: float) -> tuple[Pixel, ...]:
    """The line up to a distance."""
    kept = [spots[0]]
    for spot in spots[1:]:
        length = dist(kept[-1], spot)
        if length > far:
            kept.append(kept[-1].towards(spot, far / length))
            break
        kept.append(spot)
        far -= length
    return tuple(kept)


def aside(spots: tuple[Pixel, ...], by: float) -> tuple[Pixel, ...]:
    """Return a line moved to its right, beside one in the other direction."""
    (x, y), (to_x, to_y) = spots[0], spots[-1]
    length = dist(spots[0], spots[-1]) or 1
    across, down = -(to_y - y) / length * by, (to_x - x) / length * by
    return tuple(spot.moved(across, down) for spot in spots)


@dataclass(frozen=True, slots=True)
class Stroke:
    """A piece of a drawn line, in pixels; a single point is a disc."""

    css: str
    """``casing``, the white one below, ``shaft``, or nothing for points and discs."""
    spots: tuple[Pixel, ...]
    width: float
    colour: str
    dashes: tuple[float, float] | None = None
    """The lengths of a dash and of the gap behind it."""
    is_round: bool = False
    """True for round ends."""
    is_filled: bool = False
    """True for an area within its outline."""


WHITE = "#fff"


def strokes_of(line: Trail, size: float) -> list[Stroke]:
    """Return the pieces of a line, from bottom to top, without the mark of a failure."""
    return _arrow(line, size) if line.name in _ARROWS else _dotted(line, size)


def bounce_of(line: Trail, size: float) -> "Stamp | None":
    """Return the mark of a failed line."""
    if line.fate is not Completion.FAILED:
        return None
    if line.name in _ARROWS:
        return Stamp(BOUNCE_MARK, share_of(line.spots, _CUT)[-1], size)
    return Stamp(BOUNCE_MARK, share_of(line.spots, 0.5)[-1], size * 0.85)


def drawn(line: Trail, size: float) -> str:
    """Return a line as SVG."""
    head = f'<g class="{line.name} {line.fate.value}"><title>{line.title}</title>'
    body = "".join(map(_written, strokes_of(line, size)))
    bounce = bounce_of(line, size)
    return f"{head}{body}{placed(bounce.symbol, bounce.at, bounce.size) if bounce else ''}</g>"


def _written(stroke: Stroke) -> str:
    width, colour = f'stroke-width="{stroke.width:.1f}"', stroke.colour
    path = "M" + "L".join(f"{spot.x:.1f} {spot.y:.1f}" for spot in stroke.spots)
    if len(stroke.spots) == 1:
        (at,) = stroke.spots
        return f'<circle cx="{at.x:.1f}" cy="{at.y:.1f}" r="{stroke.width / 2:g}" fill="{colour}"/>'
    if stroke.is_filled:
        rim = f' stroke="{colour}" {width} stroke-linejoin="round"' if stroke.width else ""
        return f'<path fill="{colour}"{rim} d="{path}z"/>'
    if stroke.css == "casing":
        return f'<path class="casing" {width} d="{path}"/>'
    dashes = (
        f' stroke-dasharray="{stroke.dashes[0]:g} {stroke.dashes[1]:g}"' if stroke.dashes else ""
    )
    ends = ' stroke-linecap="round"' if stroke.is_round else ""
    return f'<path class="{stroke.css}" stroke="{colour}" {width}{dashes}{ends} d="{path}"/>'


_ARROWS = {"move", "retreat", "convert"}


def _arrow(line: Trail, size: float) -> list[Stroke]:
    thick = (5.5 if line.name == "convert" else 7.5) * size
    failed = line.fate is Completion.FAILED
    spots = share_of(line.spots, _CUT) if failed else line.spots
    tip, before = spots[-1], spots[-2]
    length = dist(tip, before) or 1
    along = Pixel((tip.x - before.x) / length, (tip.y - before.y) / length)
    far = _HEAD * size * (0.75 if line.name == "convert" else 1)
    base = tip if failed else tip.moved(-along.x * far, -along.y * far)
    shaft = (*spots[:-1], base)
    dashes = (11 * size, 6 * size) if line.name == "retreat" else None
    wings = [base.moved(-along.y * s * far * 0.55, along.x * s * far * 0.55) for s in (1, -1)]
    point = (wings[0], tip, wings[1])
    casing = Stroke("casing", shaft, thick + 5 * size, WHITE, is_round=True)
    body = Stroke("shaft", shaft, thick, line.colour, dashes)
    if failed:
        return [casing, body]
    rim = Stroke("", point, 5 * size, WHITE, is_filled=True)
    return [casing, rim, body, Stroke("", point, 0, line.colour, is_filled=True)]


def _dotted(line: Trail, size: float) -> list[Stroke]:
    end, thick = line.spots[-1:], 6 * size
    return [
        Stroke("casing", line.spots, thick + 5 * size, WHITE, is_round=True),
        Stroke("shaft", line.spots, thick, line.colour, (0.1, 10 * size), is_round=True),
        Stroke("", end, 18 * size, line.colour),
        Stroke("", end, 10 * size, WHITE),
    ]


def dashed(stroke: Stroke) -> Iterator[tuple[Pixel, ...]]:
    """Return the dashes of a stroke; without dashes the whole."""
    if stroke.dashes is None:
        yield stroke.spots
        return
    whole = sum(dist(a, b) for a, b in pairwise(stroke.spots))
    rest, (on, off) = stroke.spots, stroke.dashes
    for _ in range(int(whole / (on + off))):
        yield _until(rest, on)
        rest = _from(rest, on + off)
    yield _until(rest, on)


CITY = 13.0
"""The distance from a city's middle to its rim."""
_WAITING = Pixel(20, -22)
"""The distance of a dislodged unit from its place."""
_CUTOFF = 30
"""The pixels beyond the edge that are still drawn."""


@dataclass(frozen=True, slots=True)
class Stands:
    """The points of a board in a picture."""

    shapes: Shapes
    frame: Frame
    _cities: dict[PlaceId, Pixel] = field(default_factory=dict)

    def field(self, place: PlaceId, coast: Coast = NO_COAST) -> Pixel:
        """Return the point of an army or fleet."""
        outline = self.shapes.places[place]
        return self.frame.at(outline.coasts.get(coast, outline.unit))

    def city(self, place: PlaceId) -> Pixel:
        """Return the point of the city, beside units."""
        if place not in self._cities:
            self._cities[place] = self._city(place)
        return self._cities[place]

    def _city(self, place: PlaceId) -> Pixel:
        outline = self.shapes.places[place]
        at, unit = self.frame.at(outline.city or outline.unit), self.frame.at(outline.unit)
        least = (UNIT + CITY) * self.frame.size
        apart = dist(at, unit)
        if outline.city is None or not apart or apart >= least:
            return at
        return unit.towards(at, least / apart)

    def unit(self, unit: Unit) -> Pixel:
        """Return the point of a unit."""
        return self.city(unit.place) if unit.is_garrison else self.field(unit.place, unit.coast)

    def dislodged(self, unit: Unit) -> Pixel:
        """Return the point of a dislodged unit."""
        return self.unit(unit).moved(_WAITING.x * self.frame.size, _WAITING.y * self.frame.size)

    def marks(self, place: PlaceId) -> Pixel:
        """Return the point of a place's first mark."""
        return self.frame.at(self.shapes.places[place].marks)

    def rings(self, place: PlaceId) -> tuple[Ring, ...]:
        """Return a place's outline in pixels."""
        rings = rings_of(self.shapes.places[place].path)
        return tuple(tuple(self.frame.at(spot) for spot in ring) for ring in rings)

    def box(self, at: Pixel, radius: float) -> Box:
        """Return the box of a symbol, its size in units of symbols."""
        wide = 2 * radius * self.frame.size
        return box_around(at, wide, wide)

    def shows(self, *spots: Pixel) -> bool:
        """Return whether the area between these points is visible."""
        frame = self.frame
        if len(spots) == 1:  # nearly always
            ((x, y),) = spots
            reach = _CUTOFF + 1
            return -reach < x < frame.width + reach and -reach < y < frame.height + reach
        across, down = ([x for x, _ in spots], [y for _, y in spots])
        is_beside = max(across) <= -_CUTOFF - 1 or min(across) >= frame.width + _CUTOFF + 1
        return not (
            is_beside or max(down) <= -_CUTOFF - 1 or min(down) >= frame.height + _CUTOFF + 1
        )


_GAP = 3.0
_BESIDE = 7.0
"""The distance of two opposite moves."""
_MEETING = 0.5
"""The part of a move where its support ends."""


@dataclass(frozen=True, slots=True)
class Trails:
    """The lines of all moves, supports and convoys."""

    scene: Scene
    stands: Stands
    colours: Mapping[PowerId, Colours]
    _ways: dict[tuple[PlaceId, PlaceId], tuple[Pixel, ...]] = field(default_factory=dict)

    def lines(self) -> Iterator[tuple[Act, Trail]]:
        """Return each line with its act, moves first."""
        for move in self.scene.moves():
            yield move, self._move(move)
        for act in self.scene.acts:
            if isinstance(act, Backing):
                yield act, self._support(act)
            elif isinstance(act, Convoy):
                yield from ((act, line) for line in self._convoy(act))

    def _line(self, act: Move | Backing | Convoy, name: str, spots: tuple[Pixel, ...]) -> Trail:
        colours = self.colours.get(act.unit.owner)
        title = f"{act.unit.owner} {act.unit.kind.letter} {act.unit.place}"
        title += f"-{act.to}" if act.to else ""
        return Trail(name, spots, colours.symbol if colours else "#444", act.fate, title)

    def _move(self, move: Move) -> Trail:
        stands, size = self.stands, self.stands.frame.size
        start = stands.dislodged(move.unit) if move.retreats else stands.unit(move.unit)
        way = (start, *map(stands.field, move.via), stands.field(move.to, move.coast))
        if any(
            each.unit.place == move.to and each.to == move.unit.place for each in self.scene.moves()
        ):
            way = aside(way, _BESIDE * size)
        self._ways[move.unit.place, move.to] = way
        at_start = UNIT if self._is_taken(move.unit.place) else _GAP
        at_end = UNIT + _GAP if self._is_taken(move.to) else _GAP
        name = "retreat" if move.retreats else "move"
        return self._line(move, name, cut_short(way, at_start * size, at_end * size))

    def _is_taken(self, place: PlaceId) -> bool:
        return place in self.scene.state.field

    def _support(self, act: Backing) -> Trail:
        stands, size = self.stands, self.stands.frame.size
        start = stands.unit(act.unit)
        if act.to is None or act.to == act.supported:
            end, gap = self._standing(act.supported), UNIT + 5
        else:
            end, gap = self._on_the_way(act.supported, act.to), 0.0
        return self._line(act, "support", cut_short((start, end), UNIT * size, gap * size))

    def _standing(self, place: PlaceId) -> Pixel:
        unit = self.scene.state.field.get(place) or self.scene.state.garrisons.get(place)
        return self.stands.unit(unit) if unit else self.stands.field(place)

    def _on_the_way(self, start: PlaceId, to: PlaceId) -> Pixel:
        way = self._ways.get((start, to)) or (self.stands.field(start), self.stands.field(to))
        return share_of(way, _MEETING)[-1]

    def _convoy(self, act: Convoy) -> Iterator[Trail]:
        """From the army to the fleet and on to the goal; the army's own line comes first."""
        stands, size = self.stands, self.stands.frame.size
        at = stands.unit(act.unit)
        army, to = stands.field(act.army), act.to
        yield self._line(act, "convoy", cut_short((army, at), UNIT * size, UNIT * size))
        goes = any(move.unit.place == act.army for move in self.scene.moves())
        if to is not None and not goes and act.fate is Completion.PLANNED:
            way = cut_short((at, stands.field(to)), UNIT * size, _GAP * size)
            yield self._line(act, "convoy", way)


@dataclass(frozen=True, slots=True)
class Badge:
    """A mark, its point and its size in units of symbols."""

    symbol: str
    at: Pixel
    width: float
    height: float
    size: float
    is_fixed: bool = False
    """True if it stays at its subject; others move away."""
    is_below: bool = False
    """True if units and arrows cover it."""


def marks_of(
    scene: Scene,
    stands: Stands,
    is_seen: Callable[[PlaceId], bool],
    colours: Mapping[PowerId, Colours],
) -> list[Badge]:
    """Return all marks of a scene, movable ones at their best points."""
    marks = [*_of_position(scene, stands, is_seen), *_of_acts(scene, stands, colours)]
    return [mark for mark in marks if stands.shows(mark.at)]


def _of_position(
    scene: Scene, stands: Stands, is_seen: Callable[[PlaceId], bool]
) -> Iterator[Badge]:
    state, size = scene.state, stands.frame.size
    for place in filter(is_seen, sorted(state.sieges)):
        yield Badge(siege_mark(), stands.city(place), 56, 56, size, is_fixed=True, is_below=True)
    for place in filter(is_seen, sorted(state.famine)):
        yield Badge(FAMINE_MARK, stands.marks(place), 32, 32, size)
    for place in filter(is_seen, sorted(state.province_rebellions)):
        yield Badge(REBELLION_MARK, stands.marks(place), 38, 38, size)
    for place in filter(is_seen, sorted(state.city_rebellions)):
        beside = stands.city(place).moved(-32 * size, 0)
        yield Badge(REBELLION_MARK, beside, 38, 38, size)


def _of_acts(scene: Scene, stands: Stands, colours: Mapping[PowerId, Colours]) -> Iterator[Badge]:
    size = stands.frame.size
    for act in scene.acts:
        match act:
            case Siege(city, fate):
                ring = siege_mark(done=fate is Completion.DONE, planned=fate is Completion.PLANNED)
                yield Badge(ring, stands.city(city), 56, 56, size, is_fixed=True, is_below=True)
            case Deal(place, ducats):
                wide = deal_width(ducats)
                beside = stands.field(place).moved(30 * size, -18 * size)
                yield Badge(deal_badge(ducats), beside, wide, 32, size)
            case Loss(unit):
                at = stands.unit(unit)
                taken = scene.state.standing_at(unit) is not None
                yield Badge(LOSS_MARK, at, 36, 36, size, is_fixed=not taken)
            case NewUnit(unit):
                beside = stands.unit(unit).moved(24 * size, -20 * size)
                yield Badge(ARRIVAL_MARK, beside, 24, 24, size)
            case Conversion(unit=unit, fate=fate):
                look = colours.get(unit.owner)
                mark = convert_mark(look.symbol if look else "#444", fate is Completion.FAILED)
                start, end = stands.field(unit.place), stands.city(unit.place)
                yield Badge(mark, start.towards(end, 0.5), 26, 26, size)
            case Move() | Backing() | Convoy():
                pass  # these are lines


def cover_badges(sheet: Canvas, marks: list[Badge]) -> list[Badge]:
    """Place the marks where there is most room, and mark their cells."""
    return [_settled(sheet, mark) for mark in sorted(marks, key=lambda m: not m.is_fixed)]


def _settled(sheet: Canvas, mark: Badge) -> Badge:
    if not mark.is_fixed:
        mark = replace(mark, at=_freest(sheet, mark))
    sheet.cover(box_around(mark.at, mark.width * mark.size, mark.height * mark.size))
    return mark


_STEPS = range(-81, 82, 9)
_SHIFTS = sorted(product(_STEPS, _STEPS), key=lambda shift: shift[0] ** 2 + shift[1] ** 2)
"""Where a mark may move, the nearest first, in units of symbols."""


def _freest(sheet: Canvas, mark: Badge) -> Pixel:
    """The first free point by its shift in units of symbols, or the freest."""
    (x, y), size = mark.at, mark.size
    wide, high = mark.width * size, mark.height * size

    def spots() -> Iterator[Spot]:
        return ((0.0, Pixel(x + across * size, y + down * size)) for across, down in _SHIFTS)

    found = sheet.least_covering(spots(), (0, 0), wide, high)
    return found[1] if found else mark.at
