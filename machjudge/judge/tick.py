"""Periodic work: phases played, reminders, late notices; as often as one likes.

Each game is a transaction of its own.  Two simultaneous ticks change nothing twice: the second
finds the game's version changed.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from machjudge.judge.agreements import waiting_for
from machjudge.judge.changes import Changes
from machjudge.judge.clock import resume_at_end
from machjudge.judge.confirmation import look_after_claims
from machjudge.judge.endings import end_for_good
from machjudge.judge.faults import Stale
from machjudge.judge.game_view import GameView, load, people_of, vacant_powers
from machjudge.judge.mail_context import MailContext
from machjudge.judge.mastering import ask_substitutes, next_request, next_succession, succession
from machjudge.judge.newspaper import newspapers
from machjudge.judge.ports import Services, UnitOfWork, tell_of_game
from machjudge.judge.process import process
from machjudge.judge.records import Game, GameId, Status
from machjudge.judge.reminders import (
    ask_master,
    brief,
    enter_deadlines,
    excuse,
    open_seats,
    queue_for_digests,
    remind,
    tell_late,
    tell_out_of_reach,
)
from machjudge.judge.setup import asked_until, due, is_asking
from machjudge.judge.timetable import (
    AskMaster,
    AskSubstitutes,
    BriefMasters,
    Decision,
    Excuse,
    Finish,
    Late,
    OpenSeats,
    Remind,
    Resume,
    Run,
    TellOutOfReach,
    Wait,
    counts_before,
    decide,
    next_decision,
)

LONGEST_REST = timedelta(days=1)
"""Each running game is looked at once a day, whatever its times are."""
FOR_SUBSTITUTES = timedelta(minutes=15)
"""How long one with an open seat rests where nobody is asked: somebody may offer themselves."""


def rest(services: Services, game_id: GameId, now: datetime) -> None:
    """Skip a game that was just looked at, if nothing is left to be done at *now*."""
    with services.store.reading() as uow:
        game = uow.games.get(game_id)
        if game is None or is_asking(game):
            return
        until = _rests_until(services, uow, game, now)
    if until == now:
        return
    # A changed game is to be looked at, and so is one whose rest did not outlast a loss of power.
    with suppress(Stale), services.store.writing(outlasts_power=False) as uow:
        uow.games.rest(game, until)
        uow.commit()


def _rests_until(services: Services, uow: UnitOfWork, game: Game, now: datetime) -> datetime | None:
    """The next instant with something due, perhaps *now*; None for never."""
    if game.status is not Status.RUNNING:
        return None
    view = load(services, uow, game)
    times = (view.clock, game.settings, view.readiness(now), now)
    if succession(services, view, now) is not None or not isinstance(decide(*times), Wait):
        return now
    if ask_substitutes(services, uow, view, now) is not None:
        return now
    instants = (next_decision(*times), next_succession(game, now), next_request(game, now))
    is_unasked = bool(game.settings.substitute_hours and vacant_powers(game)) and not instants[-1]
    longest = FOR_SUBSTITUTES if is_unasked else LONGEST_REST
    return min(each for each in (*instants, now + longest) if each is not None)


T = TypeVar("T")

_MAX_PHASES = 10
"""Phases played in a row because no orders are needed."""

_MAX_TRIES = 5
"""Tries of a use case after conflicts."""

_FOR_MASTERS = {AskMaster: ask_master, TellOutOfReach: tell_out_of_reach}
_OF_POWERS = {Late: tell_late, Excuse: excuse, OpenSeats: open_seats}


@dataclass(frozen=True, slots=True)
class Ticked:
    """The result of a tick."""

    processed: tuple[GameId, ...]
    failed: tuple[GameId, ...]
    """The games that failed; the judge keeper has been told."""


def look_at_games(
    services: Services, now: datetime, games: Iterable[GameId] | None = None
) -> Ticked:
    """Decide about the games that have changed or are due, or about *games*, and act."""
    processed: list[GameId] = []
    failed: list[GameId] = []
    if games is None:
        look_after_claims(services, now)
    waiting = deque(_due(services, now) if games is None else games)

    def leave() -> None:
        """Continue in the middle of the rest, as another tick plays these games now."""
        waiting.rotate(-(len(waiting) // 2))

    while waiting:
        game = waiting.popleft()
        try:
            is_played = look_at(services, game, now, leave)
            if is_played:
                processed.append(game)
            # One that was played need not be looked at once more when all are.
            if is_played or games is None:
                rest(services, game, now)
        # One game's failure, whatever it is, must not keep the others waiting.
        except Exception as error:
            tell_of_game(services, game, error, now)
            failed.append(game)
    return Ticked(tuple(processed), tuple(failed))


def _due(services: Services, now: datetime) -> Sequence[GameId]:
    with services.store.reading() as uow:
        return uow.games.due(now)


def look_at(
    services: Services, game: GameId, now: datetime, beaten: Callable[[], None] = lambda: None
) -> bool:
    """Do what is due in one game, with *beaten* after each conflict; True if it was played."""
    played = False
    for _ in range(_MAX_PHASES):
        decision = again(lambda: _step(services, game, now), beaten)
        played |= isinstance(decision, Run)
        if not isinstance(decision, Run | TellOutOfReach | BriefMasters | Resume | AskSubstitutes):
            break
    return played


def again(use_case: Callable[[], T], beaten: Callable[[], None] = lambda: None) -> T:
    """Run a use case again after each conflict.  Raises Stale."""
    for _ in range(_MAX_TRIES - 1):
        try:
            return use_case()
        except Stale:
            beaten()
    return use_case()


def _step(services: Services, game_id: GameId, now: datetime) -> Decision:
    """Decide once, and write the result; return the decision, ``Wait`` if nothing is due.

    It is decided for the instant up to which all mails are known.
    """
    heard = services.store.heard_until(now)
    with services.store.reading() as uow:
        game = uow.games.get(game_id)
        if game is not None and (until := asked_until(game)) is not None:
            opening = due(services, game, people_of(uow, game), heard)
            decision: Decision = Wait() if opening is None else Run()
            return _written(services, game_id, opening, decision, min(heard, until), now)
        if game is None or game.status is not Status.RUNNING:
            return Wait()
        view = load(services, uow, game)
        handed = succession(services, view, heard)
        readiness = view.readiness(heard)
        decision = decide(view.clock, game.settings, readiness, heard)
        asks = ask_substitutes(services, uow, view, now) if handed is None else None
        is_free = handed is None and asks is None
        changes = _changes(services, uow, view, decision, now) if is_free else asks
        before = counts_before(decision, view.clock, readiness, heard)
    if handed is not None:
        return _written(services, game_id, handed, Wait(), heard, now)
    if asks is not None:
        return _written(services, game_id, asks, AskSubstitutes(), heard, now)
    return _written(services, game_id, changes, decision, before, now)


def is_settled(context: MailContext, now: datetime) -> bool:
    """Return True if after a mail certainly nothing is due in a running game at *now*."""
    view = context.view()
    if view is None or context.progress.is_dry or context.changes.phases or is_asking(view.game):
        return False
    newest = {order_set.power: order_set for order_set in context.changes.order_sets}
    if any(view.order_sets.get(power) != order_set for power, order_set in newest.items()):
        return False
    if succession(context.services, view, now) is not None:
        return False
    if view.game.settings.substitute_hours and vacant_powers(view.game):
        return False
    return isinstance(decide(view.clock, view.game.settings, view.readiness(now), now), Wait)


def _written(
    services: Services,
    game: GameId,
    changes: Changes | None,
    decision: Decision,
    before: datetime,
    now: datetime,
) -> Decision:
    """Write the result of a decision, unless a mail kept *before* it waits.

    Then it is decided again later: players with kept orders are not late, and no phase is played
    without them.
    """
    if changes is None:
        return decision
    # Before the transaction that writes, which others wait for.
    with services.store.reading() as uow:
        changes.messages += newspapers(services, uow, changes, now)
        enter_deadlines(services, uow, changes, now)
        queue_for_digests(services, uow, changes, now)
    with services.store.writing() as uow:
        uow.games.lock(game)
        if uow.inbox.any_before(before, game):
            return Wait()
        changes.write(uow)
        uow.commit()
    return decision


def _changes(
    services: Services, uow: UnitOfWork, view: GameView, decision: Decision, now: datetime
) -> Changes | None:
    match decision:
        case Wait() | AskSubstitutes():
            return None
        case Remind():
            return remind(services, view, decision, now, waiting_for)
        case Late(powers) | Excuse(powers) | OpenSeats(powers):
            return _OF_POWERS[type(decision)](services, view, powers, now)
        case AskMaster() | TellOutOfReach():
            return _FOR_MASTERS[type(decision)](services, view, now)
        case BriefMasters():
            return brief(services, uow, view, now)
        case Resume():
            return resume_at_end(services, view, now)
        case Run(without=late):
            return process(services, uow, view, now, late=late)[0]
        case Finish():
            return end_for_good(services, uow, view, now)
