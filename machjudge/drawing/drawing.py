"""A board with a position and orders as a picture: SVG that needs no other file."""

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import lru_cache

from machjudge.adjudicator.model.board import City
from machjudge.adjudicator.model.moments import Campaign, Moment, Season, Stage
from machjudge.adjudicator.model.names import PlaceId
from machjudge.adjudicator.model.rules import FleetBuilds, Rules
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.adjudicator.model.state import State
from machjudge.atlas.shapes import Shapes
from machjudge.drawing.frame import Frame, whole
from machjudge.drawing.legend import legend
from machjudge.drawing.palette import colours_of
from machjudge.drawing.picture import NEUTRAL, Picture
from machjudge.drawing.scene import Scene
from machjudge.drawing.symbols import STYLE


def draw(
    shapes: Shapes,
    state: State | Scene | None,
    scenario: Scenario,
    title: str,
    says: Callable[[str], str],
) -> str:
    """The whole board with a position as SVG, and a legend with a title below it.

    Without *state* with the scenario's set-up.  *shapes* are those of the scenario's board; *says*
    gives the words for each entry of the legend, such as ``army``.
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
    """A part of the board as SVG of the frame's size; names of *first* choose their room first.

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
    """The position in which a scenario starts, in Spring of its first year."""
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
    """What pictures of a game leave out, by name: what its rules are played without."""
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
    """The scenario with its cities as a game uses them that lacks something (MAP-07, SET-10)."""
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


def named_in(scenario: Scenario, language: str) -> Scenario:
    """The scenario with the names that its places and powers have in a language."""
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
