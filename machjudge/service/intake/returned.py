"""A message that could not be delivered: noted, and the master of its game is told."""

from collections.abc import Iterator
from datetime import datetime

from structlog import get_logger

from machjudge.reading import failure_in
from machjudge.sentence import Sentence
from machjudge.service.game.view import people_of, reader_of
from machjudge.service.model.records import Game, GameId, Notice, Role
from machjudge.service.ports.bounce_address import letter_returned
from machjudge.service.ports.bounce_kind import bounce_of
from machjudge.service.ports.deliveries import Returned
from machjudge.service.ports.interfaces import UnitOfWork
from machjudge.service.ports.mails import KeptMail, MailEnd, MailOutcome, Outgoing
from machjudge.service.ports.services import Services
from machjudge.service.session.incoming import faults_of_reading, kept_text
from machjudge.service.session.outgoing import head_of, letter

_KIND = "returned"
_LONGEST_WHY = 100

log = get_logger(__name__)


def note_return(services: Services, kept: KeptMail, now: datetime) -> None:
    """Note that a letter came back, if a mail server says so: only those have no sender.

    It counts against the address to which that letter went, whatever the report names, and once.
    Whoever does not know the letter's address marks nothing.
    """
    with faults_of_reading():
        failure = None if kept.sender else failure_in(kept.raw)
    with services.store.writing() as uow:
        number = letter_returned(services.secret, kept.recipient)
        if failure is not None and number is not None:
            why, bounce = failure.why, bounce_of(failure.why, failure.status)
            returned = uow.outbox.came_back(number, now, why, bounce)
            counts = None if bounce is None else bounce.name.lower()
            log.warning("letter returned", letter=number, bounce=counts)
            if returned is not None and returned.game is not None:
                _tell_masters(services, uow, returned, returned.game, why, now)
        uow.inbox.finish(kept, MailEnd(MailOutcome.SILENT), kept_text(kept.raw), now)
        uow.commit()


def _tell_masters(
    services: Services,
    uow: UnitOfWork,
    returned: Returned,
    game_id: GameId,
    why: str,
    now: datetime,
) -> None:
    """Tell the masters once a day for each address; of their own addresses nobody is told."""
    uow.games.lock(game_id)
    game = uow.games.get(game_id)
    if game is None or _was_told_today(uow, game, returned.to, now):
        return
    uow.notices.add(Notice(game.id, now, None, _KIND, returned.to))
    for each in _letters(services, uow, game, returned, why, now):
        uow.outbox.put(each)


def _was_told_today(uow: UnitOfWork, game: Game, address: str, now: datetime) -> bool:
    return any(
        notice.kind == _KIND and notice.text == address and notice.at.date() == now.date()
        for notice in uow.notices.all_of(game.id)
    )


def _letters(
    services: Services, uow: UnitOfWork, game: Game, returned: Returned, why: str, now: datetime
) -> Iterator[Outgoing]:
    people = people_of(uow, game)
    at_the_address = [seat for seat in game.seats if seat.address == returned.to]
    told = Sentence(
        "intake.returned.told",
        to=returned.to,
        letters=" ".join(power for seat in at_the_address for power in seat.powers),
        subject=returned.subject,
        why=why[:_LONGEST_WHY],
    )
    masters = {
        seat.address: people.get(seat.person)
        for seat in game.seats
        if seat.role is Role.MASTER and seat.person is not None
    }
    for address, person in masters.items():
        if address == returned.to:
            continue
        facts = {
            "head": head_of(services, game),
            "reader": reader_of(services, person, now),
            "subject": Sentence("intake.returned.subject"),
            "lines": (told,),
        }
        yield letter(game, address, services.paper.page("token", facts))
