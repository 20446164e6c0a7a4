"""The dice of the format: dice that somebody has thrown, or a secret from which they follow."""

from machjudge.adjudicator.model.dice import Dice, GivenDice, SecretDice
from machjudge.adjudicator.model.moments import Moment
from machjudge.codec.document.shape import (
    Json,
    as_number,
    as_object,
    as_text,
    each,
    entries,
    needed,
    refuse,
)

_SECRET = "secret"  # noqa: S105 - the name of a field
_SECRET_DIGITS = 64
_SIDES = 6


def read_dice(value: Json, moment: Moment) -> Dice:
    """The dice for the phase *moment*: purpose -> dice, or ``secret`` -> 32 bytes in hexadecimal.

    Raises Unfit for a die that is none, or a secret beside other dice.
    """
    fields = as_object(value)
    if _SECRET not in fields:
        return GivenDice(dict(entries(value, lambda name, dice: (name, tuple(each(dice, _die))))))
    if len(fields) > 1:
        refuse("with a secret there are no other dice", _SECRET)
    return SecretDice(needed(fields, _SECRET, _read_secret), moment.code)


def _die(value: Json) -> int:
    return as_number(value, 1, _SIDES)


def _read_secret(value: Json) -> bytes:
    text = as_text(value)
    try:
        secret = bytes.fromhex(text)
    except ValueError:
        secret = b""
    if len(text) != _SECRET_DIGITS or len(secret) * 2 != _SECRET_DIGITS:
        refuse(f"a secret is {_SECRET_DIGITS} hexadecimal digits")
    return secret
