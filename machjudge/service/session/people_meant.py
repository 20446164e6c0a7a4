"""Whom a master means: a seat by its number, power or owner, a person by name or address."""

import re
from collections.abc import Sequence
from difflib import get_close_matches

from machjudge.language.commands.audience import nearest_power
from machjudge.language.vocabulary.lexicon import lexicon_of
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence, Wording
from machjudge.service.game.view import seat_of
from machjudge.service.model.records import Game, Person, Seat, is_same_name
from machjudge.service.session.audience import powers_meant
from machjudge.service.session.outgoing import public_name
from machjudge.service.session.session import Session


def seat_meant(session: Session, game: Game, who: str) -> Seat | Sentence:
    """A seat that somebody holds, or had and may come back to; else why there is none."""
    if who.isdecimal():
        numbered = next((seat for seat in game.seats if str(seat.number) == who), None)
        return _held(numbered) if numbered else Sentence("session.no_seat", number=who)
    named = powers_meant(session.services.scenario(game), (who,))
    if not isinstance(named, str):
        seat = seat_of(game, named[0]) if len(named) == 1 else None
        if seat is not None:
            return _held(seat)
    return _seat_by_person(session, game, who)


_HELD = re.compile(r"(.+?)\s*\((.+)\)")
"""A seat with the name of whoever holds it: ``Florence (Anna)``."""


def held_seat(session: Session, game: Game, text: str) -> Seat | Sentence:
    """The seat meant; where a name stands beside it, only as long as that person holds it."""
    found, held = seat_meant(session, game, text), _HELD.fullmatch(text)
    if held is None or isinstance(found, Seat):
        return found
    found = seat_meant(session, game, held[1])
    if isinstance(found, Seat) and not is_same_name(holder_name(session, found), held[2]):
        name = seat_name(session, game, found)
        return Sentence("seats.eject.other_holder", seat=name, name=held[2])
    return found


def holder_name(session: Session, seat: Seat) -> str:
    """The name of whoever holds a seat, or held it and may come back."""
    who = seat.person or seat.former
    person = session.uow.persons.get(who) if who is not None else None
    return person.name if person is not None else ""


def _held(seat: Seat) -> Seat | Sentence:
    is_free = seat.person is None and seat.former is None
    return Sentence("session.nobody_sits_there") if is_free else seat


def _seat_by_person(session: Session, game: Game, who: str) -> Seat | Sentence:
    """The first seat of the only one at the game who is called so."""
    people = session.people(game)
    found = [
        seat
        for seat in game.seats
        if seat.person in people
        and seat.person != game.master
        and (_is_called(people[seat.person], who) or seat.address == who.lower())
    ]
    if len({seat.person for seat in found}) > 1:
        return Sentence("session.several_here", name=who)
    if found:
        return found[0]
    return Sentence("session.nobody_here", name=who, near=_nearest(session, game, who))


def _nearest(session: Session, game: Game, who: str) -> str | None:
    """The power, or the name or address of somebody at the game, that looks most like a word.

    Only masters ask so, and they know who sits at their game.
    """
    power = nearest_power(who, lexicon_of(session.services.scenario(game)))
    if power is not None:
        return power
    sitting = (person for person in session.people(game).values() if person.id != game.master)
    names = {name.lower(): name for each in sitting for name in (each.name, *each.addresses)}
    near = get_close_matches(who.lower(), names, n=1, cutoff=0.75)
    return names[near[0]] if near else None


def person_meant(session: Session, who: str) -> Person | Sentence:
    """Somebody who is registered, by name, address, or power or seat here; else what is wrong."""
    found = _registered(session, who)
    if len(found) > 1:
        return Sentence("session.several_people", name=who)
    if found:
        return found[0]
    seat = seat_meant(session, session.game, who) if session.game is not None else None
    sitting = seat.person or seat.former if isinstance(seat, Seat) else None
    person = session.uow.persons.get(sitting) if sitting is not None else None
    return person if person is not None else Sentence("session.not_registered", name=who)


def _registered(session: Session, who: str) -> Sequence[Person]:
    if "@" in who:
        person = session.uow.persons.by_address(who)
        return [person] if person is not None else []
    return session.uow.persons.by_name(who)


def _is_called(person: Person, who: str) -> bool:
    return is_same_name(person.name, who) or who.lower() in person.addresses


def seat_name(session: Session, game: Game, seat: Seat) -> Wording:
    """How a seat is called before everybody: by its powers, else by who sits there."""
    if seat.powers:
        words = Words(session.services.world(game))
        return Sentence("session.powers", names=tuple(map(words.power, seat.powers)))
    person = session.people(game).get(seat.person) if seat.person is not None else None
    return public_name(game, person) if person is not None else Sentence("session.somebody")
