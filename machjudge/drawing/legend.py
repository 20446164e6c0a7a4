"""The strip below a drawn board: what it shows, whose colours they are, what the symbols mean."""

from collections.abc import Iterable, Iterator, Mapping

from machjudge.adjudicator.model.board import City
from machjudge.adjudicator.model.names import AUTONOMOUS, PlaceId, PowerId
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.adjudicator.model.units import Kind, Unit
from machjudge.atlas.shapes import Point
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
_COLUMNS = 8
_NOWHERE = PlaceId("")


Entry = tuple[str, str]
"""A symbol, drawn around the point 0, 0, and what it means."""


def legend(
    scenario: Scenario, colours: Mapping[PowerId, Colours], title: str, width: int
) -> tuple[int, list[str]]:
    """The height of the strip, and its pieces."""
    entries = [*_powers(scenario, colours), *_symbols(scenario)]
    height = _FIRST_ROW + _ROW * -(-len(entries) // _COLUMNS) - 24
    ground = f'<rect width="{width}" height="{height}" fill="#fff"/>'
    return height, [ground, words("head", Point(30, 52), title), *_placed(entries, width)]


def _placed(entries: Iterable[Entry], width: int) -> Iterator[str]:
    step = (width - 30) // _COLUMNS
    for number, (symbol, text) in enumerate(entries):
        row, column = divmod(number, _COLUMNS)
        at = Point(30 + column * step, _FIRST_ROW + row * _ROW)
        yield f'<g transform="translate({at.x + 20} {at.y - 9})">{symbol}</g>'
        yield words("line", at.moved(52, 0), text)


def _powers(scenario: Scenario, colours: Mapping[PowerId, Colours]) -> Iterator[tuple[str, str]]:
    for power in scenario.powers.values():
        look = colours[power.id]
        yield (
            _box(look.ground)
            + (_box(look.over) if look.over else "")
            + words("owner", Point(0, 7), power.id),
            power.name,
        )
    yield _unit(AUTONOMOUS, Kind.GARRISON, colours[AUTONOMOUS]), "autonomous"


def _symbols(scenario: Scenario) -> Iterator[Entry]:
    ink = Colours("", "#444")
    power = PowerId("")
    yield _unit(power, Kind.ARMY, ink), "army"
    yield _unit(power, Kind.FLEET, ink), "fleet"
    yield _unit(power, Kind.GARRISON, ink), "garrison"
    yield city_symbol(City(1, fortified=True, port=False)), "fortified city"
    yield city_symbol(City(3, fortified=True, port=True)), "major, port"
    yield city_symbol(City(1, fortified=False, port=False)), "unfortified"
    yield city_symbol(City(0, fortified=True, port=False, fortress=True)), "fortress"
    yield siege_mark(16), "half a siege"
    yield rebellion_mark(), "rebellion"
    yield famine_mark(), "famine"
    yield strait_mark(), "strait"
    yield bridge_mark(), "armies pass"
    yield crossing_mark(), "fleets pass"
    yield unit_symbol(Unit(power, Kind.ARMY, _NOWHERE), "#444", dislodged=True), "dislodged"
    if scenario.neutral:
        yield _box("url(#neutral)"), "neutral"


def _unit(owner: PowerId, kind: Kind, colours: Colours) -> str:
    return unit_symbol(Unit(owner, kind, _NOWHERE), colours.symbol)


def _box(fill: str) -> str:
    return f'<rect class="area" x="-20" y="-16" width="40" height="32" fill="{fill}"/>'
