"""The texts of mails go after a while: those that came in, and those that were sent with files.

What they brought about stays, and so does by whom and when they were sent: repeated deliveries and
answers to old messages are still known.
"""

from datetime import datetime, timedelta

from sqlalchemy import Connection, Engine, exists, insert, select, update
from sqlalchemy.orm import InstrumentedAttribute
from sqlalchemy.sql.elements import ColumnElement

from machjudge.store.schema.engine import writing
from machjudge.store.schema.tables import (
    CountRow,
    InboxRow,
    LetterState,
    MailState,
    OutboxRow,
)

_KEY = "texts forgotten"
"""Under which it is counted that somebody has looked for old texts."""
_EVERY = timedelta(days=1)
_TOGETHER = 500
"""How many mails are changed in one transaction: nobody waits long."""
_ASIDE = [MailState.WAITING, MailState.ASIDE]
_KEPT_LETTERS = [LetterState.WAITING, LetterState.HELD, LetterState.GIVEN_UP]


def may_forget(connection: Connection, now: datetime) -> bool:
    """Whether nobody has looked for old texts in the last day."""
    lately = exists().where(CountRow.key == _KEY, CountRow.at > now - _EVERY, CountRow.at <= now)
    return not connection.scalar(select(lately))


def forget_texts(engine: Engine, now: datetime, keep: timedelta) -> int:
    """Forget the texts of mails that were done with longer ago than *keep*; how many there were.

    Mails set aside and letters given up stay until the judge keeper has decided.  Looks once a
    day only.
    """
    with writing(engine) as connection:
        if not may_forget(connection, now):
            return 0
        connection.execute(insert(CountRow), {"key": _KEY, "at": now})
        connection.commit()
    total = 0
    while forgotten := _forget_some(engine, now - keep):
        total += forgotten
    return total


def _forget_some(engine: Engine, before: datetime) -> int:
    with writing(engine) as connection:
        mails = _some(connection, _old_mails(before), InboxRow.id)
        connection.execute(update(InboxRow).where(InboxRow.id.in_(mails)).values(raw=b""))
        letters = _some(connection, _old_letters(before), OutboxRow.id)
        forgotten = update(OutboxRow).where(OutboxRow.id.in_(letters)).values(body="", files=None)
        connection.execute(forgotten)
        connection.commit()
    return len(mails) + len(letters)


def _some(
    connection: Connection, which: ColumnElement[bool], number: InstrumentedAttribute[int]
) -> list[int]:
    return [*connection.scalars(select(number).where(which).limit(_TOGETHER))]


def _old_mails(before: datetime) -> ColumnElement[bool]:
    return InboxRow.state.not_in(_ASIDE) & (InboxRow.ended < before) & (InboxRow.raw != b"")


def _old_letters(before: datetime) -> ColumnElement[bool]:
    is_done = OutboxRow.state.not_in(_KEPT_LETTERS) & (OutboxRow.ended < before)
    return is_done & (OutboxRow.body != "")
