"""Parse lines with commands, and list the words that begin commands and orders.

The mail parser uses these lists to find where a command begins. Knows the names of powers, no
board, no game.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from difflib import get_close_matches
from enum import Enum
from functools import cache, partial
from itertools import product
from typing import NamedTuple, TypeAlias, TypeVar, cast

from lark import Lark, Token, Tree, UnexpectedInput
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
    openings,
    tree_of,
    vocabulary,
    word_classes,
    words_of,
)
from machjudge.language.settings import read_settings
from machjudge.language.words import (
    MAX_CHARACTERS,
    SYNONYMS,
    Candidate,
    Fault,
    ParseError,
    ambiguous,
    fold,
    in_words,
    read_phase,
    read_stage,
)
from machjudge.translatable import Message, MessageOrText


# Whom press is for: names, initials and glued initials of powers, observers and the master. Press
# that goes to the wrong reader cannot be called back: what is not clear is refused.
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


def read_readers(names: Iterable[str], lexicon: Lexicon) -> tuple[Reader, ...] | ParseError:
    """Find the readers that an audience names.

    :param names: as :class:`machjudge.language.commands.Audience` has them.
    :param lexicon: the powers of the game.
    :returns: all readers in order of mention, or the first name that is unknown or ambiguous.
    """
    readers: list[Reader] = []
    for name in names:
        meant = _readers(name, lexicon)
        if isinstance(meant, ParseError):
            return meant
        readers += [reader for reader in meant if reader not in readers]
    return tuple(readers)


def _readers(name: str, lexicon: Lexicon) -> tuple[Reader, ...] | ParseError:
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
        return ambiguous(name, 0, name, power.candidates)
    near = _nearest(plain, lexicon)
    if glued and near is None:
        return glued
    if glued and near is not None and name.isupper():
        return _either(name, near, glued, lexicon)
    reason = Message("language.nobody_called", name=name)
    return ParseError(name, 0, Fault.NO_POWER, reason, name, nearest=nearest_power(plain, lexicon))


def nearest_power(text: str, lexicon: Lexicon) -> str | None:
    """Return the power with the name most like a word, or None."""
    power = _nearest(fold(text), lexicon)
    return None if power is None else lexicon.powers[power].name


def _nearest(plain: str, lexicon: Lexicon) -> PowerId | None:
    near = get_close_matches(plain, lexicon.power_names(), n=1, cutoff=_LIKE)
    power = lexicon.power(near[0]) if near else None
    return power if isinstance(power, str) else None


def _initials(plain: str, lexicon: Lexicon) -> tuple[Reader, ...]:
    """The readers of a word of initials, or None."""
    ids = {power.lower(): power for power in lexicon.powers}
    readers = [ids.get(letter) or _ROLES.get(letter) for letter in plain]
    found = tuple(reader for reader in readers if reader is not None)
    # Nobody writes an initial twice: such a word is a word.
    return found if len(found) == len(plain) == len(set(plain)) else ()


def _either(name: str, power: PowerId, glued: tuple[Reader, ...], lexicon: Lexicon) -> ParseError:
    """The refusal of a word such as ``PA``: the Papacy, or the Papacy and Austria."""
    spelt = in_words([_called(reader, lexicon) for reader in glued], "and")
    whole = Candidate(power, lexicon.powers[power].name)
    return ambiguous(name, 0, name, (whole, Candidate(" ".join(name.upper()), spelt)))


def _called(reader: Reader, lexicon: Lexicon) -> str:
    if isinstance(reader, ReaderRole):
        return reader.name.lower()
    return lexicon.powers[reader].name


class _WrongCommandError(Exception):
    """A complete command that cannot be meant, and the place of the trouble."""

    def __init__(self, at: int, reason: Message, fault: Fault = Fault.UNEXPECTED) -> None:
        super().__init__(reason)
        self.at = at
        self.reason = reason
        self.fault = fault


_NUMBER = re.compile(r"[0-9]{1,6}")


# --- press and notes -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Fake:
    """The claimed addressees of press; None if it must not be faked."""

    shown_to: c.Audience | None


_PressOption: TypeAlias = c.Audience | c.Tone | _Fake


def _press(*options: _PressOption) -> c.Press:
    """``press``, which must name addressees."""
    if not any(isinstance(option, c.Audience) for option in options):
        raise _WrongCommandError(0, Message("language.to_whom"))
    return _broadcast(*options)


def _broadcast(*options: _PressOption) -> c.Press:
    """Of repeated parts the last counts."""
    press = c.Press(c.EVERYBODY)
    for option in options:
        match option:
            case c.Audience():
                press = replace(press, to=option)
            case c.Tone():
                press = replace(press, tone=option)
            case _Fake(shown_to):
                press = replace(press, shown_to=shown_to, no_fake=shown_to is None)
    return press


def _audience(*words: Token, all_but: bool = False) -> c.Audience:
    """Names parted by spaces, commas or "and", with or without a sign before."""
    pieces = [piece for word in words for piece in word.lstrip("+-").split(",")]
    names = tuple(piece for piece in pieces if piece and piece.lower() not in ("and", "&"))
    return c.Audience(names, all_but=all_but)


_Notes = TypeVar("_Notes", c.PostalPress, c.Diary)


def _note(of: Callable[..., _Notes], act: c.NoteAction) -> Callable[[Token], _Notes]:
    """``postal read 1``, ``diary delete 3``."""

    def make(number: Token) -> _Notes:
        if not _NUMBER.fullmatch(number):
            raise _WrongCommandError(_at(number), Message("language.entries_have_numbers"))
        return of(act, int(number))

    return make


# --- joining and signing on ------------------------------------------------------------------


def _sign_on(*words: Token) -> c.SignOn | c.Join:
    """``signon Lborgia secret``, ``signon L@borgia secret``, ``signon ?borgia secret``."""
    if words and name_in(words[0]).startswith("?"):
        return _join(*words)
    found = read_sign_on(_plain(words))
    if found == NOTHING_BEHIND:
        raise _no_password(words)
    if isinstance(found, Message):
        raise _WrongCommandError(_at(words[0]) if words else 0, found)
    return found


def _join(*words: Token) -> c.Join:
    """``signon ?borgia secret``; ``? borgia secret`` may be the game or a password."""
    password, *wishes = without_label(words[1:]) or ("",)
    if not password:
        raise _no_password(words)
    return c.Join(name_in(words[0])[1:], str(password), _plain(wishes))


def _no_password(words: Sequence[Token]) -> _WrongCommandError:
    end = _at(words[-1]) + len(words[-1])
    return _WrongCommandError(end, NOTHING_BEHIND, Fault.INCOMPLETE)


def _hello(*words: Token) -> c.SignOn | c.Join:
    """``hello Lborgia secret``; as a greeting too, so nothing may follow it."""
    found = _sign_on(*words)
    if isinstance(found, c.SignOn) and (found.rest or found.others):
        raise _WrongCommandError(_at(words[-1]), Message("language.nothing_behind_password"))
    return found


def _observe(game: Token, password: Token) -> c.Observe:
    return c.Observe(name_in(game).removeprefix("?"), str(password))


def _create(game: Token, password: Token, *wishes: Token) -> c.Create:
    """``create ?borgia secret``, or ``create ? borgia secret``."""
    name = name_in(game).removeprefix("?")
    if name:
        return c.Create(name, str(password), _plain(wishes))
    if not wishes:
        raise _WrongCommandError(_at(game), Message("language.new_games_name"))
    return c.Create(name_in(password), str(wishes[0]), _plain(wishes[1:]))


# --- the course of the game ------------------------------------------------------------------


def _process(*words: Token) -> c.Process:
    """``process``, with a phase or a token."""
    phase = read_phase(words) if words else None
    if phase is not None or not words:
        return c.Process(phase)
    if len(words) == 1:
        return c.Process(token=str(words[0]))
    return c.Process(_found(read_phase(words[:-1]), words), str(words[-1]))


def _rollback(*words: Token) -> c.Rollback:
    return c.Rollback(_found(read_phase(words), words) if words else None)


_Phase = TypeVar("_Phase", bound=Moment | Stage)


def _found(phase: _Phase | None, words: Sequence[Token]) -> _Phase:
    if phase is None:
        raise _WrongCommandError(_at(words[0]), Message("language.write_phase"))
    return phase


def _phase_or_kind(words: Sequence[Token]) -> Moment | Stage | None:
    """A phase, or a kind of phase behind ``every``."""
    if words and words[0].lower() in ("every", "each"):
        return read_stage(words[1:])
    return read_phase(words)


def _clear(*words: Token) -> c.Clear:
    said = " ".join(words).lower()
    named = next((each for each in c.Cleared if each.value == said), None)
    what = named or _phase_or_kind(words)
    if what is None:
        raise _WrongCommandError(_at(words[0]), Message("language.clear_what"))
    return c.Clear(what)


def _restore(*words: Token) -> c.Restore:
    later = len(words) > 1 and words[0].lower() == "later"
    rest = words[1:] if later else words
    if len(rest) != 1 or not _NUMBER.fullmatch(rest[0]):
        raise _WrongCommandError(_at(rest[0]), Message("language.which_set"))
    return c.Restore(int(rest[0]), later)


# --- information -----------------------------------------------------------------------------


class _Span(NamedTuple):
    """The span of a history: from, until, lines."""

    what: str
    words: tuple[Token, ...]


def _history(*parts: Token | _Span) -> c.History:
    spans: dict[str, tuple[Token, ...]] = {}
    for part in parts:
        if isinstance(part, _Span):
            spans.setdefault(part.what, part.words)
    lines = spans.get("lines")
    if lines is not None and not _NUMBER.fullmatch(lines[0]):
        raise _WrongCommandError(_at(lines[0]), Message("language.how_many_lines"))
    return c.History(
        " ".join(part for part in parts if isinstance(part, Token)),
        _plain(spans.get("since", ())),
        _plain(spans.get("until", ())),
        None if lines is None else int(lines[0]),
    )


# --- what rules of the grammar make ----------------------------------------------------------


FIXED: Mapping[str, object] = {
    "sign_off": c.SignOff(),
    "quit": c.SignOff(has_quit=True),
    "wait": c.Set((c.Setting("wait"),)),
    "nowait": c.Set((c.Setting("wait", on=False),)),
    "list_all": c.List("games"),
    "everybody": c.EVERYBODY,
    "signed": c.Tone.SIGNED,
    "anonymous": c.Tone.ANONYMOUS,
    "no_fake": _Fake(None),
    "fake_broadcast": _Fake(c.EVERYBODY),
    "postal": c.PostalPress(),
    "postal_list": c.PostalPress(c.NoteAction.LIST),
    "diary": c.Diary(c.NoteAction.RECORD),
    "diary_list": c.Diary(c.NoteAction.LIST),
}
"""The values of rules made of keywords, where these are no plain command."""
RULES: Mapping[str, Callable[..., object]] = {
    "sign_on": _sign_on,
    "hello": _hello,
    "join": _join,
    "observe": _observe,
    "create": _create,
    "become": lambda *who: c.Become(" ".join(who)),
    "for_": lambda *who: c.Become(" ".join(who), own=True),
    "declare_victory": lambda *powers: c.Declare(_plain(powers)),
    "declare_draw": lambda *powers: c.Declare(_plain(powers), draw=True),
    "process": _process,
    "rollback": _rollback,
    "phase": lambda *words: c.Phase(_found(_phase_or_kind(words), words)),
    "if_": lambda *condition: c.If(_plain(condition)),
    "else_if": lambda *condition: c.If(_plain(condition), otherwise=True),
    "clear": _clear,
    "restore": _restore,
    "list_": lambda *game: c.List(" ".join(game)),
    "list_full": lambda *game: c.List(" ".join(game), full=True),
    "history": _history,
    "since": lambda *words: _Span("since", words),
    "until": lambda *words: _Span("until", words),
    "lines": lambda *words: _Span("lines", words),
    "who_is": lambda *words: c.PlainCommand("who", ("is", *_plain(words))),
    "press": _press,
    "broadcast": _broadcast,
    "some": _audience,
    "all_but": partial(_audience, all_but=True),
    "fake": _Fake,
    "postal_read": _note(c.PostalPress, c.NoteAction.READ),
    "postal_delete": _note(c.PostalPress, c.NoteAction.DELETE),
    "diary_read": _note(c.Diary, c.NoteAction.READ),
    "diary_delete": _note(c.Diary, c.NoteAction.DELETE),
}
"""The values of rules by their words and parts; other rules are plain commands."""

_ARGUMENTS = ("ARG", "PLUS", "MINUS", "TEXT")
"""The classes of words that are no keywords, or have a meaning of their own."""


def _meaning(tree: Tree[Token]) -> object:
    parts = [
        _meaning(child) if isinstance(child, Tree) else child
        for child in tree.children
        if isinstance(child, Tree) or child.type in _ARGUMENTS
    ]
    rule = str(tree.data)
    if rule in FIXED:
        return FIXED[rule]
    if rule in RULES:
        return RULES[rule](*parts)
    return c.PlainCommand(rule.replace("_", " "), tuple(map(str, parts)))


def _at(word: Token) -> int:
    return word.start_pos or 0


def _plain(words: Sequence[str]) -> c.Words:
    return tuple(map(str, words))


_WORD = re.compile(r"\S+")
_PUNCTUATION = ".,;:!"
_LIST_SIGNS = {"+": "PLUS", "-": "MINUS"}
_OPEN = ("ARG", "PLUS", "MINUS", "__IGNORE_0")
_HESITANT = {"I": 3, "SIGN": 2, "LOG": 2, "FORCE": 2, "INFO": 2, "POSTAL": 2, "END": 2}
"""Words that begin a command only with the next one or two: people write "I am"."""
_ALONE = frozenset(("QUIT", "GAMES", "TEXT"))
"""Words that are a command only where nothing follows them."""
_NUMBERED = re.compile(r"(?:(?:the\s+)?(?:offer|agreement)\s+)?(?:#?\d{1,6}[.!]?)?", re.IGNORECASE)
"""What stands behind the word that accepts or takes back an agreement; else it is a sentence."""
_DATES = re.compile(r"(?=.*\d)[\w\s:.,+/-]{1,60}")
_BARE_VALUES = {
    "pref": re.compile(r"[A-Z\[\], *]{1,40}|\S*[*\[]\S*"),
    "timezone": re.compile(r"[A-Za-z]+/\S+|[A-Z]{3,5}"),
    "absence": _DATES,
    "holiday": _DATES,
    "vacation": _DATES,
}
"""The form of values that may be written without ``set``."""
_MAX_EXPECTED = 8


def parse_command(line: str) -> Command | NotACommand | ParseError:
    """Read a line as a command.

    A refusal repeats the line as it is, with a password that may stand in it. :returns: the
    command; or that the line does not begin like one, and may be an order; or why a line that
    begins like a command is none.
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
    if isinstance(tree, NotACommand | ParseError):
        return tree
    try:
        return cast("Command", _meaning(tree))
    except _WrongCommandError as wrong:
        return ParseError(line, wrong.at, wrong.fault, wrong.reason)


