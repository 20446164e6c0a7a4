"""What is wrong with a map file: every fault with its file, its key or line, and the reason."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from machjudge.adjudicator.model.names import MachjudgeError

_HEADER = re.compile(r"\s*(\[\[?)\s*([\w.-]+)\s*\]")
_KEY = re.compile(r"\s*(\"[^\"]*\"|[\w-]+)\s*=")


@dataclass(frozen=True, slots=True)
class FileFault:
    """One thing that is wrong in one file."""

    file: str
    line: int | None
    """The line counted from 1, where it can be told."""
    key: str
    """The path of the key, such as ``coastal.alb.city``; empty for the file as a whole."""
    says: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.key}: {self.says}" if self.key else f"{place}: {self.says}"


def unsayable(name: str, order: str) -> str:
    """What is wrong with a name that orders cannot say; *order* is one that is read otherwise."""
    return f"{name!r} cannot be said in orders: {order!r} is read otherwise; choose another name"


class BrokenMap(MachjudgeError):
    """A board, scenario or drawing that cannot be used; carries all its faults."""

    def __init__(self, faults: Iterable[FileFault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))


class Findings:
    """Collects the faults of one file, so that its author learns of all of them at once."""

    def __init__(self, file: str, lines: Mapping[str, int] | None = None) -> None:
        self.file = file
        self._lines = lines or {}
        self._faults: list[FileFault] = []

    def note(self, key: str, says: str) -> None:
        """Note a fault at a key."""
        fault = FileFault(self.file, self._line_of(key), key, says)
        if fault not in self._faults:
            self._faults.append(fault)

    def __len__(self) -> int:
        return len(self._faults)

    def broken(self) -> BrokenMap:
        """The exception with all that was noted, in the order of the file."""
        return BrokenMap(sorted(self._faults, key=lambda fault: fault.line or 0))

    def raise_if_any(self) -> None:
        """Raise BrokenMap if anything was noted."""
        if self._faults:
            raise self.broken()

    def _line_of(self, key: str) -> int | None:
        while key and key not in self._lines:
            key = key.rpartition(".")[0]
        return self._lines.get(key)


def lines_of_keys(text: str) -> Mapping[str, int]:
    """On which line each table and key of a TOML text begins, by its path.

    A table of an array is counted from 1, as in ``variants[2].players``.
    """
    lines: dict[str, int] = {}
    counts: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.split("\n"), start=1):
        if header := _HEADER.match(line):
            table = _table_path(header[2], counts, opens=header[1] == "[[")
            lines.setdefault(table, number)
        elif key := _KEY.match(line):
            name = key[1].strip('"')
            lines.setdefault(f"{table}.{name}" if table else name, number)
    return lines


def _table_path(name: str, counts: dict[str, int], *, opens: bool) -> str:
    if opens:
        counts[name] = counts.get(name, 0) + 1
        return f"{name}[{counts[name]}]"
    first, dot, rest = name.partition(".")
    return f"{first}[{counts[first]}]{dot}{rest}" if first in counts else name
