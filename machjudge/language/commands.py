"""The commands and signons, as values.

``signon Lborgia pw`` is taught; ``L borgia pw``, ``borgia L pw``, ``Florence borgia pw``, quotes,
brackets and orders on the same line are understood. Further readings are in
:attr:`machjudge.language.commands.SignOn.others`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from machjudge.adjudicator.moments import Moment, Stage
from machjudge.translatable import Message

Words: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlainCommand:
    """A command known by its name and words only."""

    name: str
    """The rule's name in the grammar, with spaces."""
    words: Words = field(default=(), repr=False)
    """Hidden from repr: one may be a token."""

    @property
    def text(self) -> str:
        """Return the words, single-spaced."""
        return " ".join(self.words)


END_PRESS = PlainCommand("endpress")


@dataclass(frozen=True, slots=True)
class SignOn:
    """``signon Lborgia PASSWORD``: speak for a seat of a game."""

    seat: str
    """The power's initial, O for an observer, M for a master; or a name."""
    game: str
    password: str = field(repr=False)
    rest: str = field(default="", repr=False)
    """What follows the password, as a rule an order."""
    others: "tuple[SignOn, ...]" = field(default=(), repr=False)
    """Other readings, where the games decide."""


@dataclass(frozen=True, slots=True)
class Join:
    """``signon ?borgia PASSWORD``: take a seat in a game that forms."""

    game: str
    """Empty for the next public game."""
    password: str = field(repr=False)
    wishes: Words = ()
    """Preferences, or required options."""


@dataclass(frozen=True, slots=True)
class SignOff:
    """``signoff``: nothing that follows is for the judge."""

    has_quit: bool = False
    """True for ``quit``, which people may mistake for leaving the game."""


@dataclass(frozen=True, slots=True)
class Observe:
    """``observe GAME PASSWORD``."""

    game: str
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Create:
    """``create ?GAME PASSWORD SCENARIO OPTION…``."""

    game: str
    password: str = field(repr=False)
    wishes: Words = ()


@dataclass(frozen=True, slots=True)
class Become:
    """``become POWER``; or ``for POWER``, another power of one's own."""

    who: str
    own: bool = False


@dataclass(frozen=True, slots=True)
class Fix:
    """``fix treasury Florence 9 because …``."""

    what: str
    said: Words
    because: str


@dataclass(frozen=True, slots=True)
class Declare:
    """``declare victory Venice``, ``declare draw``: the master says how the game ended."""

    powers: Words = ()
    """The words for the winners; none for a draw of all."""
    draw: bool = False


@dataclass(frozen=True, slots=True)
class Process:
    """``process S1455M``, with the token that a preview gave behind it."""

    phase: Moment | None = None
    token: str = ""


@dataclass(frozen=True, slots=True)
class Rollback:
    """``rollback``, to the phase before or the named one."""

    phase: Moment | None = None


@dataclass(frozen=True, slots=True)
class Phase:
    """``phase S1456M``, ``phase every M``: the phase of the following orders."""

    phase: Moment | Stage


@dataclass(frozen=True, slots=True)
class If:
    """``if CONDITION``, also after ``else``: the following orders depend on it."""

    condition: Words
    otherwise: bool = False


class Cleared(Enum):
    """The dropped orders, where no phase is named."""

    HERE = ""
    """Those for the current phase of the mail."""
    LATER = "later"
    """Those of all later phases."""
    STANDING = "standing"
    """Those of every phase of a kind."""
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Clear:
    """``clear``, ``clear S1456M``, ``clear every M``, ``clear all``: drop orders on file."""

    what: Moment | Stage | Cleared = Cleared.HERE


@dataclass(frozen=True, slots=True)
class Restore:
    """``restore 3``: take the order set of that number again; or ``restore later 3``."""

    number: int
    later: bool = False


@dataclass(frozen=True, slots=True)
class List:
    """``list``, ``list GAME``, ``list full``."""

    game: str = ""
    full: bool = False


@dataclass(frozen=True, slots=True)
class History:
    """``history GAME from DATE to DATE lines N``."""

    game: str = ""
    since: Words = ()
    until: Words = ()
    lines: int | None = None


class Tone(Enum):
    """How press is signed."""

    SIGNED = "white"
    ANONYMOUS = "grey"


@dataclass(frozen=True, slots=True)
class Audience:
    """The named readers, or all but those."""

    names: Words = ()
    all_but: bool = False


EVERYBODY = Audience(all_but=True)


@dataclass(frozen=True, slots=True)
class Press:
    """``press to LM``, ``broadcast``: the lines up to ``endpress`` are a message."""

    to: Audience
    tone: Tone | None = None
    """None: the game's default."""
    shown_to: Audience | None = None
    """The claimed addressees of faked press."""
    no_fake: bool = False
    """True if it must not be faked, whatever the game's default."""


