"""What stands in the database of somebody, beside their name and addresses: the port `Traces`."""

import re
from collections.abc import Mapping, Sequence

from sqlalchemy import Executable, UpdateBase, delete, select, update
from sqlalchemy.orm import Session

from machjudge.service.model.records import GameId, Person
from machjudge.store.schema.mail_tables import EMPTIED
from machjudge.store.schema.tables import (
    AddressRow,
    AttendedRow,
    GameRow,
    InboxRow,
    LetterState,
    MailState,
    NoteRow,
    NoticeRow,
    OutboxRow,
    PersonRow,
    SeatRow,
    TokenRow,
)

_MOST = 10_000
"""Of each kind, the newest."""
_NO_ZONE = "UTC"


class StoredTraces:
    """The traces of people in one transaction."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def of(self, person: Person) -> Mapping[str, Sequence[Mapping[str, object]]]:
        """By what they are about: a row for each, its fields by their names."""
        return {
            kind: [dict(row) for row in self._session.execute(found).mappings()]
            for kind, found in _kinds(person).items()
        }

    def games(self, person: Person) -> Sequence[GameId]:
        """The games in which somebody has a seat, or had one; by name."""
        own = (SeatRow.person == person.id) | (SeatRow.former == person.id)
        own |= SeatRow.person.is_(None) & SeatRow.address.in_(person.addresses)
        found = self._session.scalars(select(SeatRow.game).where(own).distinct())
        return sorted(map(GameId, found))

    def erase(self, person: Person, called: str) -> None:
        """Remove what tells who somebody is; where a name must stand they are *called* so.

        Their seats and mails that still wait stay as they are; letters that wait are emptied once
        they have gone.
        """
        self._erase_mails(person)
        self._erase_from_logs(person, called)
        for table, owner in ((NoteRow, NoteRow.person), (TokenRow, TokenRow.person)):
            self._change(delete(table).where(owner == person.id))
        self._change(delete(AddressRow).where(AddressRow.person == person.id))
        unknown = {"name": called, "zone": _NO_ZONE, "claimed": None}
        self._change(update(PersonRow).where(PersonRow.id == person.id).values(**unknown))

    def _erase_mails(self, person: Person) -> None:
        nothing: dict[str, object] = {"sender": "", "envelope_sender": "", "message_id": ""}
        mails = InboxRow.sender.in_(person.addresses) & (InboxRow.state != MailState.WAITING)
        self._change(update(InboxRow).where(mails).values(**nothing, recipients=[], raw=b""))
        held = (OutboxRow.held_for == person.id) & (OutboxRow.state == LetterState.HELD)
        self._change(update(OutboxRow).where(held).values(state=LetterState.DROPPED))
        theirs = OutboxRow.recipient.in_(person.addresses)
        waiting = theirs & (OutboxRow.state == LetterState.WAITING)
        self._change(update(OutboxRow).where(waiting).values(held_for=person.id))
        letters = theirs & (OutboxRow.state != LetterState.WAITING)
        self._change(update(OutboxRow).where(letters).values(**EMPTIED))

    def _erase_from_logs(self, person: Person, called: str) -> None:
        """Take the name and the addresses out of what was noted about games."""
        words = "|".join(map(re.escape, (*person.addresses, person.name)))
        told = re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)
        attended = select(AttendedRow.game).where(AttendedRow.person == person.id)
        led = select(GameRow.id).where(GameRow.master == person.id)
        theirs = (NoticeRow.by == person.id) | NoticeRow.game.in_(attended.union(led))
        found = select(NoticeRow.id, NoticeRow.text).where(theirs)
        for row in self._session.execute(found).all():
            text = told.sub(called, row.text)
            if text != row.text:
                self._change(update(NoticeRow).where(NoticeRow.id == row.id).values(text=text))

    def _change(self, statement: UpdateBase) -> None:
        self._session.execute(statement, execution_options={"synchronize_session": False})


def _kinds(person: Person) -> dict[str, Executable]:
    return {
        "seats": select(
            GameRow.name.label("game"),
            GameRow.status,
            SeatRow.number,
            SeatRow.role,
            SeatRow.powers,
            SeatRow.address,
        )
        .join(GameRow, GameRow.id == SeatRow.game)
        .where(SeatRow.person == person.id)
        .order_by(GameRow.created.desc(), SeatRow.number)
        .limit(_MOST),
        "notes": select(NoteRow.game, NoteRow.kind, NoteRow.at, NoteRow.text)
        .where(NoteRow.person == person.id)
        .order_by(NoteRow.at.desc())
        .limit(_MOST),
        "mails": select(
            InboxRow.received,
            InboxRow.message_id,
            InboxRow.sender.label("from"),
            InboxRow.game,
            InboxRow.state,
        )
        .where(InboxRow.sender.in_(person.addresses))
        .order_by(InboxRow.id.desc())
        .limit(_MOST),
        "messages": select(
            OutboxRow.made,
            OutboxRow.recipient.label("to"),
            OutboxRow.subject,
            OutboxRow.game,
            OutboxRow.state,
        )
        .where(OutboxRow.recipient.in_(person.addresses))
        .order_by(OutboxRow.id.desc())
        .limit(_MOST),
    }
