"""Which messages wait for the digest of their reader (`SET NOTIFY`), and until when.

An answer, a reminder, a late notice and whatever else asks somebody to act never wait.  Of the
news of a game, those that give a seat to its reader or take it never wait either.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from machjudge.service.game.view import zone_of
from machjudge.service.model.digest_hours import digest_at
from machjudge.service.model.records import Game, Notify, Person, PersonId
from machjudge.service.ports.changes import Changes
from machjudge.service.ports.interfaces import UnitOfWork
from machjudge.service.ports.services import Services

_TO_ANSWER = timedelta(hours=12)
"""How long before a deadline a digest must come with what matters for it."""


def hold_back(services: Services, uow: UnitOfWork, changes: Changes, now: datetime) -> None:
    """Let the news of a game wait for the digests of those who want one."""
    game = changes.game
    if game is None or not any(each.may_wait for each in changes.letters):
        return
    owners = {**_owners(changes.read), **_owners(game)}
    read = uow.persons.of(set(owners.values()))
    people = {who: changes.persons.get(who) or person for who, person in read.items()}
    matters = _matters(changes.read, game)
    for number, one in enumerate(changes.letters):
        person = people.get(owners.get(one.to, PersonId("")))
        if person is None or not one.may_wait or one.game != game.id:
            continue
        if person.notify is Notify.EACH or _concerns_seat(changes.read, game, one.to):
            continue
        if matters and not _can_wait(services, person, game, now):
            continue
        changes.letters[number] = replace(one, held_for=person.id)


def _can_wait(services: Services, person: Person, game: Game, now: datetime) -> bool:
    """Whether what matters may wait for the digest of a reader: they have time to answer then."""
    if person.notify is Notify.IMPORTANT:
        return False
    clock = game.clock
    if clock is None or clock.paused is not None or clock.ends is not None:
        return True
    digest = digest_at(zone_of(services, person), person.digest_hour, now)
    return clock.deadline >= digest + _TO_ANSWER


def _matters(read: Game | None, game: Game) -> bool:
    """Whether the position, the times, the master or the end of a game have changed."""
    return read is None or _course(read) != _course(game)


def _course(game: Game) -> tuple[object, ...]:
    clock = game.clock
    times = None if clock is None else (clock.deadline, clock.grace, clock.paused, clock.ends)
    return (game.status, game.position, game.master, times)


def _owners(game: Game | None) -> Mapping[str, PersonId]:
    """To whom the addresses at a game belong."""
    seats = game.seats if game is not None else ()
    return {seat.address: seat.person for seat in seats if seat.person is not None}


def _concerns_seat(read: Game | None, game: Game, address: str) -> bool:
    """Whether somebody gets or loses a seat, or the game itself, at an address."""
    before, after = _seats_at(read, address), _seats_at(game, address)
    if before != after:
        return True
    if read is None or read.master == game.master:
        return False
    return any(person in (read.master, game.master) for _, _, person in after)


def _seats_at(game: Game | None, address: str) -> frozenset[tuple[object, ...]]:
    seats = game.seats if game is not None else ()
    here = (seat for seat in seats if seat.address == address and seat.person is not None)
    return frozenset((seat.number, seat.role, seat.person) for seat in here)
