"""From whom a game takes mails: from anybody with a proof, known addresses, verified senders."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache

from machjudge.language.commands.commands import Setting
from machjudge.reading import Line
from machjudge.sentence import Sentence
from machjudge.service.credentials.authority import Act
from machjudge.service.model.conduct import Senders
from machjudge.service.model.records import Game, PersonId, Seat
from machjudge.service.ports.changes import Changes
from machjudge.service.ports.interfaces import UnitOfWork
from machjudge.service.ports.mails import KeptMail
from machjudge.service.ports.services import Services
from machjudge.service.ports.stale import SenderNotKnownYet
from machjudge.service.session.command import MASTERS, RUNNING, CommandEntry
from machjudge.service.session.outgoing import announce_setting
from machjudge.service.session.session import Session

PATIENCE = timedelta(minutes=10)
"""How long a mail waits for somebody to say whether it proves its sender."""


def turned_away(session: Session, line: Line | None, done: int = 0) -> bool:
    """Leave the seat that was opened again, if the game takes no such mail; say whether it was so.

    :param line: the line that has opened it; None where a reply code has.
    :param done: how many lines of the answer stood there before.
    """
    flaw = _flaw(session)
    if flaw is None:
        return False
    session.changes = Changes(persons=session.changes.persons)
    session.seat_number = session.opened_seat = session.speaking_for = session.current = None
    session.opened_by_token = session.answers_act = False
    session.letters, session.to_confirm = [], []
    del session.answer.done[done:]
    session.answer.verdict.clear()
    if line is not None:
        session.refuse_all(line, flaw)
    else:
        session.answer.verdict.append(Sentence("identity.sender.turned_away", why=flaw))
        session.is_closed = True
    return True


def _flaw(session: Session) -> Sentence | None:
    """Why the seat that is open may not be spoken for; a seat that is taken with the mail may."""
    read, number = session.changes.read, session.opened_seat
    seats = read.seats if read is not None else ()
    before = next((seat for seat in seats if seat.number == number), None)
    game, now = session.game, session.seat
    if read is None or before is None or game is None or now is None:
        return None
    if now.person != _owner(before):
        return None
    return why_not(session, game.conduct.sender, now)


def _owner(seat: Seat) -> PersonId | None:
    return seat.person or seat.former


def why_not(session: Session, senders: Senders, seat: Seat) -> Sentence | None:
    """Why the sender of a mail may not speak for a seat; None if they may."""
    match senders:
        case Senders.ANY:
            may = True
        case Senders.KNOWN:
            may = _is_on_file(session, seat)
        case Senders.VERIFIED:
            may = _is_on_file(session, seat) and session.check_sender()
    return None if may else Sentence(f"identity.sender.not_{senders.value}")


def sender_check(
    services: Services, uow: UnitOfWork, kept: KeptMail, address: str, now: datetime
) -> Callable[[], bool]:
    """What says whether a mail proves *address*.

    A mail proves it once: one that comes again may have been handed in by whoever has seen it.
    It raises SenderNotKnownYet while nobody answers, for some minutes; then that proves nothing.
    """

    @cache
    def is_verified() -> bool:
        try:
            is_signed = services.senders.is_verified(kept.raw, address, kept.received)
        except SenderNotKnownYet:
            if now < kept.received + PATIENCE:
                raise
            return False
        return is_signed and not uow.inbox.has_come_before(kept)

    return is_verified


def _is_on_file(session: Session, seat: Seat) -> bool:
    owner = session.uow.persons.get(seat.person) if seat.person is not None else None
    return session.address in (seat.address, *(owner.addresses if owner is not None else ()))


def set_sender(session: Session, line: Line, said: Setting) -> None:
    """Say from whom the game takes mails; the master's own mail must be one of those."""
    game, seat = session.game, session.seat
    word = said.value[0].lower() if said.on and said.value else Senders.ANY.value
    wanted = next((each for each in Senders if each.value == word), None)
    if game is None or seat is None:
        return
    if wanted is None:
        session.refuse(line, Sentence("identity.sender.words"), instead="SET SENDER KNOWN")
    elif why_not(session, wanted, seat) is not None:
        session.refuse(line, Sentence("identity.sender.not_you", word=word))
    else:
        _set(session, game, wanted)


SET_SENDER = CommandEntry(
    "set sender",
    RUNNING,
    MASTERS,
    Act.STEER,
    set_sender,
    setting="sender",
    also=("set senders",),
)


def _set(session: Session, game: Game, wanted: Senders) -> None:
    changed = replace(game, conduct=replace(game.conduct, sender=wanted))
    session.set_game(changed)
    says = Sentence(f"identity.sender.{wanted.value}")
    session.done(says)
    if wanted is not game.conduct.sender:
        session.note("sender", wanted.value)
        announce_setting(session, changed, [Sentence("identity.sender.set", says=says)])
