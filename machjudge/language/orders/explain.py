"""Did you mean: the nearest line that can be read.

Bounded work: a line of prose is given up at once, and an order is tried a dozen times at most.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import islice
from typing import TypeAlias

from machjudge.language.vocabulary.grammar import vocabulary
from machjudge.language.vocabulary.lexicon import Lexicon, squash
from machjudge.language.vocabulary.said import Refused
from machjudge.language.vocabulary.synonyms import UNREAD, UNREAD_TO
from machjudge.language.vocabulary.words import Word, line_of

Reread: TypeAlias = Callable[[str], Sequence[Refused]]
"""Reads a line again and says what is still refused."""

_MOST_UNKNOWN = 3
"""A line with more unknown words than this is no order with slips, but prose."""
_MOST_CHOICES = 3
_MOST_SLIPS = 2
_LEAST_LIKENESS = 0.66
_LEAST_LETTERS = 3

_MISSPELT = frozenset({"beseige", "beseiges", "seige"})
"""Order words that are accepted, but not taught."""


def nearest(line: str, lexicon: Lexicon, reread: Reread) -> str | None:
    """The line with its misspelt words put right, if it can be read then.

    :param line: one in which something was refused.
    :param lexicon: the names that may have been meant.
    :param reread: reads a changed line.
    """
    lines, changed = [line], _translated(line, lexicon)
    for _ in range(_MOST_SLIPS + 1):
        readable = next((line for line in changed if not reread(line)), None)
        if readable is not None:
            return readable
        lines = changed[:_MOST_CHOICES] or lines
        changed = list(islice(_changed(lines, lexicon), _MOST_CHOICES * _MOST_UNKNOWN))
    return None


def _translated(line: str, lexicon: Lexicon) -> list[str]:
    """The line with words of other languages in ours; none where it has none of these."""
    where = line_of(line)
    words = [w for w in where.words() if w.text in UNREAD and _is_unknown(w.text, lexicon)]
    ways = []
    for choice in range(max((len(UNREAD[word.text]) for word in words), default=0)):
        said = line
        for word in reversed(words):
            start, end = where.column(word.start), where.column(word.end)
            meant = UNREAD[word.text]
            said = said[:start] + meant[min(choice, len(meant) - 1)] + said[end:]
        ways += [said, UNREAD_TO.sub(" to ", said), UNREAD_TO.sub(" ", said)]
    return list(dict.fromkeys(ways))


def _changed(lines: Iterable[str], lexicon: Lexicon) -> Iterator[str]:
    """Lines in which one unknown word is replaced by one that looks like it."""
    for line in lines:
        unknown = [word for word in line_of(line).words() if _is_unknown(word.text, lexicon)]
        if len(unknown) > _MOST_UNKNOWN:
            continue
        for word in unknown:
            yield from _replaced(line, word, lexicon)


def _replaced(line: str, word: Word, lexicon: Lexicon) -> Iterator[str]:
    where = line_of(line)
    start, end = where.column(word.start), where.column(word.end)
    for better in _alike(word.text, lexicon):
        written = better.capitalize() if line[start].isupper() else better
        yield line[:start] + written + line[end:]


def _is_unknown(word: str, lexicon: Lexicon) -> bool:
    return word[0].isalpha() and len(word) >= _LEAST_LETTERS and not lexicon.means_something(word)


@lru_cache(maxsize=1024)
def _alike(word: str, lexicon: Lexicon) -> tuple[str, ...]:
    """The words of the grammar and of the board that look most like a word, the best first."""
    pool = {*vocabulary(), *lexicon.place_names(), *lexicon.power_names()} - _MISSPELT
    alike = [(_likeness(word, other), other) for other in pool if _is_near(word, other)]
    best = sorted((-degree, other) for degree, other in alike if degree >= _LEAST_LIKENESS)
    return tuple(other for _, other in best[:_MOST_CHOICES])


def _is_near(word: str, other: str) -> bool:
    """A quick look before the comparison: length and first letters."""
    return (
        len(other) > 1
        and abs(len(word) - len(other)) <= _MOST_SLIPS
        and (bool({word[0], word[1]} & {other[0], other[1]}))
    )


def _likeness(word: str, other: str) -> float:
    return SequenceMatcher(None, word, squash(other)).ratio()
