"""The letters to be sent, as the mail room takes them out."""

from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Row,
    and_,
    bindparam,
    case,
    exists,
    func,
    literal,
    select,
    update,
)
from sqlalchemy.orm import aliased

from machjudge.service.model.records import Bounce
from machjudge.service.ports.interfaces import Stale
from machjudge.service.ports.mailbox import Letter, LetterId
from machjudge.store.mail.claims import FLOOR, claiming, nobody_holds
from machjudge.store.mail.floor import Floor
from machjudge.store.mail.outbox import outgoing
from machjudge.store.people.bounces import count_bounce
from machjudge.store.schema.engine import is_sqlite, writing
from machjudge.store.schema.mail_tables import EMPTIED
from machjudge.store.schema.overdue import NOW
from machjudge.store.schema.prepared import Prepared
from machjudge.store.schema.tables import LetterState, OutboxRow, waits

_CHANGE = (
    update(OutboxRow)
    .where(OutboxRow.id == bindparam("letter"), waits(OutboxRow))
    .returning(OutboxRow.recipient)
)

_LOCK = 0x706F7374  # "post": the number of PostgreSQL's advisory lock on claims of letters
_TURN = Prepared(
    select(func.set_config("synchronous_commit", "off", True), func.pg_advisory_xact_lock(_LOCK))
)


class StoredPostBag:
    """The outbox as the mail room sees it: each call is a transaction; *holder* is who claims."""

    def __init__(self, engine: Engine, holder: str) -> None:
        self._engine = engine
        self._holder = holder
        self._floor = Floor(OutboxRow)

    def claim(self, now: datetime, until: datetime) -> Letter | None:
        """Claim the oldest letter that is due and that nobody holds; the claim ends at *until*."""
        limits = {"now": now, "by": self._holder, "until": until}
        is_single = is_sqlite(self._engine)
        with writing(self._engine, single=is_single, outlasts_power=False) as connection:
            _take_turn(connection)
            floor = self._floor.number(connection)
            found = _claim().rows(connection, {**limits, "floor": floor})
            connection.commit()
        try:
            return _letter(found[0]) if found else None
        except Exception as fault:
            # What cannot be read of a row cannot be sent; the others go.
            self.give_up(LetterId(found[0].id), now, f"cannot be read: {type(fault).__name__}")
            return self.claim(now, until)

    def sent(self, letter: LetterId, now: datetime) -> None:
        """The relay has taken it."""
        self._change(letter, _ended(), state=LetterState.SENT, ended=now, why=None)

    def later(self, letter: LetterId, due: datetime, why: str, *, counts: bool) -> None:
        """It could not be sent; try again at *due*.  Without *counts* it was no try at all."""
        self._change(letter, _LATER if counts else _AGAIN, due=due, why=why)

    def give_up(
        self, letter: LetterId, now: datetime, why: str, bounce: Bounce | None = None
    ) -> None:
        """It will not be sent; the keeper can see it and why."""
        counted = None if bounce is None else (bounce, now)
        changes = {"state": LetterState.GIVEN_UP, "ended": now, "why": why}
        self._change(letter, _ended(), counted, **changes)

    def _change(
        self,
        letter: LetterId,
        change: Prepared,
        counted: tuple[Bounce, datetime] | None = None,
        **changes: object,
    ) -> None:
        """Change a letter that waits and end its claim.  Raises Stale if it waits no more.

        *counted* is a bounce of its address, and when it was.
        """
        values = {"letter": letter, "holder": None, "claimed_until": None, **changes}
        with writing(self._engine, single=counted is None) as connection:
            changed = change.rows(connection, values)
            if not changed:
                message = f"letter {letter} does not wait any more"
                raise Stale(message)
            if counted is not None:
                count_bounce(connection, changed[0].recipient, *counted)
            connection.commit()


_LATER = Prepared(_CHANGE)
_AGAIN = Prepared(_CHANGE.values(tries=OutboxRow.tries - 1))


@cache
def _ended() -> Prepared:
    """The change of a letter that waits no more; one to somebody who is forgotten is emptied."""
    columns = OutboxRow.__table__.c
    left = {
        name: case(
            (OutboxRow.held_for.is_not(None), literal(value, columns[name].type)),
            else_=columns[name],
        )
        for name, value in EMPTIED.items()
    }
    return Prepared(_CHANGE.values(**left))


def _take_turn(connection: Connection) -> None:
    """Wait until whoever claims just now has committed, so that its claim is seen.

    A claim need not be on the server's disk: who loses it has sent nothing, or sends it again.
    """
    # On SQLite a writing transaction is alone anyway.
    if not is_sqlite(connection):
        _TURN.run(connection, {})


@cache
def _claim() -> Prepared:
    """The statement that claims the oldest letter that is due.

    One to somebody to whom an older one is just being sent waits, so that it does not overtake.
    """
    older = aliased(OutboxRow)
    under_way = exists().where(
        older.id >= FLOOR,
        older.id < OutboxRow.id,
        waits(older),
        older.recipient == OutboxRow.recipient,
        older.claimed_until > NOW,
    )
    return Prepared(claiming(OutboxRow, _is_due, ~under_way, is_other=_is_free))


def _is_due(letter: type[OutboxRow]) -> ColumnElement[bool]:
    return and_(waits(letter), letter.due <= NOW)


def _is_free(letter: type[OutboxRow]) -> ColumnElement[bool]:
    return and_(_is_due(letter), nobody_holds(letter))


def _letter(row: Row[Any]) -> Letter:
    return Letter(
        LetterId(row.id),
        row.made,
        row.tries,
        outgoing(row),
        row.deaths,
        is_alone=not row.others,
    )
