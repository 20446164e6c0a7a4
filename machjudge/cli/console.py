"""Sentences on the keeper's terminal, in English."""

from collections.abc import Mapping
from functools import cache

from machjudge.messages.render import MessageRenderer
from machjudge.settings import templates_folder
from machjudge.translatable import MessageOrText


@cache
def renderer() -> MessageRenderer:
    """Return the renderer of the bundled templates."""
    return MessageRenderer([templates_folder()])


def say(wording: MessageOrText) -> str:
    """The words of a sentence; text stays as it is.  Raises BadCatalogue, MachjudgeError."""
    return wording if isinstance(wording, str) else renderer().say(wording)


def text(name: str, facts: Mapping[str, object]) -> tuple[str, ...]:
    """The lines of the text that a template makes.  Raises BadTemplate."""
    return renderer().lines(name, facts)
