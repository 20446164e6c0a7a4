"""When a phase is played, and when its players are reminded or told that they are late.  Pure."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.names import PowerId
from machjudge.service.records import Clock, Conduct

_HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing is to be done yet."""


@dataclass(frozen=True, slots=True)
class Remind:
    """The deadline is near: the missing are reminded, once."""

    powers: frozenset[PowerId]


@dataclass(frozen=True, slots=True)
class Late:
    """The deadline is over and the game waits for these; everybody is told."""

    powers: frozenset[PowerId]


@dataclass(frozen=True, slots=True)
class Run:
    """The phase is to be played now."""


Decision = Wait | Remind | Late | Run


@dataclass(frozen=True, slots=True)
class Readiness:
    """How far the orders of a phase are."""

    missing: frozenset[PowerId]
    """The powers whose orders are not complete."""
    wait: bool
    """Whether somebody asked to wait for the deadline, or mended orders are still expected."""


def decide(clock: Clock, conduct: Conduct, readiness: Readiness, now: datetime) -> Decision:
    """What is to be done with a game at *now*.

    Complete orders are played at once, unless somebody waits; then at the deadline.  For missing
    ones the game waits as long as it takes.
    """
    over = now >= clock.deadline
    if not readiness.missing:
        return Run() if over or not readiness.wait else Wait()
    if over:
        return Late(readiness.missing) if _late_notice_is_due(clock, conduct, now) else Wait()
    remind_from = clock.deadline - conduct.remind_hours * _HOUR
    if not clock.reminded and now >= remind_from:
        return Remind(readiness.missing)
    return Wait()


def _late_notice_is_due(clock: Clock, conduct: Conduct, now: datetime) -> bool:
    if clock.late_told is None or clock.late_told < clock.deadline:
        return True
    return now >= clock.late_told + conduct.late_hours * _HOUR


def first_clock(conduct: Conduct, now: datetime) -> Clock:
    """The times of the first phase of a game that starts now."""
    return Clock(began=now, deadline=_full_hour(now + conduct.first_hours * _HOUR))


def next_clock(conduct: Conduct, stage: Stage, now: datetime) -> Clock:
    """The times of a further phase that begins now."""
    hours = {
        Stage.CAMPAIGN: conduct.campaign_hours,
        Stage.RETREATS: conduct.retreat_hours,
        Stage.ADJUSTMENT: conduct.adjustment_hours,
    }
    return Clock(began=now, deadline=_full_hour(now + hours[stage] * _HOUR))


def _full_hour(instant: datetime) -> datetime:
    """The next full hour, or *instant* where it is one."""
    start = instant.replace(minute=0, second=0, microsecond=0)
    return start if start == instant else start + _HOUR
