"""The symbols on a drawn board: units, cities and marks, each as a piece of SVG."""

from xml.sax.saxutils import escape

from machjudge.adjudicator.model.board import City
from machjudge.adjudicator.model.units import Kind, Quality, Unit
from machjudge.atlas.shapes import Point
from machjudge.drawing.palette import INK

STYLE = """
text { font-family: "DejaVu Sans", Verdana, Arial, sans-serif; text-anchor: middle; }
.name { font-size: 22px; fill: #111; stroke: #fff; stroke-opacity: .7; stroke-width: 4px;
  stroke-linejoin: round; paint-order: stroke; }
.sea { font-style: italic; fill: #2f5a73; stroke: none; }
.owner { font-size: 17px; font-weight: bold; }
.letter { font-size: 20px; font-weight: bold; fill: #fff; }
.quality, .tag { font-size: 14px; font-weight: bold; fill: #111; stroke: #fff; stroke-width: 3px;
  paint-order: stroke; }
.ducats { font-size: 16px; font-weight: bold; fill: #fff; }
.mark { font-size: 19px; font-weight: bold; fill: #fff; }
.head { font-size: 38px; font-weight: bold; text-anchor: start; }
.line { font-size: 23px; text-anchor: start; }
.hatch { fill: none; stroke-width: 3; stroke-linecap: round; stroke-opacity: .3; }
.area { stroke: #555; stroke-width: 2; stroke-linejoin: round; }
.water { stroke: #8fb4c8; stroke-width: 2; stroke-linejoin: round; }
.city { stroke: #fff; stroke-width: 2; }
.fort { fill: #fff; stroke-width: 4; }
.bow { fill: none; stroke: #123a66; stroke-width: 4; }
.unit { stroke: #fff; stroke-width: 2.5; stroke-linejoin: round; }
.lost { stroke: #d00000; stroke-width: 5; stroke-dasharray: 7 3; }
.siege { fill: none; stroke: #d00000; stroke-width: 5; stroke-dasharray: 9 4; }
.badge { stroke: #fff; stroke-width: 2; }
.strait { fill: none; stroke: #d00000; stroke-width: 4; }
.crossing { fill: none; stroke: #123a66; stroke-width: 5; stroke-dasharray: 5 4; }
.bridge { fill: none; stroke: #6b4a1f; stroke-width: 5; }
"""

_SHAPES = {
    Kind.ARMY: "M-16-13h32v26h-32z",
    Kind.FLEET: "M-24-3h48l-11 17h-26zM-13-3l13-14 13 14z",
    Kind.GARRISON: "M-15 13v-18h-3v-11h8v6h6v-6h8v6h6v-6h8v11h-3v18z",
}


def words(css: str, at: Point, text: str) -> str:
    """A piece of text, centred on a point or beginning there, as its class has it."""
    return f'<text class="{css}" x="{at.x}" y="{at.y}">{escape(text)}</text>'


def unit_symbol(unit: Unit, at: Point, colour: str, *, dislodged: bool = False) -> str:
    """A unit with the letter of its owner; a dislodged one has a broken red rim."""
    css = "unit lost" if dislodged else "unit"
    shape = f'<path class="{css}" fill="{colour}" d="{_SHAPES[unit.kind]}"/>'
    low = Point(0, 11) if unit.kind is Kind.FLEET else Point(0, 8)
    special = unit.quality is not Quality.PLAIN
    quality = words("quality", Point(25, 0), unit.quality.value) if special else ""
    letter = words("letter", low, unit.owner)
    return f'<g transform="translate({at.x} {at.y})">{shape}{letter}{quality}</g>'


def city_symbol(city: City, at: Point, colour: str = INK) -> str:
    """A city: a square if it is fortified, else a round one, a frame if it is a fortress.

    A major city shows its ducats, a port has an anchor's bow below it.
    """
    x, y = at
    bow = f'<path class="bow" d="M{x - 11} {y + 10}q11 11 22 0"/>' if city.port else ""
    if city.fortress:
        frame = f'<rect class="fort" x="{x - 7}" y="{y - 7}" width="14" height="14"'
        return f'{frame} stroke="{colour}"/>{bow}'
    if not city.fortified:
        return f'<circle class="city" cx="{x}" cy="{y}" r="9" fill="{colour}"/>{bow}'
    ducats = words("ducats", at.moved(0, 6), str(city.income)) if city.is_major else ""
    square = f'<rect class="city" x="{x - 10}" y="{y - 10}" width="20" height="20"'
    return f'{square} fill="{colour}"/>{ducats}{bow}'


def siege_mark(at: Point, radius: int = 25) -> str:
    """A broken red ring around a city under siege."""
    return f'<circle class="siege" cx="{at.x}" cy="{at.y}" r="{radius}"/>'


def rebellion_mark(at: Point) -> str:
    """A red diamond with an R."""
    diamond = f'<path class="badge" fill="#b00020" d="M{at.x} {at.y - 18}l18 18-18 18-18-18z"/>'
    return diamond + words("mark", at.moved(0, 7), "R")


def famine_mark(at: Point) -> str:
    """A black disc with the percent sign by which reports mark a famine (FAM-10)."""
    disc = f'<circle class="badge" fill="#111" cx="{at.x}" cy="{at.y}" r="14"/>'
    return disc + words("mark", at.moved(0, 7), "%")


def strait_mark(at: Point) -> str:
    """A red ring over a border that a fleet beside it can close (MAP-10)."""
    return f'<circle class="strait" cx="{at.x}" cy="{at.y}" r="10"/>'


def bridge_mark(at: Point) -> str:
    """Two bars where armies pass between provinces that water divides (MAP-05)."""
    return f'<path class="bridge" d="M{at.x - 9} {at.y - 9}l13 23M{at.x + 4} {at.y - 14}l13 23"/>'


def crossing_mark(at: Point) -> str:
    """A broken blue line where only fleets pass between provinces that water divides."""
    return f'<path class="crossing" d="M{at.x} {at.y - 14}v28"/>'
