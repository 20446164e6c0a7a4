"""HTML as the lines that a reader would see, quoted ones beginning with ``> ``.

It is read as a tree, by an HTML 5 parser. One line per block, row of a table, item of a list or
``<br>``. What is hidden from the eye is left out; struck-out text stands between ``~~``, so that it
is neither obeyed nor lost. The head of an answer, as Outlook draws it, has a divider above it. The
block that a mail program marks as its writer's signature counts as quoted, unless the only signon
stands in it. Indentation is nothing.

Three things make the parser slow, and are taken out before: elements of formatting, which it opens
anew in every paragraph, elements deeper within each other than any mail has them, and attributes,
each of which it compares with all others of its tag.
"""

import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from machjudge.mail_parser.lines import LINE_END, Line, plain, words

DIVIDER = "----- Original message -----"
"""What stands above the head of an answer, whatever the program draws there."""

_BLOCKS = words(
    "address article aside body center dd div dl dt fieldset figure footer form h1 h2 h3 h4 "
    "h5 h6 head header hr html li main nav ol p pre section table tbody td tfoot th thead tr "
    "ul blockquote"
)
_VOID = words("area base br col embed hr img input link meta param source track wbr")
_UNSEEN = words("head script style title xml template noscript select object -comment")
_STRUCK = words("s strike del")
_FORMATTING = words("a b big code em font i nobr small strong tt u")
_CLOSED_BY_OTHERS = words("p li td th tr tbody thead tfoot dd dt option body html head")
_HIDDEN = re.compile(
    r"display:none|mso-hide:all|opacity:0(?![.\d]*[1-9])|color:transparent"
    r"|(?:^|;)(?:max-)?(?:height|width):0(?![.\d]*[1-9]).*overflow:hidden"
    r"|overflow:hidden.*;(?:max-)?(?:height|width):0(?![.\d]*[1-9])"
)
_SIZE = re.compile(r"font-size:([^;]*)")
_NO_SIZE = re.compile(r"0(?![.\d]*[1-9])")
_VISIBILITY = re.compile(r"visibility:(\w+)")
_SPACES_KEPT = re.compile(r"white-space(?:-collapse)?:(?:pre|break-spaces|preserve)")
_LINE_THROUGH = re.compile(r"text-decoration(?:-line)?:[^;]*line-through")
_BORDER_TOP = re.compile(r"border-top:(?!none)[^;]*solid")
_BORDER = re.compile(
    r"border(?:-left)?(?:-style)?:(?!none)[^;]*(?:solid|double|dotted|dashed|px|pt)"
)
_QUOTES = re.compile(
    r"gmail_attr|yahoo_quoted|protonmail_quote|zmail_extra|moz-forward-container"
    r"|outlook-mobile-reference-message|mail-editor-reference-message"
)
_HEADS = re.compile(r"divrplyfwdmsg|outlookmessageheader")
_HEAD = re.compile(r"@|[:：].*[:：]", re.DOTALL)
_SIGNATURES = re.compile(r"signature")
_BREAKS = re.compile(r"<(?:br|p|div|li|tr|td|pre|h\d|blockquote|table)\b", re.IGNORECASE)
"""Where there is none of them, the line ends of the source are all there is."""
_TAG = re.compile(r"<(?:(/?)([A-Za-z][A-Za-z0-9]*)|!--)")
_ATTRIBUTE = re.compile(r"[\s/]*([^\s/>=]*)(?:\s*=\s*(\"[^\"]*\"|'[^']*'|[^\s>]*))?", re.DOTALL)
_COUNTING = words("style class id type cite hidden")
_MAX_VALUE = 2_000
_RAW = words("script style title xml textarea")
_PLAIN_TAGS = re.compile(r"(?:<br ?/?>|</(?:div|p)>)\s*$", re.IGNORECASE | re.MULTILINE)
_SPACE = re.compile("[ \t\r\n\v\f\u2028\u2029]+")
_MAX_NODES = 100_000
_MAX_OPEN = 300


@dataclass(frozen=True, slots=True)
class _Style:
    """What holds for the text in an element."""

    hidden: bool = False
    tiny: bool = False
    invisible: bool = False
    quoted: bool = False
    verbatim: bool = False
    signed: bool = False
    struck: bool = False

    @property
    def is_seen(self) -> bool:
        return not (self.hidden or self.tiny or self.invisible)


class _Laid(NamedTuple):
    """A line as it was laid out."""

    text: str
    signed: bool


def lines_of(html: str, most: int) -> tuple[list[str], bool]:
    """The lines of an HTML text, and whether there is more: about *most* lines are laid out."""
    laid, cut = _laid_out(html, most)
    return [_quoted(line.text) if line.signed else line.text for line in laid], cut


