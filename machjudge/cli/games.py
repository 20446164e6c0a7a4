"""Commands about the games of a judge: show, export and import, verify, replay."""

import gzip
import re
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from email import message_from_bytes
from email.policy import default
from mailbox import mbox
from pathlib import Path
from typing import BinaryIO, TypeVar

import click

from machjudge import __version__
from machjudge.adjudicator.world import world_of
from machjudge.app import Application, build
from machjudge.app.application import renderer_of
from machjudge.cli import CommandFault, with_settings
from machjudge.cli.console import Readable, output_option, write_new
from machjudge.cli.faults import WRONG, say
from machjudge.formats.game_file import (
    Chronicle,
    ChronicleEntry,
    chronicle_lines,
    read_chronicle,
    seal_of,
)
from machjudge.formats.values import Unfit, shown
from machjudge.judge.archive import (
    Finding,
    NotFinished,
    PhaseCheck,
    chronicle_of,
    compare,
    receipts_in,
    scenario_of,
)
from machjudge.judge.archive import export as finished
from machjudge.judge.archive import replay as rebuild
from machjudge.judge.archive import verify as findings_about
from machjudge.judge.game_view import read_order_texts, reader_of
from machjudge.judge.mail_context import LineParser
from machjudge.judge.outgoing import sight_of
from machjudge.judge.pages import (
    NotImported,
    WantedImport,
    course_of,
    expected_master,
    import_game,
    replay_of,
)
from machjudge.judge.questions import judge_stats, scenario_stats
from machjudge.judge.records import Game, GameId
from machjudge.judge.what_if import Trial, read_tried, try_out
from machjudge.language.words import read_phase
from machjudge.map_files.folders import Atlas
from machjudge.messages.visibility import EVERYTHING
from machjudge.settings import Settings
from machjudge.translatable import MessageOrText

T = TypeVar("T")


class GameType(click.ParamType[GameId]):
    """Reads the name of a game; case does not matter."""

    name = "game"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> GameId:
        """The game of that name; a Fault if no game can be called so."""
        if not value.isascii():  # and no database is asked for bytes that are no text
            raise no_such_game(value)
        return GameId(value.lower())


def no_such_game(name: str) -> CommandFault:
    """What is said where there is no game of that name."""
    return CommandFault(f"there is no game called {name}")


@contextmanager
def existing_application(settings: Settings) -> Iterator[Application]:
    """The rooms of the judge, closed at the end.

    Raises DatabaseOutOfReach or WrongSchema if there is no database with our tables.
    """
    application = build(settings, creates=False)
    try:
        yield application
    finally:
        application.close()


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


@click.command()
@with_settings
def stats(settings: Settings) -> None:
    """Print how the games of the judge ended, and how powers fared.

    What `STATS` tells anybody by mail, and the figures of every scenario, each set of rules apart;
    games that are not listed count here, practice does not. Nothing is changed.
    """
    with existing_application(settings) as application:
        services = application.services
        with application.store.reading() as uow:
            told = (*judge_stats(uow), *scenario_stats(services, uow))
        click.echo("\n".join(services.renderer.say(each) for each in told))


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
    findings = findings_about(chronicle, scenario, __version__, watched)
    if not all(finding.holds for finding in findings):
        say(lines_of_findings(chronicle, findings, services.renderer.say))
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


# --- verify --------------------------------------------------------------------------------


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
        found = [each for text in texts for each in receipts_in(text)]
        findings = (*findings, compare(chronicle, found))
    say(lines_of_findings(chronicle, findings, renderer_of(settings).say))
    if not all(finding.holds for finding in findings):
        raise click.exceptions.Exit(WRONG)


