"""What the answer of a mail server says of an address, by its status code (RFC 3463)."""

import re

from machjudge.service.model.records import Bounce

_STATUS = re.compile(r"(?<![\w.])([45])\.(\d{1,3})\.(\d{1,3})(?!\.?\d)")
_REPLY = re.compile(r"\s*(?:[\w-]+\s*;)?\s*([45])\d\d\b")
"""An SMTP reply code (RFC 5321, 4.2), in a report behind the kind of its words."""
_POLICY = re.compile(
    r"\b(?:spam\w*|unsolicited|virus|polic(?:y|ies)|(?:black|block|deny|gr[ae]y)[ -]?list\w*"
    r"|blocked|banned|dnsbl|rbl|reputation|dmarc|dkim|spf|relay(?:ing)?)\b",
    re.IGNORECASE,
)
_SOFT = frozenset({("2", "2"), ("2", "3"), ("3", "4"), ("4", "7")})
"""A full mailbox, a message too large for it or for its server, a time that is over."""
_OF_SENDER = frozenset({("1", "7"), ("1", "8")})
_SECURITY_OR_POLICY, _UNDEFINED = "7", "0"


def bounce_of(words: str, status: str = "") -> Bounce | None:
    """How much an answer counts against an address; None if it says nothing of it.

    *words* are the server's, *status* is the code of a delivery report.  What is refused as spam,
    by a policy or for its sender does not count.  The words are asked for that only where the code
    leaves it open.
    """
    codes = _STATUS.findall(f"{status} {words}")
    said = next((each for each in codes if _says_why(*each[1:])), None)
    if said is None:
        reply = _REPLY.match(words)
        kind = next((each[0] for each in codes), reply[1] if reply is not None else "4")
        return None if _POLICY.search(words) else _by_class(kind)
    kind, *why = said
    if why[0] == _SECURITY_OR_POLICY or tuple(why) in _OF_SENDER:
        return None
    return Bounce.SOFT if tuple(why) in _SOFT else _by_class(kind)


def _says_why(subject: str, detail: str) -> bool:
    return subject == _SECURITY_OR_POLICY or detail != _UNDEFINED


def _by_class(kind: str) -> Bounce:
    return Bounce.HARD if kind == "5" else Bounce.SOFT
