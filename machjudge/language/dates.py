"""Read dates and times: ``mon 20:00``, ``24 Nov 2026 20:00 Europe/Rome``, ``+48h``.

The present and the writer's zone are arguments.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from functools import cache
from typing import TypeAlias
from zoneinfo import ZoneInfo, available_timezones

from machjudge.language.words import Fault, ParseError, fold
from machjudge.translatable import Message

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_LEAST_LETTERS = 3
_FILLERS = frozenset({"at", "on", "the", "of", "by", "until", "till"})
_HOURS_ON_A_FACE = 12
_MAX_OFFSET = timedelta(hours=14)

_ISO_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:t(.+))?", re.ASCII)
_CLOCK = re.compile(
    r"(?P<hour>\d{1,2})(?::(?P<minute>\d{2})(?::(?P<second>\d{2}))?)?(?P<half>am|pm)?"
    r"(?P<zone>z|[+-]\d{2}(?::?\d{2})?)?",
    re.ASCII,
)
_DAY = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?\.?", re.ASCII)
_YEAR = re.compile(r"\d{4}", re.ASCII)
_OFFSET = re.compile(r"(?:utc|gmt)?([+-])(\d{1,2})(?::?([0-5]\d))?", re.ASCII)
_AHEAD = re.compile(r"([+-])(?:(\d{1,4})w)?(?:(\d{1,4})d)?(?:(\d{1,5})h)?(?:(\d{1,6})m)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Ahead:
    """A time from now; negative in the past."""

    days: int
    minutes: int


@dataclass(frozen=True, slots=True)
class DateWords:
    """The meaning of a date's words; None if they mean nothing."""

    weekday: int | None = None
    """0 for Monday."""
    day: int | None = None
    month: int | None = None
    year: int | None = None
    days_from_today: int | None = None
    """0 for today, 1 for tomorrow, -1 for yesterday."""
    clock: time | None = None
    zone: tzinfo | None = None
    ahead: Ahead | None = None

    def and_also(self, other: "DateWords") -> "DateWords | Message":
        """Return both together; contradictions are wrong."""
        said = {f.name: getattr(other, f.name) for f in fields(other)}
        new = {name: value for name, value in said.items() if value is not None}
        twice = next((name for name in new if getattr(self, name) is not None), None)
        return Message(f"language.date.twice.{twice}") if twice else replace(self, **new)


Reading: TypeAlias = DateWords | Message | None
"""The meaning of a word, or why it is wrong; None if it is another word."""


def read_date_word(word: str) -> DateWords | Message:
    """Read one word of a date."""
    plain = fold(word)
    if plain in _FILLERS:
        return DateWords()
    readings = (read(plain) for read in _READERS)
    found = next((reading for reading in readings if reading is not None), None)
    return found or Message("language.date.no_part", found=word)


def zone_named(name: str) -> tzinfo | None:
    """Return a zone by name, ``UTC``, ``+01:00`` or ``Europe/Rome``; None if there is none."""
    plain = fold(name.strip())
    if plain in ("utc", "gmt", "z"):
        return UTC
    offset = _OFFSET.fullmatch(plain)
    if not offset:
        return ZoneInfo(_zones()[plain]) if plain in _zones() else None
    sign, hours, minutes = offset.groups()
    shift = timedelta(hours=int(hours), minutes=int(minutes or 0))
    if shift > _MAX_OFFSET:
        return None
    return timezone(-shift if sign == "-" else shift)


@cache
def _zones() -> dict[str, str]:
    return {name.lower(): name for name in available_timezones()}


def _read_relative_day(word: str) -> Reading:
    days = {"today": 0, "tomorrow": 1, "yesterday": -1}.get(word)
    return None if days is None else DateWords(days_from_today=days)


def _read_ahead(word: str) -> Reading:
    match = _AHEAD.fullmatch(word)
    if not match or not any(match.groups()[1:]):
        return None
    sign = -1 if match[1] == "-" else 1
    weeks, days, hours, minutes = (sign * int(part or 0) for part in match.groups()[1:])
    return DateWords(ahead=Ahead(weeks * 7 + days, hours * 60 + minutes))


def _read_iso(word: str) -> Reading:
    match = _ISO_DATE.fullmatch(word)
    if not match:
        return None
    year, month, day, clock = match.groups()
    said = DateWords(year=int(year), month=int(month), day=int(day))
    if clock is None:
        return said
    at = _read_clock(clock)
    if at is None:
        return Message("language.date.no_time_of_day", found=clock)
    return said.and_also(at) if isinstance(at, DateWords) else at


def _read_clock(word: str) -> Reading:
    match = _CLOCK.fullmatch(word)
    if not match or not (match["minute"] or match["half"]):
        return None
    hour, minute, second = (int(match[name] or 0) for name in ("hour", "minute", "second"))
    if match["half"]:
        if not 1 <= hour <= _HOURS_ON_A_FACE:
            return Message("language.date.no_time", found=word)
        hour = hour % _HOURS_ON_A_FACE + (_HOURS_ON_A_FACE if match["half"] == "pm" else 0)
    try:
        clock = time(hour, minute, second)
    except ValueError:
        return Message("language.date.no_time", found=word)
    zone = zone_named(match["zone"]) if match["zone"] else None
    return (
        Message("language.date.no_zone", found=match["zone"])
        if match["zone"] and not zone
        else DateWords(clock=clock, zone=zone)
    )


def _read_weekday(word: str) -> Reading:
    number = _number_of(word, WEEKDAYS)
    return None if number is None else DateWords(weekday=number)


