"""The normal form of a line's characters.

For the grammar (:func:`plain`):

* compatibility forms become plain ones (full width, ligatures, "…"), but superscripts, fractions
  and circled digits stay what they are: 1² is not 12;
* every kind of white space is a space; runs of spaces are kept, ends are trimmed;
* characters without width, and soft hyphens, are gone;
* hyphen, en dash, em dash and minus are ``-``; an arrow in any form is ``->``;
* apostrophes are ``'``; double quotation marks and pairs of single ones around words are gone.

ASCII inside a word is never changed, so that passwords stay what they were: ``--`` or ``=>`` are
put in normal form only where they stand alone.
"""

import re
import string
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache

_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\u2e3a\u2e3b\ufe58\ufe63\uff0d"
_ARROWS = (
    "\u2192\u25b6\u21d2\u21e8\u21fe\u2794\u2799\u279b\u279c\u279d\u279e\u27a1\u27f6\u27f9\u27fe"
    "\u2b62\U0001f852"
)
_SINGLE = "\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4\uff07"
_DOUBLE = "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\uff02"
_NO_WIDTH = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u200b\u200c\u200d"
    "\u2060\u2061\u2062\u2063\u2064\u3164\ufeff\uffa0"
)
_SELECTORS = "".join(chr(code) for code in range(0xFE00, 0xFE10))
_SPACES = "\t\u00a0\u1680\u202f\u205f\u3000" + "".join(chr(code) for code in range(0x2000, 0x200B))

_DIRECTION = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_CONTROL = "\x00-\x08\x0e-\x1f\x7f-\x9f\ufff9-\ufffb"

DIRECTION = re.compile(f"[{_DIRECTION}]")
"""Characters that change the direction of writing (Unicode property Bidi_Control)."""
CONTROL = re.compile(f"[{_CONTROL}]")
"""Control characters that no mail program writes into text."""
UNDECODABLE = "\ufffd"
"""What stands for bytes that could not be decoded."""

LINE_END = re.compile("\r\n|[\n\r\x0b\x0c\u2028\u2029]")
"""What ends a line of text."""
_SURROGATE = re.compile("[\ud800-\udfff]")

_SPACING = str.maketrans({**dict.fromkeys(_SPACES, " "), **dict.fromkeys(_NO_WIDTH + _SELECTORS)})
_SIGNS = str.maketrans(
    {
        **dict.fromkeys(_DASHES, "-"),
        **dict.fromkeys(_ARROWS, "->"),
        **dict.fromkeys(_SINGLE, "'"),
        **dict.fromkeys(_DOUBLE, '"'),
    }
)
_DASH_ARROW = re.compile(f"[{_DASHES}]+[>\u203a]")
_LONGEST_FORM = 4
_KEPT_FORMS = ("<super>", "<sub>", "<fraction>", "<circle>", "<square>")
_LONE_ARROW = re.compile(r"(?<!\S)(?:-{2,3}|={1,3})>(?!\S)")
_LONE_DASHES = re.compile(r"(?<=\S )-{2,3}(?= \S)")
_OPENING = re.compile(r"(?<!\S)\"+(?=\S)|(?<=[\s(:])\"+(?=\S)")
_CLOSING = re.compile(r"(?<=[^\s\"])\"+(?=[\s,;.:!)]|$)")
_PAIR = re.compile(r"(?<!\S)'([^']+)'(?!\S)")


def words(text: str) -> frozenset[str]:
    """The words of a text, as a table for looking things up."""
    return frozenset(text.split())


def split_lines(text: str) -> list[str]:
    """The lines of a text, at every character that ends a line, without their ends."""
    lines = LINE_END.split(text)
    if lines and not lines[-1]:
        lines.pop()
    return lines


def without_surrogates(text: str) -> str:
    """The text with halves of surrogate pairs, which no encoding can write, marked undecodable."""
    return _SURROGATE.sub(UNDECODABLE, text)


