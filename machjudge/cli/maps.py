"""The maps of an installation, one of its scenarios by its name, and what is wrong with a file."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import click

from machjudge.adjudicator.board import Board, Scenario
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.state import State
from machjudge.cli import CommandFault, with_settings
from machjudge.cli.adjudicate import Spoken
from machjudge.cli.console import Readable, say, write_new
from machjudge.cli.faults import WRONG
from machjudge.drawing import draw, draw_part, raster, set_up
from machjudge.drawing.geometry import Frame, for_message, near
from machjudge.drawing.png import png_of
from machjudge.drawing.scene import Scene, places_of, scene_of_orders
from machjudge.formats.adjudicate import AnsweredLine, answer
from machjudge.judge.pictures import phase_seen
from machjudge.language import Lexicon, lexicon_of, reserved_names
from machjudge.map_files.board import is_board, load_board
from machjudge.map_files.folders import (
    BOARDS,
    NAMES,
    SCENARIOS,
    Atlas,
    is_id,
    load_names,
    places_text,
)
from machjudge.map_files.old_judge import (
    board_text,
    read_old_map,
    scenario_text,
    write_old_map,
)
from machjudge.map_files.shapes import Shapes, load_shapes
from machjudge.map_files.toml_reader import BrokenMap, open_table, reserved_name_flaw
from machjudge.messages.results import PlayedPhase, orders_by_unit
from machjudge.messages.visibility import EVERYTHING
from machjudge.messages.wording import moment_words
from machjudge.settings import Settings, maps_folder
from machjudge.translatable import Message

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
    table = open_table(file)
    if is_board(table):
        board = load_board(file)
        for each in reserved_names(Lexicon(board, {})):
            key = f"{board.places[PlaceId(each.bearer)].terrain.value}.{each.bearer}"
            table.note(key, reserved_name_flaw(each.name, each.line))
        table.findings.raise_if_any()
        return _board_summary(board)
    scenario = atlas.scenario_file(file)
    for each in reserved_names(lexicon_of(scenario)):
        key = f"powers.{each.bearer}" if each.bearer in scenario.powers else "scenario.board"
        table.note(key, reserved_name_flaw(each.name, each.line))
    table.findings.raise_if_any()
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


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the options ask for."""

    phase: BinaryIO | None
    played: bool
    power: str | None
    crop: str | None
    png: bool


def picture_of(atlas: Atlas, scenario: Scenario, wanted: Wanted) -> bytes:
    """The picture as SVG or PNG.  Raises CommandFault, BrokenMap."""
    shapes = atlas.shapes(scenario.board)
    if shapes is None:
        message = f"the board {scenario.board.id} has no drawing"
        raise CommandFault(message)
    power = _power(scenario, wanted.power)
    scene = _scene(atlas, scenario, wanted)
    if wanted.crop is None and power is None:
        svg = whole_board(shapes, scene, scenario)
        return png_of(svg, shapes.width) if wanted.png else svg.encode()
    own = places_of(scene or Scene(set_up(scenario)), [power] if power else [])
    frame: Frame = for_message(shapes) if wanted.crop == "all" else near(shapes, own)
    shown = scene or Scene(set_up(scenario))
    if wanted.png:
        return raster.picture_of(shapes, shown, scenario, frame, own)
    return draw_part(shapes, shown, scenario, frame, own, _legend).encode()


def whole_board(shapes: Shapes, state: State | Scene | None, scenario: Scenario) -> str:
    """The board with a position, or the set-up without one, and its legend in English, as SVG."""
    when = Message("map.set_up", year=scenario.year)
    if state is not None:
        when = moment_words((state.state if isinstance(state, Scene) else state).moment)
    title = say(Message("map.title", scenario=scenario.title, when=when))
    return draw(shapes, state, scenario, title, _legend)


def _legend(entry: str) -> str:
    return say(Message(f"map.legend.{entry}"))


def _power(scenario: Scenario, letter: str | None) -> PowerId | None:
    if letter is None:
        return None
    power = PowerId(letter.upper())
    if power not in scenario.powers:
        known = ", ".join(scenario.in_play)
        message = f"There is no power {letter!r} in {scenario.id}; there are {known}."
        raise CommandFault(message)
    return power


