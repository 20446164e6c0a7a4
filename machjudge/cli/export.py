"""``machjudge export GAME``: a finished game as one file that anybody can check.

The format is described in ``docs/export.md``.
"""

import sys
from pathlib import Path

import click

from machjudge.cli import CommandFault, with_settings
from machjudge.cli.existing import GameType, existing_application, no_such_game
from machjudge.cli.files import output_option, write_new
from machjudge.codec.document.chronicle import Chronicle, chronicle_lines
from machjudge.service.archive.chronicle import NotFinished
from machjudge.service.archive.chronicle import export as finished
from machjudge.service.model.records import GameId
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
