"""The pieces of a line: terms, and the terms of one order."""

from functools import cache
from typing import NamedTuple, TypeAlias

from machjudge.language.vocabulary.grammar import letter


class Term(NamedTuple):
    """A word, a number, a sign, or a name of several words."""

    text: str
    kind: str
    """The character of its class."""
    start: int
    """Where it begins in the plain line."""
    end: int


Segment: TypeAlias = tuple[Term, ...]
"""The terms of one order."""


@cache
def letters(names: str) -> frozenset[str]:
    """The characters that stand for some classes in a shape; *names* has spaces between them."""
    return frozenset(map(letter, names.split()))
