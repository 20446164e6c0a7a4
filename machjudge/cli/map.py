"""``machjudge map``: check, list, show and draw boards and scenarios, and begin new ones."""

from pathlib import Path
from typing import Any

import click

from machjudge.atlas import Atlas, BrokenMap, places_text
from machjudge.cli import CommandFault, with_settings
from machjudge.cli.faults import WRONG
from machjudge.cli.files import Readable, write_new
from machjudge.cli.map_author import export, import_, new
from machjudge.cli.maps import find_scenario, summary
from machjudge.cli.said import say
from machjudge.settings import Settings

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
    from machjudge.cli.draw import Wanted, picture_of  # noqa: PLC0415 - only this needs it

    found = find_scenario(Atlas(settings.map_folders), scenario)
    if file is not None and file.is_file() and not force:
        message = f"{file} is there already; --force replaces it"
        raise CommandFault(message)
    picture = picture_of(Atlas(settings.map_folders), found, Wanted(**how))
    if file is None or file == Path("-"):
        click.echo(picture, nl=False)
    else:
        write_new(file, picture, force=force)
