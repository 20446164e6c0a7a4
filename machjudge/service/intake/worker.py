"""Kept mails, one after the other: read, guarded, handled, answered, each in one transaction.

Mails of one sender, and mails for one game, take effect in the order of their receipt.  Nobody
waits for a mail that has failed once, but for a later one of the same proven writer for the same
game; it is tried again within seconds, then set aside.  What the database fails in is no failure
of the mail.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial

import structlog

from machjudge.adjudicator.model.scenario import Scenario
from machjudge.reading import Mail, MailKind, ReadingLimits, WhyIgnored, closest
from machjudge.service.identity.senders import sender_check
from machjudge.service.identity.signon import scenario_named
from machjudge.service.intake.answers import answer_letters
from machjudge.service.intake.by_token import codes_of, game_answered, without_code_lines
from machjudge.service.intake.conversation import converse
from machjudge.service.intake.erasing import forget_people
from machjudge.service.intake.game_concerned import game_concerned
from machjudge.service.intake.leaving import leave_watched
from machjudge.service.intake.letting_out import Post, cause_of, hear_writer, held_lately, keep
from machjudge.service.intake.postmaster import is_for_postmaster, pass_on
from machjudge.service.intake.refusing import pass_over, refuse_sender
from machjudge.service.intake.returned import note_return
from machjudge.service.intake.set_aside import (
    MOST_DEATHS,
    FailedTry,
    ProcessDied,
    failure_of,
    set_aside,
    try_again,
)
from machjudge.service.intake.tick import again, is_settled
from machjudge.service.limits.rations import Rationed
from machjudge.service.model.records import GameId, PersonId
from machjudge.service.ports.bounce_address import is_return
from machjudge.service.ports.changes import Changes
from machjudge.service.ports.claim import claim_of
from machjudge.service.ports.faults import kind_of
from machjudge.service.ports.interfaces import UnitOfWork
from machjudge.service.ports.mails import KeptMail, MailEnd, MailOutcome
from machjudge.service.ports.message_parts import in_messages
from machjudge.service.ports.services import Services
from machjudge.service.ports.stale import FollowsFailed, MustWait, Stale, StoreTrouble, Vanished
from machjudge.service.session.incoming import SaidLines, kept_text, read_mail
from machjudge.service.session.session import Session

log = structlog.get_logger(__name__)

_MOST_STARTS = 10
"""How often a mail is begun again because others were faster; then it is put back."""
_MOST_LOOKS = 20
"""How often it is looked whether somebody still reads an older mail; then the mail is put back."""
_BETWEEN_LOOKS_SECONDS = 0.01
_QUOTED_FOR = timedelta(days=60)
_MOST_SENT = 30
"""Of so many messages to the writer of a mail it is looked whether it quotes them."""
_AGAIN_AFTER_OTHERS = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class TakenMail:
    """A mail that was taken up."""

    mail: KeptMail
    game: GameId | None
    """The game that it is for."""
    is_finished: bool
    """Whether it is done with; otherwise it is set aside or waits for another try."""
    is_settled: bool = False
    """Whether it is certain that the game waits for more, so that nobody need look at it."""


@dataclass(slots=True)
class _Handled:
    """A mail that is being handled."""

    kept: KeptMail
    mail: Mail
    now: datetime
    heard: list[Session]
    """What was heard of it, for whoever has to tell that it failed."""
    said: SaidLines = field(default_factory=SaidLines)
    game: GameId | None = None
    is_found: bool = False
    """Whether it is known for which game it is."""
    is_noted: bool = False
    """Whether that is noted, so that mails for other games need not wait."""
    is_settled: bool = False


def take(
    services: Services,
    now: datetime,
    *,
    before: datetime | None = None,
    unless_overdue: bool = False,
) -> TakenMail | None:
    """Take up the oldest mail that can be handled; None if there is none.

    With *unless_overdue* none is taken up while the deadline of a game is over.
    """
    with services.store.writing(single=True, outlasts_power=False) as uow:
        kept = uow.inbox.claim(now, before=before, unless_overdue=unless_overdue)
        uow.commit()
    if kept is None:
        return None
    heard: list[Session] = []
    if kept.deaths >= MOST_DEATHS:
        return _fail(services, failure_of(services, kept, ProcessDied(), heard, now))
    try:
        return again(lambda: handle(services, kept, now, heard))
    # A mail that cannot be handled, for whatever reason, must not hold up the others.
    except Exception as error:
        if isinstance(error, Stale | StoreTrouble) and not isinstance(error, Vanished):
            return _wait_for_store(services, kept, error, now)
        return _fail(services, failure_of(services, kept, error, heard, now))


def handle(
    services: Services, kept: KeptMail, now: datetime, heard: list[Session] | None = None
) -> TakenMail:
    """Handle one claimed mail, in one writing transaction at its end.

    What was heard of it is added to *heard*, for whoever has to tell that it failed.
    """
    if is_return(kept.recipient):
        note_return(services, kept, now)
        return TakenMail(kept, None, is_finished=True)
    if leave_watched(services, kept, now):
        return TakenMail(kept, None, is_finished=True)
    if is_for_postmaster(kept, services.judge.address):
        pass_on(services, kept, now)
        return TakenMail(kept, None, is_finished=True)
    mail = _read(services, kept, now)
    work = _Handled(kept, mail, now, [] if heard is None else heard)
    if (turn_away := _turns_away(kept, mail)) is not None:
        turn_away(services, kept, mail, now, lambda uow, said: _talk(services, uow, work, said))
        return TakenMail(kept, None, is_finished=True)
    if mail.why_ignored is not None:
        # A proof alone tells whom to answer.
        work.mail = replace(mail.with_lines(mail.unheard), kind=MailKind.HOLD, why_ignored=None)
    try:
        return _handle_in_turn(services, work)
    except Exception:
        # Its phase is not played without it, and that of no other game waits for it.
        with suppress(Exception):
            _note_game(services, work)
        raise


def _turns_away(kept: KeptMail, mail: Mail) -> Callable[..., None] | None:
    """What is done with a mail of which nothing is obeyed; None for any other."""
    if not kept.sender or mail.why_ignored not in (None, WhyIgnored.NO_SENDER):
        return pass_over
    if mail.why_ignored is None:
        return None if claim_of(mail) is not None else refuse_sender
    return None if mail.unheard or mail.codes else pass_over


def _read(services: Services, kept: KeptMail, now: datetime) -> Mail:
    """A mail as it is read, once more beside what was lately sent to its writer if it quotes that.

    Raises Unreadable.
    """
    reading = partial(
        read_mail,
        kept.raw,
        own=(services.judge.address,),
        limits=ReadingLimits(lines=services.judge.max_lines),
        paper=services.paper,
        envelope=kept.envelope,
    )
    mail = reading()
    addresses = {each.lower() for each in (mail.sender, mail.reply_to) if each}
    if mail.quotable and addresses:
        with services.store.reading() as uow:
            sent = [uow.outbox.bodies(a, now - _QUOTED_FOR, _MOST_SENT) for a in sorted(addresses)]
        messages = closest(mail.quotable, (text for each in sent for _, text in each))
        mail = reading(messages=messages) if messages else mail
    return without_code_lines(mail)


def _handle_in_turn(services: Services, work: _Handled) -> TakenMail:
    """Handle the mail, again whenever others were faster; put it back if it has to wait."""
    kept = work.kept
    for _ in range(_MOST_STARTS):
        try:
            _attempt(services, work)
        except Vanished:
            raise
        except Stale:
            continue
        except FollowsFailed as fault:
            # Nobody but its own writer waits for it either.
            return _put_back(services, work, work.now + fault.after, kind_of(fault))
        except MustWait as fault:
            # Whoever claims passes it over until its turn has come.
            return _put_back(services, work, work.now + fault.after)
        return TakenMail(kept, work.game, is_finished=True, is_settled=work.is_settled)
    return _put_back(services, work, work.now + _AGAIN_AFTER_OTHERS)


def _attempt(services: Services, work: _Handled) -> None:
    """Handle the mail once.  Raises Stale, and MustWait if its turn has not come."""
    mail, kept = work.mail, work.kept
    if not kept.is_alone or kept.tries > 1 or kept.deaths:
        _await_turn(services, work)
    with services.store.reading() as reading:
        _find_game(services, reading, work)
        session = _talk(services, reading, work, mail)
        work.heard[:] = [session]
        converse(session)
        answers = answer_letters(session)
        is_held = mail.suspected is not None and session.seat is None
        if is_held and held_lately(reading, kept, work.now):
            # Two machines that answer each other would never end.
            answers = []
        cause = cause_of(session)
        hear_writer(session)
        if session.is_dry:
            # Nothing is stored; wrong passwords are counted already.
            session.changes, session.letters = Changes(), []
    post = Post(cause, in_messages(services.paper, session.letters), answers, session.say)
    _keep(services, work, session, post, is_held=is_held)


def _await_turn(services: Services, work: _Handled) -> None:
    """Return when the mail's turn has come; raises MustWait if that takes long."""
    with services.store.reading() as reading:
        _find_game(services, reading, work)
    if not _note_game(services, work) or work.game is None:
        return
    mail, game = work.kept.id, work.game
    for _ in range(_MOST_LOOKS):
        with services.store.reading() as reading:
            if not reading.inbox.must_wait(mail, game):
                return
            if not reading.inbox.is_read_elsewhere(mail, work.now):
                break
        time.sleep(_BETWEEN_LOOKS_SECONDS)
    raise MustWait


