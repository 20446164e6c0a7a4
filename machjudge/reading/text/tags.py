"""HTML as a stream of texts and tags, in time linear in its length.

Every mark-up error has some outcome. The standard library's parser is not used because 60 kB of
unclosed tags occupy it for a minute.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape as resolve

_TAG = re.compile("<(?:/?[A-Za-z]|[!?])")
_NAME = re.compile(r"/?([A-Za-z][\w:-]{0,40})")
_ATTRIBUTE = re.compile(
    r"([\w:-]{1,40})\s{0,9}=\s{0,9}(?:\"([^\"]{0,2000})\"|'([^']{0,2000})'|([^\s\"'>]{1,2000}))"
)
_NO_CHARACTER = re.compile(r"&#(?:\d{11,}|[xX][0-9a-fA-F]{11,});?", re.ASCII)
"""A reference by a number that is far too long."""
_BARE = re.compile(r"(?<!\S)(hidden)(?![\w=-])")
_MOST_TAG = 8_000
_TRIES = 5
_RAW = {
    name: re.compile(rf"</{name}", re.IGNORECASE) for name in ("script", "style", "title", "xml")
}


@dataclass(frozen=True, slots=True)
class TagText:
    """Text with its entities resolved, white space as written."""

    text: str


@dataclass(frozen=True, slots=True)
class OpenTag:
    """The start of an element (or the whole of an empty one); names are lower case."""

    name: str
    attributes: dict[str, str] = field(default_factory=dict)

    def get(self, name: str) -> str:
        """The attribute *name*, or ""."""
        return self.attributes.get(name, "")


@dataclass(frozen=True, slots=True)
class Close:
    """The end of an element."""

    name: str


Token = TagText | OpenTag | Close


def unescape(text: str) -> str:
    """The text with its character references resolved; one of an impossible number is U+FFFD.

    The standard library raises ValueError for a number of more than 4,300 digits.
    """
    return resolve(_NO_CHARACTER.sub("\ufffd", text) if "&#" in text else text)


def tokens(html: str) -> Iterator[Token]:
    """The texts and tags in their order, without comments, declarations, scripts and styles."""
    at = 0
    while found := _TAG.search(html, at):
        start = found.start()
        if start > at:
            yield TagText(unescape(html[at:start]))
        end = _end_of_tag(html, start)
        if end < 0:
            return
        token = _tag(html[start + 1 : min(end, start + _MOST_TAG)])
        if token is not None:
            yield token
        at = _behind_raw(html, end + 1, token)
    if at < len(html):
        yield TagText(unescape(html[at:]))


def _behind_raw(html: str, at: int, token: Token | None) -> int:
    """Where to go on: behind what stands in a script or style, which is no text."""
    if not isinstance(token, OpenTag) or token.name not in _RAW:
        return at
    closing = _RAW[token.name].search(html, at)
    return closing.start() if closing else len(html)


def _end_of_tag(html: str, start: int) -> int:
    """Where the tag at *start* ends, -1 if it never does."""
    if html.startswith("<!--", start):
        end = html.find("-->", start + 4)
        return end + 2 if end >= 0 else -1
    if html[start + 1 : start + 2] in ("!", "?"):
        return html.find(">", start)
    return _end_outside_quotes(html, start)


def _end_outside_quotes(html: str, start: int) -> int:
    first = end = html.find(">", start)
    for _ in range(_TRIES):
        if end < 0:
            break
        tag = html[start : min(end, start + _MOST_TAG)]
        if tag.count('"') % 2 == 0:
            return end
        end = html.find(">", end + 1)
    return first


def _tag(inside: str) -> Token | None:
    name = _NAME.match(inside)
    if name is None:
        return None
    if inside.startswith("/"):
        return Close(name[1].lower())
    rest = inside[name.end() :]
    found = {
        m[1].lower(): unescape(next((v for v in m.groups()[1:] if v is not None), ""))
        for m in _ATTRIBUTE.finditer(rest)
    }
    found |= {word: word for word in _BARE.findall(rest.lower())}
    return OpenTag(name[1].lower(), found)
