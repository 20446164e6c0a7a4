"""Read tables of TOML files by key; faults are noted, not raised."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from machjudge.adjudicator.names import MachjudgeError

_HEADER = re.compile(r"\s*(\[\[?)\s*([\w.-]+)\s*\]")
_KEY = re.compile(r"\s*(\"[^\"]*\"|[\w-]+)\s*=")


@dataclass(frozen=True, slots=True)
class FileFault:
    """A fault in a file."""

    file: str
    line: int | None
    """The line from 1, if known."""
    key: str
    """The path of the key, such as ``coastal.alb.city``; empty for the file as a whole."""
    says: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.key}: {self.says}" if self.key else f"{place}: {self.says}"


def reserved_name_flaw(name: str, order: str) -> str:
    """Return why orders cannot say a name; *order* is one read otherwise."""
    return f"{name!r} cannot be said in orders: {order!r} is read otherwise; choose another name"


class BrokenMap(MachjudgeError):
    """A board, scenario or drawing is unusable; it has all faults."""

    def __init__(self, faults: Iterable[FileFault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))


class Findings:
    """Collects all faults of a file."""

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
        """Return the exception with all faults, in the file's order."""
        return BrokenMap(sorted(self._faults, key=lambda fault: fault.line or 0))

    def raise_if_any(self) -> None:
        """Raise BrokenMap if there are faults."""
        if self._faults:
            raise self.broken()

    def _line_of(self, key: str) -> int | None:
        while key and key not in self._lines:
            key = key.rpartition(".")[0]
        return self._lines.get(key)


