"""The words with which commands and orders begin, taken from the two grammars.

The reader of mails has to know where a new command begins; these are the only lists for that.
Knows words; no board, no game.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from difflib import get_close_matches
from enum import Enum
from functools import cache
from itertools import product
from typing import TypeAlias

from lark import Lark, Token, Transformer, Tree, UnexpectedInput, v_args
from lark.parsers.lalr_interactive_parser import InteractiveParser

from machjudge.adjudicator.moments import Moment, Stage
from machjudge.adjudicator.names import PowerId
from machjudge.language import commands as c
from machjudge.language.commands import (
    NOTHING_BEHIND,
    Command,
    Fix,
    NotACommand,
    name_in,
    read_sign_on,
    without_label,
)
from machjudge.language.lexicon import (
    END,
    Halt,
    Lexicon,
    NoLexer,
    Several,
    Shape,
    class_of,
    letter,
    listed,
    openings,
    tree_of,
    vocabulary,
    words_of,
)
from machjudge.language.settings import read_settings
from machjudge.language.words import (
    MAX_CHARACTERS,
    SYNONYMS,
    Ambiguous,
    Candidate,
    Fault,
    ParseError,
    Refused,
    fold,
    in_words,
    read_phase,
    read_stage,
)
from machjudge.translatable import Message, MessageOrText


class ReaderRole(Enum):
    """Readers who play no power."""

    OBSERVERS = "O"
    MASTER = "M"


Reader: TypeAlias = PowerId | ReaderRole

_ROLES = {
    "o": ReaderRole.OBSERVERS,
    "observer": ReaderRole.OBSERVERS,
    "observers": ReaderRole.OBSERVERS,
    "m": ReaderRole.MASTER,
    "master": ReaderRole.MASTER,
    "gm": ReaderRole.MASTER,
    "gamemaster": ReaderRole.MASTER,
    "game-master": ReaderRole.MASTER,
    "moderator": ReaderRole.MASTER,
}

_LIKE = 0.7


def read_readers(names: Iterable[str], lexicon: Lexicon) -> tuple[Reader, ...] | Refused:
    """Find who is meant by the names of an audience.

    :param names: as :class:`machjudge.language.commands.Audience` has them.
    :param lexicon: the powers of the game.
    :returns: everybody who is meant, once each, in the order of mention; or the first name that
        is nobody's, or may be several people's.
    """
    readers: list[Reader] = []
    for name in names:
        meant = _readers(name, lexicon)
        if isinstance(meant, ParseError | Ambiguous):
            return meant
        readers += [reader for reader in meant if reader not in readers]
    return tuple(readers)


def _readers(name: str, lexicon: Lexicon) -> tuple[Reader, ...] | Refused:
    """A power's name or initial, a role, or several initials in one word."""
    plain = fold(name)
    if plain in _ROLES and not lexicon.is_power(plain):
        return (_ROLES[plain],)
    power = lexicon.power(plain)
    glued = _initials(plain, lexicon)
    if isinstance(power, str):
        # In capitals it may be several initials: press to PA goes to the Papacy or to two powers.
        unclear = len(plain) > 1 and name.isupper() and glued and not lexicon.is_power(plain)
        return _either(name, power, glued, lexicon) if unclear else (power,)
    if isinstance(power, Several):
        return Ambiguous(name, 0, name, power.candidates)
    near = _nearest(plain, lexicon)
    if glued and near is None:
        return glued
    if glued and near is not None and name.isupper():
        return _either(name, near, glued, lexicon)
    reason = Message("language.nobody_called", name=name)
    return ParseError(name, 0, Fault.NO_POWER, reason, name, nearest=nearest_power(plain, lexicon))


def nearest_power(text: str, lexicon: Lexicon) -> str | None:
    """The name of the power that looks most like a word; None if no name does."""
    power = _nearest(fold(text), lexicon)
    return None if power is None else lexicon.powers[power].name


