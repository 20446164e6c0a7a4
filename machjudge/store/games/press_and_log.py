"""What is only ever added to: the messages between players and the log of each game."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import String, cast, func, select
from sqlalchemy.orm import Session

from machjudge.codec.document.values import form_of
from machjudge.service.model.records import (
    Author,
    GameId,
    Notice,
    PersonId,
    PressItem,
    Readership,
)
from machjudge.store.schema.rows import rows
from machjudge.store.schema.tables import NoticeRow, PressRow

Json = Any

_AUTHOR, _READERSHIP = form_of(Author), form_of(Readership)


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
        **_read_manner(found.manner, to_all=not found.readers),
    )


def _manner(item: PressItem) -> Json:
    """What of a message has no column of its own."""
    return {
        "anonymous": item.anonymous,
        "author": write_author(item.author),
        "aim": _READERSHIP.write(item.aim),
        "shown": item.shown and _READERSHIP.write(item.shown),
        "people": list(item.people),
        "postal": item.postal,
    }


def _read_manner(said: Json, *, to_all: bool) -> Json:
    """The inverse of `_manner`, of a message that went *to_all* or to some."""
    shown, shown_to_all = said["shown"], said.get("shown_to_all", False)
    return {
        **{key: kept for key, kept in said.items() if key != "shown_to_all"},
        "author": read_author(said["author"]),
        "aim": _read_readership(said["aim"], to_all=to_all),
        "shown": None if shown is None else _read_readership(shown, to_all=shown_to_all),
        "people": tuple(map(PersonId, said["people"])),
    }


def write_author(author: Author) -> Json:
    """The document of an author."""
    return _AUTHOR.write(author)


def read_author(said: Json) -> Author:
    """The inverse of `write_author`; earlier versions kept words, such as ``Florence``."""
    author: Author = Author(name=said) if isinstance(said, str) else _AUTHOR.read(said)
    return author


def _read_readership(said: Json, *, to_all: bool) -> Readership:
    """A readership; earlier versions kept words, such as ``Milan and Venice``."""
    if isinstance(said, str):
        return Readership(all_but=True) if to_all else Readership((said,) if said else ())
    readers: Readership = _READERSHIP.read(said)
    return readers


def _notice(found: NoticeRow) -> Notice:
    by = None if found.by is None else PersonId(found.by)
    return Notice(GameId(found.game), found.at, by, found.kind, found.text)
