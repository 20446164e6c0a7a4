"""The words of a date, one by one: weekdays, months, years, clocks, zones, times from now."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from datetime import UTC, time, timedelta, timezone, tzinfo
from functools import cache
from typing import TypeAlias
from zoneinfo import ZoneInfo, available_timezones

from machjudge.language.vocabulary.words import fold
from machjudge.sentence import Sentence

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_LEAST_LETTERS = 3
_FILLERS = frozenset({"at", "on", "the", "of", "by", "until", "till"})
_HOURS_ON_A_FACE = 12
_MOST_OFFSET = timedelta(hours=14)

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
class WrongDate:
    """Why a date cannot be meant: a sentence without a full stop."""

    reason: Sentence


@dataclass(frozen=True, slots=True)
class Ahead:
    """A stretch of time from now; negative if it lies behind us."""

    days: int
    minutes: int


@dataclass(frozen=True, slots=True)
class DateWords:
    """What the words of a date say together; None if they say nothing."""

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

    def and_also(self, other: "DateWords") -> "DateWords | WrongDate":
        """Both together; what is said twice is wrong."""
        said = {f.name: getattr(other, f.name) for f in fields(other)}
        new = {name: value for name, value in said.items() if value is not None}
        twice = next((name for name in new if getattr(self, name) is not None), None)
        return (
            WrongDate(Sentence(f"language.date.twice.{twice}")) if twice else replace(self, **new)
        )


Reading: TypeAlias = DateWords | WrongDate | None
"""What a word says of a date; None if it is of another kind."""


def read_date_word(word: str) -> DateWords | WrongDate:
    """Read one word of a date."""
    plain = fold(word)
    if plain in _FILLERS:
        return DateWords()
    readings = (read(plain) for read in _READERS)
    found = next((reading for reading in readings if reading is not None), None)
    return found or WrongDate(Sentence("language.date.no_part", found=word))


def zone_named(name: str) -> tzinfo | None:
    """A zone by its name, ``UTC``, ``+01:00`` or ``Europe/Rome``; nothing if there is none."""
    plain = fold(name.strip())
    if plain in ("utc", "gmt", "z"):
        return UTC
    offset = _OFFSET.fullmatch(plain)
    if not offset:
        return ZoneInfo(_zones()[plain]) if plain in _zones() else None
    sign, hours, minutes = offset.groups()
    shift = timedelta(hours=int(hours), minutes=int(minutes or 0))
    if shift > _MOST_OFFSET:
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
        return WrongDate(Sentence("language.date.no_time_of_day", found=clock))
    return said.and_also(at) if isinstance(at, DateWords) else at


def _read_clock(word: str) -> Reading:
    match = _CLOCK.fullmatch(word)
    if not match or not (match["minute"] or match["half"]):
        return None
    hour, minute, second = (int(match[name] or 0) for name in ("hour", "minute", "second"))
    if match["half"]:
        if not 1 <= hour <= _HOURS_ON_A_FACE:
            return WrongDate(Sentence("language.date.no_time", found=word))
        hour = hour % _HOURS_ON_A_FACE + (_HOURS_ON_A_FACE if match["half"] == "pm" else 0)
    try:
        clock = time(hour, minute, second)
    except ValueError:
        return WrongDate(Sentence("language.date.no_time", found=word))
    zone = zone_named(match["zone"]) if match["zone"] else None
    return (
        WrongDate(Sentence("language.date.no_zone", found=match["zone"]))
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
    """The number of a name that is written in full or by three letters or more."""
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
