"""Bytes to text: by the charset that the mail names, by what is likely where it is wrong.

Never raises; bytes that are no text become U+FFFD.
"""

import codecs
import re

from machjudge.reading.text.characters import without_surrogates

_VAGUE = frozenset({"", "ascii", "iso8859-1", "cp1252", "utf-8"})
"""Charsets by which mails are labelled no matter what they hold."""
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
"""Names of charsets that Python does not know."""
_SINGLE = ("iso8859-", "cp125", "koi8-", "mac-", "cp8")
"""How the names of charsets begin whose texts are hardly ever UTF-8 by chance."""
_NO_CHARSET = frozenset({"idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape"})
_LINES = re.compile(rb"(?<=\n)")
_LOOK_AT = 400
_MOST_LINES = 10_000
"""So many lines are decoded one by one; more of them are not read from a mail of plain text."""
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
    """Python's name of the charset, or "" for an unknown one."""
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
    left, right = raw[:_LOOK_AT:2], raw[1:_LOOK_AT:2]
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
    """The text if it is UTF-8 in spite of its label, or ""; ASCII is both."""
    try:
        return "" if raw.isascii() else raw.decode("utf-8")
    except UnicodeDecodeError:
        return ""


def _by_line(raw: bytes) -> str:
    bare = raw.removeprefix(codecs.BOM_UTF8)
    try:
        return bare.decode("utf-8")
    except UnicodeDecodeError:
        *lines, rest = _LINES.split(bare, _MOST_LINES)
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
