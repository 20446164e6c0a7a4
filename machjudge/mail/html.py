"""Lay out a message's lines as HTML for mail programs.

Everything is escaped, every style stands on its element, nothing is loaded. It says what the text
says, word for word; a button sends its label.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from itertools import groupby

from machjudge.judge.mails import TAPPED, Area
from machjudge.messages.layout import BELOW, BLANK, FURTHER, KINDS, PLAIN

_SUBJECT = re.compile(r"((?:\[[^]]*\] )?[^\s:]+: (?:.+ – )?)(.+?)(?: \([SUF]\d{4}[MRB]\))?")
"""The game with what is due, which begin a subject, and what it tells, without the phase."""


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A block: its first line, those below it, and its kind."""

    kind: str
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        """Return the lines as one text."""
        return "\n".join(self.lines)


def titled(text: str, kinds: str, subject: str) -> tuple[str, str, list[TextBlock]]:
    """Return what precedes the title, the title, and the blocks below it."""
    blocks, subject = _blocks(text, kinds), subject.removeprefix("Re: ")
    first = next((block for block in blocks if block.kind == KINDS["title"]), None)
    if first is not None:
        blocks.remove(first)
        above, title = subject, first.text
    else:
        above, title = _parted(subject)
    if not above:
        return "", title, blocks
    return f"<div>{escape(above)}</div>", title, blocks


def _parted(subject: str) -> tuple[str, str]:
    parted = _SUBJECT.fullmatch(subject)
    if parted is None:
        return "", subject
    return parted[1].removesuffix(" – ").removesuffix(": "), parted[2]


def _blocks(text: str, kinds: str) -> list[TextBlock]:
    """The blocks of lines; none for empty lines."""
    blocks: list[TextBlock] = []
    kind, lines = BLANK, [""]
    rows = text.split("\n")
    kinds = kinds.ljust(len(rows), PLAIN)
    for line, own, after in zip(rows, kinds, [*rows[1:], ""], strict=False):
        here = own if line.strip() and own not in _LOOSE else _kind(line, own, after)
        bare = line.removeprefix("  ") if here == KINDS["quoted"] else line.strip()
        if here == KINDS["row"]:
            bare = line
        if here == FURTHER and lines:
            lines[-1] += f" {bare}"
        elif here == BELOW and kind != BLANK:
            lines.append(bare)
        elif here == kind == KINDS["row"]:
            lines.append(line)
        else:
            if kind != BLANK:
                blocks.append(TextBlock(kind, tuple(lines)))
            kind, lines = here, [bare]
    if kind != BLANK:
        blocks.append(TextBlock(kind, tuple(lines)))
    return blocks


def _kind(line: str, kind: str, after: str) -> str:
    """The kind of a line; an indented one without a mark is an item.

    An item above further indented ones is their heading.
    """
    if not line.strip():
        return kind if kind == KINDS["quoted"] else BLANK
    if kind in _LOOSE and line.startswith("  "):
        return BELOW if line.startswith("    ") else KINDS["item"]
    is_above = after.startswith("  ") and not after.startswith("    ")
    return KINDS["subheading"] if kind == KINDS["item"] and is_above else kind


_LOOSE = (PLAIN, KINDS["item"])


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of letters and grounds."""

    ink: str
    paper: str
    desk: str
    quiet: str
    rule: str
    heading: str
    band: str
    """The ground of the title."""
    title: str
    button: str
    label: str
    """The letters of a button."""
    box: str
    edge: str
    code: str
    good: str
    bad: str

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Letters and the grounds on which they stand."""
        return (
            *((each, self.paper) for each in (self.ink, self.quiet, self.heading)),
            *((each, self.paper) for each in (self.good, self.bad)),
            *((self.ink, each) for each in (self.box, self.code)),
            (self.title, self.band),
            (self.label, self.button),
        )


