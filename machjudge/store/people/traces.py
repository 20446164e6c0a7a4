"""What stands in the database of somebody, beside their name and addresses: the port `Traces`."""

from collections.abc import Mapping, Sequence

from sqlalchemy import Executable, select
from sqlalchemy.orm import Session

from machjudge.service.model.records import Person
from machjudge.store.schema.tables import GameRow, InboxRow, NoteRow, OutboxRow, SeatRow

_MOST = 10_000
"""Of each kind, the newest."""


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
