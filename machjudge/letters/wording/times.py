"""Instants and spans of time as messages write them."""

from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import cache

from babel import Locale, UnknownLocaleError
from babel.dates import parse_pattern

from machjudge.sentence import Sentence

_DAY = timedelta(days=1)
_HOUR = timedelta(hours=1)
_MINUTE = timedelta(minutes=1)
_COUNT_DAYS_FROM = timedelta(hours=48)
_COUNT_HOURS_FROM = timedelta(minutes=90)


def header_time(instant: datetime) -> str:
    """The form of the two header lines, in UTC: ``Tue Nov 24 2026 20:00:00 +0000``.

    Tools read it, so that it is the same in every language.
    """
    weekday, month, day, time, year = instant.astimezone(UTC).ctime().split()
    return f"{weekday} {month} {day:0>2} {year} {time} +0000"


@cache
def dated(day: date, pattern: str, language: str) -> str:
    """A day in the words of a language; the pattern is one of Unicode's (UTS 35).

    In English where the language is none that Unicode knows (CLDR).
    """
    try:
        locale = Locale.parse(language)
    except (UnknownLocaleError, ValueError):
        locale = Locale("en")
    return str(parse_pattern(pattern).apply(day, locale))


def when(instant: datetime, zone: tzinfo) -> Sentence:
    """The reader's time and UTC: ``Tue 24 Nov 2026, 21:00 CET (20:00 UTC)``."""
    here, utc = instant.astimezone(zone), instant.astimezone(UTC)
    if here.utcoffset() == utc.utcoffset():
        return Sentence("times.utc", day=utc.date(), time=f"{utc:%H:%M}")
    return Sentence(
        "times.local",
        day=here.date(),
        time=f"{here:%H:%M}",
        zone=_zone_name(here),
        other_day="" if here.date() == utc.date() else utc.date(),
        utc=f"{utc:%H:%M}",
    )


def span(time: timedelta) -> Sentence:
    """A length of time in its largest sensible unit: ``3 days``, ``90 minutes``."""
    if time >= _COUNT_DAYS_FROM:
        return Sentence("times.days", n=round(time / _DAY))
    if time >= _COUNT_HOURS_FROM:
        return Sentence("times.hours", n=round(time / _HOUR))
    minutes = round(time / _MINUTE)
    if not minutes and time > timedelta(0):
        return Sentence("times.less_than_a_minute")
    return Sentence("times.minutes", n=max(minutes, 0))


def _zone_name(at: datetime) -> str:
    """``CET``, or ``+0330`` where the zone has no name of letters."""
    name = at.tzname() or ""
    return name if name.isalpha() else f"{at:%z}"