def _keep(
    services: Services, work: _Handled, session: Session, post: Post, *, is_held: bool
) -> None:
    """Keep what the mail has brought about.  Raises Stale, and MustWait before its turn."""
    mail, kept = work.mail, work.kept
    game = session.game.id if session.game is not None else work.game
    if game != work.game:
        work.game, work.is_noted = game, False
    with services.store.writing() as uow:
        if game is not None:
            uow.games.lock(game)
        end = keep(session, post, uow)
        work.is_settled = end.outcome is MailOutcome.ANSWERED and is_settled(session, work.now)
        end = MailEnd(MailOutcome.HELD, mail.suspected.value) if is_held and mail.suspected else end
        redacted = kept_text(kept.raw, session.secrets)
        uow.inbox.finish(kept, end, redacted, work.now, game, _writer([session]))
        if end.outcome is MailOutcome.ANSWERED:
            forget_people(session, uow)
        uow.commit()


def _writer(heard: Sequence[Session]) -> PersonId | None:
    """Who has proved to have written a mail, as far as it was heard."""
    seat = heard[0].writers_seat if heard else None
    return seat.person if seat is not None else None


def _find_game(services: Services, reading: UnitOfWork, work: _Handled) -> None:
    """Find out for which game the mail is."""

    def scenario_of(name: str) -> Scenario | None:
        return scenario_named(services, reading, name)

    if not work.is_found:
        named = game_concerned(work.said, work.mail, scenario_of)
        work.game = named or game_answered(services.secret, reading, work.kept, work.mail)
        work.is_found = True


