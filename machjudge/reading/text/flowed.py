"""Unfold format=flowed text (RFC 3676): a line that ends with a space goes on in the next."""

import re
from collections.abc import Sequence

_QUOTE = re.compile(r">*")
_SIGNATURE = "-- "


def unfold(lines: Sequence[str], *, delsp: bool) -> list[str]:
    """The paragraphs of *lines*; with *delsp* the space at a soft line break is not text.

    Only lines of the same quoting depth are put together, and the signature's line never is.
    """
    out: list[str] = []
    pieces: list[str] = []
    depth = 0
    for line in lines:
        here, text = _unquoted(line)
        if pieces and (here != depth or text == _SIGNATURE):
            out.append(_paragraph(depth, pieces))
            pieces = []
        depth = here
        soft = text.endswith(" ") and text != _SIGNATURE
        pieces.append(text[:-1] if soft and delsp else text)
        if not soft:
            out.append(_paragraph(depth, pieces))
            pieces = []
    return [*out, _paragraph(depth, pieces)] if pieces else out


def _unquoted(line: str) -> tuple[int, str]:
    """The quoting depth, and the text without quote marks and stuffed space."""
    marks = _QUOTE.match(line)
    depth = marks.end() if marks else 0
    return depth, line[depth:].removeprefix(" ")


def _paragraph(depth: int, pieces: list[str]) -> str:
    text = "".join(pieces)
    return f"{'>' * depth} {text}" if depth else text
