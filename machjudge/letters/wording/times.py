"""Instants and spans of time as messages write them."""

from datetime import UTC, datetime, timedelta, tzinfo

from machjudge.sentence import Sentence

_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")

_DAY = timedelta(days=1)
_HOUR = timedelta(hours=1)
_MINUTE = timedelta(minutes=1)
_COUNT_DAYS_FROM = timedelta(hours=48)
_COUNT_HOURS_FROM = timedelta(minutes=90)


def header_time(instant: datetime) -> str:
    """The form of the two header lines, in UTC: ``Tue Nov 24 2026 20:00:00 +0000``.

    Tools read it, so that it is the same in every language.
    """
    at = instant.astimezone(UTC)
    day, month = _DAYS[at.weekday()].capitalize(), _MONTHS[at.month - 1].capitalize()
    return f"{day} {month} {at.day:02} {at.year} {at:%H:%M:%S} +0000"


def when(instant: datetime, zone: tzinfo) -> Sentence:
    """The reader's time and UTC: ``Tue 24 Nov 2026, 21:00 CET (20:00 UTC)``."""
    here, utc = instant.astimezone(zone), instant.astimezone(UTC)
    if here.utcoffset() == utc.utcoffset():
        return Sentence("times.utc", date=_date(utc), time=f"{utc:%H:%M}")
    return Sentence(
        "times.local",
        date=_date(here),
        time=f"{here:%H:%M}",
        zone=_zone_name(here),
        other_day="" if here.date() == utc.date() else _weekday(utc),
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


def _date(at: datetime) -> Sentence:
    month = Sentence(f"times.month.{_MONTHS[at.month - 1]}")
    return Sentence("times.date", weekday=_weekday(at), day=at.day, month=month, year=at.year)


def _weekday(at: datetime) -> Sentence:
    return Sentence(f"times.weekday.{_DAYS[at.weekday()]}")


def _zone_name(at: datetime) -> str:
    """``CET``, or ``+0330`` where the zone has no name of letters."""
    name = at.tzname() or ""
    return name if name.isalpha() else f"{at:%z}"
