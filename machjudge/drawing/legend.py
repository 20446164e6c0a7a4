"""The strip below a drawn board: what it shows, whose colours they are, what the symbols mean."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from machjudge.adjudicator.model.board import City
from machjudge.adjudicator.model.names import AUTONOMOUS, PlaceId, PowerId
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.adjudicator.model.units import Kind, Unit
from machjudge.atlas.shapes import Point, Shapes
from machjudge.drawing.lettering import width_of
from machjudge.drawing.palette import Colours
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

_ROW = 52
_FIRST_ROW = 112
_LEFT = 30
_TEXT = 52
"""How far to the right of its symbol's left end a text begins."""
_GAP = 24
_SIZE = 24
_HEAD = 38
_NOWHERE = PlaceId("")


Entry = tuple[str, str]
"""A symbol, drawn around the point 0, 0, and what it means, or the entry that says it."""


def legend(
    scenario: Scenario,
    shapes: Shapes,
    colours: Mapping[PowerId, Colours],
    title: str,
    says: Callable[[str], str],
) -> tuple[int, list[str]]:
    """The height of the strip, and its pieces; it is as wide as the board."""
    symbols = [*_symbols(scenario, shapes, colours[AUTONOMOUS])]
    entries = [*_powers(scenario, colours), *((symbol, says(key)) for symbol, key in symbols)]
    room = shapes.width - _LEFT
    columns = max(
        1, int(room // (_TEXT + _GAP + max(width_of(text, _SIZE) for _, text in entries)))
    )
    height = _FIRST_ROW + _ROW * -(-len(entries) // columns) - 24
    ground = f'<rect width="{shapes.width}" height="{height}" fill="#fff"/>'
    return height, [ground, _head(title, room - _LEFT), *_placed(entries, columns, room // columns)]


def _head(title: str, room: int) -> str:
    """The title, in smaller letters where it is too long for the board."""
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


def _symbols(scenario: Scenario, shapes: Shapes, autonomous: Colours) -> Iterator[Entry]:
    """What stands on the board, or can come to stand there."""
    power, ink = PowerId(""), Colours("", "#444")
    lost = Unit(power, Kind.ARMY, _NOWHERE)
    cities = [place.city for place in scenario.board.places.values() if place.city]
    has_garrisons = any(city.fortified for city in cities)
    if has_garrisons:
        yield _unit(AUTONOMOUS, Kind.GARRISON, autonomous), "autonomous"
    yield _unit(power, Kind.ARMY, ink), "army"
    yield _unit(power, Kind.FLEET, ink), "fleet"
    if has_garrisons:
        yield _unit(power, Kind.GARRISON, ink), "garrison"
    yield from _cities(cities)
    if has_garrisons:
        yield siege_mark(16), "half_a_siege"
    if any(city.income for city in cities):
        yield rebellion_mark(), "rebellion"
    if scenario.board.famine:
        yield famine_mark(), "famine"
    yield from _crossings(shapes)
    yield unit_symbol(lost, ink.symbol, dislodged=True), "dislodged"
    if scenario.neutral:
        yield _box("url(#neutral)"), "neutral"
    if any(map(scenario.board.is_impassable, scenario.board.places)):
        yield _box("url(#neutral)"), "impassable"


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


def _crossings(shapes: Shapes) -> Iterator[Entry]:
    if shapes.straits:
        yield strait_mark(), "strait"
    if shapes.bridges:
        yield bridge_mark(), "armies_pass"
    if shapes.crossings:
        yield crossing_mark(), "fleets_pass"


def _unit(owner: PowerId, kind: Kind, colours: Colours) -> str:
    return unit_symbol(Unit(owner, kind, _NOWHERE), colours.symbol)


def _box(fill: str) -> str:
    return f'<rect class="area" x="-20" y="-16" width="40" height="32" fill="{fill}"/>'
