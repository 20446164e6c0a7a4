"""Choose the text of a mail that its sender wrote, and split it into lines.

The first text that is not empty: the plain alternative, else the HTML one. Where it says nothing to
the judge, the HTML beside it is read if that does, and so is the first text behind it that holds
orders. Attachments, enclosed mails and calendars are never read, and nothing is joined across the
border of a part.
"""

import codecs
import re
import unicodedata
from binascii import Error, a2b_base64, a2b_qp
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import takewhile
from typing import Final
from urllib.parse import unquote_to_bytes

from machjudge.mail_parser.html import is_hypertext, lines_of, signature_of
from machjudge.mail_parser.lines import (
    MailFlaw,
    ReadingLimits,
    plain,
    single_line,
    split_lines,
    visible,
    without_surrogates,
    words,
)

# Bytes to text: by the charset that the mail names, by what is likely where it is wrong. Never
# raises; bytes that are no text become U+FFFD.
_VAGUE = frozenset({"", "ascii", "iso8859-1", "cp1252", "utf-8"})
"""Charsets that label mails of any charset."""
_WIDER = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "cp950",
    "euc_kr": "cp949",
    "shift_jis": "cp932",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
}
"""What programs write under the name of a smaller charset (https://encoding.spec.whatwg.org)."""
_NAMES = {
    "x-gbk": "gb18030",
    "gb_2312-80": "gb18030",
    "x-euc-cn": "gb18030",
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "x-windows-949": "cp949",
    "iso-8859-8-i": "iso8859-8",
    "iso-8859-8-e": "iso8859-8",
    "x-mac-roman": "mac-roman",
    "macintosh": "mac-roman",
    "unicode-1-1-utf-7": "utf-7",
}
_SINGLE = ("iso8859-", "cp125", "koi8-", "mac-", "cp8")
"""Prefixes of charsets whose texts are hardly ever UTF-8 by chance."""
_NO_CHARSET = frozenset({"idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape"})
_LINES = re.compile(rb"(?<=\n)")
_CHARSET_SAMPLE = 400
_MAX_LINES = 10_000
"""The most lines decoded one by one, and read from a mail of plain text."""
_C1 = re.compile("[\x80-\x9f]")


def decode(raw: bytes, label: str) -> str:
    """The text of *raw*. The usual labels are tried line by line as UTF-8, then windows-1252.

    A text with a byte order mark, or with every other byte zero, is UTF-16 whatever its label.
    Control characters 80 to 9F are the signs that windows-1252 has in their places.
    """
    if not label and raw.isascii() and 0 not in raw:
        return raw.decode("ascii")
    charset = _wide(raw) or _codec(label)
    if charset.startswith("utf-16") and raw.isascii() and 0 not in raw:
        charset = ""
    if charset in _VAGUE:
        text = _by_line(raw)
    else:
        text = (_as_utf8(raw) if charset.startswith(_SINGLE) else "") or _by_codec(raw, charset)
    return _C1.sub(lambda sign: _windows(sign[0]), text)


def _codec(label: str) -> str:
    name = label.strip().strip("\"'").lower()
    try:
        found = codecs.lookup(_NAMES.get(name, name))
    except (LookupError, ValueError, UnicodeError):
        return ""
    is_text = getattr(found, "_is_text_encoding", True)
    known = _WIDER.get(found.name, found.name)
    return known if is_text and known not in _NO_CHARSET else ""


def _wide(raw: bytes) -> str:
    """Which UTF-32 or UTF-16 it plainly is, or ""."""
    if raw.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return "utf-32"
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    left, right = raw[:_CHARSET_SAMPLE:2], raw[1:_CHARSET_SAMPLE:2]
    if 2 * left.count(0) > len(left) and not right.count(0):
        return "utf-16-be"
    if 2 * right.count(0) > len(right) and not left.count(0):
        return "utf-16-le"
    return ""


