"""A seat that was open is taken: what that means for the clock."""

from dataclasses import replace
from datetime import datetime

from machjudge.adjudicator.model.moments import Stage
from machjudge.service.game.timetable import next_clock
from machjudge.service.game.view import absences_of, players
from machjudge.service.model.records import Clock, Game


def clock_for_newcomer(game: Game, stage: Stage, now: datetime) -> Clock | None:
    """The clock of a game whose seat was just taken.

    When no other seat is open, whoever took it has the time of a whole phase; while others are
    open, and while the game is paused, nothing changes.  A deadline never moves forward.  Where
    the master has set it so (``set no fresh deadline``), it never moves at all.
    """
    clock = game.clock
    if clock is None or clock.paused is not None or not game.conduct.fresh_deadline:
        return clock
    if any(seat.powers and seat.person is None for seat in players(game)):
        return clock
    fresh = next_clock(game.conduct, stage, now, clock.deadline, absences_of(game))
    if fresh.deadline == clock.deadline:
        return clock
    return replace(clock, deadline=fresh.deadline, grace=fresh.grace, warned=(), opened=False)
