"""The head of a message between people: who writes, to whom, as this reader may know it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Aim:
    """To whom a message goes, or says that it goes."""

    words: str
    """``Milan and Venice``, ``everybody``; empty where it does not say."""
    tag: str = ""
    """The same for subjects: ``IV``; empty for everybody, and where it does not say."""
    to_all: bool = False
    """Whether that is everybody."""


EVERYBODY = Aim("everybody", to_all=True)
UNTOLD = Aim("")
"""Of anonymous press to some: who is left out would betray who writes."""


@dataclass(frozen=True, slots=True)
class Signature:
    """Who writes."""

    name: str
    """``Florence``, ``the master``."""
    tag: str
    """The same for subjects: ``L``, ``M``, ``O``."""


def title(author: str, aim: Aim, *, anonymous: bool = False) -> str:
    """``Press from Florence to Milan and Venice``, ``Anonymous broadcast to everybody``.

    *author* is empty for whoever may not know it.
    """
    kind = "broadcast" if aim.to_all else "press"
    parts = [
        f"anonymous {kind}" if anonymous else kind,
        f" from {author}" if author else "",
        f" to {aim.words or 'you, and perhaps to others'}",
    ]
    return _capital("".join(parts))


def subject(author: Signature | None, aim: Aim) -> str:
    """``Press from L to IV``, ``Broadcast from L``, ``Anonymous Press``."""
    kind = "Broadcast" if aim.to_all else "Press"
    head = f"{kind} from {author.tag}" if author is not None else f"Anonymous {kind}"
    return f"{head} to {aim.tag}" if aim.tag else head


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
