"""Draw a game's scenes for a page, and the powers' shares as bands over time."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from xml.sax.saxutils import escape

from machjudge.adjudicator.board import Place, Scenario
from machjudge.adjudicator.names import AUTONOMOUS, PlaceId, PowerId
from machjudge.adjudicator.state import State
from machjudge.adjudicator.units import Kind, Unit
from machjudge.drawing import marks as symbols
from machjudge.drawing.board import NEUTRAL, Picture, Piece, set_up
from machjudge.drawing.geometry import Pixel, whole
from machjudge.drawing.marks import (
    BEYOND,
    INK,
    NOBODY,
    SEA,
    Colours,
    Stamp,
    colours_of,
    placed,
    words,
)
from machjudge.drawing.scene import Scene
from machjudge.map_files.shapes import Shapes


@dataclass(frozen=True, slots=True)
class Leaf:
    """One scene as SVG: below the names of places, and above them."""

    ground: str
    """The controllers of provinces."""
    above: str
    """Cities, units, orders and marks."""


class Stamps:
    """Symbols that a picture defines once."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def __call__(self, symbol: str, at: Pixel, size: float = 1) -> str:
        """Return the symbol at a point, scaled."""
        number = self._numbers.setdefault(symbol, len(self._numbers))
        scale = f" scale({size:g})" if size != 1 else ""
        return f'<use href="#s{number}" transform="translate({at.x:.0f} {at.y:.0f}){scale}"/>'

    def definitions(self) -> str:
        """Return the definitions of used symbols."""
        return "".join(
            f'<g id="s{number}">{symbol}</g>' for symbol, number in self._numbers.items()
        )


class _Stamped(Picture):
    """A picture with symbols defined elsewhere."""

    stamps: Stamps

    def written(self, piece: Piece) -> str:
        return self.stamps(*piece) if isinstance(piece, Stamp) else super().written(piece)


class Flipbook:
    """The scenes of a game; *shapes* are its board's."""

    def __init__(self, shapes: Shapes, scenario: Scenario) -> None:
        self.colours = colours_of(scenario.powers)
        self._board = _board_of(shapes, scenario)
        self.frame = self._board.frame
        self._shapes, self._scenario = shapes, scenario
        self._stamps = Stamps()
        places = scenario.board.places.values()
        self._seas = [place for place in places if place.is_sea]
        self._lands = [place for place in places if not place.is_sea]

    def leaf(self, scene: Scene) -> Leaf:
        """Return one scene."""
        picture = _Stamped(self._shapes, scene, self._scenario, self.frame)
        picture.stamps = self._stamps
        cities = "".join(self._cities(scene.state))
        return Leaf(
            "".join(self._ground(scene.state)),
            cities + "".join(map(picture.written, picture.pieces())),
        )

    def definitions(self) -> str:
        """Return the definitions and the style, after the last leaf."""
        patterns = "".join(each.pattern for each in self.colours.values())
        cities = "".join(
            f'<g id="c-{place.id}">{symbols.city_symbol(place.city, "currentColor")}</g>'
            for place in self._lands
            if place.city is not None
        )
        return (
            f"<style>{symbols.STYLE}</style>"
            f"<defs>{NEUTRAL}{patterns}{cities}{self._stamps.definitions()}</defs>"
        )

    def bottom(self) -> str:
        """Return sea and land, without owners."""
        seas = "".join(map(self._outline, self._seas))
        lands = "".join(map(self._outline, self._lands))
        neutral = self._uses("url(#neutral)", self._scenario.neutral)
        return (
            f'<rect width="{self.frame.width}" height="{self.frame.height}" fill="{SEA}"/>'
            f'<g stroke-width="2"><path class="area" fill="{BEYOND}" d="{self._shapes.land}"/>'
            f'<g fill="{SEA}">{seas}</g><g fill="{NOBODY}">{lands}</g>{neutral}</g>'
        )

    def middle(self) -> str:
        """Return lakes, crossings and names."""
        water = f'<path class="water" fill="{SEA}" stroke-width="2" d="{self._shapes.water}"/>'
        above: list[Piece] = [*self._board.crossings(), *self._board.names]
        return water + "".join(map(self._board.written, above))

    def picture(self, leaf: Leaf, caption: str) -> str:
        """Return a scene as a single picture, with words in its lower left corner."""
        width, height = self.frame.width, self.frame.height
        said = placed(words("name head", Pixel(30, -30), caption), Pixel(0, height))
        pieces = (self.definitions(), self.bottom(), leaf.ground, self.middle(), leaf.above, said)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">'
            f"{''.join(pieces)}</svg>"
        )

    def _outline(self, place: Place) -> str:
        css = "water" if place.is_sea else "area"
        path = self._shapes.places[place.id].path
        name = f"<title>{escape(place.name)} ({place.id})</title>"
        return f'<path id="p-{place.id}" class="{css}" d="{path}">{name}</path>'

    def _ground(self, state: State) -> Iterator[str]:
        for power in sorted({*state.provinces.values()}):
            look = self.colours.get(power)
            held = [place for place, owner in state.provinces.items() if owner == power]
            if look is not None:
                yield self._uses(look.ground, held)
                if look.over:
                    yield self._uses(look.over, held)

    def _uses(self, fill: str, places: Collection[PlaceId]) -> str:
        uses = "".join(f'<use href="#p-{place}"/>' for place in sorted(places))
        return f'<g fill="{fill}" stroke-width="2">{uses}</g>' if uses else ""

    def _cities(self, state: State) -> Iterator[str]:
        for place in self._lands:
            if place.city is not None:
                yield self._city(place.id, state)

    def _city(self, place: PlaceId, state: State) -> str:
        """A city, with a letter if its owner is not the province's."""
        owner, at = state.cities.get(place), self._board.stands.city(place)
        look = self.colours.get(owner) if owner else None
        colour = f' color="{look.symbol}"' if look else f' color="{INK}"'
        at_scale = f"translate({at.x:.0f} {at.y:.0f}) scale({self.frame.size:g})"
        city = f'<use href="#c-{place}" transform="{at_scale}"{colour}/>'
        if owner is None or owner == state.provinces.get(place):
            return city
        return city + placed(words("tag", Pixel(20, 6), owner), at, self.frame.size)


