"""Write a deadline as an iCalendar file (RFC 5545), published or as a meeting (RFC 5546).

The library is loaded with the first file.
"""

from dataclasses import dataclass
from datetime import datetime


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

    @property
    def method(self) -> str:
        """The file's method (RFC 5546, 1.4)."""
        return "CANCEL" if self.is_cancelled else "REQUEST" if self.invites else "PUBLISH"


def event_file(event: Event) -> bytes:
    """Return the event as a file in UTC; the same event gives the same bytes."""
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