def _by_codec(raw: bytes, charset: str) -> str:
    try:
        text = raw.decode(charset, "replace")
    except (UnicodeError, ValueError, LookupError):
        return _by_line(raw)
    return without_surrogates(text).removeprefix("\ufeff")


def _as_utf8(raw: bytes) -> str:
    """The text if it is UTF-8 in spite of its label, or ""."""
    try:
        return "" if raw.isascii() else raw.decode("utf-8")
    except UnicodeDecodeError:
        return ""


def _by_line(raw: bytes) -> str:
    bare = raw.removeprefix(codecs.BOM_UTF8)
    try:
        return bare.decode("utf-8")
    except UnicodeDecodeError:
        *lines, rest = _LINES.split(bare, _MAX_LINES)
        return "".join(map(_line, lines)) + _line(rest)


def _line(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")


def _windows(sign: str) -> str:
    try:
        return sign.encode("latin-1").decode("cp1252")
    except UnicodeDecodeError:
        return sign


_MAX_BYTES = 256_000
_MAX_VALUE = 10_000
# The header of a mail or of a part: fields, encoded words, parameters. See RFC 5322, 2045, 2047
# and 2231. Written for bounded work on hostile bytes. The standard library's
# ``email.policy.default`` raises RecursionError for a From of many parentheses and takes seconds
# for a long encoded subject.
_NAME = re.compile(rb"([!-9;-~]{1,200})[ \t]*:(.*)", re.DOTALL)
_END_OF_HEADER = re.compile(rb"\r{0,3}\n\r{0,3}\n")
_WORD = re.compile(r"=\?([^?\s*]{1,40})(?:\*[^?\s]{0,40})?\?([bBqQ])\?([^?]{0,2000})\?=")
_PARAMETER = re.compile(
    r";\s{0,100}([\w!#$%&'*+.^`|~-]{1,80})\s{0,100}=\s{0,100}"
    r"(?:\"((?:[^\"\\]|\\.){0,1000})\"|([^\s;\"]{0,1000}))"
)


@dataclass(frozen=True, slots=True)
class Header:
    """The fields of one header in their order: lower-case name, unfolded value."""

    fields: tuple[tuple[str, str], ...]
    values: Mapping[str, Sequence[str]]
    """The same by name."""

    def all(self, name: str) -> list[str]:
        """Every value of the field *name* (lower case)."""
        return [*self.values.get(name, ())]

    def get(self, name: str) -> str:
        """The first value of the field *name* (lower case), or ""."""
        return self.values[name][0] if name in self.values else ""

    def has(self, name: str) -> bool:
        """Return whether there is such a field, even an empty one."""
        return name in self.values


def split_header(raw: bytes) -> tuple[Header, bytes]:
    """The header and the body of a mail or part. A first line "From " of an mbox is no field."""
    if raw.startswith((b"\r\n", b"\n")):
        return Header((), {}), raw[1 if raw[:1] == b"\n" else 2 :]
    end = _END_OF_HEADER.search(raw)
    block, body = (raw[: end.start()], raw[end.end() :]) if end else (raw, b"")
    fields = tuple(_fields(block[:_MAX_BYTES]))
    values: dict[str, list[str]] = {}
    for name, value in fields:
        values.setdefault(name, []).append(value)
    return Header(fields, values), body


def decode_words(value: str) -> str:
    """The value with its encoded words decoded; what cannot be decoded stays as it is."""
    out: list[str] = []
    pending: list[tuple[str, bytes]] = []
    at = 0
    for word in _WORD.finditer(value):
        between = value[at : word.start()]
        if between.strip() or not pending:
            out.append(_flush(pending) + between)
        pending.append((word[1].lower(), _word_bytes(word[2], word[3])))
        at = word.end()
    return "".join(out) + _flush(pending) + value[at:]


def value_of(field: str) -> str:
    """The main value of a structured field: "text/plain" of ``Text/Plain; charset=utf-8``."""
    return field.partition(";")[0].strip().lower()


def parameter(field: str, name: str) -> str:
    """The parameter *name* (lower case) of a structured field, or "". Knows ``name*=`` forms."""
    if ";" not in field:
        return ""
    found = {m[1].lower(): (m[3] if m[2] is None else m[2]) for m in _PARAMETER.finditer(field)}
    if name in found:
        return re.sub(r"\\(.)", r"\1", found[name])
    if f"{name}*" in found:
        value = found[f"{name}*"]
        charset, _, rest = value.partition("'")
        return decode(unquote_to_bytes(rest.partition("'")[2] or value), charset)
    if not any(key.startswith(f"{name}*") for key in found):
        return ""
    pieces = [found.get(f"{name}*{n}", _percent(found.get(f"{name}*{n}*", ""))) for n in range(20)]
    return "".join(pieces)


def _fields(block: bytes) -> list[tuple[str, str]]:
    fields: list[tuple[str, list[bytes]]] = []
    for line in block.replace(b"\r\n", b"\n").split(b"\n"):
        if line[:1] in (b" ", b"\t"):
            if fields:
                fields[-1][1].append(line)
        elif match := _NAME.match(line):
            fields.append((match[1].decode("ascii").lower(), [match[2]]))
    values = [(name, b"".join(lines)[:_MAX_VALUE]) for name, lines in fields]
    return [(name, decode(value, "").replace("\r", " ").strip()) for name, value in values]


def _word_bytes(encoding: str, text: str) -> bytes:
    raw = text.encode("utf-8", "replace")
    if encoding in "qQ":
        return a2b_qp(raw.replace(b"_", b" "), header=False)
    try:
        return a2b_base64(raw.rstrip(b"=") + b"==")
    except Error:
        return raw


def _flush(pending: list[tuple[str, bytes]]) -> str:
    """Decode neighbouring words of one charset together: some cut inside a character."""
    out: list[str] = []
    while pending:
        charset = pending[0][0]
        run = b""
        while pending and pending[0][0] == charset:
            run += pending.pop(0)[1]
        out.append(decode(run, charset))
    return "".join(out)


def _percent(value: str) -> str:
    return decode(unquote_to_bytes(value.rpartition("'")[2]), "")


# Addresses and message ids in header values (RFC 5322), as far as an answer needs them. Read are
# the forms that the RFC allows (comments, folded addresses, old routes), and those that programs
# write although it does not: names with bare commas, an address in an encoded word, a domain with
# a final dot, signs without width.
_ADDRESS = re.compile(
    r"[^\s<>()\[\]\\,;:\"@\x00-\x20\x7f-\xa0]{1,64}@"
    r"(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){0,20}[^\W_](?:[\w-]{0,61}[^\W_])?"
)
_QUOTED_LOCAL = re.compile(r'"([^"\\@\s]{1,64})"@')
_ROUTE = re.compile(r"@[^:<>]{1,300}:")
_AROUND = re.compile(r"\s*([@.])\s*")
_APART = re.compile(r"[\s<>()\[\]\\,;:\"]+")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"?|\\.?|[()<>,;:]|[^"\\()<>,;:]+', re.DOTALL)
_ID = re.compile(r"<[!-;=?-~]{1,400}>")
_MAX = 10_000
_LONGEST = 254
_MAX_IDS = 30