def _begins_surely(words: Sequence[re.Match[str]]) -> bool:
    match _keyword(words[0]):
        case kind if kind in _ALONE:
            return len(words) == 1
        case "JOIN":
            return len(words) > 1 and words[1].group().lstrip("<\"'").startswith("?")
        case "ACCEPT" | "DECLINE" | "WITHDRAW":
            return _NUMBERED.fullmatch(" ".join(word.group() for word in words[1:])) is not None
        case _:
            return True


def _bare(line: str, words: Sequence[re.Match[str]]) -> Command | NotACommand | ParseError:
    """A setting without ``set``, where it looks like one: people write of their holidays."""
    value = line[words[0].end() :].strip(" :=")
    name = fold(words[0].group()).rstrip(_PUNCTUATION)
    looks = next(shape for start, shape in _BARE_VALUES.items() if name.startswith(start))
    return read_settings(line, words[0].start()) if looks.fullmatch(value) else NotACommand()


def _fix(line: str, words: Sequence[re.Match[str]]) -> Fix | ParseError:
    """The words of a correction are not keywords, as a reason may hold any."""
    said = tuple(word.group() for word in words)
    why = next((n for n, word in enumerate(said) if word.lower() == "because"), len(said))
    if not 0 < why < len(said) - 1:
        told = " ".join([*said[:why], "because"]) if why > 1 else ""
        reason = Message("language.say_why", text=told)
        return ParseError(line, len(line), Fault.INCOMPLETE, reason)
    return Fix(said[0].lower(), said[1:why], " ".join(said[why + 1 :]).rstrip("."))


