"""The layers of a drawn board, from the sea upwards."""

from collections.abc import Iterator, Mapping
from xml.sax.saxutils import escape

from machjudge.adjudicator.model.board import Place
from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.units import Unit
from machjudge.atlas.shapes import Outline, Point, Shapes
from machjudge.drawing.palette import BEYOND, INK, NOBODY, SEA, Colours
from machjudge.drawing.symbols import (
    bridge_mark,
    city_symbol,
    crossing_mark,
    famine_mark,
    rebellion_mark,
    siege_mark,
    strait_mark,
    unit_symbol,
    words,
)

NEUTRAL = (
    '<pattern id="neutral" width="14" height="14" patternUnits="userSpaceOnUse">'
    f'<rect width="14" height="14" fill="{BEYOND}"/>'
    '<path d="M0 14L14 0" stroke="#b5ab98" stroke-width="3"/></pattern>'
)
_FREE = Colours(NOBODY, INK)
_STEP = 32
"""How far apart the marks of one place stand."""


class Picture:
    """One position of one scenario, drawn layer by layer."""

    def __init__(
        self,
        shapes: Shapes,
        state: State,
        scenario: Scenario,
        colours: Mapping[PowerId, Colours],
    ) -> None:
        self._shapes = shapes
        self._state = state
        self._scenario = scenario
        self._colours = colours
        places = scenario.board.places.values()
        self._seas = [place for place in places if place.is_sea]
        self._lands = [place for place in places if not place.is_sea]

    def layers(self) -> Iterator[str]:
        """All pieces of the picture; later ones cover earlier ones."""
        shapes, state = self._shapes, self._state
        yield f'<rect width="{shapes.width}" height="{shapes.height}" fill="{SEA}"/>'
        yield f'<path class="area" fill="{BEYOND}" d="{shapes.land}"/>'
        yield from map(self._sea, self._seas)
        yield from map(self._land, self._lands)
        yield f'<path class="water" fill="{SEA}" d="{shapes.water}"/>'
        yield from map(bridge_mark, shapes.bridges)
        yield from map(crossing_mark, shapes.crossings)
        yield from map(strait_mark, shapes.straits)
        yield from map(self._city, self._lands)
        yield from (siege_mark(self._city_at(place)) for place in sorted(state.sieges))
        yield from map(self._unit, state.units())
        yield from map(self._name, [*self._seas, *self._lands])
        yield from map(self._dislodged, (lost.unit for lost in state.dislodged))
        yield from map(self._marks, self._lands)

    def _outline(self, place: PlaceId) -> Outline:
        return self._shapes.places[place]

    def _colours_of(self, power: PowerId | None) -> Colours:
        return self._colours.get(power, _FREE) if power else _FREE

    def _sea(self, place: Place) -> str:
        return self._area(place, "water", SEA, place.name)

    def _land(self, place: Place) -> str:
        if place.id in self._scenario.neutral:
            return self._area(place, "area", "url(#neutral)", f"{place.name}: neutral")
        owner = self._state.provinces.get(place.id)
        power = self._scenario.powers.get(owner) if owner else None
        caption = f"{place.name}: {power.name}" if power else place.name
        return self._area(place, "area", self._colours_of(owner).fill, caption)

    def _area(self, place: Place, css: str, fill: str, caption: str) -> str:
        path = self._outline(place.id).path
        head = f'<path id="{place.id}" class="{css}" fill="{fill}" d="{path}">'
        return f"{head}<title>{escape(caption)} ({place.id})</title></path>"

    def _name(self, place: Place) -> str:
        """The abbreviation, with the letter of whoever controls the province."""
        at = self._outline(place.id).label.moved(0, 2)
        if place.is_sea:
            return words("name sea", at, place.id)
        owner = self._state.provinces.get(place.id)
        tag = f' <tspan class="owner">{owner}</tspan>' if owner else ""
        return f'<text class="name" x="{at.x}" y="{at.y}">{place.id}{tag}</text>'

    def _city(self, place: Place) -> str:
        """The city, with a letter of its own where the province is somebody else's."""
        if place.city is None:
            return ""
        owner = self._state.cities.get(place.id)
        at = self._city_at(place.id)
        split = owner and owner != self._state.provinces.get(place.id)
        letter = words("tag", at.moved(20, 6), owner or "") if split else ""
        return city_symbol(place.city, at, self._colours_of(owner).symbol) + letter

    def _city_at(self, place: PlaceId) -> Point:
        outline = self._outline(place)
        return outline.city or outline.unit

    def _unit_at(self, unit: Unit) -> Point:
        if unit.is_garrison:
            return self._city_at(unit.place)
        outline = self._outline(unit.place)
        return outline.coasts.get(unit.coast, outline.unit)

    def _unit(self, unit: Unit) -> str:
        return unit_symbol(unit, self._unit_at(unit), self._colours_of(unit.owner).symbol)

    def _dislodged(self, unit: Unit) -> str:
        at = self._unit_at(unit).moved(18, -20)
        return unit_symbol(unit, at, self._colours_of(unit.owner).symbol, dislodged=True)

    def _marks(self, place: Place) -> str:
        """Famine and rebellion of a province side by side; a city's rebellion beside the city."""
        state, at = self._state, self._outline(place.id).marks
        marks = ""
        if place.id in state.famine:
            marks, at = famine_mark(at), at.moved(_STEP, 0)
        if place.id in state.province_rebellions:
            marks += rebellion_mark(at)
        if place.id in state.city_rebellions:
            marks += rebellion_mark(self._city_at(place.id).moved(-_STEP, 0))
        return marks
