"""The values in the templates of phases: lengths of time, times of day, days; or why they are none.

Pure.  What is wrong is a reason which may stand behind a colon.
"""

import re

from machjudge.sentence import Sentence
from machjudge.service.game.timetable import NEVER, is_days
from machjudge.service.model.conduct import ANY_DAY

_HOUR = 60
_DAY = 24 * _HOUR
_MOST_DAYS = 366
_TIME = re.compile(r"(\d{1,9}(?:\.\d{1,2})?|\.\d{1,2})(m|h|d)?", re.ASCII)
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})", re.ASCII)
_UNITS = {"m": 1, "h": _HOUR, "d": _DAY, "": _HOUR}


def read_minutes(value: str) -> int | Sentence:
    """A length of time in minutes; hours, where nothing else stands behind the number."""
    match = _TIME.fullmatch(value.lower())
    if match is None:
        return Sentence("game.time.length")
    minutes = round(float(match[1]) * _UNITS[match[2] or ""])
    is_short = minutes <= _MOST_DAYS * _DAY
    return minutes if is_short else Sentence("game.time.too_long", most=_MOST_DAYS)


def read_hours(value: str) -> int | Sentence:
    """A length of time in full hours."""
    minutes = read_minutes(value)
    if isinstance(minutes, Sentence):
        return minutes
    return Sentence("game.time.full_hours") if minutes % _HOUR else minutes // _HOUR


def read_minute(value: str) -> int | Sentence:
    """The minute of the day; -1 for none."""
    if value.lower() in ("-1", "none", "off"):
        return -1
    match = _CLOCK.fullmatch(value)
    if match is not None:
        minute = int(match[1]) * _HOUR + int(match[2])
        is_time = int(match[2]) < _HOUR and minute < _DAY
        return minute if is_time else Sentence("game.time.of_day")
    if not (value.isascii() and value.isdigit()):
        return Sentence("game.time.minute")
    is_in_day = int(value[:9]) < _DAY
    return int(value) if is_in_day else Sentence("game.time.last_minute", last=_DAY - 1)


def flaw_of_days(value: str) -> Sentence | None:
    """Why the letters do not say on which days deadlines may fall; None if they do."""
    if is_days(value):
        return None
    if len(value) == len(ANY_DAY) and not value.strip(NEVER):
        return Sentence("game.time.no_day")
    if sorted(value.upper()) == sorted(ANY_DAY):
        return Sentence("game.time.from_sunday", week=ANY_DAY)
    return Sentence("game.time.days", week=ANY_DAY)
