"""Lay out a message's lines as HTML for mail programs.

Everything is escaped, every style stands on its element, nothing is loaded. It says what the text
says, word for word; a button sends its label.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from html import escape
from itertools import groupby

from machjudge.judge.mails import Area
from machjudge.messages.layout import BELOW, BLANK, FURTHER, KINDS, PLAIN

_SUBJECT = re.compile(
    r"((?:Re: )?(?:\[[^]]*\] )?[^\s:]+: (?:.+ – )?)(.+?)(?: \([SUF]\d{4}[MRB]\))?"
)
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
    blocks = _blocks(text, kinds)
    first = next((block for block in blocks if block.kind == KINDS["title"]), None)
    if first is not None:
        blocks.remove(first)
        above, title = subject, first.text
    else:
        above, title = _parted(subject)
    if not above:
        return "", title, blocks
    quiet = f"<div>{escape(above)}</div>"
    return quiet, title, blocks


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
        if here == FURTHER and lines:
            lines[-1] += f" {bare}"
        elif here == BELOW and kind != BLANK:
            lines.append(bare)
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


INK, PAPER, DESK = "#22201b", "#fffdf8", "#f4efe4"
QUIET, RULE, BRAND, HEADING = "#5f584b", "#e3d9c6", "#5b2b14", "#5b4320"
BOX, BOX_EDGE, GOOD, BAD, CODE = "#f7ecd6", "#a86a12", "#1a6b2f", "#a3001d", "#f4f1ea"

PAIRS = (
    (INK, PAPER),
    (INK, BOX),
    (INK, CODE),
    (QUIET, PAPER),
    (HEADING, PAPER),
    (GOOD, PAPER),
    (BAD, PAPER),
    (PAPER, BRAND),
    (BRAND, PAPER),
)
"""The colours of letters and grounds."""

_FONT = "-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
_MONO = "ui-monospace,Menlo,Consolas,monospace"
_P = '<p style="margin:0 0 8px">'
_NEWS = '<p style="margin:0 0 8px;font-size:18px;line-height:26px">'
_NOTE = f'<p style="margin:0 0 4px;color:{QUIET};overflow-wrap:anywhere">'
_ITEM = f'<li style="margin:0;padding:6px 0;border-bottom:1px solid {RULE}">'
_LIST = '<ul style="list-style:none;margin:0 0 12px;padding:0">'
_H2 = (
    f'<h2 style="margin:26px 0 8px;font-size:18px;line-height:24px;color:{HEADING};'
    f'border-bottom:2px solid {RULE};padding:0 0 4px">'
)
_H3 = '<h3 style="margin:14px 0 2px;font-size:16px;line-height:24px">'
_PRE = (
    f'<pre style="margin:8px 0 12px;padding:10px 12px;background:{CODE};color:{INK};'
    f"border:1px solid {RULE};border-radius:6px;font:16px/24px {_MONO};"
    'white-space:pre-wrap;overflow-wrap:anywhere">'
)
_QUOTE = (
    f'<blockquote style="margin:8px 0 12px;padding:2px 0 2px 14px;border-left:4px solid {RULE};'
    'white-space:pre-wrap;overflow-wrap:anywhere">'
)
_DUE = (
    f'<div style="margin:16px 0;padding:12px 14px;background:{BOX};color:{INK};'
    f'border-left:5px solid {BOX_EDGE};border-radius:6px">'
)
_BUTTON = (
    f'style="display:inline-block;background:{BRAND};color:{PAPER};font-weight:700;'
    "font-size:16px;line-height:22px;padding:11px 16px;border-radius:8px;"
    f'text-decoration:none;margin:2px 8px 8px 0;border:1px solid {BRAND}"'
)
_TAPPED = 320
"""The width of a tappable picture in pixels, for a narrow telephone."""
_SIGNS = {KINDS["done"]: ("✔", GOOD), KINDS["wrong"]: ("✖", BAD)}
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


def html_of(sheet: Laid) -> str:
    """Return the whole HTML document in ASCII: other signs are references."""
    above, title, blocks = titled(sheet.text, sheet.kinds, sheet.subject)
    inner = "\n".join(_inner(blocks, sheet))
    whole = (
        f'<!doctype html>\n<html lang="{escape(sheet.language)}"><head><meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width,initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title></head>\n"
        f'<body style="margin:0;padding:0;background:{DESK}">\n'
        f'<div style="max-width:680px;margin:0 auto;background:{PAPER};color:{INK};'
        f'font:16px/24px {_FONT};text-align:left">\n'
        f'<div style="background:{BRAND};color:{PAPER};padding:14px 16px">'
        f"{above}"
        f'<h1 style="margin:0;font-size:22px;line-height:28px;overflow-wrap:anywhere">'
        f"{escape(title)}</h1></div>\n"
        f'<div style="padding:14px 16px 20px;overflow-wrap:break-word">\n{inner}\n'
        "</div></div></body></html>\n"
    )
    return whole.encode("ascii", "xmlcharrefreplace").decode("ascii")


def _inner(blocks: list[TextBlock], sheet: Laid) -> Iterator[str]:
    pictures, lines = iter(sheet.pictures), ""
    families = [_FAMILIES.get(block.kind, "") for block in blocks]
    for family, some in groupby(range(len(blocks)), families.__getitem__):
        told = [blocks[at] for at in some]
        if family in _WRAPPED:
            begin, inside, end = _WRAPPED[family]
            yield f"{begin}{inside(told)}{end}"
        elif family == "label":
            yield _sending(told[-1].text, lines, sheet.address)
        elif family == "sending":
            lines = "\n".join(block.text for block in told)
            yield f"{_PRE}{_typed(told)}</pre>"
        elif family == "picture":
            yield from [_picture(block, next(pictures, "")) for block in told]
        else:
            yield from [_element(block, sheet) for block in told]


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
}


def _element(block: TextBlock, sheet: Laid) -> str:
    text = _broken(block)
    if block.kind == KINDS["heading"]:
        return f"{_H2}{_headline(block.text)}</h2>"
    if block.kind == KINDS["subheading"]:
        return f"{_H3}{text}</h3>"
    if block.kind == KINDS["note"]:
        return f"{_NOTE}{text}</p>"
    if block.kind == KINDS["button"]:
        return _button(block, sheet.address)
    if block.kind == KINDS["replying"]:
        first, *below = block.lines
        note = "".join(f"{_P}{escape(line)}</p>" for line in below)
        return _sending(first, "", sheet.address) + note
    if block.kind == KINDS["tapping"]:
        return f"{_P}{text}</p>{_tapped(sheet)}"
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


def _picture(block: TextBlock, content_id: str) -> str:
    """The picture, with its description where it is not shown."""
    words = escape(block.text)
    if not content_id:
        return f"{_P}{words}</p>"
    return (
        f'<p style="margin:14px 0"><img src="cid:{escape(content_id)}" alt="{words}" width="648"'
        f' style="display:block;width:100%;max-width:648px;height:auto;border:1px solid {RULE};'
        'border-radius:6px"></p>'
    )


def _tapped(sheet: Laid) -> str:
    """The first picture in a fixed size small enough for every program.

    Corners of areas are pixels as shown, so the size must not depend on the screen.
    """
    areas = "".join(_area(each, sheet.address) for each in sheet.areas)
    if not areas or not sheet.pictures:
        return ""
    return (
        f'<p style="margin:0 0 12px"><img src="cid:{escape(sheet.pictures[0])}" alt="" '
        f'usemap="#units" width="{_TAPPED}" style="display:block;width:{_TAPPED}px;height:auto;'
        f'border:0"></p><map name="units">{areas}</map>'
    )


def _area(area: Area, address: Address) -> str:
    """A place that sends its lines; nothing where none may be sent."""
    where, said = address(area.lines), escape(area.lines.replace("\n", "; "))
    corners = dict.fromkeys((round(x * _TAPPED), round(y * _TAPPED)) for x, y in area.outline)
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
        sign, colour = _SIGNS[block.kind]
        first = (
            f'<span style="color:{colour};font-weight:700"><span aria-hidden="true">{sign}</span> '
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
    "list": (_LIST, lambda told: "\n".join(map(_item, told)), "</ul>"),
    "typed": (_PRE, _typed, "</pre>"),
    "quoted": (_QUOTE, _typed, "</blockquote>"),
    "due": (_DUE, _due, "</div>"),
}
"""What stands around the lines of a family, and how they stand in it."""
