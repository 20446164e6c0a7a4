"""The letters to be sent: the desk puts them in, the mail room takes them out."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Row,
    bindparam,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.orm import Session

from machjudge.service.credentials.secret import JudgeSecret
from machjudge.service.model.records import Bounce, GameId, PersonId
from machjudge.service.ports.deliveries import Fate, Posted, Returned
from machjudge.service.ports.interfaces import Stale
from machjudge.service.ports.mailbox import HeldLetter, LetterId, Waiting
from machjudge.service.ports.mails import Outgoing
from machjudge.store.mail.files import read_files, write_files
from machjudge.store.people.bounces import count_bounce
from machjudge.store.people.reply_tokens import StoredTokens, keep_token, read_speaks, write_speaks
from machjudge.store.schema.prepared import Prepared
from machjudge.store.schema.tables import LetterState, OutboxRow


class StoredOutbox:
    """The outbox in one transaction of the desk.

    *clock* says when a letter is made; from *secret* follow the tokens of which hashes are kept.
    """

    def __init__(
        self,
        session: Session,
        clock: Callable[[], datetime],
        secret: JudgeSecret,
        tokens: StoredTokens,
    ) -> None:
        self._session = session
        self._clock = clock
        self._secret = secret
        self._tokens = tokens
        self._known: dict[LetterId, Posted | None] = {}
        self.has_letters = False
        """Whether letters were put in."""

    def put(self, letter: Outgoing) -> None:
        """Add a letter; it is due at once."""
        now = self._clock()
        self.has_letters = True
        if letter.reply is not None:
            keep_token(self._session, self._tokens, self._secret, letter.reply, now)
        values = {
            "made": now,
            "recipient": letter.to,
            "subject": letter.subject,
            "body": letter.body,
            "game": letter.game,
            "phase": letter.phase,
            "answers": letter.answers,
            "thread": list(letter.references),
            "reply": write_speaks(letter.reply),
            "observer": letter.observer,
            "layout": letter.layout or None,
            "files": write_files(letter.attachments),
            "held_for": letter.held_for,
            "digest_of": letter.digest_of,
            "state": LetterState.WAITING if letter.held_for is None else LetterState.HELD,
            "due": now,
        }
        _PUT.run(self._session.connection(), values)

    def lately(self, address: str, since: datetime, most: int) -> Sequence[Posted]:
        """The newest letters to an address made at or after *since*, at most *most* of them."""
        return [_posted(row) for row in self._newest(address, since, most)]

    def posted(self, letter: LetterId) -> Posted | None:
        """The letter of that number; None if there is none."""
        if letter not in self._known:
            row = self._session.get(OutboxRow, letter)
            self._known[letter] = None if row is None else _posted(row)
        return self._known[letter]

    def bodies(self, address: str, since: datetime, most: int) -> Sequence[tuple[datetime, str]]:
        """When the newest letters to an address were made, not before *since*, and their texts."""
        return [(row.made, row.body) for row in self._newest(address, since, most)]

    def _newest(self, address: str, since: datetime, most: int) -> Iterable[OutboxRow]:
        wanted = (OutboxRow.recipient == address, OutboxRow.made >= since)
        newest = select(OutboxRow).where(*wanted).order_by(OutboxRow.id.desc()).limit(most)
        return self._session.scalars(newest)

    def held(self) -> Sequence[Waiting]:
        """Whose letters wait for a digest, by person and address."""
        return [
            Waiting(PersonId(row.held_for), row.recipient, row.since)
            for row in self._session.connection().execute(_WAITING)
        ]

    def held_for(self, person: PersonId, address: str) -> Sequence[HeldLetter]:
        """The letters that wait for somebody's digest to an address, oldest first."""
        connection = self._session.connection()
        asked = {"person": person, "address": address}
        return [
            HeldLetter(LetterId(row.id), row.made, outgoing(row))
            for row in connection.execute(_HELD_FOR, asked).all()
        ]

    def gather(self, letters: Collection[LetterId], now: datetime) -> None:
        """Note that letters are in a digest.  Raises Stale if one of them waits no more."""
        gathered = (
            update(OutboxRow)
            .where(OutboxRow.id.in_(letters), _IS_HELD)
            .values(state=LetterState.GATHERED, ended=now)
            .returning(OutboxRow.id)
        )
        found = self._session.connection().execute(gathered).all()
        if len(found) != len(letters):
            message = "somebody else has made that digest"
            raise Stale(message)

    def came_back(
        self, letter: LetterId, now: datetime, why: str, bounce: Bounce | None
    ) -> Returned | None:
        """Count a letter that was sent as given up: the keeper can see it and why.

        *bounce* is what it counts against its address.
        """
        found = self._session.execute(
            update(OutboxRow)
            .where(OutboxRow.id == letter, OutboxRow.state == LetterState.SENT)
            .values(state=LetterState.GIVEN_UP, ended=now, why=f"came back: {why}")
            .returning(OutboxRow.recipient, OutboxRow.subject, OutboxRow.game)
            .execution_options(synchronize_session=False)
        ).one_or_none()
        if found is None:
            return None
        to, subject, game = found
        if bounce is not None:
            count_bounce(self._session.connection(), to, bounce, now)
        return Returned(to, subject, None if game is None else GameId(game))


_IS_HELD = OutboxRow.state == LetterState.HELD
_WAITING = (
    select(OutboxRow.held_for, OutboxRow.recipient, func.min(OutboxRow.made).label("since"))
    .where(_IS_HELD)
    .group_by(OutboxRow.held_for, OutboxRow.recipient)
    .order_by(OutboxRow.held_for, OutboxRow.recipient)
)
_HELD_FOR = (
    select(OutboxRow.__table__)
    .where(
        _IS_HELD,
        OutboxRow.held_for == bindparam("person"),
        OutboxRow.recipient == bindparam("address"),
    )
    .order_by(OutboxRow.id)
)
_PUT = Prepared(insert(OutboxRow))
_FATES: Mapping[LetterState, Fate] = {
    LetterState.WAITING: Fate.WAITING,
    LetterState.SENT: Fate.SENT,
    LetterState.GIVEN_UP: Fate.FAILED,
    LetterState.DROPPED: Fate.FAILED,
    LetterState.HELD: Fate.HELD,
    LetterState.GATHERED: Fate.SENT,
}


def _posted(row: OutboxRow) -> Posted:
    game = None if row.game is None else GameId(row.game)
    return Posted(
        row.made,
        row.subject,
        _FATES[row.state],
        row.ended,
        row.tries,
        game,
        row.phase,
        row.recipient,
        row.observer,
        None if row.digest_of is None else PersonId(row.digest_of),
    )


def outgoing(row: Row[Any] | OutboxRow) -> Outgoing:
    """The letter in a row."""
    return Outgoing(
        to=row.recipient,
        subject=row.subject,
        body=row.body,
        game=None if row.game is None else GameId(row.game),
        phase=row.phase,
        answers=row.answers,
        references=tuple(row.thread),
        attachments=read_files(row.files),
        reply=None if row.reply is None else read_speaks(row.reply),
        observer=row.observer,
        layout=row.layout or "",
        digest_of=None if row.digest_of is None else PersonId(row.digest_of),
    )
