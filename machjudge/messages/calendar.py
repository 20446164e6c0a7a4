"""A deadline as a file for calendars: iCalendar (RFC 5545), to be published or as a meeting (5546).

The library is loaded when the first file is written.
"""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Event:
    """An entry in somebody's calendar, as it is from now on."""

    uid: str
    """The same for each message about the entry."""
    sequence: int
    """The number of this state of the entry; higher than those of the states before."""
    at: datetime
    made: datetime
    summary: str
    description: str
    judge: str
    """The address of the judge, who keeps the entry."""
    reader: str
    """The address of whose calendar it is."""
    invites: bool = False
    """Whether it is an invitation, which a calendar enters by itself."""
    stands: bool = False
    """Whether the clock stands, so that the instant may still move."""
    is_cancelled: bool = False

    @property
    def method(self) -> str:
        """What the file asks of a calendar (RFC 5546, 1.4)."""
        return "CANCEL" if self.is_cancelled else "REQUEST" if self.invites else "PUBLISH"


def event_file(event: Event) -> bytes:
    """The event as a file of its own, in UTC; the same event gives the same bytes."""
    from icalendar import Calendar, vCalAddress  # noqa: PLC0415  takes long to load
    from icalendar import Event as Entry  # noqa: PLC0415

    entry = Entry()
    entry.add("uid", event.uid)
    entry.add("sequence", event.sequence)
    entry.add("dtstamp", event.made.replace(microsecond=0))
    entry.add("dtstart", event.at)
    entry.add("summary", event.summary)
    entry.add("description", event.description)
    entry.add("status", _status(event))
    entry.add("transp", "TRANSPARENT")
    entry.add("organizer", vCalAddress(f"mailto:{event.judge}"))
    if event.invites:
        # Whoever is entered as coming is not asked for an answer.
        attendee = vCalAddress(f"mailto:{event.reader}")
        attendee.params["PARTSTAT"] = "ACCEPTED"
        attendee.params["RSVP"] = "FALSE"
        entry.add("attendee", attendee)
    calendar = Calendar()
    calendar.add("prodid", "-//machjudge//deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("method", event.method)
    calendar.add_component(entry)
    written: bytes = calendar.to_ical()
    return written


def _status(event: Event) -> str:
    if event.is_cancelled:
        return "CANCELLED"
    return "TENTATIVE" if event.stands else "CONFIRMED"