class NoteAction(Enum):
    """An action on the stored notes: postal press, or a private diary."""

    RECORD = "record"
    LIST = "list"
    READ = "read"
    DELETE = "delete"


@dataclass(frozen=True, slots=True)
class PostalPress:
    """``postal press``, published with the results; ``postal list``, ``read 1``, ``delete 1``."""

    act: NoteAction = NoteAction.RECORD
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Diary:
    """``diary record``, ``diary list``, ``diary read 3``, ``diary delete 3``."""

    act: NoteAction
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting: its key, and what was written behind it."""

    key: str
    on: bool = True
    """False behind ``no``."""
    value: Words = field(default=(), repr=False)
    """Hidden from repr: it may be a password."""

    @property
    def number(self) -> int:
        """Return the value as a number."""
        return int(self.value[0])


@dataclass(frozen=True, slots=True)
class Set:
    """``set deadline mon 20:00``, ``set nomoney, nodice``: several settings, in their order."""

    settings: tuple[Setting, ...]


Command: TypeAlias = (
    PlainCommand
    | SignOn
    | Join
    | SignOff
    | Observe
    | Create
    | Become
    | Fix
    | Declare
    | Process
    | Rollback
    | Phase
    | If
    | Clear
    | Restore
    | List
    | History
    | Press
    | PostalPress
    | Diary
    | Set
)
"""Any command."""


@dataclass(frozen=True, slots=True)
class NotACommand:
    """The line does not begin like a command; it may be an order."""


AROUND = " \"'`*_<>()[]{}“”‘’«»"
"""Signs around a word."""
_BEHIND = AROUND + ".,;:"
_SEPARATED = re.compile(r"(?P<letter>[A-Za-z])[-/_:.,](?P<game>[A-Za-z].*)")
_LABEL = re.compile(r"(?:password|passwort|pass|pw)[:=]+", re.IGNORECASE)
_COMMENT = re.compile(r"\s*(?://|#|\(.*\)\s*$)")

NO_SEAT = Message("language.no_seat")
NOTHING_BEHIND = Message("language.no_password")


def name_in(word: str) -> str:
    """Return a word without quotes, brackets and stops around it."""
    return word.lstrip(AROUND).rstrip(_BEHIND)


def spellings(password: str) -> tuple[str, ...]:
    """Return a password as typed, and without stops and quotes."""
    found = (password, name_in(password), name_in(password).rstrip("!?" + _BEHIND))
    return tuple(dict.fromkeys(each for each in found if each))


def read_sign_on(words: Sequence[str]) -> SignOn | Message:
    """Read the words behind ``signon``, or say what is missing."""
    if not words or (not words[1:] and "@" not in words[0] and not name_in(words[0])[1:]):
        return NO_SEAT
    found = list(_readings(words))
    if not found:
        return NOTHING_BEHIND
    first, *others = found
    if not first.seat or not first.game:
        return NO_SEAT
    return SignOn(first.seat, first.game, first.password, first.rest, tuple(others))


def rest_of(words: Words) -> str:
    """Return what follows a password; nothing for a comment."""
    text = " ".join(words)
    return "" if _COMMENT.match(text) else text


def without_label(words: Sequence[str]) -> Words:
    """The words without a ``password:`` at their beginning."""
    return tuple(words[1:] if words and _LABEL.fullmatch(words[0]) else words)


def _readings(words: Sequence[str]) -> Iterator[SignOn]:
    """The possible readings, the likeliest first, each with its password."""
    first = name_in(words[0])
    second = name_in(words[1]) if len(words) > 1 else ""
    if len(first) == 1:
        yield from _reading(first, second, words[2:])
    elif "@" in first:
        yield from _reading(*_around_at(first), words[1:])
    elif len(second) == 1 and words[2:]:
        yield from _reading(second, first, words[2:])
        if first[:1].lower() == second.lower():
            yield from _reading(first[0], first[1:], words[2:])
    else:
        yield from _reading(*_letter_and_game(first), words[1:])
        yield from _reading(first, second, words[2:])
        yield from _reading(second, first, words[2:])


def _reading(seat: str, game: str, behind: Sequence[str]) -> Iterator[SignOn]:
    password, *rest = without_label(behind) or ("",)
    if password:
        yield SignOn(seat, game, password, rest_of(tuple(rest)))


def _letter_and_game(word: str) -> tuple[str, str]:
    """``Lborgia``, or with a sign between the two: ``L-borgia``."""
    separated = _SEPARATED.fullmatch(word)
    return (separated["letter"], separated["game"]) if separated else (word[:1], word[1:])


def _around_at(word: str) -> tuple[str, str]:
    """``Florence@borgia``; ``borgia@L`` is the same as ``L@borgia``."""
    power, _, game = word.partition("@")
    return (game, power) if len(game) == 1 < len(power) else (power, game)