def _nearest(plain: str, lexicon: Lexicon) -> PowerId | None:
    near = get_close_matches(plain, lexicon.power_names(), n=1, cutoff=_LIKE)
    power = lexicon.power(near[0]) if near else None
    return power if isinstance(power, str) else None


def _initials(plain: str, lexicon: Lexicon) -> tuple[Reader, ...]:
    """The readers of a word in which every letter is an initial; None if one is not."""
    ids = {power.lower(): power for power in lexicon.powers}
    readers = [ids.get(letter) or _ROLES.get(letter) for letter in plain]
    found = tuple(reader for reader in readers if reader is not None)
    # Nobody writes an initial twice: such a word is a word.
    return found if len(found) == len(plain) == len(set(plain)) else ()


def _either(name: str, power: PowerId, glued: tuple[Reader, ...], lexicon: Lexicon) -> Ambiguous:
    """``PA`` may be the Papacy, or the Papacy and Austria; ``ILN`` a slip in Milan."""
    spelt = in_words([_called(reader, lexicon) for reader in glued], "and")
    whole = Candidate(power, lexicon.powers[power].name)
    return Ambiguous(name, 0, name, (whole, Candidate(" ".join(name.upper()), spelt)))


def _called(reader: Reader, lexicon: Lexicon) -> str:
    if isinstance(reader, ReaderRole):
        return reader.name.lower()
    return lexicon.powers[reader].name


@dataclass(frozen=True, slots=True)
class WrongCommand:
    """A command that is complete and cannot be meant, and where in the line the trouble is."""

    at: int
    reason: Message
    fault: Fault = Fault.UNEXPECTED


@dataclass(frozen=True, slots=True)
class Fake:
    """To whom press is said to go."""

    shown_to: c.Audience


@dataclass(frozen=True, slots=True)
class NoFake:
    """Press must not be faked."""


Option: TypeAlias = c.Audience | c.Tone | Fake | NoFake
NUMBER = re.compile(r"[0-9]{1,6}")


def arguments(
    method: Callable[..., object], _rule: str, children: Sequence[object], _meta: object
) -> object:
    """Give a method what its children mean: no keywords, only arguments."""
    return method(*(x for x in children if not isinstance(x, Token) or x.type in ARGUMENTS))


ARGUMENTS = ("ARG", "PLUS", "MINUS", "TEXT")


@v_args(wrapper=arguments)
class PressParts(Transformer[Token, c.Command | WrongCommand]):
    """Makes the commands with which somebody writes to others, or for himself."""

    def press(self, *options: Option) -> c.Press | WrongCommand:
        """``press``, which must say to whom."""
        if not any(isinstance(option, c.Audience) for option in options):
            return WrongCommand(0, Message("language.to_whom"))
        return _press(options)

    def broadcast(self, *options: Option) -> c.Press:
        """``broadcast``."""
        return _press(options)

    def some(self, *names: Token) -> c.Audience:
        """``to L, M``, ``+LM``."""
        return c.Audience(_names(names))

    def all_but(self, *names: Token) -> c.Audience:
        """``to all but L``, ``-L``."""
        return c.Audience(_names(names), all_but=True)

    def fake(self, audience: c.Audience) -> Fake:
        """``fake to LM``."""
        return Fake(audience)

    def postal_read(self, number: Token) -> c.Command | WrongCommand:
        """``postal read 1``."""
        return _numbered(c.PostalPress, c.NoteAction.READ, number)

    def postal_delete(self, number: Token) -> c.Command | WrongCommand:
        """``postal delete 1``."""
        return _numbered(c.PostalPress, c.NoteAction.DELETE, number)

    def diary_read(self, number: Token) -> c.Command | WrongCommand:
        """``diary read 3``."""
        return _numbered(c.Diary, c.NoteAction.READ, number)

    def diary_delete(self, number: Token) -> c.Command | WrongCommand:
        """``diary delete 3``."""
        return _numbered(c.Diary, c.NoteAction.DELETE, number)


