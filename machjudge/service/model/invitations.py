"""Who may take a seat at a game: those invited, or everybody but those kept out.

Entries are addresses, patterns with ``*`` such as ``*@club.example``, or people.  Somebody whom
the master has ejected or named stays out, by all their addresses, until the master says otherwise.
"""

from collections.abc import Iterable
from fnmatch import fnmatchcase

from machjudge.sentence import Sentence
from machjudge.service.model.conduct import Conduct
from machjudge.service.model.records import Person

NOT_INVITED = Sentence("model.not_invited")
SHUT_OUT = Sentence("model.shut_out")


def why_not_sit(conduct: Conduct, person: Person) -> Sentence | None:
    """Why somebody may not join or take over; an invitation beats a pattern that keeps out."""
    if is_shut_out(conduct, person):
        return SHUT_OUT
    if is_by_invitation(conduct):
        return None if is_invited(conduct, person) else NOT_INVITED
    return NOT_INVITED if is_meant(person, conduct.denied) else None


def why_not_watch(conduct: Conduct, person: Person) -> Sentence | None:
    """Why somebody may not observe; everybody may who is not kept out."""
    if is_shut_out(conduct, person):
        return SHUT_OUT
    is_denied = is_meant(person, conduct.denied) and not is_invited(conduct, person)
    return NOT_INVITED if is_denied else None


def is_by_invitation(conduct: Conduct) -> bool:
    """Whether only the invited may join."""
    return bool(conduct.allowed or conduct.invited)


def is_invited(conduct: Conduct, person: Person) -> bool:
    """Whether somebody was invited, by address, pattern or name."""
    return person.id in conduct.invited or is_meant(person, conduct.allowed)


def is_shut_out(conduct: Conduct, person: Person) -> bool:
    """Whether the master has ejected somebody, or has named them as kept out."""
    return person.id in conduct.shut_out


def is_meant(person: Person, entries: Iterable[str]) -> bool:
    """Whether one of somebody's addresses is in a list, or fits a pattern in it."""
    return any(
        fnmatchcase(address, _plain(entry)) for entry in entries for address in person.addresses
    )


def _plain(entry: str) -> str:
    """Only the star is a sign of its own; brackets and question marks stand in addresses."""
    return entry.replace("[", "[[]").replace("?", "[?]")
