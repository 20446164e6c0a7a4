"""Reply codes: the tokens that messages of the judge carry, found in what people send back.

They stand as ``r.`` and 26 letters and digits in an address (``judge+r.CODE@host``), in a
Message-ID, and in a line of the text.  Mail programs break them: by signs that nobody sees, by
letters in another form, by ends of lines.  All are looked for in one normal form of the text.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain
from typing import Final

from machjudge.reading.mime.address import ids
from machjudge.reading.mime.header import Header
from machjudge.reading.text.characters import normal_form

REDACTED: Final = "********"
"""What stands in the place of a secret."""
MOST = 20
"""How many different codes of one mail are looked at, and how many broken ones besides."""

_LENGTH = 26
_SIGN = "[a-z2-7]"
_BEGIN, _END = "(?<![a-z0-9])", "(?![a-z0-9])"
_GAP = "[^a-z0-9]{0,12}"
_CODE = re.compile(rf"{_BEGIN}(?:r\.)?({_SIGN}{{26}}){_END}", re.IGNORECASE)
_TAGGED = re.compile(rf"{_BEGIN}r\.({_SIGN}{{26}}){_END}", re.IGNORECASE)
_BROKEN = re.compile(
    rf"{_BEGIN}(?=r[^a-z0-9.]{{0,4}}\.[^a-z0-9]{{0,8}}({_SIGN}(?:{_GAP}{_SIGN}){{25}}){_END})",
    re.IGNORECASE,
)
_PIECE = re.compile(rf"{_BEGIN}{_SIGN}{{1,25}}{_END}", re.IGNORECASE)
_WORD = re.compile("[a-z0-9]+", re.IGNORECASE)
_DIGIT = re.compile("[2-7]")
_MOST_PIECES = 4
_LEAST_PIECE = 8
"""So much of a known code is no chance, wherever the rest of it is."""
_WIDEST_GAP = 12
_ESCAPED = re.compile(
    r"&(?:[a-z]{2,14}|#[0-9]{1,7}|#x[0-9a-f]{1,6});|[=%][0-9A-F]{2}|</?[a-z][^<>\n]{0,40}>"
)
"""What stands for a sign where a program did not decode it, or is no text."""
_RECIPIENTS = ("to", "cc", "delivered-to", "x-original-to", "envelope-to")


def codes_in(texts: Iterable[str], most: int = MOST) -> tuple[str, ...]:
    """Everything in *texts* that may be a code, in order, each once and in lower case."""
    found = (match[1].lower() for text in texts for match in _CODE.finditer(_form(text)[0]))
    return _first(found, most)


def sure_codes_in(texts: Iterable[str]) -> frozenset[str]:
    """The codes in *texts* that are marked as such: nothing else looks like them."""
    found = (_TAGGED.finditer(_form(text)[0]) for text in texts)
    return frozenset(match[1] for match in chain.from_iterable(found))


def redact_codes(text: str) -> str:
    """The text without the codes that are marked as such."""
    return "".join(_blotted(text, _spans(text, ())))


def without_codes(lines: Sequence[str], known: Collection[str] = ()) -> list[str]:
    """The lines without codes that are marked as such, and without those that are *known*.

    Also without the pieces of one that is broken by ends of lines; the ends stay.
    """
    text = "\n".join(lines)
    return "".join(_blotted(text, _spans(text, known))).split("\n") if lines else []


def codes_of(header: Header, rows: Iterable[str]) -> tuple[str, ...]:
    """What may be a code in a mail, the surest first: recipients, mails answered, then the text.

    Last comes what would be one if it were not broken.
    """
    lines = list(rows)
    whole = codes_in([*_fields(header), *lines])
    form = _form("\n".join(lines))[0]
    broken = _first(chain(_marked(form), _bare(form)), MOST)
    return tuple(dict.fromkeys((*whole, *broken)))


def lines_of_codes(lines: Sequence[str]) -> list[str]:
    """The lines with everything redacted that is a code by its looks, whole or marked as such."""
    marked = _first(_marked(_form("\n".join(lines))[0]), MOST)
    return without_codes(lines, {*codes_in(lines), *marked})


def _marked(form: str) -> Iterator[str]:
    """What may be codes with gaps in them, behind the sign that marks codes."""
    return (_squeezed(match[1]) for match in _BROKEN.finditer(form))


def _first(found: Iterable[str], most: int) -> tuple[str, ...]:
    each: dict[str, None] = {}
    for code in found:
        each.setdefault(code)
        if len(each) >= most:
            break
    return tuple(each)


def _squeezed(text: str) -> str:
    return "".join(re.findall(_SIGN, text.lower()))


def _bare(form: str) -> Iterator[str]:
    """Neighbours that together are as long as a code, with a digit, as prose seldom has."""
    words = [word.span() for word in _WORD.finditer(form)]
    for first, (begin, behind) in enumerate(words):
        size, end = behind - begin, behind
        for start, stop in words[first + 1 : first + _MOST_PIECES]:
            if start - end > _WIDEST_GAP or size >= _LENGTH:
                break
            size, end = size + stop - start, stop
            if size == _LENGTH:
                code = _squeezed(form[begin:end])
                if len(code) == _LENGTH and _DIGIT.search(code):
                    yield code


def _form(text: str) -> tuple[str, Sequence[int]]:
    """The normal form of a text with nothing in it that stands for a sign, and where all stood."""
    plain = _ESCAPED.sub(lambda found: " " * len(found[0]), text) if _may_escape(text) else text
    return normal_form(plain)


def _may_escape(text: str) -> bool:
    return any(sign in text for sign in "&=%<")


def _spans(text: str, known: Collection[str]) -> list[tuple[int, int]]:
    """Where codes stand in a text, without what marks them as such."""
    form, at = _form(text)
    sure = [match.span(1) for match in _TAGGED.finditer(form)]
    for code in known:
        if re.fullmatch(rf"{_SIGN}{{26}}", code, re.IGNORECASE):
            pattern = re.compile(_BEGIN + rf"(?:r\.)?({_GAP.join(code)})" + _END, re.IGNORECASE)
            sure += [match.span(1) for match in pattern.finditer(form)]
            pieces = (match for match in _PIECE.finditer(form) if len(match[0]) >= _LEAST_PIECE)
            sure += [match.span() for match in pieces if match[0].lower() in code.lower()]
    return [(at[start], at[end - 1] + 1) for start, end in sure]


def _blotted(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[str]:
    """The text with its spans redacted, each line of one by itself."""
    done = 0
    for start, end in sorted(spans):
        if start < done:
            continue
        yield text[done:start]
        yield re.sub(r"(?:^|(?<=\n))([\s>|]*)[^\n]+", rf"\1{REDACTED}", text[start:end])
        done = end
    yield text[done:]


def _fields(header: Header) -> Iterator[str]:
    for name in _RECIPIENTS:
        yield from header.all(name)
    yield from ids(header.get("in-reply-to"))
    yield from reversed(ids(header.get("references")))
