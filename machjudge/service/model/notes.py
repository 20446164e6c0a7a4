"""What somebody has written that nobody else reads yet: postal press, and diaries."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from machjudge.service.model.records import Author, GameId, PersonId


class NoteKind(Enum):
    """What becomes of a note."""

    POSTAL = "postal"
    """It is published with the next results."""
    DIARY = "diary"
    """It stays its writer's; they may open their diary for the end of the game."""


@dataclass(frozen=True, slots=True)
class Note:
    """One note; its number is unique among those of its kind that one person has at a game."""

    game: GameId
    kind: NoteKind
    person: PersonId
    number: int
    """From 1 on."""
    seat: int
    """The number of the seat from which it was written."""
    author: Author
    at: datetime
    phase: str
    """The code of the phase in which it was written; empty while the game forms."""
    text: str


def next_number(notes: tuple[Note, ...]) -> int:
    """The number for one more note of the same kind and person."""
    return max((note.number for note in notes), default=0) + 1
