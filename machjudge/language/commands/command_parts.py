"""From the tree of a command line to the command: a method for each rule that is no plain one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from lark import Token, v_args

from machjudge.adjudicator.model.moments import Moment, Stage
from machjudge.language.commands import commands as c
from machjudge.language.commands.press_parts import (
    ARGUMENTS,
    NUMBER,
    Fake,
    NoFake,
    PressParts,
    WrongCommand,
    arguments,
)
from machjudge.language.commands.signon import NOTHING_BEHIND, name_in, read_sign_on, without_label
from machjudge.language.vocabulary.phase_names import read_phase, read_stage
from machjudge.language.vocabulary.said import Fault
from machjudge.sentence import Sentence


@dataclass(frozen=True, slots=True)
class Since:
    """From when a history is wanted."""

    words: c.Words


@dataclass(frozen=True, slots=True)
class Until:
    """Until when a history is wanted."""

    words: c.Words


@dataclass(frozen=True, slots=True)
class Lines:
    """How much of a history is wanted."""

    number: Token


Span: TypeAlias = Since | Until | Lines


WITHOUT_WORDS: Mapping[str, object] = {
    "sign_off": c.SignOff(),
    "quit": c.SignOff(has_quit=True),
    "wait": c.Set((c.Setting("wait"),)),
    "nowait": c.Set((c.Setting("wait", on=False),)),
    "list_all": c.List("games"),
    "everybody": c.EVERYBODY,
    "signed": c.Tone.SIGNED,
    "anonymous": c.Tone.ANONYMOUS,
    "no_fake": NoFake(),
    "fake_broadcast": Fake(c.EVERYBODY),
    "postal": c.PostalPress(),
    "postal_list": c.PostalPress(c.NoteAction.LIST),
    "diary": c.Diary(c.NoteAction.RECORD),
    "diary_list": c.Diary(c.NoteAction.LIST),
}
"""What rules stand for in which all words are keywords, where that is no plain command."""


@v_args(wrapper=arguments)
class Commands(PressParts):
    """Makes commands; what a command lacks has been refused by the grammar already.

    A rule without a method is that of a plain command.
    """

    def __default__(self, data: str, children: list[object], meta: object) -> object:
        """What has no words to look at, or else a plain command."""
        words = (str(x) for x in children if isinstance(x, Token) and x.type in ARGUMENTS)
        return WITHOUT_WORDS.get(data) or c.PlainCommand(data.replace("_", " "), tuple(words))

    def sign_on(self, *words: Token) -> c.Command | WrongCommand:
        """``signon Lborgia secret``, ``signon L@borgia secret``, ``signon ?borgia secret``."""
        if words and name_in(words[0]).startswith("?"):
            return _join(words)
        found = read_sign_on(_plain(words))
        if found == NOTHING_BEHIND:
            return _without_password(words)
        return (
            WrongCommand(_at(words[0]) if words else 0, found)
            if isinstance(found, Sentence)
            else found
        )

    def join(self, *words: Token) -> c.Command | WrongCommand:
        """``join ?borgia secret``."""
        return _join(words)

    def hello(self, *words: Token) -> c.Command | WrongCommand:
        """``hello Lborgia secret``: people greet with that word, so nothing may follow it."""
        found = self.sign_on(*words)
        if isinstance(found, c.SignOn) and (found.rest or found.others):
            return WrongCommand(_at(words[-1]), Sentence("language.nothing_behind_password"))
        return found

    def observe(self, game: Token, password: Token) -> c.Observe:
        """``observe``."""
        return c.Observe(name_in(game).removeprefix("?"), str(password))

    def create(self, game: Token, password: Token, *wishes: Token) -> c.Create | WrongCommand:
        """``create ?borgia secret``, or ``create ? borgia secret``."""
        name = name_in(game).removeprefix("?")
        if name:
            return c.Create(name, str(password), _plain(wishes))
        if not wishes:
            return WrongCommand(_at(game), Sentence("language.new_games_name"))
        return c.Create(name_in(password), str(wishes[0]), _plain(wishes[1:]))

    def become(self, *who: Token) -> c.Become:
        """``become``."""
        return c.Become(" ".join(who))

    def for_(self, *who: Token) -> c.Become:
        """``for``."""
        return c.Become(" ".join(who), own=True)

    def declare_victory(self, *powers: Token) -> c.Declare:
        """``declare victory``."""
        return c.Declare(_plain(powers))

    def declare_draw(self, *powers: Token) -> c.Declare:
        """``declare draw``."""
        return c.Declare(_plain(powers), draw=True)

    def process(self, *words: Token) -> c.Process | WrongCommand:
        """``process``, with a phase or a token."""
        phase = read_phase(words) if words else None
        if phase is not None or not words:
            return c.Process(phase)
        if len(words) == 1:
            return c.Process(token=str(words[0]))
        phase = read_phase(words[:-1])
        return _no_phase(words) if phase is None else c.Process(phase, str(words[-1]))

    def rollback(self, *words: Token) -> c.Rollback | WrongCommand:
        """``rollback``."""
        phase = read_phase(words) if words else None
        return c.Rollback(phase) if phase is not None or not words else _no_phase(words)

    def phase(self, *words: Token) -> c.Phase | WrongCommand:
        """``phase``."""
        phase = _phase_or_kind(words)
        return _no_phase(words) if phase is None else c.Phase(phase)

    def if_(self, *condition: Token) -> c.If:
        """``if``."""
        return c.If(_plain(condition))

    def else_if(self, *condition: Token) -> c.If:
        """``else if``."""
        return c.If(_plain(condition), otherwise=True)

    def clear(self, *words: Token) -> c.Clear | WrongCommand:
        """``clear``."""
        said = " ".join(words).lower()
        named = next((each for each in c.Cleared if each.value == said), None)
        what = named or _phase_or_kind(words)
        if what is None:
            return WrongCommand(_at(words[0]), Sentence("language.clear_what"))
        return c.Clear(what)

    def restore(self, *words: Token) -> c.Restore | WrongCommand:
        """``restore``."""
        later = len(words) > 1 and words[0].lower() == "later"
        rest = words[1:] if later else words
        if len(rest) != 1 or not NUMBER.fullmatch(rest[0]):
            return WrongCommand(_at(rest[0]), Sentence("language.which_set"))
        return c.Restore(int(rest[0]), later)

    def list_(self, *game: Token) -> c.List:
        """``list``."""
        return c.List(" ".join(game))

    def list_full(self, *game: Token) -> c.List:
        """``list full``."""
        return c.List(" ".join(game), full=True)

    def history(self, *parts: Token | Span) -> c.History | WrongCommand:
        """``history``."""
        lines = next((part.number for part in parts if isinstance(part, Lines)), None)
        if lines is not None and not NUMBER.fullmatch(lines):
            return WrongCommand(_at(lines), Sentence("language.how_many_lines"))
        return c.History(
            " ".join(part for part in parts if isinstance(part, Token)),
            next((part.words for part in parts if isinstance(part, Since)), ()),
            next((part.words for part in parts if isinstance(part, Until)), ()),
            None if lines is None else int(lines),
        )

    def since(self, *words: Token) -> Since:
        """``from monday``."""
        return Since(_plain(words))

    def until(self, *words: Token) -> Until:
        """``to friday``."""
        return Until(_plain(words))

    def lines(self, number: Token) -> Lines:
        """``lines 100``."""
        return Lines(number)

    def who_is(self, *words: Token) -> c.PlainCommand:
        """``whois``."""
        return c.PlainCommand("who", ("is", *words))


def _join(words: Sequence[Token]) -> c.Join | WrongCommand:
    """``signon ?borgia secret``; ``? borgia secret`` may be the game or a password."""
    password, *wishes = without_label(words[1:]) or ("",)
    if not password:
        return _without_password(words)
    return c.Join(name_in(words[0])[1:], str(password), _plain(wishes))


def _at(word: Token) -> int:
    return word.start_pos or 0


def _without_password(words: Sequence[Token]) -> WrongCommand:
    end = _at(words[-1]) + len(words[-1])
    return WrongCommand(end, NOTHING_BEHIND, Fault.INCOMPLETE)


def _plain(words: Sequence[str]) -> c.Words:
    return tuple(map(str, words))


def _phase_or_kind(words: Sequence[Token]) -> Moment | Stage | None:
    """One phase, or behind ``every`` a kind of phase."""
    if words and words[0].lower() in ("every", "each"):
        return read_stage(words[1:])
    return read_phase(words)


def _no_phase(words: Sequence[Token]) -> WrongCommand:
    return WrongCommand(_at(words[0]), Sentence("language.write_phase"))
