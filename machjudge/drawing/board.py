"""Draw a board with a position and orders as one SVG."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property, lru_cache
from xml.sax.saxutils import escape

from machjudge.adjudicator.board import City, Place, Scenario
from machjudge.adjudicator.moments import Campaign, Moment, Season, Stage
from machjudge.adjudicator.names import AUTONOMOUS, PlaceId, PowerId
from machjudge.adjudicator.rules import FleetBuilds, Rules
from machjudge.adjudicator.state import State
from machjudge.adjudicator.units import Kind, Unit
from machjudge.drawing.geometry import Frame, Pixel, extent_of, whole
from machjudge.drawing.labels import (
    SLANTED,
    UPRIGHT,
    Canvas,
    Label,
    Lettering,
    Placed,
    place_names,
    split_in_two,
    width_of,
)
from machjudge.drawing.marks import (
    BEYOND,
    BRIDGE_MARK,
    CITY,
    CROSSING_MARK,
    FAMINE_MARK,
    INK,
    NOBODY,
    REBELLION_MARK,
    SEA,
    STRAIT_MARK,
    STYLE,
    UNIT,
    Badge,
    Colours,
    Stamp,
    Stands,
    Trail,
    Trails,
    city_symbol,
    colours_of,
    cover_badges,
    drawn,
    marks_of,
    placed,
    siege_mark,
    unit_symbol,
    words,
)
from machjudge.drawing.scene import Completion, Loss, Move, Scene
from machjudge.map_files.shapes import Point, Shapes

STRIPE_INK = "#b5ab98"
STRIPE = f'<path d="M0 14L14 0" stroke="{STRIPE_INK}" stroke-width="3"/>'
"""The hatching of neutral countries, in a tile 14 wide."""
NEUTRAL = (
    '<pattern id="neutral" width="14" height="14" patternUnits="userSpaceOnUse">'
    f'<rect width="14" height="14" fill="{BEYOND}"/>{STRIPE}</pattern>'
)
_FREE = Colours(NOBODY, INK)


@lru_cache(maxsize=512)
def _label_of(
    name: str, short: str, path: str, at: Point, scale: float, size: float, how: Lettering
) -> Label:
    """The label of a place, with its full *name* if there is one; the last 512 are kept."""
    texts = (name, split_in_two(name), short) if name else (short,)
    best = Pixel(at.x * scale, at.y * scale - 6 * size)
    return Label([*dict.fromkeys(texts)], path, best, scale, how)


BORDER = 2.0
"""The width of a border in pixels."""

Piece = Stamp | Trail | Placed
"""A symbol, a line, or a name."""


class Picture:
    """A scene of a scenario, drawn layer by layer; placements can be queried.

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
        lines = Trails(self._scene, self.stands, self._colours).lines()
        self.lines = [line for _, line in lines if self.stands.shows(*line.spots)]
        self.marks: list[Badge] = []
        """The marks and badges with their points."""
        self._sheet = self._arranged()

    def layers(self) -> Iterator[str]:
        """Return all of it as SVG, from bottom to top."""
        yield from self._ground()
        yield from map(self.written, self.above())

    def above(self) -> Iterator[Piece]:
        """Return what stands on the ground, from bottom to top."""
        yield from self.crossings()
        yield from self._cities()
        yield from self.pieces()
        yield from self.names

    def crossings(self) -> Iterator[Stamp]:
        """Return the marks of special borders."""
        stands, size = self.stands, self.frame.size
        for mark, points in (
            (BRIDGE_MARK, self._shapes.bridges),
            (CROSSING_MARK, self._shapes.crossings),
            (STRAIT_MARK, self._shapes.straits),
        ):
            spots = map(self.frame.at, points)
            yield from (Stamp(mark, spot, size) for spot in spots if stands.shows(spot))

    def pieces(self) -> Iterator[Stamp | Trail]:
        """Return units, marks and orders."""
        yield from (self._mark(mark) for mark in self.marks if mark.is_below)
        yield from map(self._ghost, self._left())
        yield from self.lines
        yield from (self._unit(unit) for unit in self.units())
        yield from (self._dislodged(unit) for unit in self.waiting())
        yield from (self._mark(mark) for mark in self.marks if not mark.is_below)

    def written(self, piece: Piece) -> str:
        """Return a piece as SVG."""
        match piece:
            case Stamp(symbol, at, size):
                return placed(symbol, at, size)
            case Trail():
                return drawn(piece, self.frame.size)
            case Placed():
                return self._name(piece)

    def units(self) -> list[Unit]:
        """Return the visible units, without dislodged ones."""
        return [unit for unit in self._state.units() if self.stands.shows(self.stands.unit(unit))]

    def waiting(self) -> list[Unit]:
        """Return the visible dislodged units."""
        units = (lost.unit for lost in self._state.dislodged)
        return [unit for unit in units if self.stands.shows(self.stands.unit(unit))]

    def _is_seen(self, place: PlaceId) -> bool:
        box, frame = extent_of(self._shapes.places[place].path), self.frame.box
        if box is None or box.left - 1 >= frame.right or frame.left >= box.right + 1:
            return False
        return box.top - 1 < frame.bottom and frame.top < box.bottom + 1

    def _arranged(self) -> Canvas:
        """Place the marks where there is room; return what is taken."""
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
        self.marks = cover_badges(sheet, self.marks)
        return sheet

    @cached_property
    def names(self) -> list[Placed]:
        """Return the names with their points."""
        return place_names(self._sheet, self._place_of, self.frame.corner)

    @cached_property
    def _place_of(self) -> Mapping[Label, PlaceId]:
        """The places of names, requested ones first, then those of small places."""
        places = sorted(
            (*self._seas, *self._lands),
            key=lambda place: (place.id not in self._first, self._size(place.id)),
        )
        return {self._label(place): place.id for place in places}

    def _size(self, place: PlaceId) -> float:
        box = extent_of(self._shapes.places[place].path)
        return box.width * box.height if box else 0.0

    def _label(self, place: Place) -> Label:
        frame, short = self.frame, str(place.id)
        owner = self._state.provinces.get(place.id)
        if frame.tagged and owner and not place.is_sea:
            short += f" {owner}"
        outline = self._shapes.places[place.id]
        return _label_of(
            place.name if frame.in_full else "",
            short,
            outline.path,
            outline.label,
            frame.scale,
            frame.size,
            Lettering(
                frame.name_size,
                SLANTED if place.is_sea else UPRIGHT,
                0.1 if place.is_sea else 0.35,
                must=not frame.in_full,
            ),
        )

    def _ground(self) -> Iterator[str]:
        box, scale = self.frame.box, self.frame.scale
        width, height = self._shapes.width, self._shapes.height
        line = f'stroke-width="{BORDER / scale:.2f}"'
        yield f'<g transform="scale({scale:.4f}) translate({-box.left:.1f} {-box.top:.1f})" {line}>'
        yield f'<rect width="{width}" height="{height}" fill="{SEA}" stroke="none"/>'
        yield f'<path class="area" fill="{BEYOND}" d="{self._shapes.land}"/>'
        yield from (self._area(sea, "water", SEA, sea.name) for sea in self._seas)
        yield from map(self._land, self._lands)
        yield f'<path class="water" fill="{SEA}" d="{self._shapes.water}"/>'
        yield "</g>"

    def _land(self, place: Place) -> str:
        if self._is_closed(place):
            is_neutral = place.id in self._scenario.neutral
            return self._closed(place, "neutral" if is_neutral else "impassable")
        owner = self._state.provinces.get(place.id)
        power = self._scenario.powers.get(owner) if owner else None
        caption = f"{place.name}: {power.name}" if power else place.name
        look, path = self._look(owner), self._shapes.places[place.id].path
        hatch = f'<path fill="{look.over}" pointer-events="none" d="{path}"/>' if look.over else ""
        return self._area(place, "area", look.ground, caption) + hatch

    def _is_closed(self, place: Place) -> bool:
        scenario = self._scenario
        return place.id in scenario.neutral or scenario.board.is_impassable(place.id)

    def _closed(self, place: Place, why: str) -> str:
        caption = f"{place.name}: {self._says(why)}" if self._says else place.name
        return self._area(place, "area", "url(#neutral)", caption)

    def _area(self, place: Place, css: str, fill: str, caption: str) -> str:
        path = self._shapes.places[place.id].path
        head = f'<path id="{place.id}" class="{css}" fill="{fill}" d="{path}">'
        return f"{head}<title>{escape(caption)} ({place.id})</title></path>"

    def _look(self, power: PowerId | None) -> Colours:
        return self._colours.get(power, _FREE) if power else _FREE

    def _cities(self) -> Iterator[Stamp]:
        """The cities, each with a letter if its owner is not the province's."""
        for place in self._lands:
            at = self.stands.city(place.id)
            if place.city is None or not self.stands.shows(at):
                continue
            owner = self._state.cities.get(place.id)
            split = owner and owner != self._state.provinces.get(place.id)
            letter = words("tag", Pixel(20, 6), owner or "") if split else ""
            symbol = city_symbol(place.city, self._look(owner).symbol) + letter
            yield Stamp(symbol, at, self.frame.size)

    def _mark(self, mark: Badge) -> Stamp:
        return Stamp(mark.symbol, mark.at, mark.size)

    def _unit(self, unit: Unit) -> Stamp:
        symbol = unit_symbol(unit, self._look(unit.owner).symbol)
        return Stamp(symbol, self.stands.unit(unit), self.frame.size)

    def _dislodged(self, unit: Unit) -> Stamp:
        symbol = unit_symbol(unit, self._look(unit.owner).symbol, dislodged=True)
        return Stamp(symbol, self.stands.dislodged(unit), self.frame.size)

    def _left(self) -> list[Unit]:
        """Units gone from places that are now empty."""
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

    def _ghost(self, unit: Unit) -> Stamp:
        symbol = unit_symbol(unit, self._look(unit.owner).symbol, ghost=True)
        return Stamp(symbol, self.stands.unit(unit), self.frame.size)

    def _name(self, one: Placed) -> str:
        """A name, with the letter of the controller if wanted."""
        place = self._place_of[one.name]
        owner = self._state.provinces.get(place)
        if owner and self.frame.tagged and one.name.font == UPRIGHT:
            return lettered(one, f'{place} <tspan class="owner">{escape(owner)}</tspan>')
        return lettered(one)


