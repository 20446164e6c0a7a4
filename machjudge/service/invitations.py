"""Who may take a seat at a game: those invited, or everybody but those kept out.

Entries are addresses, or patterns with ``*`` such as ``*@club.example``.
"""

from collections.abc import Iterable
from fnmatch import fnmatchcase

from machjudge.service.conduct import Conduct
from machjudge.service.records import Person


def may_sit_down(conduct: Conduct, person: Person) -> bool:
    """Whether somebody may join or take over; an invitation beats being kept out."""
    if conduct.allowed:
        return is_meant(person, conduct.allowed)
    return not is_meant(person, conduct.denied)


def may_watch(conduct: Conduct, person: Person) -> bool:
    """Whether somebody may observe: everybody but those kept out."""
    return is_meant(person, conduct.allowed) or not is_meant(person, conduct.denied)


def is_meant(person: Person, entries: Iterable[str]) -> bool:
    """Whether one of somebody's addresses is in a list, or fits a pattern in it."""
    return any(
        fnmatchcase(address, _plain(entry)) for entry in entries for address in person.addresses
    )


def _plain(entry: str) -> str:
    """Only the star is a sign of its own; brackets and question marks stand in addresses."""
    return entry.replace("[", "[[]").replace("?", "[?]")


def with_word(addresses: tuple[str, ...], word: str) -> tuple[str, ...]:
    """A list of addresses with one more, or, where a minus stands before it, without it."""
    address = word.lower().removeprefix("-")
    left = tuple(each for each in addresses if each != address)
    return left if word.startswith("-") else tuple(sorted((*left, address)))
