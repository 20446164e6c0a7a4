"""Damage: pieces of a good input lost, doubled, moved, repeated, or replaced by something odd."""

from collections.abc import Callable, Sequence
from random import Random

ODD = (
    b"", b" ", b"\t", b"\r\n", b"\n", b"\r", b"\x00", b"\xff", b"\xef\xbb\xbf", b"\xc2\xa0",
    b"\x1b[0m", "\u202e".encode(), "\u2028".encode(), "\ufdfa".encode(), "e\u0301".encode(),
    b"\xed\xa0\x80", b"0", b"-1", b"99999999999999999999", b"1e999", b"NaN", b"(", b")", b"<", b">",
    b'"', b"'", b"\\", b"%s", b"{}", b"{{ 1 }}", b"..", b"/", b"*", b"+", b"?", b"=", b"=\r\n",
    b"=00", b"--", b"> ", b"@",
)  # fmt: skip
"""Pieces that mean something somewhere."""
_LONGEST = 200_000
_MAX_CHANGES = 4


def damaged(raw: bytes, chance: Random, pieces: Sequence[bytes] = ODD) -> bytes:
    """The input after some changes; *pieces* are what may stand in its place."""
    for _ in range(chance.randint(1, _MAX_CHANGES)):
        raw = chance.choice(_CHANGES)(raw, chance, pieces)
    return raw[:_LONGEST]


def _some(raw: bytes, chance: Random, most: int = 40) -> tuple[int, int]:
    start = chance.randint(0, len(raw))
    return start, min(len(raw), start + chance.randint(0, most))


def _replace(raw: bytes, chance: Random, pieces: Sequence[bytes]) -> bytes:
    start, end = _some(raw, chance, 12)
    return raw[:start] + chance.choice(pieces) + raw[end:]


def _lose(raw: bytes, chance: Random, _: Sequence[bytes]) -> bytes:
    start, end = _some(raw, chance, 200)
    return raw[:start] + raw[end:]


def _repeat(raw: bytes, chance: Random, pieces: Sequence[bytes]) -> bytes:
    """A piece of it, or an odd one, again and again: now and then very often."""
    start, end = _some(raw, chance)
    piece = raw[start:end] if chance.random() < 0.5 else chance.choice(pieces)
    times = int(10 ** (chance.random() * (4 if chance.random() < 0.05 else 2)))
    return raw[:start] + piece * times + raw[end:]


def _flip(raw: bytes, chance: Random, _: Sequence[bytes]) -> bytes:
    if not raw:
        return raw
    at = chance.randrange(len(raw))
    return raw[:at] + bytes([raw[at] ^ (1 << chance.randrange(8))]) + raw[at + 1 :]


def _move_lines(raw: bytes, chance: Random, _: Sequence[bytes]) -> bytes:
    lines = raw.split(b"\n")
    taken = lines.pop(chance.randrange(len(lines)))
    for _again in range(chance.choice((0, 1, 1, 2))):
        lines.insert(chance.randint(0, len(lines)), taken)
    return b"\n".join(lines)


_CHANGES: Sequence[Callable[[bytes, Random, Sequence[bytes]], bytes]] = (
    _replace,
    _replace,
    _lose,
    _repeat,
    _flip,
    _move_lines,
)
