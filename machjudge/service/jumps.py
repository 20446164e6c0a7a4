"""The judge's clock jumped, or the judge was down for long: nobody loses time by it.

After a leap forward the times of the running phases are put off by as much, as far as they were
still to come; when the clock is set back again they return.  A phase that began in a time that
has not come begins anew, as long as it was to be.  Everybody at the game and the keeper are told.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from machjudge.letters.head import Head
from machjudge.letters.times import header_time, span
from machjudge.service.changes import Changes
from machjudge.service.desk import Desk
from machjudge.service.envelopes import Outgoing
from machjudge.service.faults import tell_of_game
from machjudge.service.ports import Stale
from machjudge.service.post import addressees, head_now, letter
from machjudge.service.records import Clock, GameId, Jump, Notice, Status
from machjudge.service.situation import Situation, load

LONGEST_SILENCE = timedelta(hours=6)
"""A judge that looked at his clock longer ago was down, or the clock leapt."""
LEAST_STEP_BACK = timedelta(minutes=10)
"""Smaller corrections of a server's clock are everyday."""
_MOST_TRIES = 5
_BEAT = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Leap:
    """The clock went from one instant to another in no time."""

    since: datetime
    now: datetime

    @property
    def by(self) -> timedelta:
        """How far it went; negative for a step back."""
        return self.now - self.since

    @property
    def words(self) -> str:
        """What happened, in one sentence."""
        way = "forward" if self.by > timedelta(0) else "back"
        return f"The judge's clock went {way} by {span(abs(self.by))}."


def leap_between(last: datetime | None, now: datetime) -> Leap | None:
    """The leap between two looks at the clock, if there is one; pure."""
    if last is None or -LEAST_STEP_BACK <= now - last <= LONGEST_SILENCE:
        return None
    return Leap(last, now)


def after_leap(clock: Clock, leap: Leap) -> Clock:
    """The times of a phase after a leap of the judge's clock; pure."""
    if leap.by > timedelta(0):
        return _put_off(clock, leap)
    if clock.began > leap.now:
        # It began in a time that has not come: it begins now, as long as it was to be.
        clock = moved_by(clock, leap.now - clock.began, leap.now)
    clock = _taken_back(clock, leap)

    def come(instant: datetime | None) -> datetime | None:
        return min(instant, leap.now) if instant is not None else None

    # Mails that come now must not count as written before the phase began.
    return replace(
        clock,
        began=min(clock.began, leap.now),
        start=come(clock.start),
        late_told=come(clock.late_told),
        paused=come(clock.paused),
    )


def _put_off(clock: Clock, leap: Leap) -> Clock:
    if clock.jump is not None and clock.jump.since == leap.since:
        return clock
    moved = _shifted(clock, leap.by, leap.since, stood=clock.paused is not None)
    return clock if moved == clock else replace(moved, jump=Jump(leap.since, leap.by))


def _taken_back(clock: Clock, leap: Leap) -> Clock:
    """Undo what an earlier leap forward did, if the clock went back behind it."""
    jump = clock.jump
    if jump is None or leap.now > jump.since + abs(jump.by) / 2:
        return clock
    # What comes after a leap is later than the longest silence that is none.
    stood = clock.paused is not None and clock.paused <= jump.since + LONGEST_SILENCE
    return replace(_shifted(clock, -jump.by, leap.now, stood=stood), jump=None)


def _shifted(clock: Clock, by: timedelta, after: datetime, *, stood: bool) -> Clock:
    """The clock after a leap; of one that stood when it leapt only the end of its game moves."""
    moved = moved_by(clock, by, after)
    return replace(clock, ends=moved.ends) if stood else moved


def moved_by(clock: Clock, by: timedelta, after: datetime) -> Clock:
    """The clock with those of its times moved that come after an instant."""

    def moved(instant: datetime | None) -> datetime | None:
        return instant + by if instant is not None and instant > after else instant

    return replace(
        clock,
        deadline=moved(clock.deadline) or clock.deadline,
        grace=moved(clock.grace),
        start=moved(clock.start),
        ends=moved(clock.ends),
    )


def watch_clock(desk: Desk, now: datetime, *, beats: bool = True) -> Leap | None:
    """Note that the judge looks at his clock; after a leap put the games right, and tell.

    Who does not *beat* looks only once, when he begins to work, so that nothing is done before
    the games are right; without a leap he writes nothing.
    """
    with desk.store.reading() as uow:
        last = uow.pulse.last()
        games = [game.id for game in uow.games.all() if game.status is Status.RUNNING]
    leap = leap_between(last, now)
    if leap is None and not (beats and (last is None or now < last or now - last >= _BEAT)):
        return None
    if leap is not None:
        for game in games:
            _put_right_or_tell(desk, game, leap)
    with suppress(Stale), desk.store.writing() as uow:
        if leap is None and uow.pulse.last() != last:
            return None  # another process has looked since, and perhaps later than *now*
        uow.pulse.beat(now)
        if leap is not None:
            for outgoing in _to_keeper(desk, leap):
                uow.outbox.put(outgoing)
        uow.commit()
    return leap


def _put_right_or_tell(desk: Desk, game: GameId, leap: Leap) -> None:
    try:
        for _ in range(_MOST_TRIES):
            with suppress(Stale):
                _put_right(desk, game, leap)
                return
    # One game's failure, whatever it is, must not keep the others from being put right.
    except Exception as error:
        tell_of_game(desk, game, error, leap.now)


def _put_right(desk: Desk, game_id: GameId, leap: Leap) -> None:
    """Move the times of one game.  Raises Stale."""
    with desk.store.reading() as uow:
        game = uow.games.get(game_id)
        if game is None or game.clock is None:
            return
        situation = load(desk, uow, game)
    clock = after_leap(situation.clock, leap)
    if clock == situation.clock:
        return
    after = replace(situation, game=replace(situation.game, clock=clock))
    changes = Changes(
        read=situation.game,
        game=after.game,
        notices=[Notice(game_id, leap.now, None, "clock", leap.words)],
        letters=list(_letters(desk, after, leap)),
    )
    with desk.store.writing() as uow:
        uow.games.lock(game_id)
        changes.write(uow)
        uow.commit()


def _letters(desk: Desk, situation: Situation, leap: Leap) -> Iterator[Outgoing]:
    """To everybody at the game, whose deadline it is."""
    game = situation.game
    lines = [leap.words, "The times of this phase were moved,", "so that nobody loses by it."]
    facts = {"head": head_now(desk, situation), "subject": "Deadline Change", "lines": lines}
    for to in addressees(desk, game, situation.people, leap.now):
        page = desk.paper.page("announcement", {**facts, "reader": to.reader})
        yield letter(game, to.address, page)


def _to_keeper(desk: Desk, leap: Leap) -> list[Outgoing]:
    """To the judge keeper, who may have to set a clock; nobody where no keeper is set."""
    if desk.judge.keeper is None:
        return []
    facts = {
        "head": Head(desk.judge.code),
        "what": leap.words,
        "since": header_time(leap.since),
        "now": header_time(leap.now),
    }
    page = desk.paper.page("clock", facts)
    return [Outgoing(to=desk.judge.keeper, subject=page.subject, body=page.body)]
