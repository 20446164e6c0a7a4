"""Is an address the judge's?  One pure answer for SMTP and LMTP alike."""

import re
from dataclasses import dataclass

LONGEST = 320
"""How many signs an envelope address may have (RFC 5321, 4.5.3.1: 64 + 1 + 255)."""

_SPACE_OR_CONTROL = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class MailRoute:
    """An address of the judge; *tag* is what stands behind the ``+``, as it was written."""

    tag: str


def is_postmaster(judge: str, recipient: str) -> bool:
    """Whether an address is the one for people of mail: `postmaster`, with our domain or alone.

    Every server takes it (RFC 5321, 4.5.1), in any case of letters.
    """
    local, _, domain = recipient.rpartition("@")
    if not local:
        return recipient.casefold() == "postmaster"
    ours = judge.rpartition("@")[2].casefold()
    return (local.casefold(), domain.casefold()) == ("postmaster", ours)


def route(judge: str, recipient: str) -> MailRoute | None:
    """The way of a mail to *recipient* when the judge's address is *judge*; None if not ours.

    Upper and lower case are the same (RFC 5321, 2.4, leaves that to the host), and so are the
    plain address and the one with ``+anything`` (RFC 5233).
    """
    if not is_sound(recipient):
        return None
    local, _, domain = recipient.rpartition("@")
    name, _, tag = local.partition("+")
    own_name, _, own_domain = judge.rpartition("@")
    ours = (name.casefold(), domain.casefold()) == (own_name.casefold(), own_domain.casefold())
    return MailRoute(tag) if ours else None


def tagged(judge: str, tag: str) -> str:
    """The judge's address with ``+tag``, for which `route` gives *tag* back."""
    local, _, domain = judge.rpartition("@")
    return f"{local}+{tag}@{domain}"


def is_sound(address: str) -> bool:
    """Whether an envelope address can be kept; the empty one of bounces can.

    Not if it is too long or holds white space, control signs or bytes that are no UTF-8.
    """
    return len(address) <= LONGEST and not _SPACE_OR_CONTROL.search(address)