@cache
def keywords() -> Mapping[str, str]:
    """Every keyword of the commands with the name of its class."""
    return word_classes(_grammar(), _OPEN)


@cache
def command_phrases() -> frozenset[tuple[str, ...]]:
    """Return the words that surely begin each command."""
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

    A keyword that no possible command takes here is a plain word.
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
    text = word.group()
    names = (_keyword(word), _LIST_SIGNS.get(text[0], "ARG") if len(text) > 1 else "ARG")
    name = next((name for name in names if name in room), "ARG")
    return Token(name, text, start_pos=word.start())


def _room(parser: InteractiveParser) -> frozenset[str]:
    choices: Callable[[], Mapping[str, object]] = parser.choices
    return frozenset(choices())


def _expected(room: frozenset[str]) -> tuple[MessageOrText, ...]:
    words: list[MessageOrText] = [*sorted(_shown(name) for name in room & _closed())]
    if "ARG" in room:
        words.insert(0, Message("language.expected.name_or_word"))
    return tuple(words[:_MAX_EXPECTED])


def _shown(name: str) -> str:
    """The word that names a class to people."""
    words = [word for word, kind in keywords().items() if kind == name]
    return "anonymous" if "anonymous" in words else min(words)


@cache
def _closed() -> frozenset[str]:
    return frozenset(keywords().values())


