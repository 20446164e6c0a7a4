"""What of the letters of one mail goes out, after the limits; and that it is counted."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from machjudge.reading import LineKind, Owner, WhyIgnored
from machjudge.service.clock.calendar_files import enter_deadlines
from machjudge.service.clock.holding_back import hold_back
from machjudge.service.credentials.authority import Proven
from machjudge.service.limits.answering import (
    Cause,
    Need,
    Say,
    content_of,
    keys_of,
    thread_of,
    with_proof,
    without_proof,
)
from machjudge.service.ports.interfaces import UnitOfWork
from machjudge.service.ports.mails import KeptMail, MailEnd, MailOutcome, Outgoing
from machjudge.service.ports.services import Services
from machjudge.service.session.session import Session

WHY = "without a proof, and the address has got its messages of the day"
"""Why a mail got no answer."""
_MEANT = (LineKind.ORDER, LineKind.COMMAND, LineKind.AGREEMENT)
_HELD_ONCE_IN = timedelta(days=1)
_MOST_HELD = 50


def cause_of(session: Session) -> Cause:
    """What of a mail decides how much it may cause."""
    return Cause(
        sender=session.address or session.answer_to,
        answer_to=session.answer_to,
        content=content_of(session.mail),
        thread=thread_of(session.mail),
        now=session.now,
        need=_need(session),
        is_proven=is_proven(session),
        is_empty=is_empty(session),
    )


def _need(session: Session) -> Need:
    if session.mails_token:
        return Need.TOKEN
    if session.is_locked:
        return Need.LOCKED
    return Need.QUESTION if session.waits is not None and session.is_claim else Need.OTHER


def is_proven(session: Session) -> bool:
    """Whether a mail comes from somebody on file for sure, or the keeper asks for no proof."""
    if not session.services.judge.allowances.answers_a_day:
        return True
    return session.proof not in (Proven.NOTHING, Proven.UNCONFIRMED)


def is_empty(session: Session) -> bool:
    """Whether only a reply code proves a mail, and nothing in it is said to the judge.

    What looks like an order or a command, or agrees, was written by a person, whatever comes of it.
    """
    changes = session.changes
    lines = (line for sheet in changes.sheets for line in sheet.lines)
    filed = any(line.mail == session.mail_id for line in lines) or changes.plans
    said = session.tries.number or session.answer.done or session.answer.texts or session.letters
    is_meant = any(row.owner is Owner.WRITER and row.kind in _MEANT for row in session.mail.rows)
    return not (is_meant or filed or said or changes.persons or _game_changed(session))


def _game_changed(session: Session) -> bool:
    """Whether a mail has changed more of its game than when the master was heard."""
    game, read = session.changes.game, session.changes.read
    if game is None or read is None:
        return game is not read
    return replace(game, heard=read.heard) != read


def hear_writer(session: Session) -> None:
    """Forget what came back from somebody who has proved to be the writer: they are there.

    Of everybody who changes it is noted how they were read.
    """
    person, changes = session.person, session.changes
    if person is not None and person.bounces and not session.is_claim:
        changes.persons[person.id] = replace(person, bounces=())
    changes.known = session.uow.persons.of(changes.persons)


@dataclass(frozen=True, slots=True)
class Post:
    """The letters of one mail: what it causes besides its answer, and the answer."""

    cause: Cause
    letters: Sequence[Outgoing]
    answers: Sequence[Outgoing]
    say: Say
    """In its writer's language."""


def keep(session: Session, post: Post, uow: UnitOfWork) -> MailEnd:
    """Keep what a mail has changed, and the letters that the limits let out.  Raises Stale."""
    if not session.answer_to:
        return MailEnd(MailOutcome.SILENT, WhyIgnored.NO_SENDER.value)
    letters = let_out(post, uow, session.services)
    if letters is None:
        # A mail that gets no answer does nothing.
        return MailEnd(MailOutcome.SILENT, WHY)
    session.changes.letters = letters
    enter_deadlines(session.services, uow, session.changes, session.now)
    hold_back(session.services, uow, session.changes, session.now)
    session.changes.write(uow)
    return MailEnd(MailOutcome.ANSWERED)


def let_out(post: Post, uow: UnitOfWork, services: Services) -> list[Outgoing] | None:
    """The letters that go out, counted; None where the mail may cause nothing at all.

    To be called in the transaction that keeps them.
    """
    cause, judge, say = post.cause, services.judge, post.say
    to_keeper = [each for each in post.letters if each.to == judge.keeper]
    letters = [each for each in post.letters if each.to != judge.keeper]
    every = [*letters, *post.answers]
    uow.counts.lock(keys_of(cause, every))
    if cause.is_proven:
        kept = [*letters, *_answers(cause, post.answers, uow, say)]
    else:
        known = {each.to for each in every if uow.persons.by_address(each.to) is not None}
        most = judge.allowances.answers_a_day
        kept = without_proof(cause, every, uow.counts, most, known, say)
        if every and not kept:
            return None
    uow.counts.add(keys_of(cause, kept), cause.now)
    return [*to_keeper, *kept]


def _answers(
    cause: Cause, answers: Sequence[Outgoing], uow: UnitOfWork, say: Say
) -> list[Outgoing]:
    is_answered, ends = with_proof(cause, uow.counts)
    if not is_answered:
        return []
    below = f"\n{say(ends)}\n" if ends is not None else ""
    return [replace(each, body=each.body + below) for each in answers]


def held_lately(uow: UnitOfWork, kept: KeptMail, now: datetime) -> bool:
    """Whether a mail of the same sender that may be automatic was answered in the last day."""
    lately = uow.inbox.unheard(kept.sender, now - _HELD_ONCE_IN, _MOST_HELD)
    return any(each.held for each in lately)
