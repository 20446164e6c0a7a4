"""The kept mails, as the desk sees them: the port `Inbox`."""

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import Any, NoReturn

from sqlalchemy import (
    ColumnElement,
    Row,
    SQLColumnExpression,
    and_,
    bindparam,
    exists,
    func,
    or_,
    select,
    update,
)
from sqlalchemy.orm import Session, aliased

from machjudge.reading import redact_codes
from machjudge.service.model.records import GameId, MailId, PersonId
from machjudge.service.ports.deliveries import SetAside, Unheard
from machjudge.service.ports.mailbox import LEASE
from machjudge.service.ports.mails import KeptMail, MailEnd, MailOutcome
from machjudge.service.ports.stale import FollowsFailed, MustWait, Stale
from machjudge.store.mail.arrivals import wait_for_arrivals
from machjudge.store.mail.claims import FLOOR, claiming, is_passed_over
from machjudge.store.mail.floor import Floor
from machjudge.store.schema.columns import Instant
from machjudge.store.schema.overdue import NOW, is_overdue
from machjudge.store.schema.prepared import Prepared
from machjudge.store.schema.tables import InboxRow, MailState, waits

_MAIL = bindparam("mail", type_=InboxRow.id.type)
_FOR_GAME = bindparam("for_game", type_=InboxRow.game.type)
_BY_WRITER = bindparam("by_writer", type_=InboxRow.writer.type)


