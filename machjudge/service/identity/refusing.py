"""A mail that claims nobody, or several people at once: nothing of it is obeyed."""

from datetime import datetime

from machjudge.letters.page.head import Head
from machjudge.reading import Mail
from machjudge.sentence import Sentence
from machjudge.service.ports.claim import NOT_ONE_SENDER, who_hears_of_it
from machjudge.service.ports.mails import KeptMail, MailEnd, MailOutcome, Outgoing
from machjudge.service.ports.services import Services
from machjudge.service.session.incoming import kept_text

WHY = "From names not exactly one sender"
"""What the keeper's list says of such a mail where nobody is told."""


def refuse_sender(services: Services, kept: KeptMail, mail: Mail, now: datetime) -> None:
    """Tell whoever may be told; where that is nobody, the mail is set aside for the keeper."""
    with services.store.writing() as uow:
        to = who_hears_of_it(mail, kept.envelope, uow.persons)
        if to:
            uow.outbox.put(_refusal(services, mail, to))
            uow.inbox.finish(kept, MailEnd(MailOutcome.ANSWERED, WHY), kept_text(kept.raw), now)
        else:
            uow.inbox.set_aside(kept.id, WHY, now)
        uow.commit()


def _refusal(services: Services, mail: Mail, to: str) -> Outgoing:
    subject = Sentence("identity.not_read")
    facts = {"head": Head(services.judge.code), "subject": subject, "lines": (NOT_ONE_SENDER,)}
    page = services.paper.page("token", facts)
    return Outgoing(to, page.subject, page.body, answers=mail.message_id)
