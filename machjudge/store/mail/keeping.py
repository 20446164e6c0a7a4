"""What the judge keeper decides about: mails set aside, and letters that were given up."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Engine, func, select, update
from sqlalchemy.orm import Session

from machjudge.reading import redact_codes
from machjudge.service.model.records import MailId
from machjudge.service.ports.mailbox import LetterId
from machjudge.service.ports.mails import Outgoing
from machjudge.store.mail.inbox import without_tokens
from machjudge.store.mail.outbox import outgoing
from machjudge.store.schema.engine import reading, writing
from machjudge.store.schema.rows import row, rows
from machjudge.store.schema.tables import InboxRow, LetterState, MailState, OutboxRow


@dataclass(frozen=True, slots=True)
class MailAside:
    """A mail that was set aside, and why.  *raw* is whole: passwords stand in it."""

    id: MailId
    received: datetime
    sender: str
    recipients: tuple[str, ...]
    tries: int
    why: str
    raw: bytes


@dataclass(frozen=True, slots=True)
class LetterGivenUp:
    """A letter that will not be sent, and why."""

    id: LetterId
    made: datetime
    tries: int
    why: str
    outgoing: Outgoing


@dataclass(frozen=True, slots=True)
class Queues:
    """How many mails and letters wait, and since when the oldest of each."""

    mails: int
    oldest_mail: datetime | None
    letters: int
    oldest_letter: datetime | None


class KeepersDesk:
    """Each call is a transaction of its own; *clock* says when something was decided."""

    def __init__(self, engine: Engine, clock: Callable[[], datetime]) -> None:
        self._engine = engine
        self._clock = clock

    def queues(self) -> Queues:
        """What waits in the ordinary course."""
        mails = select(func.count(), func.min(InboxRow.received)).where(
            InboxRow.state == MailState.WAITING
        )
        letters = select(func.count(), func.min(OutboxRow.made)).where(
            OutboxRow.state == LetterState.WAITING
        )
        with reading(self._engine) as connection:
            return Queues(*connection.execute(mails).one(), *connection.execute(letters).one())

    def mails_aside(self) -> Sequence[MailAside]:
        """All mails set aside, in the order of their receipt."""
        every = select(InboxRow).where(InboxRow.state == MailState.ASIDE).order_by(InboxRow.id)
        with reading(self._engine) as connection, Session(connection) as session:
            return [_mail(each) for each in rows(session, every)]

    def mail_aside(self, mail: MailId) -> MailAside | None:
        """One of them; None if that mail is not set aside."""
        one = select(InboxRow).where(InboxRow.id == mail, InboxRow.state == MailState.ASIDE)
        with reading(self._engine) as connection, Session(connection) as session:
            found = row(session, one)
            return None if found is None else _mail(found)

    def retry_mail(self, mail: MailId) -> bool:
        """Have a mail that was set aside handled once more; whether there was such a mail."""
        return self._change_mail(
            mail, state=MailState.WAITING, tries=0, deaths=0, not_before=None, ended=None, why=None
        )

    def drop_mail(self, mail: MailId, redacted: bytes) -> bool:
        """Handle such a mail never; *redacted* replaces it.  Whether there was such a mail."""
        known_by = select(InboxRow.recipients, InboxRow.message_id).where(InboxRow.id == mail)
        with reading(self._engine, single=True) as connection:
            found = connection.execute(known_by).one_or_none()
        if found is None:
            return False
        recipients, message_id = found
        kept = without_tokens(recipients, message_id)
        changes = {"raw": redacted, "ended": self._clock(), **kept}
        return self._change_mail(mail, state=MailState.DROPPED, **changes)

    def letters_given_up(self) -> Sequence[LetterGivenUp]:
        """All letters given up, oldest first."""
        every = (
            select(OutboxRow).where(OutboxRow.state == LetterState.GIVEN_UP).order_by(OutboxRow.id)
        )
        with reading(self._engine) as connection, Session(connection) as session:
            return [_letter(each) for each in rows(session, every)]

    def letter_given_up(self, letter: LetterId) -> LetterGivenUp | None:
        """One of them; None if that letter was not given up."""
        one = select(OutboxRow).where(
            OutboxRow.id == letter, OutboxRow.state == LetterState.GIVEN_UP
        )
        with reading(self._engine) as connection, Session(connection) as session:
            found = row(session, one)
            return None if found is None else _letter(found)

    def retry_letter(self, letter: LetterId) -> bool:
        """Try once more to send a letter that was given up; whether there was such a letter."""
        return self._change_letter(
            letter, state=LetterState.WAITING, tries=0, deaths=0, due=self._clock(), ended=None
        )

    def drop_letter(self, letter: LetterId) -> bool:
        """Forget about such a letter; whether there was one."""
        return self._change_letter(letter, state=LetterState.DROPPED, ended=self._clock())

    def _change_mail(self, mail: MailId, **changes: object) -> bool:
        statement = (
            update(InboxRow)
            .where(InboxRow.id == mail, InboxRow.state == MailState.ASIDE)
            .values(**changes)
            .returning(InboxRow.id)
        )
        with writing(self._engine) as connection:
            changed = connection.scalar(statement)
            connection.commit()
        return changed is not None

    def _change_letter(self, letter: LetterId, **changes: object) -> bool:
        statement = (
            update(OutboxRow)
            .where(OutboxRow.id == letter, OutboxRow.state == LetterState.GIVEN_UP)
            .values(**changes)
            .returning(OutboxRow.id)
        )
        with writing(self._engine) as connection:
            changed = connection.scalar(statement)
            connection.commit()
        return changed is not None


def _mail(found: InboxRow) -> MailAside:
    return MailAside(
        id=MailId(found.id),
        received=found.received,
        sender=found.sender or found.envelope_sender,
        recipients=tuple(redact_codes(each) for each in found.recipients),
        tries=found.tries,
        why=found.why or "",
        raw=found.raw,
    )


def _letter(found: OutboxRow) -> LetterGivenUp:
    return LetterGivenUp(
        LetterId(found.id), found.made, found.tries, found.why or "", outgoing(found)
    )