Phrase: TypeAlias = tuple[str, ...]
"""Words in lower case."""

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
"""Classes that begin an order, or the rest of a broken one."""
_TAKEN_BACK = ("ALLY", "BURN", "CEDE", "EXCOMMUNICATE", "PERMIT")
"""Classes whose words also begin an order behind ``not`` and ``no``."""
_PAYING = frozenset(("PAY", "REPAY"))
"""Classes whose other words begin an order, whatever follows."""
_NO_DEEDS = (
    _QUALITIES | _COASTS | frozenset(("A", "AN", "AT", "BY", "INTO", "NAME", "NO", "NOT", "TO"))
)
_NO_DEEDS |= frozenset(("VIA", "WITH"))
_PROSE = frozenset(("go", "goes"))
"""Deeds that mean nothing in a sentence: "we shall go"."""
_SHORTHAND = frozenset(("conv", "march", "marches", "sup", "supp", "supporting", "sups"))
"""Deeds that are not in the grammar and do not occur in prose."""
_BRANCHES = ("if", "then", "else", "elseif", "elsif", "endif")
_SWEEPS = ("all", "rest", "others", "the")
_SHORT = 3
"""Shorter words may be abbreviations."""


@cache
def commands() -> frozenset[Phrase]:
    """Return the phrases that begin commands, and the words of ``if … endif``."""
    branches = [(word,) for word in _BRANCHES]
    return frozenset(command_phrases()) | frozenset([*branches, ("else", "if"), ("end", "if")])