LIGHT = Palette(
    ink="#22201b",
    paper="#fffdf8",
    desk="#f4efe4",
    quiet="#5f584b",
    rule="#e3d9c6",
    heading="#5b4320",
    band="#5b2b14",
    title="#fffdf8",
    button="#5b2b14",
    label="#fffdf8",
    box="#f7ecd6",
    edge="#a86a12",
    code="#f4f1ea",
    good="#1a6b2f",
    bad="#a3001d",
)
DARK = Palette(
    ink="#ece6d9",
    paper="#1d1b17",
    desk="#141310",
    quiet="#b5ac9a",
    rule="#423c31",
    heading="#e2c38f",
    band="#3d2112",
    title="#f6ece0",
    button="#e8b48f",
    label="#1d1b17",
    box="#3a2f18",
    edge="#d59a3e",
    code="#26231d",
    good="#7fd694",
    bad="#ff9d9d",
)
"""For programs that follow ``prefers-color-scheme``; others show the light ones."""

_FONT = "-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
_MONO = "ui-monospace,Menlo,Consolas,monospace"
_P = '<p style="margin:0 0 8px">'
_NEWS = '<p style="margin:0 0 8px;font-size:18px;line-height:26px">'
_NOTE = f'<p class="q" style="margin:0 0 4px;color:{LIGHT.quiet};overflow-wrap:anywhere">'
_ITEM = f'<li class="l" style="margin:0;padding:6px 0;border-bottom:1px solid {LIGHT.rule}">'
_LIST = '<ul style="list-style:none;margin:0 0 12px;padding:0">'
_H2 = (
    f'<h2 class="t l" style="margin:26px 0 8px;font-size:18px;line-height:24px;'
    f'color:{LIGHT.heading};border-bottom:2px solid {LIGHT.rule};padding:0 0 4px">'
)
_H3 = '<h3 style="margin:14px 0 2px;font-size:16px;line-height:24px">'
_PRE = (
    f'<pre class="c l" style="margin:8px 0 12px;padding:10px 12px;background:{LIGHT.code};'
    f"color:{LIGHT.ink};border:1px solid {LIGHT.rule};border-radius:6px;font:16px/24px {_MONO};"
    'white-space:pre-wrap;overflow-wrap:anywhere">'
)
_QUOTE = (
    '<blockquote class="l" style="margin:8px 0 12px;padding:2px 0 2px 14px;'
    f'border-left:4px solid {LIGHT.rule};white-space:pre-wrap;overflow-wrap:anywhere">'
)
_DUE = (
    f'<div class="x" style="margin:16px 0;padding:12px 14px;background:{LIGHT.box};'
    f'color:{LIGHT.ink};border-left:5px solid {LIGHT.edge};border-radius:6px">'
)
_BUTTON = (
    f'class="k" style="display:inline-block;background:{LIGHT.button};color:{LIGHT.label};'
    "font-weight:700;font-size:16px;line-height:22px;padding:11px 16px;border-radius:8px;"
    f'text-decoration:none;margin:2px 8px 8px 0;border:1px solid {LIGHT.button}"'
)
_TABLE = '<table style="border-collapse:collapse;margin:0 0 12px;font:16px/22px inherit">'
_CELL = f'class="l" style="padding:4px 8px 4px 0;border-bottom:1px solid {LIGHT.rule};'


@cache
def html_styles() -> str:
    """Return the rules of a message: colours for the dark, and a larger map where there is room.

    Each style stands on its element as well, for programs that take these rules away.
    """
    d = DARK
    dark = {
        ".d": f"background:{d.desk}",
        ".p": f"background:{d.paper};color:{d.ink}",
        ".h": f"background:{d.band};color:{d.title}",
        ".q": f"color:{d.quiet}",
        ".t": f"color:{d.heading}",
        ".l": f"border-color:{d.rule}",
        ".c": f"background:{d.code};color:{d.ink}",
        ".x": f"background:{d.box};color:{d.ink};border-color:{d.edge}",
        ".k": f"background:{d.button};color:{d.label};border-color:{d.button}",
        ".g": f"color:{d.good}",
        ".b": f"color:{d.bad}",
    }
    rules = "".join(
        f"{name}{{{own.replace(';', '!important;')}!important}}" for name, own in dark.items()
    )
    larger = "".join(
        f"@media (min-width:{window}px){{.m{{zoom:{wide / TAPPED:.3f}}}}}"
        for window, wide in _LARGER
    )
    return f"@media (prefers-color-scheme:dark){{{rules}}}{larger}"


