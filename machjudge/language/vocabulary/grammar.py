"""The grammar of orders, compiled: classes of words in, a tree or the place of the trouble out.

Knows words, numbers and signs; no board, no places, no powers.  The *shape* of an order is the
string of the classes of its words, one character a class: ``A mil - pav`` and ``A ven - pad`` have
the same shape, and so each shape is parsed once, whatever the words are.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from lark import Lark, Token, Tree, UnexpectedInput
from lark.lexer import Lexer, LexerState, Pattern
from lark.parsers.lalr_interactive_parser import InteractiveParser

from machjudge.adjudicator.model.moments import Stage

Shape: TypeAlias = str
"""The classes of the words of an order, a character each."""

END = "$END"
"""What a parser is told at the end of an order; Lark's own name for it."""

_START = {
    Stage.CAMPAIGN: "campaign",
    Stage.RETREATS: "retreat",
    Stage.ADJUSTMENT: "adjustment",
}


@dataclass(frozen=True, slots=True)
class Halt:
    """Where a shape stops being an order: the word of that number, or the end if it is none."""

    index: int
    accepts: frozenset[str]
    """The classes of words that could stand there; :data:`END` among them if none need follow."""


class NoLexer(Lexer):
    """Lark is given classes, never text: ``words.py`` knows about spaces, dashes and names."""

    def __init__(self, conf: object) -> None:
        """Nothing is configured."""

    def lex(self, lexer_state: LexerState, parser_state: object) -> Iterator[Token]:
        """Nothing: the tokens are fed to the parser one by one."""
        yield from ()


@cache
def _grammar() -> Lark:
    return Lark.open_from_package(
        __package__,
        "orders.lark",
        parser="lalr",
        start=list(_START.values()),
        lexer=NoLexer,
    )


@cache
def classes() -> tuple[str, ...]:
    """The names of all classes; the character of a class is its number here (see `letter`)."""
    return tuple(sorted(terminal.name for terminal in _grammar().terminals))


_FIRST_LETTER = 0x100
"""Above ASCII, so that a class is never taken for a word."""


@cache
def letter(name: str) -> str:
    """The character that stands for a class in a shape."""
    return chr(_FIRST_LETTER + classes().index(name))


def class_of(character: str) -> str:
    """The class that a character of a shape stands for; empty if no order contains the like."""
    number = ord(character) - _FIRST_LETTER
    return classes()[number] if 0 <= number < len(classes()) else ""


@cache
def vocabulary() -> Mapping[str, str]:
    """Every word and sign of the grammar with the name of its class."""
    return {
        word: terminal.name
        for terminal in _grammar().terminals
        if terminal.name not in _OPEN
        for word in listed(terminal.pattern)
    }


_OPEN = ("NAME", "NUMBER", "FRACTION", "__IGNORE_0")
"""The classes that list no words: anything of a certain look belongs to them."""


def listed(pattern: Pattern) -> Iterable[str]:
    """The words of a class: Lark turns ``"a" | "b"`` into the pattern ``(?:a|b)``."""
    if pattern.type == "str":
        return (pattern.value,)
    return pattern.value.removeprefix("(?:").removesuffix(")").replace("\\", "").split("|")


def words_of(name: str) -> tuple[str, ...]:
    """The words of a class, the shortest first."""
    return tuple(sorted((w for w, c in vocabulary().items() if c == name), key=len))


def tree_of(stage: Stage, shape: Shape) -> Tree[Token] | Halt:
    """Parse the shape of one order of a kind of phase.

    In the tree every token knows the number of its word by its ``start_pos``.
    """
    parser = _parser(stage)
    for index, character in enumerate(shape):
        try:
            parser.feed_token(_token(class_of(character), index))
        except UnexpectedInput:
            return Halt(index, _accepted(parser))
    try:
        tree: Tree[Token] = parser.feed_token(_token(END, len(shape)))
    except UnexpectedInput:
        return Halt(len(shape), _accepted(parser))
    return tree


def _parser(stage: Stage) -> InteractiveParser:
    return _grammar().parse_interactive(start=_START[stage])


def _token(name: str, index: int) -> Token:
    return Token(name, name, start_pos=index)


def _accepted(parser: InteractiveParser) -> frozenset[str]:
    accepts: Callable[[], set[str]] = parser.accepts
    return frozenset(accepts())


@cache
def openings(stage: Stage) -> frozenset[str]:
    """The characters of the classes with which an order of a kind of phase may begin."""
    return frozenset(letter(name) for name in _accepted(_parser(stage)))
