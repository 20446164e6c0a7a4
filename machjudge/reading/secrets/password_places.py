"""The one finder of passwords and tokens in what people write, and how they are redacted.

Found is what stands behind the game in a signon, hello, login, observe or watch, the word behind
the game in a create, what stands behind "set password", "password is" or "confirm", and what is
joined to a game (``signon Vborgia/tulip9``). It may stand on one of the next lines. In doubt rather
too much is found: who writes to other people chooses by :class:`PasswordPlace` what of it counts.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from enum import Enum, auto
from functools import lru_cache
from itertools import islice

_NEXT_LINES = 3
_MOST_IN_LINE = 10
"""Behind as many commands in a line, everything is redacted."""
_HEAD = r"^[\s>|*•+_\-\"'`]{0,200}(?:\(?\d{1,3}[.)][\s*_]{0,9})?"
_NAME = r"(?:pass(?:word|wort|wd)|kennwort|pwd?)"
_COMMAND = re.compile(
    r"(?P<seat>(?<![a-z0-9])(?:sign[\s-]{0,3}on|log[\s-]?in)(?P<joined>\w{0,40})[:.,]{0,3})"
    rf"|(?P<watch>{_HEAD}(?:(?P<hello>hello|join)|observe|watch)\b)"
    r"|(?P<create>(?<![a-z0-9])create\b(?=\s*\?))"
    r"|(?P<set>(?<![a-z0-9])set\b(?:(?!\bset\b)[^\n]){0,200}?\b(?:pass\w{0,40}|pw|p)\b[:=]{0,3})"
    rf"|(?P<meant>{_HEAD}set\s{{1,9}}(?P<key>\w{{5,12}})\s{{0,9}}[:=]?(?=\s{{0,9}}\S+\s{{0,9}}$))"
    rf"|(?P<word>(?<![a-z0-9]){_NAME}\s{{0,9}}(?:is\b|ist\b|[:=]))"
    rf"|(?P<bare>{_HEAD}(?:my\s{{1,9}})?{_NAME}(?=\s{{1,9}}(?!ist?\b|[:=])\S+\s{{0,9}}$))"
    rf"|(?P<loose>(?<![a-z0-9]){_NAME}\s{{1,9}}(?:-{{1,3}}>?\s{{1,9}})?(?=\S)"
    rf"|{_HEAD}(?:pass|token)(?=\s{{1,9}}\S+\s{{0,9}}$)"
    rf"|{_HEAD}(?:my\s{{1,9}})?{_NAME}\s{{0,9}}$)"
    rf"|(?P<glued>{_HEAD}\??[a-z]\w{{2,40}}[/|\\]{{1,3}}(?=[^\s/|\\]{{3,80}}\s{{0,9}}$))"
    rf"|(?P<confirm>{_HEAD}confirm\b)",
    re.IGNORECASE,
)
_STEMS = re.compile(
    r"sign|log|hello|observe|watch|join|create|set|pass|token|kennwort|pw|confirm|[/|\\]"
)
"""One of them is in whatever the pattern finds."""
_MEANT = ("password", "passwort")
_JOINED = re.compile(r"\??[\w@.-]{1,60}?[/:;,=|\\]+(?=\w)")
"""A game with its password joined on."""
_LOOSELY_JOINED = re.compile(r"\??[A-Za-z0-9]{1,60}[^A-Za-z0-9\s]+(?=\w)")
"""The same by any sign, where no password follows."""
_ODD = re.compile(r"\d")
_WORD = re.compile(r"[\"“][^\"“”]{1,80}[\"”]\S*|\S+")
_MARKS = re.compile(r"[\s>|*•+-]*")


class Behind(Enum):
    """Behind what a password stands."""

    SIGNON = auto()
    HELLO = auto()
    """Which is a greeting as well."""
    GAME = auto()
    """``observe``, ``watch``, ``create``."""
    SETTING = auto()
    NAME = auto()
    """Its own name, as in "my password is"."""
    CONFIRM = auto()


@dataclass(frozen=True, slots=True)
class PasswordPlace:
    """A stretch of a line that is or may hold a password."""

    line: int
    start: int
    end: int
    behind: Behind
    opening: tuple[int, int] = (0, 0)
    """The line and column where the command begins."""
    game: str = ""
    """The word in the place of a game, as it was written."""
    first: str = ""
    """The first word of the stretch."""
    known: tuple[str, ...] = ()
    """What of it can be looked for elsewhere."""


@dataclass(frozen=True, slots=True)
class _LineWord:
    """A word of a line."""

    line: int
    start: int
    text: str

    @property
    def end(self) -> int:
        """Where it ends in its line."""
        return self.start + len(self.text)


AROUND = " \t.,;:!?\"'()<>[]“”‘’*_`"


def password_places(lines: Sequence[str]) -> Iterator[PasswordPlace]:
    """Where passwords stand or may stand in lines, one after another."""
    for at, line in enumerate(lines):
        if not _may_hold_command(line):
            continue
        commands = _COMMAND.finditer(line)
        for command in islice(commands, _MOST_IN_LINE):
            yield from _behind(lines, at, command)
        for command in islice(commands, 1):
            yield PasswordPlace(at, command.end(), len(line), Behind.SIGNON)


def _may_hold_command(line: str) -> bool:
    """A quick look: the pattern takes long for a long line."""
    return _STEMS.search(line.casefold()) is not None


def _behind(lines: Sequence[str], at: int, command: re.Match[str]) -> Iterator[PasswordPlace]:
    """What stands behind *command*, found in line *at*, that is a password or may be one."""
    behind = _kind(command)
    if behind is None:
        return
    words = _words(lines, at, command.end())
    has_game = behind in (Behind.SIGNON, Behind.HELLO, Behind.GAME) and not command["joined"]
    game = next(words, None) if has_game else None
    first = next(words, None)
    joined = _joined(game, first) if game else None
    if game and joined:
        first = _LineWord(game.line, game.start + joined.end(), game.text[joined.end() :])
    if first is None or (behind is Behind.HELLO and first.line != at):
        return
    name = game.text[: joined.end()] if game and joined else game.text if game else ""
    place = PasswordPlace(
        first.line, first.start, first.end, behind, (at, command.start()), name, first.text
    )
    if command["loose"]:
        yield replace(place, known=(first.text,) if _ODD.search(first.text) else ())
        return
    if behind in (Behind.NAME, Behind.CONFIRM) or (command["create"] and name != "?"):
        yield replace(place, known=(first.text,))
        return
    line = lines[first.line]
    rest = line[first.start :]
    # "Hello judge, how are you" is hardly a signon: redacted, but not looked for elsewhere.
    is_sure = not command["watch"] or len(rest.split()) == 1
    yield replace(place, end=len(line), known=(first.text, rest) if is_sure else ())


def _joined(game: _LineWord, after: _LineWord | None) -> re.Match[str] | None:
    """The game and the sign with which its password is joined on, if it is."""
    found = _JOINED.match(game.text)
    if found is None and (after is None or after.line != game.line):
        found = _LOOSELY_JOINED.match(game.text)
    return found


def _kind(command: re.Match[str]) -> Behind | None:
    """Behind what the found command would have a password; None if it is nothing after all."""
    if command["meant"]:
        return Behind.SETTING if means_password(command["key"]) else None
    named = {
        "seat": Behind.SIGNON,
        "hello": Behind.HELLO,
        "watch": Behind.GAME,
        "create": Behind.GAME,
        "set": Behind.SETTING,
        "word": Behind.NAME,
        "bare": Behind.NAME,
        "loose": Behind.NAME,
        "glued": Behind.NAME,
        "confirm": Behind.CONFIRM,
    }
    return next(kind for group, kind in named.items() if command[group])


def _words(lines: Sequence[str], at: int, start: int) -> Iterator[_LineWord]:
    """The words behind *start* in line *at*, then those of the next lines up to a command."""
    yield from _words_of(lines, at, start)
    filled = (n for n in range(at + 1, len(lines)) if lines[n].strip())
    for n in islice(filled, _NEXT_LINES):
        marks = _MARKS.match(lines[n])
        begin = marks.end() if marks else 0
        if _COMMAND.match(lines[n][begin:]):
            return
        yield from _words_of(lines, n, begin)


def _words_of(lines: Sequence[str], at: int, start: int) -> Iterator[_LineWord]:
    return (_LineWord(at, word.start(), word[0]) for word in _WORD.finditer(lines[at], start))


@lru_cache(maxsize=1024)
def means_password(word: str) -> bool:
    """Whether a word is, or is a misspelt, name of the password, as behind ``set``."""
    return bool(get_close_matches(word.lower(), _MEANT, cutoff=0.6))