class StoredInbox:
    """The inbox in one transaction; *holder* is who claims, *floor* where mails begin that wait."""

    def __init__(self, session: Session, holder: str, floor: Floor) -> None:
        self._session = session
        self._holder = holder
        self._floor = floor

    def claim(
        self, now: datetime, *, before: datetime | None = None, unless_overdue: bool = False
    ) -> KeptMail | None:
        """Take up the oldest mail that nobody holds; see the port for which are passed over."""
        claim = _claim(is_before=before is not None, unless_overdue=unless_overdue)
        limits: dict[str, object] = {"now": now, "by": self._holder, "until": now + LEASE}
        if before is not None:
            limits["before"] = before
        connection = self._session.connection()
        limits["floor"] = self._floor.number(connection)
        found = claim.rows(connection, limits)
        return _kept(found[0]) if found else None

    def concerns(self, mail: MailId, game: GameId | None) -> bool:
        """Note for which game a mail is, or that it is for none; whether it must wait."""
        connection = self._session.connection()
        noted = {"mail": mail, "in_doubt": False, "game": game, "for_game": game}
        found = _concerns().rows(connection, {**noted, "floor": self._floor.number(connection)})
        if not found:
            self._refuse(mail, None)
        return bool(found[0].must_wait)

    def has_come_before(self, mail: KeptMail) -> bool:
        """Whether an older mail has the same Message-ID, as it was or as it is kept."""
        names = {mail.message_id, redact_codes(mail.message_id)} - {""}
        older = select(InboxRow.id).where(InboxRow.message_id.in_(names), InboxRow.id < mail.id)
        return self._session.scalar(older.limit(1)) is not None

    def must_wait(self, mail: MailId, game: GameId) -> bool:
        """Whether an older unfinished mail is for the game, or still in doubt."""
        connection = self._session.connection()
        found = {"mail": mail, "for_game": game, "floor": self._floor.number(connection)}
        return bool(_must_wait().scalar(connection, found))

    def is_read_elsewhere(self, mail: MailId, now: datetime) -> bool:
        """Whether somebody finds out at *now* for which game an older mail is."""
        floor = self._floor.number(self._session.connection())
        is_held = and_(InboxRow.claimed_until > now, ~is_passed_over(InboxRow))
        return self._any(InboxRow.id >= floor, InboxRow.id < mail, InboxRow.in_doubt, is_held)

    def any_before(self, instant: datetime, game: GameId) -> bool:
        """Whether a mail received before *instant*, for the game or in doubt, is unfinished.

        Certain in a writing transaction that was begun at or after *instant*.
        """
        wait_for_arrivals(self._session.connection())
        return self._any(InboxRow.received < instant, _may_be_for(game))

    def newest(self, game: GameId) -> datetime | None:
        """When the newest unfinished mail was received that is for the game or in doubt.

        Certain in a writing transaction, as `any_before`.
        """
        wait_for_arrivals(self._session.connection())
        waiting = (waits(InboxRow), _may_be_for(game))
        return self._session.scalar(select(func.max(InboxRow.received)).where(*waiting))

    def put_back(
        self,
        mail: MailId,
        until: datetime,
        *,
        counts: bool,
        fault: str = "",
        writer: PersonId | None = None,
    ) -> None:
        """End the claim; take the mail up again at *until*.  See the port."""
        tries = InboxRow.tries if counts else InboxRow.tries - 1
        failed = {"why": fault, "writer": writer} if fault else {}
        self._change(mail, tries=tries, not_before=until, holder=None, claimed_until=None, **failed)

    def finish(
        self,
        mail: KeptMail,
        end: MailEnd,
        redacted: bytes,
        now: datetime,
        game: GameId | None = None,
        writer: PersonId | None = None,
    ) -> None:
        """The mail is handled; *redacted* replaces what was kept.

        Raises Stale if it was handled before, MustWait if its turn at *game* has not come, and
        FollowsFailed if an older mail of *writer* for it has failed and is tried again.
        """
        connection = self._session.connection()
        values = {
            "floor": self._floor.number(connection),
            "mail": mail.id,
            "for_game": game,
            "by_writer": writer,
            "state": MailState.FINISHED,
            "holder": None,
            "claimed_until": None,
            "ended": now,
            "outcome": end.outcome.value,
            "why": end.why or None,
            "writer": None,
            "raw": redacted,
            **without_tokens(mail.recipients, mail.message_id),
        }
        if _finish().scalar(connection, values) is None:
            self._refuse(mail.id, game, writer)

    def _refuse(
        self, mail: MailId, game: GameId | None, writer: PersonId | None = None
    ) -> NoReturn:
        if game is not None and self.must_wait(mail, game):
            message = f"mail {mail} has to wait for an older one"
            raise MustWait(message)
        own = (InboxRow.id < mail, InboxRow.game == game, InboxRow.writer == writer)
        if None not in {game, writer} and self._any(*own):
            message = f"mail {mail} has to wait for one of its writer that has failed"
            raise FollowsFailed(message)
        message = f"mail {mail} is not unfinished any more"
        raise Stale(message)

    def set_aside(self, mail: MailId, why: str, now: datetime) -> None:
        """Keep the mail for the judge keeper.  Raises Stale if it is finished already."""
        self._end(mail, MailState.ASIDE, now, why=why, writer=None)

    def finish_aside(self, mail: MailId, end: MailEnd, redacted: bytes, now: datetime) -> None:
        """A mail that was set aside is done with; *redacted* replaces what was kept."""
        self._session.execute(
            update(InboxRow)
            .where(InboxRow.id == mail, InboxRow.state == MailState.ASIDE)
            .values(
                state=MailState.FINISHED,
                ended=now,
                outcome=end.outcome.value,
                why=end.why or None,
                raw=redacted,
            )
            .execution_options(synchronize_session=False)
        )

    def all_aside(self, since: datetime) -> Sequence[SetAside]:
        """The mails set aside at or after *since*, in the order in which that was done."""
        which = (InboxRow.state == MailState.ASIDE, InboxRow.ended >= since)
        columns = (InboxRow.id, InboxRow.received, InboxRow.sender, InboxRow.why, InboxRow.ended)
        found = select(*columns).where(*which).order_by(InboxRow.ended, InboxRow.id)
        return [
            SetAside(MailId(row.id), row.received, row.sender, row.why or "", row.ended)
            for row in self._session.connection().execute(found)
        ]

    def raw_of(self, mail: MailId) -> bytes:
        """What is kept of a mail.  Raises KeyError if there is none of that number."""
        raw = self._session.scalar(select(InboxRow.raw).where(InboxRow.id == mail))
        if raw is None:
            raise KeyError(mail)
        return raw

    def unheard(self, address: str, since: datetime, most: int) -> Sequence[Unheard]:
        """The newest mails from an address that were taken for automatic ones."""
        wanted = (
            InboxRow.sender == address,
            InboxRow.received >= since,
            InboxRow.outcome.in_([MailOutcome.SILENT.value, MailOutcome.HELD.value]),
        )
        newest = select(InboxRow).where(*wanted).order_by(InboxRow.id.desc()).limit(most)
        return [
            Unheard(row.received, row.why or "", row.outcome == MailOutcome.HELD.value)
            for row in self._session.scalars(newest)
        ]

    def set_aside_since(self, address: str, since: datetime) -> int:
        """How many mails from an address were set aside at or after *since*."""
        wanted = (
            InboxRow.sender == address,
            InboxRow.state == MailState.ASIDE,
            InboxRow.ended >= since,
        )
        return self._session.scalar(select(func.count()).where(*wanted)) or 0

    def _end(self, mail: MailId, state: MailState, now: datetime, **changes: object) -> None:
        self._change(mail, state=state, ended=now, holder=None, claimed_until=None, **changes)

    def _change(self, mail: MailId, **changes: object) -> None:
        """Change a mail that is unfinished.  Raises Stale if it is not."""
        changed = self._session.scalar(
            update(InboxRow)
            .where(InboxRow.id == mail, waits(InboxRow))
            .values(**changes)
            .returning(InboxRow.id)
            .execution_options(synchronize_session=False)
        )
        if changed is None:
            self._refuse(mail, None)

    def _any(self, *conditions: SQLColumnExpression[bool]) -> bool:
        unfinished = select(InboxRow.id).where(waits(InboxRow), *conditions)
        return self._session.scalar(unfinished.limit(1)) is not None


