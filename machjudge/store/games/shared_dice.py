"""What is stored of dice that the players share: their words, and until when they may come."""

from datetime import datetime
from typing import Any

from machjudge.service.model.records import RandomWord, SharedDice

Json = Any


def write_shared(shared: SharedDice | None) -> Json:
    """Shared dice as an object; None for a game whose dice follow from its secret alone."""
    if shared is None:
        return None
    return {
        "words": [[word.seat, word.text] for word in shared.words],
        "until": None if shared.until is None else shared.until.isoformat(),
        "published": shared.published,
    }


def read_shared(said: Json) -> SharedDice | None:
    """The inverse of `write_shared`."""
    if said is None:
        return None
    until = said["until"]
    return SharedDice(
        words=tuple(RandomWord(seat, text) for seat, text in said["words"]),
        until=None if until is None else datetime.fromisoformat(until),
        published=said["published"],
    )
