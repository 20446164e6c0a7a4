"""Instants and spans of time as letters write them, the same in every locale."""

from datetime import UTC, datetime, timedelta, tzinfo

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")

_DAY = timedelta(days=1)
_HOUR = timedelta(hours=1)
_MINUTE = timedelta(minutes=1)
_COUNT_DAYS_FROM = timedelta(hours=48)
_COUNT_HOURS_FROM = timedelta(minutes=90)


def header_time(instant: datetime) -> str:
    """The form of the two header lines, in UTC: ``Tue Nov 24 2026 20:00:00 +0000``."""
    at = instant.astimezone(UTC)
    return (
        f"{_DAYS[at.weekday()]} {_MONTHS[at.month - 1]} {at.day:02} {at.year} {at:%H:%M:%S} +0000"
    )


def when(instant: datetime, zone: tzinfo) -> str:
    """The reader's time and UTC: ``Tue 24 Nov 2026, 21:00 CET (20:00 UTC)``."""
    here, utc = instant.astimezone(zone), instant.astimezone(UTC)
    if here.utcoffset() == utc.utcoffset():
        return f"{_date(utc)}, {utc:%H:%M} UTC"
    day = "" if here.date() == utc.date() else f"{_DAYS[utc.weekday()]} "
    return f"{_date(here)}, {here:%H:%M} {_zone_name(here)} ({day}{utc:%H:%M} UTC)"


def span(time: timedelta) -> str:
    """A length of time in its largest sensible unit: ``3 days``, ``90 minutes``."""
    if time >= _COUNT_DAYS_FROM:
        return _counted(round(time / _DAY), "day")
    if time >= _COUNT_HOURS_FROM:
        return _counted(round(time / _HOUR), "hour")
    minutes = round(time / _MINUTE)
    if not minutes and time > timedelta(0):
        return "less than a minute"
    return _counted(max(minutes, 0), "minute")


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _date(at: datetime) -> str:
    return f"{_DAYS[at.weekday()]} {at.day} {_MONTHS[at.month - 1]} {at.year}"


def _zone_name(at: datetime) -> str:
    """``CET``, or ``+0330`` where the zone has no name of letters."""
    name = at.tzname() or ""
    return name if name.isalpha() else f"{at:%z}"
