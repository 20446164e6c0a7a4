"""``machjudge show GAME``: a game as one web page to look through."""

import sys
from dataclasses import replace
from pathlib import Path

import click

from machjudge.cli import CommandFault, with_settings
from machjudge.cli.existing import GameType, existing_application, no_such_game
from machjudge.cli.files import output_option, write_new
from machjudge.service.game.view import reader_of
from machjudge.service.model.records import GameId
from machjudge.service.pages.replay import course_of, replay_of
from machjudge.service.session.outgoing import sight_of
from machjudge.settings import Settings


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
