"""Postal press as it goes out: its lines in a mail, and the messages that are kept of it."""

from collections.abc import Sequence
from datetime import datetime

from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence
from machjudge.service.model.notes import Note
from machjudge.service.model.records import Game, PressItem
from machjudge.service.press.press_message import signed_by


def postal_lines(words: Words, notes: Sequence[Note]) -> tuple[Sentence, ...]:
    """The postal press in a mail with results."""
    said = tuple((signed_by(words, note.author), note.text) for note in notes)
    return (Sentence("press.postal.published", notes=said),) if notes else ()


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
            people=(note.person,),
            postal=True,
        )
        for note in notes
    ]