def _note_game(services: Services, work: _Handled) -> bool:
    """Note for which game the mail is, for the others; whether it may have to wait for one."""
    if work.is_noted or not work.is_found:
        return True
    with services.store.writing(single=True, outlasts_power=False) as uow:
        may_wait = uow.inbox.concerns(work.kept.id, work.game)
        uow.commit()
    work.is_noted = True
    return may_wait


def _talk(services: Services, reading: UnitOfWork, work: _Handled, mail: Mail) -> Session:
    kept = work.kept
    ration = replace(services, passwords=Rationed(services.passwords))
    session = Session(ration, reading, mail, kept.id, kept.received, work.now, work.said)
    session.hear_tokens(codes_of(kept, mail))
    if mail.is_in_from:
        session.check_sender = sender_check(services, reading, kept, session.address, work.now)
    return session


def _put_back(services: Services, work: _Handled, until: datetime, fault: str = "") -> TakenMail:
    with suppress(Stale):
        _note_game(services, work)
        with services.store.writing() as uow:
            writer = _writer(work.heard) if fault else None
            uow.inbox.put_back(work.kept.id, until, counts=False, fault=fault, writer=writer)
            uow.commit()
    return TakenMail(work.kept, work.game, is_finished=False)


def _wait_for_store(
    services: Services, kept: KeptMail, trouble: Exception, now: datetime
) -> TakenMail:
    """Handle a mail once more when the database does its work; that is no failure of its own.

    Raises StoreTrouble if it does not yet: whoever asked for work lets go of the mail later.
    """
    log.warning("mail.waits_for_database", mail=kept.id, exc_info=trouble)
    fault = "" if isinstance(trouble, Stale) else kind_of(trouble)
    with suppress(Stale), services.store.writing() as uow:
        uow.inbox.put_back(kept.id, now + _AGAIN_AFTER_OTHERS, counts=False, fault=fault)
        uow.commit()
    return TakenMail(kept, None, is_finished=False)


def _fail(services: Services, failure: FailedTry) -> TakenMail:
    """Try again soon, or set the mail aside and tell everybody whom it concerns.

    A mail that is no longer unfinished was taken up by somebody else in the meantime.
    """
    kept, error = failure.kept, failure.error
    # The log writes where it happened, without the text of the fault, which may repeat the mail.
    log.error("mail.failed", mail=kept.id, tries=kept.tries, deaths=kept.deaths, exc_info=error)
    with suppress(Stale):
        (set_aside if failure.is_final else try_again)(services, failure)
    return TakenMail(kept, None, is_finished=False)
