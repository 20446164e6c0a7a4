"""Where passwords stand in what players write, and how they are blotted out.

A password is what stands behind the game in a signon, hello, login, observe or watch, the word
behind the game in a create, what stands behind "set password", and the word behind "password is".
It may stand on one of the next lines. In doubt rather too much is blotted.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Final

from machjudge.reading.characters import readable

BLOT: Final = "********"

_SHORT = 4
"""A shorter password in a mail is blotted only where it stands as one. Elsewhere that would mark
the places of common letters, and so betray it."""
_LONG = 200
_MOST_KNOWN = 300
_NEXT_LINES = 3
_MOST_IN_LINE = 10
"""Behind as many commands in a line, everything is blotted."""

_COMMAND = re.compile(
    r"(?P<game>(?<![a-z0-9])(?:sign[\s-]{0,3}on|log[\s-]?in)(?P<joined>\w{0,40})[:.,]{0,3})"
    r"|(?P<watch>^[\s>|*•+_-]{0,200}(?:\(?\d{1,3}[.)][\s*_]{0,9})?"
    r"(?:(?P<hello>hello)|observe|watch)\b)"
    r"|(?P<create>(?<![a-z0-9])create\b(?=\s*\?))"
    r"|(?P<set>(?<![a-z0-9])set\b[^\n]{0,200}?\b(?:pass\w{0,40}|pw|p)\b[:=]{0,3})"
    r"|(?P<word>(?<![a-z0-9])(?:pass(?:word|wort|wd)|pw)\s{0,9}(?:is\b|ist\b|[:=]))",
    re.IGNORECASE,
)
_WORD = re.compile(r"[\"“][^\"“”]{1,80}[\"”]\S*|\S+")
_MARKS = re.compile(r"[\s>|*•+-]*")
_AROUND = " \t.,;:!?\"'()<>[]“”‘’*_`"


@dataclass(frozen=True, slots=True)
class _Place:
    """What is blotted in a line, and the passwords in it that can be looked for elsewhere."""

    line: int
    start: int
    end: int
    known: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Word:
    """A word of a line."""

    line: int
    start: int
    text: str

    @property
    def end(self) -> int:
        """Where it ends in its line."""
        return self.start + len(self.text)


def blot_line(text: str, secrets: Collection[str] = ()) -> str:
    """One line without the password it may hold, and without *secrets*: for logs and answers."""
    line = [readable(text)]
    return blot_known(blot_words(line)[0], passwords_in(line) | {*secrets})


def blot_words(lines: Sequence[str]) -> list[str]:
    """The lines with everything blotted that stands in the place of a password."""
    spans: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for place in _places(lines):
        spans[place.line].append((place.start, place.end))
    return [_without(line, sorted(spans.get(at, ()))) for at, line in enumerate(lines)]


def passwords_in(lines: Sequence[str]) -> frozenset[str]:
    """The passwords in the lines that can be looked for elsewhere."""
    found: dict[str, None] = {}
    for place in _places(lines):
        for text in place.known:
            bare = text.strip(_AROUND)
            found |= dict.fromkeys([text, bare, *re.split("[;,]", bare)])
    long = (text for text in found if _SHORT <= len(text) <= _LONG and text.strip("* "))
    return frozenset(islice(long, _MOST_KNOWN))


def blot_known(line: str, known: Collection[str]) -> str:
    """The line with every occurrence of the *known* passwords blotted, in any case of letters."""
    pattern = _pattern(frozenset(known))
    return pattern.sub(BLOT, line) if pattern else line


def _without(line: str, spans: Sequence[tuple[int, int]]) -> str:
    """The line with its spans blotted, those that overlap as one."""
    out: list[str] = []
    at = 0
    for start, end in spans:
        if start >= at:
            out += [line[at:start], BLOT]
        at = max(at, end)
    return "".join([*out, line[at:]])


@lru_cache(maxsize=16)
def _pattern(known: frozenset[str]) -> re.Pattern[str] | None:
    choices = [_choice(word) for word in sorted(known, key=len, reverse=True) if word.strip()]
    return re.compile("|".join(choices), re.IGNORECASE) if choices else None


def _choice(word: str) -> str:
    exact = re.escape(word)
    return exact if len(word) >= _SHORT else rf"(?<!\w){exact}(?!\w)"


def _places(lines: Sequence[str]) -> Iterator[_Place]:
    for at, line in enumerate(lines):
        commands = _COMMAND.finditer(line)
        for command in islice(commands, _MOST_IN_LINE):
            yield from _behind(lines, at, command)
        for command in islice(commands, 1):
            yield _Place(at, command.end(), len(line))


def _behind(lines: Sequence[str], at: int, command: re.Match[str]) -> Iterator[_Place]:
    """What stands behind *command*, found in line *at*, that is a password or may be one."""
    words = _words(lines, at, command.end())
    has_no_game = command["set"] or command["word"] or command["joined"]
    game = None if has_no_game else next(words, None)
    first = next(words, None)
    if first is None or (command["hello"] and first.line != at):
        return
    if command["word"] or (command["create"] and game and game.text != "?"):
        yield _Place(first.line, first.start, first.end, (first.text,))
        return
    line = lines[first.line]
    rest = line[first.start :]
    # "Hello judge, how are you" is hardly a signon: blotted, but not looked for elsewhere.
    is_sure = not command["watch"] or len(rest.split()) == 1
    yield _Place(first.line, first.start, len(line), (first.text, rest) if is_sure else ())


def _words(lines: Sequence[str], at: int, start: int) -> Iterator[_Word]:
    """The words behind *start* in line *at*, then those of the next lines up to a command."""
    yield from _words_of(lines, at, start)
    filled = (n for n in range(at + 1, len(lines)) if lines[n].strip())
    for n in islice(filled, _NEXT_LINES):
        marks = _MARKS.match(lines[n])
        begin = marks.end() if marks else 0
        if _COMMAND.match(lines[n][begin:]):
            return
        yield from _words_of(lines, n, begin)


def _words_of(lines: Sequence[str], at: int, start: int) -> Iterator[_Word]:
    return (_Word(at, word.start(), word[0]) for word in _WORD.finditer(lines[at], start))
