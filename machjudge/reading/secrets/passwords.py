"""The one finder of passwords and tokens in what people write, and how they are redacted.

Found is what stands behind the game in a signon, hello, login, observe or watch, the word behind
the game in a create, what stands behind "set password", "password is" or "confirm", and what is
joined to a game (``signon Vborgia/tulip9``). It may stand on one of the next lines. In doubt rather
too much is found: who writes to other people chooses by :class:`Place` what of it counts.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from enum import Enum, auto
from functools import lru_cache
from itertools import islice

from machjudge.reading.secrets.codes import sure_codes_in
from machjudge.reading.secrets.redacted_places import REDACTED
from machjudge.reading.text.characters import readable

_SHORT = 4
"""A shorter password in a mail is redacted only where it stands as one. Elsewhere that would mark
the places of common letters, and so betray it."""
_LONG = 200
_MOST_KNOWN = 300
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
_STEMS = (
    *("sign", "log", "hello", "observe", "watch", "join", "create"),
    *("set", "pass", "token", "kennwort", "pw", "confirm", "/", "|", "\\"),
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
_QUOTED = re.compile(r"(\"[^\"]*\"|(?<!\w)'[^']*'(?!\w))")
_AROUND = " \t.,;:!?\"'()<>[]“”‘’*_`"


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
class Place:
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
class _Word:
    """A word of a line."""

    line: int
    start: int
    text: str

    @property
    def end(self) -> int:
        """Where it ends in its line."""
        return self.start + len(self.text)


def redact_line(text: str, secrets: Collection[str] = ()) -> str:
    """One line without the password it may hold, and without *secrets*: for logs and answers."""
    line = readable(text)
    return _without(line, _spans(line, secrets))


def redacted_column(line: str, column: int, secrets: Collection[str] = ()) -> int:
    """Where a column of a line is when it is redacted; of one in a password, where that begins."""
    shift = 0
    for start, end in _merged(_spans(line, secrets)):
        if column >= end:
            shift += len(REDACTED) - (end - start)
        elif column > start:
            return start + shift
    return column + shift


def hidden_in(line: str, secrets: Collection[str] = ()) -> frozenset[str]:
    """The words of a line that are not in it any more when it is redacted."""
    shown = redact_line(line, secrets)
    bare = {form for word in line.split() for form in (word, word.strip(_AROUND))}
    return frozenset(word for word in bare if word and word not in shown)


def redact_sentence(text: str, secrets: Collection[str]) -> str:
    """A sentence of the judge without the *secrets* of a mail that it may repeat.

    What it repeats stands in quotation marks; elsewhere only what is no plain word can come from a
    mail. A password that is a word of the sentence itself would be betrayed by a gap.
    """
    odd = {word for word in secrets if not word.isalpha()}
    parts = _QUOTED.split(text)
    return "".join(redact_known(part, secrets if at % 2 else odd) for at, part in enumerate(parts))


def redact_words(
    lines: Sequence[str], counts: Callable[[Place], Place | None] = lambda place: place
) -> list[str]:
    """The lines with everything redacted that stands in the place of a password.

    *counts* gives what of a place is redacted, or None.
    """
    spans: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for place in filter(None, map(counts, _places(lines))):
        spans[place.line].append((place.start, place.end))
    return [_without(line, spans.get(at, ())) for at, line in enumerate(lines)]


def passwords_in(lines: Sequence[str]) -> frozenset[str]:
    """The passwords in the lines that can be looked for elsewhere."""
    found: dict[str, None] = {}
    for place in _places(lines):
        for text in place.known:
            bare = text.strip(_AROUND)
            found |= dict.fromkeys([text, bare, *re.split("[;,]", bare)])
    long = (text for text in found if _SHORT <= len(text) <= _LONG and text.strip("* "))
    return frozenset(islice(long, _MOST_KNOWN)) | sure_codes_in(lines)


def redact_known(line: str, known: Collection[str]) -> str:
    """The line with every occurrence of the *known* passwords redacted, in any case of letters."""
    pattern = _pattern(frozenset(known))
    return pattern.sub(REDACTED, line) if pattern else line


@lru_cache(maxsize=1024)
def means_password(word: str) -> bool:
    """Whether a word is, or is a misspelt, name of the password, as behind ``set``."""
    return bool(get_close_matches(word.lower(), _MEANT, cutoff=0.6))


def _spans(line: str, secrets: Collection[str]) -> list[tuple[int, int]]:
    """What is redacted in one line."""
    pattern = _pattern(passwords_in([line]) | {*secrets})
    known = [] if pattern is None else [found.span() for found in pattern.finditer(line)]
    return [*known, *((place.start, place.end) for place in _places([line]))]


def _merged(spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The spans in order, those that overlap as one."""
    open_: tuple[int, int] | None = None
    for start, end in sorted(spans):
        if open_ is None or start >= open_[1]:
            if open_ is not None:
                yield open_
            open_ = (start, end)
        else:
            open_ = (open_[0], max(open_[1], end))
    if open_ is not None:
        yield open_


def _without(line: str, spans: Sequence[tuple[int, int]]) -> str:
    """The line with its spans redacted."""
    out: list[str] = []
    at = 0
    for start, end in _merged(spans):
        out += [line[at:start], REDACTED]
        at = end
    return "".join([*out, line[at:]])


@lru_cache(maxsize=16)
def _pattern(known: frozenset[str]) -> re.Pattern[str] | None:
    choices = [_choice(word) for word in sorted(known, key=len, reverse=True) if word.strip()]
    return re.compile("|".join(choices), re.IGNORECASE) if choices else None


def _choice(word: str) -> str:
    exact = re.escape(word)
    return exact if len(word) >= _SHORT else rf"(?<!\w){exact}(?!\w)"


def _places(lines: Sequence[str]) -> Iterator[Place]:
    for at, line in enumerate(lines):
        if not _may_hold_command(line):
            continue
        commands = _COMMAND.finditer(line)
        for command in islice(commands, _MOST_IN_LINE):
            yield from _behind(lines, at, command)
        for command in islice(commands, 1):
            yield Place(at, command.end(), len(line), Behind.SIGNON)


def _may_hold_command(line: str) -> bool:
    """A quick look: the pattern takes long for a long line."""
    plain = line.casefold()
    return any(stem in plain for stem in _STEMS)


def _behind(lines: Sequence[str], at: int, command: re.Match[str]) -> Iterator[Place]:
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
        first = _Word(game.line, game.start + joined.end(), game.text[joined.end() :])
    if first is None or (behind is Behind.HELLO and first.line != at):
        return
    name = game.text[: joined.end()] if game and joined else game.text if game else ""
    place = Place(
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


def _joined(game: _Word, after: _Word | None) -> re.Match[str] | None:
    """The game and the sign with which its password is joined on, if it is."""
    found = _JOINED.match(game.text)
    if found is None and (after is None or after.line != game.line):
        found = _LOOSELY_JOINED.match(game.text)
    return found


def _kind(command: re.Match[str]) -> Behind | None:
    """Behind what the found command would have a password; none if it is nothing after all."""
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