def signature_of(html: str, most: int) -> frozenset[str]:
    """The lines in the block that a mail program marks as a signature, words apart by one space."""
    laid, _ = _laid_out(html, most)
    lines = (" ".join(line.text.split()) for line in laid if line.signed)
    return frozenset(line for line in lines if line)


def is_hypertext(text: str) -> bool:
    """Return the lines in the block that a mail program marks as a signature, single-spaced."""
    start = text[:200].lstrip().lower()
    return start.startswith(("<html", "<!doctype html")) or bool(_PLAIN_TAGS.search(text[:2_000]))


def _laid_out(html: str, most: int) -> tuple[list[_Laid], bool]:
    page = _Page(most)
    tree = LexborHTMLParser(_bounded(html))
    if tree.body is not None:
        page.lay_out(tree.body, _Style(verbatim=not _BREAKS.search(html)))
    laid = page.sinks[0]
    if _signs_on_in_signature(laid):
        laid = [line._replace(signed=False) for line in laid]
    return laid, page.is_cut


def _bounded(html: str) -> str:
    """Return whether a text declared as plain is HTML: it begins so, or its lines end with tags."""
    kept: list[str] = []
    opened: Counter[str] = Counter()
    at = 0
    while found := _TAG.search(html, at):
        kept.append(html[at : found.start()])
        if not found[2]:  # a comment
            end = html.find("-->", found.end())
            at = len(html) if end < 0 else end + 3
            continue
        attributes, at = _attributes(html, found.end())
        name, is_end = found[2].lower(), bool(found[1])
        if name in _RAW and not is_end:
            closing = re.compile(f"</{name}", re.IGNORECASE).search(html, at)
            at = len(html) if closing is None else closing.start()
        name = "del" if name in _STRUCK else "span" if name in _FORMATTING else name
        if name not in _VOID and name not in _CLOSED_BY_OTHERS:
            if not is_end and opened.total() >= _MAX_OPEN:
                continue
            opened[name] += -min(1, opened[name]) if is_end else 1
        kept.append(f"<{found[1]}{name}{attributes}>")
    return "".join([*kept, html[at:]])


def _attributes(html: str, at: int) -> tuple[str, int]:
    """Of a tag's attributes those that count, as a text, and where the tag ends."""
    kept: dict[str, str] = {}
    while at < len(html) and html[at] != ">":
        found = _ATTRIBUTE.match(html, at)
        if found is None or found.end() == at:
            at += 1
            continue
        at = found.end()
        if found[1].lower() in _COUNTING:
            value = (found[2] or "").strip("\"'")[:_MAX_VALUE].replace('"', "&quot;")
            kept.setdefault(found[1].lower(), f' {found[1]}="{value}"')
    return "".join(kept.values()), at + 1


def _signs_on_in_signature(laid: list[_Laid]) -> bool:
    """Return whether the writer's whole mail stands in what the program takes for the signature."""
    where = [line.signed for line in laid if Line(0, plain(line.text), line.text).is_full_signon]
    return bool(where) and all(where)


def _quoted(text: str) -> str:
    return text if text.startswith("> ") else f"> {text}"


