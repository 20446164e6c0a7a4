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


def subject(author: Signature | None, aim: Aim, *, anonymous: bool = False) -> str:
    """``Press from L to IV``, ``Broadcast from L``, ``Anonymous Press``.

    *author* is None if the reader may not know it; who may, reads that the others do not.
    """
    kind = "Broadcast" if aim.to_all else "Press"
    head = f"Anonymous {kind}" if anonymous else kind
    told = f"{head} from {author.tag}" if author is not None else head
    return f"{told} to {aim.tag}" if aim.tag else told


def who_knows(*, master_sees: bool, in_the_end: bool) -> tuple[str, ...]:
    """Who knows the writer of anonymous press, for its readers.

    :param master_sees: whether somebody runs the game who does not play.
    :param in_the_end: whether all press is open when the game is over.
    """
    known = "the judge and the master know" if master_sees else "the judge knows"
    later = ("When the game is over, everybody can read it.",) if in_the_end else ()
    return (f"Who wrote it is not told. Only {known}.", *later)


def what_is_seen(
    *, anonymous: bool, faked: bool, master_sees: bool, in_the_end: bool
) -> tuple[str, ...]:
    """Who sees through press that hides something, for its writer."""
    hidden = [
        *(["that you wrote it"] if anonymous else []),
        *(["to whom it really went"] if faked else []),
    ]
    if not hidden:
        return ()
    what = " and ".join(hidden)
    who = "The master can see" if master_sees else "Nobody else at the game can see"
    later = ("When the game is over, everybody can.",) if in_the_end else ()
    return (f"{who} {what}.", *later)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
