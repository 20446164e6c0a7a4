"""The tokens in the judge's messages, by their hashes: the port `ReplyTokens`."""

from collections.abc import Collection, Mapping
from dataclasses import fields
from datetime import datetime
from threading import Lock

from sqlalchemy import bindparam, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from machjudge.service.credentials.reply_tokens import (
    ActToken,
    AddressToken,
    PressToken,
    SeatToken,
    Speaks,
    code_of,
    hash_of_code,
)
from machjudge.service.credentials.secret import JudgeSecret
from machjudge.store.schema.engine import is_sqlite
from machjudge.store.schema.tables import Json, ReplyTokenRow

_KINDS: dict[str, type[Speaks]] = {
    "seat": SeatToken,
    "press": PressToken,
    "address": AddressToken,
    "act": ActToken,
}
_NAMES = {kind: name for name, kind in _KINDS.items()}


MOST_KEPT = 10_000
"""How many tokens are kept in memory."""

_MEANINGS = select(ReplyTokenRow.hashed, ReplyTokenRow.speaks).where(
    ReplyTokenRow.hashed.in_(bindparam("hashes", expanding=True))
)


class StoredTokens:
    """Tokens that are surely stored, for all threads of a process.

    What a token speaks for never changes, and none is ever removed: whether it still opens its
    seat says the seat.
    """

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most = most
        self._lock = Lock()
        self._known: dict[str, Speaks] = {}

    def get(self, hashed: str) -> Speaks | None:
        """What a token speaks for; None if that is not known here."""
        return self._known.get(hashed)

    def add(self, found: Mapping[str, Speaks]) -> None:
        """Keep tokens that were read; those that were read longest ago go."""
        with self._lock:
            self._known.update(found)
            for oldest in list(self._known)[: max(0, len(self._known) - self._most)]:
                del self._known[oldest]


class StoredReplyTokens:
    """The reply tokens in one transaction."""

    def __init__(self, session: Session, stored: StoredTokens, *, is_reading: bool) -> None:
        self._session = session
        self._stored = stored
        self._is_reading = is_reading
        self._unknown: set[str] = set()

    def meanings(self, hashes: Collection[str]) -> Mapping[str, Speaks]:
        """What the tokens with those hashes speak for; those that do not exist are left out."""
        found = {each: speaks for each in hashes if (speaks := self._stored.get(each)) is not None}
        asked = [each for each in hashes if each not in found and each not in self._unknown]
        if asked:
            rows = self._session.connection().execute(_MEANINGS, {"hashes": asked})
            read = {row.hashed: read_speaks(row.speaks) for row in rows}
            found |= read
            self._unknown.update(each for each in asked if each not in read)
            if self._is_reading:
                self._stored.add(read)
        return found


def keep_token(
    session: Session, stored: StoredTokens, secret: JudgeSecret, speaks: Speaks, now: datetime
) -> None:
    """Keep the hash of a token; nothing happens where it is kept already."""
    hashed = hash_of_code(code_of(secret, speaks))
    if stored.get(hashed) == speaks:
        return
    connection = session.connection()
    insert = sqlite.insert if is_sqlite(connection) else postgresql.insert
    connection.execute(
        insert(ReplyTokenRow)
        .values(hashed=hashed, speaks=write_speaks(speaks), made=now)
        .on_conflict_do_nothing(index_elements=[ReplyTokenRow.hashed])
    )


def write_speaks(speaks: Speaks | None) -> Json:
    """What a token speaks for, as JSON."""
    if speaks is None:
        return None
    values = {field.name: getattr(speaks, field.name) for field in fields(speaks)}
    return {"kind": _NAMES[type(speaks)], **values}


def read_speaks(document: Json) -> Speaks:
    """What a token speaks for, from JSON."""
    values = {name: value for name, value in document.items() if name != "kind"}
    return _KINDS[document["kind"]](**values)
