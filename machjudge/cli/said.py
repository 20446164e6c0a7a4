"""Sentences on the keeper's terminal, in English."""

from collections.abc import Mapping
from functools import cache

from machjudge.messages.render import Stationery
from machjudge.sentence import Wording
from machjudge.settings import templates_folder


@cache
def paper() -> Stationery:
    """The paper of the program's own templates."""
    return Stationery([templates_folder()])


def say(wording: Wording) -> str:
    """The words of a sentence; text stays as it is.  Raises BadCatalogue, MachjudgeError."""
    return wording if isinstance(wording, str) else paper().say(wording)


def text(name: str, facts: Mapping[str, object]) -> tuple[str, ...]:
    """The lines of the text that a template makes.  Raises BadTemplate."""
    return paper().lines(name, facts)
