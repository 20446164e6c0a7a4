"""What the desk keeps: persons, games, seats, order sheets, stored phases, mails and notices.

All values are frozen; whoever changes one makes a new one and saves it.  Every instant is an
aware ``datetime`` in UTC.  What a field holds as text or number is stored as it stands; rules,
positions and events are stored in the codec's JSON.
"""

from machjudge.service.model.records.clocks import Clock, Jump
from machjudge.service.model.records.games import Game, RandomWord, SharedDice, Status
from machjudge.service.model.records.ids import GameId, MailId, PersonId
from machjudge.service.model.records.judge import Judge
from machjudge.service.model.records.messages import Author, Notice, PressItem, Readership
from machjudge.service.model.records.people import (
    AddressStanding,
    Attendance,
    Calendar,
    Notify,
    Person,
    is_same_name,
)
from machjudge.service.model.records.phases import Holding, Sheet, SheetLine, StoredPhase
from machjudge.service.model.records.seats import Absence, Claimed, Role, Seat, Wishes

__all__ = (
    "Absence",
    "AddressStanding",
    "Attendance",
    "Author",
    "Calendar",
    "Claimed",
    "Clock",
    "Game",
    "GameId",
    "Holding",
    "Judge",
    "Jump",
    "MailId",
    "Notice",
    "Notify",
    "Person",
    "PersonId",
    "PressItem",
    "RandomWord",
    "Readership",
    "Role",
    "Seat",
    "SharedDice",
    "Sheet",
    "SheetLine",
    "Status",
    "StoredPhase",
    "Wishes",
    "is_same_name",
)
