"""Dates and times as people write them: ``mon 20:00``, ``24 Nov 2026 20:00 Europe/Rome``, ``+48h``.

Pure: what time it is, and in which zone the writer thinks, come in as arguments.
"""

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from machjudge.language.vocabulary.date_words import (
    WEEKDAYS,
    Ahead,
    DateWords,
    WrongDate,
    read_date_word,
    zone_named,
)
from machjudge.language.vocabulary.said import Fault, Problem
from machjudge.sentence import Sentence

USUAL_TIME = time(23, 30)
"""The time of day of a date without one, unless the game says otherwise."""
MOST_DAYS_AHEAD = 120
"""A date without a year lies within so many days; further away it needs one."""

_WORD = re.compile(r"[^\s,;]+")
_DAYS_OF_A_WEEK = 7


def read_instant(
    words: str | Sequence[str],
    now: datetime,
    zone: tzinfo,
    usual: time = USUAL_TIME,
    *,
    past: bool = False,
) -> datetime | Problem:
    """Read an instant in words.

    :param words: weekday and month names, day, year, ``hh:mm``, ISO 8601, ``+48h``, ``+3d``, a
        zone (``UTC``, ``+01:00``, ``Europe/Rome``), in any order.  A weekday is the next such day,
        never today.  A date without a year is the next one, at most 120 days ahead.  A time alone
        is the next such time.
    :param now: the present, with its zone.
    :param zone: the writer's zone, unless they name another.
    :param usual: the time of day where they name none.
    :param past: whether the last such day is meant, not the next: ``18 Nov`` of this year or the
        last, a weekday before today, the last such time.
    :returns: the instant in UTC, or what cannot be read.  Of a time that a change of clocks brings
        twice, the first.
    """
    text = words if isinstance(words, str) else " ".join(words)
    said = DateWords()
    for match in _WORD.finditer(text):
        read = read_date_word(match.group())
        both = said.and_also(read) if isinstance(read, DateWords) else read
        if isinstance(both, WrongDate):
            return Problem(text, match.start(), Fault.INSTANT, both.reason, match.group())
        said = both
    instant = _instant(said, now, said.zone or zone, usual, past=past)
    if isinstance(instant, WrongDate):
        return Problem(text, 0, Fault.INSTANT, instant.reason, text)
    return instant


def _instant(
    said: DateWords, now: datetime, zone: tzinfo, usual: time, *, past: bool
) -> datetime | WrongDate:
    if said == DateWords(zone=said.zone):
        return WrongDate(Sentence("language.date.nothing"))
    try:
        here = now.astimezone(zone)
        if said.ahead is not None:
            return _ahead(said, said.ahead, here)
        if said == DateWords(clock=said.clock, zone=said.zone):
            near = _last_time if past else _next_time
            return near(said.clock or usual, here)
        day = _day_of(said, here.date(), past=past)
        return day if isinstance(day, WrongDate) else _on(day, said.clock or usual, zone)
    except OverflowError:
        return WrongDate(Sentence("language.date.too_far"))


def _ahead(said: DateWords, ahead: Ahead, here: datetime) -> datetime | WrongDate:
    if said != DateWords(ahead=ahead, zone=said.zone):
        return WrongDate(Sentence("language.date.alone"))
    # Days keep the time of day when the clocks change in between; hours are hours.
    later = here.replace(tzinfo=None) + timedelta(days=ahead.days)
    return later.replace(tzinfo=here.tzinfo).astimezone(UTC) + timedelta(minutes=ahead.minutes)


def _next_time(clock: time, here: datetime) -> datetime | WrongDate:
    zone = here.tzinfo or UTC
    today = _on(here.date(), clock, zone)
    if isinstance(today, datetime) and today > here:
        return today
    return _on(here.date() + timedelta(days=1), clock, zone)


def _last_time(clock: time, here: datetime) -> datetime | WrongDate:
    zone = here.tzinfo or UTC
    today = _on(here.date(), clock, zone)
    if isinstance(today, datetime) and today <= here:
        return today
    return _on(here.date() - timedelta(days=1), clock, zone)


def _day_of(said: DateWords, today: date, *, past: bool) -> date | WrongDate:
    """The day that was said; the caller knows that there is one."""
    if said.day is None and said.month is None and said.year is None:
        return _near_day(said, today, past=past)
    day = _calendar_day(said, today, past=past)
    return day if isinstance(day, WrongDate) else _checked(day, said)


def _near_day(said: DateWords, today: date, *, past: bool) -> date | WrongDate:
    if said.days_from_today is not None:
        return _checked(today + timedelta(days=said.days_from_today), said)
    # The next such weekday, or the last one, and never today.
    until = ((said.weekday or 0) - today.weekday() - 1) % _DAYS_OF_A_WEEK + 1
    since = (today.weekday() - (said.weekday or 0) - 1) % _DAYS_OF_A_WEEK + 1
    return today - timedelta(days=since) if past else today + timedelta(days=until)


def _checked(day: date, said: DateWords) -> date | WrongDate:
    if said.weekday not in (None, day.weekday()):
        return WrongDate(_weekday(day))
    return day


def _weekday(day: date) -> Sentence:
    weekday = Sentence(f"language.weekday.{WEEKDAYS[day.weekday()]}")
    return Sentence("language.date.weekday", day=day.isoformat(), weekday=weekday)


def _calendar_day(said: DateWords, today: date, *, past: bool) -> date | WrongDate:
    if said.day is None or said.month is None:
        return WrongDate(Sentence("language.date.needs"))
    if said.days_from_today is not None:
        return WrongDate(Sentence("language.date.day_twice"))
    years = [today.year, today.year - 1 if past else today.year + 1]
    days = [_date(year, said.month, said.day) for year in ([said.year] if said.year else years)]
    fits = (d for d in days if d is not None and (said.year or d == today or (d < today) is past))
    day = next(fits, None)
    if day is None:
        return WrongDate(Sentence("language.date.no_day"))
    if said.year is None and day > today + timedelta(days=MOST_DAYS_AHEAD):
        return WrongDate(Sentence("language.date.add_year", most=MOST_DAYS_AHEAD))
    return day


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _on(day: date, clock: time, zone: tzinfo) -> datetime | WrongDate:
    """The instant of a day and a time of day; one that a change of clocks leaves out is none."""
    local = datetime.combine(day, clock, zone)
    instant = local.astimezone(UTC)
    if instant.astimezone(zone).replace(tzinfo=None) != local.replace(tzinfo=None):
        return WrongDate(Sentence("language.date.no_time_that_day"))
    return instant


__all__ = ["MOST_DAYS_AHEAD", "USUAL_TIME", "read_instant", "zone_named"]