def without_tokens(recipients: Sequence[str], message_id: str) -> dict[str, object]:
    """What is kept of a mail beside its text, without the reply tokens in it."""
    return {
        "recipients": [redact_codes(each) for each in recipients],
        "message_id": redact_codes(message_id),
    }


def _may_be_for(game: GameId) -> ColumnElement[bool]:
    return or_(InboxRow.in_doubt, InboxRow.game == game)


@cache
def _finish() -> Prepared:
    """The statement that ends ``mail``, unless an older one is for ``for_game`` or in doubt."""
    older = aliased(InboxRow)
    return Prepared(
        update(InboxRow)
        .where(InboxRow.id == _MAIL, waits(InboxRow), ~_older_one(older, writer=_BY_WRITER))
        .values(game=func.coalesce(_FOR_GAME, InboxRow.game))
        .returning(InboxRow.id)
    )


def _older_one(
    older: type[InboxRow],
    mail: SQLColumnExpression[int] = _MAIL,
    game: SQLColumnExpression[Any] = _FOR_GAME,
    writer: SQLColumnExpression[Any] | None = None,
) -> ColumnElement[bool]:
    """Whether a mail waits before *mail* that is for *game*, or in doubt.

    Nobody waits for a mail that has failed; but for one of *writer* for the very game.
    """
    is_before = and_(or_(older.in_doubt, older.game == game), ~is_passed_over(older))
    if writer is not None:
        is_before = or_(is_before, and_(older.game == game, older.writer == writer))
    return exists().where(
        game.is_not(None),
        older.id >= FLOOR,
        older.id < mail,
        waits(older),
        is_before,
    )


@cache
def _concerns() -> Prepared:
    """The note for which game ``mail`` is, and whether an older one is for it or in doubt."""
    noted = update(InboxRow).where(InboxRow.id == _MAIL, waits(InboxRow))
    return Prepared(noted.returning(_older_one(aliased(InboxRow)).label("must_wait")))


@cache
def _must_wait() -> Prepared:
    """The question whether an older mail than ``mail`` is for ``for_game`` or in doubt."""
    return Prepared(select(_older_one(InboxRow)))


@cache
def _claim(*, is_before: bool, unless_overdue: bool) -> Prepared:
    """The statement that takes up the oldest mail that may be taken up."""
    older, for_the_same = aliased(InboxRow), aliased(InboxRow)
    behind = exists().where(
        waits(older),
        older.sender == InboxRow.sender,
        older.id < InboxRow.id,
        ~is_passed_over(older),
    )
    conditions = [
        or_(InboxRow.not_before.is_(None), InboxRow.not_before <= NOW),
        # Bounces have no sender, and no order among them.
        or_(InboxRow.sender == "", ~behind),
        # Of a mail that nobody has read yet the game is not known; it has to be found out.
        ~_older_one(for_the_same, InboxRow.id, InboxRow.game),
    ]
    if is_before:
        conditions.append(InboxRow.received < bindparam("before", type_=Instant()))
    if unless_overdue:
        conditions.append(~exists().where(is_overdue()))
    return Prepared(claiming(InboxRow, waits, *conditions))


def _kept(row: Row[Any]) -> KeptMail:
    return KeptMail(
        id=MailId(row.id),
        received=row.received,
        sender=row.sender,
        recipient=row.recipients[0],
        raw=row.raw,
        tries=row.tries,
        envelope=row.envelope_sender.lower(),
        recipients=tuple(row.recipients),
        deaths=row.deaths,
        game=None if row.game is None else GameId(row.game),
        message_id=row.message_id,
        is_alone=not row.others,
        fault=row.why or "",
    )
