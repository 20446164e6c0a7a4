"""Write deadlines as iCalendar files (RFC 5545): published, or as a meeting (RFC 5546)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

ALARMS = (24, 2)
"""The hours before a deadline at which calendars remind their owners, if these choose none."""
_HOURS_OF_A_DAY = 24
_LONGEST_LINE = 75  # RFC 5545, 3.1: in bytes, without the line end
_ESCAPED = str.maketrans({"\\": r"\\", ";": r"\;", ",": r"\,", "\n": r"\n", "\r": None})


@dataclass(frozen=True, slots=True)
class Event:
    """The present state of an entry in a person's calendar."""

    uid: str
    """The same for each message about the entry."""
    sequence: int
    """The version of the entry, higher than those before."""
    at: datetime
    made: datetime
    summary: str
    description: str
    judge: str
    """The address of the judge, who organises the entry."""
    reader: str
    """The address of the calendar's owner."""
    invites: bool = False
    """True for an invitation, which a calendar enters by itself."""
    stands: bool = False
    """True if the clock is stopped, so that the instant may move."""
    is_cancelled: bool = False
    alarms: tuple[int, ...] = ()
    """The hours before it at which the calendar reminds its owner, unless the clock is stopped."""

    @property
    def method(self) -> str:
        """The file's method (RFC 5546, 1.4)."""
        return "CANCEL" if self.is_cancelled else "REQUEST" if self.invites else "PUBLISH"


def event_file(event: Event) -> bytes:
    """Return the event as a file in UTC; the same event gives the same bytes."""
    return _file([f"METHOD:{event.method}"], [event]).encode()


def calendar_file(name: str, mark: str, events: Iterable[Event]) -> str:
    """Return a file to subscribe to (RFC 7986) with several published events.

    *mark* stands in its first lines, and tells its versions apart.
    """
    text = _text(name)
    head = ["METHOD:PUBLISH", f"NAME:{text}", f"X-WR-CALNAME:{text}"]
    head += ["REFRESH-INTERVAL;VALUE=DURATION:PT1H", "X-PUBLISHED-TTL:PT1H"]
    return _file(head, events, mark)


def _file(head: Iterable[str], events: Iterable[Event], mark: str = "") -> str:
    product = f"machjudge {mark}".rstrip()
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", f"PRODID:-//{product}//deadlines//EN"]
    entries = [line for each in events for line in _entry(each)]
    lines += [*head, *(entries or _NOTHING), "END:VCALENDAR"]
    folded = [
        line if len(line) <= _LONGEST_LINE and line.isascii() else _folded(line) for line in lines
    ]
    return "\r\n".join([*folded, ""])


# A calendar has at least one component (RFC 5545, 3.6).
_NOTHING = (
    "BEGIN:VTIMEZONE",
    "TZID:Etc/UTC",
    "BEGIN:STANDARD",
    "DTSTART:19700101T000000",
    "TZOFFSETFROM:+0000",
    "TZOFFSETTO:+0000",
    "END:STANDARD",
    "END:VTIMEZONE",
)


def _entry(event: Event) -> list[str]:
    summary = _text(event.summary)
    lines = [
        "BEGIN:VEVENT",
        f"UID:{_text(event.uid)}",
        f"SEQUENCE:{event.sequence}",
        f"DTSTAMP:{_instant(event.made)}",
        f"DTSTART:{_instant(event.at)}",
        f"SUMMARY:{summary}",
        f"DESCRIPTION:{_text(event.description)}",
        f"STATUS:{_status(event)}",
        "TRANSP:TRANSPARENT",
        f"ORGANIZER:mailto:{event.judge}",
    ]
    if event.invites:
        # Anyone who is entered as coming is not asked for an answer.
        lines.append(f"ATTENDEE;PARTSTAT=ACCEPTED;RSVP=FALSE:mailto:{event.reader}")
    for hours in event.alarms if _status(event) == "CONFIRMED" else ():
        days, rest = divmod(hours, _HOURS_OF_A_DAY)
        lines += [
            "BEGIN:VALARM",
            "ACTION:DISPLAY",
            f"DESCRIPTION:{summary}",
            f"TRIGGER:-PT{hours}H" if rest else f"TRIGGER:-P{days}D",
            "END:VALARM",
        ]
    return [*lines, "END:VEVENT"]


def _status(event: Event) -> str:
    if event.is_cancelled:
        return "CANCELLED"
    return "TENTATIVE" if event.stands else "CONFIRMED"


def _instant(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _text(value: str) -> str:
    """A text as RFC 5545, 3.3.11 has it."""
    return value.translate(_ESCAPED)


def _folded(line: str) -> str:
    """The line in pieces that are short enough; no character is cut (RFC 5545, 3.1)."""
    pieces, used = [""], 0
    for each in line:
        wide = len(each.encode())
        if used + wide > _LONGEST_LINE:
            pieces.append("")
            used = 1  # the space that begins the next piece
        pieces[-1] += each
        used += wide
    return "\r\n ".join(pieces)
