"""The layers of a drawn board, from the sea upwards."""

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property
from xml.sax.saxutils import escape

from machjudge.adjudicator.model.board import Place
from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.adjudicator.model.units import Unit
from machjudge.atlas.shapes import Shapes
from machjudge.drawing import symbols
from machjudge.drawing.arrows import UNIT, Trail, drawn
from machjudge.drawing.frame import Frame
from machjudge.drawing.labels import Canvas, Label, Placed, place_names, split_in_two
from machjudge.drawing.lettering import SLANTED, UPRIGHT
from machjudge.drawing.marks import Badge, cover_badges, marks_of
from machjudge.drawing.palette import BEYOND, INK, NOBODY, SEA, Colours, colours_of
from machjudge.drawing.rings import Pixel, box_of, rings_of
from machjudge.drawing.scene import Completion, Loss, Move, Scene
from machjudge.drawing.stands import CITY, Stands
from machjudge.drawing.symbols import placed, words
from machjudge.drawing.trails import Trails

NEUTRAL = (
    '<pattern id="neutral" width="14" height="14" patternUnits="userSpaceOnUse">'
    f'<rect width="14" height="14" fill="{BEYOND}"/>'
    '<path d="M0 14L14 0" stroke="#b5ab98" stroke-width="3"/></pattern>'
)
_FREE = Colours(NOBODY, INK)
_BORDER = 2.0
"""How thick a border is, in pixels."""