_LARGER = ((390, 358), (700, 648))
"""The width of a map to tap on in a window of that width, both in pixels."""
_SIGNS = {KINDS["done"]: ("✔", "g", LIGHT.good), KINDS["wrong"]: ("✖", "b", LIGHT.bad)}
_LONGEST_NAME = 28
"""The longest name before a colon."""

Address = Callable[[str], str]
"""The ``mailto:`` of lines; empty where none may be sent."""


def no_address(_: str) -> str:
    """Return no address, for messages without reply."""
    return ""


@dataclass(frozen=True, slots=True)
class Laid:
    """The contents of an HTML part."""

    text: str
    kinds: str
    language: str
    subject: str
    address: Address = no_address
    pictures: tuple[str, ...] = ()
    """The Content-IDs of its pictures."""
    areas: tuple[Area, ...] = ()
    """The tappable areas of the first."""


def html_of(page: Laid) -> str:
    """Return the whole HTML document in ASCII: other signs are references."""
    above, title, blocks = titled(page.text, page.kinds, page.subject)
    inner = "\n".join(_inner(blocks, page))
    whole = (
        f'<!doctype html>\n<html lang="{escape(page.language)}"><head><meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width,initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n<style>{html_styles()}</style></head>\n"
        f'<body class="d" style="margin:0;padding:0;background:{LIGHT.desk}">\n'
        f'<div class="p" lang="{escape(page.language)}" style="max-width:680px;margin:0 auto;'
        f"background:{LIGHT.paper};color:{LIGHT.ink};"
        f'font:16px/24px {_FONT};text-align:left">\n'
        f'<div class="h" role="banner" style="background:{LIGHT.band};color:{LIGHT.title};'
        'padding:14px 16px">'
        f"{above}"
        f'<h1 style="margin:0;font-size:22px;line-height:28px;overflow-wrap:anywhere">'
        f"{escape(title)}</h1></div>\n"
        f'<div role="main" style="padding:14px 16px 20px;overflow-wrap:break-word">\n{inner}\n'
        "</div></div></body></html>\n"
    )
    return whole.encode("ascii", "xmlcharrefreplace").decode("ascii")


def _inner(blocks: list[TextBlock], page: Laid) -> Iterator[str]:
    pictures, areas, lines = iter(page.pictures), [*page.areas], ""
    families = [_FAMILIES.get(block.kind, "") for block in blocks]
    for family, some in groupby(range(len(blocks)), families.__getitem__):
        some_blocks = [blocks[at] for at in some]
        if family in _WRAPPED:
            begin, inside, end = _WRAPPED[family]
            yield f"{begin}{inside(some_blocks)}{end}"
        elif family == "label":
            yield _sending(some_blocks[-1].text, lines, page.address)
        elif family == "sending":
            lines = "\n".join(block.text for block in some_blocks)
            yield f"{_PRE}{_typed(some_blocks)}</pre>"
        elif family == "choice":
            lines = "\n".join(block.text for block in some_blocks)
            yield from (_choices(block.text, page.address) for block in some_blocks)
        elif family == "picture":
            yield from [_picture(block, next(pictures, ""), areas, page) for block in some_blocks]
        elif family == "row":
            yield from map(_table, (block.lines for block in some_blocks))
        else:
            yield from [_element(block, page) for block in some_blocks]


