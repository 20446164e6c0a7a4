"""The values in the templates of phases: lengths of time, times of day, days; or why they are none.

Pure.  What is wrong is a reason in words, which may stand behind a colon.
"""

import re

from machjudge.service.game.timetable import NEVER, is_days
from machjudge.service.model.conduct import ANY_DAY

_HOUR = 60
_DAY = 24 * _HOUR
_MOST_DAYS = 366
_TIME = re.compile(r"(\d{1,9}(?:\.\d{1,2})?|\.\d{1,2})(m|h|d)?", re.ASCII)
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})", re.ASCII)
_UNITS = {"m": 1, "h": _HOUR, "d": _DAY, "": _HOUR}


def read_minutes(value: str) -> int | str:
    """A length of time in minutes; hours, where nothing else stands behind the number."""
    match = _TIME.fullmatch(value.lower())
    if match is None:
        return "write hours such as 72, days such as 3d, or minutes such as 30m"
    minutes = round(float(match[1]) * _UNITS[match[2] or ""])
    return minutes if minutes <= _MOST_DAYS * _DAY else f"{_MOST_DAYS} days are the most"


def read_hours(value: str) -> int | str:
    """A length of time in full hours."""
    minutes = read_minutes(value)
    if isinstance(minutes, str):
        return minutes
    return "write full hours, such as 72, or 3d" if minutes % _HOUR else minutes // _HOUR


def read_minute(value: str) -> int | str:
    """The minute of the day; -1 for none."""
    if value.lower() in ("-1", "none", "off"):
        return -1
    match = _CLOCK.fullmatch(value)
    if match is not None:
        minute = int(match[1]) * _HOUR + int(match[2])
        is_time = int(match[2]) < _HOUR and minute < _DAY
        return minute if is_time else "a day goes from 00:00 to 23:59"
    if not (value.isascii() and value.isdigit()):
        return "write a time such as 20:00, a minute of the day such as 1200, or none"
    return int(value) if int(value[:9]) < _DAY else f"a day has the minutes 0 to {_DAY - 1}"


def flaw_of_days(value: str) -> str:
    """Why the letters do not say on which days deadlines may fall; empty where they do."""
    if is_days(value):
        return ""
    if len(value) == len(ANY_DAY) and not value.strip(NEVER):
        return "one day at least must be allowed"
    if sorted(value.upper()) == sorted(ANY_DAY):
        return f"the week begins with Sunday: {ANY_DAY}"
    return (
        f"write seven letters from Sunday, {ANY_DAY}; - for days without deadlines, "
        "a small letter for those from noon on"
    )