class Picture:
    """One scene of one scenario, drawn layer by layer; what was placed can be asked for.

    *says* gives the words for entries of the legend; without it captions are names only.
    """

    def __init__(
        self,
        shapes: Shapes,
        scene: Scene,
        scenario: Scenario,
        frame: Frame,
        first: Collection[PlaceId] = (),
        says: Callable[[str], str] | None = None,
    ) -> None:
        self.frame = frame
        self._first = frozenset(first)
        self._says = says
        self.stands = Stands(shapes, frame)
        self._shapes, self._scene, self._scenario = shapes, scene, scenario
        self._state = scene.state
        self._colours = colours_of(scenario.powers)
        places = [each for each in scenario.board.places.values() if self._is_seen(each.id)]
        self._seas = [place for place in places if place.is_sea]
        self._lands = [place for place in places if not place.is_sea]
        self.lines = self._drawn_lines()
        """The lines of orders."""
        self.marks: list[Badge] = []
        """Marks and badges with their places."""
        self._sheet = self._arranged()

    def layers(self) -> Iterator[str]:
        """All pieces of the picture; later ones cover earlier ones."""
        yield from self._ground()
        yield from self.crossings()
        yield from map(self._city, self._lands)
        yield from self.pieces()
        yield from self.lettering()

    def crossings(self) -> Iterator[str]:
        """The marks of borders that are special."""
        stands, size = self.stands, self.frame.size
        for mark, points in (
            (symbols.bridge_mark(), self._shapes.bridges),
            (symbols.crossing_mark(), self._shapes.crossings),
            (symbols.strait_mark(), self._shapes.straits),
        ):
            spots = map(self.frame.at, points)
            yield from (self.placed(mark, spot, size) for spot in spots if stands.shows(spot))

    def pieces(self) -> Iterator[str]:
        """What stands on the board, and the orders."""
        yield from (self._mark(mark) for mark in self.marks if mark.is_below)
        yield from map(self._ghost, self._left())
        yield from (drawn(line, self.frame.size) for line in self.lines)
        yield from (self._unit(unit) for unit in self.units())
        yield from (self._dislodged(unit) for unit in self.waiting())
        yield from (self._mark(mark) for mark in self.marks if not mark.is_below)

    def lettering(self) -> Iterator[str]:
        """The names."""
        return map(self._name, self.names)

    def placed(self, symbol: str, at: Pixel, size: float) -> str:
        """A symbol at a point, so much larger."""
        return placed(symbol, at, size)

    def units(self) -> list[Unit]:
        """The units that are seen; dislodged ones excepted."""
        return [unit for unit in self._state.units() if self.stands.shows(self.stands.unit(unit))]

    def waiting(self) -> list[Unit]:
        """The dislodged units that are seen."""
        units = (lost.unit for lost in self._state.dislodged)
        return [unit for unit in units if self.stands.shows(self.stands.unit(unit))]

    def _is_seen(self, place: PlaceId) -> bool:
        spots = [spot for ring in rings_of(self._shapes.places[place].path) for spot in ring]
        return bool(spots) and box_of(spots).grown(1).overlaps(self.frame.box)

    def _drawn_lines(self) -> list[Trail]:
        lines = Trails(self._scene, self.stands, self._colours).lines()
        return [line for _, line in lines if self.stands.shows(*line.spots)]

    def _arranged(self) -> Canvas:
        """Find places for the marks that nothing else stands on; what is taken then."""
        sheet, size = Canvas(self.frame.width, self.frame.height), self.frame.size
        for place in self._lands:
            if place.city is not None:
                sheet.cover(self.stands.box(self.stands.city(place.id), CITY))
        for unit in [*self.units(), *self._left()]:
            sheet.cover(self.stands.box(self.stands.unit(unit), UNIT))
        for unit in self.waiting():
            sheet.cover(self.stands.box(self.stands.dislodged(unit), UNIT))
        for line in self.lines:
            sheet.cover_line(line.spots, 9 * size)
        self.marks = marks_of(self._scene, self.stands, self._is_seen, self._colours)
        self.marks = cover_badges(sheet, self.marks, size)
        return sheet

    @cached_property
    def names(self) -> list[Placed]:
        """The names with their places; those that were asked for first choose theirs first."""
        return place_names(self._sheet, list(self._place_of))

    @cached_property
    def _place_of(self) -> Mapping[Label, PlaceId]:
        wanted = [self._wanted(place) for place in [*self._seas, *self._lands]]
        order = sorted(wanted, key=lambda each: (each[0] not in self._first, _area(each[1])))
        return {name: place for place, name in order}

    def _wanted(self, place: Place) -> tuple[PlaceId, Label]:
        frame, stands = self.frame, self.stands
        short: str = place.id
        owner = self._state.provinces.get(place.id)
        if frame.tagged and owner and not place.is_sea:
            short += f" {owner}"
        texts = (place.name, split_in_two(place.name), short) if frame.in_full else (short,)
        font, outside = (SLANTED, 0.1) if place.is_sea else (UPRIGHT, 0.35)
        name = Label(
            tuple(dict.fromkeys(texts)),
            stands.rings(place.id),
            stands.label(place.id),
            frame.name_size,
            font,
            outside,
            must=not frame.in_full,
        )
        return place.id, name

    def _ground(self) -> Iterator[str]:
        """The areas, in units of the board."""
        box, scale = self.frame.box, self.frame.scale
        width, height = self._shapes.width, self._shapes.height
        line = f'stroke-width="{_BORDER / scale:.2f}"'
        yield f'<g transform="scale({scale:.4f}) translate({-box.left:.1f} {-box.top:.1f})" {line}>'
        yield f'<rect width="{width}" height="{height}" fill="{SEA}" stroke="none"/>'
        yield f'<path class="area" fill="{BEYOND}" d="{self._shapes.land}"/>'
        yield from (self._area(sea, "water", SEA, sea.name) for sea in self._seas)
        yield from map(self._land, self._lands)
        yield f'<path class="water" fill="{SEA}" d="{self._shapes.water}"/>'
        yield "</g>"

    def _land(self, place: Place) -> str:
        if place.id in self._scenario.neutral:
            return self._closed(place, "neutral")
        if self._scenario.board.is_impassable(place.id):
            return self._closed(place, "impassable")
        owner = self._state.provinces.get(place.id)
        power = self._scenario.powers.get(owner) if owner else None
        caption = f"{place.name}: {power.name}" if power else place.name
        look, path = self._look(owner), self._shapes.places[place.id].path
        hatch = f'<path fill="{look.over}" pointer-events="none" d="{path}"/>' if look.over else ""
        return self._area(place, "area", look.ground, caption) + hatch

    def _closed(self, place: Place, why: str) -> str:
        """A province that nobody may enter."""
        caption = f"{place.name}: {self._says(why)}" if self._says else place.name
        return self._area(place, "area", "url(#neutral)", caption)

    def _area(self, place: Place, css: str, fill: str, caption: str) -> str:
        path = self._shapes.places[place.id].path
        head = f'<path id="{place.id}" class="{css}" fill="{fill}" d="{path}">'
        return f"{head}<title>{escape(caption)} ({place.id})</title></path>"

    def _look(self, power: PowerId | None) -> Colours:
        return self._colours.get(power, _FREE) if power else _FREE

    def _city(self, place: Place) -> str:
        """The city, with a letter of its own where the province is somebody else's."""
        at = self.stands.city(place.id)
        if place.city is None or not self.stands.shows(at):
            return ""
        owner = self._state.cities.get(place.id)
        split = owner and owner != self._state.provinces.get(place.id)
        letter = words("tag", Pixel(20, 6), owner or "") if split else ""
        symbol = symbols.city_symbol(place.city, self._look(owner).symbol) + letter
        return self.placed(symbol, at, self.frame.size)

    def _mark(self, mark: Badge) -> str:
        return self.placed(mark.symbol, mark.at, mark.size)

    def _unit(self, unit: Unit) -> str:
        symbol = symbols.unit_symbol(unit, self._look(unit.owner).symbol)
        return self.placed(symbol, self.stands.unit(unit), self.frame.size)

    def _dislodged(self, unit: Unit) -> str:
        symbol = symbols.unit_symbol(unit, self._look(unit.owner).symbol, dislodged=True)
        return self.placed(symbol, self.stands.dislodged(unit), self.frame.size)

    def _left(self) -> list[Unit]:
        """The units that are no longer where they were, where nobody else stands now."""
        left = [
            act.unit
            for act in self._scene.acts
            if (isinstance(act, Move) and act.fate is Completion.DONE and not act.retreats)
            or isinstance(act, Loss)
        ]
        stands = self.stands
        return [
            unit
            for unit in left
            if self._state.standing_at(unit) is None and stands.shows(stands.unit(unit))
        ]

    def _ghost(self, unit: Unit) -> str:
        symbol = symbols.unit_symbol(unit, self._look(unit.owner).symbol, ghost=True)
        return self.placed(symbol, self.stands.unit(unit), self.frame.size)

    def _name(self, one: Placed) -> str:
        """A name, on one line or two; with the letter of whoever controls the province."""
        place, size = self._place_of[one.name], one.name.size
        is_sea = self._scenario.board.places[place].is_sea
        css = "name sea" if is_sea else "name"
        owner = self._state.provinces.get(place)
        pieces = []
        for line, at in one.lines():
            said = escape(line)
            if owner and self.frame.tagged and not is_sea:
                said = f'{place} <tspan class="owner">{escape(owner)}</tspan>'
            where = f'x="{at.x:.1f}" y="{at.y:.1f}"'
            pieces.append(f'<text class="{css}" font-size="{size}" {where}>{said}</text>')
        return "".join(pieces)


def _area(name: Label) -> float:
    box = box_of([spot for ring in name.rings for spot in ring])
    return box.width * box.height
