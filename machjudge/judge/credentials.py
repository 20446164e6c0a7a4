"""Proofs, acts, and reply tokens, by which an answer to a message of the judge signs on.

A message carries one token in three places, each of which is enough: in the address for answers
(``judge+r.TOKEN@domain``), in its Message-ID, and in the last line of its text.  A token is
computed from the judge's secret when the message is sent; only its hash and scope are stored.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from hashlib import sha256
from hmac import compare_digest
from typing import Protocol

from machjudge.judge.records import GameId, PersonId
from machjudge.judge.secret import JudgeSecret
from machjudge.mail_parser.secrets import codes_in


# What a mail may do: one table of what it proves and what it asks for. Nothing else decides. The
# address in From is no column of it: it counts beside a password where the verdict says so, and
# nowhere else. ``docs/identity.md`` shows the same table, and a test holds them equal.
class Proven(Enum):
    """The surest proof of a mail."""

    NOTHING = "nothing"
    UNCONFIRMED = "unconfirmed"
    PASSWORD = "password"  # noqa: S105  no password
    TOKEN = "token"  # noqa: S105
    SENDER = "sender"
    BOTH = "both"
    """A password, and a verified sender with an address of the seat's holder."""


class Act(Enum):
    """The kind of act that a command asks for."""

    READ = "read"
    ENTER = "enter"
    """Join, watch, take over, create."""
    SEAT = "seat"
    """Settings, the password and the address of the seat."""
    PLAY = "play"
    """Orders, press, diary of the seat."""
    PERSON = "person"
    """Settings of a person for all games: name, time zone, language, messages."""
    GAMES = "games"
    """A person's unlisted games and stored data."""
    STEER = "steer"
    FINAL = "final"
    """Irreversible acts; gifts of chits, though orders, belong to it too."""


class Verdict(Enum):
    """What happens to an act."""

    YES = "yes"
    ANSWERED = "answered"
    """It is kept without effect until the claimed address answers."""
    FRESH = "fresh"
    """It waits for the answer to a message to the address on file."""
    ON_FILE = "file"
    """Done if the mail is from an address on file: one game's password proves no other's."""
    OWN = "own"
    """Only in a game that is hidden because its creator is unconfirmed; and resigning."""
    NO = "no"


_YES, _ANSWERED, _NO, _OWN = Verdict.YES, Verdict.ANSWERED, Verdict.NO, Verdict.OWN
_ON_FILE = Verdict.ON_FILE

TABLE: Mapping[Act, Mapping[Proven, Verdict]] = {
    act: dict(zip(Proven, verdicts, strict=True))
    for act, verdicts in {
        Act.READ: (_YES, _YES, _YES, _YES, _YES, _YES),
        Act.ENTER: (_ANSWERED, _NO, _NO, _YES, _YES, _NO),
        Act.SEAT: (_NO, _YES, _YES, _YES, _NO, _YES),
        Act.PLAY: (_NO, _NO, _YES, _YES, _NO, _YES),
        Act.PERSON: (_ANSWERED, _ANSWERED, _ON_FILE, _YES, _YES, _YES),
        Act.GAMES: (_NO, _NO, _NO, _YES, _YES, _YES),
        Act.STEER: (_NO, _OWN, _YES, _YES, _NO, _YES),
        Act.FINAL: (_NO, _OWN, Verdict.FRESH, _YES, _NO, _YES),
    }.items()
}


def verdict(act: Act, proven: Proven) -> Verdict:
    """Return what happens to an act with a proof; a seat's acts need that seat to be open."""
    return TABLE[act][proven]


class TokenPurpose(Enum):
    """The purpose of a token."""

    WAY_IN = "way_in"
    """Opens a seat once instead of its password."""
    UNDO = "undo"
    """The same, and restores the old address of the seat."""
    LINK = "link"
    FORGET = "forget"


# What opens a seat besides its password: tokens that were mailed. Plain values; where they are
# kept is the affair of the port `Tokens`.
WAY_BACK_LASTS = timedelta(days=7)
"""How long a change of a seat's password or address can be undone."""
TOKEN_LASTS = {
    TokenPurpose.WAY_IN: timedelta(hours=24),
    TokenPurpose.UNDO: WAY_BACK_LASTS,
    TokenPurpose.LINK: timedelta(hours=24),
    TokenPurpose.FORGET: timedelta(hours=24),
}
"""How long a mailed token is valid."""


@dataclass(frozen=True, slots=True)
class Token:
    """A mailed token; only its hash is stored."""

    hashed: str
    purpose: TokenPurpose
    person: PersonId
    made: datetime
    until: datetime
    game: GameId | None = None
    seat: int | None = None
    address: str = ""
    """The restored address of the seat, or the new one of the person."""


def hash_of(token: str) -> str:
    """Return the stored hash of a token, whose 80 or more random bits need no salt."""
    return sha256(token.strip().lower().encode()).hexdigest()


