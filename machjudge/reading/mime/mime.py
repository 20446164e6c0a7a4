"""The parts of a mail (RFC 2046), in bounded depth, number and work.

The standard library's parser looks at every line once for each level of nesting; a mail of many
levels and many lines would occupy it for minutes.
"""

import re
from binascii import a2b_base64
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from machjudge.reading.mime.charset import decode
from machjudge.reading.mime.header import Header, parameter, split_header, value_of
from machjudge.reading.text.characters import visible

MOST_LEVELS: Final = 30
MOST_PARTS: Final = 100

_LOOK_AT = 50_000
_FIRST_BOUNDARY = re.compile(
    rb"^--([!-~](?:[ -~]{0,68}[!-~])?)[ \t]{0,80}\r?\n(?=Content-)", re.IGNORECASE | re.MULTILINE
)
_MEDIA_TYPE = re.compile(r"[\w!#$&^.+-]+/[\w!#$&^.+-]+")
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]+")
_BLOCK = re.compile(rb"[A-Za-z0-9+/]+={0,2}")
_LEAST_BLOCK = 24
"""Signs of base64 that is not declared: shorter ones may be a word."""
_MARKS = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_LINE_END = re.compile(rb"\r+\n")
_SOFT = re.compile(rb"=\r?\n")
_HEX = re.compile(rb"=([0-9A-Fa-f]{2})")


@dataclass(frozen=True, slots=True)
class MimePart:
    """A part: its header, and either its raw body or its parts."""

    header: Header
    body: bytes
    parts: tuple["MimePart", ...] = ()
    broken: bool = False
    """It says that it is in parts, but they cannot be found (or are nested too deeply)."""

    @property
    def media_type(self) -> str:
        """Such as "text/plain", which also stands for a type that cannot be read."""
        return _media_type(self.header)

    @property
    def name(self) -> str:
        """The file name, or ""."""
        disposition = parameter(self.header.get("content-disposition"), "filename")
        return disposition or self.parameter("name")

    @property
    def is_attachment(self) -> bool:
        """Whether its sender wants it shown as a file and not as text."""
        return value_of(self.header.get("content-disposition")) == "attachment"

    def parameter(self, name: str) -> str:
        """A parameter of Content-Type, or ""."""
        return parameter(self.header.get("content-type"), name)

    def content(self, most: int) -> bytes:
        """The beginning of the body, at least *most* bytes, without its transfer encoding."""
        encoding = value_of(self.header.get("content-transfer-encoding"))
        if encoding == "base64":
            return _base64(self.body[: 2 * most])
        if encoding == "quoted-printable":
            return quoted_printable(self.body[: 3 * most])
        if self.media_type.startswith("text/"):
            return _undeclared(self.body[: 2 * most]) or self.body[:most]
        return self.body[:most]

    @property
    def is_blank(self) -> bool:
        """Whether there is nothing at its beginning that can be seen."""
        content = self.content(_LOOK_AT)
        if content.isascii():
            return not content.strip()
        return not visible(decode(content, self.parameter("charset"))).strip()


def parse(raw: bytes) -> MimePart:
    """The mail as a tree of parts; lines may end with any number of CRs before the LF."""
    start = raw.lstrip(b"\r\n")
    return _part(_LINE_END.sub(b"\r\n", start) if b"\r\r\n" in start else start, MOST_LEVELS)


def quoted_printable(raw: bytes) -> bytes:
    """Decode quoted-printable (RFC 2045, 6.7); what is no code stays as it is."""
    trimmed = b"\n".join(_trimmed(line) for line in raw.split(b"\n"))
    return _HEX.sub(lambda code: bytes([int(code[1], 16)]), _SOFT.sub(b"", trimmed))


def _part(raw: bytes, levels: int) -> MimePart:
    header, body = split_header(raw)
    if not _media_type(header).startswith("multipart/"):
        return MimePart(header, body)
    boundary = parameter(header.get("content-type"), "boundary")
    pieces = (_split(body, boundary) or _split(body, _boundary_in(body))) if levels else []
    if not pieces:
        return MimePart(header, b"", broken=True)
    return MimePart(header, b"", tuple(_part(piece, levels - 1) for piece in pieces))


