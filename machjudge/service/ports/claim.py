"""The address that a mail claims to come from: one person's, and no right to anything.

Anybody can write any From (RFC 5322, 3.6.2).  A claim says where an answer goes, and nothing else.
"""

from dataclasses import dataclass

from machjudge.reading import Mail, MailFlaw
from machjudge.sentence import Sentence
from machjudge.service.ports.repositories import Persons

NOT_ONE_SENDER = Sentence("ports.not_one_sender")
"""What the sender is told of a mail that claims nobody, or several people at once."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Who a mail says that it comes from."""

    address: str
    """The one address, in lower case."""
    name: str
    """The name before it; empty if there is none."""


def claim_of(mail: Mail) -> Claim | None:
    """What a mail claims; None where it names nobody, or From more than one."""
    several = any(defect.flaw is MailFlaw.SEVERAL_SENDERS for defect in mail.defects)
    if several or mail.sender is None:
        return None
    return Claim(mail.sender.lower(), mail.display_name)


def where_to_answer(mail: Mail, persons: Persons) -> str:
    """Where the answer goes: From, or a Reply-To that is another address of the same person.

    Empty where the mail claims nobody.
    """
    claim = claim_of(mail)
    if claim is None:
        return ""
    reply_to = (mail.reply_to or "").lower()
    owner = persons.by_address(claim.address) if reply_to else None
    is_own = owner is not None and reply_to in owner.addresses
    return reply_to if is_own else claim.address


def who_hears_of_it(mail: Mail, envelope: str, persons: Persons) -> str:
    """Who is told that a mail claims nobody: its envelope sender, if named in From or on file.

    Empty where nobody is told: the address may be a stranger's.

    :param envelope: ``MAIL FROM`` in lower case.
    """
    is_known = envelope in mail.senders or persons.by_address(envelope) is not None
    return envelope if envelope and is_known else ""
