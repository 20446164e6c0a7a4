"""``machjudge map new``, ``import`` and ``export``: boards and scenarios of a keeper's own."""

from collections.abc import Mapping
from pathlib import Path

import click

from machjudge.atlas import Atlas, BrokenMap
from machjudge.atlas.folders import BOARDS, SCENARIOS, is_id
from machjudge.atlas.oldjudge.reading import read_old_map
from machjudge.atlas.oldjudge.tomltext import board_text, scenario_text
from machjudge.atlas.oldjudge.writing import write_old_map
from machjudge.cli import CommandFault, with_settings
from machjudge.cli.files import write_new
from machjudge.cli.maps import find_scenario, summary
from machjudge.settings import Settings, maps_folder

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
