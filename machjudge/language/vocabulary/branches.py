"""Lines of ``if … then … else if … else … endif`` cut into their pieces.  Knows no order."""

import re
from dataclasses import dataclass
from enum import Enum

from machjudge.language.vocabulary.words import fold, line_of


class Mark(Enum):
    """What a piece of a line begins with."""

    IF = "if"
    THEN = "then"
    ELSE_IF = "else if"
    ELSE = "else"
    END_IF = "endif"


@dataclass(frozen=True, slots=True)
class BranchPiece:
    """A mark, or none, and the text up to the next one; *column* is where that text begins."""

    mark: Mark | None
    text: str
    column: int = 0


_MARK = re.compile(r"\b(else\s+if|elseif|elsif|end\s+if|endif|else|if|then)\b[:,]?")
_BEGINNING = re.compile(rf"[\s;]*{_MARK.pattern}")
_TALK = re.compile(
    r"\s*(?:if|then|else),?\s(?!.*\b(?:owns?|treasury)\b)"
    r"(?:.*\s)?(?:not|so|i|you|he|she|it|we|they|this|that|there|my|your|our|me|her|him|us|them)\b"
    r".*[.!?]\s*"
)
_COMMENT = re.compile(r"#|//")


def begins_branch(text: str) -> bool:
    """Whether a line begins with one of the words of ``if … endif``."""
    return bool(_BEGINNING.match(fold(text))) and pieces_of(text)[0].mark is not None


def is_talk(text: str) -> bool:
    """Whether a line is a whole sentence such as "If you agree, I will come." and no condition."""
    marks = [piece.mark for piece in pieces_of(text)]
    return bool(_TALK.fullmatch(line_of(text).plain)) and len(marks) == 1


def ends_branch(text: str) -> bool:
    """Whether ``endif`` stands in a line."""
    return any(piece.mark is Mark.END_IF for piece in pieces_of(text))


def pieces_of(text: str) -> tuple[BranchPiece, ...]:
    """The pieces of a line; what stands behind ``#`` or ``//`` is no mark."""
    line = line_of(text)
    comment = _COMMENT.search(line.plain)
    end = comment.start() if comment else len(line.plain)
    marks = list(_MARK.finditer(line.plain, 0, end))
    starts = [*(mark.start() for mark in marks), len(line.plain)]
    head = _piece(text, None, 0, line.column(starts[0]))
    pieces = [] if not head.text and marks else [head]
    for mark, until in zip(marks, starts[1:], strict=True):
        pieces.append(
            _piece(text, _mark(mark.group(1)), line.column(mark.end()), line.column(until))
        )
    return tuple(pieces)


def _piece(text: str, mark: Mark | None, start: int, end: int) -> BranchPiece:
    said = text[start:end]
    return BranchPiece(mark, said.strip(" \t;"), start + len(said) - len(said.lstrip(" \t;")))


def _mark(word: str) -> Mark:
    squeezed = "".join(word.split())
    return {
        "if": Mark.IF,
        "then": Mark.THEN,
        "else": Mark.ELSE,
        "endif": Mark.END_IF,
    }.get(squeezed, Mark.ELSE_IF)
