"""The commands of the dialogue as values: plain ones by their names, the others with a class each.

So a table can lead from a command to what carries it out.  What it may do, and who may give it, is
the service's affair.
Names of games and people stay as they were written; case is for whoever looks them up.
"""

from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from machjudge.adjudicator.model.moments import Moment, Stage

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