_FAMILIES = {
    KINDS["item"]: "list",
    KINDS["done"]: "list",
    KINDS["wrong"]: "list",
    KINDS["typed"]: "typed",
    KINDS["sending"]: "sending",
    KINDS["label"]: "label",
    KINDS["quoted"]: "quoted",
    KINDS["due"]: "due",
    KINDS["picture"]: "picture",
    KINDS["row"]: "row",
    KINDS["choice"]: "choice",
}


def _element(block: TextBlock, page: Laid) -> str:
    text = _broken(block)
    if block.kind == KINDS["heading"]:
        return f"{_H2}{_headline(block.text)}</h2>"
    if block.kind == KINDS["subheading"]:
        return f"{_H3}{text}</h3>"
    if block.kind == KINDS["note"]:
        return f"{_NOTE}{text}</p>"
    if block.kind == KINDS["button"]:
        return _button(block, page.address)
    if block.kind == KINDS["replying"]:
        first, *below = block.lines
        note = "".join(f"{_P}{escape(line)}</p>" for line in below)
        return _sending(first, "", page.address) + note
    if block.kind == KINDS["tapping"]:
        return f"{_NOTE}{text}</p>"
    return f"{_NEWS if block.kind == KINDS['news'] else _P}{text}</p>"


def _headline(text: str) -> str:
    """A heading in sentence case; the text has it in capitals."""
    text = text.removeprefix("=== ")
    first, *others = text.split(" ")
    if text.isupper():
        return escape(text.capitalize())
    return escape(" ".join([first.capitalize() if first.isupper() else first, *others]))


def _broken(block: TextBlock) -> str:
    return "<br>\n".join(map(escape, block.lines))


def _typed(blocks: list[TextBlock]) -> str:
    return "\n".join(escape(block.text) for block in blocks)


def _due(blocks: list[TextBlock]) -> str:
    first, *others = blocks
    head = f'<h2 style="margin:0;font-size:18px;line-height:26px">{_headline(first.text)}</h2>'
    return head + "<br>\n".join(map(_broken, others))


def _sending(label: str, lines: str, address: Address) -> str:
    """The button that sends lines, or only its label if none may be sent."""
    where = address(lines)
    face = escape(label)
    return f'{_P}<a href="{escape(where)}" {_BUTTON}>{face}</a></p>' if where else f"{_P}{face}</p>"


def _choices(line: str, address: Address) -> str:
    """A button for a line, or for each order of it: below ``build A Florence, A Pisa``.

    Those are labelled for the eye alone, as the line is there already.
    """
    verb, _, rest = line.partition(" ")
    several = rest.split(", ")
    if len(several) == 1 or not address(line):
        return _sending(line, line, address)
    buttons = "\n".join(
        f'<a href="{escape(address(f"{verb} {each}"))}" aria-label="{escape(f"{verb} {each}")}"'
        f' {_BUTTON}><span aria-hidden="true">{escape(each)}</span></a>'
        for each in several
    )
    return f"{_PRE}{escape(line)}</pre>{_P}{buttons}</p>"


def _table(rows: Sequence[str]) -> str:
    """A table of lines in columns, the first of which names them."""
    begins = [0, *_begins(rows)]
    cells = [
        [row[start:end].strip() for start, end in zip(begins, [*begins[1:], None], strict=True)]
        for row in rows
    ]
    merged: list[list[str]] = []
    for row in cells:
        if merged and not any(row[:-1]):  # the last cell goes on
            merged[-1][-1] += f"\n{row[-1]}"
        else:
            merged.append(row)
    head, *body = ([escape(cell).replace("\n", "<br>\n") for cell in row] for row in merged)
    named = "".join(
        f'<th scope="col" {_CELL}text-align:left">{cell}</th>' if cell else "<td></td>"
        for cell in head
    )
    body_rows = "\n".join(
        f'<tr><th scope="row" {_CELL}text-align:left">{first}</th>'
        + "".join(f'<td {_CELL}">{cell}</td>' for cell in others)
        + "</tr>"
        for first, *others in body
    )
    return f"{_TABLE}<thead><tr>{named}</tr></thead>\n<tbody>{body_rows}</tbody></table>"