@dataclass(frozen=True, slots=True)
class Mailbox:
    """One entry of an address field; the address is None if it is not well formed."""

    name: str
    address: str | None


@lru_cache(maxsize=64)
def mailboxes(value: str) -> tuple[Mailbox, ...]:
    """The entries of an address field, undecoded; a group without members has none."""
    return tuple(entry.mailbox for entry in _entries(value[:_MAX]) if not entry.is_empty)


def one_mailbox(values: Sequence[str]) -> tuple[Mailbox | None, bool]:
    """Return the only entry with a well-formed address, and whether there are several.

    Words beside it belong to its name: programs write surnames with a bare comma.
    """
    entries = [entry for value in values for entry in _entries(value[:_MAX])]
    boxes = [entry.mailbox for entry in entries if not entry.is_empty]
    found = {box.address.lower(): box for box in boxes if box.address}
    if not found:
        # An encoded word over all of it, or a quotation mark that is never closed.
        words = [word for value in values for word in _APART.split(decode_words(value[:_MAX]))]
        found = {each.lower(): Mailbox("", each) for word in words if (each := _address(word))}
    if len(found) != 1:
        return None, len(found) > 1
    (box,) = found.values()
    if len(boxes) > 1 and any(each.address is None for each in boxes):
        named = [each for each in entries if each.mailbox.address in (None, box.address)]
        name = "".join(each.phrase + each.end for each in named).strip(" ,;")
        return Mailbox(_name(name), box.address), False
    return box, False


