"""The head of a message between people: who writes, to whom, as this reader may know it."""

from dataclasses import dataclass

from machjudge.sentence import Sentence, Wording


@dataclass(frozen=True, slots=True)
class Aim:
    """To whom a message goes, or says that it goes."""

    words: Wording
    """``Milan and Venice``, ``everybody``; empty where it does not say."""
    tag: Wording = ""
    """The same for subjects: ``IV``; empty for everybody, and where it does not say."""
    to_all: bool = False
    """Whether that is everybody."""


EVERYBODY = Aim(Sentence("press.everybody"), to_all=True)
UNNAMED = Aim(Sentence("press.its_writer"))
"""Whoever wrote anonymous press, as those who answer it know them."""
UNTOLD = Aim("")
"""Of anonymous press to some: who is left out would betray who writes."""


@dataclass(frozen=True, slots=True)
class Signature:
    """Who writes."""

    name: Wording
    """``Florence``, ``the master``."""
    tag: Wording
    """The same for subjects: ``L``, ``M``, ``O``."""


def title(author: Wording, aim: Aim, *, anonymous: bool = False) -> Sentence:
    """``Press from Florence to Milan and Venice``, ``Anonymous broadcast to everybody``.

    *author* is empty for whoever may not know it.
    """
    return Sentence(
        "press.title", author=author, aim=aim.words, to_all=aim.to_all, anonymous=anonymous
    )


def subject(author: Signature | None, aim: Aim, *, anonymous: bool = False) -> Sentence:
    """``Press from L to IV``, ``Broadcast from L``, ``Anonymous Press``.

    *author* is None if the reader may not know it; who may, reads that the others do not.
    """
    tag = author.tag if author is not None else ""
    return Sentence(
        "press.subject", author=tag, aim=aim.tag, to_all=aim.to_all, anonymous=anonymous
    )
