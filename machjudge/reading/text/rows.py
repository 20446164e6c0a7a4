"""The rows of a body, and the words by which a reader finds its way among them.

A row is not yet a line for the grammar: it may be quoted, a signature, or half of a broken line.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from machjudge.reading.text.characters import CONTROL, DIRECTION, plain, visible
from machjudge.reading.text.courtesies import is_assent
from machjudge.reading.text.mail import Line, LineKind, Owner, Where

_UNIT = r"(?:a|f|g|army|fleet|garrison)"
_EXPENSE = r"(?:e|exp|expense) ?\d"
_NUMBERED = r"[afg][1-9]\d?"
_LETTERED = r"[a-l] ?- ?[\w(][\w '()./-]{0,40}- ?\d{1,4} ?d(?:ucats?)?$"
"""An expense in the letters of 1978, ``C-A1-3d``."""
_NOTHING = r"(?!)"


@dataclass(frozen=True)
class Vocabulary:
    """The words of the judge's language, in lower case."""

    commands: frozenset[tuple[str, ...]] = frozenset()
    """Phrases with which a command begins."""
    verbs: frozenset[tuple[str, ...]] = frozenset()
    """Phrases with which an order begins that goes on behind them."""
    orders: frozenset[tuple[str, ...]] = frozenset()
    """Phrases that are an order by themselves."""
    deeds: frozenset[str] = frozenset()
    """Words that say what a unit does, behind its name."""
    texts: frozenset[str] = frozenset()
    """The texts that somebody can ask for."""
    headings: frozenset[str] = frozenset()
    """Rows that stand in messages of the judge and nowhere else, in small letters."""

    def begins_command(self, text: str) -> bool:
        """Whether a line begins with a command or with an order that begins with its verb.

        ``for 2 years`` is the end of a loan, and a verb alone may be the end of any order.
        """
        return bool(self._command.match(text))

    def is_command(self, text: str) -> bool:
        """Whether a line begins with a command, and not with the verb of an order."""
        return bool(self._dialogue.match(text))

    def is_unit_order(self, text: str) -> bool:
        """Whether a line begins like an order that names its unit's kind."""
        return bool(self._unit_order.match(text))

    def is_bare_order(self, text: str) -> bool:
        """Whether a line begins like an order that names a place only."""
        return bool(self._bare_order.match(text))

    @cached_property
    def _dialogue(self) -> re.Pattern[str]:
        commands = rf"(?:{_any(self.commands)})(?![\w'])(?<!\bfor)"
        loans = r"for(?= +[^\d\s])" if ("for",) in self.commands else _NOTHING
        return re.compile(rf"{commands}|{loans}", re.IGNORECASE)

    @cached_property
    def _command(self) -> re.Pattern[str]:
        verbs = rf"(?:{_any(self.verbs)})[:,]? +\S"
        alone = rf"(?:{_any(self.orders)})(?![\w'])"
        return re.compile(rf"{self._dialogue.pattern}|{verbs}|{alone}|{_EXPENSE}", re.IGNORECASE)

    @cached_property
    def _deed(self) -> str:
        return f"(?:-|->|{_any((deed,) for deed in self.deeds)})"

    @cached_property
    def _unit_order(self) -> re.Pattern[str]:
        deed = rf":? {self._deed}(?!\w)"
        letter = r" ?: ?(?:[afg](?: ?-|/|$)|0$)"
        plain = rf"{_UNIT} [\w.'/ ]{{1,40}}?(?: ?->? ?\w|{deed}|{letter})"
        numbered = rf"{_NUMBERED}(?: [\w.'/ ]{{1,40}}?)??(?: ?: ?\w| ->? ?\w|{deed})"
        return re.compile(f"{plain}|{numbered}|{_LETTERED}", re.IGNORECASE)

    @cached_property
    def _bare_order(self) -> re.Pattern[str]:
        words = r"[\w.']{2,20}(?: [\w.']{2,20}){0,2}"
        deed = rf" {self._deed}(?: |$)"
        return re.compile(rf"{words}(?: ->? ?\w|-> ?\w|{deed})", re.IGNORECASE)


