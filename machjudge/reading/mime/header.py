"""The header of a mail or of a part: fields, encoded words, parameters.

See RFC 5322, 2045, 2047 and 2231.
Written for bounded work on hostile bytes. The standard library's ``email.policy.default`` raises
RecursionError for a From of many parentheses and takes seconds for a long encoded subject.
"""

import re
from binascii import Error, a2b_base64, a2b_qp
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

from machjudge.reading.mime.charset import decode

_MOST_BYTES = 256_000
_MOST_VALUE = 10_000
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

    def all(self, name: str) -> list[str]:
        """Every value of the field *name* (lower case)."""
        return [value for field, value in self.fields if field == name]

    def get(self, name: str) -> str:
        """The first value of the field *name* (lower case), or ""."""
        for field, value in self.fields:
            if field == name:
                return value
        return ""

    def has(self, name: str) -> bool:
        """Whether there is such a field, even an empty one."""
        return any(field == name for field, _ in self.fields)


def split_header(raw: bytes) -> tuple[Header, bytes]:
    """The header and the body of a mail or part. A first line "From " of an mbox is no field."""
    if raw.startswith((b"\r\n", b"\n")):
        return Header(()), raw[1 if raw[:1] == b"\n" else 2 :]
    end = _END_OF_HEADER.search(raw)
    block, body = (raw[: end.start()], raw[end.end() :]) if end else (raw, b"")
    return Header(tuple(_fields(block[:_MOST_BYTES]))), body


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
    found = {m[1].lower(): (m[3] if m[2] is None else m[2]) for m in _PARAMETER.finditer(field)}
    if name in found:
        return re.sub(r"\\(.)", r"\1", found[name])
    if f"{name}*" in found:
        return _extended(found[f"{name}*"])
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
    return [(name, _unfolded(lines)) for name, lines in fields]


def _unfolded(lines: list[bytes]) -> str:
    return decode(b"".join(lines)[:_MOST_VALUE], "").replace("\r", " ").strip()


def _word_bytes(encoding: str, text: str) -> bytes:
    raw = text.encode("utf-8", "replace")
    if encoding in "qQ":
        return a2b_qp(raw.replace(b"_", b" "), header=False)
    try:
        return a2b_base64(raw.rstrip(b"=") + b"==")
    except Error:
        return raw


def _flush(pending: list[tuple[str, bytes]]) -> str:
    """Decode neighbouring words; those of one charset together, as some cut inside a character."""
    out: list[str] = []
    while pending:
        charset = pending[0][0]
        run = b""
        while pending and pending[0][0] == charset:
            run += pending.pop(0)[1]
        out.append(decode(run, charset))
    return "".join(out)


def _extended(value: str) -> str:
    charset, _, rest = value.partition("'")
    return decode(unquote_to_bytes(rest.partition("'")[2] or value), charset)


def _percent(value: str) -> str:
    return decode(unquote_to_bytes(value.rpartition("'")[2]), "")