@cache
def verbs() -> frozenset[Phrase]:
    """Return the phrases that begin an order and need another word."""
    refused = [word for name in _TAKEN_BACK for word in words_of(name)]
    refusals = set(product([*words_of("NOT"), *words_of("NO")], refused))
    types = ["the", "my", *(word for name in _TYPES for word in words_of(name))]
    rare = [word for word, name in SYNONYMS.items() if name in _order_openings()]
    alone = [word for word, name in SYNONYMS.items() if name in _PAYING]
    before_units = set(product([*_words(_BEFORE_UNITS), *rare], types))
    verbs = frozenset((word,) for word in [*_words(_order_openings()), *alone])
    return verbs | refusals | before_units


@cache
def whole_orders() -> frozenset[Phrase]:
    """Return the phrases that are whole orders, as ``waive`` and ``hold rest``."""
    alone = (
        name
        for name in _order_openings()
        if any(not isinstance(tree_of(stage, letter(name)), Halt) for stage in Stage)
    )
    sweeps = set(product(("hold", "stand", "keep", "maintain"), _SWEEPS))
    return frozenset((word,) for word in _words(alone)) | sweeps


@cache
def unit_words() -> frozenset[str]:
    """Return the words for kinds of units, without letters."""
    names = frozenset(("ARMY", "FLEET", "GARRISON"))
    listed = {word for name in names for word in words_of(name)}
    return frozenset(listed | {word for word, name in SYNONYMS.items() if name in names})


@cache
def deeds() -> frozenset[str]:
    """Return the words behind a unit's name that say what it does."""
    return _SHORTHAND | frozenset(
        word
        for name in _behind_a_unit() - _NO_DEEDS
        for word in words_of(name)
        if word.isalpha() and word not in _PROSE
    )


def _order_openings() -> frozenset[str]:
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
