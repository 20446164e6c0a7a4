"""``machjudge demo``: a judge on loopback plays the game of 1978 by mail, and then with ducats."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from machjudge.adjudicator.model.state import State
from machjudge.cli.stage.performance import Compared, Exchange, Performance
from machjudge.cli.stage.script import StageAct, advanced_campaign, introductory_game
from machjudge.cli.stage.theatre import StageFright, Theatre, open_theatre
from machjudge.service.model.records import GameId
from machjudge.settings import load
from machjudge.wiring import build

_WIDTH = 78


@click.command()
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("demo"),
    show_default=True,
    help="Where database and mailbox are left for a look.",
)
@click.option("--all", "show_all", is_flag=True, help="Print every mail, not one of each kind.")
def demo(folder: Path, *, show_all: bool) -> None:
    """Watch four players play by mail at a judge on this machine.

    First the introductory game, then one campaign of the advanced game with its ducats.

    Everything goes through SMTP on this machine; nothing leaves it.
    """
    began = time.monotonic()
    click.echo(_PROLOGUE)
    with open_theatre(folder) as theatre, _positions_of(theatre) as position:
        tell = _Printer(show_all).tell
        pieces = [
            Performance(theatre, script, tell, position)
            for script in (introductory_game(), advanced_campaign())
        ]
        _heading("The players come in")
        pieces[0].register()
        compared = [done for piece in pieces for done in _performed(piece)]
        letters = theatre.post.count()
    mails = sum(piece.mails for piece in pieces)
    seconds = time.monotonic() - began
    _end(compared, f"{mails} mails to the judge, {letters} from it, {seconds:.0f} s")
    click.echo(_EPILOGUE.format(folder=folder))


@contextmanager
def _positions_of(theatre: Theatre) -> Iterator[Callable[[str], State]]:
    """How to look up the position of a game in the database of the stage."""
    application = build(load({}, file=theatre.folder / "machjudge.toml"))

    def position(name: str) -> State:
        with application.store.reading() as work:
            game = work.games.get(GameId(name))
            if game is None or game.position is None:
                says = f"the game {name} has no position"
                raise StageFright(says)
            return work.phases.get(game.id, game.position).after

    try:
        yield position
    finally:
        application.close()


def _performed(piece: Performance) -> Iterator[Compared]:
    """Play a script from its creation to its last act, and tell of it."""
    _heading(piece.script.title)
    if piece.script.prologue:
        click.echo(piece.script.prologue.strip())
    piece.open()
    yield from (_played(piece, act) for act in piece.script.acts)


def _played(piece: Performance, act: StageAct) -> Compared:
    _heading(f"{act.phase}  {act.note}".rstrip())
    compared = piece.play(act)
    if not act.after:
        return compared
    if compared.differences:
        click.echo(f"The position is NOT the one of {piece.script.teller}:")
        click.echo("\n".join(f"  {difference}" for difference in compared.differences))
    else:
        click.echo(f"Every unit stands where it stands in {piece.script.teller}.")
    return compared


def _end(compared: Sequence[Compared], figures: str) -> None:
    told = [act for act in compared if act.act.after]
    equal = sum(not act.differences for act in told)
    _heading("The end")
    click.echo(f"{figures}.")
    if equal < len(told):
        says = f"only {equal} of {len(told)} positions are as they must be"
        raise StageFright(says)
    click.echo(f"All {equal} positions that book and script tell equal those of these games.")


def _heading(text: str) -> None:
    click.echo()
    click.echo(click.style(text, bold=True))
    click.echo("-" * min(len(text), _WIDTH))


class _Printer:
    """Prints exchanges: one of each kind in full, the others as a line of progress."""

    def __init__(self, show_all: bool) -> None:
        self._show_all = show_all
        self._seen: Counter[str] = Counter()

    def tell(self, what: str, exchange: Exchange) -> None:
        """Print one exchange as its first of the kind deserves."""
        self._seen[what] += 1
        if self._show_all or self._seen[what] == 1:
            self._in_full(exchange)
        elif exchange.wrote:
            verdict = _verdict(exchange.letter.text)
            click.echo(f"{exchange.player.name} {what}. {verdict}")

    def _in_full(self, exchange: Exchange) -> None:
        player = exchange.player
        if exchange.wrote:
            click.echo(f"{player.name} writes to the judge:")
            click.echo(_quoted("\n".join(exchange.wrote), "  | "))
            click.echo("The judge answers:")
        else:
            click.echo(f"The judge writes to {player.name}:")
        click.echo(_quoted(f"Subject: {exchange.letter.subject}\n{exchange.letter.text}", "  > "))


def _quoted(text: str, mark: str) -> str:
    return "\n".join(f"{mark}{line}".rstrip() for line in text.strip().splitlines())


def _verdict(text: str) -> str:
    """The line of an acknowledgement that says whether the orders are complete."""
    lines = (line for line in text.splitlines() if line.startswith(("COMPLETE", "NOT COMPLETE")))
    return next(lines, "")


_PROLOGUE = """\
machjudge plays the introductory game of Machiavelli (1978): four powers, six
campaigns, one winter; and then one campaign of the advanced game, with ducats.
A judge starts on this machine, with an SMTP door and a database of its own;
four players write mails to it, and a post office takes its messages.
Lines with | are mails to the judge, lines with > its messages; of each kind the
first is shown in full (--all shows every one)."""

_EPILOGUE = """
What is left for a look:
  {folder}/mailbox/       every message that the judge sent, as .eml files
  {folder}/judge.db       the database
  {folder}/judge.log      what the judge logged
  {folder}/machjudge.toml the settings of this judge
Try next, with .venv/bin/machjudge or wherever it is installed:
  machjudge --config {folder}/machjudge.toml replay intro
        rebuild every position from its events and by playing the orders again
  machjudge --config {folder}/machjudge.toml verify ducats
        check every die of the second game, and all that followed from it
  machjudge --config {folder}/machjudge.toml config
        all settings, with what they mean
  machjudge read {folder}/mailbox/001-to-francesco.eml
        what the judge would read in any raw mail
  machjudge map draw 1454 > map.svg
        the board with the set-up of the eight-player scenario
README.md says how to run a judge for real, and docs/playing.md how to play."""