def lettered(one: Placed, said: str = "") -> str:
    """Return a name on one or two lines as SVG; *said* is SVG in place of its text."""
    css = "name sea" if one.name.font == SLANTED else "name"
    return "".join(
        f'<text class="{css}" font-size="{one.name.size}" x="{at.x:.1f}" y="{at.y:.1f}">'
        f"{said or escape(line)}</text>"
        for line, at in one.lines()
    )


_ROW = 52
_FIRST_ROW = 112
_LEFT = 30
_TEXT = 52
"""The distance from a symbol's left end to its text."""
_GAP = 24
_SIZE = 24
_HEAD = 38
_NOWHERE = PlaceId("")


Entry = tuple[str, str]
"""A symbol around the point 0, 0, and its meaning or entry."""


def legend(
    scenario: Scenario,
    shapes: Shapes,
    colours: Mapping[PowerId, Colours],
    title: str,
    says: Callable[[str], str],
) -> tuple[int, list[str]]:
    """Return the height and the pieces of the strip, as wide as the board."""
    symbols = _symbols(scenario, shapes, colours[AUTONOMOUS])
    entries = [*_powers(scenario, colours), *((symbol, says(key)) for symbol, key in symbols)]
    room = shapes.width - _LEFT
    columns = max(
        1, int(room // (_TEXT + _GAP + max(width_of(text, _SIZE) for _, text in entries)))
    )
    height = _FIRST_ROW + _ROW * -(-len(entries) // columns) - 24
    ground = f'<rect width="{shapes.width}" height="{height}" fill="#fff"/>'
    return height, [ground, _head(title, room - _LEFT), *_placed(entries, columns, room // columns)]


def _head(title: str, room: int) -> str:
    """The title, smaller if too long."""
    size = min(_HEAD, int(_HEAD * room / width_of(title, _HEAD)))
    head = words("head", Point(_LEFT, 52), title)
    return head.replace(" x=", f' style="font-size:{size}px" x=', 1) if size < _HEAD else head


def _placed(entries: Iterable[Entry], columns: int, step: int) -> Iterator[str]:
    for number, (symbol, text) in enumerate(entries):
        row, column = divmod(number, columns)
        at = Point(_LEFT + column * step, _FIRST_ROW + row * _ROW)
        yield f'<g transform="translate({at.x + 20} {at.y - 9})">{symbol}</g>'
        yield words("line", at.moved(_TEXT, 0), text)


def _powers(scenario: Scenario, colours: Mapping[PowerId, Colours]) -> Iterator[Entry]:
    for power in scenario.powers.values():
        look = colours[power.id]
        yield (
            _box(look.ground)
            + (_box(look.over) if look.over else "")
            + words("owner", Point(0, 7), power.id),
            power.name,
        )


def _symbols(scenario: Scenario, shapes: Shapes, autonomous: Colours) -> list[Entry]:
    """The symbols of a position or its future."""
    power, ink, board = PowerId(""), Colours("", "#444"), scenario.board
    lost = unit_symbol(Unit(power, Kind.ARMY, _NOWHERE), ink.symbol, dislodged=True)
    cities = [place.city for place in board.places.values() if place.city]
    has_garrisons = any(city.fortified for city in cities)
    impassable = any(map(board.is_impassable, board.places))
    entries: list[tuple[object, str, str]] = [
        (has_garrisons, _unit(AUTONOMOUS, Kind.GARRISON, autonomous), "autonomous"),
        (True, _unit(power, Kind.ARMY, ink), "army"),
        (True, _unit(power, Kind.FLEET, ink), "fleet"),
        (has_garrisons, _unit(power, Kind.GARRISON, ink), "garrison"),
        *((True, *entry) for entry in _cities(cities)),
        (has_garrisons, siege_mark(16), "half_a_siege"),
        (any(city.income for city in cities), REBELLION_MARK, "rebellion"),
        (board.famine, FAMINE_MARK, "famine"),
        (shapes.straits, STRAIT_MARK, "strait"),
        (shapes.bridges, BRIDGE_MARK, "armies_pass"),
        (shapes.crossings, CROSSING_MARK, "fleets_pass"),
        (True, lost, "dislodged"),
        (scenario.neutral, _box("url(#neutral)"), "neutral"),
        (impassable, _box("url(#neutral)"), "impassable"),
    ]
    return [(symbol, key) for is_there, symbol, key in entries if is_there]


def _cities(cities: Collection[City]) -> Iterator[Entry]:
    walled, paying = (any(city.fortified for city in cities), any(city.income for city in cities))
    yield city_symbol(City(1, fortified=walled, port=False)), "fortified_city" if walled else "city"
    if any(city.port for city in cities):
        income = 3 if walled and paying else 0
        port = city_symbol(City(income, fortified=walled, port=True))
        yield port, "major_port" if income else "port"
    if walled and not all(city.fortified for city in cities):
        yield city_symbol(City(1, fortified=False, port=False)), "unfortified"
    if any(city.fortress for city in cities):
        yield city_symbol(City(0, fortified=True, port=False, fortress=True)), "fortress"


def _unit(owner: PowerId, kind: Kind, colours: Colours) -> str:
    return unit_symbol(Unit(owner, kind, _NOWHERE), colours.symbol)


def _box(fill: str) -> str:
    return f'<rect class="area" x="-20" y="-16" width="40" height="32" fill="{fill}"/>'


def draw(
    shapes: Shapes,
    state: State | Scene | None,
    scenario: Scenario,
    title: str,
    says: Callable[[str], str],
) -> str:
    """Return the board with a position as SVG, and a legend with a title.

    Without *state* the set-up. *shapes* are those of the scenario's board; *says* gives the words
    for each entry of the legend, such as ``army``.
    """
    scene = state if isinstance(state, Scene) else Scene(state or set_up(scenario))
    colours = colours_of(scenario.powers)
    height, strip = legend(scenario, shapes, colours, title, says)
    below = [f'<g transform="translate(0 {shapes.height})">', *strip, "</g>"]
    picture = Picture(shapes, scene, scenario, whole(shapes), says=says)
    return _svg(picture, scenario, below, height)


def draw_part(
    shapes: Shapes,
    scene: Scene,
    scenario: Scenario,
    frame: Frame,
    first: Collection[PlaceId] = (),
    says: Callable[[str], str] | None = None,
) -> str:
    """Return a part of the board as SVG of the frame's size; names of *first* come first.

    *says* as for `draw`; without it captions, which a PNG has not, are names only.
    """
    picture = Picture(shapes, scene, scenario, frame, first, says)
    return _svg(picture, scenario)


def _svg(picture: Picture, scenario: Scenario, below: Collection[str] = (), height: int = 0) -> str:
    frame = picture.frame
    patterns = "".join(each.pattern for each in colours_of(scenario.powers).values())
    size = f"0 0 {frame.width} {frame.height + height}"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}">',
            f"<style>{STYLE}</style>",
            f"<defs>{NEUTRAL}{patterns}</defs>",
            *filter(None, picture.layers()),
            *below,
            "</svg>",
            "",
        ]
    )


def set_up(scenario: Scenario) -> State:
    """Return a scenario's position in Spring of its first year."""
    powers = scenario.powers.values()
    units = [*scenario.autonomous, *(unit for power in powers for unit in power.units)]
    return State(
        moment=Moment(Campaign(scenario.year, Season.SPRING), Stage.CAMPAIGN),
        field={unit.place: unit for unit in units if not unit.is_garrison},
        garrisons={unit.place: unit for unit in units if unit.is_garrison},
        provinces={place: power.id for power in powers for place in power.provinces},
        cities={place: power.id for power in powers for place in power.cities},
        homes={place: power.id for power in powers for place in power.home},
    )


def lacking(rules: Rules) -> tuple[str, ...]:
    """Return what pictures leave out, as the game's rules do."""
    game = rules.game
    used = {
        "ducats": game.money,
        "famine": rules.disaster.famine,
        "forts": game.forts,
        "garrisons": game.garrisons,
        "ports": game.garrisons or rules.adjustment.fleet_builds is FleetBuilds.PORTS,
    }
    return tuple(name for name, is_used in used.items() if not is_used)


@lru_cache(maxsize=32)
def as_played(scenario: Scenario, without: tuple[str, ...]) -> Scenario:
    """Return the scenario with the cities in use (MAP-07, SET-10)."""
    board = scenario.board
    places = {
        key: replace(place, city=_as_used(place.city, without)) if place.city else place
        for key, place in board.places.items()
    }
    famine = {} if "famine" in without else board.famine
    return replace(scenario, board=replace(board, places=places, famine=famine))


def _as_used(city: City, without: tuple[str, ...]) -> City | None:
    if city.fortress and "forts" in without:
        return None
    return replace(
        city,
        income=0 if "ducats" in without else city.income,
        fortified=city.fortified and "garrisons" not in without,
        port=city.port and "ports" not in without,
    )


@lru_cache(maxsize=32)
def named_in(scenario: Scenario, language: str) -> Scenario:
    """Return the scenario with names in a language."""
    board = scenario.board
    names = board.names.get(language, {})
    if not names:
        return scenario
    places = {
        key: replace(place, name=names.get(place.name, place.name))
        for key, place in board.places.items()
    }
    powers = {
        key: replace(power, name=names.get(power.name, power.name))
        for key, power in scenario.powers.items()
    }
    return replace(scenario, board=replace(board, places=places), powers=powers)
