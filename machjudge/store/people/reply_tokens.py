"""The tokens in the judge's messages, by their hashes: the port `ReplyTokens`."""

from dataclasses import asdict
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from machjudge.service.credentials.reply_tokens import (
    ActToken,
    AddressToken,
    SeatToken,
    Speaks,
    code_of,
    hash_of_code,
)
from machjudge.service.credentials.secret import JudgeSecret
from machjudge.store.schema.engine import is_sqlite
from machjudge.store.schema.rows import row
from machjudge.store.schema.tables import Json, ReplyTokenRow

_KINDS: dict[str, type[Speaks]] = {
    "seat": SeatToken,
    "address": AddressToken,
    "act": ActToken,
}
_NAMES = {kind: name for name, kind in _KINDS.items()}


class ReplyTokens:
    """The reply tokens in one transaction."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._known: dict[str, Speaks | None] = {}

    def meaning(self, hashed: str) -> Speaks | None:
        """What the token with that hash speaks for; none if there is no such token."""
        if hashed not in self._known:
            found = row(self._session, select(ReplyTokenRow).where(ReplyTokenRow.hashed == hashed))
            self._known[hashed] = None if found is None else read_speaks(found.speaks)
        return self._known[hashed]


def keep_token(session: Session, secret: JudgeSecret, speaks: Speaks, now: datetime) -> None:
    """Keep the hash of a token; nothing happens where it is kept already."""
    connection = session.connection()
    insert = sqlite.insert if is_sqlite(connection) else postgresql.insert
    hashed = hash_of_code(code_of(secret, speaks))
    connection.execute(
        insert(ReplyTokenRow)
        .values(hashed=hashed, speaks=write_speaks(speaks), made=now)
        .on_conflict_do_nothing(index_elements=[ReplyTokenRow.hashed])
    )


def write_speaks(speaks: Speaks | None) -> Json:
    """What a token speaks for, as JSON."""
    return None if speaks is None else {"kind": _NAMES[type(speaks)], **asdict(speaks)}


def read_speaks(document: Json) -> Speaks | None:
    """What a token speaks for, from JSON."""
    if document is None:
        return None
    fields = {name: value for name, value in document.items() if name != "kind"}
    return _KINDS[document["kind"]](**fields)