def _scene(atlas: Atlas, scenario: Scenario, wanted: Wanted) -> Scene | None:
    """The scene of the file; None without one.  Raises CommandFault."""
    if wanted.phase is None:
        if wanted.played:
            message = "--played needs the orders of a --phase"
            raise CommandFault(message)
        return None
    answered = answer(wanted.phase.readline(), atlas, Spoken())
    if not isinstance(answered, AnsweredLine):
        message = f"{answered.where}: {answered.says}"
        raise CommandFault(message)
    task, played = answered.task, answered.played
    if task.world.scenario.board.id != scenario.board.id:
        message = f"the phase is one of {task.world.scenario.id}, not of {scenario.id}"
        raise CommandFault(message)
    if wanted.played:
        seen = EVERYTHING.phase(task.world, task.state, played.state, played.events)
        return phase_seen(PlayedPhase(*seen, played.standing), EVERYTHING)
    state = EVERYTHING.view(task.world, task.state)
    others = [(power, order) for power, own in played.standing.items() for order in own]
    return scene_of_orders(state, orders_by_unit(state, played.standing), others)


_NEW = "new"
"""The folder with the board and the scenario to begin with."""
_BOARD_LINE = 'board      = "board"'
_OLD_PREFIX = "map."
_LINE_OF_NAMES = "names of powers are those of cities, and the year is none; write the right ones"

_folder = click.option(
    "-o",
    "--output",
    "folder",
    metavar="FOLDER",
    default=".",
    show_default="this one",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write boards/NAME.toml and scenarios/NAME.toml there.",
)
_force = click.option("--force", is_flag=True, help="Replace files that are there already.")


@click.command("new")
@click.argument("name")
@_folder
@_force
@with_settings
def new(settings: Settings, name: str, folder: Path, *, force: bool) -> None:
    """Begin a board and a scenario called NAME.

    Both are small and sound; change them step by step and check them after each.
    """
    begin = maps_folder() / _NEW
    board = (begin / "board.toml").read_text(encoding="utf-8")
    scenario = (begin / "scenario.toml").read_text(encoding="utf-8")
    scenario = scenario.replace(_BOARD_LINE, f'board      = "{name}"')
    _write(settings, name, folder, {BOARDS: board, SCENARIOS: scenario}, force=force)


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path, readable=False))
@click.option("--name", help="How the board and the scenario are called; as FILE, if not said.")
@_folder
@_force
@with_settings
def import_(settings: Settings, file: Path, name: str | None, folder: Path, *, force: bool) -> None:
    """Make a board and a scenario of FILE, a map file of the old judge.

    Such a file has no units, no year and only the letters of powers: it says what is left to do.
    """
    name = name or file.name.removeprefix(_OLD_PREFIX).lower()
    old = read_old_map(file, name)
    remarks = tuple(f"Read from {file.name}: {remark}." for remark in old.remarks)
    texts = {
        BOARDS: board_text(old.board, remarks),
        SCENARIOS: scenario_text(
            old.board.title, name, old.powers.values(), old.city_incomes, [_LINE_OF_NAMES]
        ),
    }
    for remark in remarks:
        click.echo(remark, err=True)
    _write(settings, name, folder, texts, force=force)


@click.command("export")
@click.argument("scenario", metavar="SCENARIO")
@click.option(
    "-o",
    "--output",
    "file",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    help="Write to FILE instead of the standard output.",
)
@click.option("--force", is_flag=True, help="Replace FILE if it is there already.")
@with_settings
def export(settings: Settings, scenario: str, file: Path | None, *, force: bool) -> None:
    """Write a scenario as a map file of the old judge.

    SCENARIO is an id, such as 1454, or a file.  What such a file cannot say is named.
    """
    old = write_old_map(find_scenario(Atlas(settings.map_folders), scenario))
    for each in old.unsaid:
        click.echo(f"Not said: {each}.", err=True)
    if file is None or file == Path("-"):
        click.echo(old.text, nl=False)
    else:
        write_new(file, old.text, force=force)


