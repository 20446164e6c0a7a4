"""The maps of an installation, one of its scenarios by its name, and what is wrong with a file."""

from pathlib import Path

from machjudge.adjudicator.model.board import Board
from machjudge.adjudicator.model.names import PlaceId
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.atlas import Atlas, load_board, load_shapes
from machjudge.atlas.boardfile import is_board
from machjudge.atlas.faults import unsayable
from machjudge.atlas.folders import NAMES
from machjudge.atlas.ownnames import load_names
from machjudge.atlas.sheet import open_sheet
from machjudge.cli import CommandFault
from machjudge.language import Lexicon, lexicon_of, unsayable_names

_SHAPES = ".shapes.json"


def find_scenario(atlas: Atlas, name: str) -> Scenario:
    """The scenario of an id or a file.  Raises CommandFault, BrokenMap."""
    file = Path(name)
    found = atlas.scenario_file(file) if file.suffix == ".toml" else atlas.scenario(name)
    if found is None:
        message = f"There is no scenario {name!r}; there are {', '.join(atlas.scenario_ids())}."
        raise CommandFault(message)
    return found


def summary(atlas: Atlas, file: Path) -> str:
    """What a sound file contains, in counts.  Raises BrokenMap."""
    if file.name.endswith(_SHAPES):
        board = load_board(file.with_name(file.name.removesuffix(_SHAPES) + ".toml"))
        return f"a drawing of {len(load_shapes(file, board).places)} places"
    if file.parent.name == NAMES:
        return f"{len(load_names(file))} names in the language {file.stem}"
    sheet = open_sheet(file)
    if is_board(sheet):
        board = load_board(file)
        for each in unsayable_names(Lexicon(board, {})):
            key = f"{board.places[PlaceId(each.bearer)].terrain.value}.{each.bearer}"
            sheet.note(key, unsayable(each.name, each.line))
        sheet.findings.raise_if_any()
        return _board_summary(board)
    scenario = atlas.scenario_file(file)
    for each in unsayable_names(lexicon_of(scenario)):
        key = f"powers.{each.bearer}" if each.bearer in scenario.powers else "scenario.board"
        sheet.note(key, unsayable(each.name, each.line))
    sheet.findings.raise_if_any()
    return _scenario_summary(scenario)


def _board_summary(board: Board) -> str:
    """A board in counts."""
    seas = sum(place.is_sea for place in board.places.values())
    army = sum(len(ends) for ends in board.army.values()) // 2
    fleet = sum(len(ends) for ends in board.fleet.values()) // 2
    cities = [place.city for place in board.places.values() if place.city]
    forts = sum(city.fortress for city in cities)
    return (
        f"a board of {len(board.places) - seas} provinces and {seas} seas, "
        f"{len(cities) - forts} cities and {forts} fortresses, "
        f"{army} borders for armies and {fleet} for fleets"
    )


def _scenario_summary(scenario: Scenario) -> str:
    """A scenario in counts."""
    units = sum(len(power.units) for power in scenario.powers.values())
    return (
        f"a scenario on {scenario.board.id} for {len(scenario.in_play)} powers with {units} units, "
        f"{len(scenario.autonomous)} autonomous garrisons, {len(scenario.variants)} variants"
    )
