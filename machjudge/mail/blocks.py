"""The lines of a message as blocks, each with its kind: what its HTML is laid out from."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from machjudge.letters.layout.lines import BELOW, BLANK, FURTHER, KINDS, PLAIN

_TAG = re.compile(r"((?:Re: )?(?:\[[^]]*\] )?[^\s:]+:\S+(?: - [SUF]\d{4}[MRB])?) (.+)")
"""The game and the phase with which a subject begins."""


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Lines that belong together: the first, those below it, and its kind."""

    kind: str
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        """The lines as one text."""
        return "\n".join(self.lines)


def titled(text: str, kinds: str, subject: str) -> tuple[str, str, list[TextBlock]]:
    """What stands above the title, the title, and the blocks below it."""
    blocks = list(_blocks(text, kinds))
    first = next((block for block in blocks if block.kind == KINDS["title"]), None)
    if first is not None:
        blocks.remove(first)
        above, title = subject, first.text
    else:
        above, title = _parted(subject)
    if not above:
        return "", title, blocks
    quiet = f"<div>{escape(above)}</div>"
    return quiet, title, blocks


def _parted(subject: str) -> tuple[str, str]:
    """What a subject is about, and what it says of it."""
    tagged = _TAG.match(subject)
    if tagged is not None:
        return tagged[1], tagged[2]
    above, _, title = subject.rpartition(": ")
    return above, title


def _blocks(text: str, kinds: str) -> Iterator[TextBlock]:
    """The lines of a text, those of one block together; nothing for empty lines."""
    kind, lines = BLANK, [""]
    rows = text.split("\n")
    kinds = kinds.ljust(len(rows), PLAIN)
    for line, own, after in zip(rows, kinds, [*rows[1:], ""], strict=False):
        here = _kind(line, own, after)
        if here == FURTHER and lines:
            lines[-1] += f" {line.strip()}"
        elif here == BELOW and kind != BLANK:
            lines.append(line.strip())
        else:
            if kind != BLANK:
                yield TextBlock(kind, tuple(lines))
            kind, lines = here, [_bare(line, here)]
    if kind != BLANK:
        yield TextBlock(kind, tuple(lines))


def _kind(line: str, kind: str, after: str) -> str:
    """The kind of a line; one without a mark is an item where it is moved in.

    An item below which others are moved in is their heading.
    """
    if not line.strip():
        return kind if kind == KINDS["quoted"] else BLANK
    if kind in _LOOSE and line.startswith("  "):
        return BELOW if line.startswith("    ") else KINDS["item"]
    is_above = after.startswith("  ") and not after.startswith("    ")
    return KINDS["subheading"] if kind == KINDS["item"] and is_above else kind


_LOOSE = (PLAIN, KINDS["item"])


def _bare(line: str, kind: str) -> str:
    """The line as it stands in its block: what people typed keeps its spaces."""
    return line.removeprefix("  ") if kind == KINDS["quoted"] else line.strip()
