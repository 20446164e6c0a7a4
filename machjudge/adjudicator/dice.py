"""Roll dice: they follow from (secret, phase, purpose), or are given beforehand.

A roll never depends on other rolls. The function is HMAC-SHA-256 with the game's 32-byte secret as
key over the ASCII text ``phase/purpose/n``; bytes of the digest from the left, each below 252 gives
byte mod 6 + 1, others are skipped; after 32 bytes the text goes on with ``/2``, ``/3`` (RFC 2104
for HMAC). Shared dice have a key from the secret and from words mailed by the players.
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
    """A throw: its purpose and number of dice."""

    purpose: str
    count: int = 1
    n: int = 1
    """The number of this throw among those of the same purpose, from 1."""
    given_as: str = ""
    """Another name for this throw alone in a list of given dice."""
    before: int = 0
    """The dice thrown before for this purpose in the phase."""
    total: int = 0
    """All dice for the purpose; 0 if this is the only throw or the number is open."""


def lot_of(dice: tuple[int, ...]) -> int:
    """Return two dice as one number from 0 to 35."""
    first, second = dice
    return (first - 1) * SIDES + second - 1


def drawn(lot: int, among: int) -> int:
    """Return the item, from 0, drawn by a lot; at most 36."""
    return lot * among // SIDES**2


class Dice(Protocol):
    """Answers throws; each die is 1 to 6."""

    def roll(self, throw: Throw) -> tuple[int, ...]:
        """Return the dice of a throw, always the same."""
        ...


class DiceMissing(MachjudgeError):
    """A throw was not given, or with another number of dice."""

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
    """Given dice by purpose, in the order thrown."""

    given: Mapping[str, tuple[int, ...]]

    def roll(self, throw: Throw) -> tuple[int, ...]:
        """Return the dice given for *throw*, by purpose or other name.  Raises DiceMissing."""
        dice = self.given.get(throw.purpose, ())
        if throw.given_as:
            nth = dice[throw.count * (throw.n - 1) :][: throw.count]
            dice = nth or self.given.get(throw.given_as, ())
        if len(dice) != (throw.total or throw.count):
            raise DiceMissing(throw, len(dice))
        return dice[throw.before :][: throw.count]


@dataclass(frozen=True, slots=True)
class SecretDice:
    """Dice of one phase, such as ``F1455M``, from a game's secret or its shared key."""

    secret: bytes
    phase: str

    def roll(self, throw: Throw) -> tuple[int, ...]:
        """Return the dice that follow from the secret."""
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
    """Return the key of shared dice: HMAC-SHA-256 of the players' words, in this order.

    No word has a line break; they are joined by line feeds, in UTF-8, so that no two lists of words
    give the same text.
    """
    return hmac.new(secret, "\n".join(words).encode(), sha256).digest()


def commitment(secret: bytes) -> str:
    """Return the SHA-256 of the secret in hexadecimal, for the first mail of a game."""
    return sha256(secret).hexdigest()