def _write(
    settings: Settings, name: str, folder: Path, texts: Mapping[str, str], *, force: bool
) -> None:
    """Write the files of both kinds, and say of each whether it is in order."""
    if not is_id(name):
        message = f"{name!r} is no name: it consists of a-z, 0-9, - and _"
        raise CommandFault(message)
    ours = Atlas([maps_folder()])
    if ours.scenario(name) or ours.board(name):
        message = f"{name!r} comes with the judge; choose another name"
        raise CommandFault(message)
    files = {folder / kind / f"{name}.toml": text for kind, text in texts.items()}
    there = [str(file) for file in files if file.exists()]
    if there and not force:
        message = f"{there[0]} is there already; --force replaces it"
        raise CommandFault(message)
    for file, text in files.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        write_new(file, text, force=force)
    for file in files:
        try:
            click.echo(f"{file}: OK, {summary(Atlas(settings.map_folders), file)}")
        except BrokenMap as broken:
            click.echo(f"Left to do:\n{broken}")


_PHASE_HELP = "Draw the position and orders in FILE, a line as machjudge adjudicate reads it."


@click.group("map")
def map_() -> None:
    """Check, list, show, draw and begin boards and scenarios."""


for _command in (new, import_, export):
    map_.add_command(_command)


@map_.command()
@click.argument(
    "files",
    metavar="FILE...",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path, readable=False),  # what is wrong, reading it tells
)
@with_settings
def check(settings: Settings, files: tuple[Path, ...]) -> None:
    """Check files of boards, scenarios or drawings.

    Names all that is wrong with them. Ends with 0 if nothing is, with 1 otherwise.
    """
    atlas = Atlas(settings.map_folders)
    sound = True
    for file in files:
        try:
            click.echo(f"{file}: OK, {summary(atlas, file)}")
        except BrokenMap as error:
            click.echo(str(error), err=True)
            sound = False
    if not sound:
        raise click.exceptions.Exit(WRONG)


@map_.command("list")
@with_settings
def list_(settings: Settings) -> None:
    """List the scenarios: id, year, powers, board and title."""
    atlas = Atlas(settings.map_folders)
    for name in atlas.scenario_ids():
        scenario = atlas.scenario(name)
        if scenario:
            letters = "".join(scenario.in_play)
            click.echo(
                f"{name:<12} {scenario.year}  {letters:<10} {scenario.board.id:<10} "
                f"{scenario.title}"
            )


@map_.command()
@click.argument("scenario", metavar="SCENARIO")
@with_settings
def show(settings: Settings, scenario: str) -> None:
    """Print the places of a scenario, as players get them.

    SCENARIO is an id, such as 1454, or a file.
    """
    found = find_scenario(Atlas(settings.map_folders), scenario)
    click.echo(places_text(found, say), nl=False)


@map_.command("draw")
@click.argument("scenario", metavar="SCENARIO")
@click.option("--phase", metavar="FILE", type=Readable(), help=_PHASE_HELP)
@click.option("--played", is_flag=True, help="Draw what became of the orders.")
@click.option("--for", "power", metavar="POWER", help="Draw the part near POWER, a letter.")
@click.option(
    "--crop", type=click.Choice(["near", "all"]), help="Draw a part for a message, or all of it."
)
@click.option("--png", is_flag=True, help="Write PNG in place of SVG.")
@click.option(
    "-o",
    "--output",
    "file",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    help="Write to FILE instead of the standard output.",
)
@click.option("--force", is_flag=True, help="Replace FILE if it is there already.")
@with_settings
def draw_(
    settings: Settings,
    /,
    scenario: str,
    file: Path | None,
    *,
    force: bool,
    **how: Any,  # noqa: ANN401 - the options as `Wanted` has them
) -> None:
    """Draw a scenario's set-up, or a phase with its orders, as SVG or PNG.

    SCENARIO is an id, such as 1454, or a file.
    """
    found = find_scenario(Atlas(settings.map_folders), scenario)
    if file is not None and file.is_file() and not force:
        message = f"{file} is there already; --force replaces it"
        raise CommandFault(message)
    picture = picture_of(Atlas(settings.map_folders), found, Wanted(**how))
    if file is None or file == Path("-"):
        click.echo(picture, nl=False)
    else:
        write_new(file, picture, force=force)
