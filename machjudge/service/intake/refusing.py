"""Mails of which nothing is obeyed: of several senders, and of machines.

Machines are not answered.  But a mail with the password of a seat, or with its reply code and
orders, was meant, whatever a server on its way has made of its header: the address on file for the
seat hears of it, once a day.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

import structlog

from machjudge.letters.page.head import Head
from machjudge.reading import Mail, MailFlaw, MailKind, WhyIgnored
from machjudge.sentence import Sentence
from machjudge.service.credentials.authority import Proven
from machjudge.service.game.view import zone_of
from machjudge.service.intake.conversation import converse
from machjudge.service.model.counts import Quota
from machjudge.service.ports.claim import NOT_ONE_SENDER, who_hears_of_it
from machjudge.service.ports.interfaces import UnitOfWork
from machjudge.service.ports.mails import KeptMail, MailEnd, MailOutcome, Outgoing
from machjudge.service.ports.services import Services
from machjudge.service.session.incoming import kept_text
from machjudge.service.session.outgoing import head_of
from machjudge.service.session.session import Session

log = structlog.get_logger(__name__)

WHY = "From names not exactly one sender"
"""What the keeper's list says of a mail of several senders where nobody is told."""
_DAY = timedelta(days=1)

Talk = Callable[[UnitOfWork, Mail], Session]
"""How a mail is heard that says this."""


def refuse_sender(
    services: Services, kept: KeptMail, mail: Mail, now: datetime, talk: Talk
) -> None:
    """Tell whoever may be told; where that is nobody, the mail is set aside for the keeper."""
    proven = _about_proven(services, kept, mail, talk)
    with services.store.writing() as uow:
        to = who_hears_of_it(mail, kept.envelope, uow.persons)
        letters = [_refusal(services, mail, to)] if to else _once_a_day(uow, proven, now)
        for letter in letters:
            uow.outbox.put(letter)
        if letters or proven:
            uow.inbox.finish(kept, MailEnd(MailOutcome.ANSWERED, WHY), kept_text(kept.raw), now)
        else:
            uow.inbox.set_aside(kept.id, WHY, now)
        uow.commit()


def pass_over(services: Services, kept: KeptMail, mail: Mail, now: datetime, talk: Talk) -> None:
    """Note a mail that may not be answered; the seat that it proves hears of it."""
    proven = _about_proven(services, kept, mail, talk)
    why = mail.why_ignored.value if mail.why_ignored else ""
    with services.store.writing() as uow:
        for letter in _once_a_day(uow, proven, now):
            uow.outbox.put(letter)
        uow.inbox.finish(kept, MailEnd(MailOutcome.SILENT, why), kept_text(kept.raw), now)
        uow.commit()


def _refusal(services: Services, mail: Mail, to: str) -> Outgoing:
    subject = Sentence("identity.not_read")
    facts = {"head": Head(services.judge.code), "subject": subject, "lines": (NOT_ONE_SENDER,)}
    page = services.paper.page("token", facts)
    return Outgoing(to, page.subject, page.body, answers=mail.message_id)


def _once_a_day(uow: UnitOfWork, letter: Outgoing | None, now: datetime) -> list[Outgoing]:
    """The letter, unless its address had one today: two machines would never end."""
    if letter is None:
        return []
    quota = Quota(f"passed/{letter.to}", 1, _DAY)
    uow.counts.lock([quota.key])
    if quota.used(uow.counts, now) >= quota.most:
        return []
    uow.counts.add([quota.key], now)
    return [letter]


def _about_proven(services: Services, kept: KeptMail, mail: Mail, talk: Talk) -> Outgoing | None:
    """The letter to the address on file for the seat that a mail proves; None if it proves none.

    A reply code counts only beside something done with it: machines repeat what they answer.
    """
    said = mail.lines or mail.unheard
    if not said:
        return None
    try:
        with services.store.reading() as uow:
            session = talk(
                uow, replace(mail.with_lines(said), kind=MailKind.ORDERS, suspected=None)
            )
            session.check_sender = lambda: False
            converse(session)
            return _passed_over(session, kept, mail)
    # What is only looked at needs no second try.
    except Exception:
        log.exception("mail.not_looked_at", mail=kept.id)
        return None


def _passed_over(session: Session, kept: KeptMail, mail: Mail) -> Outgoing | None:
    game, seat = session.game, session.seat
    is_proven = session.proof not in (Proven.NOTHING, Proven.UNCONFIRMED)
    does = not session.opened_by_token or session.has_ordered or session.has_written
    if game is None or seat is None or seat.person is None or not (is_proven and does):
        return None
    several = any(defect.flaw is MailFlaw.SEVERAL_SENDERS for defect in mail.defects)
    reason = mail.why_ignored or WhyIgnored.BOUNCE
    why = "several_senders" if several else reason.name.lower()
    told = Sentence(
        "intake.passed_over",
        received=kept.received,
        zone=zone_of(session.services, session.uow.persons.get(seat.person)),
        why=Sentence(f"reading.why.{why}"),
    )
    facts = {
        "head": head_of(session.services, game),
        "subject": Sentence("identity.not_read"),
        "lines": (told,),
    }
    page = session.paper.page("token", facts)
    return Outgoing(seat.address, page.subject, page.body, game.id, answers=mail.message_id)