def _numbered(
    of: type[c.PostalPress] | type[c.Diary], act: c.NoteAction, number: Token
) -> c.PostalPress | c.Diary | WrongCommand:
    if not NUMBER.fullmatch(number):
        return WrongCommand(number.start_pos or 0, Message("language.entries_have_numbers"))
    return of(act, int(number))


def _names(words: Sequence[Token]) -> c.Words:
    """The names in a list: parted by spaces, commas or "and", with or without a sign before."""
    pieces = [piece for word in words for piece in word.lstrip("+-").split(",")]
    return tuple(piece for piece in pieces if piece and piece.lower() not in ("and", "&"))


def _press(options: Sequence[Option]) -> c.Press:
    """Of what is said twice the last counts."""
    press = c.Press(c.EVERYBODY)
    for option in options:
        match option:
            case c.Audience():
                press = replace(press, to=option)
            case c.Tone():
                press = replace(press, tone=option)
            case Fake():
                press = replace(press, shown_to=option.shown_to, no_fake=False)
            case NoFake():
                press = replace(press, shown_to=None, no_fake=True)
    return press


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
            if isinstance(found, Message)
            else found
        )

    def join(self, *words: Token) -> c.Command | WrongCommand:
        """``join ?borgia secret``."""
        return _join(words)

    def hello(self, *words: Token) -> c.Command | WrongCommand:
        """``hello Lborgia secret``: people greet with that word, so nothing may follow it."""
        found = self.sign_on(*words)
        if isinstance(found, c.SignOn) and (found.rest or found.others):
            return WrongCommand(_at(words[-1]), Message("language.nothing_behind_password"))
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
            return WrongCommand(_at(game), Message("language.new_games_name"))
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
            return WrongCommand(_at(words[0]), Message("language.clear_what"))
        return c.Clear(what)

    def restore(self, *words: Token) -> c.Restore | WrongCommand:
        """``restore``."""
        later = len(words) > 1 and words[0].lower() == "later"
        rest = words[1:] if later else words
        if len(rest) != 1 or not NUMBER.fullmatch(rest[0]):
            return WrongCommand(_at(rest[0]), Message("language.which_set"))
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
            return WrongCommand(_at(lines), Message("language.how_many_lines"))
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
    return WrongCommand(_at(words[0]), Message("language.write_phase"))


_WORD = re.compile(r"\S+")
_PUNCTUATION = ".,;:!"
_LIST_SIGNS = {"+": "PLUS", "-": "MINUS"}
_OPEN = ("ARG", "PLUS", "MINUS", "__IGNORE_0")
"""The classes that list no words."""
_HESITANT = {"I": 3, "SIGN": 2, "LOG": 2, "FORCE": 2, "INFO": 2, "POSTAL": 2, "END": 2}
"""Words that begin a command only together with the next one or two: anybody may write "I am"."""
_ALONE = frozenset(("QUIT", "GAMES", "TEXT"))
"""Words that are a command only where nothing follows them."""
_DATES = re.compile(r"(?=.*\d)[\w\s:.,+/-]{1,60}")
_BARE_VALUES = {
    "pref": re.compile(r"[A-Z\[\], *]{1,40}|\S*[*\[]\S*"),
    "timezone": re.compile(r"[A-Za-z]+/\S+|[A-Z]{3,5}"),
    "absence": _DATES,
    "holiday": _DATES,
    "vacation": _DATES,
}
"""What the values of settings look like that are written without ``set``."""
_MAX_EXPECTED = 6


def parse_command(line: str) -> Command | NotACommand | ParseError:
    """Read a line as a command.

    :param line: one line as it was written; anything at all.
    :returns: the command; or that the line does not begin like one, and may be an order; or why a
        line that begins like a command is none.  A problem repeats the line as it is, with a
        password that may stand in it.
    """
    words = [] if len(line) > MAX_CHARACTERS else list(_WORD.finditer(line))
    if not words or _keyword(words[0]) not in _openings():
        return NotACommand()
    if not _begins_surely(words):
        return NotACommand()
    if _keyword(words[0]) == "BARE":
        return _bare(line, words)
    if _keyword(words[0]) == "SET":
        return read_settings(line, words[0].end())
    if _keyword(words[0]) == "FIX":
        return _fix(line, words[1:])
    tree = _tree_of(line, words)
    return tree if isinstance(tree, NotACommand | ParseError) else _command(line, tree)


