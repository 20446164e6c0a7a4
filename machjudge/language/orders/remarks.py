"""Comments behind an order: harmless words are ignored, anything that might be an order is not."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from machjudge.language.vocabulary.lexicon import Lexicon
from machjudge.language.vocabulary.words import cut

_START = re.compile(r"#|//|\(|\s{2,}(?=\S)")
_MOST_STARTS = 8

_PLAIN_ENGLISH = frozenset(
    {
        "a",
        "an",
        "and",
        "at",
        "by",
        "for",
        "go",
        "i",
        "in",
        "is",
        "not",
        "of",
        "one",
        "the",
        "to",
        "with",
    }
)
"""Words of every English sentence.  Some of them are order words or abbreviations as well, but
behind a sign that announces a comment they are taken for what they look like."""


_SENTENCE_BEGINS = frozenset(
    [
        "i",
        "im",
        "i'm",
        "ill",
        "i'll",
        "ive",
        "i've",
        "id",
        "i'd",
        "we",
        "we're",
        "we'll",
        "we've",
        "my",
        "our",
        "sorry",
        "apologies",
        "hope",
        "hopefully",
    ]
)
_IN_SENTENCES = _PLAIN_ENGLISH | frozenset({"are", "from", "no", "on", "or", "so"})
_LEAST_OF_SENTENCE = 4
_WORD = re.compile("[a-z]+(?:['\u2019][a-z]+)?")


def is_sentence(plain: str, lexicon: Lexicon) -> bool:
    """Whether a line is a sentence to somebody, such as "I will be late, sorry".

    It begins as such sentences do, and names no place, no power and no order.
    """
    words = _WORD.findall(plain.lower())
    if len(words) < _LEAST_OF_SENTENCE or words[0].replace("\u2019", "'") not in _SENTENCE_BEGINS:
        return False
    rest = [word for word in words[1:] if word not in _IN_SENTENCES]
    return not re.search(r"\d|\s-", plain) and not any(map(lexicon.means_something, rest))


class Remark(NamedTuple):
    """A possible comment in a line."""

    start: int
    """Where it begins in the plain line."""
    announced: bool
    """Whether ``#`` or ``//`` announces it, which no order contains."""


def remarks_in(plain: str, lexicon: Lexicon) -> Iterator[Remark]:
    """The places of a line behind which only a comment follows, from the left.

    A comment begins with ``#``, ``//``, ``(`` or two spaces, and contains no place, no power and
    no order word.  A whole line behind ``#`` or ``//`` may say anything: nothing is cut in half.
    """
    first = len(plain) - len(plain.lstrip())
    for match in islice(_START.finditer(plain, first), _MOST_STARTS):
        announced = match.group() in ("#", "//")
        whole = announced and match.start() == first
        if whole or not _might_be_an_order(plain[match.start() :], lexicon):
            yield Remark(match.start(), announced)


def _might_be_an_order(tail: str, lexicon: Lexicon) -> bool:
    marked = not tail[0].isspace()
    words = [word for word in cut(tail) if word[0].isalnum()]
    return any(
        lexicon.means_something(word) and not (marked and word in _PLAIN_ENGLISH) for word in words
    )
