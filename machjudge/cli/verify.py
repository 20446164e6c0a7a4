"""``machjudge verify``: check every die and every position of a game, from a file or in place."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import click

from machjudge import __version__
from machjudge.app.application import renderer_of
from machjudge.cli import CommandFault, with_settings
from machjudge.cli.existing import existing_application
from machjudge.cli.faults import WRONG, say
from machjudge.cli.replay import watched
from machjudge.formats.game_file import Chronicle, read_chronicle
from machjudge.formats.values import Unfit, shown
from machjudge.judge.archive import Finding, chronicle_of, scenario_of
from machjudge.judge.archive import verify as findings_about
from machjudge.judge.records import GameId
from machjudge.map_files.folders import Atlas
from machjudge.settings import Settings
from machjudge.translatable import MessageOrText


@click.command()
@click.argument("game", metavar="FILE|GAME")
@with_settings
def verify(settings: Settings, game: str) -> None:
    """Check all dice and positions of a game.

    That is FILE, as `machjudge export` writes it, without any judge; or GAME in place. Says
    whether the secret fits its commitment, every die follows from it, every position from the one
    before, the orders bring the same results again, and all that was written is as it was sealed.
    Ends with 1 and the first thing that does not hold, or with 2 if the file is broken.
    """
    file = Path(game)
    chronicle = read_game(file) if _is_file(file) else _in_place(settings, game)
    scenario = scenario_of(chronicle, Atlas(settings.map_folders))
    findings = findings_about(chronicle, scenario, __version__, watched)
    say(lines_about(chronicle, findings, renderer_of(settings).say))
    if not all(finding.holds for finding in findings):
        raise click.exceptions.Exit(WRONG)


def lines_about(
    chronicle: Chronicle, findings: Sequence[Finding], wording: Callable[[MessageOrText], str]
) -> Iterator[str]:
    """What holds, a line for each thing that was looked at, and what follows from it."""
    yield f"{shown(chronicle.game)} ({shown(chronicle.scenario)})"
    for finding in findings:
        state = "holds" if finding.holds else "WRONG"
        yield f"  {finding.what:<7} {state}: {wording(finding.says)}"
    wrong = next((finding for finding in findings if not finding.holds), None)
    if wrong is not None:
        yield f"Not everything holds. First of all: {wrong.what}."
        return
    doubt = next((finding for finding in findings if finding.doubt), None)
    well = "Everything holds"
    if doubt is not None:
        well = f"Nothing is wrong, but look at {doubt.what}: only the version named can tell more"
    compare = "Compare the SHA-256 with the one in the game's first mail, the seal with its last"
    yield f"{well}. {compare}."


def _is_file(file: Path) -> bool:
    try:
        return file.is_file()
    except (OSError, ValueError):
        return False


def read_game(file: Path) -> Chronicle:
    """The game in a file.  Raises CommandFault, which says where the fault is."""
    try:
        return read_chronicle(file.read_bytes())
    except OSError as error:
        message = f"{file} cannot be read: {error.strerror}"
        raise CommandFault(message) from error
    except Unfit as unfit:
        where = f" at {unfit.where}" if unfit.where else ""
        message = f"{file} is broken{where}: {unfit.says}"
        raise CommandFault(message) from unfit


def _in_place(settings: Settings, game: str) -> Chronicle:
    if set(game) & set("./\\") or not game.isascii():  # no game is called so
        message = f"there is no file {game}"
        raise CommandFault(message)
    with existing_application(settings) as application:
        chronicle = chronicle_of(application.services, GameId(game.lower()))
    if chronicle is None:
        message = f"there is neither a file nor a game called {game}"
        raise CommandFault(message)
    return chronicle
