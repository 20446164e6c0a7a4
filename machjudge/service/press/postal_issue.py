"""Postal press as it goes out: its lines in a mail, and the messages that are kept of it."""

from collections.abc import Sequence
from datetime import datetime

from machjudge.sentence import Sentence
from machjudge.service.model.notes import Note
from machjudge.service.model.records import Game, PressItem


def postal_lines(notes: Sequence[Note]) -> tuple[Sentence, ...]:
    """The postal press in a mail with results."""
    return (Sentence("press.postal.published", notes=tuple(notes)),) if notes else ()


def published(game: Game, notes: Sequence[Note], after: int, now: datetime) -> list[PressItem]:
    """The messages that the notes become when they go out."""
    return [
        PressItem(
            game=game.id,
            at=now,
            after=after,
            sender=note.seat,
            readers=(),
            text=note.text,
            author=note.author,
            aim="",
            shown_to_all=True,
            people=(note.person,),
            postal=True,
        )
        for note in notes
    ]