_boards: list[tuple[Shapes, Scenario, Picture]] = []
"""The last boards drawn, as their names take longer than all the rest of a page."""
_MAX_BOARDS = 8


def _board_of(shapes: Shapes, scenario: Scenario) -> Picture:
    """The board alone; names leave room for units."""
    for known, of, board in _boards:
        if known is shapes and of is scenario:
            return board
    frame = replace(whole(shapes), size=1.25, name_size=30, tagged=False)
    board = Picture(shapes, Scene(_crowded(scenario)), scenario, frame)
    _boards[:] = [(shapes, scenario, board), *_boards][:_MAX_BOARDS]
    return board


def _crowded(scenario: Scenario) -> State:
    """A position with units everywhere."""
    return replace(
        set_up(scenario),
        field={
            place.id: Unit(PowerId(AUTONOMOUS), Kind.ARMY, place.id)
            for place in scenario.board.places.values()
        },
        provinces={},
        cities={},
    )


WIDTH, HEIGHT = 600, 240
_LEAST = 15
"""The least height in pixels of a band with a letter."""


def bands(held: Sequence[Mapping[PowerId, int]], colours: Mapping[PowerId, Colours]) -> str:
    """Return SVG with a column for each position and a band for each power.

    The patterns are defined elsewhere; a line marks the last column.
    """
    most = max((sum(each.values()) for each in held), default=0) or 1
    wide = WIDTH / max(1, len(held))
    powers = [power for power in colours if any(each.get(power) for each in held)]
    tops = [(0, *accumulate(each.get(power, 0) for power in powers)) for each in held]
    drawn = "".join(
        band
        for number, power in enumerate(powers)
        for band in _band(
            power,
            colours[power],
            [(column[number] / most, column[number + 1] / most) for column in tops],
            wide,
        )
    )
    now = (len(held) - 0.5) * wide
    mark = f'<path class="now" d="M0 0v{HEIGHT}" transform="translate({now:.1f} 0)"/>'
    return f'<g data-wide="{wide:.4f}">{drawn}{mark}</g>'


def _band(
    power: PowerId, look: Colours, spans: Sequence[tuple[float, float]], wide: float
) -> Iterator[str]:
    """The area of a power, with its letter where there is most room."""
    path = f'd="{_steps(spans, wide)}"'
    yield f'<path fill="{look.ground}" stroke="#fff" {path}/>'
    if look.over:
        yield f'<path fill="{look.over}" {path}/>'
    number, (low, high) = max(enumerate(spans), key=lambda each: each[1][1] - each[1][0])
    if (high - low) * HEIGHT >= _LEAST:
        x = min(max((number + 0.5) * wide, 10), WIDTH - 10)
        y = HEIGHT - (low + high) / 2 * HEIGHT + 6
        yield f'<text class="held" x="{x:.1f}" y="{y:.1f}">{power}</text>'


def _steps(spans: Sequence[tuple[float, float]], wide: float) -> str:
    upper = "".join(f"V{_y(high)}H{(n + 1) * wide:.1f}" for n, (_, high) in enumerate(spans))
    lower = "".join(f"V{_y(low)}H{n * wide:.1f}" for n, (low, _) in reversed([*enumerate(spans)]))
    return f"M0 {_y(spans[0][0])}{upper}{lower}z"


def _y(share: float) -> str:
    return f"{HEIGHT - share * HEIGHT:.1f}"
