"""Unfold format=flowed text (RFC 3676): a line that ends with a space goes on in the next.

Some programs say so and leave such spaces at the ends of short lines, too. A line behind which the
next word would have had room was ended by its writer, if that word begins something new.
"""

import re
from collections.abc import Callable, Sequence

_QUOTE = re.compile(r">*")
_SIGNATURE = "-- "
_NARROWEST = 60
"""No program breaks paragraphs at fewer characters."""


def unfold(
    lines: Sequence[str], *, delsp: bool, begins: Callable[[str], bool] = lambda _: False
) -> list[str]:
    """The paragraphs of *lines*; with *delsp* the space at a soft line break is not text.

    *begins* says whether a line begins something new. Only lines of the same quoting depth are put
    together, and the signature's line never is.
    """
    out: list[str] = []
    pieces: list[str] = []
    depth = 0
    for line in lines:
        here, text = _unquoted(line)
        ends = here != depth or text == _SIGNATURE
        if pieces and (ends or (_had_room(pieces, text, depth) and begins(text))):
            out.append(_paragraph(depth, pieces))
            pieces = []
        depth = here
        soft = text.endswith(" ") and text != _SIGNATURE
        pieces.append(text[:-1] if soft and delsp else text)
        if not soft:
            out.append(_paragraph(depth, pieces))
            pieces = []
    return [*out, _paragraph(depth, pieces)] if pieces else out


def _had_room(pieces: Sequence[str], text: str, depth: int) -> bool:
    """Whether the first word of a line had room in the line above it."""
    word = text.partition(" ")[0]
    return depth + len(pieces[-1]) + len(word) < _NARROWEST


def _unquoted(line: str) -> tuple[int, str]:
    """The quoting depth, and the text without quote marks and stuffed space."""
    marks = _QUOTE.match(line)
    depth = marks.end() if marks else 0
    return depth, line[depth:].removeprefix(" ")


def _paragraph(depth: int, pieces: list[str]) -> str:
    text = "".join(pieces)
    return f"{'>' * depth} {text}" if depth else text
