"""Addresses that belong to one letter, for its bounces and to watch no more; nobody can guess them.

Each carries a seal that follows from the judge's secret and the letter's number.  So a forged
report of a failed delivery marks nothing, and nobody ends what somebody else watches, unless they
had the letter in hand.  The number itself is hidden wherever others read it.
"""

import base64
import re
from hmac import compare_digest

from machjudge.service.credentials.secret import JudgeSecret
from machjudge.service.ports.mailbox import LetterId

_BOUNCE, _LEAVE = "bounce", "leave"
_SEALED = re.compile(rf"[^+@]*\+({_BOUNCE}|{_LEAVE})\.([^@]*)@")
_TAG = re.compile(r"([a-z2-7]{8}|[1-9][0-9]{0,17})\.([a-z2-7]+)")
"""The number is hidden; earlier versions wrote it as it is."""
_HALF = 20
"""Bits of a half of a number that is hidden."""
_ROUNDS = 4
_BYTES = 10
"""Of the seal: 80 bits, in 16 letters and digits."""


def return_tag(secret: JudgeSecret, letter: LetterId) -> str:
    """What stands behind the ``+`` in the envelope sender of a letter.

    Letters, digits and dots only; upper and lower case make no difference, as some servers on the
    way change it (RFC 5321, 2.4).
    """
    return _tag(secret, _BOUNCE, letter)


def leaving_tag(secret: JudgeSecret, letter: LetterId) -> str:
    """The same for the address to which an observer writes who does not want to watch any more."""
    return _tag(secret, _LEAVE, letter)


def hidden_number(secret: JudgeSecret, letter: LetterId) -> str:
    """What stands for the number of a letter where others read it: 8 letters and digits, 40 bits.

    Nobody learns from it how many letters there were between two of theirs.
    """
    hidden = _hidden(secret, letter).to_bytes(2 * _HALF // 8, "big")
    return base64.b32encode(hidden).decode("ascii").lower()


def shown_number(secret: JudgeSecret, written: str) -> LetterId | None:
    """The number for which 8 letters and digits of `hidden_number` stand; None if for none."""
    if len(written) != 2 * _HALF // 5:
        return None
    try:
        hidden = base64.b32decode(written.upper())
    except ValueError:  # digits that base32 does not have
        return None
    return LetterId(_shown(secret, int.from_bytes(hidden, "big")))


def is_return(recipient: str) -> bool:
    """Whether an address is one for bounces, right or wrong; people are told of none."""
    address = _SEALED.match(recipient.lower())
    return address is not None and address[1] == _BOUNCE


def letter_returned(secret: JudgeSecret, recipient: str) -> LetterId | None:
    """The letter from whose envelope sender a mail to *recipient* comes; None if it is forged."""
    return _letter(secret, _BOUNCE, recipient)


def letter_left(secret: JudgeSecret, recipient: str) -> LetterId | None:
    """The letter from which somebody knows the address by which they leave; None if forged."""
    return _letter(secret, _LEAVE, recipient)


def _tag(secret: JudgeSecret, purpose: str, letter: LetterId) -> str:
    return f"{purpose}.{hidden_number(secret, letter)}.{_seal(secret, purpose, letter)}"


def _letter(secret: JudgeSecret, purpose: str, recipient: str) -> LetterId | None:
    address = _SEALED.match(recipient.lower())
    is_meant = address is not None and address[1] == purpose
    found = _TAG.fullmatch(address[2]) if address is not None and is_meant else None
    if found is None:
        return None
    plain = LetterId(int(found[1])) if found[1].isdecimal() else None
    for letter in (shown_number(secret, found[1]), plain):
        if letter is None:
            continue
        if compare_digest(found[2].encode(), _seal(secret, purpose, letter).encode()):
            return letter
    return None


def _hidden(secret: JudgeSecret, number: int) -> int:
    """A number of up to 40 bits as another one, so that nobody sees how many there are.

    A Feistel network, whose inverse is `_shown`.
    """
    left, right = number >> _HALF, number % (1 << _HALF)
    for each in range(_ROUNDS):
        left, right = right, left ^ _mixed(secret, each, right)
    return left << _HALF | right


def _shown(secret: JudgeSecret, hidden: int) -> int:
    """The inverse of `_hidden`."""
    left, right = hidden >> _HALF, hidden % (1 << _HALF)
    for each in reversed(range(_ROUNDS)):
        left, right = right ^ _mixed(secret, each, left), left
    return left << _HALF | right


def _mixed(secret: JudgeSecret, number: int, half: int) -> int:
    return int(secret.code("mail/hidden", number, half, length=10), 36) % (1 << _HALF)


def _seal(secret: JudgeSecret, purpose: str, letter: LetterId) -> str:
    """Sixteen letters and digits that only the judge can compute."""
    return secret.code(purpose, letter, length=_BYTES)
