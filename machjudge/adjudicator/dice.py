"""Dice: a roll is a value that follows from (secret, phase, purpose), or is given beforehand.

A roll never depends on which other rolls are made.  The function is HMAC-SHA-256 with the game's
32-byte secret as key over the ASCII text ``phase/purpose/n``; bytes of the digest from the left,
each below 252 gives byte mod 6 + 1, others are skipped; when 32 bytes are used up, the text goes
on with ``/2``, ``/3`` (RFC 2104 for HMAC).  Where the players share the dice, the key follows
from the secret and from words that they have mailed.
"""

import hmac
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol

from machjudge.adjudicator.names import MachjudgeError

SIDES = 6
_FAIR_BELOW = 252


@dataclass(frozen=True, slots=True)
class Throw:
    """What is thrown for: the purpose, and how many dice."""

    purpose: str
    count: int = 1
    n: int = 1
    """The number of this throw, from 1, among those with the same purpose."""
    given_as: str = ""
    """Another name that a list of given dice may have for it, which stands for this throw alone."""
    before: int = 0
    """How many dice the phase has thrown for this purpose, where it throws several times."""
    total: int = 0
    """How many dice it throws for it in all; 0 where this is the only throw or nobody can tell."""


def lot_of(dice: tuple[int, ...]) -> int:
    """Two dice as one number from 0 to 35."""
    first, second = dice
    return (first - 1) * SIDES + second - 1


def drawn(lot: int, among: int) -> int:
    """Which of so many, counted from 0, a lot draws; at most 36."""
    return lot * among // SIDES**2


class Dice(Protocol):
    """Whoever answers a throw; each die is 1 to 6."""

    def roll(self, throw: Throw) -> tuple[int, ...]:
        """The dice of a throw, the same whenever it is asked for."""
        ...


class DiceMissing(MachjudgeError):
    """A throw is needed that was not given, or given with another number of dice."""

    def __init__(self, throw: Throw, given: int = 0) -> None:
        self.throw = throw
        self.given = given
        dice = throw.total or throw.count * throw.n
        needed = f"the dice for {throw.purpose!r} are needed ({dice} of them) and not given"
        thrown = _in_words(throw.total or throw.count)
        others = f"{throw.purpose!r} is thrown with {thrown}, not with {given}"
        super().__init__(others if given else needed)


def _in_words(dice: int) -> str:
    return "one die" if dice == 1 else f"{dice} dice"


@dataclass(frozen=True, slots=True)
class GivenDice:
    """Dice that somebody has thrown before, by what they were thrown for, in the order thrown."""

    given: Mapping[str, tuple[int, ...]]

    def roll(self, throw: Throw) -> tuple[int, ...]:
        """The dice given for *throw*, by its purpose or else by its other name.

        Raises DiceMissing.
        """
        dice = self.given.get(throw.purpose, ())
        if throw.given_as:
            nth = dice[throw.count * (throw.n - 1) :][: throw.count]
            dice = nth or self.given.get(throw.given_as, ())
        if len(dice) != (throw.total or throw.count):
            raise DiceMissing(throw, len(dice))
        return dice[throw.before :][: throw.count]


@dataclass(frozen=True, slots=True)
class SecretDice:
    """Dice thrown for one phase, such as ``F1455M``, from a game's secret or its shared key."""

    secret: bytes
    phase: str

    def roll(self, throw: Throw) -> tuple[int, ...]:
        """The dice that follow from the secret."""
        faces = self._faces(f"{self.phase}/{throw.purpose}/{throw.n}")
        return tuple(next(faces) for _ in range(throw.count))

    def _faces(self, message: str) -> Iterator[int]:
        part = 1
        while True:
            text = message if part == 1 else f"{message}/{part}"
            digest = hmac.new(self.secret, text.encode("ascii"), sha256).digest()
            yield from (byte % SIDES + 1 for byte in digest if byte < _FAIR_BELOW)
            part += 1


def shared_key(secret: bytes, words: Sequence[str]) -> bytes:
    """The key of dice that the players share: HMAC-SHA-256 of their words, in this order.

    No word has a line break; they are joined by line feeds, in UTF-8, so that no two lists of
    words give the same text.
    """
    return hmac.new(secret, "\n".join(words).encode(), sha256).digest()


def commitment(secret: bytes) -> str:
    """What the first mail of a game publishes: the SHA-256 of the secret, in hexadecimal."""
    return sha256(secret).hexdigest()
