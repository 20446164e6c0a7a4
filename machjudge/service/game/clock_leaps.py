"""What a leap of the judge's clock, or a time without the judge, means for a phase.  Pure."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from machjudge.adjudicator.model.moments import Stage
from machjudge.service.game.timetable import put_off, up_to_minutes
from machjudge.service.model.conduct import Conduct
from machjudge.service.model.leap import Leap
from machjudge.service.model.records import Absence, Clock, Jump

_NOTHING = timedelta(0)


@dataclass(frozen=True, slots=True)
class Rhythm:
    """What a game says of its times, by which a phase that is put off gets its deadline."""

    conduct: Conduct
    stage: Stage
    away: tuple[Absence, ...] = ()

    def put_off(self, clock: Clock, by: timedelta, after: datetime) -> Clock:
        """The clock with its times after an instant put off."""
        return put_off(clock, by, after, self.conduct, self.stage, self.away)


def after_leap(clock: Clock, leap: Leap, rhythm: Rhythm) -> Clock:
    """The times of a phase after a leap of the judge's clock."""
    if leap.by > _NOTHING:
        return _after_silence(clock, leap, rhythm)
    if clock.began > leap.now:
        # It began in a time that has not come: it begins now, as long as it was to be.
        clock = rhythm.put_off(clock, leap.now - clock.began, leap.now)
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


def _after_silence(clock: Clock, leap: Leap, rhythm: Rhythm) -> Clock:
    """The clock put off, once for each leap; of one that stood only the end of its game moves."""
    if clock.jump is not None and clock.jump.since == leap.since:
        return clock
    moved = rhythm.put_off(clock, leap.by, leap.since)
    if clock.paused is not None:
        moved = replace(clock, ends=moved.ends)
    if moved == clock:
        return clock
    jump = Jump(
        leap.since,
        up_to_minutes(leap.by),
        deadline=moved.deadline - clock.deadline,
        grace=_between(clock.grace, moved.grace),
        start=_between(clock.start, moved.start),
    )
    return replace(moved, jump=jump)


def _between(before: datetime | None, after: datetime | None) -> timedelta | None:
    return None if before is None or after is None else after - before


def _taken_back(clock: Clock, leap: Leap) -> Clock:
    """Undo what an earlier leap forward did, if the clock went back behind it."""
    jump = clock.jump
    if jump is None or leap.now > jump.since + abs(jump.by) / 2:
        return clock

    def back(instant: datetime | None, by: timedelta | None) -> datetime | None:
        if instant is None or instant <= leap.now:
            return instant
        return instant - (jump.by if by is None else by)

    return replace(
        clock,
        deadline=back(clock.deadline, jump.deadline) or clock.deadline,
        grace=back(clock.grace, jump.grace),
        start=back(clock.start, jump.start),
        ends=back(clock.ends, None),
        jump=None,
    )
