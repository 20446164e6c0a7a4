"""Somebody who wants to be forgotten: their seats lose them, and the store what tells of them."""

from dataclasses import replace

from machjudge.sentence import Sentence
from machjudge.service.model.records import GameId, Person, Seat, Status
from machjudge.service.ports.interfaces import UnitOfWork
from machjudge.service.session.session import Session


def forget_people(session: Session, uow: UnitOfWork) -> None:
    """Forget whoever has asked for it in this mail, which is finished in the same transaction."""
    if not session.changes.erased:
        return
    called = session.say(Sentence("identity.forget.name"))
    for each in sorted(session.changes.erased):
        person = uow.persons.get(each)
        if person is not None:
            for game in uow.traces.games(person):
                _empty_seats(uow, game, person)
            uow.traces.erase(person, called)


def _empty_seats(uow: UnitOfWork, name: GameId, person: Person) -> None:
    uow.games.lock(name)
    game = uow.games.get(name)
    if game is None:
        return
    seats = tuple(_emptied(s) if _goes(s, person, game.status) else s for s in game.seats)
    if seats != game.seats:
        uow.games.save(replace(game, seats=seats, version=game.version + 1), game)


def _goes(seat: Seat, person: Person, status: Status) -> bool:
    """Whether a seat is, or was, somebody's; one that they have taken meanwhile stays theirs."""
    if seat.person == person.id:
        return status is Status.FINISHED
    return seat.person is None and (seat.former == person.id or seat.address in person.addresses)


def _emptied(seat: Seat) -> Seat:
    """The seat of nobody: its generation ends the codes of its messages."""
    return replace(
        seat, person=None, former=None, address="", password="", generation=seat.generation + 1
    )
