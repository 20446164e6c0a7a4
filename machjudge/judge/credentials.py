"""Reply tokens: answering a message of the judge is enough, because the answer carries its token.

A message to somebody carries one token in three places: in the address for answers
(``judge+r.TOKEN@domain``), in its Message-ID, and in the last line of its text.  Each alone is
enough.  A token is computed from the judge's secret when the message is sent; kept is only the
hash by which it is known again, with what it speaks for.
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


class Proven(Enum):
    """The surest proof of a mail."""

    NOTHING = "nothing"
    UNCONFIRMED = "unconfirmed"
    """The password of a seat whose address is not confirmed."""
    PASSWORD = "password"  # noqa: S105  no password
    TOKEN = "token"  # noqa: S105
    SENDER = "sender"
    """A verified sender."""
    BOTH = "both"
    """A password and a verified sender, who is an address of whoever sits there."""


class Act(Enum):
    """What a mail asks for; each command says which of these it is."""

    READ = "read"
    """What everybody may read."""
    ENTER = "enter"
    """Join, watch, take over, create."""
    WISH = "wish"
    """Wishes, the password and the address of the seat."""
    PLAY = "play"
    """Orders, press, diary of the seat."""
    PERSON = "person"
    """What holds for a person at all games: name, time zone, language, how messages come."""
    GAMES = "games"
    """The unlisted games of a person, and all that is known of them."""
    STEER = "steer"
    """What the master of the game may do."""
    FINAL = "final"
    """What cannot be taken back.  Chits that are given away are orders, and belong to it too."""


class Verdict(Enum):
    """What becomes of it."""

    YES = "yes"
    ANSWERED = "answered"
    """It is kept, and counts for nothing until somebody answers from the claimed address."""
    FRESH = "fresh"
    """It waits for the answer to a message to the address on file."""
    ON_FILE = "file"
    """If the mail comes from an address on file: the password of one game is not that of others."""
    OWN = "own"
    """In a game that nobody else sees yet, because its creator is not confirmed; and to go."""
    NO = "no"


_YES, _ANSWERED, _NO, _OWN = Verdict.YES, Verdict.ANSWERED, Verdict.NO, Verdict.OWN
_ON_FILE = Verdict.ON_FILE

TABLE: Mapping[Act, Mapping[Proven, Verdict]] = {
    act: dict(zip(Proven, verdicts, strict=True))
    for act, verdicts in {
        Act.READ: (_YES, _YES, _YES, _YES, _YES, _YES),
        Act.ENTER: (_ANSWERED, _NO, _NO, _YES, _YES, _NO),
        Act.WISH: (_NO, _YES, _YES, _YES, _NO, _YES),
        Act.PLAY: (_NO, _NO, _YES, _YES, _NO, _YES),
        Act.PERSON: (_ANSWERED, _ANSWERED, _ON_FILE, _YES, _YES, _YES),
        Act.GAMES: (_NO, _NO, _NO, _YES, _YES, _YES),
        Act.STEER: (_NO, _OWN, _YES, _YES, _NO, _YES),
        Act.FINAL: (_NO, _OWN, Verdict.FRESH, _YES, _NO, _YES),
    }.items()
}


def verdict(act: Act, proven: Proven) -> Verdict:
    """What becomes of an act under a proof; a seat's acts need that seat to be open."""
    return TABLE[act][proven]


class TokenPurpose(Enum):
    """What a token is for."""

    WAY_IN = "way_in"
    """It opens a seat once instead of its password."""
    UNDO = "undo"
    """The same, and the mails of the seat go to the old address again."""
    LINK = "link"
    """It makes an address one of somebody's."""
    FORGET = "forget"
    """It has everything removed that tells who somebody is."""


WAY_BACK_LASTS = timedelta(days=7)
"""How long a change of a seat's password or address can be undone."""
TOKEN_LASTS = {
    TokenPurpose.WAY_IN: timedelta(hours=24),
    TokenPurpose.UNDO: WAY_BACK_LASTS,
    TokenPurpose.LINK: timedelta(hours=24),
    TokenPurpose.FORGET: timedelta(hours=24),
}
"""How long a token that was mailed is worth something."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token that was mailed; only its hash is kept."""

    hashed: str
    purpose: TokenPurpose
    person: PersonId
    made: datetime
    until: datetime
    """From then on it is worth nothing."""
    game: GameId | None = None
    seat: int | None = None
    address: str = ""
    """The address to which the mails of the seat go again, or that becomes the person's."""


def hash_of(token: str) -> str:
    """The hash under which a token is kept: it has 80 random bits or more, so it needs no salt."""
    return sha256(token.strip().lower().encode()).hexdigest()


WAITS = timedelta(days=3)
"""How long an act waits for the answer."""
MAX_WAITING = 5
"""Acts of one seat."""


@dataclass(frozen=True, slots=True)
class PendingAct:
    """An act that somebody asked for with a password alone."""

    name: str
    """A random text that is never given twice."""
    game: GameId
    seat: int
    generation: int
    """The generation of the seat: with another player or password the act is void."""
    lines: tuple[str, ...]
    """What is carried out, as lines of a mail from the seat."""
    made: datetime
    until: datetime
    """From then on it is void."""

    @property
    def what(self) -> str:
        """The line that asks for it."""
        return self.lines[-1]


class PendingActs(Protocol):
    """The acts that wait."""

    def get(self, name: str) -> PendingAct | None:
        """The act of that name; None if it was carried out, was dropped, or never was."""

    def of(self, game: GameId, seat: int) -> Sequence[PendingAct]:
        """The acts of one seat, oldest first, those whose time is over included."""

    def add(self, act: PendingAct) -> None:
        """Keep an act."""

    def drop(self, name: str) -> None:
        """Forget an act.  Raises Stale if it is not there any more."""


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


TokenScope = SeatToken | PressToken | AddressToken | ActToken
"""What a token speaks for."""


class ReplyTokens(Protocol):
    """What is kept of reply tokens; the outbox adds them with the messages that carry them."""

    def meanings(self, hashes: Collection[str]) -> Mapping[str, TokenScope]:
        """What the tokens with those hashes speak for; those that do not exist are left out."""


def code_of(secret: JudgeSecret, scope: TokenScope) -> str:
    """The token: 26 letters and digits in lower case, 128 bits."""
    match scope:
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


def without_codes(ids: Iterable[str]) -> tuple[str, ...]:
    """The Message-IDs that carry no token."""
    return tuple(each for each in ids if not codes_in([each]))


def presented(
    secret: JudgeSecret, kept: ReplyTokens, codes: Iterable[str]
) -> Iterator[tuple[str, TokenScope]]:
    """The tokens among *codes* with what they speak for, in their order.

    One that was made with another secret than today's counts no more.
    """
    hashes = {code: hash_of(code) for code in codes}
    meanings = kept.meanings(hashes.values()) if hashes else {}
    for code, hashed in hashes.items():
        scope = meanings.get(hashed)
        if scope is not None and compare_digest(code_of(secret, scope), code):
            yield code, scope