def _boundary_in(body: bytes) -> str:
    """What seems to be the boundary of parts whose header does not name it, or ""."""
    found = _FIRST_BOUNDARY.search(body[:_LOOK_AT])
    return found[1].decode("ascii") if found else ""


def _media_type(header: Header) -> str:
    media = value_of(header.get("content-type"))
    return media if _MEDIA_TYPE.fullmatch(media) else "text/plain"


def _split(body: bytes, boundary: str) -> list[bytes]:
    """The pieces between the boundary lines; a last boundary that is missing is the end."""
    if not boundary:
        return []
    pieces: list[bytes] = []
    start: int | None = None
    for at, line in _boundaries(body, b"--" + boundary.encode("utf-8", "replace")):
        if start is not None:
            pieces.append(_without_line_end(body[start : max(start, at)]))
        start = at + line.end() - line.start()
        if line[1] or len(pieces) >= MOST_PARTS:
            return pieces
    return pieces if start is None else [*pieces, body[start:]]


def _boundaries(body: bytes, mark: bytes) -> Iterator[tuple[int, re.Match[bytes]]]:
    """Where boundary lines begin, and each as a match whose group 1 is there in the last one."""
    line = re.compile(re.escape(mark) + rb"(--)?[ \t]{0,80}(?:\r?\n|\Z)")
    at = body.find(mark)
    while at >= 0:
        if at == 0 or body[at - 1 : at] == b"\n":
            found = line.match(body, at)
            if found:
                yield at, found
        at = body.find(mark, at + len(mark))


def _without_line_end(piece: bytes) -> bytes:
    """The piece without the line end before the boundary, which belongs to the boundary."""
    return piece[:-2] if piece.endswith(b"\r\n") else piece.removesuffix(b"\n")


def _trimmed(line: bytes) -> bytes:
    bare = line.rstrip(b" \t\r")
    return bare + b"\r" if line.endswith(b"\r") else bare


def _base64(raw: bytes) -> bytes:
    """Decode base64: in one piece, or in several that each end with their own padding.

    What is no base64 behind the first padding was appended by a machine on the way. A text that
    only says that it is base64, and is none, stays as it is.
    """
    lines = [line for each in raw.split(b"\n") if (line := each.strip())]
    if _is_plain(lines) and _is_text(raw):
        return raw
    joined = b"".join(line for line in lines if b" " not in line)
    first, padding, rest = joined.partition(b"=")
    decoded = [_letters(first)]
    while padding and (rest := rest.lstrip(b"=")):
        piece, padding, rest = rest.partition(b"=")
        if _NOT_BASE64.search(piece) or (not padding and len(piece) % 4):
            break
        more = _letters(piece)
        if not _is_text(more):
            break
        decoded.append(more)
    return b"".join(decoded)


def _is_plain(lines: Sequence[bytes]) -> bool:
    """Whether lines that are said to be base64 begin with none: a lone word may look like it."""
    blocks = sum(1 for _ in takewhile(_BLOCK.fullmatch, lines))
    is_word = blocks == 1 < len(lines) and len(lines[0]) < _LEAST_BLOCK
    return bool(lines) and (not blocks or (is_word and not _is_text(_letters(lines[0]))))


def _undeclared(raw: bytes) -> bytes:
    """The text in a body that is base64 and does not say so, or nothing."""
    lines = [line.strip() for line in raw.split(b"\n")]
    blocks = [line for line in lines if line]
    size = sum(map(len, blocks))
    if size < _LEAST_BLOCK or size % 4 or not all(map(_BLOCK.fullmatch, blocks)):
        return b""
    text = _letters(b"".join(blocks).rstrip(b"="))
    return text if _is_text(text) and b" " in text else b""


def _letters(block: bytes) -> bytes:
    letters = _NOT_BASE64.sub(b"", block)
    return a2b_base64(letters[: len(letters) - (len(letters) % 4 == 1)] + b"==")


def _is_text(content: bytes) -> bool:
    """Whether these bytes are a text, and no accident."""
    if not content or _MARKS.search(content):
        return False
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