def _read_month(word: str) -> Reading:
    number = _number_of(word, MONTHS)
    return None if number is None else DateWords(month=number + 1)


def _number_of(word: str, names: Iterable[str]) -> int | None:
    short = word.removesuffix(".")
    if len(short) < _LEAST_LETTERS:
        return None
    return next((number for number, name in enumerate(names) if name.startswith(short)), None)


def _read_year(word: str) -> Reading:
    return DateWords(year=int(word)) if _YEAR.fullmatch(word) else None


def _read_day(word: str) -> Reading:
    match = _DAY.fullmatch(word)
    return DateWords(day=int(match[1])) if match else None


def _read_zone(word: str) -> Reading:
    zone = zone_named(word)
    return None if zone is None else DateWords(zone=zone)


_READERS: tuple[Callable[[str], Reading], ...] = (
    _read_relative_day,
    _read_ahead,
    _read_iso,
    _read_clock,
    _read_weekday,
    _read_month,
    _read_year,
    _read_day,
    _read_zone,
)


USUAL_TIME = time(23, 30)
"""The default time of day."""
MAX_DAYS_AHEAD = 120
"""The most days ahead of a date without a year."""

_WORD = re.compile(r"[^\s,;]+")
_DAYS_OF_A_WEEK = 7


def read_instant(
    words: str | Sequence[str],
    now: datetime,
    zone: tzinfo,
    usual: time = USUAL_TIME,
    *,
    past: bool = False,
) -> datetime | ParseError:
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
        if isinstance(both, Message):
            return ParseError(text, match.start(), Fault.INSTANT, both, match.group())
        said = both
    instant = _instant(said, now, said.zone or zone, usual, past=past)
    if isinstance(instant, Message):
        return ParseError(text, 0, Fault.INSTANT, instant, text)
    return instant


def _instant(
    said: DateWords, now: datetime, zone: tzinfo, usual: time, *, past: bool
) -> datetime | Message:
    if said == DateWords(zone=said.zone):
        return Message("language.date.nothing")
    try:
        here = now.astimezone(zone)
        if said.ahead is not None:
            return _ahead(said, said.ahead, here)
        if said == DateWords(clock=said.clock, zone=said.zone):
            near = _last_time if past else _next_time
            return near(said.clock or usual, here)
        day = _day_of(said, here.date(), past=past)
        return day if isinstance(day, Message) else _on(day, said.clock or usual, zone)
    except OverflowError:
        return Message("language.date.too_far")


def _ahead(said: DateWords, ahead: Ahead, here: datetime) -> datetime | Message:
    if said != DateWords(ahead=ahead, zone=said.zone):
        return Message("language.date.alone")
    # Days keep the time of day when the clocks change in between; hours are hours.
    later = here.replace(tzinfo=None) + timedelta(days=ahead.days)
    return later.replace(tzinfo=here.tzinfo).astimezone(UTC) + timedelta(minutes=ahead.minutes)


def _next_time(clock: time, here: datetime) -> datetime | Message:
    zone = here.tzinfo or UTC
    today = _on(here.date(), clock, zone)
    if isinstance(today, datetime) and today > here:
        return today
    return _on(here.date() + timedelta(days=1), clock, zone)


def _last_time(clock: time, here: datetime) -> datetime | Message:
    zone = here.tzinfo or UTC
    today = _on(here.date(), clock, zone)
    if isinstance(today, datetime) and today <= here:
        return today
    return _on(here.date() - timedelta(days=1), clock, zone)


def _day_of(said: DateWords, today: date, *, past: bool) -> date | Message:
    if said.day is None and said.month is None and said.year is None:
        return _near_day(said, today, past=past)
    day = _calendar_day(said, today, past=past)
    return day if isinstance(day, Message) else _checked(day, said)


def _near_day(said: DateWords, today: date, *, past: bool) -> date | Message:
    if said.days_from_today is not None:
        return _checked(today + timedelta(days=said.days_from_today), said)
    # The next such weekday, or the last one, and never today.
    until = ((said.weekday or 0) - today.weekday() - 1) % _DAYS_OF_A_WEEK + 1
    since = (today.weekday() - (said.weekday or 0) - 1) % _DAYS_OF_A_WEEK + 1
    return today - timedelta(days=since) if past else today + timedelta(days=until)


def _checked(day: date, said: DateWords) -> date | Message:
    if said.weekday not in (None, day.weekday()):
        weekday = Message(f"language.weekday.{WEEKDAYS[day.weekday()]}")
        return Message("language.date.weekday", day=day.isoformat(), weekday=weekday)
    return day


def _calendar_day(said: DateWords, today: date, *, past: bool) -> date | Message:
    if said.day is None or said.month is None:
        return Message("language.date.needs")
    if said.days_from_today is not None:
        return Message("language.date.day_twice")
    years = [today.year, today.year - 1 if past else today.year + 1]
    days = [_date(year, said.month, said.day) for year in ([said.year] if said.year else years)]
    fits = (d for d in days if d is not None and (said.year or d == today or (d < today) is past))
    day = next(fits, None)
    if day is None:
        return Message("language.date.no_day")
    if said.year is None and day > today + timedelta(days=MAX_DAYS_AHEAD):
        return Message("language.date.add_year", most=MAX_DAYS_AHEAD)
    return day


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _on(day: date, clock: time, zone: tzinfo) -> datetime | Message:
    """The instant of a day and a time; an error if a change of clocks skips it."""
    local = datetime.combine(day, clock, zone)
    instant = local.astimezone(UTC)
    if instant.astimezone(zone).replace(tzinfo=None) != local.replace(tzinfo=None):
        return Message("language.date.no_time_that_day")
    return instant