@dataclass
class _Page:
    """Lays a tree out in lines."""

    most: int
    sinks: list[list[_Laid]] = field(default_factory=lambda: [[]])
    """The lines; above them those of each open table cell."""
    is_cut: bool = False
    _cells: list[list[list[_Laid]]] = field(default_factory=list)
    _line: list[tuple[str, bool]] = field(default_factory=list)
    """Pieces of the open line, each with whether it is struck out."""
    _bullet: str = ""
    _numbers: list[int | None] = field(default_factory=list)
    _count: int = 0

    def lay_out(self, body: LexborNode, style: _Style) -> None:
        """Walk the tree iteratively, since it may be deep."""
        path: list[tuple[LexborNode, _Style]] = [(body, _styled(body, style))]
        node = body.child
        seen = 0
        while path:
            around = path[-1][1]
            if node is None:
                ended, style = path.pop()
                self._end(ended.tag or "", style)
                node = ended.next if path else None
                continue
            seen += 1
            if seen > _MAX_NODES or self._count > self.most:
                self.is_cut = True
                break
            if node.tag == "-text":
                self._write(node.text_content or "", around)
                node = node.next
                continue
            style = _styled(node, around)
            self._start(node, style, around)
            if node.tag in _UNSEEN or node.child is None:
                self._end(node.tag or "", style)
                node = node.next
                continue
            path.append((node, style))
            node = node.child
        self._break(_Style())
        while len(self.sinks) > 1:
            self._end_row()

    # --- lines ------------------------------------------------------------------------------

    def _write(self, text: str, style: _Style) -> None:
        if not style.is_seen:
            return
        if style.verbatim:
            first, *others = LINE_END.split(text)
            self._add(first, style)
            for line in others:
                self._emit(style)
                self._add(line, style)
        else:
            shown = _SPACE.sub(" ", text)
            self._add(shown if self._line else shown.lstrip(" "), style)

    def _add(self, text: str, style: _Style) -> None:
        if text.strip() and self._bullet:
            self._line.append((self._bullet, False))
            self._bullet = ""
        if text:
            self._line.append((text, style.struck))

    def _break(self, style: _Style) -> None:
        if self._line:
            self._emit(style)

    def _emit(self, style: _Style) -> None:
        pieces = groupby(self._line, key=lambda piece: piece[1])
        joined = ((struck, "".join(text for text, _ in each)) for struck, each in pieces)
        text = "".join(f"~~{text}~~" if struck else text for struck, text in joined).rstrip(" ")
        text = _quoted(text) if style.quoted else text
        self.sinks[-1].append(_Laid(text, style.signed and not style.quoted))
        self._line = []
        self._count += 1

    # --- elements ---------------------------------------------------------------------------

    def _start(self, node: LexborNode, style: _Style, around: _Style) -> None:
        name = node.tag
        if name == "br":
            if style.is_seen:
                self._emit(style)
            return
        if name not in _BLOCKS:
            return
        self._break(around)
        if style.is_seen and _is_head(node):
            self.sinks[-1].append(_Laid(DIVIDER, signed=False))
        match name:
            case "tr":
                self._cells.append([])
                self.sinks.append([])
            case "ul" | "ol":
                self._numbers.append(1 if name == "ol" else None)
            case "li":
                self._bullet = self._next_bullet()
            case "hr":
                self._write("---", style)
                self._break(style)
            case _:
                pass

    def _end(self, name: str, style: _Style) -> None:
        if name not in _BLOCKS:
            return
        self._break(style)
        match name:
            case "td" | "th" if self._cells:
                self._end_cell()
            case "tr" if self._cells:
                self._end_row()
            case "ul" | "ol" if self._numbers:
                self._numbers.pop()
            case "li":
                self._bullet = ""
            case _:
                pass

    def _next_bullet(self) -> str:
        number = self._numbers[-1] if self._numbers else None
        if number is None:
            return "* "
        self._numbers[-1] = number + 1
        return f"{number}. "

    def _end_cell(self) -> None:
        self._cells[-1].append(self.sinks[-1])
        self.sinks[-1] = []

    def _end_row(self) -> None:
        """Put the cells of a row into one line, if each of them is one."""
        self._end_cell()
        cells = self._cells.pop()
        self.sinks.pop()
        filled = [[line for line in cell if line.text.strip(" \xa0")] for cell in cells]
        filled = [cell for cell in filled if cell]
        if len(filled) > 1 and all(len(cell) == 1 for cell in filled):
            text = " ".join(cell[0].text for cell in filled)
            self.sinks[-1].append(_Laid(text, all(cell[0].signed for cell in filled)))
        else:
            self.sinks[-1] += [line for cell in cells for line in cell]


def _styled(node: LexborNode, around: _Style) -> _Style:
    name = node.tag or ""
    attributes = node.attributes
    if not attributes and name not in ("pre", "blockquote", *_STRUCK):
        return around
    style = "".join((attributes.get("style") or "").lower().split())
    marks = f"{attributes.get('class') or ''} {attributes.get('id') or ''}".lower()
    size, visibility = _SIZE.search(style), _VISIBILITY.search(style)
    return _Style(
        around.hidden or "hidden" in attributes or bool(_HIDDEN.search(style)),
        bool(_NO_SIZE.match(size[1])) if size else around.tiny,
        visibility[1] in ("hidden", "collapse") if visibility else around.invisible,
        around.quoted or _is_quote(node, style) or bool(_QUOTES.search(marks)),
        around.verbatim or name == "pre" or bool(_SPACES_KEPT.search(style)),
        around.signed or bool(_SIGNATURES.search(marks)),
        around.struck or name in _STRUCK or bool(_LINE_THROUGH.search(style)),
    )


def _is_quote(node: LexborNode, style: str) -> bool:
    if node.tag != "blockquote":
        return False
    attributes = node.attributes
    is_cited = attributes.get("type") == "cite" or "cite" in attributes or "class" in attributes
    return is_cited or not style or bool(_BORDER.search(style))


def _is_head(node: LexborNode) -> bool:
    """The head of the answered mail, as Outlook draws it."""
    marks = f"{node.attributes.get('class') or ''} {node.attributes.get('id') or ''}".lower()
    if _HEADS.search(marks):
        return True
    style = "".join((node.attributes.get("style") or "").lower().split())
    return bool(_BORDER_TOP.search(style)) and bool(_HEAD.search(node.text()[:2_000]))
