"""Reply tokens: answering a message of the judge is enough, because the answer carries its token.

A message to somebody carries one token in three places: in the address for answers
(``judge+r.TOKEN@domain``), in its Message-ID, and in the last line of its text.  Each alone is
enough.  A token is computed from the judge's secret when the message is sent; kept is only the
hash by which it is known again, with what it speaks for.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest
from typing import Protocol

from machjudge.reading import codes_in
from machjudge.service.credentials.secret import JudgeSecret
from machjudge.service.model.records import GameId, PersonId

LABEL = "Reply code:"
"""What stands before the token in the last line of a message."""


@dataclass(frozen=True, slots=True)
class SeatToken:
    """Opens one seat of a game, as long as its generation is that of the seat."""

    game: GameId
    seat: int
    generation: int
    phase: str = ""
    """The code of the phase that the message was about; empty if it was about none."""


@dataclass(frozen=True, slots=True)
class PressToken(SeatToken):
    """Opens the seat of a reader of press, whose answer is words for its writer alone."""

    writer: int = 0
    """The number of the writer's seat."""
    is_unnamed: bool = False
    """Whether the reader does not know who wrote it."""
    hides: bool = False
    """Whether the answer is anonymous, too, as the reader wrote what was answered unsigned."""
    serial: str = ""
    """Keeps the tokens of anonymous messages apart: like ones would tell of one writer."""


@dataclass(frozen=True, slots=True)
class AddressToken:
    """Proves that an address got the message: it confirms the address for a person."""

    person: PersonId
    address: str
    serial: str = ""
    """Keeps apart the tokens of one person and address."""


@dataclass(frozen=True, slots=True)
class ActToken:
    """Carries out one act that waits for it."""

    act: str
    """The random name of the pending act."""


Speaks = SeatToken | PressToken | AddressToken | ActToken
"""What a token speaks for."""


class ReplyTokens(Protocol):
    """What is kept of reply tokens; the outbox adds them with the messages that carry them."""

    def meanings(self, hashes: Collection[str]) -> Mapping[str, Speaks]:
        """What the tokens with those hashes speak for; those that do not exist are left out."""
        ...


def code_of(secret: JudgeSecret, speaks: Speaks) -> str:
    """The token: 26 letters and digits in lower case, 128 bits."""
    match speaks:
        case PressToken(game, seat, generation, phase, writer, is_unnamed, hides, serial):
            # That of a message without a name is the same, whoever has written it.
            ends = (0 if is_unnamed else writer, f"{is_unnamed:d}{hides:d}", serial)
            return secret.code("reply/press", game, seat, generation, phase, *ends)
        case SeatToken(game, seat, generation, phase):
            return secret.code("reply/seat", game, seat, generation, phase)
        case AddressToken(person, address, serial):
            return secret.code("reply/address", person, address, serial)
        case ActToken(act):
            return secret.code("reply/act", act)


def tag_of(code: str) -> str:
    """The token as it stands in addresses, in Message-IDs and in the last line of a message."""
    return f"r.{code}"


def hash_of_code(code: str) -> str:
    """The hash under which a token is kept; it has 128 random bits, so a plain one is enough."""
    return sha256(code.lower().encode()).hexdigest()


def without_codes(ids: Iterable[str]) -> tuple[str, ...]:
    """The Message-IDs that carry no token."""
    return tuple(each for each in ids if not codes_in([each]))


def presented(
    secret: JudgeSecret, kept: ReplyTokens, codes: Iterable[str]
) -> Iterator[tuple[str, Speaks]]:
    """The tokens among *codes* with what they speak for, in their order.

    One that was made with another secret than today's counts no more.
    """
    hashes = {code: hash_of_code(code) for code in codes}
    meanings = kept.meanings(hashes.values()) if hashes else {}
    for code, hashed in hashes.items():
        speaks = meanings.get(hashed)
        if speaks is not None and compare_digest(code_of(secret, speaks), code):
            yield code, speaks
