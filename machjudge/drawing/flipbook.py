"""A board drawn once, and scenes that lie over it one at a time: for pages with a whole game.

All of them are SVG of one picture, so that a scene is as short as a few hundred references.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from xml.sax.saxutils import escape

from machjudge.adjudicator.model.board import Place
from machjudge.adjudicator.model.names import AUTONOMOUS, PlaceId, PowerId
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.units import Kind, Unit
from machjudge.atlas.shapes import Shapes
from machjudge.drawing import symbols
from machjudge.drawing.drawing import set_up
from machjudge.drawing.frame import whole
from machjudge.drawing.palette import BEYOND, INK, NOBODY, SEA, colours_of
from machjudge.drawing.picture import NEUTRAL, Picture
from machjudge.drawing.rings import Pixel
from machjudge.drawing.scene import Scene
from machjudge.drawing.symbols import placed, words


@dataclass(frozen=True, slots=True)
class Leaf:
    """One scene as SVG: what lies below the names of places, and what stands above them."""

    ground: str
    """Who holds the provinces."""
    above: str
    """Cities, units, orders and marks."""


class Stamps:
    """Symbols that are defined once, however often they stand in a picture."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def __call__(self, symbol: str, at: Pixel, size: float = 1) -> str:
        """The symbol at a point, so much larger."""
        number = self._numbers.setdefault(symbol, len(self._numbers))
        scale = f" scale({size:g})" if size != 1 else ""
        return f'<use href="#s{number}" transform="translate({at.x:.0f} {at.y:.0f}){scale}"/>'

    def definitions(self) -> str:
        """All symbols that were used."""
        return "".join(
            f'<g id="s{number}">{symbol}</g>' for symbol, number in self._numbers.items()
        )


class _Stamped(Picture):
    """A picture whose symbols are defined elsewhere."""

    stamps: Stamps

    def placed(self, symbol: str, at: Pixel, size: float) -> str:
        return self.stamps(symbol, at, size)


class Flipbook:
    """The scenes of a game on its board; *shapes* are those of the scenario's board."""

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
        """One scene."""
        picture = _Stamped(self._shapes, scene, self._scenario, self.frame)
        picture.stamps = self._stamps
        cities = "".join(self._cities(scene.state))
        return Leaf("".join(self._ground(scene.state)), cities + "".join(picture.pieces()))

    def definitions(self) -> str:
        """What the rest refers to, with the style; to be asked for after the last leaf."""
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
        """Sea and land, without owners."""
        seas = "".join(map(self._outline, self._seas))
        lands = "".join(map(self._outline, self._lands))
        neutral = self._uses("url(#neutral)", self._scenario.neutral)
        return (
            f'<rect width="{self.frame.width}" height="{self.frame.height}" fill="{SEA}"/>'
            f'<g stroke-width="2"><path class="area" fill="{BEYOND}" d="{self._shapes.land}"/>'
            f'<g fill="{SEA}">{seas}</g><g fill="{NOBODY}">{lands}</g>{neutral}</g>'
        )

    def middle(self) -> str:
        """Lakes, crossings and the names of places."""
        water = f'<path class="water" fill="{SEA}" stroke-width="2" d="{self._shapes.water}"/>'
        marks = "".join(self._board.crossings())
        return water + marks + "".join(self._board.lettering())

    def picture(self, leaf: Leaf, caption: str) -> str:
        """A scene as a picture of its own, with a line of words in its lower left corner."""
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
        """A city, with a letter of its own where the province is somebody else's."""
        owner, at = state.cities.get(place), self._board.stands.city(place)
        look = self.colours.get(owner) if owner else None
        colour = f' color="{look.symbol}"' if look else f' color="{INK}"'
        at_scale = f"translate({at.x:.0f} {at.y:.0f}) scale({self.frame.size:g})"
        city = f'<use href="#c-{place}" transform="{at_scale}"{colour}/>'
        if owner is None or owner == state.provinces.get(place):
            return city
        return city + placed(words("tag", Pixel(20, 6), owner), at, self.frame.size)


_boards: list[tuple[Shapes, Scenario, Picture]] = []
"""The boards that were drawn last, as their names take longer than all the rest of a page."""
_MOST_BOARDS = 8


def _board_of(shapes: Shapes, scenario: Scenario) -> Picture:
    """The board alone; a name leaves room for a unit in its place, as it stands still."""
    for known, of, board in _boards:
        if known is shapes and of is scenario:
            return board
    frame = replace(whole(shapes), size=1.25, name_size=30, tagged=False)
    board = Picture(shapes, Scene(_crowded(scenario)), scenario, frame)
    _boards[:] = [(shapes, scenario, board), *_boards][:_MOST_BOARDS]
    return board


def _crowded(scenario: Scenario) -> State:
    """A position with somebody everywhere."""
    return replace(
        set_up(scenario),
        field={
            place.id: Unit(PowerId(AUTONOMOUS), Kind.ARMY, place.id)
            for place in scenario.board.places.values()
        },
        provinces={},
        cities={},
    )
