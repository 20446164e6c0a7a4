"""Lay out what templates made: lines that fit, in which nothing can hide, each with its kind.

A template marks a line as heading, item or line to send back. The marks are taken out here, and the
kinds kept beside the text, a letter for each line. Plain text and HTML both come from these two, so
neither can say more.
"""

import re
import secrets
import textwrap
from dataclasses import dataclass
from functools import lru_cache

from machjudge.translatable import MessageOrText


@dataclass(frozen=True, slots=True)
class InlinePicture:
    """A picture shown in a message where its template says so."""

    cid: str
    """Its name in the message, letters and digits: ``near``."""
    png: bytes
    alt: MessageOrText
    """What it shows, in words: the text part has them in its place."""
    legend: MessageOrText = ""
    """What the signs on it mean."""
    media_type: str = "image/png"
    """The type of *png*; SVG for a picture that is drawn on sending."""


WIDTH = 72
"""The width at which sentences are broken."""

LONGEST_LINE = 80
"""A longer line is broken."""

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
_BREAKS = re.compile(r"[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]|\r\n?")
_BLANK_LINES = re.compile(r"\n{3,}")

PLAIN, BLANK, BELOW, FURTHER = ".", " ", "|", "+"
"""A line of its own; an empty one; a line of the block that has begun; the rest of a long line."""

KINDS = {
    "title": "t",
    "heading": "h",
    "subheading": "s",
    "item": "i",
    "news": "w",
    "due": "d",
    "wrong": "x",
    "done": "y",
    "typed": "o",
    "quoted": "q",
    "note": "n",
    "label": "l",
    "sending": "v",
    "button": "b",
    "picture": "p",
    "tapping": "m",
    "replying": "r",
    "choice": "c",
    "row": "k",
}
"""The filters of templates that mark the kinds of lines, with their letters."""

_EACH = frozenset(("typed", "quoted", "sending", "due"))
"""Kinds that mark each line of a text, not only the first."""

_INSIDE = {
    KINDS["title"]: KINDS["news"],
    KINDS["heading"]: KINDS["subheading"],
    KINDS["label"]: KINDS["note"],
    KINDS["sending"]: KINDS["typed"],
    KINDS["button"]: KINDS["item"],
    KINDS["choice"]: KINDS["typed"],
}
"""Kinds of lines inside another message, without those of buttons, which would answer that."""

# Nobody else knows it, so that no text of a player can hold a mark.
_MARK = f"\ue000{secrets.token_hex(4)}"
_AT = len(_MARK)


@dataclass(frozen=True, slots=True)
class TextWithKinds:
    """A text that fits a terminal, and the kind of each of its lines."""

    text: str
    kinds: str


def marked(kind: str, text: str) -> str:
    """Return the text with each line marked; lines below the first belong to its block."""
    if "\n" not in text:
        return f"{_MARK}{KINDS[kind]}{text}"
    first, *others = text.removesuffix("\n").split("\n")
    below = KINDS[kind] if kind in _EACH else BELOW
    whole = "\n".join([f"{_MARK}{KINDS[kind]}{first}", *(f"{_MARK}{below}{one}" for one in others)])
    return f"{whole}\n" if text.endswith("\n") else whole


def inside(text: str, kinds: str) -> str:
    """Return the marked lines of a message as a part of another one."""
    rows = text.removesuffix("\n").split("\n")
    return "\n".join(
        f"{_MARK}{_INSIDE.get(kind, kind)}{row}" if row and kind != PLAIN else row
        for row, kind in zip(rows, kinds.ljust(len(rows), PLAIN), strict=False)
    )


def one_line(text: str) -> str:
    """Return the text as a single line without control characters, safe for a header."""
    return _CONTROL.sub("", " ".join(_BREAKS.sub(" ", text).split()))


def indented(text: str, by: str = "  ") -> str:
    """Return the text indented, so that no line passes for one of ours."""
    return "\n".join(by + line for line in _BREAKS.sub("\n", text).split("\n"))


def clean_body(text: str) -> str:
    """Return the text without control characters, in lines that fit, blank lines reduced."""
    return laid(text).text


def clean_lines(text: str) -> tuple[str, ...]:
    """The lines of a part of a message, with their marks, without control characters."""
    return tuple(_cleaned(text).split("\n"))


def laid(text: str) -> TextWithKinds:
    """A message as its text and the kinds of its lines."""
    lines: list[str] = []
    kinds: list[str] = []
    for each in _cleaned(text).split("\n"):
        line, kind = _unmarked(each) if each else ("", PLAIN)
        if len(line) <= LONGEST_LINE or line.startswith("::"):
            lines.append(line)
            kinds.append(kind if line else BLANK)
            continue
        pieces = _pieces(line)
        lines += pieces
        kinds += [kind, *(FURTHER for _ in pieces[1:])]
    return TextWithKinds("\n".join(lines) + "\n", "".join(kinds))


def without(kind: str, text: str, kinds: str) -> TextWithKinds:
    """Return a message without the lines of one kind; *kinds* has the kind of each line."""
    kept, drops = [], False
    rows = text.split("\n")
    for row, own in zip(rows, kinds.ljust(len(rows), PLAIN), strict=False):
        drops = own == KINDS[kind] or (drops and own in (BELOW, FURTHER))
        kept += [] if drops else [(row, own)]
    return TextWithKinds("\n".join(row for row, _ in kept), "".join(own for _, own in kept))


def _cleaned(text: str) -> str:
    lines = _CONTROL.sub("", _BREAKS.sub("\n", text).expandtabs(4)).split("\n")
    return _BLANK_LINES.sub("\n\n", "\n".join(map(str.rstrip, lines))).strip("\n")


def _unmarked(line: str) -> tuple[str, str]:
    """The line without marks, and the kind of the innermost one."""
    at = line.rfind(_MARK)
    if at < 0:
        return line, PLAIN
    kind = line[at + _AT]
    while at >= 0:
        line = line[:at] + line[at + _AT + 1 :]
        at = line.rfind(_MARK)
    return line, kind


@lru_cache(maxsize=1024)
def _pieces(line: str) -> tuple[str, ...]:
    """Break a long line; further pieces are indented two more than its text.

    Cached, since the same lines stand in several messages.
    """
    text = line.lstrip(" ")
    indent = " " * min(len(line) - len(text), WIDTH // 2)
    pieces = textwrap.wrap(
        text,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + ("  " if indent else ""),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return tuple(pieces) or ("",)
