"""The largest mails that are taken in, each of a kind that once took long."""

from collections.abc import Callable, Mapping

SIZE = 1_048_576
"""Bytes; what is larger is refused at the door (`size_limit`)."""

_HEAD = (
    b"From: Anna <anna@player.example>\r\nTo: judge@mach.example\r\nSubject: orders\r\n"
    b"Message-ID: <worst@player.example>\r\n"
)
_PLAIN = b"Content-Type: text/plain; charset=utf-8\r\n\r\n"
_HTML = b"Content-Type: text/html; charset=utf-8\r\n\r\n"
_SIGNON = b"SIGNON Lborgia pwL\r\n"
_MASTER = b"SIGNON Mborgia masterkey\r\n"
_WIDE = 980
"""Bytes of a line that is just not too long."""


def lines(line: bytes, above: bytes = _SIGNON, below: bytes = b"") -> Callable[[], bytes]:
    """A mail full of the same line."""
    return lambda: _filled(_HEAD + _PLAIN + above, line + b"\r\n", below)


def long_lines(word: bytes, begin: bytes = b"", above: bytes = _SIGNON) -> Callable[[], bytes]:
    """A mail full of lines, each of them full of the same words."""
    return lines(begin + word * ((_WIDE - len(begin)) // len(word)), above)


def html(piece: bytes, begin: bytes = b"<html><body>") -> Callable[[], bytes]:
    """A mail full of the same mark-up."""
    return lambda: _filled(_HEAD + _HTML + begin, piece)


def nested(levels: int, width: int) -> Callable[[], bytes]:
    """Parts in parts in parts, filled up with orders."""

    def made() -> bytes:
        raw = _HEAD + _part(0, levels, width)
        return _filled(raw, b"A flo - pst\r\n")

    return made


def _part(level: int, levels: int, width: int) -> bytes:
    if level == levels:
        return _PLAIN + _SIGNON
    mark = b"--b%d" % level
    inner = b"".join(mark + b"\r\n" + _part(level + 1, levels, width) for _ in range(width))
    return b'Content-Type: multipart/mixed; boundary="b%d"\r\n\r\n' % level + inner


def fan() -> bytes:
    """Boundaries of which each is the beginning of those inside, in a body full of them."""
    marks = [b"b" * (30 - level) for level in range(30)]
    heads = (
        b"Content-Type: multipart/mixed; boundary=%s\r\n\r\n--%s\r\n" % (mark, mark)
        for mark in marks
    )
    return _filled(_HEAD + b"".join(heads) + _PLAIN + _SIGNON, b"--b\r\n")


def _filled(above: bytes, piece: bytes, below: bytes = b"") -> bytes:
    return above + piece * ((SIZE - len(above) - len(below)) // len(piece)) + below


WORST: Mapping[str, Callable[[], bytes]] = {
    "settings": long_lines(b"nomoney, ", b"set ", b""),
    "settings of a master": long_lines(b"nomoney, ", b"set ", _MASTER),
    "settings that do not exist": lines(b"set zz x", _MASTER),
    "time zones that do not exist": lines(b"set timezone Europe/Rom"),
    "a sign of eighteen letters": lines("\ufdfa".encode() * 300),
    "a sign of eighteen letters in press": lines(
        "\ufdfa".encode() * 300, _SIGNON + b"PRESS TO V\r\n", b"ENDPRESS\r\n"
    ),
    "conditions": long_lines(b"A mil and ", b"if "),
    "conditions with orders": long_lines(b"if A mil then A flo H endif "),
    "conditions that are not closed": lines(b"if A mil\r\nA flo H"),
    "greetings": lines(b"hello Lborgia pw", b""),
    "greetings of nobody": lines(b"hello Xxborgia pw", b""),
    "orders that cannot be read": lines(b"A flo to the moon via rome"),
    "orders of a stranger": lines(b"A flo frobs pst", b""),
    "orders on a line": long_lines(b"A flo - pst, "),
    "words of a master": lines(b"lst zz", _MASTER),
    "brackets": long_lines(b"(", b"A flo H "),
    "set, again and again": long_lines(b"set "),
    "passwords": lines(b"password is abcdefg"),
    "listings": lines(b"list", _SIGNON),
    "maps": lines(b"map 1454"),
    "previews": lines(b"preview", _MASTER),
    "reminders": lines(b"nudge", _MASTER),
    "orders taken back": lines(b"A flo - pst\r\nclear"),
    "quoted orders": lines(b"> A flo - pst", _SIGNON + b"A flo H\r\n"),
    "headers of quoted mails": lines(b"From: a@b.example"),
    "empty lines": lines(b""),
    "parts in parts": nested(2, 60),
    "parts in two parts each": nested(10, 2),
    "boundaries": fan,
    "line breaks of HTML": html(b"<br>"),
    "references of HTML": html(b"&#" + b"1" * 4301 + b";"),
    "tags that are not closed": html(b"<div>"),
    "tables": html(b"<table><tr><td>"),
    "attributes": html(b"<p " + b"a=b " * 1900 + b">"),
    "orders in HTML": html(b"A flo - pst<br>", b"<html><body>SIGNON Lborgia pwL<br>"),
}
"""By what they are full of."""
