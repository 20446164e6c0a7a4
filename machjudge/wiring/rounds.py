"""One round of work: mails in their order, phases at their deadlines, letters to the relay."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from machjudge.service.clock.clock_jumps import watch
from machjudge.service.clock.digests import send_digests
from machjudge.service.intake.postmaster import pass_on_waiting
from machjudge.service.intake.tick import Ticked, look_at_games
from machjudge.service.intake.worker import TakenMail, take
from machjudge.service.model.records import GameId
from machjudge.service.ports.faults import tell_of_more
from machjudge.service.ports.stale import Stale
from machjudge.wiring.application import Application
from machjudge.wiring.web import write_pages

log = structlog.get_logger(__name__)

_MOST_ROUNDS = 5
"""How often mails that came meanwhile are handled before a phase that is due."""

Stop = Callable[[], bool]
"""Whether somebody has asked to come to an end."""


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Worked:
    """What came of a round."""

    taken: tuple[TakenMail, ...]
    touched: tuple[GameId, ...]
    """The games of the mails that are finished, unless they are sure to wait for more."""


def work(application: Application, stop: Stop = _never) -> Worked:
    """Handle all mails that can be handled now, and play the phases that became ready.

    A phase that was complete at its deadline is played before a mail that came after it is
    handled; one that is waited for, when nothing is left that was kept before.  A flood of mails
    holds neither up.
    """
    taken: list[TakenMail] = []
    looked_at: set[tuple[GameId, datetime]] = set()
    is_beaten = False
    while not stop():
        one = take(application.services, application.clock(), unless_overdue=True)
        if one is None:
            over = application.store.overdue(application.clock())
            left = [each for each in over if each not in looked_at]
            if left:
                # Where another process plays these games, go on in the middle of those left.
                due = left[len(left) // 2 if is_beaten else 0]
                handled, is_played = _look_at(application, stop, *due)
                is_beaten = not is_played
                taken += handled
                looked_at.add(due)
                continue
            one = take(application.services, application.clock()) if over else None
        if one is None:
            break
        taken.append(one)
        if one.mail.is_alone:
            break
    return _worked(application, taken)


def tick(application: Application, stop: Stop = _never) -> Ticked:
    """What cron asks for: mails first, then deadlines, reminders, digests, pages, the outbox.

    Before all that, a jump of the server's clock is noticed.  Also takes over what processes have
    left that are known to be dead, and once a day forgets the texts of old mails.
    """
    for clear_up in (application.store.release_dead, application.store.forget_old):
        with suppress(Stale):  # somebody else is about it
            clear_up()
    _forget_texts(application)
    watch(application.services, application.clock)
    work(application, stop)
    ticked = look_at_games(application.services, application.clock())
    send_digests(application.services, application.clock())
    tell_of_more(application.services, application.clock())
    pass_on_waiting(application.services, application.clock())
    write_pages(application)
    application.sender.send_due(stop)
    return ticked


def _forget_texts(application: Application) -> None:
    """Forget the texts of old mails, if the keeper wants it."""
    days = application.settings.keep_mails
    if not days:
        return
    with suppress(Stale):  # what somebody else has in hand goes another day
        forgotten = application.store.forget_texts(timedelta(days=days))
        if forgotten:
            log.info("texts forgotten", mails=forgotten, days=days)


def _look_at(
    application: Application, stop: Stop, game: GameId, end: datetime
) -> tuple[list[TakenMail], bool]:
    """Look at a game at the end of a time of it, and again after what was kept since then.

    The mails that were handled, and whether a phase was played here.
    """
    taken = [*_take_all(application, stop, before=end)]
    ticked = look_at_games(application.services, application.clock(), [game])
    for _ in range(_MOST_ROUNDS):
        at = application.clock()
        handled = [*_take_all(application, stop, before=at)]
        if not handled:
            break
        taken += handled
        look_at_games(application.services, at, [game])
    return taken, bool(ticked.processed)


def _take_all(application: Application, stop: Stop, before: datetime) -> Iterator[TakenMail]:
    while (
        not stop()
        and (one := take(application.services, application.clock(), before=before)) is not None
    ):
        yield one


def _worked(application: Application, taken: Sequence[TakenMail]) -> Worked:
    finished = (one.game for one in taken if one.is_finished and one.game is not None)
    touched = tuple(dict.fromkeys(finished))
    settled = {one.game: one.is_settled for one in taken}
    open_games = [game for game in touched if not settled[game]]
    look_at_games(application.services, application.clock(), open_games)
    return Worked(tuple(taken), tuple(open_games))
