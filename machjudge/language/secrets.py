"""Passwords in lines of the dialogue, so that nothing that is kept or sent repeats one.

Works on any line, also quoted or broken ones: it is no parser, and rather hides too much.
"""

import re
from collections.abc import Iterator

BLOT = "*****"
"""What stands for a password; always the same length."""

_START = r"^[\s>*|•-]*"
_FLAGS = re.IGNORECASE
_SIGN_ON = re.compile(_START + r"(?:sign\s*on|hello|login)\s+(?!\?)\S+\s+(?P<secret>\S.*)", _FLAGS)
_JOIN = re.compile(
    _START + r"(?:sign\s*on|hello|login|create)\s+\??\s*\S*\s+(?P<secret>\S+)", _FLAGS
)
_OBSERVE = re.compile(_START + r"(?:observe|watch)\s+\S+\s+(?P<secret>\S.*)", _FLAGS)
_SET = re.compile(
    _START + r"set\b.*?\b(?:password|pw|p)\b\s*[:=]?\s*(?P<secret>[^\s,][^,]*)", _FLAGS
)
_CONFIRM = re.compile(_START + r"confirm\s+(?P<secret>\S+)", _FLAGS)
_PATTERNS = (_SIGN_ON, _JOIN, _OBSERVE, _SET, _CONFIRM)


def blot(line: str) -> str:
    """A line with its passwords blotted out."""
    blotted = line
    for start, end in sorted(_secrets(line), reverse=True):
        blotted = blotted[:start] + BLOT + blotted[end:]
    return blotted


def has_secret(line: str) -> bool:
    """Whether there is a password in a line."""
    return next(_secrets(line), None) is not None


def blotted_column(line: str, column: int) -> int:
    """Where a column of a line is when its passwords are blotted out; in one, where it begins."""
    shift = 0
    for start, end in sorted(_secrets(line)):
        if column >= end:
            shift += len(BLOT) - (end - start)
        elif column > start:
            return start + shift
    return column + shift


def _secrets(line: str) -> Iterator[tuple[int, int]]:
    """Where the passwords stand; of a line that looks like several commands, the first match."""
    for pattern in _PATTERNS:
        match = pattern.match(line)
        if match:
            yield match.start("secret"), len(line[: match.end("secret")].rstrip())
            return
