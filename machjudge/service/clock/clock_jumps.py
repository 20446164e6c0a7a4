"""The judge's clock jumped, or the judge was down for long: nobody loses time by it.

After a leap forward the times of the running phases are put off by as much, as far as they were
still to come; when the clock is set back again they return.  A phase that began in a time that
has not come begins anew, as long as it was to be.  Messages, tries and claims that were put off by
the wrong clock are due again.  Everybody at the game and the keeper are told.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta

from machjudge.letters.page.head import Head
from machjudge.letters.wording.times import header_time
from machjudge.sentence import Sentence
from machjudge.service.clock.calendar_files import enter_deadlines
from machjudge.service.clock.holding_back import hold_back
from machjudge.service.game.clock_leaps import Rhythm, after_leap
from machjudge.service.game.view import GameView, absences_of, load
from machjudge.service.model.leap import BEAT, Leap, Looks
from machjudge.service.model.records import GameId, Notice, Status
from machjudge.service.ports.changes import Changes
from machjudge.service.ports.faults import tell_of_game
from machjudge.service.ports.interfaces import Stale, UnitOfWork
from machjudge.service.ports.mails import Outgoing
from machjudge.service.ports.services import Services
from machjudge.service.session.outgoing import addressees, head_now, letter

_MOST_TRIES = 5

ClockOf = Callable[[], datetime]


def watch(services: Services, clock: ClockOf) -> Leap | None:
    """Note what the judge's clock says; after a leap put the games right, and tell.

    Every process does so before it handles mails or plays phases, at most once a minute with a
    note.  The clock is read after the last look, so that none of another process is later.
    """
    looks = _looks(services)
    now = clock()
    leap = looks.leap(now)
    if leap is None:
        if looks.last is None or now < looks.last or now - looks.last >= BEAT:
            _beat(services, looks, now)
        return None
    if _looks(services).last != looks.last:
        return None  # another process has looked meanwhile: this one was only slow
    _put_all_right(services, leap)
    with suppress(Stale), services.store.writing() as uow:
        if leap.by < timedelta(0):
            uow.heartbeat.set_back(now)
        _note(uow, looks.after(now))
        for outgoing in _to_keeper(services, leap):
            uow.outbox.put(outgoing)
        uow.commit()
    return leap


def _looks(services: Services) -> Looks:
    """What is known of the looks at the clock."""
    with services.store.reading() as uow:
        beat = uow.heartbeat
        return Looks(beat.last(), beat.usual(), beat.missed())


def _beat(services: Services, looks: Looks, now: datetime) -> None:
    """Note a look, unless another process has looked since, and perhaps later than *now*."""
    with suppress(Stale), services.store.writing() as uow:
        if uow.heartbeat.last() != looks.last:
            return
        _note(uow, looks.after(now))
        uow.commit()


def _note(uow: UnitOfWork, looks: Looks) -> None:
    if looks.last is not None:
        uow.heartbeat.beat(looks.last, looks.usual, looks.missed)


def _put_all_right(services: Services, leap: Leap) -> None:
    with services.store.reading() as uow:
        games = [game.id for game in uow.games.unfinished() if game.status is Status.RUNNING]
    for game in games:
        _put_right_or_tell(services, game, leap)


def _put_right_or_tell(services: Services, game: GameId, leap: Leap) -> None:
    try:
        for _ in range(_MOST_TRIES):
            with suppress(Stale):
                _put_right(services, game, leap)
                return
    # One game's failure, whatever it is, must not keep the others from being put right.
    except Exception as error:
        tell_of_game(services, game, error, leap.now)


def _put_right(services: Services, game_id: GameId, leap: Leap) -> None:
    """Move the times of one game.  Raises Stale."""
    with services.store.reading() as uow:
        game = uow.games.get(game_id)
        if game is None or game.clock is None:
            return
        situation = load(services, uow, game)
    stage = situation.state.moment.stage
    rhythm = Rhythm(game.conduct, stage, absences_of(game))
    clock = after_leap(situation.clock, leap, rhythm)
    if clock == situation.clock:
        return
    after = replace(situation, game=replace(situation.game, clock=clock))
    changes = Changes(
        read=situation.game,
        game=after.game,
        notices=[Notice(game_id, leap.now, None, "clock", services.paper.say(leap.words))],
        letters=list(_letters(services, after, leap)),
    )
    with services.store.writing() as uow:
        uow.games.lock(game_id)
        enter_deadlines(services, uow, changes, leap.now)
        hold_back(services, uow, changes, leap.now)
        changes.write(uow)
        uow.commit()


def _letters(services: Services, situation: GameView, leap: Leap) -> Iterator[Outgoing]:
    """To everybody at the game, whose deadline it is."""
    game = situation.game
    facts = {
        "head": head_now(services, situation),
        "subject": Sentence("clock.subject"),
        "lines": [leap.words, Sentence("clock.jump.moved")],
    }
    for to in addressees(services, game, situation.people, leap.now):
        page = services.paper.page("announcement", {**facts, "reader": to.reader})
        yield letter(game, to.address, page, may_wait=True)


def _to_keeper(services: Services, leap: Leap) -> list[Outgoing]:
    """To the judge keeper, who may have to set a clock; nobody where no keeper is set."""
    if services.judge.keeper is None:
        return []
    facts = {
        "head": Head(services.judge.code),
        "what": leap.words,
        "since": header_time(leap.since),
        "now": header_time(leap.now),
    }
    page = services.paper.page("clock", facts)
    return [Outgoing(to=services.judge.keeper, subject=page.subject, body=page.body)]
