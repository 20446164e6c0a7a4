"""What of a mail stands in a message of the judge: words beside words, however rows are broken.

A message is cut into its runs of three words; where such a run stands in the mail, the two are
followed as far as they agree.  The work grows with the length of the mail alone: a diff of the
standard library takes minutes for a mail of one word a thousand times, and one that looks for the
longest common sequence takes words out of their places.

A row is quoted if all its words are found and stand beside others of the message: what looks like
an order is quoted only in one piece with a sentence of the judge, above or below it, for people
send the lines of a form back as their own.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from machjudge.reading.text.characters import plain

_RUN = 3
_LEAST = 5
"""So many words in one piece are no chance."""
_MOST_PLACES = 40
"""Where one run stands in a message; of more places only the first ones are tried."""
_MOST_WORDS = 30_000
_MOST_MESSAGES = 8
_SLACK = 2
"""So many words of the message may be missing between two rows of one quotation."""
_ANNOUNCED_WITHIN = 2
"""So many rows above a quotation may lie what announces it."""
_CHANGED = 14
"""So many may be missing where something else stands in their place."""
_WORD = re.compile(r"\w+(?:'\w+)*|[-=:/+]+>?")
_LINK = re.compile(r"<(?:https?:|mailto:|tel:)[^<>]{0,500}>|~~")


def words_of(text: str) -> list[str]:
    """The words and signs of a text in small letters; links behind words are none of them."""
    found = _WORD.findall(_LINK.sub(" ", text).lower())
    return ["-" if word == "->" else word for word in found]


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """A row of a mail as it is compared."""

    text: str
    """Without marks of quotation, bullets and emphasis."""
    is_said: bool
    """Whether it looks like an order or a command."""
    depth: int
    """How many marks of quotation stand before it."""
    is_heading: bool = False
    """Whether the judge writes such a row, and nobody else."""
    announces: bool = False
    """Whether a quotation may begin below it."""


@dataclass(frozen=True, slots=True)
class Found:
    """What of a mail stands in a message: rows by their places in what was compared."""

    quoted: frozenset[int] = frozenset()
    changed: frozenset[int] = frozenset()
    """Rows within the quotation that say something else than the message."""
    is_to_end: bool = False
    """Whether the end of the message is quoted."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """The words of one row that were found."""

    row: int
    start: int
    """Where in the message its first word stands."""
    end: int
    is_whole: bool


def find(rows: Sequence[ComparedRow], message: str) -> Found:
    """The rows that stand in a message.  Work is linear in the length of both."""
    said, begins = _message(message)
    owners: list[int] = []
    words: list[str] = []
    for at, row in enumerate(rows):
        here = words_of(row.text)
        owners += [at] * len(here)
        words += here
    del words[_MOST_WORDS:], owners[_MOST_WORDS:]
    places, long = _places(words, said)
    surely = {owner for owner, is_long in zip(owners, long, strict=True) if is_long}
    quoted: set[int] = set()
    changed: set[int] = set()
    chains = [
        chain
        for chain in _chains([*_pieces(rows, owners, places)])
        # A whole row that is no order shows that the judge's own text is there.
        if any(p.is_whole and p.row in surely and not rows[p.row].is_said for p in chain)
    ]
    is_to_end = False
    sure = [chain for chain in chains if _is_quotation(rows, chain)]
    for chain in chains:
        if chain in sure or any(_belongs(chain, each) for each in sure):
            _claim(rows, chain, begins, quoted, changed)
            is_to_end = is_to_end or chain[-1].end >= len(said) - _SLACK
    return Found(frozenset(quoted), frozenset(changed - quoted), is_to_end)


def _message(message: str) -> tuple[list[str], frozenset[int]]:
    """The words of a message, and which of them begin a line."""
    said: list[str] = []
    begins: set[int] = set()
    for line in message.split("\n"):
        begins.add(len(said))
        said += words_of(plain(line))
        if len(said) > _MOST_WORDS:
            break
    return said[:_MOST_WORDS], frozenset(begins)


def closest(words: Sequence[str], messages: Iterable[str], most: int = _MOST_MESSAGES) -> list[str]:
    """The messages in which some piece of the *words* of a mail stands, those with most first."""
    here = _runs(words)
    if not here:
        return []
    counted = ((len(here & _runs(_message(each)[0])), each) for each in messages)
    likely = sorted((each for each in counted if each[0]), key=lambda each: -each[0])
    return [message for _, message in likely[:most]]


def _runs(words: Sequence[str]) -> set[tuple[str, ...]]:
    """All pieces of some words that have the least length at which they are looked at."""
    known = words[:_MOST_WORDS]
    return set(zip(*(known[at:] for at in range(_LEAST)), strict=False))


def _places(words: Sequence[str], said: Sequence[str]) -> tuple[list[int], list[bool]]:
    """Where each word of a mail stands in a message (-1: nowhere), and whether in a long piece."""
    index: dict[tuple[str, ...], list[int]] = {}
    for start in range(len(said) - _RUN + 1):
        index.setdefault(tuple(said[start : start + _RUN]), []).append(start)
    places, long = [-1] * len(words), [False] * len(words)
    at = follows = 0
    while at < len(words):
        starts = index.get(tuple(words[at : at + _RUN]), ())
        best, length = -1, 0
        for start in (follows, *islice(starts, _MOST_PLACES)):
            size = _agree(words, at, said, start)
            # What goes on from the piece above is meant, where the same stands twice.
            if size > length + (best == follows and best >= 0):
                best, length = start, size
        if length >= _RUN or (best == follows and length and at and places[at - 1] >= 0):
            places[at : at + length] = range(best, best + length)
            long[at : at + length] = [length >= _LEAST] * length
            at, follows = at + length, best + length
        else:
            at += 1
    return places, long


def _agree(words: Sequence[str], at: int, said: Sequence[str], start: int) -> int:
    size = 0
    most = min(len(words) - at, len(said) - start)
    while size < most and words[at + size] == said[start + size]:
        size += 1
    return size


def _pieces(
    rows: Sequence[ComparedRow], owners: Sequence[int], places: Sequence[int]
) -> Iterable[_Piece]:
    at = 0
    while at < len(owners):
        end = at
        while end < len(owners) and owners[end] == owners[at]:
            end += 1
        found = [place for place in places[at:end] if place >= 0]
        if found:
            is_whole = len(found) == end - at
            # Of an order, nothing may be left out.
            is_whole &= not rows[owners[at]].is_said or found[-1] - found[0] == end - at - 1
            yield _Piece(owners[at], found[0], found[-1] + 1, is_whole)
        at = end


def _chains(pieces: Sequence[_Piece]) -> Iterable[list[_Piece]]:
    """The pieces in groups that go on in the message where the one above ends."""
    chain: list[_Piece] = []
    for piece in pieces:
        if chain and not _goes_on(chain[-1], piece):
            yield chain
            chain = []
        chain.append(piece)
    if chain:
        yield chain


def _goes_on(above: _Piece, piece: _Piece) -> bool:
    is_plain = above.is_whole and piece.is_whole and piece.row == above.row + 1
    return 0 <= piece.start - above.end <= (_SLACK if is_plain else _CHANGED)


def _is_quotation(rows: Sequence[ComparedRow], chain: Sequence[_Piece]) -> bool:
    """Whether something shows that rows are quoted, and not written again.

    The judge repeats what it does not understand, and gives back texts: whoever sends these words
    once more writes them.
    """
    first = chain[0].row
    above = rows[max(0, first - _ANNOUNCED_WITHIN) : first]
    here = [rows[piece.row] for piece in chain]
    return any(row.is_heading or row.depth for row in here) or any(row.announces for row in above)


def _belongs(chain: Sequence[_Piece], other: Sequence[_Piece]) -> bool:
    """Whether two chains stand in a mail in the order in which they stand in the message."""
    if chain[0].row < other[0].row:
        return chain[-1].end <= other[0].start
    return other[-1].end <= chain[0].start


def _claim(
    rows: Sequence[ComparedRow],
    chain: Sequence[_Piece],
    begins: frozenset[int],
    quoted: set[int],
    changed: set[int],
) -> None:
    """Add the rows of a quotation, and what was put in or changed within it."""
    whole = {piece.row: piece for piece in chain if piece.is_whole}
    depths = [rows[at].depth for at in whole]
    depth = max(set(depths), key=depths.count)
    first, last = chain[0].row, chain[-1].row
    while depth and last + 1 < len(rows) and rows[last + 1].depth == depth:
        last += 1
    for at in range(first, last + 1):
        row = rows[at]
        # A piece of a broken line goes without a mark; a line of its own was typed in between.
        is_line = row.is_said and at in whole and whole[at].start in begins
        if row.depth < depth and (is_line or at not in whole):
            continue
        if at in whole:
            quoted.add(at)
        elif row.is_said:
            changed.add(at)
        elif row.depth:
            quoted.add(at)
