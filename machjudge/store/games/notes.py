"""Postal press that waits and the diaries: the port `Notes`."""

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, bindparam, delete, select
from sqlalchemy.orm import Session

from machjudge.service.model.notes import Note, NoteKind
from machjudge.service.model.records import Author, GameId, PersonId
from machjudge.store.games.cache import NOTES, CachedGames
from machjudge.store.games.press_and_log import read_author, write_author
from machjudge.store.schema.rows import add_rows
from machjudge.store.schema.tables import NoteRow

_ALL = (
    select(NoteRow.__table__)
    .where(NoteRow.game == bindparam("wanted"))
    .order_by(NoteRow.at, NoteRow.seat, NoteRow.number)
)


class StoredNotes:
    """The notes in one transaction."""

    def __init__(self, session: Session, cached: CachedGames) -> None:
        self._session = session
        self._cached = cached

    def add(self, note: Note) -> None:
        """Keep a note.  Raises Stale if its number is taken."""
        columns = {
            "game": note.game,
            "kind": note.kind.value,
            "person": note.person,
            "number": note.number,
            "seat": note.seat,
            "author": json.dumps(write_author(note.author)),
            "at": note.at,
            "phase": note.phase,
            "text": note.text,
        }
        self._cached.changed(note.game, *NOTES)
        add_rows(self._session, NoteRow, [columns], f"note {note.number} is there already")

    def remove(self, note: Note) -> None:
        """Throw a note away."""
        self._cached.changed(note.game, *NOTES)
        self._session.execute(
            delete(NoteRow).where(
                NoteRow.game == note.game,
                NoteRow.kind == note.kind.value,
                NoteRow.person == note.person,
                NoteRow.number == note.number,
            )
        )

    def all_of(self, game: GameId, kind: NoteKind) -> Sequence[Note]:
        """All notes of that kind at a game, oldest first."""
        found = self._cached.part(game, NOTES, lambda: self._read(game))
        return [each for each in found if each.kind is kind]

    def _read(self, game: GameId) -> tuple[Note, ...]:
        found = self._session.connection().execute(_ALL, {"wanted": game})
        return tuple(_note(each) for each in found)


def _note(found: Row[Any]) -> Note:
    return Note(
        game=GameId(found.game),
        kind=NoteKind(found.kind),
        person=PersonId(found.person),
        number=found.number,
        seat=found.seat,
        author=_author(found.author),
        at=found.at,
        phase=found.phase,
        text=found.text,
    )


def _author(text: str) -> Author:
    """An author; earlier versions kept words."""
    return read_author(json.loads(text) if text.startswith('{"') else text)
