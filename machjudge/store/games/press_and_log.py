"""What is only ever added to: the messages between players and the log of each game."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import String, cast, func, select
from sqlalchemy.orm import Session

from machjudge.service.model.records import GameId, Notice, PersonId, PressItem
from machjudge.store.schema.rows import rows
from machjudge.store.schema.tables import NoticeRow, PressRow

Json = Any

_COLUMNS = frozenset({"game", "at", "after", "sender", "readers", "text"})
"""What of a message has a column of its own; the rest is one document."""


class StoredPress:
    """The messages in one transaction: the port of that name."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, item: PressItem) -> None:
        """Keep a message."""
        self._session.add(
            PressRow(
                game=item.game,
                at=item.at,
                after=item.after,
                sender=item.sender,
                readers=list(item.readers),
                text=item.text,
                manner=_manner(item),
            )
        )
        self._session.flush()

    def all_of(self, game: GameId) -> Sequence[PressItem]:
        """All messages of a game, oldest first."""
        every = select(PressRow).where(PressRow.game == game).order_by(PressRow.id)
        return [_item(each) for each in rows(self._session, every)]

    def to_all(self) -> Mapping[GameId, int]:
        """How many messages to everybody there are in each game that has any."""
        is_to_all = cast(PressRow.readers, String) == "[]"
        counted = select(PressRow.game, func.count()).where(is_to_all).group_by(PressRow.game)
        return {GameId(game): number for game, number in self._session.execute(counted)}


class StoredNotices:
    """The log in one transaction: the port of that name."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, notice: Notice) -> None:
        """Keep an entry."""
        self._session.add(
            NoticeRow(
                game=notice.game,
                at=notice.at,
                by=notice.by,
                kind=notice.kind,
                text=notice.text,
            )
        )
        self._session.flush()

    def all_of(self, game: GameId) -> Sequence[Notice]:
        """All entries of a game, oldest first."""
        every = select(NoticeRow).where(NoticeRow.game == game).order_by(NoticeRow.id)
        return [_notice(each) for each in rows(self._session, every)]


def _item(found: PressRow) -> PressItem:
    return PressItem(
        game=GameId(found.game),
        at=found.at,
        after=found.after,
        sender=found.sender,
        readers=tuple(found.readers),
        text=found.text,
        **_read_manner(found.manner),
    )


def _manner(item: PressItem) -> Json:
    written = {key: said for key, said in asdict(item).items() if key not in _COLUMNS}
    return {**written, "people": list(item.people)}


def _read_manner(said: Json) -> Json:
    """The inverse of `_manner`."""
    return {**said, "people": tuple(map(PersonId, said["people"]))}


def _notice(found: NoticeRow) -> Notice:
    by = None if found.by is None else PersonId(found.by)
    return Notice(GameId(found.game), found.at, by, found.kind, found.text)
