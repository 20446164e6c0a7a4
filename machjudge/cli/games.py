"""``machjudge show GAME``: a game as one web page to look through."""

import sys
from dataclasses import replace
from pathlib import Path

import click

from machjudge import __version__
from machjudge.app import Application
from machjudge.cli import CommandFault, with_settings
from machjudge.cli.existing import GameType, existing_application, no_such_game
from machjudge.cli.faults import say
from machjudge.cli.files import output_option, write_new
from machjudge.cli.replay import watched
from machjudge.cli.verify import lines_about, read_game
from machjudge.formats.game_file import Chronicle, chronicle_lines, seal_of
from machjudge.judge.archive import NotFinished, scenario_of, verify
from machjudge.judge.archive import export as finished
from machjudge.judge.game_view import reader_of
from machjudge.judge.outgoing import sight_of
from machjudge.judge.pages import (
    NotImported,
    WantedImport,
    course_of,
    expected_master,
    import_game,
    replay_of,
)
from machjudge.judge.records import Game, GameId
from machjudge.settings import Settings


@click.command()
@click.argument("game", type=GameType())
@output_option
@with_settings
def export(settings: Settings, game: GameId, file: Path | None) -> None:
    """Write a finished game as one JSON file.

    It holds positions, orders, dice, events, rules and the secret of GAME. `machjudge verify
    FILE` checks it, anywhere. A game that goes on is refused: whoever knows its secret knows its
    dice.
    """
    chronicle = _chronicle(settings, game)
    text = "".join(f"{line}\n" for line in chronicle_lines(chronicle))
    if file is None:
        sys.stdout.write(text)
        return
    write_new(file, text)
    click.echo(f"{chronicle.game}: {len(chronicle.phases)} phases written to {file}")


def _chronicle(settings: Settings, game: GameId) -> Chronicle:
    with existing_application(settings) as application:
        found = finished(application.services, game)
    match found:
        case None:
            raise no_such_game(game)
        case NotFinished(name):
            message = f"{name} is not finished: its secret, which is part of the file, stays here"
            raise CommandFault(message)
        case Chronicle():
            return found


@click.command("import")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option(
    "--master",
    metavar="ADDRESS",
    required=True,
    help="Who becomes its master: the address of somebody who is registered here.",
)
@click.option("--as", "name", metavar="NAME", help="What the game is called here.")
@with_settings
def import_(settings: Settings, file: Path, master: str, name: str | None) -> None:
    """Keep a finished game that another judge has exported.

    FILE is checked as `machjudge verify` does it, and refused whole if anything in it is wrong.
    The game can be listed, summed up, replayed and exported again as if it had been played here.
    Nobody who played it comes along, and it counts for no ratings. Its master asks for a token to
    get in.
    """
    chronicle = read_game(file)
    wanted = WantedImport(chronicle.game if name is None else name, master)
    with existing_application(settings) as application:
        try:
            game = _imported(application, file, chronicle, wanted)
        except NotImported as refused:
            message = application.services.renderer.say(refused.why)
            raise CommandFault(message) from refused
    click.echo(f"{game.name}: {len(chronicle.phases)} phases imported; the seal of its last mail")
    click.echo(f"must be {seal_of(chronicle)}")


def _imported(
    application: Application, file: Path, chronicle: Chronicle, wanted: WantedImport
) -> Game:
    services = application.services
    with services.store.reading() as uow:  # before anybody waits for nothing
        expected_master(services, uow, wanted)
    scenario = scenario_of(chronicle, services.atlas)
    findings = verify(chronicle, scenario, __version__, watched)
    if not all(finding.holds for finding in findings):
        say(lines_about(chronicle, findings, services.renderer.say))
        message = f"{file} is not imported: what it tells does not hold"
        raise CommandFault(message)
    return import_game(services, chronicle, scenario, wanted, application.clock())


@click.command()
@click.argument("game", type=GameType())
@output_option
@click.option("--all", "shows_all", is_flag=True, help="Show also what only the master may see.")
@with_settings
def show(settings: Settings, game: GameId, file: Path | None, *, shows_all: bool) -> None:
    """Write a game as one HTML file to look through, phase by phase.

    The file needs nothing else. It shows of GAME what everybody may see: of a finished game all
    that is open after the end.
    """
    page = _page(settings, game, shows_all=shows_all)
    if file is None:
        sys.stdout.write(page)
        return
    write_new(file, page)
    click.echo(f"{game}: {len(page.encode()) // 1000} kB written to {file}")


def _page(settings: Settings, name: GameId, *, shows_all: bool) -> str:
    with existing_application(settings) as application:
        services = application.services
        with services.store.reading() as uow:
            game = uow.games.get(name)
            if game is None:
                raise no_such_game(name)
            sight = replace(sight_of(game, []), is_master=shows_all)
            course = course_of(services, uow, game, sight)
        if course is None:
            message = f"{game.name} has not begun"
            raise CommandFault(message)
        return replay_of(services, course, reader_of(services, None, application.clock()))