def _any(phrases: Iterable[tuple[str, ...]]) -> str:
    """One of the phrases, the longest first, with spaces or hyphens between their words."""
    longest = sorted(phrases, key=lambda phrase: (-len(" ".join(phrase)), phrase))
    return "|".join("[ -]+".join(map(re.escape, phrase)) for phrase in longest) or _NOTHING


_SIGNON = re.compile(r"(?:(?:sign|log)[ -]*(?:on|in)|hello)\b", re.IGNORECASE)
_FULL_SIGNON = re.compile(
    r"(?:sign|log)[ -]*(?:on|in)\s+\?{0,1}\s*\S+\s+\S+|(?:hello)\s+\S+\s+\S+\s*$", re.IGNORECASE
)
_SIGNON_BEHIND = re.compile(
    r"([^>|].*[^\W\d_]{2}[.!]) +(sign *on +\?{0,1}[A-Za-z]\w+ +\S+) *", re.IGNORECASE
)
"""`zimbra_external`: a warning without a line end in front of the first row."""
_SIGNOFF = re.compile(r"sign[ -]*off[\s.!,;]*$", re.IGNORECASE)
_PRESS = re.compile(
    r"(?:(?:postal +)?press|broadcast)\b|diary\b(?! +(?:list|read|delete)\b)", re.IGNORECASE
)
_END_OF_PRESS = re.compile(
    r"end *(?:press|broadcast|postal(?: *press)?|diary)[\s.!,;]*$", re.IGNORECASE
)
_COMMENT = re.compile(r"set +comment +begin\b", re.IGNORECASE)
_END_OF_COMMENT = re.compile(
    r"(?:end(?: *comment)?|set +comment +end|sign *off)[\s.!,;]*$", re.IGNORECASE
)
_FREE = re.compile(
    r"(?:help|list|get|send|register|create|observe|watch|who|map|version|ping|i am also|info"
    r"|summary|differences|status|stats|statistics|ratings?|history|confirm|forget +me"
    r"|set +(?:time *zone|calendar|html|pictures?|maps|json|notif(?:y|ications?)|digests?"
    r"|lang(?:uage)?|idioma|lingua))\b",
    re.IGNORECASE,
)
_ORDER_LIKE = re.compile(r"(?:^|\s)(?:[AFG]|[Aa]rmy|[Ff]leet|[Gg]arrison)\s+[A-Z]\w{2,}")
"""A unit and what may be its place."""
_MOST_POWERS = 3
"""So many words may name a power behind ``for``."""
_PROSE = re.compile(r"for\b", re.IGNORECASE)
"""What begins a command, and sentences as well."""

_EXTRA = (
    "*\u2022\u2023\u2043\u204c\u204d\u2219\u25aa\u25ab\u25b6\u25b8\u25ba\u25cb\u25cf\u25e6\u25a0\u25a1"
    "\u25c6\u27a2\u27a4\u2713\u2714\u2756\u00b7\u00a7\uf0a7\uf0b7\uf0d8"
)
_BULLETS: Final = re.compile(
    rf"(?:[{re.escape(_EXTRA)}+-]\s+|[{_EXTRA[1:]}]|o {{2,}}|->\s+"
    r"|\[[ xX]\]\s+|[\u2610\u2611\u2612]\s*|[\u2460-\u249b]\s*"
    r"|\(?\d{1,3}[.)]\s+|\(?\d{1,3}[.)](?=[A-Za-z]{1,8}[ -]))"
)
_EMPHASIS = re.compile(
    r"(?<![^\s(])(\*{1,3}|_{1,3}|`{1,3})(?=[^\s*_`])([^*`]*?[^\s*`])\1(?=[\s,;.:!)]|$)"
)
_UNDECORATED = re.compile(r"(?!o {2})[A-Za-z][^*_`\x80-\U0010ffff]*")
"""How almost all lines are: no bullet can stand in front, and no mark of emphasis within."""
_MOST_SQUEEZED = 500
_MOST_MARKS = 40
"""In a line with more of them they are not emphasis, and looking for pairs would take long."""
_RULE = re.compile(r"[-_=*~+#.`\u00b7\u2022\u2500-\u257f ]+")
_FRAMES = ("-", "_", "=", "*")
_LEAST_FRAME = 3


