"""Who plays, keeps or watches games, and how they keep deadlines."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from machjudge.service.model.digest_hours import DIGEST_HOUR
from machjudge.service.model.records.bounces import Bounces
from machjudge.service.model.records.ids import PersonId


class AddressStanding(Enum):
    """What is known of somebody's address."""

    CONFIRMED = "confirmed"
    """Somebody has answered a message that went there."""
    CLAIMED = "claimed"
    """It stood in From, and nobody has answered yet."""
    REGISTERING = "registering"
    """The same, and the mail asked for its name and time zone to be written down."""


class Calendar(Enum):
    """How the deadlines of games come to somebody's calendar."""

    ON = "on"
    """As a file with the messages that set them."""
    OFF = "off"
    INVITE = "invite"
    """As an invitation, which many calendars enter by themselves."""


class Notify(Enum):
    """How often somebody wants mails about their games."""

    EACH = "each"
    """Every message by itself."""
    DAILY = "daily"
    """One digest a day, but for what cannot wait."""
    IMPORTANT = "important"
    """What matters by itself, everything else in the digest."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who plays, keeps or watches games here."""

    id: PersonId
    name: str
    """What others see; one line without control characters."""
    addresses: tuple[str, ...]
    """The mail addresses, lower case, the one of record first; no two persons share one."""
    zone: str
    """The time zone of mails to them, an IANA name such as ``Europe/Rome``."""
    registered: datetime
    standing: AddressStanding = AddressStanding.CONFIRMED
    calendar: Calendar = Calendar.ON
    language: str = ""
    """The language of mails to them, a folder of the templates; empty for the judge's own."""
    html: bool = True
    """Whether mails to them have an HTML part beside the text."""
    pictures: bool = True
    """Whether messages to them show maps."""
    json: bool = False
    """Whether results bring what happened as a JSON file, too."""
    notify: Notify = Notify.EACH
    digest_hour: int = DIGEST_HOUR
    """At which hour in their zone the digest goes out, 0 to 23."""
    bounces: tuple[Bounces, ...] = ()
    """What came back from their addresses since they were heard."""

    @property
    def is_confirmed(self) -> bool:
        """Whether somebody has answered from the address; otherwise it is only claimed."""
        return self.standing is AddressStanding.CONFIRMED


def is_same_name(one: str, other: str) -> bool:
    """Whether two names are the same but for case and the number of spaces."""
    return one.casefold().split() == other.casefold().split()


@dataclass(frozen=True, slots=True)
class Attendance:
    """How somebody kept the deadlines of one game."""

    person: PersonId
    on_time: int = 0
    """Phases for which their orders were there at the deadline."""
    late: int = 0
    """Phases for which they were not."""
    left: int = 0
    """Seats that they gave up, or that were opened to others in their absence."""
