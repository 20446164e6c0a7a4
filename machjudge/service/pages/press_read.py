"""The press of a game as one reader may read it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from machjudge.letters.page.press import title
from machjudge.letters.wording.sight import Sight
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence, Wording
from machjudge.service.model.records import Game, PressItem
from machjudge.service.ports.interfaces import UnitOfWork
from machjudge.service.press.press_message import missive_of, signed_by
from machjudge.service.session.audience import aim_of


@dataclass(frozen=True, slots=True)
class ReadPress:
    """A message, and what stands above it."""

    at: datetime
    title: Wording
    text: str


def press_for(uow: UnitOfWork, game: Game, words: Words, sight: Sight) -> Iterator[ReadPress]:
    """The press that a reader may see, as they may see it, oldest first."""
    for item in uow.press.all_of(game.id):
        if sight.sees_message(missive_of(item)):
            yield ReadPress(item.at, _title(item, words, sight), item.text)


def _title(item: PressItem, words: Words, sight: Sight) -> Wording:
    missive = missive_of(item)
    signed = signed_by(words, item.author) if sight.sees_signature(missive) else ""
    if item.postal:
        return Sentence("info.history.postal", author=signed)
    readers = item.aim if item.shown is None or sight.sees_author(missive) else item.shown
    return title(signed, aim_of(words.world.scenario, readers), anonymous=item.anonymous)
