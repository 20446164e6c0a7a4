"""Whether the judge's clock has leapt, or the judge was down.  Pure.

A leap is told from a slow cron by what is usual here: `serve` looks at the clock each minute, and
a judge without it as often as its cron calls (decision 15).
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from machjudge.sentence import Sentence

BEAT = timedelta(minutes=1)
"""A look at the clock is noted if the last one was so long ago."""
LONGEST_SILENCE = timedelta(hours=6)
"""A judge that looked at its clock less long ago was neither down for long, nor did it leap."""
LEAST_STEP_BACK = timedelta(minutes=10)
"""Smaller corrections of a server's clock are everyday."""
MANY_TIMES = 4
"""A silence that is so many times as long as usual is a leap."""
SLOW = timedelta(hours=8)
"""What is taken for usual as long as nothing is known."""
_FADING = 0.9
_NOTHING = timedelta(0)


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
    def words(self) -> Sentence:
        """What happened, in one sentence."""
        return Sentence(f"clock.jump.{'back' if self.by < _NOTHING else 'ahead'}", by=abs(self.by))


def leap_between(
    last: datetime | None, now: datetime, usual: timedelta | None = None
) -> Leap | None:
    """The leap between two looks at the clock, if there is one.

    *usual* is how long was between looks lately: a judge whose cron calls twice a day is neither
    down, nor is its clock wrong.
    """
    if last is None or -LEAST_STEP_BACK <= now - last <= LONGEST_SILENCE:
        return None
    if _NOTHING < now - last <= MANY_TIMES * (SLOW if usual is None else usual):
        return None
    return Leap(last, now)


def usual_after(silence: timedelta, usual: timedelta | None) -> timedelta:
    """How long is usually between looks, after a silence of that length.

    The longest of the latest silences; an older one counts for less with each look.
    """
    return max(silence, _NOTHING if usual is None else _FADING * usual)