def addresses_anywhere(values: Iterable[str]) -> set[str]:
    """Every well-formed address in some fields of any form, ``mailto:`` included, in lower case."""
    words = (word for value in values for word in _APART.split(value[:_MAX]))
    return {found.lower() for word in words if (found := _address(word.partition("?")[0]))}


def addresses_in(value: str) -> list[str]:
    """The well-formed addresses of an address field."""
    return [box.address for box in mailboxes(value) if box.address is not None]


def ids(value: str) -> list[str]:
    """The message ids in a field, with their angle brackets; the last ones if there are many."""
    return _ID.findall(value[-_MAX:])[-_MAX_IDS:]


@dataclass(slots=True)
class _AddressEntry:
    words: list[str] = field(default_factory=list)
    """The characters outside of comments and angles, quotation marks included."""
    comments: list[str] = field(default_factory=list)
    angles: list[str] = field(default_factory=list)
    end: str = ""

    @property
    def phrase(self) -> str:
        return "".join(self.words)

    @property
    def is_empty(self) -> bool:
        return not (self.angles or self.comments or self.phrase.strip())

    @property
    def mailbox(self) -> Mailbox:
        if self.angles:
            address = _address(self.angles[0]) if len(self.angles) == 1 else None
            return Mailbox(_name(self.phrase), address)
        return Mailbox(_name(" ".join(self.comments)), _address(self.phrase))


def _entries(value: str) -> Iterator[_AddressEntry]:
    """The entries of a field, split at commas and group marks outside quotes and brackets."""
    entry, in_angle = _AddressEntry(), False
    for each in _with_whole_comments(value):
        if each[0] == "(":
            entry.comments.append(each[1:].removesuffix(")"))
            entry.words += [] if in_angle else [" "]
        elif in_angle:
            in_angle = each != ">"
            entry.angles[-1] += each if in_angle else ""
        elif each == "<":
            in_angle = True
            entry.angles.append("")
        elif each in ",;":
            entry.end = each
            yield entry
            entry = _AddressEntry()
        elif each == ":":
            entry = _AddressEntry()
        else:
            entry.words.append(each)
    yield entry


def _with_whole_comments(value: str) -> Iterator[str]:
    """The tokens of a field: quoted strings, single signs, words, and comments as a whole."""
    depth, comment = 0, ""
    for each in _TOKEN.findall(value):
        depth += (each == "(") - (each == ")" and depth > 0)
        if depth or comment:
            comment += each
        if comment and not depth:
            yield comment
            comment = ""
        elif not depth:
            yield each
    if comment:
        yield comment


def _address(text: str) -> str | None:
    """The text as an address, without what RFC 5322 lets stand around its dots, or None."""
    seen = text
    if not text.isascii():
        seen = "".join(sign for sign in text if unicodedata.category(sign) != "Cf")
    address = _QUOTED_LOCAL.sub(r"\1@", _AROUND.sub(r"\1", _ROUTE.sub("", seen).strip()))
    address = address.removesuffix(".")
    return address if len(address) <= _LONGEST and _ADDRESS.fullmatch(address) else None


def _name(text: str) -> str:
    bare = text.strip()
    if bare.startswith('"') and bare.endswith('"') and len(bare) > 1:
        bare = re.sub(r"\\(.)", r"\1", bare[1:-1])
    return single_line(decode_words(bare), 100)