WAITS = timedelta(days=3)
MAX_WAITING = 5


@dataclass(frozen=True, slots=True)
class PendingAct:
    """An act that was asked for with a password alone."""

    name: str
    game: GameId
    seat: int
    generation: int
    """The generation of the seat: with another player or password the act is void."""
    lines: tuple[str, ...]
    """The lines of a mail from the seat to be carried out."""
    made: datetime
    until: datetime

    @property
    def what(self) -> str:
        """The line that asks for it."""
        return self.lines[-1]


class PendingActs(Protocol):
    """The acts that wait."""

    def get(self, name: str) -> PendingAct | None:
        """Return the act of that name; None if it is done, was dropped, or never was."""

    def of(self, game: GameId, seat: int) -> Sequence[PendingAct]:
        """Return the acts of one seat, oldest first, including expired ones."""

    def add(self, act: PendingAct) -> None:
        """Keep an act."""

    def drop(self, name: str) -> None:
        """Forget an act.  Raises Stale if it is not there any more."""


LABEL = "Reply code:"
"""The text before the token in the last line of a message."""


@dataclass(frozen=True, slots=True)
class SeatToken:
    """Opens one seat of a game, as long as its generation is that of the seat."""

    game: GameId
    seat: int
    generation: int
    phase: str = ""
    """The code of the message's phase; empty if it had none."""


@dataclass(frozen=True, slots=True)
class PressToken(SeatToken):
    """Opens the seat of a reader of press, whose answer is words for its writer alone."""

    writer: int = 0
    """The number of the writer's seat."""
    is_unnamed: bool = False
    """The reader does not know the writer."""
    hides: bool = False
    """The answer is anonymous too, as it answers a reply to unsigned press."""
    serial: str = ""
    """Makes tokens of anonymous messages different, so that they do not show the same writer."""


@dataclass(frozen=True, slots=True)
class OfferToken(SeatToken):
    """Opens the seat of a side of an agreement; a plain yes or no of its answer is about that."""

    agreement: int = 0
    """Its number; 0 if the message is about several."""


@dataclass(frozen=True, slots=True)
class AddressToken:
    """Proves that an address got the message: it confirms the address for a person."""

    person: PersonId
    address: str
    serial: str = ""
    """Makes the tokens of one person and address different."""


@dataclass(frozen=True, slots=True)
class ActToken:
    """Carries out one waiting act."""

    act: str


@dataclass(frozen=True, slots=True)
class SubstituteToken:
    """Proves that a substitute was asked for a seat; their yes takes it."""

    game: GameId
    seat: int
    generation: int
    person: PersonId


TokenScope = SeatToken | PressToken | OfferToken | AddressToken | ActToken | SubstituteToken
"""What a token authorises."""


class ReplyTokens(Protocol):
    """The stored reply tokens; the outbox adds them with their messages."""

    def meanings(self, hashes: Collection[str]) -> Mapping[str, TokenScope]:
        """Return the scopes of the tokens with those hashes, without unknown ones."""


def code_of(secret: JudgeSecret, scope: TokenScope) -> str:
    """Return the token: 26 letters and digits in lower case, 128 bits."""
    match scope:
        case PressToken(game, seat, generation, phase, writer, is_unnamed, hides, serial):
            # The token of an anonymous message must not depend on its writer.
            ends = (0 if is_unnamed else writer, f"{is_unnamed:d}{hides:d}", serial)
            return secret.code("reply/press", game, seat, generation, phase, *ends)
        case OfferToken(game, seat, generation, phase, agreement):
            return secret.code("reply/offer", game, seat, generation, phase, agreement)
        case SeatToken(game, seat, generation, phase):
            return secret.code("reply/seat", game, seat, generation, phase)
        case AddressToken(person, address, serial):
            return secret.code("reply/address", person, address, serial)
        case ActToken(act):
            return secret.code("reply/act", act)
        case SubstituteToken(game, seat, generation, person):
            return secret.code("reply/substitute", game, seat, generation, person)


def tag_of(code: str) -> str:
    """Return the token as in addresses, Message-IDs and the last line of a message."""
    return f"r.{code}"


def without_codes(ids: Iterable[str]) -> tuple[str, ...]:
    """Return the Message-IDs that carry no token."""
    return tuple(each for each in ids if not codes_in([each]))


def presented(
    secret: JudgeSecret, kept: ReplyTokens, codes: Iterable[str]
) -> Iterator[tuple[str, TokenScope]]:
    """Check reply codes: return those of the current secret, with what they open."""
    hashes = {code: hash_of(code) for code in codes}
    meanings = kept.meanings(hashes.values()) if hashes else {}
    for code, hashed in hashes.items():
        scope = meanings.get(hashed)
        if scope is not None and compare_digest(code_of(secret, scope), code):
            yield code, scope
