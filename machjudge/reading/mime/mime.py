"""The parts of a mail (RFC 2046), in bounded depth, number and work.

The standard library's parser looks at every line once for each level of nesting; a mail of many
levels and many lines would occupy it for minutes.
"""

import re
from binascii import a2b_base64
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from machjudge.reading.mime.header import Header, parameter, split_header, value_of

MOST_LEVELS: Final = 30
MOST_PARTS: Final = 100

_LOOK_AT = 50_000
_MEDIA_TYPE = re.compile(r"[\w!#$&^.+-]+/[\w!#$&^.+-]+")
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]+")
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
        return self.body[:most]

    @property
    def is_blank(self) -> bool:
        """Whether there is nothing but white space at its beginning."""
        return not self.content(_LOOK_AT).strip()


def parse(raw: bytes) -> MimePart:
    """The mail as a tree of parts."""
    start = raw.lstrip(b"\r\n")
    return _part(start, MOST_LEVELS)


def quoted_printable(raw: bytes) -> bytes:
    """Decode quoted-printable (RFC 2045, 6.7); what is no code stays as it is."""
    trimmed = b"\n".join(_trimmed(line) for line in raw.split(b"\n"))
    return _HEX.sub(lambda code: bytes([int(code[1], 16)]), _SOFT.sub(b"", trimmed))


def _part(raw: bytes, levels: int) -> MimePart:
    header, body = split_header(raw)
    if not _media_type(header).startswith("multipart/"):
        return MimePart(header, body)
    pieces = _split(body, parameter(header.get("content-type"), "boundary")) if levels else []
    if not pieces:
        return MimePart(header, b"", broken=True)
    return MimePart(header, b"", tuple(_part(piece, levels - 1) for piece in pieces))


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
    """Decode up to the padding: what stands behind it was appended by a machine on the way."""
    lines = (line.strip() for line in raw.split(b"\n"))
    joined = b"".join(line for line in lines if b" " not in line)
    letters = _NOT_BASE64.sub(b"", joined.partition(b"=")[0])
    return a2b_base64(letters[: len(letters) - (len(letters) % 4 == 1)] + b"==")
