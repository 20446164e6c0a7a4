"""A line of the dialogue in, the command that it gives out.  Knows words; no games, no people."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from functools import cache
from itertools import product

from lark import Lark, Token, Tree, UnexpectedInput
from lark.parsers.lalr_interactive_parser import InteractiveParser

from machjudge.language.commands.command_parts import Commands
from machjudge.language.commands.commands import Command, Fix, NotACommand
from machjudge.language.commands.press_parts import WrongCommand
from machjudge.language.commands.settings import read_settings
from machjudge.language.vocabulary.grammar import END, NoLexer, listed
from machjudge.language.vocabulary.said import Fault, Problem
from machjudge.language.vocabulary.words import fold
from machjudge.sentence import Sentence, Wording

MOST_CHARACTERS = 1_000
"""A longer line is no command."""

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
_MOST_EXPECTED = 6


def parse_command(line: str) -> Command | NotACommand | Problem:
    """Read a line as a command.

    :param line: one line as it was written; anything at all.
    :returns: the command; or that the line does not begin like one, and may be an order; or why a
        line that begins like a command is none.  A problem repeats the line as it is, with a
        password that may stand in it.
    """
    words = [] if len(line) > MOST_CHARACTERS else list(_WORD.finditer(line))
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
    return tree if isinstance(tree, NotACommand | Problem) else _command(line, tree)


def _begins_surely(words: Sequence[re.Match[str]]) -> bool:
    """Whether words that sentences begin with, too, stand as they do in a command."""
    match _keyword(words[0]):
        case kind if kind in _ALONE:
            return len(words) == 1
        case "JOIN":
            return len(words) > 1 and words[1].group().lstrip("<\"'").startswith("?")
        case _:
            return True


def _bare(line: str, words: Sequence[re.Match[str]]) -> Command | NotACommand | Problem:
    """A setting without ``set``, where it looks like one: anybody may write of their holidays."""
    value = line[words[0].end() :].strip(" :=")
    name = fold(words[0].group()).rstrip(_PUNCTUATION)
    looks = next(shape for start, shape in _BARE_VALUES.items() if name.startswith(start))
    return read_settings(line, words[0].start()) if looks.fullmatch(value) else NotACommand()


def _fix(line: str, words: Sequence[re.Match[str]]) -> Fix | Problem:
    """The words of a correction are nobody's keywords, as a reason may hold any."""
    said = tuple(word.group() for word in words)
    why = next((n for n, word in enumerate(said) if word.lower() == "because"), len(said))
    if not 0 < why < len(said) - 1:
        reason = Sentence("language.say_why")
        return Problem(line, len(line), Fault.INCOMPLETE, reason)
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


def _tree_of(line: str, words: Sequence[re.Match[str]]) -> Tree[Token] | NotACommand | Problem:
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


def _misplaced(line: str, word: re.Match[str], room: frozenset[str]) -> Problem:
    reason = Sentence("language.cannot_stand_here", found=word.group())
    return Problem(line, word.start(), Fault.UNEXPECTED, reason, word.group(), _expected(room))


def _incomplete(line: str, room: frozenset[str]) -> Problem:
    reason = Sentence("language.command_incomplete")
    return Problem(line, len(line), Fault.INCOMPLETE, reason, "", _expected(room))


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


def _command(line: str, tree: Tree[Token]) -> Command | Problem:
    command = Commands().transform(tree)
    if isinstance(command, WrongCommand):
        return Problem(line, command.at, command.fault, command.reason)
    return command


def _expected(room: frozenset[str]) -> tuple[Wording, ...]:
    words: list[Wording] = [*sorted(_shown(name) for name in room & _closed())]
    if "ARG" in room:
        words.insert(0, Sentence("language.expected.name_or_word"))
    return tuple(words[:_MOST_EXPECTED])


def _shown(name: str) -> str:
    """The word by which a class is named to people."""
    words = [word for word, kind in keywords().items() if kind == name]
    return "anonymous" if "anonymous" in words else min(words)


@cache
def _closed() -> frozenset[str]:
    return frozenset(keywords().values())