def _begins_surely(words: Sequence[re.Match[str]]) -> bool:
    """Whether words that sentences begin with, too, stand as they do in a command."""
    match _keyword(words[0]):
        case kind if kind in _ALONE:
            return len(words) == 1
        case "JOIN":
            return len(words) > 1 and words[1].group().lstrip("<\"'").startswith("?")
        case _:
            return True


def _bare(line: str, words: Sequence[re.Match[str]]) -> Command | NotACommand | ParseError:
    """A setting without ``set``, where it looks like one: anybody may write of their holidays."""
    value = line[words[0].end() :].strip(" :=")
    name = fold(words[0].group()).rstrip(_PUNCTUATION)
    looks = next(shape for start, shape in _BARE_VALUES.items() if name.startswith(start))
    return read_settings(line, words[0].start()) if looks.fullmatch(value) else NotACommand()


def _fix(line: str, words: Sequence[re.Match[str]]) -> Fix | ParseError:
    """The words of a correction are nobody's keywords, as a reason may hold any."""
    said = tuple(word.group() for word in words)
    why = next((n for n, word in enumerate(said) if word.lower() == "because"), len(said))
    if not 0 < why < len(said) - 1:
        reason = Message("language.say_why")
        return ParseError(line, len(line), Fault.INCOMPLETE, reason)
    return Fix(said[0].lower(), said[1:why], " ".join(said[why + 1 :]).rstrip("."))


@cache
def keywords() -> Mapping[str, str]:
    """Every keyword of the commands with the name of its class."""
    return {
        word: terminal.name
        for terminal in _grammar().terminals
        if terminal.name not in _OPEN
        for word in listed(terminal.pattern)
    }


@cache
def command_phrases() -> frozenset[tuple[str, ...]]:
    """The words with which each command begins: one, or as many as make it certain."""
    listed_in: dict[str, list[str]] = defaultdict(list)
    for word, name in keywords().items():
        listed_in[name].append(word)
    return frozenset(
        phrase
        for names in _first_classes()
        for phrase in product(*(listed_in[name] for name in names))
        if phrase[0].isalpha()
    )


def _first_classes() -> Iterator[tuple[str, ...]]:
    """The classes with which each command begins, those of hesitant words with what follows."""
    for name in _openings() & _closed():
        tails: list[tuple[str, ...]] = [(name,)]
        for _ in range(_HESITANT.get(name, 1) - 1):
            tails = [(*tail, more) for tail in tails for more in _room_behind(tail) & _closed()]
        yield from tails


def _room_behind(names: Sequence[str]) -> frozenset[str]:
    parser = _grammar().parse_interactive()
    for name in names:
        parser.feed_token(Token(name, name))
    return _room(parser)


@cache
def _grammar() -> Lark:
    return Lark.open_from_package(
        __package__, "commands.lark", parser="lalr", start="command", lexer=NoLexer
    )


@cache
def _openings() -> frozenset[str]:
    return _room(_grammar().parse_interactive())


def _keyword(word: re.Match[str]) -> str:
    """The class of a keyword, with or without punctuation behind it; ARG for any other word."""
    plain = fold(word.group())
    return keywords().get(plain) or keywords().get(plain.rstrip(_PUNCTUATION), "ARG")


def _tree_of(line: str, words: Sequence[re.Match[str]]) -> Tree[Token] | NotACommand | ParseError:
    parser = _grammar().parse_interactive()
    needed = _HESITANT.get(_keyword(words[0]), 0)
    for number, word in enumerate(words):
        room = _room(parser)
        fed = _fed(parser, _token(word, room), room)
        if fed is None:
            return NotACommand() if number < needed else _misplaced(line, word, room)
        parser = fed
    room = _room(parser)
    try:
        tree: Tree[Token] = parser.feed_token(Token(END, ""))
    except UnexpectedInput:
        return NotACommand() if len(words) < needed else _incomplete(line, room)
    return tree


