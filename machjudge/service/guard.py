"""Whether a mail may be answered at all: never a machine, never ourselves (RFC 3834)."""

import re

from machjudge.reading import Kind, Mail

_BOUNCE = re.compile(r"[^+@]*\+bounce\.([0-9]{1,18})@")


def is_silent(mail: Mail, sender: str, judge: str) -> bool:
    """Whether the mail is noted and nothing more.

    *sender* is whom the mail was kept for, empty where the envelope named nobody; *judge* is our
    own address.
    """
    if not sender or mail.kind is Kind.IGNORE or mail.answer_to is None:
        return True
    return is_own(mail.answer_to, judge)


def is_own(address: str, judge: str) -> bool:
    """Whether an address is the judge's, with or without ``+anything`` before the @."""
    local, _, domain = address.lower().rpartition("@")
    own_local, _, own_domain = judge.lower().rpartition("@")
    return (local.partition("+")[0], domain) == (own_local.partition("+")[0], own_domain)


def letter_returned(recipient: str) -> int | None:
    """The number of the letter from whose envelope sender a mail to *recipient* comes.

    Nobody is told of such an address: what arrives there is a bounce, or another machine's.
    """
    found = _BOUNCE.match(recipient.lower())
    return None if found is None else int(found[1])
