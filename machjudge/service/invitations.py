"""Who may take a seat at a game: those invited, or everybody but those kept out."""

from machjudge.service.records import Conduct, Person


def may_sit_down(conduct: Conduct, person: Person) -> bool:
    """Whether somebody may join or take over; an invitation beats being kept out."""
    if conduct.allowed:
        return bool(set(person.addresses) & set(conduct.allowed))
    return not set(person.addresses) & set(conduct.denied)


def with_word(addresses: tuple[str, ...], word: str) -> tuple[str, ...]:
    """A list of addresses with one more, or, where a minus stands before it, without it."""
    address = word.lower().removeprefix("-")
    left = tuple(each for each in addresses if each != address)
    return left if word.startswith("-") else tuple(sorted((*left, address)))