@dataclass(frozen=True)
class Row:
    """One row of the body: its number from 1, as written, and in normal form."""

    number: int
    raw: str
    text: str
    words: Vocabulary = field(default=Vocabulary(), repr=False, compare=False)
    bare: str = field(init=False, repr=False, compare=False)
    """The text without bullets, numbers and emphasis, and without unseen characters."""

    def __post_init__(self) -> None:
        """Find its words, which every reader of it asks for."""
        object.__setattr__(self, "bare", bare(self.text))

    @cached_property
    def squeezed(self) -> str:
        """Its beginning with single spaces: some programs set header fields in columns."""
        return " ".join(self.bare[:_MOST_SQUEEZED].split())

    @property
    def is_blank(self) -> bool:
        """Whether nothing stands in it."""
        return not self.text

    @property
    def is_quoted(self) -> bool:
        """Whether it bears a quote mark."""
        return self.text.startswith(">")

    @property
    def is_rule(self) -> bool:
        """Whether it is but a drawn line, or a heading between two."""
        if _RULE.fullmatch(self.text):
            return True
        # "--- A Flo - Bol ---" is an order all the same.
        inside = unframed(self.text)
        return inside != self.text and not replace(self, text=inside).is_said

    @property
    def is_signon(self) -> bool:
        """Whether it begins like a signon."""
        return bool(_SIGNON.match(self.bare))

    @property
    def is_full_signon(self) -> bool:
        """Whether it is a signon with its game and password."""
        return bool(_FULL_SIGNON.match(unquoted(self.bare)))

    @property
    def is_greeting(self) -> bool:
        """Whether it begins with the word that people also greet with."""
        return self.bare[:5].lower() == "hello"

    @property
    def is_signoff(self) -> bool:
        """Whether reading ends here."""
        return bool(_SIGNOFF.match(self.bare))

    @property
    def begins_press(self) -> bool:
        """Whether what follows is the body of a press."""
        # "Press on, we are nearly there!"
        is_sentence = self.bare[-1:] in (".", "!", "?") and len(self.bare.split()) > _MOST_POWERS
        return bool(_PRESS.match(self.bare)) and not is_sentence

    @property
    def ends_press(self) -> bool:
        """Whether the body of a press ends before it."""
        return bool(_END_OF_PRESS.match(self.bare))

    @property
    def begins_comment(self) -> bool:
        """Whether what follows is the text of a comment."""
        return bool(_COMMENT.match(self.bare))

    @property
    def ends_comment(self) -> bool:
        """Whether the text of a comment ends here."""
        return bool(_END_OF_COMMENT.match(self.bare))

    @property
    def is_free(self) -> bool:
        """Whether it begins like a command that needs no signon."""
        return bool(_FREE.match(self.bare))

    @property
    def is_unit_order(self) -> bool:
        """Whether it begins like an order that names its unit's kind."""
        return self.words.is_unit_order(self.bare)

    @cached_property
    def is_command(self) -> bool:
        """Whether it begins with a command, or with the verb of an order."""
        return self.words.begins_command(self.bare)

    @cached_property
    def is_said(self) -> bool:
        """Whether it looks like something said to the judge: an order of any form or a command."""
        if self.is_unit_order or self.words.is_bare_order(self.bare):
            return True
        return self.is_command and not _PROSE.match(self.bare)

    def as_aside(self, where: Where, owner: Owner) -> Line:
        """It as a row that is left out."""
        return Line(self.number, self.bare, self.bare, owner=owner, where=where)

    @cached_property
    def kind(self) -> LineKind:
        """What it is by its look; the service, which knows the game, may know better."""
        if self.is_signon or self.is_signoff or self.words.is_command(self.bare):
            first, *behind = self.bare.lower().split()
            # "Get BlueMail for Android"
            is_advice = first == "get" and len(behind) > 1 and behind[0] not in self.words.texts
            # "For urgent matters call Anna."
            is_prose = first == "for" and len(behind) > _MOST_POWERS and self.bare[-1] in ".!?"
            return LineKind.PROSE if is_advice or is_prose else LineKind.COMMAND
        # What is struck out is shown to its writer as it stands.
        struck = replace(self, text=self.text.strip("~")) if self.text[:2] == "~~" else self
        if struck.is_said or _ORDER_LIKE.search(self.bare):
            return LineKind.ORDER
        if is_assent(self.bare):
            return LineKind.AGREEMENT
        return LineKind.QUESTION if self.bare.endswith("?") else LineKind.PROSE