def visible(text: str) -> str:
    """The text with plain spaces and nothing that cannot be seen; typography is kept."""
    cleaned = CONTROL.sub("", DIRECTION.sub("", text.translate(_SPACING)))
    return unicodedata.normalize("NFC", cleaned).rstrip()


def readable(text: str) -> str:
    """The text as :func:`visible` shows it, with compatibility forms made plain."""
    return visible(text if text.isascii() else _unfold_forms(text))


def plain(text: str) -> str:
    """The normal form of a line for the grammar, as the head of this module describes it."""
    if text.isascii():
        # Nearly every line: nothing to translate but tabs.
        signs = text.replace("\t", " ")
    else:
        signs = _DASH_ARROW.sub("->", _unfold_forms(text)).translate(_SPACING).translate(_SIGNS)
    signs = _LONE_DASHES.sub("-", _LONE_ARROW.sub("->", signs))
    return _unquote(signs).strip(" ")


def normal_form(text: str) -> tuple[str, Sequence[int]]:
    """A text by which secrets in it are known, and where each sign of that stands in the text.

    Nothing in it is unseen: default-ignorable signs (Unicode), controls, and marks on letters are
    gone.  Letters and digits of another width, style or script that look like plain ones are these,
    in small letters; every white space but the end of a line is a space.
    """
    if text.isascii() and CONTROL.search(text) is None:
        return text, range(len(text))
    signs = list(map(_plain_signs, text))
    return "".join(signs), [at for at, each in enumerate(signs) for _ in each]


@lru_cache(maxsize=4096)
def _plain_signs(char: str) -> str:
    """What a sign is in the normal form: nothing, itself, or up to four others."""
    if char in "\n\r":
        return char
    if char.isspace():
        return " "
    if _is_unseen(char):
        return ""
    if char.isascii():
        return char
    parts = unicodedata.normalize("NFKD", char).casefold()[:_LONGEST_FORM]
    return "".join(_lookalikes().get(each, each) for each in parts if not _is_unseen(each))


def _is_unseen(char: str) -> bool:
    return char in _FILLERS or unicodedata.category(char) in _UNSEEN


_UNSEEN = frozenset(("Cc", "Cf", "Cn", "Co", "Cs", "Mn", "Mc", "Me"))
"""Controls, signs for programs, signs of no meaning, marks: all default-ignorable ones but some."""
_FILLERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that are drawn as nothing."""


@lru_cache(maxsize=1)
def _lookalikes() -> Mapping[str, str]:
    """The letters, digits and stops of other scripts that look like plain ones."""
    # Its table takes long to load, and most mails have no such signs.
    from confusable_homoglyphs.confusables import confusables_data  # noqa: PLC0415

    plain = string.ascii_lowercase + string.ascii_uppercase + string.digits + ".+"
    found = {"\u3002": "."}
    for sign in plain:
        for each in confusables_data.get(sign, ()):
            if len(each["c"]) == 1 and not each["c"].isascii():
                found.setdefault(each["c"], sign.lower())
    return found


def single_line(text: str, most: int = 500) -> str:
    """The text as a harmless header value: one line, no control characters, at most *most* long."""
    seen = visible(without_surrogates(" ".join(split_lines(text[: 4 * most]))))
    return " ".join(seen.split())[:most].rstrip()


def _unfold_forms(text: str) -> str:
    return unicodedata.normalize("NFC", "".join(map(_compatible, text)))


@lru_cache(maxsize=4096)
def _compatible(char: str) -> str:
    form = unicodedata.decomposition(char)
    if not form.startswith("<") or form.startswith(_KEPT_FORMS) or char in _SINGLE:
        return char
    plainer = unicodedata.normalize("NFKC", char)
    # One sign of Arabic becomes eighteen letters: no mail may grow by such a factor.
    return plainer if len(plainer) <= _LONGEST_FORM else char


def _unquote(text: str) -> str:
    if '"' in text:
        text = _CLOSING.sub("", _OPENING.sub("", text))
    return _PAIR.sub(r"\1", text) if "'" in text else text
