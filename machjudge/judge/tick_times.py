"""Instants at which the judge looks at its clock: digests, leaps, outages.  Pure.

A leap is told from a slow cron by the usual interval: `serve` looks each minute, and a judge
without it as often as its cron calls (decisions 15 and 55).
"""

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from machjudge.translatable import Message

DIGEST_HOUR = 7
"""The default hour of digests."""


def digest_at(zone: ZoneInfo, hour: int, after: datetime) -> datetime:
    """Return when the next digest after *after* is due, UTC, even if clocks skip the hour."""
    day = after.astimezone(zone).date()
    while True:
        at = datetime.combine(day, time(hour), zone).astimezone(UTC)
        if at > after:
            return at
        day += timedelta(days=1)


BEAT = timedelta(minutes=1)
"""The shortest interval between recorded looks."""
LONGEST_SILENCE = timedelta(hours=6)
"""An interval without an outage or leap."""
LEAST_STEP_BACK = timedelta(minutes=10)
"""Smaller corrections of a server's clock are normal."""
MANY_TIMES = 4
"""A silence this many times as long as usual is a leap, or part of one."""
SLOW = timedelta(hours=8)
"""The usual interval while it is unknown."""
OFTEN = timedelta(hours=1)
"""A cron of this interval is learned even if another one was usual before."""
FORGIVEN = 10
"""The share of the judge's working time that compensates for short silences."""
_FADING = 0.9
_NOTHING = timedelta(0)


@dataclass(frozen=True, slots=True)
class Leap:
    """The clock went from one instant to another in no time."""

    since: datetime
    now: datetime
    missed: timedelta = _NOTHING
    """Shorter silences before it, which are compensated as well."""

    @property
    def by(self) -> timedelta:
        """The length of the leap, with what was missed before; negative for a step back."""
        return self.now - self.since + self.missed

    @property
    def words(self) -> Message:
        """What happened, in one sentence."""
        return Message(f"clock.jump.{'back' if self.by < _NOTHING else 'ahead'}", by=abs(self.by))


@dataclass(frozen=True, slots=True)
class Looks:
    """What is known of the looks at the judge's clock."""

    last: datetime | None = None
    usual: timedelta | None = None
    missed: timedelta = _NOTHING
    """Unusual silences that are not compensated yet."""

    def leap(self, now: datetime) -> Leap | None:
        """Return the leap between the last look and one at *now*, if there is one."""
        return leap_between(self.last, now, self.usual, self.missed)

    def after(self, now: datetime) -> "Looks":
        """Return what is known after a look at *now*; a leap never counts as usual."""
        if self.last is None:
            return Looks(now)
        silence, leap = now - self.last, self.leap(now)
        if silence < _NOTHING:
            return Looks(now, self.usual, max(_NOTHING, self.missed + silence))
        if leap is not None:
            return Looks(now, self.usual)
        return Looks(now, usual_after(silence, self.usual, self.missed), self._missed(silence))

    def _missed(self, silence: timedelta) -> timedelta:
        if self.usual is None:
            if silence <= OFTEN:
                return self.missed
            return _NOTHING if self.missed else silence
        if _is_unusual(silence, self.usual):
            return self.missed + silence
        return max(_NOTHING, self.missed - silence / FORGIVEN)


def leap_between(
    last: datetime | None,
    now: datetime,
    usual: timedelta | None = None,
    missed: timedelta = _NOTHING,
) -> Leap | None:
    """Return the leap between two looks at the clock, if there is one.

    *usual* is the recent interval: a judge whose cron calls twice a day is not down.  *missed* are
    unusual silences shortly before: several short ones count like a long one.
    """
    if last is None or -LEAST_STEP_BACK <= now - last <= _NOTHING:
        return None
    if now < last:
        return Leap(last, now)
    silence = now - last
    if not _is_unusual(silence, usual) or missed + silence <= LONGEST_SILENCE:
        return None
    return Leap(last, now, missed)


def usual_after(
    silence: timedelta, usual: timedelta | None, missed: timedelta = _NOTHING
) -> timedelta | None:
    """Return the usual interval after a silence of that length that was no leap.

    It changes by a tenth at a time, so that an outage does not become usual.  While it is unknown,
    one long silence is ignored, and two in a row are a slow cron.
    """
    if usual is None:
        return silence if silence <= OFTEN or missed else None
    if _is_unusual(silence, usual) and silence > OFTEN:
        return usual
    return min(max(silence, _FADING * usual), usual / _FADING)


def _is_unusual(silence: timedelta, usual: timedelta | None) -> bool:
    return silence > MANY_TIMES * max(SLOW if usual is None else usual, BEAT)
