"""Mail to `postmaster`: for the keeper, who reads it as any mail (RFC 5321, 4.5.1)."""

from datetime import datetime, timedelta

from machjudge.letters.layout.lines import one_line
from machjudge.letters.page.head import Head
from machjudge.reading import claim_in
from machjudge.sentence import Sentence
from machjudge.service.ports.interfaces import UnitOfWork
from machjudge.service.ports.mails import Attachment, KeptMail, MailEnd, MailOutcome, Outgoing
from machjudge.service.ports.services import Services
from machjudge.service.session.answerable import is_own
from machjudge.service.session.incoming import kept_text

WHY = "for postmaster"
"""What `keeper list` says of such a mail that was not passed on."""
_MOST = 10
"""How many of one sender are passed on in a day; the others are set aside."""
_DAY = timedelta(days=1)


def is_for_postmaster(kept: KeptMail, judge: str) -> bool:
    """Whether a mail was sent to nobody but the postmaster; *judge* is the judge's own address."""
    if is_own(kept.recipient, judge):
        return False
    everybody = kept.recipients or (kept.recipient,)
    return all(each.partition("@")[0].casefold() == "postmaster" for each in everybody)


def pass_on(services: Services, kept: KeptMail, now: datetime) -> None:
    """Send the mail to the keeper; where there is none, set it aside.  Nobody is answered.

    Machines are not passed on: the mail of a judge to its own postmaster would go in circles.
    """
    keeper = services.judge.keeper
    with services.store.writing() as uow:
        is_machine = (
            not kept.sender or claim_in(kept.raw, (services.judge.address,), kept.envelope) is None
        )
        if keeper is None or is_machine or _passed_on(uow, kept, now) >= _MOST:
            uow.inbox.set_aside(kept.id, WHY, now)
        else:
            uow.outbox.put(_letter(services, keeper, kept))
            uow.inbox.finish(kept, MailEnd(MailOutcome.SILENT, WHY), kept_text(kept.raw), now)
        uow.commit()


def _passed_on(uow: UnitOfWork, kept: KeptMail, now: datetime) -> int:
    """How many mails of the same sender were passed on in the last day."""
    lately = uow.inbox.unheard(kept.sender, now - _DAY, _MOST)
    return sum(each.why == WHY for each in lately)


def _letter(services: Services, keeper: str, kept: KeptMail) -> Outgoing:
    told = Sentence("intake.postmaster.told", sender=one_line(kept.sender))
    subject = Sentence("intake.postmaster.subject")
    facts = {"head": Head(services.judge.code), "subject": subject, "lines": (told,)}
    page = services.paper.page("token", facts)
    whole = Attachment("postmaster.eml", "application/octet-stream", kept.raw)
    return Outgoing(keeper, page.subject, page.body, attachments=(whole,))
