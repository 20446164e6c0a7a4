"""The times of a phase that begins: deadline, grace and start by the templates.  Pure.

A deadline is the length of the phase from now, never before the old one, rounded up to the clock,
on an allowed day, and past all absences; the grace follows it, on an allowed day too.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from machjudge.adjudicator.model.moments import Stage
from machjudge.service.model.conduct import ANY_DAY, Conduct, PhaseTiming
from machjudge.service.model.records import Absence, Clock

_MINUTE = timedelta(minutes=1)
_HOUR = timedelta(hours=1)
_DAY = timedelta(days=1)
_NOON = 12 * 60
_MINUTES_OF_AN_HOUR = 60
_MOST_DAYS_TO_LOOK = 9
NEVER = "-"


def timing_of(conduct: Conduct, stage: Stage) -> PhaseTiming:
    """The template for a kind of phase."""
    match stage:
        case Stage.CAMPAIGN:
            return conduct.moves
        case Stage.RETREATS:
            return conduct.retreats
        case Stage.ADJUSTMENT:
            return conduct.adjustments


def next_hours(conduct: Conduct, stage: Stage) -> int:
    """How many hours a phase of the kind has from its beginning to its deadline."""
    match stage:
        case Stage.CAMPAIGN:
            return conduct.campaign_hours
        case Stage.RETREATS:
            return conduct.retreat_hours
        case Stage.ADJUSTMENT:
            return conduct.adjustment_hours


def first_clock(
    conduct: Conduct, now: datetime, stage: Stage = Stage.CAMPAIGN, away: Iterable[Absence] = ()
) -> Clock:
    """The times of the first phase of a game that starts now."""
    return _clock(conduct, stage, now, now + conduct.first_hours * _HOUR, away)


def next_clock(
    conduct: Conduct,
    stage: Stage,
    now: datetime,
    old: datetime | None = None,
    away: Iterable[Absence] = (),
) -> Clock:
    """The times of a further phase that begins now.

    *old* is the deadline of the phase before; *away* is when players are absent.
    """
    wanted = now + next_hours(conduct, stage) * _HOUR
    return _clock(conduct, stage, now, wanted if old is None else max(wanted, old), away)


def _clock(
    conduct: Conduct, stage: Stage, now: datetime, wanted: datetime, away: Iterable[Absence]
) -> Clock:
    timing, zone = timing_of(conduct, stage), ZoneInfo(conduct.zone)
    deadline = past_absences(timing, zone, wanted, away)
    start = full_minute(now + timing.least_hours * _HOUR)
    return Clock(
        began=now,
        deadline=deadline,
        start=start if timing.least_hours else None,
        grace=grace_after(conduct, stage, deadline),
    )


def grace_after(conduct: Conduct, stage: Stage, deadline: datetime) -> datetime:
    """The end of the grace of a phase with that deadline."""
    return _grace_at(conduct, stage, deadline + timing_of(conduct, stage).grace_hours * _HOUR)


def _grace_at(conduct: Conduct, stage: Stage, end: datetime) -> datetime:
    """The first instant from *end* on at which a grace may end."""
    if conduct.strict_grace:
        return full_minute(end)
    # The grace need not end at the hour at which deadlines are.
    days = timing_of(conduct, stage).days
    return on_allowed_day(PhaseTiming(days=days), ZoneInfo(conduct.zone), end)


def put_off(
    clock: Clock,
    by: timedelta,
    after: datetime,
    conduct: Conduct,
    stage: Stage,
    away: Iterable[Absence] = (),
) -> Clock:
    """The clock with those of its times that come after an instant put off by *by*, or earlier.

    They land in full minutes, where the template has deadlines and ends of the grace.
    """
    by = up_to_minutes(by)

    def moved(instant: datetime | None) -> datetime | None:
        return instant + by if instant is not None and instant > after else instant

    deadline = clock.deadline
    if deadline > after:
        timing = timing_of(conduct, stage)
        deadline = past_absences(timing, ZoneInfo(conduct.zone), deadline + by, away)
    grace = clock.grace
    if grace is not None and grace > after:
        later = deadline - clock.deadline if clock.deadline > after else by
        grace = _grace_at(conduct, stage, grace + later)
    kept = tuple(hours for hours in clock.warned if deadline - hours * _HOUR <= after + by)
    return replace(
        clock,
        deadline=deadline,
        grace=grace,
        start=moved(clock.start),
        ends=moved(clock.ends),
        warned=kept,
    )


def past_absences(
    timing: PhaseTiming, zone: ZoneInfo, wanted: datetime, away: Iterable[Absence]
) -> datetime:
    """The first deadline from *wanted* on that the template allows and no absence holds."""
    absences = sorted(away, key=lambda each: each.start)
    deadline = on_allowed_day(timing, zone, wanted)
    while True:
        end = max((a.end for a in absences if a.start <= deadline < a.end), default=None)
        if end is None:
            return deadline
        deadline = on_allowed_day(timing, zone, end)


def on_allowed_day(timing: PhaseTiming, zone: ZoneInfo, instant: datetime) -> datetime:
    """The first instant from *instant* on that is a deadline by the template, in UTC."""
    if timing.clock is None:
        instant = _full_hour(instant, zone)
        if timing.days == ANY_DAY:
            return instant
    here = instant.astimezone(zone)
    days = (here.date() + n * _DAY for n in range(_MOST_DAYS_TO_LOOK))
    for day in days:
        letter = timing.days[day.isoweekday() % 7]
        if letter == NEVER:
            continue
        first = _NOON if letter.islower() else 0
        minute = first if timing.clock is None else max(timing.clock, first)
        at = time(*divmod(minute, _MINUTES_OF_AN_HOUR))
        earliest = datetime.combine(day, at, zone).astimezone(UTC)
        if earliest >= instant:
            return earliest
        if timing.clock is None and day == here.date():
            return instant.astimezone(UTC)
    # A template that allows no day is never taken; a deadline is needed all the same.
    return instant.astimezone(UTC)


def up_to_minutes(span: timedelta) -> timedelta:
    """The next number of full minutes."""
    return -(-span // _MINUTE) * _MINUTE


def is_days(text: str) -> bool:
    """Whether *text* says on which days deadlines may fall, such as ``-MTWTF-``."""
    if len(text) != len(ANY_DAY) or not text.strip(NEVER):
        return False
    both = zip(text, ANY_DAY, strict=True)
    return all(one in (NEVER, day, day.lower()) for one, day in both)


def full_minute(instant: datetime) -> datetime:
    """The next full minute, or *instant* where it is one."""
    start = instant.replace(second=0, microsecond=0)
    return start if start == instant else start + _MINUTE


def _full_hour(instant: datetime, zone: ZoneInfo) -> datetime:
    """The next full hour of the zone, or *instant* where it is one; in UTC."""
    here = instant.astimezone(zone)
    start = here.replace(minute=0, second=0, microsecond=0).astimezone(UTC)
    return start if start == instant else start + _HOUR
