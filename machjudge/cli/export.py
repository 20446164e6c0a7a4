"""``machjudge export GAME``: a finished game as one file that anybody can check.

The format is described in ``docs/export.md``.
"""

import sys
from pathlib import Path

import click

from machjudge.cli import Fault, with_settings
from machjudge.codec.chronicle import Chronicle, chronicle_lines
from machjudge.service.chronicle import NotFinished
from machjudge.service.chronicle import export as finished
from machjudge.service.records import GameId
from machjudge.settings import Settings
from machjudge.wiring import build


@click.command()
@click.argument("game")
@click.option(
    "--output",
    "file",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write to FILE, which must not be there yet, instead of the standard output.",
)
@with_settings
def export(settings: Settings, game: str, file: Path | None) -> None:
    """Write the finished GAME as one JSON file: positions, orders, dice, events, rules, secret.

    `machjudge verify FILE` checks it, anywhere. A game that goes on is refused: whoever knows its
    secret knows its dice.
    """
    chronicle = _chronicle(settings, game)
    text = "".join(f"{line}\n" for line in chronicle_lines(chronicle))
    if file is None:
        sys.stdout.write(text)
        return
    try:
        with file.open("x", encoding="ascii", newline="\n") as opened:
            opened.write(text)
    except OSError as error:
        message = f"{file} cannot be written: {error.strerror}"
        raise Fault(message) from error
    click.echo(f"{chronicle.game}: {len(chronicle.phases)} phases written to {file}")


def _chronicle(settings: Settings, game: str) -> Chronicle:
    house = build(settings)
    try:
        found = finished(house.desk, GameId(game.lower()))
    finally:
        house.close()
    match found:
        case None:
            message = f"there is no game called {game}"
            raise Fault(message)
        case NotFinished(name):
            message = f"{name} is not finished: its secret, which is part of the file, stays here"
            raise Fault(message)
        case Chronicle():
            return found
