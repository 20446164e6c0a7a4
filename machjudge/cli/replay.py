"""``machjudge replay GAME``: rebuild every stored position of a game and compare."""

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import click

from machjudge import __version__
from machjudge.app.application import renderer_of
from machjudge.cli import with_settings
from machjudge.cli.existing import GameType, existing_application, no_such_game
from machjudge.cli.faults import WRONG, say
from machjudge.judge.archive import PhaseCheck
from machjudge.judge.archive import replay as rebuild
from machjudge.judge.records import GameId
from machjudge.settings import Settings
from machjudge.translatable import MessageOrText

T = TypeVar("T")


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
    checks = _checks(settings, game)
    wrong = sum(is_wrong(check) for check in checks)
    wording = renderer_of(settings).say
    say(line for check in checks for line in lines_about(check, wording))
    say([f"{len(checks)} phases, {wrong} of them wrong"])
    if wrong:
        raise click.exceptions.Exit(WRONG)


def watched(checks: Iterator[PhaseCheck], total: int) -> Iterator[PhaseCheck]:
    """The checks; a terminal shows how many of the phases are done."""
    return with_progress(checks, total, "Playing the phases again")


def is_wrong(check: PhaseCheck) -> bool:
    """Whether a promise is broken; older versions may have played otherwise."""
    return not check.is_kept or (check.adjudicator == __version__ and not check.plays_again)


def lines_about(check: PhaseCheck, say: Callable[[MessageOrText], str]) -> Iterator[str]:
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


def _checks(settings: Settings, game: GameId) -> tuple[PhaseCheck, ...]:
    with existing_application(settings) as application:
        checks = rebuild(application.services, game, watched)
    if checks is None:
        raise no_such_game(game)
    return checks
