"""Where passwords stand in what players write, and how they are blotted out.

A password is the word behind the game in a signon, hello, login, create, observe or watch, each
word behind "set password", and the word behind "password is". Words may stand on the next lines.
In doubt a word too many is blotted rather than one too few.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Final

from machjudge.reading.characters import readable

BLOT: Final = "********"

_SHORT = 4
"""A shorter password is blotted only where it stands as one. Elsewhere that would mark the places
of common letters, and so betray it."""
_MOST_KNOWN = 300
_NEXT_LINES = 3
_MOST_IN_LINE = 10
"""Behind as many commands in a line, everything is blotted."""

_COMMAND = re.compile(
    r"(?P<game>(?<![a-z0-9])(?:sign[\s-]{0,3}on|log[\s-]?in)(?P<joined>\w{0,40})[:.,]{0,3}"
    r"|(?<![a-z0-9])create\b(?=\s*\?))"
    r"|(?P<first>^[\s>|*+-]*(?:hello|observe|watch)\b)"
    r"|(?P<all>(?<![a-z0-9])set\s{1,9}pass\w{0,40}[:=]{0,3})"
    r"|(?P<one>(?<![a-z0-9])(?:pass(?:word|wort|wd)|pw)\s{0,9}(?:is\b|ist\b|[:=]))",
    re.IGNORECASE,
)
_WORD = re.compile(r"[\"“][^\"“”]{1,80}[\"”]\S*|\S+")
_MARKS = re.compile(r"[\s>|*+-]*")
_AROUND = " \t.,;:!?\"'()<>[]“”‘’*_`"


@dataclass(frozen=True, slots=True)
class _Word:
    """A word in the place of a password; *sure* if hardly anything else can stand there."""

    line: int
    start: int
    text: str
    sure: bool = True


def blot_line(text: str, secrets: Collection[str] = ()) -> str:
    """One line without the password it may hold, and without *secrets*: for logs and answers."""
    line = [readable(text)]
    return blot_known(blot_words(line)[0], passwords_in(line) | {*secrets})


def blot_words(lines: Sequence[str]) -> list[str]:
    """The lines with each word blotted that stands in the place of a password."""
    out = list(lines)
    # From the end of each line, so that the places before stay where they are.
    for word in sorted(set(_places(lines)), key=lambda w: (w.line, w.start), reverse=True):
        line = out[word.line]
        if line[word.start :].startswith(word.text):
            out[word.line] = line[: word.start] + BLOT + line[word.start + len(word.text) :]
    return out


def passwords_in(lines: Sequence[str]) -> frozenset[str]:
    """The passwords in the lines that can be looked for elsewhere."""
    found: dict[str, None] = {}
    for word in _places(lines):
        if word.sure and not _COMMAND.match(word.text):
            bare = word.text.strip(_AROUND)
            found |= dict.fromkeys([bare, *re.split("[;,]", bare)])
    long = (text for text in found if len(text) >= _SHORT and text.strip("*"))
    return frozenset(islice(long, _MOST_KNOWN))


def blot_known(line: str, known: Collection[str]) -> str:
    """The line with every occurrence of the *known* passwords blotted, in any case of letters."""
    pattern = _pattern(frozenset(known))
    return pattern.sub(BLOT, line) if pattern else line


@lru_cache(maxsize=16)
def _pattern(known: frozenset[str]) -> re.Pattern[str] | None:
    choices = [_choice(word) for word in sorted(known, key=len, reverse=True) if word.strip()]
    return re.compile("|".join(choices), re.IGNORECASE) if choices else None


def _choice(word: str) -> str:
    exact = re.escape(word)
    return exact if len(word) >= _SHORT else rf"(?<!\w){exact}(?!\w)"


def _places(lines: Sequence[str]) -> Iterator[_Word]:
    for at, line in enumerate(lines):
        commands = _COMMAND.finditer(line)
        for command in islice(commands, _MOST_IN_LINE):
            yield from _behind(lines, at, command)
            if command["all"]:
                break
        for command in islice(commands, 1):
            yield from _words_of(lines, at, command.end())


def _behind(lines: Sequence[str], at: int, command: re.Match[str]) -> Iterator[_Word]:
    """The words behind *command*, found in line *at*, that are passwords or may be."""
    words = _words(lines, at, command.end())
    if command["game"]:
        game = None if command["joined"] else next(words, None)
        yield from islice(words, 2 if game is not None and game.text == "?" else 1)
    elif command["first"]:
        here = [word for word in words if word.line == at]
        yield from (_Word(w.line, w.start, w.text, len(here) == 2) for w in here[1:2])  # noqa: PLR2004
    elif command["all"]:
        first = next(words, None)
        yield from () if first is None else (first,)
        yield from (word for word in words if word.line == at)
    else:
        yield from islice(words, 1)


def _words(lines: Sequence[str], at: int, start: int) -> Iterator[_Word]:
    """The words behind *start* in line *at*, then those of the next lines up to a command."""
    yield from _words_of(lines, at, start)
    filled = (n for n in range(at + 1, len(lines)) if lines[n].strip())
    for n in islice(filled, _NEXT_LINES):
        marks = _MARKS.match(lines[n])
        begin = marks.end() if marks else 0
        if _COMMAND.match(lines[n], begin):
            return
        yield from _words_of(lines, n, begin)


def _words_of(lines: Sequence[str], at: int, start: int) -> Iterator[_Word]:
    return (_Word(at, word.start(), word[0]) for word in _WORD.finditer(lines[at], start))
