"""HTML as the lines that a reader would see, quoted ones beginning with ``> ``.

One line per block, row of a table or ``<br>``. What is hidden from the eye is left out; struck-out
text stands between ``~~``, so that it is neither obeyed nor lost. List items have a bullet or a
number in front. The block that a mail program marks as its writer's signature counts as quoted,
unless the only signon stands in it.
"""

import re
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from machjudge.reading.text.characters import LINE_END, plain, words
from machjudge.reading.text.rows import Row
from machjudge.reading.text.tags import Close, OpenTag, TagText, Token, tokens

_BLOCKS = words(
    "address article aside body center dd div dl dt fieldset figure footer form h1 h2 h3 h4 "
    "h5 h6 head header hr html li main nav ol p pre section table tbody td tfoot th thead tr "
    "ul blockquote"
)
_VOID = words("area base br col embed hr img input link meta param source track wbr")
_UNSEEN = words("head script style title xml template noscript select object")
_STRUCK = frozenset(("s", "strike", "del"))
_HIDING = re.compile(
    r"display:none|visibility:hidden|mso-hide:all|font-size:0(?![.\d]*[1-9])|opacity:0(?![.\d]*[1-9])"
    r"|color:transparent"
)
_QUOTES = re.compile(
    r"yahoo_quoted|protonmail_quote|zmail_extra|moz-forward-container"
    r"|outlook-mobile-reference-message|mail-editor-reference-message"
)
_SIGNATURES = re.compile(r"signature")
_BREAKS = re.compile(r"<(?:br|p|div|li|tr|td|pre|h\d|blockquote|table)\b", re.IGNORECASE)
"""Where there is none of them, the line ends of the source are all there is."""
_SPACE = re.compile("[ \t\r\n\v\f\u2028\u2029]+")
_MOST_TOKENS = 100_000
_MOST_OPEN = 300
_MOST_ROWS_OPEN = 30
_REPLY_HEAD = "divrplyfwdmsg"


@dataclass(frozen=True, slots=True)
class _Element:
    """An open element and what holds for the text in it."""

    name: str
    unseen: bool = False
    quoted: bool = False
    verbatim: bool = False
    signed: bool = False


class _Laid(NamedTuple):
    """A line as it was laid out."""

    text: str
    signed: bool
    """Whether it stands in a signature."""


class _TableRow:
    """An open row of a table: the lines of its finished cells, and of the open one."""

    def __init__(self, table: int) -> None:
        self.table = table
        self.cells: list[list[_Laid]] = []

    def lines(self) -> list[_Laid]:
        cells = [[line for line in cell if line.text.strip(" \xa0")] for cell in self.cells]
        filled = [cell for cell in cells if cell]
        if len(filled) > 1 and all(len(cell) == 1 for cell in filled):
            signed = all(cell[0].signed for cell in filled)
            return [_Laid(" ".join(cell[0].text for cell in filled), signed)]
        return [line for cell in self.cells for line in cell]


def lines_of(html: str, most: int) -> tuple[list[str], bool]:
    """The lines of an HTML text, and whether there is more: about *most* lines are laid out."""
    laid, cut = _laid_out(html, most)
    return [_quoted(line.text) if line.signed else line.text for line in laid], cut


def signature_of(html: str, most: int) -> frozenset[str]:
    """The lines in the block that a mail program marks as a signature, words apart by one space."""
    laid, _ = _laid_out(html, most)
    lines = (" ".join(line.text.split()) for line in laid if line.signed)
    return frozenset(line for line in lines if line)


def _laid_out(html: str, most: int) -> tuple[list[_Laid], bool]:
    page = _Page(verbatim=not _BREAKS.search(html))
    for token in islice(tokens(html), _MOST_TOKENS):
        page.take(token)
        if page.count > most:
            break
    laid = page.finish()
    if _signs_on_in_signature(laid):
        laid = [line._replace(signed=False) for line in laid]
    return laid, page.count > most or page.taken >= _MOST_TOKENS


def _signs_on_in_signature(laid: list[_Laid]) -> bool:
    """Whether somebody wrote their whole mail into what their program takes for the signature."""
    where = [line.signed for line in laid if Row(0, line.text, plain(line.text)).is_full_signon]
    return bool(where) and all(where)


def _quoted(text: str) -> str:
    return text if text.startswith("> ") else f"> {text}"