def _begins(rows: Sequence[str]) -> Iterator[int]:
    """Where columns begin: behind the last position before a name that no line uses."""
    before = 0
    for name in re.finditer(r"\S+", rows[0]):
        start = name.start()
        free = (
            at
            for at in range(start, before, -1)
            if all(row[at - 1 : at].isspace() or not row[at - 1 : at] for row in rows)
        )
        if start and (at := next(free, None)) is not None:
            yield at
        before = name.end()


def _picture(block: TextBlock, content_id: str, areas: list[Area], page: Laid) -> str:
    """The picture, with its description where it is not shown; the first one can be tapped on.

    Corners of areas are pixels, which do not follow the size of a picture: it is shown in a fixed
    size that fits a narrow telephone, and is enlarged as a whole where there is room.
    """
    words = escape(block.text)
    if not content_id:
        return f"{_P}{words}</p>"
    picture = f'<img src="cid:{escape(content_id)}" alt="{words}"'
    tapped = "".join(_area(each, page.address) for each in areas)
    areas.clear()
    if tapped:
        return (
            f'<p class="m" style="margin:14px 0">{picture} usemap="#units" width="{TAPPED}"'
            f' style="display:block;width:{TAPPED}px;height:auto;border:0"></p>'
            f'<map name="units">{tapped}</map>'
        )
    return (
        f'<p style="margin:14px 0">{picture} width="648" class="l" style="display:block;width:100%;'
        f'max-width:648px;height:auto;border:1px solid {LIGHT.rule};border-radius:6px"></p>'
    )


def _area(area: Area, address: Address) -> str:
    """A place that sends its lines; nothing where none may be sent."""
    where, said = address(area.lines), escape(area.lines.replace("\n", "; "))
    corners = dict.fromkeys((round(x * TAPPED), round(y * TAPPED)) for x, y in area.outline)
    at = ",".join(f"{x},{y}" for x, y in corners)
    return (
        f'<area shape="poly" coords="{at}" href="{escape(where)}" alt="{said}" title="{said}">\n'
        if where
        else ""
    )


def _item(block: TextBlock) -> str:
    """An item with its subject bold, and the sign of an order's result."""
    name, colon, rest = block.lines[0].partition(": ")
    if block.kind in _SIGNS:
        sign, name_of_colour, colour = _SIGNS[block.kind]
        first = (
            f'<span class="{name_of_colour}" style="color:{colour};font-weight:700">'
            f'<span aria-hidden="true">{sign}</span> '
            f"{escape(name)}{colon}</span>{escape(rest)}"
        )
    elif colon and len(name) <= _LONGEST_NAME:
        first = f"<b>{escape(name)}</b>{colon}{escape(rest)}"
    else:
        first = escape(block.lines[0])
    below = "".join([f"<br>\n{escape(line)}" for line in block.lines[1:]])
    return f"{_ITEM}{first}{below}</li>"


def _button(block: TextBlock, address: Address) -> str:
    name, colon, line = block.text.rpartition(": ")
    where = address(line)
    face = f'<a href="{escape(where)}" {_BUTTON}>{escape(line)}</a>' if where else escape(line)
    return f"{_P}{escape(name)}{colon}<br>\n{face}</p>" if name else f"{_P}{face}</p>"


_WRAPPED: Mapping[str, tuple[str, Callable[[list[TextBlock]], str], str]] = {
    "list": (_LIST, lambda items: "\n".join(map(_item, items)), "</ul>"),
    "typed": (_PRE, _typed, "</pre>"),
    "quoted": (_QUOTE, _typed, "</blockquote>"),
    "due": (_DUE, _due, "</div>"),
}
"""What stands around the lines of a family, and how they stand in it."""
