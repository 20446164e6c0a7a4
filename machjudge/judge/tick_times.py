"""Instants at which the judge looks at its clock: digests, leaps, outages.  Pure.

A leap is told from a slow cron by what is usual here: `serve` looks at the clock each minute, and
a judge without it as often as its cron calls (decisions 15 and 55).
"""

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from machjudge.translatable import Message

DIGEST_HOUR = 7
"""At which hour of their day people read digests, if they name none."""


def digest_at(zone: ZoneInfo, hour: int, after: datetime) -> datetime:
    """The first instant after *after* at which a digest is due, UTC.

    Where the hour is missing because clocks go forward, it is as long after midnight as always.
    """
    day = after.astimezone(zone).date()
    while True:
        at = datetime.combine(day, time(hour), zone).astimezone(UTC)
        if at > after:
            return at
        day += timedelta(days=1)


BEAT = timedelta(minutes=1)
"""A look at the clock is noted if the last one was so long ago."""
LONGEST_SILENCE = timedelta(hours=6)
"""A judge that looked at its clock less long ago was neither down for long, nor did it leap."""
LEAST_STEP_BACK = timedelta(minutes=10)
"""Smaller corrections of a server's clock are everyday."""
MANY_TIMES = 4
"""A silence that is so many times as long as usual is a leap, or part of one."""
SLOW = timedelta(hours=8)
"""What is taken for usual as long as nothing is known."""
OFTEN = timedelta(hours=1)
"""A cron that calls so often is learned, though another one was usual before."""
FORGIVEN = 10
"""Of the time in which the judge works, such a part makes up for short silences."""
_FADING = 0.9
_NOTHING = timedelta(0)


@dataclass(frozen=True, slots=True)
class Leap:
    """The clock went from one instant to another in no time."""

    since: datetime
    now: datetime
    missed: timedelta = _NOTHING
    """Silences before it, each too short for a leap, that are made up for as well."""

    @property
    def by(self) -> timedelta:
        """How far it went, with what was missed before; negative for a step back."""
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
    """How long was between looks lately."""
    missed: timedelta = _NOTHING
    """Unusual silences that nobody has made up for yet."""

    def leap(self, now: datetime) -> Leap | None:
        """The leap between the last look and one at *now*, if there is one."""
        return leap_between(self.last, now, self.usual, self.missed)

    def after(self, now: datetime) -> "Looks":
        """What is known after a look at *now*; a leap is never taken for what is usual."""
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
    """The leap between two looks at the clock, if there is one.

    *usual* is how long was between looks lately: a judge whose cron calls twice a day is neither
    down, nor is its clock wrong. *missed* are unusual silences shortly before: several short ones
    are as bad as a long one.
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
    """How long is usually between looks, after a silence of that length that was no leap.

    It changes by a tenth at a time, so that no outage is taken for it. As long as nothing is known,
    one long silence says nothing, and two in a row are a slow cron.
    """
    if usual is None:
        return silence if silence <= OFTEN or missed else None
    if _is_unusual(silence, usual) and silence > OFTEN:
        return usual
    return min(max(silence, _FADING * usual), usual / _FADING)


def _is_unusual(silence: timedelta, usual: timedelta | None) -> bool:
    return silence > MANY_TIMES * max(SLOW if usual is None else usual, BEAT)