def rows_of(lines: Sequence[str], most: int, words: Vocabulary) -> list[Row]:
    """The rows of a body; of one longer than *most* characters only the beginning is looked at."""
    return [
        Row(number, piece, plain(piece[:most].rstrip("\x1a")), words)
        for number, line in enumerate(lines, start=1)
        for piece in _pieces(line)
    ]


def _pieces(line: str) -> Iterator[str]:
    """A row, or the sentence and the signon of which a server has made one row."""
    found = _SIGNON_BEHIND.fullmatch(line) if len(line) < _MOST_SQUEEZED else None
    yield from (line,) if found is None else (found[1], found[2])


def bare(text: str) -> str:
    """A line in normal form without bullets, numbers, emphasis and unseen characters."""
    return undecorated(CONTROL.sub("", DIRECTION.sub("", text)))


def undecorated(text: str) -> str:
    """A line without leading bullets and numbers, and without marks of emphasis."""
    if _UNDECORATED.fullmatch(text):
        return text.rstrip(" ")
    text = _behind_pictures(text)
    for _ in range(3):
        bullet = _BULLETS.match(text)
        shorter = _without_emphasis(text[bullet.end() :] if bullet else text)
        if shorter == text:
            break
        text = shorter
    return text.strip(" ")


def unframed(text: str) -> str:
    """A line without the lines drawn before and behind it: "--- A Flo - Bol ---"."""
    sign = text[:1]
    if sign not in _FRAMES:
        return text
    inside = text.strip(sign)
    before, behind = len(text) - len(text.lstrip(sign)), len(text) - len(text.rstrip(sign))
    if not inside:  # nothing but the line, which is before and behind
        return inside if len(text) >= 2 * _LEAST_FRAME else text
    return inside.strip() if min(before, behind) >= _LEAST_FRAME else text


def _behind_pictures(text: str) -> str:
    """A line without the bars and pictures in front; what stands behind may be a password."""
    at = 0
    while at < len(text) and (text[at] in "| " or _is_picture(text[at])):
        at += 1
    return text[at:]


def _is_picture(char: str) -> bool:
    return char > "\x7f" and unicodedata.category(char) == "So" and char not in _EXTRA


def unquoted(text: str) -> str:
    """A line without its quote marks."""
    return undecorated(text.lstrip("> |"))


def _without_emphasis(text: str) -> str:
    marks = text.count("*") + text.count("_") + text.count("`")
    return _EMPHASIS.sub(r"\2", text) if 1 < marks <= _MOST_MARKS else text


def as_press(raw: str) -> str:
    """A line of press: as it was written, but for what cannot be seen."""
    return visible(raw)
