"""All tables.  Rows are rows: no record of the desk is mapped onto one.

Whoever changes something here writes a migration; a test compares the two.
"""

from machjudge.store.schema.base import Base, Json
from machjudge.store.schema.game_tables import (
    AttendedRow,
    GameRow,
    HeartbeatRow,
    HoldingRow,
    JudgeRow,
    NoteRow,
    NoticeRow,
    PhaseRow,
    PlanRow,
    PressRow,
    SeatRow,
    SheetRow,
)
from machjudge.store.schema.mail_tables import (
    InboxRow,
    LetterState,
    MailState,
    OutboxRow,
    ReplyTokenRow,
    waits,
)
from machjudge.store.schema.people_tables import (
    AddressRow,
    CountRow,
    PendingActRow,
    PersonRow,
    TokenRow,
)

__all__ = (
    "AddressRow",
    "AttendedRow",
    "Base",
    "CountRow",
    "GameRow",
    "HeartbeatRow",
    "HoldingRow",
    "InboxRow",
    "Json",
    "JudgeRow",
    "LetterState",
    "MailState",
    "NoteRow",
    "NoticeRow",
    "OutboxRow",
    "PendingActRow",
    "PersonRow",
    "PhaseRow",
    "PlanRow",
    "PressRow",
    "ReplyTokenRow",
    "SeatRow",
    "SheetRow",
    "TokenRow",
    "waits",
)
