"""Clear-signed and encrypted text (OpenPGP, RFC 9580 section 7)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from machjudge.reading.text.characters import plain
from machjudge.reading.text.rows import Row

_SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"
_BEGIN = "-----BEGIN PGP "
_END = "-----END PGP "
_SEALED = "-----BEGIN PGP MESSAGE-----"


def is_sealed(rows: Sequence[Row]) -> bool:
    """Whether the text holds an encrypted message."""
    return any(row.text == _SEALED for row in rows)


def without_armour(rows: Sequence[Row]) -> list[Row]:
    """The rows without signatures, keys and encrypted text, signed ones as they were written."""
    if not any(row.text.startswith(_BEGIN) for row in rows):
        return list(rows)
    return list(_taken_out(rows))


def _taken_out(rows: Sequence[Row]) -> Iterator[Row]:
    in_header = in_block = in_signed = False
    for row in rows:
        if row.text.startswith(_BEGIN):
            in_signed = in_header = row.text == _SIGNED
            in_block = not in_signed
        elif row.text.startswith(_END):
            in_block = False
        elif in_header:
            in_header = not row.is_blank
        elif not in_block:
            yield _unescaped(row) if in_signed else row


def _unescaped(row: Row) -> Row:
    """The row without the dash that signing put in front."""
    if not row.raw.startswith("- "):
        return row
    return replace(row, raw=row.raw[2:], text=plain(row.raw[2 : len(row.text) + 2]))
