"""Comments behind an order: harmless words are ignored, anything that might be an order is not."""

import re
from collections.abc import Iterator
from difflib import get_close_matches
from itertools import islice
from typing import NamedTuple

from machjudge.language.vocabulary.grammar import vocabulary
from machjudge.language.vocabulary.lexicon import Lexicon
from machjudge.language.vocabulary.words import cut

_START = re.compile(r"#|//|\(|\s{2,}(?=\S)")
_MOST_STARTS = 8
_WIDE = 4
"""So many spaces or more part an order from what stands in the margin."""
_LEAST_UNKNOWN = 2

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
_IN_SENTENCES = _PLAIN_ENGLISH | frozenset({"are", "from", "no", "on", "or", "so"})
_NO_SENTENCE = re.compile(r"\d|\s-")


_KIND = (
    r"(?:please|pls|plz|thanks?(?:\s+you)?|thx|cheers|sorry|apologies|ok(?:ay)?|p\.?\s?s\.?:?|"
    r"por\s+favor|gracias|perdon|disculpad?|lo\s+siento|per\s+(?:favore|piacere|cortesia)|"
    r"grazie|scusa(?:te|mi)?|mi\s+dispiace|bitte|danke|s'il\s+(?:te|vous)\s+plait|merci)"
)
_KINDLY = re.compile(
    rf"[\s,;.:!?–-]*(?:\b{_KIND}(?:[\s,;.:!?–-]+(?:and|e|y)(?=\s))?[\s,;.:!?–-]*)+"
)
_ASKING = re.compile(r"[\s!?.]*\?[\s!?.]*$")
_OPENS = re.compile(r"\s*[¿¡]")
_SIGNED = re.compile(r"\s*(?:,|;|--)\s*([^\W\d_]{2,}(?:\s[^\W\d_]{2,})?)[.!]?\s*$")


def courtesies_around(plain: str, lexicon: Lexicon) -> tuple[int, int]:
    """Where the order in a line begins and ends that has kind words around it.

    Please, sorry, PS, thanks, a question mark, and behind a comma a name that is no word of orders.
    """
    start, end = 0, len(plain)
    opened = _OPENS.match(plain)
    start = opened.end() if opened is not None else 0
    before = _KINDLY.match(plain, start)
    start = before.end() if before is not None else start
    for _ in range(_MOST_COURTESIES):
        behind = next((m for m in _KINDLY.finditer(plain, start) if m.end() >= end), None)
        asked = _ASKING.search(plain, start, end)
        signed = _SIGNED.search(plain, start, end)
        found = min((m.start() for m in (behind, asked) if m is not None), default=end)
        if found == end and signed is not None and _is_a_name(signed[1], lexicon):
            found = signed.start()
        if found >= end:
            break
        end = found
    return start, end


_MOST_COURTESIES = 3


def _is_a_name(text: str, lexicon: Lexicon) -> bool:
    """Whether words mean nothing in an order, and look like nothing that does."""
    known = {*vocabulary(), *lexicon.place_names(), *lexicon.power_names()}
    return not any(
        lexicon.means_something(word) or get_close_matches(word, known, n=1, cutoff=0.82)
        for word in cut(text)
    )


class LineRemark(NamedTuple):
    """A possible comment in a line."""

    start: int
    """Where it begins in the plain line."""
    announced: bool
    """Whether ``#`` or ``//`` announces it, which no order contains."""


def remarks_in(plain: str, lexicon: Lexicon) -> Iterator[LineRemark]:
    """The places of a line behind which only a comment follows, from the left.

    A comment begins with ``#``, ``//``, ``(`` or two spaces, and contains no place, no power and
    no order word; behind ``#`` and ``//`` it may have figures and single letters.  Behind a wide
    gap a sentence may have some order words, but no name and no number.  A whole line behind ``#``
    or ``//`` may say anything: nothing is cut in half.
    """
    first = len(plain) - len(plain.lstrip())
    for match in islice(_START.finditer(plain, first), _MOST_STARTS):
        announced = match.group() in ("#", "//")
        whole = announced and match.start() == first
        if len(match.group()) >= _WIDE and _is_in_margin(plain[match.end() :], lexicon):
            whole = True
        if whole or not _might_be_an_order(plain[match.start() :], lexicon):
            yield LineRemark(match.start(), announced)


def _is_in_margin(tail: str, lexicon: Lexicon) -> bool:
    """Whether words far behind an order are a sentence: most of them are no order words."""
    if _NO_SENTENCE.search(tail):
        return False
    words = [word for word in cut(tail) if word[0].isalpha() and word not in _IN_SENTENCES]
    unknown = [word for word in words if not lexicon.means_something(word)]
    named = any(map(lexicon.is_exact, words))
    return not named and len(unknown) >= _LEAST_UNKNOWN and len(unknown) * 2 > len(words)


def _might_be_an_order(tail: str, lexicon: Lexicon) -> bool:
    marked, announced = not tail[0].isspace(), tail.startswith(("#", "//"))
    words = [word for word in cut(tail) if word[0].isalnum()]
    if announced:
        words = [word for word in words if len(word) > 1 and word[0].isalpha()]
    return any(
        lexicon.means_something(word) and not (marked and word in _PLAIN_ENGLISH) for word in words
    )
