"""``machjudge map``: check, list, show and draw boards and scenarios."""

from pathlib import Path
from typing import Any

import click

from machjudge.adjudicator.model.board import Board
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.atlas import Atlas, BrokenMap, load_board, load_shapes, places_text
from machjudge.atlas.boardfile import is_board
from machjudge.atlas.sheet import open_sheet
from machjudge.cli import CommandFault, with_settings
from machjudge.cli.faults import WRONG
from machjudge.cli.files import Readable, write_new
from machjudge.settings import Settings, maps_folder

_SHAPES = ".shapes.json"
_PHASE_HELP = "Draw the position and orders in FILE, a line as machjudge adjudicate reads it."


@click.group("map")
def map_() -> None:
    """Check, list, show and draw boards and scenarios."""


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
    atlas = atlas_of(settings)
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
    atlas = atlas_of(settings)
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
    found = find_scenario(atlas_of(settings), scenario)
    click.echo(places_text(found.board, found), nl=False)


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
    from machjudge.cli.draw import Wanted, picture_of  # noqa: PLC0415 - only this needs it

    found = find_scenario(atlas_of(settings), scenario)
    if file is not None and file.is_file() and not force:
        message = f"{file} is there already; --force replaces it"
        raise CommandFault(message)
    picture = picture_of(atlas_of(settings), found, Wanted(**how))
    if file is None or file == Path("-"):
        click.echo(picture, nl=False)
    else:
        write_new(file, picture, force=force)


def atlas_of(settings: Settings) -> Atlas:
    """The maps of the program, and those of the keeper after them."""
    own = [settings.maps] if settings.maps else []
    return Atlas([maps_folder(), *own])


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
    if is_board(open_sheet(file)):
        return board_summary(load_board(file))
    return scenario_summary(atlas.scenario_file(file))


def board_summary(board: Board) -> str:
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


def scenario_summary(scenario: Scenario) -> str:
    """A scenario in counts."""
    units = sum(len(power.units) for power in scenario.powers.values())
    return (
        f"a scenario on {scenario.board.id} for {len(scenario.in_play)} powers with {units} units, "
        f"{len(scenario.autonomous)} autonomous garrisons, {len(scenario.variants)} variants"
    )
