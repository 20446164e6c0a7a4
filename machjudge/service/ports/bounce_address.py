"""The address to which the bounces of one letter go; nobody can guess it.

It carries a seal that follows from the judge's secret and the letter's number.  So a forged report
of a failed delivery marks nothing, unless it comes from somebody who had the letter in hand.
"""

import re
from hmac import compare_digest

from machjudge.service.credentials.secret import JudgeSecret
from machjudge.service.ports.mailbox import LetterId

_RETURN = re.compile(r"[^+@]*\+bounce\.([^@]*)@")
_TAG = re.compile(r"([1-9][0-9]{0,17})\.([a-z2-7]+)")
_BYTES = 10
"""Of the seal: 80 bits, in 16 letters and digits."""


def return_tag(secret: JudgeSecret, letter: LetterId) -> str:
    """What stands behind the ``+`` in the envelope sender of a letter.

    Letters, digits and dots only; upper and lower case make no difference, as some servers on the
    way change it (RFC 5321, 2.4).
    """
    return f"bounce.{letter}.{_seal(secret, letter)}"


def is_return(recipient: str) -> bool:
    """Whether an address is one for bounces, right or wrong; people are told of none."""
    return _RETURN.match(recipient.lower()) is not None


def letter_returned(secret: JudgeSecret, recipient: str) -> LetterId | None:
    """The letter from whose envelope sender a mail to *recipient* comes; None if it is forged."""
    address = _RETURN.match(recipient.lower())
    found = _TAG.fullmatch(address[1]) if address is not None else None
    if found is None:
        return None
    letter = LetterId(int(found[1]))
    is_right = compare_digest(found[2].encode(), _seal(secret, letter).encode())
    return letter if is_right else None


def _seal(secret: JudgeSecret, letter: LetterId) -> str:
    """Sixteen letters and digits that only the judge can compute."""
    return secret.code("bounce", letter, length=_BYTES)
