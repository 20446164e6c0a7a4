"""When a digest is due.  A tick asks before it imports the rest of the program."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

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