class _Page:
    """Lays tokens out in lines."""

    def __init__(self, *, verbatim: bool) -> None:
        self.count = 0
        self.taken = 0
        self._open = [_Element("", verbatim=verbatim)]
        self._sinks: list[list[_Laid]] = [[]]
        self._tables = 0
        self._rows: list[_TableRow] = []
        self._line: list[str] = []
        self._bullet = ""
        self._numbers: list[int | None] = []
        self._rest_is_quoted = False

    def take(self, token: Token) -> None:
        self.taken += 1
        match token:
            case TagText(text):
                self._write(text)
            case OpenTag():
                self._start(token)
            case Close(name):
                self._end(name)

    def finish(self) -> list[_Laid]:
        self._break()
        while self._rows:
            self._end_row()
        return self._sinks[0]

    def _write(self, text: str) -> None:
        here = self._open[-1]
        if here.unseen:
            return
        if here.verbatim:
            first, *others = LINE_END.split(text)
            self._add(first)
            for line in others:
                self._emit()
                self._add(line)
        else:
            shown = _SPACE.sub(" ", text)
            self._add(shown if self._line else shown.lstrip(" "))

    def _add(self, text: str) -> None:
        if text and self._bullet and text.strip():
            self._line.append(self._bullet)
            self._bullet = ""
        if text:
            self._line.append(text)

    def _break(self) -> None:
        if self._line:
            self._emit()

    def _emit(self) -> None:
        text = "".join(self._line).rstrip(" ")
        here = self._open[-1]
        quoted = self._rest_is_quoted or here.quoted
        self._sinks[-1].append(_Laid(_quoted(text) if quoted else text, here.signed and not quoted))
        self._line = []
        self.count += 1

    def _start(self, tag: OpenTag) -> None:
        name = tag.name
        if name in _BLOCKS:
            self._break()
            self._begin_block(tag)
        elif name == "br" and not self._open[-1].unseen:
            self._emit()
        elif name in _STRUCK:
            self._write("~~")
        if name not in _VOID and len(self._open) < _MOST_OPEN:
            self._open.append(_element(tag, self._open[-1]))

    def _begin_block(self, tag: OpenTag) -> None:
        if self._open[-1].name == "p":
            self._open.pop()
        if tag.get("id").lower().endswith(_REPLY_HEAD):
            self._rest_is_quoted = True
        if tag.name == "body":
            del self._open[1:]
        elif tag.name in ("table", "tr", "td", "th"):
            self._begin_table(tag.name)
        elif tag.name in ("ul", "ol"):
            self._numbers.append(1 if tag.name == "ol" else None)
        elif tag.name == "li":
            self._bullet = self._next_bullet()
        elif tag.name == "hr":
            self._write("---")
            self._break()

    def _next_bullet(self) -> str:
        number = self._numbers[-1] if self._numbers else None
        if number is None:
            return "* "
        self._numbers[-1] = number + 1
        return f"{number}. "

    def _begin_table(self, name: str) -> None:
        if name == "table":
            self._tables += 1
        elif name == "tr":
            self._end_rows_of_table()
            if len(self._rows) < _MOST_ROWS_OPEN:
                self._rows.append(_TableRow(self._tables))
                self._sinks.append([])
        elif self._rows:
            self._end_cell()

    def _end(self, name: str) -> None:
        if name in _STRUCK:
            self._write("~~")
        if name in _BLOCKS:
            self._break()
            self._end_block(name)
        for at in range(len(self._open) - 1, max(0, len(self._open) - 50), -1):
            if self._open[at].name == name:
                del self._open[at:]
                break

    def _end_block(self, name: str) -> None:
        if name in ("ul", "ol") and self._numbers:
            self._numbers.pop()
        elif name in ("td", "th") and self._rows:
            self._end_cell()
        elif name == "tr":
            self._end_rows_of_table()
        elif name == "table":
            self._end_rows_of_table()
            self._tables = max(0, self._tables - 1)
        elif name == "li":
            self._bullet = ""

    def _end_cell(self) -> None:
        self._rows[-1].cells.append(self._sinks[-1])
        self._sinks[-1] = []

    def _end_rows_of_table(self) -> None:
        while self._rows and self._rows[-1].table >= self._tables:
            self._end_row()

    def _end_row(self) -> None:
        self._end_cell()
        row = self._rows.pop()
        self._sinks.pop()
        self._sinks[-1].extend(row.lines())


def _element(tag: OpenTag, around: _Element) -> _Element:
    style = tag.get("style").replace(" ", "").lower()
    marks = f"{tag.get('class')} {tag.get('id')}".lower()
    return _Element(
        tag.name,
        around.unseen or tag.name in _UNSEEN or bool(tag.get("hidden") or _HIDING.search(style)),
        around.quoted or _is_quote(tag, style) or bool(_QUOTES.search(marks)),
        around.verbatim or tag.name == "pre" or "white-space:pre" in style,
        around.signed or bool(_SIGNATURES.search(marks)),
    )


def _is_quote(tag: OpenTag, style: str) -> bool:
    """A block quotation; those without a border are how some programs indent."""
    cited = tag.get("type").lower() == "cite" or tag.get("class")
    return tag.name == "blockquote" and bool(cited or "border:none" not in style)