def _fed(parser: InteractiveParser, token: Token, room: frozenset[str]) -> InteractiveParser | None:
    """The parser behind a word; None if it cannot stand.

    The room is that of all commands that look alike so far: a keyword of another one is a word.
    """
    kinds = {token.type, "ARG"} if "ARG" in room else {token.type}
    for kind in sorted(kinds, key=lambda each: each == "ARG"):
        tried = copy(parser) if len(kinds) > 1 else parser
        try:
            tried.feed_token(Token(kind, str(token), start_pos=token.start_pos))
        except UnexpectedInput:
            continue
        return tried
    return None


def _misplaced(line: str, word: re.Match[str], room: frozenset[str]) -> ParseError:
    reason = Message("language.cannot_stand_here", found=word.group())
    return ParseError(line, word.start(), Fault.UNEXPECTED, reason, word.group(), _expected(room))


def _incomplete(line: str, room: frozenset[str]) -> ParseError:
    reason = Message("language.command_incomplete")
    return ParseError(line, len(line), Fault.INCOMPLETE, reason, "", _expected(room))


def _token(word: re.Match[str], room: frozenset[str]) -> Token:
    """A keyword where there is room for it, else an argument."""
    text = word.group()
    names = (_keyword(word), _LIST_SIGNS.get(text[0], "ARG") if len(text) > 1 else "ARG")
    name = next((name for name in names if name in room), "ARG")
    return Token(name, text, start_pos=word.start())


def _room(parser: InteractiveParser) -> frozenset[str]:
    """The classes for which there is room."""
    choices: Callable[[], Mapping[str, object]] = parser.choices
    return frozenset(choices())


def _command(line: str, tree: Tree[Token]) -> Command | ParseError:
    command = Commands().transform(tree)
    if isinstance(command, WrongCommand):
        return ParseError(line, command.at, command.fault, command.reason)
    return command


def _expected(room: frozenset[str]) -> tuple[MessageOrText, ...]:
    words: list[MessageOrText] = [*sorted(_shown(name) for name in room & _closed())]
    if "ARG" in room:
        words.insert(0, Message("language.expected.name_or_word"))
    return tuple(words[:_MAX_EXPECTED])


def _shown(name: str) -> str:
    """The word by which a class is named to people."""
    words = [word for word, kind in keywords().items() if kind == name]
    return "anonymous" if "anonymous" in words else min(words)


@cache
def _closed() -> frozenset[str]:
    return frozenset(keywords().values())


Phrase: TypeAlias = tuple[str, ...]
"""Words in lower case, one after the other."""

_QUALITIES = frozenset(
    (
        *("CAVALRY", "CITIZEN", "CM", "ELITE", "EM", "EP"),
        *("MERCENARY", "MILITIA", "NORMAL", "PROFESSIONAL"),
    )
)
_TYPES = frozenset(("A", "ARMY", "F", "FLEET", "G", "GARRISON"))
_COASTS = frozenset(("COAST", "EAST", "EC", "NC", "NORTH", "SC", "SOUTH", "WC", "WEST"))
_NAMES = frozenset(("ARMY", "FLEET", "GARRISON", "NAME", "NUMBER", "FRACTION"))
_BEFORE_UNITS = frozenset(("BESIEGE", "CONVERT", "H", "HOLD", "LIFT", "MOVES", "RAISE", "SIEGE"))
"""Classes that begin an order only before a unit: ``hold`` may be the end of a support."""
_NO_VERBS = _QUALITIES | _NAMES | _BEFORE_UNITS | frozenset(("INTO", "NO", "NONE", "NOT", "TO"))
"""Classes with which an order may begin, and as well the rest of a broken one."""
_TAKEN_BACK = ("ALLY", "BURN", "CEDE", "EXCOMMUNICATE", "PERMIT")
"""Classes whose words begin an order behind ``not`` and ``no``, too."""
_PAYING = frozenset(("PAY", "REPAY"))
"""Classes whose other words begin an order, too, whatever follows."""
_NO_DEEDS = (
    _QUALITIES | _COASTS | frozenset(("A", "AN", "AT", "BY", "INTO", "NAME", "NO", "NOT", "TO"))
)
_NO_DEEDS |= frozenset(("VIA", "WITH"))
_PROSE = frozenset(("go", "goes"))
"""Deeds that say nothing in a sentence: "we shall go"."""
_SHORTHAND = frozenset(("conv", "march", "marches", "sup", "supp", "supporting", "sups"))
"""Deeds that the grammar does not list, and that no sentence has by chance."""
_BRANCHES = ("if", "then", "else", "elseif", "elsif", "endif")
_SWEEPS = ("all", "rest", "others", "the")
_SHORT = 3
"""A shorter word is too easily an abbreviation."""


