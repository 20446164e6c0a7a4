"""Mail to `postmaster`: for the keeper, in one message a day (RFC 5321, 4.5.1)."""

from contextlib import suppress
from datetime import datetime, timedelta

from machjudge.letters.layout.lines import one_line
from machjudge.letters.page.head import Head
from machjudge.reading import claim_in
from machjudge.sentence import Sentence
from machjudge.service.model.counts import Quota
from machjudge.service.ports.deliveries import SetAside
from machjudge.service.ports.interfaces import Stale, UnitOfWork
from machjudge.service.ports.mails import Attachment, KeptMail, MailEnd, MailOutcome, Outgoing
from machjudge.service.ports.services import Services
from machjudge.service.session.answerable import is_own
from machjudge.service.session.incoming import kept_text

WHY = "for postmaster"
"""What `keeper list` says of such a mail that was not passed on yet."""
FROM_MACHINE = f"{WHY}, machine"
"""What it says of one that is never passed on."""
_MOST = 10
"""How many are passed on in one message; the others stay in the keeper's list."""
_MOST_BYTES = 300_000
"""How large they are together."""
_TOLD = Quota("keeper/postmaster", 1, timedelta(days=1))
_LOOKED_BACK = timedelta(days=7)


def is_for_postmaster(kept: KeptMail, judge: str) -> bool:
    """Whether a mail was sent to nobody but the postmaster; *judge* is the judge's own address."""
    if is_own(kept.recipient, judge):
        return False
    everybody = kept.recipients or (kept.recipient,)
    return all(each.partition("@")[0].casefold() == "postmaster" for each in everybody)


def pass_on(services: Services, kept: KeptMail, now: datetime) -> None:
    """Keep the mail for the keeper, and tell them unless they were told today.  No answer is sent.

    Machines are not passed on: the mail of a judge to its own postmaster would go in circles.
    """
    claim = claim_in(kept.raw, (services.judge.address,), kept.envelope)
    is_machine = not kept.sender or claim is None
    with services.store.writing() as uow:
        uow.inbox.set_aside(kept.id, FROM_MACHINE if is_machine else WHY, now)
        _tell(services, uow, now)
        uow.commit()


def pass_on_waiting(services: Services, now: datetime) -> None:
    """Tell the keeper of the mails to postmaster since the last message about such, once a day."""
    with services.store.reading() as uow:
        if not _waiting(uow, now):
            return
    with suppress(Stale), services.store.writing() as uow:
        uow.counts.lock([_TOLD.key])
        _tell(services, uow, now)
        uow.commit()


def _tell(services: Services, uow: UnitOfWork, now: datetime) -> None:
    """Send the mails that wait to the keeper in one message, as far as there is room in it."""
    keeper, waiting = services.judge.keeper, _waiting(uow, now)
    if keeper is None or not waiting or _TOLD.used(uow.counts, now):
        return
    uow.counts.add((_TOLD.key,), now)
    files: list[Attachment] = []
    left = []
    for each in waiting:
        raw = uow.inbox.raw_of(each.mail)
        size = sum(len(file.content) for file in files) + len(raw)
        if len(files) < _MOST and size <= _MOST_BYTES:
            name = f"postmaster-{each.mail}.eml"
            files.append(Attachment(name, "application/octet-stream", raw))
            end = MailEnd(MailOutcome.SILENT, WHY)
            uow.inbox.finish_aside(each.mail, end, kept_text(raw), now)
        else:
            left.append(each)
    senders = tuple(dict.fromkeys(one_line(each.sender) for each in waiting))
    told = Sentence(
        "intake.postmaster.told",
        n=len(waiting),
        senders=senders[:_MOST],
        more=len(senders[_MOST:]),
        left=len(left),
    )
    subject = Sentence("intake.postmaster.subject")
    facts = {"head": Head(services.judge.code), "subject": subject, "lines": (told,)}
    page = services.paper.page("token", facts)
    uow.outbox.put(Outgoing(keeper, page.subject, page.body, attachments=tuple(files)))


def _waiting(uow: UnitOfWork, now: datetime) -> list[SetAside]:
    """The mails to postmaster of which the keeper has not been told."""
    lately = uow.counts.all_lately([_TOLD.key], now - _LOOKED_BACK)[_TOLD.key]
    since = max(lately, default=now - _LOOKED_BACK)
    return [each for each in uow.inbox.all_aside(since) if each.why == WHY]
