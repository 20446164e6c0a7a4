"""A mail that raises an error while it is read: set aside at once, and nobody waits for it.

Reading gives the same error each time, so such a mail is never tried again by itself. Its sender
proves nothing, as nothing could be read: they get one short message a day at most.
"""

from contextlib import suppress
from datetime import datetime, timedelta

import structlog

from machjudge.letters.page.head import Head
from machjudge.reading import claim_in
from machjudge.sentence import Sentence
from machjudge.service.ports.faults import about_unreadable
from machjudge.service.ports.interfaces import UnitOfWork
from machjudge.service.ports.mails import KeptMail, Outgoing
from machjudge.service.ports.services import Services
from machjudge.service.ports.stale import Stale
from machjudge.service.session.answerable import is_own
from machjudge.service.session.incoming import Unreadable

log = structlog.get_logger(__name__)

_TOLD_ONCE_IN = timedelta(days=1)


def set_aside_unreadable(
    services: Services, kept: KeptMail, flaw: Unreadable, now: datetime
) -> None:
    """Set a mail aside, and tell the keeper and its sender, unless somebody else has done so."""
    log.error("mail.unreadable", mail=kept.id, exc_info=flaw.__cause__)
    with suppress(Stale), services.store.writing() as uow:
        answer = _answer(services, uow, kept, now)
        uow.inbox.set_aside(kept.id, str(flaw), now)
        for letter in (*about_unreadable(services, kept, flaw.kind), *answer):
            uow.outbox.put(letter)
        uow.commit()


def _answer(services: Services, uow: UnitOfWork, kept: KeptMail, now: datetime) -> list[Outgoing]:
    """The message to the sender; none to machines, to ourselves, or a second time a day."""
    if not kept.sender or uow.inbox.set_aside_since(kept.sender, now - _TOLD_ONCE_IN):
        return []
    claim = claim_in(kept.raw, (services.judge.address,), kept.envelope)
    if claim is None or is_own(claim.sender, services.judge.address):
        return []
    subject, told = Sentence("identity.not_read"), Sentence("intake.unreadable")
    facts = {"head": Head(services.judge.code), "subject": subject, "lines": (told,)}
    page = services.paper.page("token", facts)
    return [Outgoing(claim.sender, page.subject, page.body, answers=claim.message_id)]
