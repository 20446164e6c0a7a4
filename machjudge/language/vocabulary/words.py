"""Lines cut into words, numbers and signs.  Knows spelling and typography, no grammar and no game.

Case, spaces, accents, typographic dashes, arrows and quotes make no difference to an order, nor
does a bullet or a number in front of it.
"""

import re
import unicodedata
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

_TOKEN = re.compile(
    r"""
      [^\W\d_]+(?:'[^\W\d_]+)*'?    # a word; an apostrophe belongs to it: don't, citizens'
    | [0-9]+[.,][0-9]+ | [0-9]+     # a number, whole or not
    | -+>* | =+>* | >+              # dashes and arrows
    | //                            # the beginning of a comment
    | \S                            # any other sign
    """,
    re.VERBOSE,
)

_BULLET = re.compile(
    r"\s*(?:(?:[*•·●▪◦‣⁃]|-(?=\s))\s*|\(?\d{1,3}[.)]\s+|\(?[a-z]\)\s+)?", re.IGNORECASE
)

_DASHES = dict.fromkeys("‐‑‒–—―−﹘﹣－", "-")
_ARROWS = dict.fromkeys("→⇒⇨➔➙➛➜➝➞➡⟶⟹►▶", ">")
_QUOTES = dict.fromkeys("‘’‚‛′´`", "'")
_SIGNS = _DASHES | _ARROWS | _QUOTES


_BEFORE = re.compile(r"^[\s|*_~`\"'<«»“”„]+(?=[\s(]*\w)")
_BEHIND = re.compile(r"(?<=[\w)'])[\s!|*_~`\"^>«»“”]*[!|*_~`\"^>«»“”]\s*$")
_SMILEY = re.compile(r"(?<=\s)[:;=]['-]?[)(dp|/\\]+\s*$")
_EMPHASIS = re.compile(r"(?<!\w)[*_~]+(?=\w)|(?<=\w)[*_~]+(?!\w)")
"""Marks around a word inside a line: ``*German*``."""
_BRACKETS = re.compile(r"[()\[\]{}]")
_IN_BRACKETS = re.compile(r"(\s*)[(\[{]([^()\[\]{}]*)[)\]}](\s*)")


class Word(NamedTuple):
    """A word, number or sign of a line: in plain lower case, and where it stands."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class PlainLine:
    """A line in plain letters, and which character of the original each of them comes from."""

    original: str
    plain: str
    """Lower case, without accents, with simple dashes and quotes."""
    origin: tuple[int, ...] | None
    """For each plain character its place in the original; None if they are the same."""

    def column(self, position: int) -> int:
        """Where a plain character stands in the original; the end for the end."""
        if self.origin is None:
            return min(position, len(self.original))
        return self.origin[position] if position < len(self.origin) else len(self.original)

    def words(self) -> list[Word]:
        """The words behind the bullet, if there is one."""
        start = _behind_bullet(self.plain)
        return [Word(m.group(), *m.span()) for m in _TOKEN.finditer(self.plain, start)]

    def between(self, start: int, end: int) -> str:
        """The original text of a stretch of plain characters."""
        return self.original[self.column(start) : self.column(end)]


def cut(plain: str) -> list[str]:
    """The words of a line in plain letters without a bullet: the quick way."""
    return _TOKEN.findall(plain)


def bare(text: str) -> str:
    """A line of ASCII in lower case without its bullet."""
    plain = text.lower()
    return plain if plain[:1].isalpha() else plain[_behind_bullet(plain) :]


def line_of(text: str) -> PlainLine:
    """Make a line plain."""
    if text.isascii():
        return PlainLine(text, text.lower(), None)
    pairs = [(plain, at) for at, sign in enumerate(text) for plain in _plain(sign)]
    return PlainLine(text, "".join(plain for plain, _ in pairs), tuple(at for _, at in pairs))


def undressed(line: PlainLine) -> PlainLine:
    """The line with spaces in place of what people put around an order, and of pictures in it.

    Marks of emphasis and quotation, bars, exclamation marks, smileys. Every column stays.
    """
    plain = line.plain
    if not plain.isascii():
        plain = "".join(" " if _is_picture(sign) else sign for sign in plain)
    for pattern in (_SMILEY, _BEHIND, _BEFORE, _EMPHASIS):
        plain = pattern.sub(lambda found: " " * len(found[0]), plain)
    around = _IN_BRACKETS.fullmatch(plain)
    if around is not None:
        plain = " ".join((around[1], around[2], around[3]))
    return replace(line, plain=plain)


def without_brackets(line: PlainLine) -> PlainLine:
    """The line with spaces in place of its brackets.  Every column stays."""
    return replace(line, plain=_BRACKETS.sub(" ", line.plain))


_LONGEST_PLAIN = 4


def _is_picture(sign: str) -> bool:
    """Whether a sign is an emoji or a part of one."""
    return sign > "\x7f" and unicodedata.category(sign) in ("So", "Sk", "Cs")


def fold(text: str) -> str:
    """A text in lower case, without accents, with simple dashes and quotes."""
    return line_of(text).plain


def _behind_bullet(plain: str) -> int:
    match = _BULLET.match(plain)
    # Nothing but a bullet is no bullet: "- " alone is left to be complained about.
    return match.end() if match and match.end() < len(plain) else 0


@lru_cache(maxsize=1024)
def _plain(sign: str) -> str:
    """One character in plain letters; nothing for accents and signs without width."""
    if sign in _SIGNS:
        return _SIGNS[sign]
    # Superscripts, fractions and circled digits stay what they are: 1² is not 12.
    if unicodedata.category(sign) == "No":
        return sign
    parts = unicodedata.normalize("NFKD", sign)
    kept = (part for part in parts if unicodedata.category(part) not in ("Mn", "Me", "Cf"))
    plain = "".join(_SIGNS.get(part, part) for part in kept).lower()
    # One sign of Arabic becomes eighteen letters: no line may grow by such a factor.
    return plain if len(plain) <= _LONGEST_PLAIN else sign
