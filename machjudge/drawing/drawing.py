"""A board with a position as a picture: SVG that needs no other file."""

from machjudge.adjudicator.model.board import Board
from machjudge.adjudicator.model.moments import Campaign, Moment, Season, Stage
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.adjudicator.model.state import State
from machjudge.atlas.shapes import Shapes
from machjudge.drawing.legend import legend
from machjudge.drawing.palette import colours_of
from machjudge.drawing.picture import NEUTRAL, Picture
from machjudge.drawing.symbols import STYLE

_SEASONS = {Season.SPRING: "Spring", Season.SUMMER: "Summer", Season.FALL: "Fall"}
_STAGES = {Stage.CAMPAIGN: "campaign", Stage.RETREATS: "retreats", Stage.ADJUSTMENT: "adjustment"}


def draw(board: Board, shapes: Shapes, state: State | None, scenario: Scenario) -> str:
    """The board with a position as SVG; without *state* with the scenario's set-up.

    *shapes* are those of *board*, on which *scenario* is played.
    """
    position = set_up(scenario) if state is None else state
    colours = colours_of(scenario.powers)
    patterns = "".join(each.pattern for each in colours.values())
    when = f"set-up of {scenario.year}" if state is None else _when(state)
    height, strip = legend(scenario, colours, f"{scenario.title}: {when}", shapes.width)
    size = f"0 0 {shapes.width} {shapes.height + height}"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}">',
            f"<style>{STYLE}</style>",
            f"<defs>{NEUTRAL}{patterns}</defs>",
            *filter(None, Picture(shapes, position, scenario, colours).layers()),
            f'<g transform="translate(0 {shapes.height})">',
            *strip,
            "</g>",
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


def _when(state: State) -> str:
    moment = state.moment
    return f"{_SEASONS[moment.season]} {moment.year}, {_STAGES[moment.stage]}"
