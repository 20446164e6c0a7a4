"""The symbols on a drawn board: units, cities, marks, badges; each around the point 0, 0."""

from xml.sax.saxutils import escape

from machjudge.adjudicator.model.board import City
from machjudge.adjudicator.model.units import Kind, Quality, Unit
from machjudge.atlas.shapes import Point
from machjudge.drawing.palette import INK
from machjudge.drawing.rings import Pixel

RED = "#c00018"

STYLE = f"""
text {{ font-family: "Roboto Condensed", "DejaVu Sans Condensed", "Arial Narrow", sans-serif;
  font-weight: bold; text-anchor: middle; }}
.name {{ fill: #111; stroke: #fff; stroke-width: 4px;
  stroke-linejoin: round; paint-order: stroke; }}
.sea {{ font-style: italic; fill: #24506b; stroke: #e8f2f8; }}
.owner {{ font-size: 17px; }}
.letter {{ font-size: 22px; fill: #fff; }}
.quality, .tag {{ font-size: 15px; fill: #111; stroke: #fff; stroke-width: 3px;
  paint-order: stroke; }}
.ducats {{ font-size: 16px; fill: #fff; }}
.mark {{ font-size: 20px; fill: #fff; }}
.price {{ font-size: 21px; fill: #111; }}
.head {{ font-size: 38px; text-anchor: start; }}
.line {{ font-size: 24px; text-anchor: start; }}
.hatch {{ fill: none; stroke-width: 3; stroke-linecap: round; stroke-opacity: .3; }}
.area {{ stroke: #5d564b; stroke-linejoin: round; }}
.water {{ stroke: #8fb4c8; stroke-linejoin: round; }}
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


def placed(symbol: str, at: Pixel, size: float = 1) -> str:
    """A symbol at a point, so much larger."""
    scale = f" scale({size:g})" if size != 1 else ""
    return f'<g transform="translate({at.x:.1f} {at.y:.1f}){scale}">{symbol}</g>'


def words(css: str, at: Point | Pixel, text: str) -> str:
    """A piece of text, centred on a point or beginning there, as its class has it."""
    return f'<text class="{css}" x="{at.x:g}" y="{at.y:g}">{escape(text)}</text>'


def unit_symbol(unit: Unit, colour: str, *, dislodged: bool = False, ghost: bool = False) -> str:
    """A unit with the letter of its owner: a shield, a ship or a tower.

    A dislodged one has a broken red rim; a ghost shows where a unit has been.
    """
    css = "unit lost" if dislodged else "unit ghost" if ghost else "unit"
    shape = f'<path class="{css}" fill="{colour}" d="{_SHAPES[unit.kind]}"/>'
    if ghost:
        return shape
    rim = f'<path class="rim" d="{_SHAPES[unit.kind]}"/>' if dislodged else ""
    special = unit.quality is not Quality.PLAIN
    quality = words("quality", Point(27, 2), unit.quality.value) if special else ""
    small = ' style="font-size:20px"' if unit.kind is not Kind.ARMY else ""
    letter = words("letter", _LETTERS[unit.kind], unit.owner).replace(" x=", f"{small} x=", 1)
    return f"{shape}{rim}{letter}{quality}"


def city_symbol(city: City, colour: str = INK) -> str:
    """A city: a square if it is fortified, else a round one, a frame if it is a fortress.

    A major city shows its ducats, a port has an anchor's bow below it.
    """
    bow = '<path class="bow" d="M-11 10q11 11 22 0"/>' if city.port else ""
    if city.fortress:
        return f'<rect class="fort" x="-7" y="-7" width="14" height="14" stroke="{colour}"/>{bow}'
    if not city.fortified:
        return f'<circle class="city" r="9" fill="{colour}"/>{bow}'
    ducats = words("ducats", Point(0, 6), str(city.income)) if city.is_major else ""
    square = '<rect class="city" x="-10" y="-10" width="20" height="20"'
    return f'{square} fill="{colour}"/>{ducats}{bow}'


def siege_mark(radius: int = 25, *, done: bool = False, planned: bool = False) -> str:
    """A red ring around a city under siege: half of one while the siege is half done."""
    ground = f'<circle class="wall" r="{radius}"/>'
    if done:
        return f'{ground}<circle class="siege" r="{radius}"/>'
    dots = f'<circle class="siege" r="{radius}" stroke-dasharray="1 9"/>'
    if planned:
        return ground + dots
    half = f'<path class="siege half" d="M0 {-radius}a{radius} {radius} 0 0 1 0 {2 * radius}"/>'
    return ground + dots.replace('class="siege"', 'class="siege rest"') + half


def rebellion_mark() -> str:
    """A red diamond with an R."""
    return f'<path class="badge" fill="{RED}" d="M0-18l18 18-18 18-18-18z"/>' + words(
        "mark", Point(0, 7), "R"
    )


def famine_mark() -> str:
    """A black disc with the percent sign by which reports mark a famine (FAM-10)."""
    return '<circle class="badge" fill="#111" r="14"/>' + words("mark", Point(0, 7), "%")


def loss_mark() -> str:
    """A red cross over a unit that left the map."""
    return (
        f'<path class="casing" stroke-width="11" d="{_CROSS}"/><path class="cross" d="{_CROSS}"/>'
    )


def bounce_mark() -> str:
    """A red cross in a disc, where an order came to nothing."""
    return '<circle class="disc" r="13"/><path class="cross" d="M-5-5L5 5M5-5L-5 5"/>'


def arrival_mark() -> str:
    """A green plus beside a unit that is new."""
    return '<circle class="badge" fill="#1d6b2f" r="11"/><path class="plus" stroke="#fff" \
stroke-width="4" d="M-6 0h12M0-6v12"/>'


def convert_mark(colour: str, failed: bool) -> str:
    """Two arrows between a city and its province, crossed out where it came to nothing."""
    disc = f'<circle fill="#fff" stroke="{colour}" stroke-width="2.5" r="12"/>'
    arrows = f'<path fill="none" stroke="{colour}" stroke-width="3" d="M-6-3h11l-4-4M6 4h-11l4 4"/>'
    cross = '<path class="cross" d="M-8-8L8 8"/>' if failed else ""
    return disc + arrows + cross


def deal_badge(ducats: int | None) -> str:
    """A coin, with the ducats beside it where they are known."""
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
    """How wide the badge of a deal is."""
    return 32 if ducats is None else 44 + 11 * len(str(ducats))


def strait_mark() -> str:
    """A red ring over a border that a fleet beside it can close (MAP-10)."""
    return '<circle class="strait" r="10"/>'


def bridge_mark() -> str:
    """Two bars where armies pass between provinces that water divides (MAP-05)."""
    return '<path class="bridge" d="M-9-9l13 23M4-14l13 23"/>'


def crossing_mark() -> str:
    """A broken blue line where only fleets pass between provinces that water divides."""
    return '<path class="crossing" d="M0-14v28"/>'


_CROSS = "M-15-15L15 15M15-15L-15 15"