def lines_of_keys(text: str) -> Mapping[str, int]:
    """Return the first line of each table and key of a TOML text, by path.

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


_AT_LINE = re.compile(r"\s*\(at line (\d+), column \d+\)")
LONGEST = 200
"""The most characters of a name or title."""


class FileTable:
    """A table and its path in the file.

    Every reader returns a usable value of the right type; faults are in *findings*. ``close`` notes
    unknown keys.
    """

    def __init__(self, table: Mapping[str, object], where: str, findings: Findings) -> None:
        self.where = where
        self.findings = findings
        self._table = table
        self._asked: list[str] = []

    def path(self, key: str) -> str:
        """Return the path of a key."""
        return f"{self.where}.{key}" if self.where else key

    def note(self, key: str, says: str) -> None:
        """Note a fault at one of its keys."""
        self.findings.note(self.path(key), says)

    def all_keys(self) -> tuple[str, ...]:
        """Return all keys in order, which are then known."""
        self._asked.extend(self._table)
        return tuple(self._table)

    def has(self, key: str) -> bool:
        """Return whether the key is there."""
        self._asked.append(key)
        return key in self._table

    def text(self, key: str, default: str | None = None) -> str:
        """Return a line of text; required without *default*."""
        value = self._get(key, needed=default is None)
        if value is None:
            return default or ""
        if isinstance(value, str) and value.strip() and is_one_line(value):
            return value.strip()
        self.note(key, "a line of text is needed here")
        return default or ""

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of lines of text; empty if absent."""
        value = self._get(key)
        if value is None:
            return ()
        if isinstance(value, list) and all(
            isinstance(item, str) and item.strip() and is_one_line(item) for item in value
        ):
            return tuple(item.strip() for item in value)
        self.note(key, 'a list of texts is needed here, such as ["one", "two"]')
        return ()

    def words(self, key: str, *, needed: bool = False) -> tuple[str, ...]:
        """Return the distinct words of a text, such as ``"bos dur her"``."""
        words = self.cells(key, needed=needed)
        for word in dict.fromkeys(word for word in words if words.count(word) > 1):
            self.note(key, f"{word!r} stands here twice")
        return tuple(dict.fromkeys(words))

    def cells(self, key: str, *, needed: bool = False) -> tuple[str, ...]:
        """Return the words of a text, repeated ones too."""
        value = self._get(key, needed=needed)
        if value is None:
            return ()
        if isinstance(value, str):
            return tuple(value.split())
        self.note(key, 'a text of words is needed here, such as "alb bos"')
        return ()

    def whole(self, key: str, default: int | None = None, *, least: int = 0, most: int = 99) -> int:
        """Return a whole number from *least* to *most*; required without *default*."""
        value = self._get(key, needed=default is None)
        if value is None:
            return least if default is None else default
        if type(value) is int and least <= value <= most:
            return value
        self.note(key, f"a whole number from {least} to {most} is needed here")
        return least if default is None else default

    def flag(self, key: str, *, default: bool = False) -> bool:
        """Return a truth value."""
        value = self._get(key)
        if isinstance(value, bool):
            return value
        if value is not None:
            self.note(key, "true or false is needed here")
        return default

    def plain(self, key: str) -> bool | int | str | None:
        """Return a truth value, whole number or text; None, and a fault, for others."""
        value = self._get(key)
        if isinstance(value, bool | int | str):
            return value
        self.note(key, "true, false, a whole number or a text is needed here")
        return None

    def anything(self, key: str) -> object:
        """Return any value, for another reader."""
        return self._get(key)

    def numbers(self, key: str, *, most: int = 99) -> tuple[int, ...]:
        """Return a list of whole numbers from 0 to *most*."""
        value = self._get(key)
        if isinstance(value, list) and all(type(n) is int and 0 <= n <= most for n in value):
            return tuple(value)
        self.note(key, f"a list of whole numbers from 0 to {most} is needed here")
        return ()

    def items(self, key: str) -> "FileTable":
        """Return the items of a list as a table with keys from 1."""
        value = self._get(key)
        if not isinstance(value, list):
            self.note(key, "a list is needed here")
            value = []
        table = {str(number): item for number, item in enumerate(value, start=1)}
        return FileTable(table, self.path(key), self.findings)

    def table(self, key: str) -> "FileTable":
        """Return a table below this one; empty if absent."""
        value = self._get(key)
        if value is not None and not isinstance(value, dict):
            self.note(key, "a table is needed here")
        table = value if isinstance(value, dict) else {}
        return FileTable(table, self.path(key), self.findings)

    def sheets(self, key: str) -> list["FileTable"]:
        """Return the tables of an array, counted from 1."""
        value = self._get(key)
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            self.note(key, f"tables [[{key}]] are needed here")
            return []
        return [
            FileTable(item, f"{self.path(key)}[{number}]", self.findings)
            for number, item in enumerate(value, start=1)
        ]

    def close(self) -> None:
        """Note the unknown keys."""
        for key in self._table:
            if key not in self._asked:
                self.note(key, f"this key is not known{did_you_mean(key, self._asked)}")

    def _get(self, key: str, *, needed: bool = False) -> object:
        self._asked.append(key)
        if needed and key not in self._table:
            self.note(key, "this key is missing")
        return self._table.get(key)


def is_one_line(text: str) -> bool:
    """Return whether a text may be a name in a letter: printable, one line, short."""
    return len(text) <= LONGEST and text.isprintable()


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return ``; did you mean X?`` for a near known word, else ""."""
    near = get_close_matches(word, list(known), n=1)
    return f"; did you mean {near[0]}?" if near else ""


def open_table(file: Path) -> FileTable:
    """Return the table of a TOML file.  Raises BrokenMap if unreadable."""
    text = read_text(file)
    try:
        table = tomllib.loads(text)
    except RecursionError:
        raise BrokenMap(
            [FileFault(str(file), None, "", "tables or lists too deep to read")]
        ) from None
    except ValueError as error:
        raise BrokenMap([_syntax_fault(file, str(error))]) from error
    return FileTable(table, "", Findings(str(file), lines_of_keys(text)))


def read_text(file: Path) -> str:
    """Return the text of a file.  Raises BrokenMap if there is none."""
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        reason = error.strerror or "it cannot be read"
        raise BrokenMap([FileFault(str(file), None, "", reason)]) from error
    except ValueError as error:
        raise BrokenMap([FileFault(str(file), None, "", "not a text in UTF-8")]) from error


def _syntax_fault(file: Path, message: str) -> FileFault:
    at = _AT_LINE.search(message)
    says = f"not valid TOML: {_AT_LINE.sub('', message)}"
    return FileFault(str(file), int(at[1]) if at else None, "", says)
