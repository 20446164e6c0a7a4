"""``machjudge verify``: check every die and every position of a game, from a file or in place."""

import gzip
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from email import message_from_bytes
from email.policy import default
from mailbox import mbox
from pathlib import Path

import click

from machjudge import __version__
from machjudge.app.application import paper_of
from machjudge.cli import CommandFault, with_settings
from machjudge.cli.existing import existing_application
from machjudge.cli.faults import WRONG, say
from machjudge.cli.replay import watched
from machjudge.formats.game_file import Chronicle, read_chronicle
from machjudge.formats.values import Unfit, shown
from machjudge.judge.archive import Finding, chronicle_of, compare, receipts_in, scenario_of
from machjudge.judge.archive import verify as findings_about
from machjudge.judge.records import GameId
from machjudge.map_files.folders import Atlas
from machjudge.settings import Settings
from machjudge.translatable import MessageOrText


@click.command()
@click.argument("game", metavar="FILE|GAME")
@click.option(
    "--receipts",
    metavar="FOLDER|MBOX",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Messages of the judge: check that the game is of the orders that they acknowledge.",
)
@with_settings
def verify(settings: Settings, game: str, receipts: tuple[Path, ...]) -> None:
    """Check all dice and positions of a game.

    That is FILE, as `machjudge export` writes it, without any judge; or GAME in place. Says
    whether the secret fits its commitment, every die follows from it, every position from the one
    before, the orders bring the same results again, and all that was written is as it was sealed.
    With receipts it says whether these are the orders that the judge has acknowledged.
    Ends with 1 and the first thing that does not hold, or with 2 if the file is broken.
    """
    file = Path(game)
    chronicle = read_game(file) if _is_file(file) else _in_place(settings, game)
    scenario = scenario_of(chronicle, Atlas(settings.map_folders))
    findings = findings_about(chronicle, scenario, __version__, watched)
    if receipts:
        texts = [text for path in receipts for text in texts_in(path)]
        told = [each for text in texts for each in receipts_in(text)]
        findings = (*findings, compare(chronicle, told))
    say(lines_about(chronicle, findings, paper_of(settings).say))
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


_TAG = re.compile("<[^>]*>")
_MAX_MESSAGE_BYTES = 30_000_000


def texts_in(path: Path) -> Iterator[str]:
    """Return the texts of the messages in a folder, an mbox, or a file of one message.

    Raises CommandFault if there is no such thing.
    """
    try:
        if not path.is_dir():
            with path.open("rb") as file:
                is_box = file.read(5) == b"From "
            messages = map(bytes, mbox(path, create=False)) if is_box else iter((_content(path),))
        else:
            files = (each for each in sorted(path.rglob("*")) if each.is_file())
            messages = (_content(each) for each in files)
        for raw in messages:
            yield from _texts_of(raw)
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror}"
        raise CommandFault(message) from error


def _content(file: Path) -> bytes:
    with file.open("rb") as opened:
        return opened.read(_MAX_MESSAGE_BYTES)


def _texts_of(raw: bytes) -> Iterator[str]:
    message = message_from_bytes(raw, policy=default)
    for part in message.walk():
        if part.get_content_maintype() != "text":
            continue
        try:
            text = str(part.get_content())
        except (LookupError, ValueError):  # a charset that nobody knows
            continue
        yield _TAG.sub(" ", text) if part.get_content_subtype() == "html" else text


def _is_file(file: Path) -> bool:
    try:
        return file.is_file()
    except (OSError, ValueError):
        return False


_GZIP = b"\x1f\x8b"


def read_game(file: Path) -> Chronicle:
    """The game in a file.  Raises CommandFault, which says where the fault is."""
    try:
        content = file.read_bytes()
        return read_chronicle(gzip.decompress(content) if content[:2] == _GZIP else content)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        message = f"{file} is broken: {error}"
        raise CommandFault(message) from error
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