MAX_LEVELS: Final = 30
MAX_PARTS: Final = 100

_BEGINNING = 50_000
# The parts of a mail (RFC 2046), in bounded depth, number and work. The standard library's parser
# looks at every line once for each level of nesting; a mail of many levels and many lines would
# occupy it for minutes.
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


@dataclass(frozen=True)
class MimePart:
    """A part: its header, and its raw body or its parts."""

    header: Header
    body: bytes
    parts: tuple["MimePart", ...] = ()
    broken: bool = False
    """True if it claims to have parts that cannot be found or are nested too deeply."""

    @cached_property
    def media_type(self) -> str:
        """Return the type, such as "text/plain", also for an unreadable one."""
        return _media_type(self.header)

    @property
    def name(self) -> str:
        """The file name, or ""."""
        disposition = parameter(self.header.get("content-disposition"), "filename")
        return disposition or self.parameter("name")

    @property
    def is_attachment(self) -> bool:
        """Return whether the sender wants it shown as a file."""
        return value_of(self.header.get("content-disposition")) == "attachment"

    def parameter(self, name: str) -> str:
        """Return a parameter of Content-Type, or ""."""
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
        """Return whether its beginning has nothing visible."""
        content = self.content(_BEGINNING)
        if content.isascii():
            return not content.strip()
        return not visible(decode(content, self.parameter("charset"))).strip()


def parse(raw: bytes) -> MimePart:
    """The mail as a tree of parts; lines may end with any number of CRs before the LF."""
    start = raw.lstrip(b"\r\n")
    return _part(_LINE_END.sub(b"\r\n", start) if b"\r\r\n" in start else start, MAX_LEVELS)


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
    """The boundary guessed for parts whose header names none, or ""."""
    found = _FIRST_BOUNDARY.search(body[:_BEGINNING])
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
            piece = body[start : max(start, at)]
            pieces.append(piece[:-2] if piece.endswith(b"\r\n") else piece.removesuffix(b"\n"))
        start = at + line.end() - line.start()
        if line[1] or len(pieces) >= MAX_PARTS:
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


def _trimmed(line: bytes) -> bytes:
    bare = line.rstrip(b" \t\r")
    return bare + b"\r" if line.endswith(b"\r") else bare


