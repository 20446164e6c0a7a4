"""When a phase is played, and when its players are warned, told that they are late, or replaced.

Pure: what time it is comes in as an argument.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from machjudge.adjudicator.model.names import PowerId
from machjudge.service.model.conduct import Conduct, Policy
from machjudge.service.model.records import Clock

_HOUR = timedelta(hours=1)
_LONGEST_NOTICE = timedelta(hours=24)
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
class TellOutOfReach:
    """The masters are told that some seats cannot be reached."""


@dataclass(frozen=True, slots=True)
class Late:
    """The deadline is over and the game waits for these; everybody is told."""

    powers: frozenset[PowerId]


@dataclass(frozen=True, slots=True)
class OpenSeats:
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
    due: datetime | None = None
    """The end of the grace that is over; None if the phase waits for nobody any more."""


@dataclass(frozen=True, slots=True)
class Finish:
    """The master has broken the game off, and the time to take it back is over."""


Decision = Wait | Remind | TellOutOfReach | Late | OpenSeats | AskMaster | Run | Finish


@dataclass(frozen=True, slots=True)
class Readiness:
    """How far the orders of a phase are."""

    missing: frozenset[PowerId]
    """The powers whose orders are not complete."""
    wait: bool
    """Whether somebody asked to wait for the deadline, or mended orders are still expected."""
    since: datetime | None = None
    """When the last orders came in; None if none did."""
    led: frozenset[PowerId] | None = None
    """Those of the missing whose seats are taken; none if all of them are."""
    vacant: frozenset[PowerId] = frozenset()
    """Those of the missing whose seats have been open since before the phase began."""
    flagged: frozenset[PowerId] = frozenset()
    """The powers with the error flag: until the deadline the phase waits for them, too."""
    silent: frozenset[PowerId] | None = None
    """Those of the missing who sent nothing at all; none if all of them did."""
    delay: timedelta = timedelta(0)
    """How long after the last orders the phase is played."""
    played: bool = True
    """Whether anybody sits at a power."""
    out_of_reach: frozenset[int] = frozenset()
    """The numbers of the seats whose messages come back."""


def decide(clock: Clock, conduct: Conduct, readiness: Readiness, now: datetime) -> Decision:
    """What is to be done with a game at *now*.

    Complete orders are played after the delay, unless somebody waits; then at the deadline.  For
    missing ones the game waits until its grace is over, and then goes by its policy.  Nothing is
    played before the start of the phase, while it is paused, while nobody sits at any power, or,
    where its master plays it by hand, without them.  A game that is broken off waits for its end.
    """
    if clock.ends is not None:
        return Finish() if now >= clock.ends else Wait()
    if clock.paused is not None or not readiness.played:
        return Wait()
    decision = _before_start(_due(clock, conduct, readiness, now), clock, now)
    untold = readiness.out_of_reach.difference(clock.out_of_reach)
    is_time = out_of_reach_told_at(clock, conduct) <= now < clock.deadline
    if untold and is_time and not isinstance(decision, Run):
        return TellOutOfReach()
    if isinstance(decision, Run) and conduct.manual:
        return AskMaster() if _told_long_ago(clock, conduct, now, clock.began) else Wait()
    return decision


def next_decision(
    clock: Clock, conduct: Conduct, readiness: Readiness, now: datetime
) -> datetime | None:
    """The next instant at which `decide` may say anything else than at *now*; None if never."""
    told = clock.late_told or clock.began
    late = (told + hours * _HOUR for hours in (conduct.late_hours, _LATE_HOURS_OPENED))
    warned = (clock.deadline - hours * _HOUR for hours in conduct.warn_hours)
    ready = (readiness.since or clock.began) + readiness.delay
    opens, told_at = seats_open_at(clock, conduct), out_of_reach_told_at(clock, conduct)
    known = (clock.ends, clock.start, clock.grace, opens, told_at)
    instants = (clock.began, clock.deadline, ready, *known, *late, *warned)
    return min((each for each in instants if each is not None and each > now), default=None)


def counts_before(
    decision: Decision, clock: Clock, readiness: Readiness, now: datetime
) -> datetime:
    """Before which instant a mail must have been kept to be handled before what is decided.

    Whatever is kept counts until the phase is played; only where everything was there at the
    deadline is the phase played as it stood then, however late the judge looks.
    """
    ready = readiness.since or clock.began
    if isinstance(decision, Run) and decision.due is None and ready < clock.deadline:
        return min(now, clock.deadline)
    return now


def _before_start(decision: Decision, clock: Clock, now: datetime) -> Decision:
    early = clock.start is not None and now < clock.start
    return Wait() if early and isinstance(decision, Run) else decision


def _due(clock: Clock, conduct: Conduct, readiness: Readiness, now: datetime) -> Decision:
    waited_for = missing_for(conduct, readiness)
    if not waited_for:
        decision = _complete(clock, readiness, now)
        if not isinstance(decision, Wait):
            return decision
    elif now >= clock.deadline:
        return _overdue(clock, conduct, readiness, now)
    reminded = waited_for | readiness.flagged
    hours = _warnings_due(clock, conduct, now)
    return Remind(reminded, hours) if reminded and hours else Wait()


def missing_for(conduct: Conduct, readiness: Readiness) -> frozenset[PowerId]:
    """Those of the missing for whom the phase waits.

    Where it would be played without them in the end, nobody waits for powers that had no player
    when it began.  A seat that opened since is waited for until the grace is over.
    """
    if conduct.policy is Policy.WAIT:
        return readiness.missing
    return readiness.missing - readiness.vacant


def _complete(clock: Clock, readiness: Readiness, now: datetime) -> Decision:
    if now >= clock.deadline:
        return Run(readiness.missing)
    ready = (readiness.since or clock.began) + readiness.delay
    return Wait() if readiness.wait or now < ready else Run(readiness.missing)


def _overdue(clock: Clock, conduct: Conduct, readiness: Readiness, now: datetime) -> Decision:
    """The deadline is over: late notices, open seats, and in the end the policy of the game."""
    end = played_without_the_late_at(clock, conduct)
    if end is not None and now >= end:
        return Run(readiness.missing, end)
    # The first notice goes before everything else: nobody loses a seat without one.
    if clock.late_told is None or clock.late_told < clock.deadline:
        return Late(readiness.missing)
    to_open = _to_open(clock, conduct, readiness, now)
    if to_open:
        return OpenSeats(to_open)
    return Late(readiness.missing) if _told_long_ago(clock, conduct, now, now) else Wait()


def played_without_the_late_at(clock: Clock, conduct: Conduct) -> datetime | None:
    """When the phase is played without those who are late: the end of the grace, or never."""
    return None if conduct.policy is Policy.WAIT else clock.grace


def seats_open_at(clock: Clock, conduct: Conduct) -> datetime | None:
    """When the seats of those who sent nothing are opened to others, or never.

    Where the game waits, at the end of the grace.  Where the phase is played then, a day before,
    but not in the first half of the grace: whoever is an hour late still has their seat.
    """
    if clock.grace is None or conduct.policy is Policy.WAIT:
        return clock.grace
    return clock.grace - min(_LONGEST_NOTICE, (clock.grace - clock.deadline) / 2)


def out_of_reach_told_at(clock: Clock, conduct: Conduct) -> datetime:
    """From when on masters are told in a phase which seats cannot be reached.

    With its first reminder, but not later than when half of its time is over.
    """
    half = clock.began + (clock.deadline - clock.began) / 2
    warned = (clock.deadline - hours * _HOUR for hours in conduct.warn_hours)
    return min((half, *(each for each in warned if each > clock.began)))


def _to_open(
    clock: Clock, conduct: Conduct, readiness: Readiness, now: datetime
) -> frozenset[PowerId]:
    """The powers whose seats are to be opened at *now*; once in a phase."""
    opens = seats_open_at(clock, conduct)
    if clock.opened or opens is None or now < opens:
        return frozenset()
    led = readiness.missing if readiness.led is None else readiness.led
    if conduct.policy is Policy.WAIT or readiness.silent is None:
        return led
    return led & readiness.silent


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
