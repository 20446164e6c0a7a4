"""When a phase is played, and when its players are warned, told that they are late, or replaced.

Pure: what time it is comes in as an argument.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from machjudge.adjudicator.names import PowerId
from machjudge.service.conduct import Conduct, Policy
from machjudge.service.records import Clock

_HOUR = timedelta(hours=1)
_NOTICE_OF_DISORDER = timedelta(hours=24)
"""How long before the end of the grace seats are opened where the phase is played at its end."""
_LATE_HOURS_OPENED = 48
"""How often is told that a seat waits for somebody."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing is to be done yet."""


@dataclass(frozen=True, slots=True)
class Remind:
    """The deadline is near: the missing are warned."""

    powers: frozenset[PowerId]
    hours: tuple[int, ...] = ()
    """The warnings that this one stands for; each goes out once."""


@dataclass(frozen=True, slots=True)
class Late:
    """The deadline is over and the game waits for these; everybody is told."""

    powers: frozenset[PowerId]


@dataclass(frozen=True, slots=True)
class Open:
    """The seats of these are open to others from now on."""

    powers: frozenset[PowerId]


@dataclass(frozen=True, slots=True)
class AskMaster:
    """The phase could be played, and waits for the word of its master."""


@dataclass(frozen=True, slots=True)
class Run:
    """The phase is to be played now."""

    without: frozenset[PowerId] = frozenset()
    """The powers whose orders are missing although their grace is over."""


@dataclass(frozen=True, slots=True)
class Finish:
    """The master has broken the game off, and the time to take it back is over."""


Decision = Wait | Remind | Late | Open | AskMaster | Run | Finish


@dataclass(frozen=True, slots=True)
class Readiness:
    """How far the orders of a phase are."""

    missing: frozenset[PowerId]
    """The powers whose orders are not complete."""
    wait: bool
    """Whether somebody asked to wait for the deadline, or mended orders are still expected."""
    since: datetime | None = None
    """When the last orders came in; none where none did."""
    led: frozenset[PowerId] | None = None
    """Those of the missing whose seats are taken; none where all of them are."""
    silent: frozenset[PowerId] | None = None
    """Those of the missing who sent nothing at all; none where all of them did."""
    delay: timedelta = timedelta(0)
    """How long after the last orders the phase is played."""
    played: bool = True
    """Whether anybody sits at a power."""


def decide(clock: Clock, conduct: Conduct, readiness: Readiness, now: datetime) -> Decision:
    """What is to be done with a game at *now*.

    Complete orders are played after the delay, unless somebody waits; then at the deadline.  For
    missing ones the game waits until its grace is over, and then goes by its policy.  Nothing is
    played before the start of the phase, while it is paused, while nobody sits at any power, or,
    where its master plays it by hand, without him.  A game that is broken off waits for its end.
    """
    if clock.ends is not None:
        return Finish() if now >= clock.ends else Wait()
    if clock.paused is not None or not readiness.played:
        return Wait()
    decision = _before_start(_due(clock, conduct, readiness, now), clock, now)
    if isinstance(decision, Run) and conduct.manual:
        return AskMaster() if _told_long_ago(clock, conduct, now, clock.began) else Wait()
    return decision


def _before_start(decision: Decision, clock: Clock, now: datetime) -> Decision:
    early = clock.start is not None and now < clock.start
    return Wait() if early and isinstance(decision, Run) else decision


def _due(clock: Clock, conduct: Conduct, readiness: Readiness, now: datetime) -> Decision:
    waited_for = _waited_for(conduct, readiness)
    if not waited_for:
        return _complete(clock, readiness, now)
    if now >= clock.deadline:
        return _overdue(clock, conduct, readiness, now)
    hours = _warnings_due(clock, conduct, now)
    return Remind(readiness.missing, hours) if hours else Wait()


def _waited_for(conduct: Conduct, readiness: Readiness) -> frozenset[PowerId]:
    """The missing; nobody waits for an empty seat where the phase would be played without it."""
    if conduct.policy is Policy.WAIT or readiness.led is None:
        return readiness.missing
    return readiness.led


def _complete(clock: Clock, readiness: Readiness, now: datetime) -> Decision:
    if now >= clock.deadline:
        return Run(readiness.missing)
    ready = (readiness.since or clock.began) + readiness.delay
    return Wait() if readiness.wait or now < ready else Run(readiness.missing)


def _overdue(clock: Clock, conduct: Conduct, readiness: Readiness, now: datetime) -> Decision:
    """The deadline is over: late notices, open seats, and in the end the policy of the game."""
    # The first notice goes before everything else: nobody loses his seat without one.
    if clock.late_told is None or clock.late_told < clock.deadline:
        return Late(readiness.missing)
    if clock.grace is not None and conduct.policy is not Policy.WAIT and now >= clock.grace:
        return Run(readiness.missing)
    to_open = _to_open(clock, conduct, readiness, now)
    if to_open:
        return Open(to_open)
    return Late(readiness.missing) if _told_long_ago(clock, conduct, now, now) else Wait()


def _to_open(
    clock: Clock, conduct: Conduct, readiness: Readiness, now: datetime
) -> frozenset[PowerId]:
    """The powers whose seats are to be opened at *now*; once in a phase."""
    if clock.opened or clock.grace is None:
        return frozenset()
    led = readiness.missing if readiness.led is None else readiness.led
    if conduct.policy is Policy.WAIT:
        return led if now >= clock.grace else frozenset()
    if now < max(clock.deadline, clock.grace - _NOTICE_OF_DISORDER):
        return frozenset()
    return led if readiness.silent is None else led & readiness.silent


def _told_long_ago(clock: Clock, conduct: Conduct, now: datetime, never: datetime) -> bool:
    """Whether the last notice is so old that it is repeated; *never* stands for none."""
    hours = max(_LATE_HOURS_OPENED, conduct.late_hours) if clock.opened else conduct.late_hours
    told = clock.late_told
    return now >= (never if told is None or told < clock.began else told + hours * _HOUR)


def _warnings_due(clock: Clock, conduct: Conduct, now: datetime) -> tuple[int, ...]:
    """The warnings that are due and did not go out; none that would go with the results."""
    due = [
        hours
        for hours in conduct.warn_hours
        if clock.began < clock.deadline - hours * _HOUR <= now and hours not in clock.warned
    ]
    return tuple(due)