def _base64(raw: bytes) -> bytes:
    """Decode base64 in one or several pieces with their own padding.

    What follows the first padding and is no base64 was appended on the way. A text that is no
    base64 in spite of its label stays as it is.
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
    """Return whether lines labelled base64 begin with plain text; a lone word may look like it."""
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
    if not content or _MARKS.search(content):
        return False
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


_NO_PROSE = words(
    "text/calendar text/csv text/css text/vcard text/x-vcard text/directory text/rtf "
    "text/rfc822-headers text/x-amp-html text/javascript text/xml text/x-patch text/x-diff"
)
_UNREMARKABLE = words(
    "application/pgp-signature application/pkcs7-signature application/x-pkcs7-signature "
    "application/pgp-keys application/ms-tnef text/vcard text/x-vcard text/x-amp-html"
)
_MAX_TEXTS = 5
_CMS_BEGINNING = 64
_ENCRYPTED = frozenset(("multipart/encrypted", "application/pgp-encrypted"))
_CMS = frozenset(("application/pkcs7-mime", "application/x-pkcs7-mime"))
_OUTLOOK = frozenset(("application/ms-tnef", "application/vnd.ms-tnef"))
_OPEN_CMS = (b"\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02", b"\x01\x09\x10\x01\x09")
_SEALED_CMS = (b"\x2a\x86\x48\x86\xf7\x0d\x01\x07\x03", b"\x01\x09\x10\x01\x17")
"""The object identifiers of signed and compressed, and of encrypted data (RFC 5652, 3274, 5083)."""
_DOCUMENT = re.compile(r"(?:application|image|audio|video)/|text/rtf")
_NOT_A_WORD = re.compile(r"[\W_]+")

Says = Callable[[Sequence[str]], Sequence[str]]
"""The lines addressed to the judge: a signon, an order, a command."""


@dataclass(frozen=True, slots=True)
class Body:
    """The lines of the text that is read, and what there is besides."""

    lines: tuple[str, ...]
    flaws: tuple[MailFlaw, ...]
    attachments: tuple[str, ...]
    further: tuple[str, ...] = ()
    """The lines of other texts in the mail, such as one behind a picture; they are not read."""


def body_of(mail: MimePart, limits: ReadingLimits, says: Says, orders: Says) -> Body:
    """Return the text of the mail as lines: decoded, unfolded, HTML laid out.

    *says* and *orders* tell which lines are meant for the judge, and which of them are orders or
    signons, which no footer looks like.
    """
    text = _find(mail, named=False) or _find(mail, named=True)
    html = _laid_out_beside(mail, text)
    lines, cut = ([], False) if text is None else text_lines(text, limits, says)
    flaws: list[MailFlaw] = []
    if html is not None:
        laid_out, is_cut = text_lines(html, limits, says)
        if not says(lines) and says(laid_out):
            text, html, lines, cut = html, None, laid_out, is_cut
        else:
            is_part = not _lacks_any(laid_out, orders(lines))
            flaws += [MailFlaw.TEXTS_DIFFER] * (is_part and _lacks_any(lines, orders(laid_out)))
            lines = _without_signature(lines, html, limits)
    others = [part for part in _others(mail, text) if part is not mail]
    further: list[str] = []
    # Of a mail that is a single text nobody asks.
    is_silent = (text is not mail or _is_cms(mail)) and not says(lines)
    for part in [part for part in others if is_text(part) and not part.is_blank][:_MAX_TEXTS]:
        more, is_cut = text_lines(part, limits, says)
        if is_silent and not part.name and orders(more):
            lines, cut, is_silent = [*lines, *more], cut or is_cut, False
            others.remove(part)
        else:
            further += more
    flaws += [MailFlaw.TEXT_CUT] * cut + _flaws_of_structure(mail, text, is_silent=is_silent)
    flaws += _remarks(others)
    return Body(tuple(lines), tuple(flaws), tuple(map(title, others)), tuple(further))


def _lacks_any(lines: Sequence[str], said: Sequence[str]) -> bool:
    """Return whether a line of *said* is missing in a text, however that is broken up."""
    whole = f" {' '.join(map(_bare_words, lines))} "
    return any(f" {_bare_words(line)} " not in whole for line in said)


def _bare_words(line: str) -> str:
    return " ".join(_NOT_A_WORD.sub(" ", plain(line)).casefold().split())


def attached_text(mail: MimePart, limits: ReadingLimits) -> tuple[str, list[str]] | None:
    """Name and lines of the only text file that is attached; None if there is none, or several."""
    files = [part for part in leaves(mail) if _is_text_file(part) and not part.is_blank]
    if len(files) != 1:
        return None
    lines, cut = text_lines(files[0], limits)
    return None if cut else (title(files[0]), lines)


def _is_text_file(part: MimePart) -> bool:
    is_plain = part.media_type == "text/plain"
    is_named = part.name.lower().endswith(".txt") and not part.media_type.startswith("text/html")
    return part.is_attachment and (is_plain or is_named)


def _laid_out_beside(part: MimePart, text: MimePart | None) -> MimePart | None:
    """The HTML of which the text is the plain alternative, if there is one."""
    if text is None or is_html(text):
        return None
    if part.media_type == "multipart/alternative" and any(each is text for each in part.parts):
        return next(filter(is_html, (leaf for each in part.parts for leaf in leaves(each))), None)
    found = (_laid_out_beside(inner, text) for inner in part.parts)
    return next(filter(None, found), None)


def _without_signature(lines: list[str], html: MimePart, limits: ReadingLimits) -> list[str]:
    """The lines with those quoted that the HTML beside the text marks as a signature."""
    content = html.content(limits.text + 1)
    signed = signature_of(decode(content[: limits.text], html.parameter("charset")), limits.rows)
    return [f"> {line}" if " ".join(line.split()) in signed else line for line in lines]


def text_lines(
    part: MimePart, limits: ReadingLimits, says: Says = lambda _: ()
) -> tuple[list[str], bool]:
    """Return the lines of one text part, and whether the limits cut some off.

    *says* tells which lines are meant for the judge: those begin something new.
    """
    content = part.content(limits.text + 1)
    text = decode(content[: limits.text], part.parameter("charset"))
    if is_html(part) or is_hypertext(text):
        lines, cut = lines_of(text, limits.rows)
    else:
        lines, cut = split_lines(text), False
    if part.parameter("format").lower() == "flowed" and not is_html(part):
        delsp = part.parameter("delsp").lower() == "yes"
        lines = unfold(lines, delsp=delsp, begins=lambda line: bool(says([line])))
    kept = _within(lines, limits)
    return kept, cut or len(content) > limits.text or len(lines) > len(kept)


def _within(lines: Sequence[str], limits: ReadingLimits) -> list[str]:
    kept: list[str] = []
    left, longest = limits.shown, limits.longest
    for line in lines[: limits.rows]:
        left -= min(len(line), longest)
        if left < 0:
            break
        kept.append(line)
    return kept


def leaves(part: MimePart) -> Iterator[MimePart]:
    """Return the parts without parts."""
    if not part.parts:
        yield part
    for inner in part.parts:
        yield from leaves(inner)


def is_text(part: MimePart) -> bool:
    """Return whether the part is text to be read in place."""
    media = part.media_type
    return media.startswith("text/") and media not in _NO_PROSE and not part.is_attachment


def is_html(part: MimePart) -> bool:
    """Return whether the part is HTML."""
    return part.media_type == "text/html"


def title(part: MimePart) -> str:
    """Return the name, or else the type, of a part that is not read."""
    return single_line(decode_words(part.name), 100) or part.media_type


def _find(part: MimePart, *, named: bool) -> MimePart | None:
    if not part.parts:
        wanted = is_text(part) and bool(part.name) == named
        return part if wanted and not part.is_blank else None
    match part.media_type:
        case "multipart/digest" | "multipart/encrypted":
            return None
        case "multipart/signed":
            return _find(part.parts[0], named=named)
        case "multipart/related":
            return _find(_root(part), named=named)
        case "multipart/alternative":
            found = [text for inner in part.parts if (text := _find(inner, named=named))]
            return min(found, key=is_html, default=None)
        case _:
            found = [text for inner in part.parts if (text := _find(inner, named=named))]
            return found[0] if found else None


def _root(related: MimePart) -> MimePart:
    """The part that the others belong to (RFC 2387): as ``start`` says, else the first text."""
    start = related.parameter("start").strip("<> ")
    for part in related.parts:
        if start and part.header.get("content-id").strip("<> ") == start:
            return part
    first = related.parts[0]
    is_shown = first.parts or is_text(first)
    texts = (part for part in related.parts if part.parts or is_text(part))
    return first if is_shown else next(texts, first)


def _others(part: MimePart, text: MimePart | None) -> list[MimePart]:
    """The leaves that were left out, but not the other alternatives of the text that was read."""
    if part is text:
        return []
    if not part.parts:
        return [part]
    left = [_others(inner, text) for inner in part.parts]
    if part.media_type == "multipart/alternative" and text is not None:
        for inner, rest in zip(part.parts, left, strict=True):
            if any(leaf is text for leaf in leaves(inner)):
                return rest
    return [leaf for rest in left for leaf in rest]


def _remarks(others: list[MimePart]) -> list[MailFlaw]:
    texts = [part for part in others if is_text(part) and not part.is_blank]
    files = [part for part in others if not is_text(part) and not _is_trimming(part)]
    return [MailFlaw.OTHER_TEXT] * bool(texts) + [MailFlaw.ATTACHMENT] * bool(files)


def _is_trimming(part: MimePart) -> bool:
    """Signatures, cards and pictures that mail programs add on their own."""
    is_picture = part.media_type.startswith("image/") and part.header.has("content-id")
    return part.media_type in _UNREMARKABLE or is_picture


def _flaws_of_structure(
    part: MimePart, text: MimePart | None, *, is_silent: bool
) -> list[MailFlaw]:
    """Why nothing can be read: what the mail is instead."""
    if not is_silent:
        return []
    whole = list(_all_parts(part))
    kinds = {each.media_type for each in whole}
    signed = [_is_open(each) for each in whole if _is_cms(each)]
    if kinds & _ENCRYPTED or not all(signed):
        return [MailFlaw.ENCRYPTED]
    if signed:
        return [MailFlaw.SIGNED_WHOLE]
    if text is not None:
        return []
    if kinds & _OUTLOOK or any(leaf.name.lower() == "winmail.dat" for leaf in whole):
        return [MailFlaw.OUTLOOK]
    if any(leaf.broken for leaf in whole):
        return [MailFlaw.UNREADABLE]
    is_file = any(_DOCUMENT.match(leaf.media_type) for leaf in whole)
    return [MailFlaw.OTHER_FORMAT] if is_file else []


def _is_cms(part: MimePart) -> bool:
    return part.media_type in _CMS or part.name.lower().endswith(".p7m")


def _is_open(cms: MimePart) -> bool:
    """Return whether S/MIME has signed or compressed a text, but not encrypted it."""
    start = cms.content(_CMS_BEGINNING)[:_CMS_BEGINNING]
    if any(name in start for name in _SEALED_CMS):
        return False
    kind = cms.parameter("smime-type").lower()
    return any(name in start for name in _OPEN_CMS) or kind in ("signed-data", "compressed-data")


def _all_parts(part: MimePart) -> Iterator[MimePart]:
    yield part
    for inner in part.parts:
        yield from _all_parts(inner)


# --- format=flowed (RFC 3676) -------------------------------------------------------------------

_QUOTE = re.compile(r">*")
_SIGNATURE = "-- "
_NARROWEST = 60
"""The narrowest width at which a program breaks paragraphs."""


def unfold(
    lines: Sequence[str], *, delsp: bool, begins: Callable[[str], bool] = lambda _: False
) -> list[str]:
    """Return the paragraphs of *lines*; with *delsp* the space at a soft break is no text.

    *begins* says whether a line begins something new: some programs leave soft line breaks at the
    ends of short lines. Only lines of one quoting depth are joined, and the signature's line never
    is.
    """
    out: list[str] = []
    pieces: list[str] = []
    depth = 0
    for line in lines:
        here, text = _unquoted(line)
        ends = here != depth or text == _SIGNATURE
        if pieces and (ends or (_had_room(pieces, text, depth) and begins(text))):
            out.append(_paragraph(depth, pieces))
            pieces = []
        depth = here
        soft = text.endswith(" ") and text != _SIGNATURE
        pieces.append(text[:-1] if soft and delsp else text)
        if not soft:
            out.append(_paragraph(depth, pieces))
            pieces = []
    return [*out, _paragraph(depth, pieces)] if pieces else out


def _had_room(pieces: Sequence[str], text: str, depth: int) -> bool:
    word = text.partition(" ")[0]
    return depth + len(pieces[-1]) + len(word) < _NARROWEST


def _unquoted(line: str) -> tuple[int, str]:
    """The quoting depth, and the text without quote marks and stuffed space."""
    marks = _QUOTE.match(line)
    depth = marks.end() if marks else 0
    return depth, line[depth:].removeprefix(" ")


def _paragraph(depth: int, pieces: list[str]) -> str:
    text = "".join(pieces)
    return f"{'>' * depth} {text}" if depth else text
