"""An observer leaves by the address that each message to them names for it (RFC 2369, 3.2).

By that in a digest, digests are stopped.  Whoever had one of these messages in hand is its reader:
the address is the proof.  Mail programs
write there by themselves, so whatever the mail says, it means this.
"""

from dataclasses import replace
from datetime import datetime

from machjudge.letters.page.head import Head
from machjudge.sentence import Sentence
from machjudge.service.game.view import people_of, reader_of
from machjudge.service.model.records import Game, Notice, Notify, PersonId, Role, Seat
from machjudge.service.ports.bounce_address import letter_left
from machjudge.service.ports.changes import Changes
from machjudge.service.ports.interfaces import UnitOfWork
from machjudge.service.ports.mails import KeptMail, MailEnd, MailOutcome, Outgoing
from machjudge.service.ports.message_parts import paged
from machjudge.service.ports.services import Services
from machjudge.service.session.incoming import kept_text
from machjudge.service.session.outgoing import head_of, letter

WHY = "left by the address in a message"
"""Why such a mail got no answer."""


def leave_watched(services: Services, kept: KeptMail, now: datetime) -> bool:
    """End the observer's seat to which a letter went, or the digests, if a mail was sent there.

    Whether it was.  Nobody else's seat is touched, and somebody who has left already hears nothing.
    """
    letters = (letter_left(services.secret, each) for each in (kept.recipient, *kept.recipients))
    number = next((each for each in letters if each is not None), None)
    if number is None:
        return False
    with services.store.writing() as uow:
        posted = uow.outbox.posted(number)
        if posted is not None and posted.digest_of is not None:
            _stop_digests(services, uow, posted.digest_of, posted.to, now)
        elif posted is not None and posted.game is not None:
            uow.games.lock(posted.game)
            game = uow.games.get(posted.game)
            seat = _seat_of(game, posted.observer, posted.to)
            if game is not None and seat is not None:
                _leave(services, uow, game, seat, now)
        uow.inbox.finish(kept, MailEnd(MailOutcome.SILENT, WHY), kept_text(kept.raw), now)
        uow.commit()
    return True


def _stop_digests(
    services: Services, uow: UnitOfWork, who: PersonId, address: str, now: datetime
) -> None:
    """Let messages come by themselves again, and end the games that are only watched from there."""
    person = uow.persons.held((who,)).get(who)
    if person is None or person.notify is Notify.EACH:
        return
    watched = []
    for name in uow.traces.games(person):
        uow.games.lock(name)
        game = uow.games.get(name)
        seats = game.seats if game is not None else ()
        wanted = (who, address, Role.OBSERVER)
        own = next((s for s in seats if (s.person, s.address, s.role) == wanted), None)
        if game is not None and own is not None:
            watched.append(game.name)
            _without_seat(services, game, own, now).write(uow)
    told = Sentence("clock.digest.stopped", watched=tuple(watched))
    facts = {
        "head": Head(services.judge.code),
        "reader": reader_of(services, person, now),
        "subject": Sentence("clock.digest.stopped_subject"),
        "lines": (told,),
    }
    page = services.paper.page("token", facts)
    uow.outbox.put(paged(address, page))
    uow.persons.save(replace(person, notify=Notify.EACH))


def _seat_of(game: Game | None, number: int | None, address: str) -> Seat | None:
    """The observer's seat of that number, as long as it has the same address."""
    wanted = (number, address, Role.OBSERVER)
    seats = game.seats if game is not None else ()
    return next((s for s in seats if (s.number, s.address, s.role) == wanted), None)


def _leave(services: Services, uow: UnitOfWork, game: Game, seat: Seat, now: datetime) -> None:
    changes = _without_seat(services, game, seat, now)
    changes.letters.append(_farewell(services, uow, game, seat, now))
    changes.write(uow)


def _without_seat(services: Services, game: Game, seat: Seat, now: datetime) -> Changes:
    others = tuple(each for each in game.seats if each.number != seat.number)
    log = services.paper.say(Sentence("seats.leave.log", number=seat.number))
    return Changes(
        read=game,
        game=replace(game, seats=others),
        notices=[Notice(game.id, now, seat.person, "resigned", log)],
    )


def _farewell(
    services: Services, uow: UnitOfWork, game: Game, seat: Seat, now: datetime
) -> Outgoing:
    person = people_of(uow, game).get(seat.person) if seat.person is not None else None
    facts = {
        "head": head_of(services, game),
        "reader": reader_of(services, person, now),
        "subject": Sentence("seats.leave.subject"),
        "lines": (Sentence("seats.leave.watched", game=game.name),),
    }
    return letter(game, seat.address, services.paper.page("token", facts))
