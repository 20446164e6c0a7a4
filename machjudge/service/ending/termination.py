"""A game that is won, or broken off: for a week its master can take it back, then it ends for good.

Its clock stands meanwhile; orders and press are taken, nothing is played and nothing revealed.
"""

from dataclasses import replace
from datetime import datetime, timedelta

from machjudge.language.commands.commands import PlainCommand
from machjudge.reading import Line
from machjudge.sentence import Sentence
from machjudge.service.clock.this_phase import why_it_stands
from machjudge.service.credentials.authority import Act
from machjudge.service.ending.ending import end_game
from machjudge.service.game.timetable import full_minute
from machjudge.service.model.ends import End
from machjudge.service.model.records import Clock, Game
from machjudge.service.session.command import MASTERS, OVER, RUNNING, CommandEntry
from machjudge.service.session.outgoing import announce
from machjudge.service.session.session import Session

RESPITE = timedelta(weeks=1)
"""How long the end of a game can be taken back."""


def standing(clock: Clock, now: datetime, *, won: bool = False) -> Clock:
    """The clock that stands until the game ends for good, or its master takes that back."""
    ends = full_minute(now + RESPITE)
    return replace(clock, paused=clock.paused or now, ends=ends, won=won)


def terminate(session: Session, line: Line, _: PlainCommand) -> None:
    """Break a game off: one that forms at once, one that is played in a week."""
    game = session.game
    if game is None:
        return
    if game.clock is None:
        end_game(session, End.TERMINATED, ())
    elif game.clock.ends is not None:
        session.refuse(line, why_it_stands(session) or session.why_not_played())
    else:
        _break_off(session, game, game.clock)


TERMINATE = CommandEntry(
    "terminate",
    RUNNING,
    MASTERS,
    Act.FINAL,
    terminate,
    refused_in=OVER,
)


def _break_off(session: Session, game: Game, clock: Clock) -> None:
    """Stop the clock, name the end, and tell everybody; the head of the letters says when."""
    stopped = replace(game, clock=standing(clock, session.now))
    session.set_game(stopped)
    session.note("terminated", Sentence("ending.terminated.logged"))
    session.done(Sentence("ending.terminated.done"))
    told = [Sentence("ending.terminated.announced")]
    announce(session, stopped, Sentence("ending.terminated.subject"), told)
