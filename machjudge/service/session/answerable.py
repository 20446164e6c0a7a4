"""Whether a mail may be answered at all: never a machine, never ourselves (RFC 3834)."""

from machjudge.reading import Mail, MailKind


def is_silent(mail: Mail, sender: str, judge: str) -> bool:
    """Whether the mail is noted and nothing more.

    *sender* is whom the mail was kept for, empty where the envelope named nobody; *judge* is our
    own address.
    """
    if not sender or mail.kind is MailKind.IGNORE or mail.answer_to is None:
        return True
    return is_own(mail.answer_to, judge)


def is_own(address: str, judge: str) -> bool:
    """Whether an address is the judge's, with or without ``+anything`` before the @."""
    local, _, domain = address.lower().rpartition("@")
    own_local, _, own_domain = judge.lower().rpartition("@")
    return (local.partition("+")[0], domain) == (own_local.partition("+")[0], own_domain)