@cache
def commands() -> frozenset[Phrase]:
    """Every phrase with which a command begins, and the words of ``if … endif``."""
    branches = [(word,) for word in _BRANCHES]
    return frozenset(command_phrases()) | frozenset([*branches, ("else", "if"), ("end", "if")])


@cache
def verbs() -> frozenset[Phrase]:
    """Every phrase with which an order begins that has another word behind it."""
    refused = [word for name in _TAKEN_BACK for word in words_of(name)]
    refusals = set(product([*words_of("NOT"), *words_of("NO")], refused))
    types = ["the", "my", *(word for name in _TYPES for word in words_of(name))]
    rare = [word for word, name in SYNONYMS.items() if name in _first_classes_openings()]
    alone = [word for word, name in SYNONYMS.items() if name in _PAYING]
    before_units = set(product([*_words(_BEFORE_UNITS), *rare], types))
    verbs = frozenset((word,) for word in [*_words(_first_classes_openings()), *alone])
    return verbs | refusals | before_units


@cache
def whole_orders() -> frozenset[Phrase]:
    """Every phrase that is an order by itself, as ``waive`` and ``hold rest`` are."""
    alone = (
        name
        for name in _first_classes_openings()
        if any(not isinstance(tree_of(stage, letter(name)), Halt) for stage in Stage)
    )
    sweeps = set(product(("hold", "stand", "keep", "maintain"), _SWEEPS))
    return frozenset((word,) for word in _words(alone)) | sweeps


@cache
def unit_words() -> frozenset[str]:
    """Every word for a kind of unit, its letters left out."""
    names = frozenset(("ARMY", "FLEET", "GARRISON"))
    listed = {word for name in names for word in words_of(name)}
    return frozenset(listed | {word for word, name in SYNONYMS.items() if name in names})


@cache
def deeds() -> frozenset[str]:
    """Every word that says what a unit does, and stands behind its name."""
    return _SHORTHAND | frozenset(
        word
        for name in _behind_a_unit() - _NO_DEEDS
        for word in words_of(name)
        if word.isalpha() and word not in _PROSE
    )


def _first_classes_openings() -> frozenset[str]:
    return frozenset(class_of(each) for stage in Stage for each in openings(stage)) - _NO_VERBS


def _words(classes: Iterable[str]) -> Iterator[str]:
    for name in classes:
        yield from (word for word in words_of(name) if len(word) >= _SHORT)


def _behind_a_unit() -> frozenset[str]:
    """The classes of words that may follow ``A NAME`` in some kind of phase."""
    unit: Shape = letter("A") + letter("NAME")
    found = {
        name
        for stage in Stage
        for name in set(vocabulary().values())
        if _may_go_on(stage, unit + letter(name), len(unit))
    }
    return frozenset(found - {END})


def _may_go_on(stage: Stage, shape: Shape, index: int) -> bool:
    tree = tree_of(stage, shape)
    return not isinstance(tree, Halt) or tree.index > index