def lines_of_findings(
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
        can_tell = "only the version named" if doubt.what == "orders" else "only that player"
        well = f"Nothing is wrong, but look at {doubt.what}: {can_tell} can tell more"
    more = "Compare the SHA-256 with the one in the game's first mail, the seal with its last"
    yield f"{well}. {more}."


_TAG = re.compile("<[^>]*>")
_MAX_MESSAGE_BYTES = 30_000_000


def texts_in(path: Path) -> Iterator[str]:
    """Return the texts of the messages in a folder, an mbox, or a file of one message.

    Raises CommandFault if there is no such thing.
    """
    try:
        if path.is_dir():
            for each in sorted(path.rglob("*")):
                yield from _texts_of(_content(each)) if each.is_file() else ()
        elif (content := _content(path)).startswith(b"From "):
            with closing(mbox(path, create=False)) as box:
                for message in box:
                    yield from _texts_of(bytes(message))
        else:
            yield from _texts_of(content)
    except OSError as error:
        fault = f"{path} cannot be read: {error.strerror}"
        raise CommandFault(fault) from error


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
_MAX_GAME_BYTES = 256_000_000
"""Of a game's file, unpacked; one of a hundred years has some 30 MB."""


def read_game(file: Path) -> Chronicle:
    """The game in a file.  Raises CommandFault, which says where the fault is."""
    try:
        with file.open("rb") as packed:
            is_packed = packed.peek(2)[:2] == _GZIP
            opened = gzip.GzipFile(fileobj=packed) if is_packed else packed
            content = opened.read(_MAX_GAME_BYTES + 1)
        if len(content) > _MAX_GAME_BYTES:
            message = f"{file} is no game: it has more than {_MAX_GAME_BYTES // 1_000_000} MB"
            raise CommandFault(message)
        return read_chronicle(content)
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


# --- replay --------------------------------------------------------------------------------


def with_progress(work: Iterable[T], total: int, label: str) -> Iterator[T]:
    """The pieces of work as they are done, *total* of them."""
    hidden = sys.stderr is None or not sys.stderr.isatty()
    if hidden:
        yield from work
        return
    with click.progressbar(work, length=total, label=label, file=sys.stderr) as shown:
        yield from shown


@click.command()
@click.argument("game", type=GameType())
@with_settings
def replay(settings: Settings, game: GameId) -> None:
    """Rebuild every stored position of a game, and compare.

    The positions of GAME are rebuilt from its events, and by playing its orders again. Nothing is
    changed. Exits with 1 if a stored position is not what its events make of it, if a
    die does not follow from the secret, or if a phase that this version has played comes out
    otherwise now.
    """
    checks = _rebuilt(settings, game)
    wrong = sum(is_wrong(check) for check in checks)
    wording = renderer_of(settings).say
    say(line for check in checks for line in lines_of_check(check, wording))
    say([f"{len(checks)} phases, {wrong} of them wrong"])
    if wrong:
        raise click.exceptions.Exit(WRONG)


def watched(checks: Iterator[PhaseCheck], total: int) -> Iterator[PhaseCheck]:
    """The checks; a terminal shows how many of the phases are done."""
    return with_progress(checks, total, "Playing the phases again")


def is_wrong(check: PhaseCheck) -> bool:
    """Return True if a promise is broken; older versions may have played otherwise."""
    return not check.is_kept or (check.adjudicator == __version__ and not check.plays_again)


def lines_of_check(check: PhaseCheck, say: Callable[[MessageOrText], str]) -> Iterator[str]:
    """What came of one phase: a line, and one for each event that differs."""
    findings = list(_findings(check))
    yield f"{check.number:4}  {check.moment}  {'; '.join(findings) or 'as stored'}"
    yield from (f"      {say(difference)}" for difference in check.differences)


def _findings(check: PhaseCheck) -> Iterator[str]:
    if not check.starts_right:
        yield "WRONG: it does not start from the position before it"
    if not check.events_rebuild:
        yield "WRONG: its events do not lead to the position after it"
    for wrong in check.wrong_dice:
        yield f"WRONG: the dice for {wrong.purpose} do not follow from the secret"
    if not check.plays_again:
        made_by = "this version" if check.adjudicator == __version__ else check.adjudicator
        yield f"played by {made_by}, comes out otherwise now"


def _rebuilt(settings: Settings, game: GameId) -> tuple[PhaseCheck, ...]:
    with existing_application(settings) as application:
        checks = rebuild(application.services, game, watched)
    if checks is None:
        raise no_such_game(game)
    return checks


@click.command("what-if")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.argument("phase")
@click.argument("orders", type=Readable(), default="-")
@with_settings
def what_if(settings: Settings, file: Path, phase: str, orders: BinaryIO) -> None:
    """Play a phase of an exported game with other orders.

    FILE is what `machjudge export` has written, PHASE such as F1455M. ORDERS, or the standard
    input, has orders of any powers, a line each; the name of a power above them, with a colon, says
    whose they are where their units do not. What was ordered in the game stands beside them. No die
    is thrown: what each could bring is told.
    """
    chronicle = read_game(file)
    entry = _entry(chronicle, phase)
    world = world_of(scenario_of(chronicle, Atlas(settings.map_folders)), entry.rules)
    stage = entry.before.moment.stage
    played = {
        power: read_order_texts(world, stage, (line.canonical for line in lines))
        for power, lines in entry.orders.items()
    }
    trial = Trial.of(world, EVERYTHING.view(world, entry.before), EVERYTHING, played)
    text = orders.read().decode("utf-8", "replace")
    rows = [(n, row.strip()) for n, row in enumerate(text.splitlines(), 1) if row.strip()]
    facts = try_out(trial, read_tried(trial, rows, None, LineParser())).facts
    renderer = renderer_of(settings)
    say(renderer.say(line) for line in renderer.lines("what_if", facts))


def _entry(chronicle: Chronicle, phase: str) -> ChronicleEntry:
    """The last played phase of that name.  Raises CommandFault."""
    moment = read_phase(phase.split())
    played = [each for each in chronicle.phases if each.parent is not None and each.orders]
    found = [each for each in played if each.before.moment == moment]
    if not found:
        names = ", ".join(dict.fromkeys(each.moment for each in played))
        message = f"there is no phase {phase} in the game; there are {names or 'none'}"
        raise CommandFault(message)
    return found[-1]
