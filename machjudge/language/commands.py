"""What can be said to the judge and is no order, as values; and the words of a signon.

``signon Lborgia pw`` is the form that is taught.  Understood as well are ``L borgia pw``,
``borgia L pw``, ``Florence borgia pw``, quotes and brackets around a word, and orders on the same
line.  What depends on which games there are stays open: the further readings are in
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
    """A command of which nothing need be known but its name and the words behind it."""

    name: str
    """That of its rule in the grammar, with spaces."""
    words: Words = field(default=(), repr=False)
    """Not shown by accident: one of them may be a token."""

    @property
    def text(self) -> str:
        """The words behind it, with single spaces."""
        return " ".join(self.words)


END_PRESS = PlainCommand("endpress")


@dataclass(frozen=True, slots=True)
class SignOn:
    """``signon Lborgia PASSWORD``: speak for a seat of a game."""

    seat: str
    """The power's initial, O for an observer, M for a master; a name where one was written."""
    game: str
    password: str = field(repr=False)
    rest: str = field(default="", repr=False)
    """What stands behind the password on the same line: an order, as a rule."""
    others: "tuple[SignOn, ...]" = field(default=(), repr=False)
    """What the line may mean besides, where that depends on which games there are."""


@dataclass(frozen=True, slots=True)
class Join:
    """``signon ?borgia PASSWORD``: take a seat in a game that forms."""

    game: str
    """Empty for the next public game."""
    password: str = field(repr=False)
    wishes: Words = ()
    """Preferences, or options that the game must have."""


@dataclass(frozen=True, slots=True)
class SignOff:
    """``signoff``: nothing that follows is for the judge."""

    has_quit: bool = False
    """Whether it was ``quit``, which might mean to leave the game and does not."""


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
    """The words that name the winners; of a draw without any, all that are left."""
    draw: bool = False


@dataclass(frozen=True, slots=True)
class Process:
    """``process S1455M``, with the token that a preview gave behind it."""

    phase: Moment | None = None
    token: str = ""


@dataclass(frozen=True, slots=True)
class Rollback:
    """``rollback``, to the phase before, or to the one that is named."""

    phase: Moment | None = None


@dataclass(frozen=True, slots=True)
class Phase:
    """``phase S1456M``: the orders that follow are for that phase.

    Or ``phase every M``: for every phase of a kind for which nothing else is on file.
    """

    phase: Moment | Stage


@dataclass(frozen=True, slots=True)
class If:
    """``if CONDITION``: the orders that follow count if it holds; also after ``else``."""

    condition: Words
    otherwise: bool = False


class Cleared(Enum):
    """Which orders are dropped, where no phase is named."""

    HERE = ""
    """Those of the phase that the orders are for, here in the mail."""
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
    """Whether press is signed."""

    SIGNED = "white"
    ANONYMOUS = "grey"


@dataclass(frozen=True, slots=True)
class Audience:
    """Who shall read: those named, or everybody but those named."""

    names: Words = ()
    all_but: bool = False


EVERYBODY = Audience(all_but=True)


@dataclass(frozen=True, slots=True)
class Press:
    """``press to LM``, ``broadcast``: the lines up to ``endpress`` are a message."""

    to: Audience
    tone: Tone | None = None
    """None as the game usually has it."""
    shown_to: Audience | None = None
    """To whom it is said to go, where that is faked."""
    no_fake: bool = False
    """Whether it must not look faked even where the game does so by default."""


class NoteAction(Enum):
    """What is done with notes that the judge keeps: postal press, or a private diary."""

    RECORD = "record"
    LIST = "list"
    READ = "read"
    DELETE = "delete"


@dataclass(frozen=True, slots=True)
class PostalPress:
    """``postal press``: the lines up to ``endpress`` are published with the results.

    ``postal list``, ``postal read 1``, ``postal delete 1`` before they are.
    """

    act: NoteAction = NoteAction.RECORD
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Diary:
    """``diary record``, ``diary list``, ``diary read 3``, ``diary delete 3``."""

    act: NoteAction
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Setting:
    """One thing that is set: its key in the table of settings, and what was written behind it."""

    key: str
    on: bool = True
    """False where ``no`` stood before it."""
    value: Words = field(default=(), repr=False)
    """Not shown by accident: it may be a password."""

    @property
    def number(self) -> int:
        """The value of a setting that takes a number."""
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
"""Everything that can be said to the judge and is no order."""


@dataclass(frozen=True, slots=True)
class NotACommand:
    """The line does not begin like a command; it may be an order."""


AROUND = " \"'`*_<>()[]{}“”‘’«»"
"""Signs that people put around a word."""
_BEHIND = AROUND + ".,;:"
_SEPARATED = re.compile(r"(?P<letter>[A-Za-z])[-/_:.,](?P<game>[A-Za-z].*)")
_LABEL = re.compile(r"(?:password|passwort|pass|pw)[:=]+", re.IGNORECASE)
_COMMENT = re.compile(r"\s*(?://|#|\(.*\)\s*$)")

NO_SEAT = Message("language.no_seat")
NOTHING_BEHIND = Message("language.no_password")


def name_in(word: str) -> str:
    """A word without the quotes, brackets and stops that people put around it."""
    return word.lstrip(AROUND).rstrip(_BEHIND)


def spellings(password: str) -> tuple[str, ...]:
    """A password as it was typed, and as it may have been meant: without stops and quotes."""
    found = (password, name_in(password), name_in(password).rstrip("!?" + _BEHIND))
    return tuple(dict.fromkeys(each for each in found if each))


def read_sign_on(words: Sequence[str]) -> SignOn | Message:
    """Read the words behind ``signon``; or say, for the one who wrote them, what is missing."""
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
    """What stands behind a password; a comment is nothing."""
    text = " ".join(words)
    return "" if _COMMENT.match(text) else text


def without_label(words: Sequence[str]) -> Words:
    """The words without a ``password:`` at their beginning."""
    return tuple(words[1:] if words and _LABEL.fullmatch(words[0]) else words)


def _readings(words: Sequence[str]) -> Iterator[SignOn]:
    """What the words may mean, the likeliest first; each with its password."""
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
